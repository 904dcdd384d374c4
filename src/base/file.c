/* SPDX-License-Identifier: MIT
 *
 * file.c - whole files: save all or nothing, load up to a limit.
 *
 * Save: `name.<pid>-<n>.tmp` is created in the folder of the target (a rename is atomic only within one file system),
 * with O_EXCL, so that two writers never share it, and with mode 0666, so that the system applies the umask; written,
 * fsynced, then renamed over the target. Without the fsync a crash soon after the rename may leave an empty file.
 * Whatever fails, the temporary file is removed and the target is untouched.
 *
 * What is no regular file, such as /dev/stdout or a named pipe, cannot be replaced and must not be: it is written
 * directly.
 */
#include "base/file.h"

#include "base/status.h"

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

enum { TEMP_SUFFIX = 64, TEMP_TRIES = 100, LONGEST_SHOWN = 150, FIRST_READ = 65536 };

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

/* Some file systems know no fsync and say EINVAL; that is no reason to refuse to save there. */
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
        snprintf(temp, size, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
        int file = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* Replaces the regular file path, or makes it; mode -1: as the umask wants it. Returns 0 or an errno. */
static int replace(const char *path, char *temp, size_t temp_size, long mode, const char *data, size_t length)
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

/* Chooses the way by what is at path now. A file without write permission is respected, although its folder would
 * allow to replace it. */
static int save(const char *path, char *temp, size_t temp_size, const char *data, size_t length)
{
    struct stat old;
    if (stat(path, &old) != 0)
        return errno == ENOENT ? replace(path, temp, temp_size, -1, data, length) : errno;
    if (S_ISDIR(old.st_mode))
        return EISDIR;
    if (!S_ISREG(old.st_mode))
        return write_direct(path, data, length);
    if (access(path, W_OK) != 0)
        return errno;
    return replace(path, temp, temp_size, (long)(old.st_mode & 07777), data, length);
}

loco_status lc_file_save(const char *path, const void *data, size_t length, loco_err *err)
{
    char *target = realpath(path, NULL); /* through symbolic links; NULL when there is no such file yet */
    const char *real = target != NULL ? target : path;
    size_t temp_size = strlen(real) + TEMP_SUFFIX;
    char *temp = malloc(temp_size);
    if (temp == NULL) {
        free(target);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while saving a file");
    }
    int cause = save(real, temp, temp_size, data, length);
    free(temp);
    free(target);
    return cause == 0 ? LOCO_OK : fail(err, "write", path, cause);
}

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

/* Opens and reads path into whole, which must be freed on every return. */
static loco_status load(const char *path, size_t limit, buffer *whole, loco_err *err)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(err, "read", path, errno);
    struct stat info;
    size_t hint = FIRST_READ;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= 0 && (uintmax_t)info.st_size <= limit)
        hint = (size_t)info.st_size;
    *whole = (buffer){.bytes = malloc(hint + 2), .capacity = hint + 2};
    int cause = whole->bytes != NULL ? read_all(file, limit, whole) : ENOMEM;
    close(file);
    if (cause == ENOMEM)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while reading a file");
    if (cause != 0)
        return fail(err, "read", path, cause);
    if (whole->length > limit)
        return lc_err_set(err, LOCO_EDATA, "%.150s is larger than %zu bytes, the most that is read here", path, limit);
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
