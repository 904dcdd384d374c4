/* SPDX-License-Identifier: MIT
 * train_cases.h - what tests of whole runs share: a scratch folder, small data sets, a tiny network, files compared. */
#ifndef TESTS_TRAIN_CASES_H
#define TESTS_TRAIN_CASES_H

#include "cases.h"
#include "studio/studio.h"

#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <sndfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUN_FILE_BYTES = 1 << 26 };

static char run_folder[] = "/tmp/loco-train-XXXXXX";

/* ---- the scratch folder ---- */

/* The path of a file in it; good until the eighth call after. */
static inline const char *run_path(const char *name)
{
    static char paths[8][512];
    static unsigned turn;
    turn = (turn + 1) % 8;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", run_folder, name);
    return paths[turn];
}

static inline void run_begin(void)
{
    if (mkdtemp(run_folder) == NULL) {
        perror(run_folder);
        exit(1);
    }
}

static inline void run_remove(const char *path)
{
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        lc_text inner = {0};
        bool self = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        lc_text_format(&inner, "%s/%s", path, entry->d_name);
        if (!self && unlink(inner.bytes) != 0)
            run_remove(inner.bytes); /* NOLINT(misc-no-recursion): two levels */
        lc_text_free(&inner);
    }
    if (folder != NULL)
        closedir(folder);
    CHECK(rmdir(path) == 0);
}

static inline int run_done(void)
{
    run_remove(run_folder);
    return check_done();
}

/* ---- files ---- */

static inline void run_write(const char *name, const char *text)
{
    CHECK_STATUS(lc_file_save(run_path(name), text, strlen(text), NULL), LOCO_OK);
}

/* The whole file, or the end of the test; the caller frees. */
static inline char *run_read(const char *name, size_t *length)
{
    char *bytes = NULL;
    loco_err err = {""};
    if (lc_file_load(run_path(name), RUN_FILE_BYTES, &bytes, length, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return bytes;
}

static inline bool run_same_files(const char *a, const char *b)
{
    size_t n = 0, m = 0;
    char *x = run_read(a, &n), *y = run_read(b, &m);
    bool same = n == m && case_same(x, y, n);
    free(x);
    free(y);
    return same;
}

static inline void run_wav(const char *name, int rate, const float *samples, size_t n)
{
    SF_INFO info = {.samplerate = rate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *file = sf_open(run_path(name), SFM_WRITE, &info);
    if (file == NULL || sf_writef_float(file, samples, (sf_count_t)n) != (sf_count_t)n) {
        fprintf(stderr, "cannot write %s: %s\n", name, sf_strerror(file));
        exit(1);
    }
    sf_close(file);
}

/* ---- data sets ---- */

/* Recordings of drums. */
static inline void run_drums(const char *name, size_t recordings, double seconds, uint64_t seed)
{
    loco_err err = {""};
    studio_synth_options options = {.size = sizeof options, .recordings = recordings, .seconds = seconds, .seed = seed};
    CHECK_STATUS(studio_synth_drums(run_path(name), &options, &err), LOCO_OK);
    CHECK_STR(err.text, "");
}

/* Soft noise, and bursts of 20 ms of noise that begin at the times. */
static inline void run_bursts(const char *name, int rate, double seconds, const double *times, size_t times_len)
{
    size_t n = (size_t)(seconds * rate);
    float *x = case_array(n, sizeof *x);
    lc_rng rng = lc_rng_seed(3);
    for (size_t i = 0; i < n; i++)
        x[i] = 1e-4f * (float)lc_rng_normal(&rng);
    for (size_t j = 0; j < times_len; j++)
        for (size_t i = 0; i < (size_t)(0.02 * rate); i++) {
            size_t at = (size_t)ceil(times[j] * rate) + i;
            if (at < n)
                x[at] += 0.2f * (float)(lc_rng_normal(&rng) * exp(-(double)i / (0.005 * rate)));
        }
    run_wav(name, rate, x, n);
    free(x);
}

/* ---- runs ---- */

static const char *const run_tiny[] = {
    "network=conv 3x5 4 stride 4 norm, gru 8", "frontend.bands=24", "steps=8", "check=4", "batch=4", "warm_up=2",
};
enum { RUN_TINY = sizeof run_tiny / sizeof *run_tiny };

/* What loco_train takes. */
typedef struct run_case {
    const char *data, *model;
    loco_train_options how;
} run_case;

/* Paths are kept in the caller's memory: run_path(...) does for as long as eight calls. */
static inline run_case run_training(const char *data, const char *model)
{
    return (run_case){
        data, model, {.size = sizeof(loco_train_options), .sets = run_tiny, .sets_len = RUN_TINY, .threads = 1}
    };
}

/* Notices, one a line: a loco_train_options's notice whose context is an lc_text. */
static inline void run_note(void *context, const char *sentence)
{
    lc_text_format(context, "%s\n", sentence);
}

/* Trains to the end, or ends the test. */
static inline void run_train(const run_case *training)
{
    loco_err err = {""};
    bool finished = false;
    loco_status status = loco_train(&finished, training->model, training->data, &training->how, &err);
    CHECK_STR(err.text, "");
    if (status != LOCO_OK || !finished)
        exit(1);
}

#endif
