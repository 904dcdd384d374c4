/* SPDX-License-Identifier: MIT
 *
 * cage.c - keepers and caged processes (cage.h).
 *
 * A caged process ends with its file, so that one file cannot change the result of another, and a crash needs no repair:
 * the keeper, which never touches a recording, forks the next. Limits: processor time, memory, no file may be written, 64
 * may be open, no core is dumped; one that sleeps is ended after ten times its processor time.
 *
 * A keeper that is killed, as by a system without memory, is replaced by one of SPARES, and its file is tried once more.
 * Spares are forked with the others: a keeper that is forked later would be the copy of a process with threads, and end
 * with the thread that made it. One that waits takes no memory of its own.
 */
#define _DEFAULT_SOURCE /* syscall */
#include "cage.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

enum { SPARES = 4, TRIES = 2 };
enum { UNABLE = 119, OPEN_FILES = 64, PATIENCE = 10, BYTES_OF_BYTE = 16, LONGEST_PATH = 65536, FIRST_BYTES = 65536 };
enum { SHORTEST_PAUSE = 20000, LONGEST_PAUSE = 10000000 }; /* nanoseconds */

static const size_t MOST_BYTES = (size_t)1 << 30; /* of a result */

typedef struct keeper {
    int socket;
    pid_t process;
    bool busy, gone;
} keeper;

