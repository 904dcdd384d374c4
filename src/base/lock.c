/* SPDX-License-Identifier: MIT
 * lock.c - two programs that would write the same files.
 *
 * flock on a file of its own: the files that are written are replaced by new ones, and a lock stays with the old. The lock
 * file is removed while it is held; who waited for it may then hold a file without a name, and takes a new one.
 *
 * It lies beside the file that is written in the end, as its temporary files do: behind symbolic links. */
#include "base/lock.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "base/temp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct loco_lock {
    int file;
    char path[]; /* of the lock file */
};

enum { TRIES = 10, LONGEST = 4096 /* bytes of a path */ };

/* Whether the open file is the one that has the name. */
static bool has_name(int file, const char *path)
{
    struct stat open_file, named;
    return fstat(file, &open_file) == 0 && stat(path, &named) == 0 && open_file.st_ino == named.st_ino &&
           open_file.st_dev == named.st_dev;
}

/* 0: held, or cannot be held here; EWOULDBLOCK: another has it; or why there is no lock file. */
static int hold(lc_lock *lock)
{
    for (int i = 0; i < TRIES; i++) {
        lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (lock->file < 0)
            return errno;
        if (flock(lock->file, LOCK_EX | LOCK_NB) != 0)
            return errno == EWOULDBLOCK ? EWOULDBLOCK : 0;
        if (has_name(lock->file, lock->path))
            return 0;
        close(lock->file);
        lock->file = -1;
    }
    return 0;
}

/* The lock of a file, not held yet; NULL without memory. Links in a circle are left to the writer's own message. */
static lc_lock *new_lock(const char *path)
{
    char *target = NULL;
    if (lc_file_follow(&target, path) == ENOMEM)
        return NULL;
    const char *written = target != NULL ? target : path;
    size_t size = strlen(written) + sizeof ".lock";
    lc_lock *lock = calloc(1, sizeof *lock + size);
    if (lock != NULL) {
        lock->file = -1;
        snprintf(lock->path, size, "%s.lock", written);
    }
    free(target);
    return lock;
}

loco_status lc_lock_take(lc_lock **lock, const char *path, loco_err *err)
{
    lc_lock *made = new_lock(path);
    if (made == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a lock");
    int cause = hold(made);
    if (cause == EWOULDBLOCK) {
        close(made->file);
        free(made);
        return lc_err_set(err, LOCO_EIO, "%.150s is being written by another run; wait for it, or give another name",
                          path);
    }
    *lock = made; /* without a file where none can be made: the writer's own message says why */
    return LOCO_OK;
}

void lc_lock_drop(lc_lock *lock)
{
    if (lock == NULL)
        return;
    if (lock->file >= 0) {
        unlink(lock->path);
        close(lock->file);
    }
    free(lock);
}

static void clean_beside(const char *path)
{
    size_t folder = lc_path_folder(path);
    char place[LONGEST];
    if (folder + 2 > sizeof place)
        return;
    memcpy(place, folder > 0 ? path : ".", folder > 0 ? folder : 1);
    place[folder > 0 ? folder : 1] = 0;
    DIR *open_folder = opendir(place);
    for (const struct dirent *entry; open_folder != NULL && (entry = readdir(open_folder)) != NULL;)
        if (lc_temp_is_of(entry->d_name, path + folder))
            (void)unlinkat(dirfd(open_folder), entry->d_name, 0);
    if (open_folder != NULL)
        closedir(open_folder);
}

void lc_lock_clean(const char *path)
{
    char *target = NULL;
    if (lc_file_follow(&target, path) == 0)
        clean_beside(target);
    free(target);
}
