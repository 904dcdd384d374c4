/* SPDX-License-Identifier: MIT
 * notes.c - how good velocities and ends of notes are (detect/notes.h), given true onsets.
 *
 *   notes SOUND TABLE [SOUND TABLE]...   prints a line for each: notes, the correlation of true and estimated velocities,
 *                                        and the median of the absolute errors of ends. A row of a table holds onset,
 *                                        end, pitch and velocity; lines that begin otherwise are skipped.
 *
 * experiments/piano/notes runs it on pieces of MAPS. */
#include "detect/notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 100000 };

static int fail(const char *text)
{
    fprintf(stderr, "bench/notes: %s\n", text);
    return 2;
}

static loco_event events[MOST];
static lc_note truth[MOST], found[MOST];
static double errors[MOST];

static size_t read_table(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[256];
    size_t n = 0;
    double onset, end, pitch, velocity;
    while (file != NULL && n < MOST && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%lf %lf %lf %lf", &onset, &end, &pitch, &velocity) == 4) {
            events[n] = (loco_event){.time = onset, .kind = (size_t)pitch, .probability = 1};
            truth[n++] = (lc_note){.end = end, .velocity = velocity};
        }
    if (file != NULL)
        fclose(file);
    return n;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double correlation(size_t n)
{
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        double a = truth[i].velocity, b = found[i].velocity;
        x += a / (double)n;
        y += b / (double)n;
        xx += a * a / (double)n;
        yy += b * b / (double)n;
        xy += a * b / (double)n;
    }
    return (xy - x * y) / sqrt((xx - x * x) * (yy - y * y));
}

static int judge(const char *path, const char *table)
{
    unsigned pitches[128];
    loco_err err = {""};
    lc_sound *sound;
    size_t n = read_table(table);
    for (unsigned p = 0; p < 128; p++)
        pitches[p] = p;
    for (size_t i = 0; i < n; i++)
        if (events[i].kind > 127 || (i > 0 && events[i].time < events[i - 1].time))
            return fail("a pitch above 127, or notes out of order");
    if (n == 0 || lc_sound_open(&sound, path, LC_NOTES_RATE, &err) != LOCO_OK)
        return fail(n == 0 ? "no notes" : err.text);
    loco_status status = lc_notes_measure(found, sound, events, n, pitches, &err);
    lc_sound_close(sound);
    if (status != LOCO_OK)
        return fail(err.text);
    for (size_t i = 0; i < n; i++)
        errors[i] = fabs(found[i].end - truth[i].end);
    qsort(errors, n, sizeof *errors, compare);
    printf("%s\t%zu\t%.3f\t%.3f\n", path, n, correlation(n), errors[n / 2]);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc % 2 == 0)
        return fail("give pairs of a sound and a table of its notes");
    for (int i = 1; i < argc; i += 2)
        if (judge(argv[i], argv[i + 1]) != 0)
            return 2;
    return 0;
}
