/* SPDX-License-Identifier: MIT
 * import_cases.h - what tests of imports share: tiny public data sets, and what became of them. */
#ifndef TESTS_IMPORT_CASES_H
#define TESTS_IMPORT_CASES_H

#include "studio/studio.h"
#include "train_cases.h"

/* Makes a folder of the scratch folder, with those above it. */
static inline void import_folder(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s", run_path(name));
    for (char *at = path + strlen(run_folder) + 1; *at != '\0'; at++)
        if (*at == '/') {
            *at = '\0';
            (void)mkdir(path, 0700);
            *at = '/';
        }
    CHECK(mkdir(path, 0700) == 0);
}

/* A wav file of one value, at 8 kHz. */
static inline void import_sound(const char *name, double seconds, float value)
{
    size_t n = (size_t)(8000 * seconds);
    float *x = case_array(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = value;
    run_wav(name, 8000, x, n);
    free(x);
}

static inline void import_bytes(const char *name, const char *bytes, size_t length)
{
    CHECK_STATUS(lc_file_save(run_path(name), bytes, length, NULL), LOCO_OK);
}

/* What is imported, and how. */
typedef struct import_how {
    const char *kind, *mix, *labels, *map;
    double clip;
    const char *classes;
} import_how;

/* Imports into the folder `to`. */
static inline loco_status import_run(import_how how, const char *from, const char *to, studio_import_result *done,
                                     loco_err *err)
{
    studio_import_options options = {.size = sizeof options,
                                     .mix = how.mix,
                                     .labels = how.labels,
                                     .map = how.map,
                                     .clip = how.clip,
                                     .classes = how.classes};
    char source[512], target[512];
    snprintf(source, sizeof source, "%s", run_path(from));
    snprintf(target, sizeof target, "%s", run_path(to));
    return studio_import(done, how.kind, source, target, &options, err);
}

/* The import fails with both words in its sentence, and leaves nothing. */
static inline void import_refused(import_how how, const char *from, loco_status want, const char *where,
                                  const char *says)
{
    studio_import_result done = {.recordings = 77};
    loco_err err = {""};
    struct stat info;
    CHECK_STATUS(import_run(how, from, "refused", &done, &err), want);
    CHECK_SAYS(err.text, where);
    CHECK_SAYS(err.text, says);
    CHECK_EQ(done.recordings, 77);
    CHECK(lstat(run_path("refused"), &info) != 0);
}

/* The import works, and events.csv has these lines below its header. */
static inline studio_import_result import_good(import_how how, const char *from, const char *to, const char *events)
{
    studio_import_result done = {.recordings = 0};
    loco_err err = {""};
    char name[128];
    size_t length = 0;
    CHECK_STATUS(import_run(how, from, to, &done, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    snprintf(name, sizeof name, "%s/events.csv", to);
    char *text = run_read(name, &length);
    lc_text want = {0};
    lc_text_format(&want, "file,time,class\n%s", events);
    CHECK_STR(text, want.bytes);
    lc_text_free(&want);
    free(text);
    return done;
}

#endif
