/* SPDX-License-Identifier: MIT
 *
 * test_file.c - whole files in a scratch folder: saved all or nothing, loaded up to a limit.
 */
#include "cases.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/loco-file-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* How many entries the folder has: a temporary file left behind would show. */
static size_t entries(void)
{
    size_t n = 0;
    DIR *dir = opendir(folder);
    while (dir != NULL && readdir(dir) != NULL)
        n++;
    if (dir != NULL)
        closedir(dir);
    return n - 2; /* . and .. */
}

static mode_t mode_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_mode & 07777 : 0;
}

static void check_content(const char *path, const char *want)
{
    char *data = NULL;
    size_t length = 0;
    CHECK_STATUS(lc_file_load(path, 1000, &data, &length, NULL), LOCO_OK);
    CHECK_EQ(length, strlen(want));
    CHECK_STR(data, want);
    free(data);
}

static void wrong_paths_are_refused(void)
{
    loco_err err = {""};
    char *data = NULL;
    size_t length = 77;
    CHECK_STATUS(lc_file_save(in_folder("missing/x"), "a", 1, &err), LOCO_EIO);
    CHECK(strstr(err.text, "missing/x") != NULL && strstr(err.text, strerror(ENOENT)) != NULL);
    CHECK_STATUS(lc_file_save(folder, "a", 1, &err), LOCO_EIO);
    CHECK(strstr(err.text, strerror(EISDIR)) != NULL);
    CHECK_STATUS(lc_file_save("", "a", 1, &err), LOCO_EIO);
    CHECK_STATUS(lc_file_load(in_folder("missing"), 10, &data, &length, &err), LOCO_EIO);
    CHECK(strstr(err.text, "missing") != NULL && strstr(err.text, strerror(ENOENT)) != NULL);
    CHECK_STATUS(lc_file_load(folder, 10, &data, &length, &err), LOCO_EIO);
    CHECK_STATUS(lc_file_load(folder, 10, &data, &length, NULL), LOCO_EIO);
    CHECK(data == NULL && length == 77);
    CHECK_EQ(entries(), 0);
}

static void long_paths_leave_room_for_the_cause(void)
{
    loco_err err = {""};
    char path[3000];
    memset(path, 'p', sizeof path);
    path[sizeof path - 1] = 0;
    CHECK_STATUS(lc_file_save(path, "a", 1, &err), LOCO_EIO);
    CHECK(strstr(err.text, strerror(ENAMETOOLONG)) != NULL);
}

static void saved_is_loaded(void)
{
    const char *path = in_folder("round");
    for (size_t length = 0; length < 200000; length = 3 * length + 1) {
        char *out = malloc(length + 1), *in = NULL;
        size_t in_length = 0;
        for (size_t i = 0; i < length; i++)
            out[i] = (char)(i * 31 + i / 256);
        CHECK_STATUS(lc_file_save(path, out, length, NULL), LOCO_OK);
        CHECK_STATUS(lc_file_load(path, length, &in, &in_length, NULL), LOCO_OK);
        CHECK(in_length == length && memcmp(in, out, length) == 0 && in[length] == 0);
        free(out);
        free(in);
    }
    unlink(path);
    CHECK_EQ(entries(), 0);
}

static void limit_holds(void)
{
    loco_err err = {""};
    char *data = NULL;
    size_t length = 77;
    CHECK_STATUS(lc_file_save(in_folder("five"), "12345", 5, NULL), LOCO_OK);
    CHECK_STATUS(lc_file_load(in_folder("five"), 4, &data, &length, &err), LOCO_EDATA);
    CHECK(strstr(err.text, "five") != NULL && strstr(err.text, "4 bytes") != NULL);
    CHECK(data == NULL && length == 77);
    CHECK_STATUS(lc_file_load("/dev/zero", 100000, &data, &length, &err), LOCO_EDATA);
    CHECK_STATUS(lc_file_load(in_folder("five"), 0, &data, &length, &err), LOCO_EDATA);
    unlink(in_folder("five"));
}

