/* SPDX-License-Identifier: MIT
 * data_cases.h - what tests of data sets share: a scratch folder with files, and sentences. */
#ifndef TESTS_DATA_CASES_H
#define TESTS_DATA_CASES_H

#include "check.h"

#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char data_folder[] = "/tmp/loco-data-XXXXXX";

/* The path of a file in the scratch folder; good until the fourth call after. */
static inline const char *data_path(const char *name)
{
    static char paths[4][512];
    static unsigned turn;
    turn = (turn + 1) % 4;
    snprintf(paths[turn], sizeof paths[turn], "%s%s%s", data_folder, *name != '\0' ? "/" : "", name);
    return paths[turn];
}

static inline void data_write(const char *name, const char *text)
{
    CHECK_STATUS(lc_file_save(data_path(name), text, strlen(text), NULL), LOCO_OK);
}

/* folder/name in the scratch folder, with a 0 behind its last byte; the caller frees it. */
static inline char *data_read(const char *folder, const char *name, size_t *length)
{
    char path[300], *bytes = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_STATUS(lc_file_load(data_path(path), 1 << 24, &bytes, length, NULL), LOCO_OK);
    return bytes;
}

/* Both folders hold the same bytes in this file. */
static inline bool data_same(const char *a, const char *b, const char *name)
{
    size_t lengths[2];
    char *bytes[2] = {data_read(a, name, &lengths[0]), data_read(b, name, &lengths[1])};
    bool equal = lengths[0] == lengths[1] && memcmp(bytes[0], bytes[1], lengths[0]) == 0;
    free(bytes[0]);
    free(bytes[1]);
    return equal;
}

/* Empties the scratch folder; folders in it hold files alone. */
static inline void data_clear_in(const char *path)
{
    DIR *dir = opendir(path);
    for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        char inner[1024];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (unlink(inner) != 0) {
            DIR *below = opendir(inner);
            for (const struct dirent *file; below != NULL && (file = readdir(below)) != NULL;) {
                char deep[2048];
                snprintf(deep, sizeof deep, "%s/%s", inner, file->d_name);
                unlink(deep);
            }
            if (below != NULL)
                closedir(below);
            rmdir(inner);
        }
    }
    if (dir != NULL)
        closedir(dir);
}

static inline void data_clear(void)
{
    data_clear_in(data_folder);
}

static inline int data_begin(void)
{
    if (mkdtemp(data_folder) != NULL)
        return 1;
    perror(data_folder);
    return 0;
}

static inline int data_done(void)
{
    data_clear();
    CHECK(rmdir(data_folder) == 0);
    return check_done();
}

/* text holds the words. */
static inline void data_says(const char *text, const char *words, const char *file, int line)
{
    if (!check_note(strstr(text, words) != NULL, file, line, "the sentence says"))
        fprintf(stderr, " \"%s\": \"%s\"\n", words, text);
}

#define CHECK_SAYS(text, words) data_says((text), (words), __FILE__, __LINE__)

#endif