struct lc_cage {
    lc_cage_plan plan;
    keeper *keepers;
    size_t keepers_len, busy;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

enum { ENDED, NOT_STARTED, ASLEEP, TOO_LONG, NO_MEMORY };

/* How a job ended; a result of `length` bytes follows. */
typedef struct cage_end {
    int what;   /* ENDED... */
    int status; /* as waitpid gives it */
    uint64_t seconds, length;
} cage_end;

/* ---- bytes through sockets ---- */

static bool read_whole(int file, void *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        ssize_t got = read(file, (char *)bytes + at, length - at);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* A receiver that is gone is not a signal. */
static bool send_whole(int file, const void *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        ssize_t sent = send(file, (const char *)bytes + at, length - at, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        at += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* ---- the caged process ---- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* No limit of a user becomes higher: the system allows that to root alone. */
static void limit(int what, uint64_t soft, uint64_t hard)
{
    struct rlimit values;
    if (getrlimit(what, &values) != 0)
        _exit(UNABLE);
    values.rlim_max = (rlim_t)smaller(hard, values.rlim_max);
    values.rlim_cur = (rlim_t)smaller(soft, smaller(values.rlim_cur, values.rlim_max));
    if (setrlimit(what, &values) != 0)
        _exit(UNABLE);
}

/* Bytes of addresses that this process has: its code, its libraries and the model. */
static uint64_t addresses_taken(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
}

/* A second less than the user's own limit, so that SIGXCPU, which says what it is, comes first. */
static uint64_t seconds_for(const lc_cage_plan *plan, uint64_t size)
{
    struct rlimit own;
    uint64_t seconds = plan->seconds * (1 + (size >> 20));
    if (getrlimit(RLIMIT_CPU, &own) == 0)
        seconds = smaller(seconds, own.rlim_cur > 1 ? own.rlim_cur - 1 : 1);
    return seconds;
}

static void set_limits(const lc_cage_plan *plan, uint64_t size)
{
    uint64_t seconds = seconds_for(plan, size);
    limit(RLIMIT_CPU, seconds, seconds + 1);
    uint64_t memory = addresses_taken() + plan->memory + BYTES_OF_BYTE * size;
    if (!LC_SANITIZED)
        limit(RLIMIT_AS, memory, memory);
    limit(RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES);
    limit(RLIMIT_FSIZE, 0, 0);
    limit(RLIMIT_CORE, 0, 0);
}

/* Ends with the one that made it. */
static void end_with(pid_t parent)
{
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
    if (getppid() != parent)
        _exit(UNABLE);
}

static void run_job(const lc_cage_plan *plan, const char *path, int pipe_end)
{
    FILE *out = fdopen(pipe_end, "wb");
    if (out == NULL)
        _exit(UNABLE);
    set_limits(plan, size_of(path));
    if (!lc_cage_drop_rights(path))
        _exit(UNABLE);
    plan->job(plan->context, path, out);
    _exit(fflush(out) == 0 ? 0 : UNABLE); /* closes the pipe when memory is given back: little is left to wait for */
}

/* ---- a keeper ---- */

typedef struct cage_bytes {
    char *bytes;
    size_t length, capacity;
} cage_bytes;

/* ENDED: there is some. */
static int make_room(cage_bytes *b)
{
    if (b->length < b->capacity)
        return ENDED;
    size_t capacity = b->capacity > 0 ? 2 * b->capacity : FIRST_BYTES;
    if (capacity > MOST_BYTES)
        return TOO_LONG;
    char *bytes = realloc(b->bytes, capacity);
    if (bytes == NULL)
        return NO_MEMORY;
    b->bytes = bytes;
    b->capacity = capacity;
    return ENDED;
}

/* All that comes until the process ends, or closes its pipe. */
static int collect(cage_bytes *result, int file, double until)
{
    struct pollfd pipe_end = {.fd = file, .events = POLLIN};
    for (;;) {
        double left = until - lc_clock_seconds();
        if (left <= 0)
            return ASLEEP;
        if (poll(&pipe_end, 1, left < 1e6 ? (int)(1000 * left) + 1 : 1000000000) <= 0)
            continue;
        int room = make_room(result);
        if (room != ENDED)
            return room;
        ssize_t got = read(file, result->bytes + result->length, result->capacity - result->length);
        if (got == 0 || (got < 0 && errno != EINTR))
            return ENDED;
        result->length += got > 0 ? (size_t)got : 0;
    }
}

static double processor_time(const struct rusage *used)
{
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
           1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

/* Ends the process where it does not end by itself: one whose pipe is closed may sleep for ever. Sets v->status, and v->what
 * unless collect has found another end. It cannot kill itself: the limit of its time did, or the system, which has no
 * memory left. A limit of 1 s ended loops that had used 0.86 to 0.98 s by this measure, on two busy cores. */
static void await_end(pid_t process, double until, cage_end *v)
{
    struct rusage used = {0};
    struct timespec pause = {.tv_nsec = SHORTEST_PAUSE};
    while (v->what == ENDED && wait4(process, &v->status, WNOHANG, &used) != process) {
        if (lc_clock_seconds() >= until)
            v->what = ASLEEP;
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < LONGEST_PAUSE ? 2 * pause.tv_nsec : LONGEST_PAUSE;
    }
    if (v->what != ENDED) {
        kill(process, SIGKILL);
        while (waitpid(process, &v->status, 0) < 0 && errno == EINTR) {}
    } else if (WIFSIGNALED(v->status) && WTERMSIG(v->status) == SIGKILL &&
               processor_time(&used) < 0.5 * (double)v->seconds) {
        v->what = NO_MEMORY;
    }
}

/* Forks, waits and collects. */
static cage_end serve(const lc_cage_plan *plan, const char *path, cage_bytes *result, int keeper_socket)
{
    int ends[2];
    pid_t keeper_process = getpid();
    cage_end v = {.what = NOT_STARTED, .seconds = seconds_for(plan, size_of(path))};
    result->length = 0;
    if (pipe(ends) != 0)
        return v;
    pid_t process = fork();
    if (process == 0) {
        end_with(keeper_process);
        close(ends[0]);
        close(keeper_socket);
        run_job(plan, path, ends[1]);
    }
    close(ends[1]);
    if (process > 0) {
        double until = lc_clock_seconds() + PATIENCE * (double)v.seconds;
        v.what = collect(result, ends[0], until);
        await_end(process, until, &v);
    }
    close(ends[0]);
    v.length = v.what == ENDED ? result->length : 0;
    return v;
}

/* Keeps nothing open but the socket: no caged process can write to a file of ours. Returns the socket's new number. */
static int close_others(int socket)
{
    enum { KEPT = 3, USUAL = 1024 };
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || (socket != KEPT && dup2(socket, KEPT) < 0))
        _exit(UNABLE);
    for (int file = 0; file < KEPT; file++)
        dup2(nothing, file);
#ifdef SYS_close_range
    if (syscall(SYS_close_range, KEPT + 1, ~0U, 0) == 0)
        return KEPT;
#endif
    for (int file = KEPT + 1; file < USUAL; file++)
        close(file);
    return KEPT;
}

/* Until the other end of the socket closes. Ctrl-C is for the process that waits: it knows what to do. */
static void keep(const lc_cage_plan *plan, int socket, pid_t parent)
{
    static char path[LONGEST_PATH];
    cage_bytes result = {0};
    uint32_t length;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    end_with(parent);
    socket = close_others(socket);
    while (read_whole(socket, &length, sizeof length) && length < sizeof path && read_whole(socket, path, length)) {
        path[length] = 0;
        cage_end v = serve(plan, path, &result, socket);
        if (!send_whole(socket, &v, sizeof v) || !send_whole(socket, result.bytes, v.length))
            break;
    }
    _exit(0);
}

static bool start_keeper(lc_cage *cage)
{
    int ends[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    pid_t process = fork();
    if (process == 0)
        keep(&cage->plan, ends[1], parent);
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    cage->keepers[cage->keepers_len++] = (keeper){.socket = ends[0], .process = process};
    return true;
}

/* ---- this process ---- */

loco_status lc_cage_new(lc_cage **out, const lc_cage_plan *plan, loco_err *err)
{
    lc_cage *cage = calloc(1, sizeof *cage);
    keeper *keepers = calloc(plan->together + SPARES, sizeof *keepers);
    if (cage == NULL || keepers == NULL) {
        free(cage);
        free(keepers);
        return lc_cli_error(err, LOCO_ENOMEM, "out of memory for a sandbox");
    }
    *cage = (lc_cage){.plan = *plan, .keepers = keepers};
    pthread_mutex_init(&cage->lock, NULL);
    pthread_cond_init(&cage->changed, NULL);
    while (cage->keepers_len < plan->together + SPARES && start_keeper(cage)) {}
    if (cage->keepers_len == 0) {
        lc_cage_free(cage);
        return lc_cli_error(err, LOCO_EIO, "cannot start a process for --sandbox: %s", strerror(errno));
    }
    *out = cage;
    return LOCO_OK;
}

void lc_cage_free(lc_cage *cage)
{
    if (cage == NULL)
        return;
    for (size_t i = 0; i < cage->keepers_len; i++)
        close(cage->keepers[i].socket);
    for (size_t i = 0; i < cage->keepers_len; i++)
        while (waitpid(cage->keepers[i].process, NULL, 0) < 0 && errno == EINTR) {}
    pthread_mutex_destroy(&cage->lock);
    pthread_cond_destroy(&cage->changed);
    free(cage->keepers);
    free(cage);
}

/* One that is neither busy nor gone, while fewer than `together` are busy; NULL: there is none. With the lock. */
static keeper *free_keeper(const lc_cage *cage)
{
    for (size_t i = 0; cage->busy < cage->plan.together && i < cage->keepers_len; i++)
        if (!cage->keepers[i].busy && !cage->keepers[i].gone)
            return &cage->keepers[i];
    return NULL;
}

/* Waits while others are busy; NULL: all are gone. */
static keeper *take_keeper(lc_cage *cage)
{
    pthread_mutex_lock(&cage->lock);
    keeper *k = free_keeper(cage);
    while (k == NULL && cage->busy > 0) {
        pthread_cond_wait(&cage->changed, &cage->lock);
        k = free_keeper(cage);
    }
    if (k != NULL) {
        k->busy = true;
        cage->busy++;
    }
    pthread_mutex_unlock(&cage->lock);
    return k;
}

static void give_back(lc_cage *cage, keeper *k, bool gone)
{
    pthread_mutex_lock(&cage->lock);
    k->busy = false;
    k->gone = gone;
    cage->busy--;
    pthread_cond_broadcast(&cage->changed); /* the last one that goes ends all who wait */
    pthread_mutex_unlock(&cage->lock);
}

/* What the end of a job means. */
static loco_status judge(const cage_end *v, const char *path, loco_err *err)
{
    int number = WIFSIGNALED(v->status) ? WTERMSIG(v->status) : 0;
    if (v->what == NOT_STARTED || (WIFEXITED(v->status) && WEXITSTATUS(v->status) == UNABLE))
        return lc_cli_error(err, LOCO_ENOMEM, "%.120s: the system refuses a process for --sandbox; try without it",
                            path);
    if (v->what == NO_MEMORY)
        return lc_cli_error(err, LOCO_ENOMEM,
                            "%.100s: the system had no memory for it in the sandbox; try again, with fewer --threads",
                            path);
    if (v->what == TOO_LONG)
        return lc_cli_error(err, LOCO_EDATA, "%.120s: gives more than a GiB of events; cut it into pieces", path);
    if (v->what == ASLEEP || number == SIGXCPU || number == SIGKILL)
        return lc_cli_error(
            err, LOCO_EDATA,
            "%.100s: was stopped in the sandbox, which gives it %llu s of processor time; leave it out, or "
            "cut it into pieces",
            path, (unsigned long long)v->seconds);
    if (number == SIGSYS)
        return lc_cli_error(err, LOCO_EDATA,
                            "%.100s: its decoder tried what the sandbox forbids; do not open this file elsewhere",
                            path);
    if (number != 0 || v->status != 0)
        return lc_cli_error(err, LOCO_EDATA,
                            "%.100s: its decoder crashed in the sandbox (signal %d); the file is damaged or hostile: "
                            "leave it out",
                            path, number);
    return LOCO_OK;
}

/* false: the keeper is gone, or there is no memory; then it is not asked again, since its answer may still be under way. */
static bool ask(const keeper *k, const char *path, cage_end *v, cage_bytes *result)
{
    uint32_t length = (uint32_t)strlen(path);
    bool well = send_whole(k->socket, &length, sizeof length) && send_whole(k->socket, path, length) &&
                read_whole(k->socket, v, sizeof *v) && v->length <= MOST_BYTES;
    if (well)
        *result = (cage_bytes){.bytes = malloc((size_t)v->length + 1), .length = (size_t)v->length};
    well = well && result->bytes != NULL && read_whole(k->socket, result->bytes, result->length);
    if (!well) {
        free(result->bytes);
        *result = (cage_bytes){0};
        shutdown(k->socket, SHUT_RDWR);
    }
    return well;
}

loco_status lc_cage_run(lc_cage *cage, const char *path, char **bytes, size_t *length, loco_err *err)
{
    cage_end v;
    cage_bytes result = {0};
    if (strlen(path) >= LONGEST_PATH)
        return lc_cli_error(err, LOCO_EARG, "the path %.100s... is too long", path);
    bool answered = false;
    for (int i = 0; i < TRIES && !answered; i++) {
        keeper *k = take_keeper(cage);
        if (k == NULL)
            break;
        answered = ask(k, path, &v, &result);
        give_back(cage, k, !answered);
    }
    loco_status status = LOCO_OK;
    if (answered)
        status = judge(&v, path, err);
    else
        status = lc_cli_error(err, LOCO_ENOMEM, "%.150s: the sandbox ended; try again", path);
    if (status != LOCO_OK) {
        free(result.bytes);
        return status;
    }
    *bytes = result.bytes;
    *length = result.length;
    return LOCO_OK;
}