/* Size 0 in the folder listing, yet with content: only reading shows it. */
static void size_is_only_a_hint(void)
{
    char *data = NULL;
    size_t length = 0;
    if (access("/proc/self/status", R_OK) != 0)
        return;
    CHECK_STATUS(lc_file_load("/proc/self/status", 100000, &data, &length, NULL), LOCO_OK);
    CHECK(length > 10 && data != NULL && strstr(data, "Name:") != NULL);
    free(data);
}

static void permissions_are_kept(void)
{
    const char *path = in_folder("mode");
    mode_t old = umask(027);
    CHECK_STATUS(lc_file_save(path, "one", 3, NULL), LOCO_OK);
    CHECK_EQ(mode_of(path), 0640);
    CHECK(chmod(path, 0604) == 0);
    CHECK_STATUS(lc_file_save(path, "two", 3, NULL), LOCO_OK);
    CHECK_EQ(mode_of(path), 0604);
    umask(old);
    check_content(path, "two");
    unlink(path);
}

static void read_only_files_are_respected(void)
{
    const char *path = in_folder("fixed");
    CHECK_STATUS(lc_file_save(path, "one", 3, NULL), LOCO_OK);
    CHECK(chmod(path, 0444) == 0);
    if (access(path, W_OK) != 0) /* always allowed for root */
        CHECK_STATUS(lc_file_save(path, "two", 3, NULL), LOCO_EIO);
    unlink(path);
}

