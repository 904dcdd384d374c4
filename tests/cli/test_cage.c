/* SPDX-License-Identifier: MIT
 *
 * test_cage.c - caged processes: a result comes out whole; crashes, endless loops and whatever is forbidden end one job
 *   with a sentence, and the next one works. The name of a file says what its job does.
 */
#define _DEFAULT_SOURCE
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/capability.h>
#endif

#include "../cli/cage.h"

enum { LANDLOCK = 444, LARGE = 300000, THREADS = 4, EACH = 20 };

static char folder[] = "cage-XXXXXX";
static int context = 17;
static _Atomic pid_t *victim; /* shared with caged processes */

/* ---- jobs ---- */

static void read_it(const char *path, FILE *out)
{
    char line[64] = "";
    FILE *file = fopen(path, "r");
    fprintf(out, "%s\n", file != NULL && fgets(line, sizeof line, file) != NULL ? line : strerror(errno));
    if (file != NULL)
        fclose(file);
}

static void loop_for_ever(void)
{
    volatile unsigned turns = 0;
    signal(SIGXCPU, SIG_IGN); /* the second limit is not a signal that can be ignored */
    for (;;)
        turns = turns + 1;
}

/* As a decoder that was taken over can; a futex is among the calls that it may make. */
static void sleep_for_ever(void)
{
#ifdef SYS_futex
    static int word;
    for (;;)
        syscall(SYS_futex, &word, 0 /* FUTEX_WAIT */, 0, NULL, NULL, 0);
#else
    for (;;)
        pause();
#endif
}

/* More than a keeper of user_limits can take. */
static void answer_for_long(FILE *out)
{
    static char piece[1 << 20];
    for (int i = 0; i < 500; i++)
        fwrite(piece, 1, sizeof piece, out);
}

/* Until somebody else ends it. */
static void be_killed(void)
{
    atomic_store(victim, getpid());
    sleep_for_ever();
}

/* More than the limit; malloc says no, and the job goes on. */
static void take_memory(FILE *out)
{
    char *block = malloc((size_t)1 << 30);
    fprintf(out, "%s\n", block == NULL ? "refused" : "given");
    free(block);
}

/* What a C library asks of an open file. */
static void use_descriptor(FILE *out)
{
    int copy = fcntl(fileno(out), F_DUPFD_CLOEXEC, 10);
    bool well = copy >= 10 && fcntl(copy, F_GETFD) == FD_CLOEXEC && fcntl(copy, F_SETFD, 0) == 0 &&
                (fcntl(copy, F_GETFL) & O_ACCMODE) == O_WRONLY;
    fprintf(out, "%s\n", well ? "works" : strerror(errno));
}

static void job(void *given, const char *path, FILE *out)
{
    static volatile int *nowhere;
    const char *what = strrchr(path, '/') + 1;
    if (strcmp(what, "crash") == 0)
        *nowhere = 1;
    else if (strcmp(what, "abort") == 0)
        abort();
    else if (strcmp(what, "write") == 0)
        close(open("stolen", O_WRONLY | O_CREAT, 0666));
    else if (strcmp(what, "append") == 0)
        close(open(path, O_WRONLY | O_APPEND));
    else if (strcmp(what, "socket") == 0)
        close(socket(AF_INET, SOCK_STREAM, 0));
    else if (strcmp(what, "fork") == 0)
        _exit(fork() == 0 ? 0 : 1);
    else if (strcmp(what, "execute") == 0)
        execl("/bin/true", "true", (char *)NULL);
    else if (strcmp(what, "signal") == 0)
        kill(getppid(), SIGCONT);
    else if (strcmp(what, "owner") == 0)
        fcntl(fileno(out), F_SETOWN, 1); /* whatever process */
    else if (strcmp(what, "flags") == 0)
        fcntl(fileno(out), F_SETFL, O_ASYNC);
    else if (strcmp(what, "descriptor") == 0)
        use_descriptor(out);
    else if (strcmp(what, "code") == 0)
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    else if (strcmp(what, "loop") == 0)
        loop_for_ever();
    else if (strcmp(what, "asleep") == 0)
        sleep_for_ever();
    else if (strcmp(what, "closed") == 0 && fclose(out) == 0)
        sleep_for_ever();
    else if (strcmp(what, "killed") == 0)
        be_killed();
    else if (strcmp(what, "suicide") == 0)
        raise(SIGKILL);
    else if (strcmp(what, "flood") == 0)
        answer_for_long(out);
    else if (strcmp(what, "memory") == 0)
        take_memory(out);
    else if (strcmp(what, "elsewhere") == 0)
        read_it("/etc/passwd", out);
    else if (strcmp(what, "large") == 0)
        for (int i = 0; i < LARGE; i++)
            fprintf(out, "%d\n", i);
    else if (strcmp(what, "number") == 0)
        fprintf(out, "%d\n", *(int *)given);
    else
        read_it(path, out);
}

