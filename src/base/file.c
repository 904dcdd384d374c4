/* SPDX-License-Identifier: MIT
 *
 * file.c - whole files: save all or nothing, load up to a limit.
 *
 * Save: a temporary file (temp.h) is created in the folder of the target (a rename is atomic only within one file system),
 * with O_EXCL, so that two writers never share it, and with mode 0666, so that the system applies the umask; written,
 * fsynced, then renamed over the target. Without the fsync a crash soon after the rename may leave an empty file; the
 * folder is fsynced too, or the crash may bring back the old name. A process that is killed leaves its temporary file.
 * Whatever fails, the temporary file is removed and the target is untouched.
 *
 * Anything but a regular file, such as /dev/stdout or a named pipe, cannot be replaced and must not be: it is written
 * directly.
 *
 * A rename would replace a symbolic link itself, so links are followed first, by readlink: realpath gives up on a link
 * whose target does not exist yet.
 */
#include "base/file.h"

#include "base/status.h"
#include "base/temp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMP_TRIES = 100, MOST_LINKS = 40, LONGEST_LINK = 4096, LONGEST_SHOWN = 150, FIRST_READ = 65536 };

/* "cannot <verb> <path>: <cause>". Of a long path the end is shown, to leave room for the cause. */
static loco_status fail(loco_err *err, const char *verb, const char *path, int cause)
{
    char reason[80] = "unknown cause";
    if (strerror_r(cause, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", cause);
    size_t length = strlen(path);
    bool cut = length > LONGEST_SHOWN;
    return lc_err_set(err, LOCO_EIO, "cannot %s %s%s: %s", verb, cut ? "..." : "",
                      cut ? path + length - LONGEST_SHOWN : path, reason);
}

/* Writes all bytes; 0, or the errno of what stopped it. */
static int write_all(int file, const char *data, size_t length)
{
    while (length > 0) {
        size_t piece = length < SSIZE_MAX ? length : SSIZE_MAX;
        ssize_t written = write(file, data, piece);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            data += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

/* Some file systems have no fsync and return EINVAL; saving there is still allowed. */
static int flush(int file)
{
    while (fsync(file) != 0) {
        if (errno == EINVAL)
            return 0;
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

/* Opens a new file next to path and puts its name into temp; a descriptor, or -1 and errno. */
static int open_temp(const char *path, char *temp, size_t size)
{
    for (unsigned attempt = 0; attempt < TEMP_TRIES; attempt++) {
        lc_temp_name(temp, size, path, strlen(path), attempt);
        int file = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* a followed by b; the caller frees it. NULL without memory. */
static char *join(const char *a, size_t a_length, const char *b, size_t b_length)
{
    char *both = malloc(a_length + b_length + 1);
    if (both == NULL)
        return NULL;
    memcpy(both, a, a_length);
    memcpy(both + a_length, b, b_length);
    both[a_length + b_length] = 0;
    return both;
}

/* Where the symbolic link `name` points to, relative to the same folder as name; the caller frees it. Returns 0 or an
 * errno: EINVAL when name is not a link. */
static int link_target(char **target, const char *name)
{
    char points_to[LONGEST_LINK];
    ssize_t length = readlink(name, points_to, sizeof points_to);
    if (length < 0)
        return errno;
    if (length == LONGEST_LINK) /* perhaps cut */
        return ENAMETOOLONG;
    bool relative = length > 0 && points_to[0] != '/';
    const char *slash = relative ? strrchr(name, '/') : NULL; /* a relative link starts at its own folder */
    *target = join(name, slash != NULL ? (size_t)(slash - name) + 1 : 0, points_to, (size_t)length);
    return *target != NULL ? 0 : ENOMEM;
}

/* Links among the folders need no work: a rename follows them. */
int lc_file_follow(char **target, const char *path)
{
    char *name = join("", 0, path, strlen(path));
    if (name == NULL)
        return ENOMEM;
    for (int links = 0; links <= MOST_LINKS; links++) {
        char *next = NULL;
        int cause = link_target(&next, name);
        if (cause == EINVAL || cause == ENOENT) { /* no link, or nothing there yet */
            *target = name;
            return 0;
        }
        free(name);
        if (next == NULL)
            return cause;
        name = next;
    }
    free(name);
    return ELOOP;
}

/* The file is in its place already, so that a folder that cannot be flushed is not an error. */
static void flush_folder(const char *path)
{
    char folder[LONGEST_LINK];
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
    if (length >= sizeof folder)
        return;
    memcpy(folder, slash == NULL ? "." : path, length);
    folder[length] = 0;
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        (void)flush(file);
        close(file);
    }
}

/* Puts the bytes into temp, a new file next to path, and renames it; mode -1: as the umask wants it. 0 or an errno. */
static int write_and_rename(const char *path, char *temp, size_t temp_size, long mode, const char *data, size_t length)
{
    int file = open_temp(path, temp, temp_size);
    if (file < 0)
        return errno;
    int cause = write_all(file, data, length);
    if (cause == 0 && mode >= 0 && fchmod(file, (mode_t)mode) != 0)
        cause = errno;
    if (cause == 0)
        cause = flush(file);
    if (close(file) != 0 && cause == 0 && errno != EINTR)
        cause = errno;
    if (cause == 0 && rename(temp, path) != 0)
        cause = errno;
    if (cause != 0)
        unlink(temp);
    else
        flush_folder(path);
    return cause;
}

/* Replaces the regular file that path leads to, or makes it. */
static int replace(const char *path, long mode, const char *data, size_t length)
{
    char *target = NULL;
    int cause = lc_file_follow(&target, path);
    if (target == NULL)
        return cause;
    size_t temp_size = strlen(target) + LC_TEMP_SUFFIX;
    char *temp = malloc(temp_size);
    cause = temp != NULL ? write_and_rename(target, temp, temp_size, mode, data, length) : ENOMEM;
    free(temp);
    free(target);
    return cause;
}

static int write_direct(const char *path, const char *data, size_t length)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    int cause = write_all(file, data, length);
    if (close(file) != 0 && cause == 0 && errno != EINTR)
        cause = errno;
    return cause;
}

/* Replaces or writes directly, by what path leads to now. A file without write permission is respected, although its
 * folder would allow to replace it. */
static int save(const char *path, const char *data, size_t length)
{
    struct stat old;
    if (stat(path, &old) != 0)
        return errno == ENOENT ? replace(path, -1, data, length) : errno;
    if (S_ISDIR(old.st_mode))
        return EISDIR;
    if (!S_ISREG(old.st_mode))
        return write_direct(path, data, length);
    if (access(path, W_OK) != 0)
        return errno;
    return replace(path, (long)(old.st_mode & 07777), data, length);
}

loco_status lc_file_save(const char *path, const void *data, size_t length, loco_err *err)
{
    int cause = save(path, data, length);
    if (cause == ENOMEM)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while saving a file");
    return cause == 0 ? LOCO_OK : fail(err, "write", path, cause);
}

/* ---- files that are written by others ---- */

char *lc_file_temp(const char *path)
{
    size_t size = strlen(path) + LC_TEMP_SUFFIX;
    char *temp = malloc(size);
    int file = temp != NULL ? open_temp(path, temp, size) : -1;
    if (file >= 0)
        close(file);
    return temp; /* where it cannot be made, the writer's own message says why */
}

/* All files of a set at once. One fsync for each of 200 sounds of 4 s and its folder made `loco synth drums` take 6.9 s
 * instead of 5.1 on a virtual disk; one syncfs of that much data takes under 0.1 s. */
#ifdef __linux__
int syncfs(int file); /* hidden by the headers, since it is not of POSIX */
#define flush_all syncfs
#else
#define flush_all fsync
#endif

loco_status lc_file_flush_set(const char *path, loco_err *err)
{
    int cause = 0, file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return fail(err, "read", path, errno);
    if (flush_all(file) != 0 && errno != EINVAL && errno != EINTR)
        cause = errno;
    close(file);
    return cause == 0 ? LOCO_OK : fail(err, "write", path, cause);
}

loco_status lc_file_place(char *temp, const char *path, loco_status status, loco_err *err)
{
    if (status == LOCO_OK && rename(temp, path) != 0)
        status = fail(err, "write", path, errno);
    if (status != LOCO_OK)
        (void)unlink(temp);
    free(temp);
    return status;
}

/* ---- folders ---- */

/* Empties the folder; false: there is no such folder, or it holds more than files. */
static bool remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder != NULL)
        closedir(folder);
    return rmdir(path) == 0;
}

static bool is_taken(const char *path)
{
    struct stat there;
    DIR *folder = opendir(path);
    bool taken = folder == NULL && lstat(path, &there) == 0;
    for (const struct dirent *entry; folder != NULL && !taken && (entry = readdir(folder)) != NULL;)
        taken = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder != NULL)
        closedir(folder);
    return taken;
}

/* 0 or an errno. */
static int make_temp_folder(const char *path, size_t length, char *temp, size_t size)
{
    for (unsigned attempt = 0; attempt < TEMP_TRIES; attempt++) {
        lc_temp_name(temp, size, path, length, attempt);
        if (mkdir(temp, 0777) == 0)
            return 0;
        if (errno != EEXIST)
            return errno;
    }
    return EEXIST;
}

/* An empty folder that no rename replaces, given without slashes at its end: a link, "." or "..". */
static bool is_fixed(const char *path)
{
    struct stat there;
    const char *slash = strrchr(path, '/'), *last = slash != NULL ? slash + 1 : path;
    return strcmp(last, ".") == 0 || strcmp(last, "..") == 0 || (lstat(path, &there) == 0 && S_ISLNK(there.st_mode));
}

/* Nor one of another file system than that of the new folder, such as a mount point. */
static bool is_elsewhere(const char *path, const char *temp)
{
    struct stat there, here;
    return stat(path, &there) == 0 && stat(temp, &here) == 0 && there.st_dev != here.st_dev;
}

loco_status lc_file_temp_folder(char **temp, const char *path, loco_err *err)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *made = malloc(length + LC_TEMP_SUFFIX);
    if (made == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a folder's name");
    memcpy(made, path, length);
    made[length] = 0;
    bool taken = is_taken(path), fixed = is_fixed(made);
    int cause = taken || fixed ? EEXIST : make_temp_folder(path, length, made, length + LC_TEMP_SUFFIX);
    if (cause == 0 && is_elsewhere(path, made)) {
        (void)rmdir(made);
        fixed = true;
    }
    if (cause == 0 && !fixed) {
        *temp = made;
        return LOCO_OK;
    }
    free(made);
    if (taken)
        return lc_err_set(err, LOCO_EIO, "%.150s exists already and is not an empty folder; name a new one", path);
    if (fixed)
        return lc_err_set(err, LOCO_EIO, "%.150s is a link, a mount point or the folder itself; name a new folder",
                          path);
    return fail(err, "make", path, cause);
}

loco_status lc_file_place_folder(char *temp, const char *path, loco_status status, loco_err *err)
{
    if (status == LOCO_OK && rename(temp, path) != 0)
        status = fail(err, "make", path, errno);
    if (status == LOCO_OK)
        flush_folder(path);
    else
        (void)remove_folder(temp);
    free(temp);
    return status;
}

/* ---- loading ---- */

/* A buffer that grows as a file is read. The file's size is only a hint: it may change, and pipes have none. */
typedef struct buffer {
    char *bytes;
    size_t length, capacity;
} buffer;

static bool grow(buffer *whole, size_t limit)
{
    /* One byte to see that there is more, one for the final 0. */
    size_t most = limit < SIZE_MAX - 2 ? limit + 2 : SIZE_MAX;
    size_t capacity = whole->capacity > most / 2 ? most : 2 * whole->capacity;
    char *bytes = capacity > whole->capacity ? realloc(whole->bytes, capacity) : NULL;
    if (bytes == NULL)
        return false;
    whole->bytes = bytes;
    whole->capacity = capacity;
    return true;
}

/* Reads to the end or until limit is passed; 0 or an errno. */
static int read_all(int file, size_t limit, buffer *whole)
{
    while (whole->length <= limit) {
        if (whole->capacity - whole->length < 2 && !grow(whole, limit))
            return ENOMEM;
        size_t room = whole->capacity - whole->length - 1;
        ssize_t got = read(file, whole->bytes + whole->length, room < SSIZE_MAX ? room : SSIZE_MAX);
        if (got == 0)
            return 0;
        if (got < 0 && errno != EINTR)
            return errno;
        if (got > 0)
            whole->length += (size_t)got;
    }
    return 0;
}

static loco_status too_large(const char *path, size_t limit, loco_err *err)
{
    return lc_err_set(err, LOCO_EDATA, "%.150s is larger than %zu bytes, the most that is read here", path, limit);
}

/* Opens and reads path into whole, which must be freed on every return. */
static loco_status load(const char *path, size_t limit, buffer *whole, loco_err *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(err, "read", path, errno);
    struct stat info;
    bool regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= 0;
    if (regular && (uintmax_t)info.st_size > limit) { /* before a byte is read */
        close(file);
        return too_large(path, limit, err);
    }
    size_t hint = regular ? (size_t)info.st_size : FIRST_READ;
    *whole = (buffer){.bytes = malloc(hint + 2), .capacity = hint + 2};
    int cause = whole->bytes != NULL ? read_all(file, limit, whole) : ENOMEM;
    close(file);
    if (cause == ENOMEM)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while reading a file");
    if (cause != 0)
        return fail(err, "read", path, cause);
    if (whole->length > limit)
        return too_large(path, limit, err);
    return LOCO_OK;
}

loco_status lc_file_load(const char *path, size_t limit, char **data, size_t *length, loco_err *err)
{
    buffer whole = {0};
    loco_status status = load(path, limit, &whole, err);
    if (status != LOCO_OK || whole.bytes == NULL) {
        free(whole.bytes);
        return status;
    }
    whole.bytes[whole.length] = 0;
    *data = whole.bytes;
    *length = whole.length;
    return LOCO_OK;
}

loco_status lc_file_check_place(const char *path, loco_err *err)
{
    struct stat there;
    char *folder = strdup(path);
    if (folder == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory");
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        *(slash == folder ? slash + 1 : slash) = 0;
    bool good = access(slash != NULL ? folder : ".", W_OK | X_OK) == 0;
    bool is_folder = stat(path, &there) == 0 && S_ISDIR(there.st_mode);
    free(folder);
    if (good && !is_folder)
        return LOCO_OK;
    return lc_err_set(err, LOCO_EIO, "%.150s cannot be written: %s", path,
                      is_folder ? "it is a folder" : "its folder is missing, or you may not write there");
}
