/* SPDX-License-Identifier: MIT
 *
 * cage_rights.c - what a caged process may do (Linux).
 *
 *   no_new_privs   no program that it starts could gain rights, and none can be started
 *   Landlock       of all files only those in the folder of the recording can be opened, and only to be read;
 *                  kernels from 5.13 on, else the next line alone holds
 *   seccomp        a list of the system calls that decoding and detection need; any other ends the process (SIGSYS).
 *                  Files are opened to be read alone, memory never becomes code, and of signals only abort's can be sent
 *
 * The filter is a small program of the kernel's own kind, written here in place of one more library. Under the
 * sanitizers, which ask the system for much more, there is no filter.
 */
#define _GNU_SOURCE /* syscall, O_PATH */
#include "cage.h"

#if defined(__linux__) && !LC_SANITIZED && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Landlock: the headers of a system may be older than its kernel ---- */

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, BENEATH = 1, ASK_VERSION = 1 };
enum { READ_FILE = 1 << 2, READ_FOLDER = 1 << 3 };

typedef struct ruleset {
    uint64_t files, net;
} ruleset;

typedef struct __attribute__((packed)) beneath {
    uint64_t allowed;
    int32_t file;
} beneath;

/* What a version knows of, all of which is forbidden first: 13 rights of files, then links, truncation, devices; the net
 * from the fourth on. */
static ruleset rights_of(long version)
{
    int files = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    return (ruleset){((uint64_t)1 << files) - 1, version >= 4 ? 3 : 0};
}

/* A file can have the right to be read alone. */
static void allow(int rules, const char *path, int flags, uint64_t rights)
{
    beneath rule = {rights, open(path, O_PATH | O_CLOEXEC | flags)};
    if (rule.file < 0)
        return;
    (void)syscall(ADD_RULE, rules, BENEATH, &rule, 0);
    close(rule.file);
}

/* The folder of the path, "." where it has none; changes path. */
static const char *folder_of(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return ".";
    *(slash == path ? slash + 1 : slash) = 0;
    return path;
}

/* Where the path leads through links, both folders: records may consist of several files. */
static void allow_recording(int rules, const char *path)
{
    char *named = strdup(path), *real = realpath(path, NULL);
    allow(rules, path, 0, READ_FILE);
    if (named != NULL)
        allow(rules, folder_of(named), O_DIRECTORY, READ_FILE | READ_FOLDER);
    if (real != NULL)
        allow(rules, folder_of(real), O_DIRECTORY, READ_FILE | READ_FOLDER);
    free(named);
    free(real);
}

/* true where there is no Landlock, too. */
static bool restrict_files(const char *path)
{
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1)
        return true;
    ruleset rights = rights_of(version);
    int rules = (int)syscall(CREATE_RULESET, &rights, version >= 4 ? sizeof rights : sizeof rights.files, 0);
    if (rules < 0)
        return false;
    allow_recording(rules, path);
    bool done = syscall(RESTRICT_SELF, rules, 0) == 0;
    close(rules);
    return done;
}

/* ---- seccomp ---- */

#if defined(__x86_64__)
#define HERE AUDIT_ARCH_X86_64
#else
#define HERE AUDIT_ARCH_AARCH64
#endif

static const int allowed[] = {
    SYS_read,          SYS_pread64,
    SYS_readv,         SYS_write,
    SYS_writev,        SYS_lseek,
    SYS_close,         SYS_dup,
    SYS_fstat,         SYS_newfstatat,
    SYS_statx,         SYS_faccessat,
    SYS_readlinkat,    SYS_getdents64,
    SYS_getcwd,        SYS_brk,
    SYS_munmap,        SYS_mremap,
    SYS_madvise,       SYS_futex,
    SYS_sched_yield,   SYS_sched_getaffinity,
    SYS_sysinfo,       SYS_getpid,
    SYS_gettid,        SYS_getrandom,
    SYS_clock_gettime, SYS_gettimeofday,
    SYS_rt_sigaction,  SYS_rt_sigprocmask,
    SYS_rt_sigreturn,  SYS_restart_syscall,
    SYS_exit,          SYS_exit_group,
#if defined(__x86_64__) /* newer machines never had these */
    SYS_stat,          SYS_lstat,
    SYS_access,        SYS_readlink,
    SYS_time,
#endif
};