/* ---- the test's side ---- */

static lc_cage *make_cage(size_t together)
{
    lc_cage *cage = NULL;
    loco_err err = {""};
    lc_cage_plan plan = {.together = together, .job = job, .context = &context, .seconds = 1, .memory = 64 << 20};
    CHECK_STATUS(lc_cage_new(&cage, &plan, &err), LOCO_OK);
    return cage;
}

static void path_of(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
}

/* The result as text in `text`, or the sentence. */
static loco_status try(lc_cage *cage, const char *name, char *text, size_t size)
{
    char path[128], *result = NULL;
    size_t length = 0;
    loco_err err = {""};
    path_of(path, sizeof path, name);
    loco_status status = lc_cage_run(cage, path, &result, &length, &err);
    if (status == LOCO_OK)
        snprintf(text, size, "%.*s", (int)length, result);
    else
        snprintf(text, size, "%s", err.text);
    free(result);
    return status;
}

static void check_works(lc_cage *cage)
{
    char text[512] = "";
    CHECK_STATUS(try(cage, "file", text, sizeof text), LOCO_OK);
    CHECK_STR(text, "the content\n");
}

/* Ends with a sentence, and the next one works. */
static void check_ends(lc_cage *cage, const char *name, const char *says)
{
    char text[512] = "";
    CHECK_STATUS(try(cage, name, text, sizeof text), LOCO_EDATA);
    CHECK(strstr(text, name) != NULL && strstr(text, says) != NULL);
    if (strstr(text, says) == NULL)
        fprintf(stderr, "%s: %s\n", name, text);
    check_works(cage);
}

static void results(void)
{
    char text[512] = "";
    lc_cage *cage = make_cage(1);
    check_works(cage);
    CHECK_STATUS(try(cage, "number", text, sizeof text), LOCO_OK);
    CHECK_STR(text, "17\n");
    CHECK_STATUS(try(cage, "descriptor", text, sizeof text), LOCO_OK);
    CHECK_STR(text, "works\n");
    CHECK_STATUS(try(cage, "missing", text, sizeof text), LOCO_OK);
    CHECK_STR(text, "No such file or directory\n");
    char *whole = malloc(8 * LARGE);
    CHECK_STATUS(try(cage, "large", whole, 8 * LARGE), LOCO_OK);
    size_t lines = 0;
    for (const char *at = whole; *at != 0; at++) /* strchr reads all that follows under the address sanitizer */
        lines += *at == '\n';
    CHECK_EQ(lines, LARGE);
    free(whole);
    lc_cage_free(cage);
}

/* A sanitizer reports the crash itself, and ends the process otherwise. */
static void crashes(void)
{
    lc_cage *cage = make_cage(1);
    check_ends(cage, "crash", "crashed in the sandbox");
    check_ends(cage, "abort", "crashed in the sandbox");
    check_ends(cage, "loop", "stopped in the sandbox, which gives it 1 s");
    lc_cage_free(cage);
}

