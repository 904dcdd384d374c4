/* SPDX-License-Identifier: MIT
 *
 * replay.c - runs a fuzz target on files and on all files of folders, once each: `fuzz_label fuzz/fuzz_label.seeds`.
 *   In the place of libFuzzer, for compilers and processors without it; linked to each target in plain builds. Exit status
 *   1 if a path cannot be read; a target aborts if it fails. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 20 };

static int run_file(const char *path)
{
    static uint8_t bytes[MOST_BYTES];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "replay: cannot read %s\n", path);
        return -1;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    uint8_t *copy = malloc(size > 0 ? size : 1); /* of its length, so that tools see one byte too far */
    if (copy == NULL)
        return -1;
    for (size_t i = 0; i < size; i++)
        copy[i] = bytes[i];
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 1;
}

/* How many inputs were run; -1: some could not be read. */
static int run_path(const char *path)
{
    char name[4096];
    struct stat info;
    int total = 0;
    DIR *folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? opendir(path) : NULL;
    if (folder == NULL)
        return run_file(path);
    for (struct dirent *entry; total >= 0 && (entry = readdir(folder)) != NULL;) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            total = run_file(name) < 0 ? -1 : total + 1;
    }
    closedir(folder);
    return total;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int i = 1; i < argc; i++) {
        int n = run_path(argv[i]);
        if (n < 0)
            return 1;
        total += n;
    }
    printf("%d inputs\n", total);
    return total > 0 ? 0 : 1;
}
