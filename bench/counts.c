/* SPDX-License-Identifier: MIT
 * counts.c - loads a data set with a long counts.csv: `counts ROWS [FOLDER]`.
 *   Makes 2000 recordings without content, and a table of ROWS clips of them with three classes, in FOLDER (a new one below
 *   the current folder, removed at the end), loads the set as training does, and prints one JSON object: seconds of wall
 *   clock and of processor, the most memory that the process has held, and what was read. */
#include "clock.h"

#include "data/dataset.h"

#include <sys/stat.h>
#include <unistd.h>

enum { RECORDINGS = 2000, PATH = 512 };

static int fail(const char *text)
{
    fprintf(stderr, "bench/counts: %s\n", text);
    return 2;
}

static void name_of(char path[PATH], const char *folder, int recording)
{
    snprintf(path, PATH, recording < 0 ? "%s/counts.csv" : "%s/rec_%04d.wav", folder, recording);
}

/* Counts from a small linear congruence: the same table every time. */
static int make(const char *folder, unsigned long rows)
{
    char path[PATH];
    unsigned random = 1;
    for (int i = 0; i < RECORDINGS; i++) {
        name_of(path, folder, i);
        FILE *sound = fopen(path, "w");
        if (sound == NULL || fclose(sound) != 0)
            return fail("cannot write a recording");
    }
    name_of(path, folder, -1);
    FILE *table = fopen(path, "w");
    if (table == NULL)
        return fail("cannot write counts.csv");
    fputs("file,start,end,kick,snare,hihat\n", table);
    unsigned long each = (rows + RECORDINGS - 1) / RECORDINGS;
    for (unsigned long i = 0; i < rows; i++) {
        double start = 0.6 * (double)(i % each);
        random = random * 1103515245u + 12345u;
        fprintf(table, "rec_%04lu.wav,%.1f,%.1f,%u,%u,%s\n", i / each, start, start + 0.6, (random >> 16) % 4,
                (random >> 20) % 3, (random >> 24) % 5 > 0 ? "2" : "?");
    }
    return fclose(table) == 0 ? 0 : fail("cannot write counts.csv");
}

static void clean(const char *folder)
{
    char path[PATH];
    for (int i = -1; i < RECORDINGS; i++) {
        name_of(path, folder, i);
        unlink(path);
    }
    rmdir(folder);
}

static int measure(const char *folder)
{
    loco_err err;
    lc_dataset *set = NULL;
    struct stat table;
    char path[PATH];
    double before = peak_mb(), wall = now(), processor = processor_time();
    if (lc_dataset_load(&set, folder, &err) != LOCO_OK)
        return fail(err.text);
    wall = now() - wall;
    processor = processor_time() - processor;
    name_of(path, folder, -1);
    double bytes = stat(path, &table) == 0 ? (double)table.st_size : 0;
    printf(
        "{\"rows\": %zu, \"recordings\": %zu, \"file_mb\": %.1f, \"seconds\": %.3f, \"processor\": %.3f, \"before_mb\": "
        "%.1f, \"peak_mb\": %.1f}\n",
        set->clips_len, set->recordings_len, bytes / 1e6, wall, processor, before, peak_mb());
    lc_dataset_free(set);
    return 0;
}

int main(int argc, char **argv)
{
    char made[] = "counts-XXXXXX";
    unsigned long rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    if (rows == 0)
        return fail("usage: counts ROWS [FOLDER]");
    const char *folder = argc > 2 ? argv[2] : mkdtemp(made);
    if (folder == NULL || (mkdir(folder, 0777) != 0 && argc > 2))
        return fail("cannot make the folder");
    int code = make(folder, rows);
    if (code == 0)
        code = measure(folder);
    clean(folder);
    return code;
}