static void limits(void)
{
    char text[512] = "";
    lc_cage *cage = make_cage(1);
#ifdef TEST_EMULATED
    printf("    left out: the limit of memory, which qemu does not pass on\n");
#elif !defined(TEST_SANITIZED) /* they take all addresses there are */
    CHECK_STATUS(try(cage, "memory", text, sizeof text), LOCO_OK);
    CHECK_STR(text, "refused\n");
#endif
    if (lc_cage_filters()) {
        const char *const forbidden[] = {"write",  "append", "socket", "fork", "execute",
                                         "signal", "owner",  "flags",  "code", "suicide"};
        for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
            check_ends(cage, forbidden[i], "tried what the sandbox forbids");
        CHECK(access("stolen", F_OK) != 0);
        CHECK_STATUS(try(cage, "elsewhere", text, sizeof text), LOCO_OK);
        if (syscall(LANDLOCK, NULL, 0, 1) >= 1) /* kernels from 5.13 on */
            CHECK_STR(text, "Permission denied\n");
    } else {
        fprintf(stderr, "no filters here (sanitizers, or the system): they are not tested\n");
    }
    lc_cage_free(cage);
}

static void *run_many(void *given)
{
    size_t good = 0;
    for (int i = 0; i < EACH; i++) {
        char text[512] = "";
        loco_status status = try(given, i % 4 == 3 ? "abort" : "file", text, sizeof text);
        good += i % 4 == 3 ? status == LOCO_EDATA : status == LOCO_OK && strcmp(text, "the content\n") == 0;
    }
    return good == EACH ? given : NULL;
}

static void *kill_victim(void *given)
{
    while (atomic_load(victim) == 0)
        usleep(1000);
    kill(atomic_load(victim), SIGKILL);
    return given;
}

/* As the system does it when memory runs out: not the fault of the file. */
static void killed(void)
{
    pthread_t made;
    char text[512] = "";
    victim = mmap(NULL, sizeof *victim, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(victim != MAP_FAILED);
    lc_cage *cage = make_cage(1);
    CHECK(pthread_create(&made, NULL, kill_victim, NULL) == 0);
    CHECK_STATUS(try(cage, "killed", text, sizeof text), LOCO_ENOMEM);
    CHECK(strstr(text, "killed: the system had no memory for it") != NULL);
    CHECK(pthread_join(made, NULL) == 0);
    check_works(cage);
    lc_cage_free(cage);
    munmap(victim, sizeof *victim);
}

static void *run_closed(void *given)
{
    check_ends(given, "closed", "stopped in the sandbox, which gives it 1 s");
    return NULL;
}

/* For ten times its processor time; the two at a time, and only one of them checks while both run. */
static void sleepers(void)
{
    pthread_t made;
    char text[512] = "";
    lc_cage *cage = make_cage(2);
    CHECK(pthread_create(&made, NULL, run_closed, cage) == 0);
    loco_status status = try(cage, "asleep", text, sizeof text);
    CHECK(pthread_join(made, NULL) == 0);
    CHECK_STATUS(status, LOCO_EDATA);
    CHECK(strstr(text, "stopped in the sandbox, which gives it 1 s") != NULL);
    lc_cage_free(cage);
}

/* A process that may not raise its limits: root's loses what lets it. */
static void be_anyone(void)
{
#ifdef __linux__
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    CHECK(syscall(SYS_capset, &header, none) == 0);
#endif
}

/* Limits of a shell (ulimit -t, -v, -n) that are lower than those of a cage. */
static void low_limits(void)
{
    const struct rlimit seconds = {2, 2}, memory = {(rlim_t)1 << 29, (rlim_t)1 << 29}, files = {32, 32};
    char text[512] = "";
    CHECK(setrlimit(RLIMIT_CPU, &seconds) == 0 && setrlimit(RLIMIT_NOFILE, &files) == 0);
    CHECK(LC_SANITIZED || setrlimit(RLIMIT_AS, &memory) == 0);
    be_anyone();
    lc_cage *cage = NULL;
    lc_cage_plan plan = {.together = 1, .job = job, .seconds = 300, .memory = (uint64_t)4 << 30};
    CHECK_STATUS(lc_cage_new(&cage, &plan, NULL), LOCO_OK);
    check_works(cage);
    check_ends(cage, "loop", "stopped in the sandbox, which gives it 1 s");
    CHECK_STATUS(try(cage, "memory", text, sizeof text), LOCO_OK);
    CHECK(LC_SANITIZED || strcmp(text, "refused\n") == 0);
    loco_status status = LC_SANITIZED ? LOCO_ENOMEM : try(cage, "flood", text, sizeof text);
    CHECK_STATUS(status, LOCO_ENOMEM);
    CHECK(LC_SANITIZED || strstr(text, "flood: the system had no memory for it") != NULL);
    check_works(cage);
    lc_cage_free(cage);
}

static void user_limits(void)
{
    int status = -1;
    pid_t process = fork();
    if (process == 0) {
        check_ran = check_failed = 0;
        low_limits();
        _exit(check_ran > 0 && check_failed == 0 ? 0 : 1);
    }
    CHECK(waitpid(process, &status, 0) == process);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* More threads than keepers. */
static void threads(void)
{
    pthread_t made[THREADS];
    void *good;
    lc_cage *cage = make_cage(2);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&made[i], NULL, run_many, cage) == 0);
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(made[i], &good) == 0);
        CHECK(good == cage);
    }
    lc_cage_free(cage);
}