enum { ALLOWED = sizeof allowed / sizeof *allowed, MOST = 2 * ALLOWED + 60 };

typedef struct program {
    struct sock_filter steps[MOST];
    unsigned short length;
} program;

static void add(program *p, unsigned code, unsigned value, unsigned char yes, unsigned char no)
{
    p->steps[p->length++] = (struct sock_filter){(unsigned short)code, yes, no, value};
}

static void load(program *p, size_t offset)
{
    add(p, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

static void give(program *p, unsigned verdict)
{
    add(p, BPF_RET | BPF_K, verdict, 0, 0);
}

/* The call `number`: gives verdict. */
static void add_call(program *p, int number, unsigned verdict)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1);
    give(p, verdict);
}

/* The call is allowed if none of the bits is set in its argument, counted from 0. Both machines are little-endian: the low
 * half of an argument comes first, and these have no other. */
static void add_without(program *p, int number, size_t argument, unsigned bits)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 4);
    load(p, offsetof(struct seccomp_data, args) + 8 * argument);
    add(p, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    give(p, SECCOMP_RET_KILL_PROCESS);
    give(p, SECCOMP_RET_ALLOW);
}

/* The call is allowed if its argument, counted from 0, is one of these. */
static void add_among(program *p, int number, size_t argument, const int *values, unsigned char values_len)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, values_len + 3);
    load(p, offsetof(struct seccomp_data, args) + 8 * argument);
    for (unsigned char i = 0; i < values_len; i++)
        add(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)values[i], values_len - i, 0);
    give(p, SECCOMP_RET_KILL_PROCESS);
    give(p, SECCOMP_RET_ALLOW);
}

/* abort() sends the process a signal; no other, so that a kill came from elsewhere. */
static void add_own_signal(program *p)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 6);
    load(p, offsetof(struct seccomp_data, args));
    add(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 3);
    load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)2);
    add(p, BPF_JMP | BPF_JEQ | BPF_K, SIGABRT, 0, 1);
    give(p, SECCOMP_RET_ALLOW);
    give(p, SECCOMP_RET_KILL_PROCESS);
}

static bool filter_calls(void)
{
    const unsigned writes = O_ACCMODE | O_CREAT | O_TRUNC;
    const int commands[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC}; /* others have signals sent to anyone */
    program p = {.length = 0};
    load(&p, offsetof(struct seccomp_data, arch));
    add(&p, BPF_JMP | BPF_JEQ | BPF_K, HERE, 1, 0);
    give(&p, SECCOMP_RET_KILL_PROCESS);
    load(&p, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < ALLOWED; i++)
        add_call(&p, allowed[i], SECCOMP_RET_ALLOW);
    add_call(&p, SYS_ioctl, SECCOMP_RET_ERRNO | ENOTTY); /* "is it a terminal?" */
    add_among(&p, SYS_fcntl, 1, commands, sizeof commands / sizeof *commands);
    add_without(&p, SYS_openat, 2, writes);
    add_without(&p, SYS_mmap, 2, PROT_EXEC);
    add_without(&p, SYS_mprotect, 2, PROT_EXEC);
#if defined(__x86_64__)
    add_without(&p, SYS_open, 1, writes);
#endif
    add_own_signal(&p);
    give(&p, SECCOMP_RET_KILL_PROCESS);
    struct sock_fprog whole = {p.length, p.steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole, 0, 0) == 0;
}

bool lc_cage_filters(void)
{
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

bool lc_cage_drop_rights(const char *path)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !restrict_files(path))
        return false;
    return !lc_cage_filters() || filter_calls();
}

#else

bool lc_cage_filters(void)
{
    return false;
}

bool lc_cage_drop_rights(const char *path)
{
    (void)path;
    return true;
}

#endif