static void links_stay_links(void)
{
    char link[256];
    struct stat info;
    snprintf(link, sizeof link, "%s", in_folder("link"));
    CHECK_STATUS(lc_file_save(in_folder("target"), "one", 3, NULL), LOCO_OK);
    CHECK(symlink("target", link) == 0);
    CHECK_STATUS(lc_file_save(link, "two", 3, NULL), LOCO_OK);
    CHECK(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    check_content(in_folder("target"), "two");
    CHECK_EQ(entries(), 2);
    unlink(link);
    unlink(in_folder("target"));
}

/* Links without a target make it: a chain of two through another folder, relative to the folder of each link. */
static void dangling_links_make_their_target(void)
{
    char first[256], second[256], inner[256];
    struct stat info;
    snprintf(first, sizeof first, "%s", in_folder("first"));
    snprintf(inner, sizeof inner, "%s", in_folder("inner"));
    snprintf(second, sizeof second, "%s", in_folder("inner/second"));
    CHECK(mkdir(inner, 0700) == 0);
    CHECK(symlink("inner/second", first) == 0 && symlink("../made", second) == 0);
    CHECK_STATUS(lc_file_save(first, "one", 3, NULL), LOCO_OK);
    CHECK(lstat(first, &info) == 0 && S_ISLNK(info.st_mode));
    CHECK(lstat(second, &info) == 0 && S_ISLNK(info.st_mode));
    check_content(in_folder("made"), "one");
    CHECK_EQ(entries(), 3);
    unlink(in_folder("made"));
    unlink(second);
    CHECK(symlink(in_folder("made"), second) == 0); /* an absolute one */
    CHECK_STATUS(lc_file_save(first, "two", 3, NULL), LOCO_OK);
    check_content(in_folder("made"), "two");
    unlink(in_folder("made"));
    unlink(second);
    unlink(first);
    CHECK(rmdir(inner) == 0);
}

static void links_that_lead_nowhere_are_refused(void)
{
    char link[256];
    loco_err err = {""};
    struct stat info;
    snprintf(link, sizeof link, "%s", in_folder("link"));
    CHECK(symlink("missing/target", link) == 0);
    CHECK_STATUS(lc_file_save(link, "a", 1, &err), LOCO_EIO);
    CHECK(strstr(err.text, "link") != NULL && strstr(err.text, strerror(ENOENT)) != NULL);
    unlink(link);
    CHECK(symlink("link", link) == 0); /* to itself */
    CHECK_STATUS(lc_file_save(link, "a", 1, &err), LOCO_EIO);
    CHECK(strstr(err.text, strerror(ELOOP)) != NULL);
    CHECK(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    CHECK_EQ(entries(), 1);
    unlink(link);
}

/* A second hard link still sees the old content: the file was replaced, not written over. */
static void files_are_replaced_whole(void)
{
    char other[256];
    snprintf(other, sizeof other, "%s", in_folder("other"));
    CHECK_STATUS(lc_file_save(in_folder("name"), "old", 3, NULL), LOCO_OK);
    CHECK(link(in_folder("name"), other) == 0);
    CHECK_STATUS(lc_file_save(in_folder("name"), "new", 3, NULL), LOCO_OK);
    check_content(other, "old");
    check_content(in_folder("name"), "new");
    unlink(other);
    unlink(in_folder("name"));
    CHECK_EQ(entries(), 0);
}

/* A pipe stands for anything that is not a regular file. Never a device of this machine: if the guard were broken, a
 * test run by root would replace it. */
static void pipes_are_written_not_replaced(void)
{
    const char *path = in_folder("pipe");
    char got[8] = "";
    struct stat info;
    CHECK(mkfifo(path, 0600) == 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    CHECK(reader >= 0);
    CHECK_STATUS(lc_file_save(path, "through", 7, NULL), LOCO_OK);
    CHECK(stat(path, &info) == 0 && S_ISFIFO(info.st_mode));
    CHECK(reader >= 0 && read(reader, got, 7) == 7);
    CHECK_STR(got, "through");
    if (reader >= 0)
        close(reader);
    unlink(path);
}

/* A limit on the size of files stands for a full disk: the old file stays as it was, and nothing is left beside it. */
static void a_failed_write_changes_nothing(void)
{
    static char large[100000];
    const char *path = in_folder("kept");
    struct rlimit old, tight;
    loco_err err = {""};
    CHECK_STATUS(lc_file_save(path, "old", 3, NULL), LOCO_OK);
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    tight = old;
    tight.rlim_cur = 4096;
    CHECK(setrlimit(RLIMIT_FSIZE, &tight) == 0);
    CHECK_STATUS(lc_file_save(path, large, sizeof large, &err), LOCO_EIO);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(strstr(err.text, "kept") != NULL && strstr(err.text, strerror(EFBIG)) != NULL);
    check_content(path, "old");
    CHECK_EQ(entries(), 1);
    unlink(path);
}

/* Called in place of the C library's: how many folders were flushed. */
static size_t flushed_folders;
int fsync(int file)
{
    struct stat info;
    flushed_folders += fstat(file, &info) == 0 && S_ISDIR(info.st_mode);
    return 0;
}

static size_t flushed_sets;
int syncfs(int file);
int syncfs(int file)
{
    struct stat info;
    flushed_sets += fstat(file, &info) == 0 && S_ISDIR(info.st_mode);
    errno = EIO;
    return flushed_sets > 1 ? -1 : 0;
}

/* Once for a set of any size; the second time the disk fails. */
static void sets_are_flushed(void)
{
    loco_err err = {""};
#ifdef __linux__
    flushed_sets = 0;
    CHECK_STATUS(lc_file_flush_set(folder, &err), LOCO_OK);
    CHECK_EQ(flushed_sets, 1);
    CHECK_STATUS(lc_file_flush_set(folder, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "cannot write");
#endif
    CHECK_STATUS(lc_file_flush_set(in_folder("missing"), &err), LOCO_EIO);
    CHECK_SAYS(err.text, "missing");
}

/* A rename is safe against a power cut only when its folder is on the disk, too. */
static void folders_are_flushed(void)
{
    flushed_folders = 0;
    CHECK_STATUS(lc_file_save(in_folder("flushed"), "x", 1, NULL), LOCO_OK);
    CHECK_EQ(flushed_folders, 1);
    unlink(in_folder("flushed"));
}

/* A sparse file that no disk could hold is refused before it is read. */
static void huge_files_are_refused_by_their_size(void)
{
    char *data = NULL;
    size_t length = 0;
    loco_err err = {""};
    CHECK_STATUS(lc_file_save(in_folder("huge"), "x", 1, NULL), LOCO_OK);
    if (truncate(in_folder("huge"), (off_t)300 << 30) == 0) {
        CHECK_STATUS(lc_file_load(in_folder("huge"), (size_t)1 << 36, &data, &length, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "is larger than");
    }
    unlink(in_folder("huge"));
}

/* What another library writes is there as a whole, or not at all. */
static void files_of_others_are_placed(void)
{
    char *temp = lc_file_temp(in_folder("other"));
    CHECK(access(temp, F_OK) == 0 && access(in_folder("other"), F_OK) != 0);
    CHECK_STATUS(lc_file_place(temp, in_folder("other"), LOCO_OK, NULL), LOCO_OK);
    CHECK(access(in_folder("other"), F_OK) == 0);
    temp = lc_file_temp(in_folder("failed"));
    CHECK_STATUS(lc_file_place(temp, in_folder("failed"), LOCO_EIO, NULL), LOCO_EIO);
    CHECK(access(in_folder("failed"), F_OK) != 0);
    unlink(in_folder("other"));
}

/* A new folder is there with all its files, or not at all. */
static void folders_are_placed(void)
{
    char *temp = NULL, path[256], inner[512];
    size_t before = entries();
    loco_err err = {""};
    snprintf(path, sizeof path, "%s", in_folder("set/"));
    CHECK_STATUS(lc_file_temp_folder(&temp, path, &err), LOCO_OK);
    CHECK(temp != NULL && strstr(temp, "/set.") != NULL && access(path, F_OK) != 0);
    snprintf(inner, sizeof inner, "%s/a", temp);
    CHECK_STATUS(lc_file_save(inner, "x", 1, &err), LOCO_OK);
    CHECK_STATUS(lc_file_place_folder(temp, path, LOCO_OK, &err), LOCO_OK);
    check_content(in_folder("set/a"), "x");
    CHECK_EQ(entries(), before + 1);
    CHECK_STATUS(lc_file_temp_folder(&temp, path, &err), LOCO_EIO); /* it is not empty */
    CHECK(strstr(err.text, "exists already and is not an empty folder") != NULL);
    CHECK_STATUS(lc_file_temp_folder(&temp, in_folder("set/a"), &err), LOCO_EIO);
    CHECK_STATUS(lc_file_temp_folder(&temp, in_folder("nowhere/set"), &err), LOCO_EIO);
    CHECK(unlink(in_folder("set/a")) == 0);
    CHECK_STATUS(lc_file_temp_folder(&temp, path, &err), LOCO_OK);
    snprintf(inner, sizeof inner, "%s/b", temp);
    CHECK_STATUS(lc_file_save(inner, "x", 1, &err), LOCO_OK);
    CHECK_STATUS(lc_file_place_folder(temp, path, LOCO_EDATA, &err), LOCO_EDATA); /* the writer failed */
    CHECK_EQ(entries(), before + 1);
    CHECK(symlink("set", in_folder("link")) == 0); /* what a rename could not replace is refused before any work */
    static const char *const fixed[] = {"link", "link/", ".", "set/.", "set/.."};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        CHECK_STATUS(lc_file_temp_folder(&temp, in_folder(fixed[i]), &err), LOCO_EIO);
        CHECK_EQ(entries(), before + 2);
    }
    CHECK(unlink(in_folder("link")) == 0 && rmdir(in_folder("set")) == 0);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 1;
    }
    RUN(wrong_paths_are_refused);
    RUN(long_paths_leave_room_for_the_cause);
    RUN(saved_is_loaded);
    RUN(limit_holds);
    RUN(size_is_only_a_hint);
    RUN(permissions_are_kept);
    RUN(read_only_files_are_respected);
    RUN(links_stay_links);
    RUN(dangling_links_make_their_target);
    RUN(links_that_lead_nowhere_are_refused);
    RUN(files_are_replaced_whole);
    RUN(pipes_are_written_not_replaced);
    RUN(a_failed_write_changes_nothing);
    RUN(folders_are_flushed);
    RUN(sets_are_flushed);
    RUN(huge_files_are_refused_by_their_size);
    RUN(files_of_others_are_placed);
    RUN(folders_are_placed);
    CHECK(rmdir(folder) == 0);
    return check_done();
}