/* A process whose parent this is, or 0. */
static pid_t a_child(void)
{
    long found = 0;
    DIR *all = opendir("/proc");
    for (const struct dirent *entry; all != NULL && found == 0 && (entry = readdir(all)) != NULL;) {
        char path[300];
        long process = 0, parent = 0;
        char state = 'Z';
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = fopen(path, "r");
        bool read = file != NULL && fscanf(file, "%ld (%*[^)]) %c %ld", &process, &state, &parent) == 3;
        if (file != NULL)
            fclose(file);
        found = read && state != 'Z' && parent == (long)getpid() ? process : 0;
    }
    if (all != NULL)
        closedir(all);
    return (pid_t)found;
}

/* Kills a keeper and waits for its end; false: there is none. */
static bool kill_keeper(void)
{
    pid_t keeper = a_child();
    if (keeper == 0)
        return false;
    CHECK(kill(keeper, SIGKILL) == 0);
    siginfo_t info;
    CHECK(waitid(P_PID, (id_t)keeper, &info, WEXITED | WNOWAIT) == 0);
    return true;
}

static void *run_loop(void *cage)
{
    char text[512] = "";
    loco_status status = try(cage, "loop", text, sizeof text);
    return status == LOCO_EDATA && strstr(text, "stopped in the sandbox, which gives it 1 s") != NULL ? cage : NULL;
}

/* Another takes its place, also in the middle of a file, until none is left; then a sentence, and no waiting. */
static void keepers_that_are_killed(void)
{
    char text[512] = "";
    pthread_t made;
    void *good;
    size_t killed = 0;
    if (a_child() != 0 || access("/proc/self/stat", R_OK) != 0) {
        fprintf(stderr, "no /proc, or a process of a sanitizer: no keeper is killed\n");
        return;
    }
    lc_cage *cage = make_cage(1);
    check_works(cage);
    CHECK(kill_keeper());
    check_works(cage);
    CHECK(pthread_create(&made, NULL, run_loop, cage) == 0);
    usleep(200000);
    CHECK(kill_keeper());
    CHECK(pthread_join(made, &good) == 0 && good == cage);
    check_works(cage);
    while (kill_keeper())
        killed++;
    CHECK(killed >= 2);
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(try(cage, "file", text, sizeof text), LOCO_ENOMEM);
        CHECK(strstr(text, "the sandbox ended; try again") != NULL);
    }
    lc_cage_free(cage);
}

int main(void)
{
    const char *const names[] = {"file",   "crash", "abort", "write",      "append",    "socket",  "fork",   "execute",
                                 "signal", "code",  "loop",  "memory",     "elsewhere", "large",   "number", "asleep",
                                 "closed", "owner", "flags", "descriptor", "killed",    "suicide", "flood"};
    char path[128];
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (mkdtemp(folder) == NULL)
        return 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        path_of(path, sizeof path, names[i]);
        FILE *file = fopen(path, "w");
        CHECK(file != NULL && fputs("the content", file) >= 0 && fclose(file) == 0);
    }
    RUN(results);
    RUN(crashes);
    RUN(killed);
    RUN(sleepers);
    RUN(limits);
    RUN(user_limits);
    RUN(threads);
    RUN(keepers_that_are_killed);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        path_of(path, sizeof path, names[i]);
        unlink(path);
    }
    CHECK(rmdir(folder) == 0);
    return check_done();
}
