/* SPDX-License-Identifier: MIT
 *
 * save.c - writes synthetic recordings as a data set: sounds, events.csv, counts.csv.
 *
 *     counts.csv   file,start,end,kick,snare,hihat      rec_000.wav,0,0.613,2,1,4
 *     events.csv   file,time,class                      rec_000.wav,0.104308,kick
 *
 * counts.csv comes last: a folder that has one is complete. Clips follow each other without a gap; what is left at the
 * end of a recording and shorter than the shortest clip is in no clip. Borders lie on milliseconds and times on
 * microseconds, so that the counts agree with the numbers as they are written. Of 8 borders drawn, the one farthest
 * from any event is taken: a stroke that is cut in half could not be counted.
 */
#include "base/file.h"
#include "base/rng.h"
#include "base/status.h"
#include "base/text.h"
#include "signal/filter.h"
#include "studio/synth/drums.h"
#include "studio/synth/set_folder.h"

#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RECORDINGS = 100000, BORDERS_TRIED = 8, TAKES = 64 };

#define TAKES_SAMPLES 4e7 /* in memory at once */

typedef struct data_set {
    const char *folder;
    const lc_synth_job *job;
    lc_synth_settings settings;
    size_t classes;           /* columns */
    double shortest, longest; /* of a clip, s */
    lc_text counts, events;
    lc_rng borders;
} data_set;

/* One recording, as it is written. */
typedef struct take {
    char name[32];
    float *samples;
    size_t n;
    loco_event *events;
    size_t events_len;
    loco_status status;
    loco_err err;
} take;

static loco_status check_clips(const data_set *set, size_t recordings, loco_err *err)
{
    if (recordings < 1 || recordings > MOST_RECORDINGS)
        return lc_err_set(err, LOCO_EARG, "%zu recordings; there can be 1 to %d", recordings, MOST_RECORDINGS);
    if (!(set->shortest >= 0.01 && set->shortest <= set->longest && set->longest <= set->settings.seconds))
        return lc_err_set(err, LOCO_EARG,
                          "clips of %g to %g seconds; they must be in order, and from 0.01 s to the recording's %g s",
                          set->shortest, set->longest, set->settings.seconds);
    return LOCO_OK;
}

static loco_status no_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while writing a data set");
}

/* ---- sound ------------------------------------------------------------------------------------------------- */

static loco_status write_sound(const char *path, const take *t, unsigned rate, loco_err *err)
{
    SF_INFO info = {.samplerate = (int)rate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    char *temp = lc_file_temp(path);
    if (temp == NULL)
        return no_memory(err);
    SNDFILE *file = sf_open(temp, SFM_WRITE, &info);
    loco_status status = LOCO_OK;
    if (file == NULL) {
        status = lc_err_set(err, LOCO_EIO, "cannot write %.150s: %.80s", path, sf_strerror(NULL));
    } else {
        sf_count_t written = sf_write_float(file, t->samples, (sf_count_t)t->n);
        sf_command(file, SFC_UPDATE_HEADER_NOW, NULL, 0); /* sf_close does, too, and does not say when it fails */
        bool failed = sf_error(file) != SF_ERR_NO_ERROR;
        failed = sf_close(file) != 0 || failed;
        if (written != (sf_count_t)t->n || failed)
            status = lc_err_set(err, LOCO_EIO, "cannot write all of %.150s", path);
    }
    return lc_file_place(temp, path, status, err);
}

static loco_status save_sound(const data_set *set, const take *t, loco_err *err)
{
    lc_text path = lc_set_folder_path(set->folder, t->name);
    loco_status status = path.failed ? no_memory(err) : write_sound(path.bytes, t, set->settings.rate, err);
    lc_text_free(&path);
    return status;
}

/* ---- tables ------------------------------------------------------------------------------------------------ */

/* As the tables write it, so that counts agree with the written times. */
static double rounded(double time, double per_second)
{
    return round(time * per_second) / per_second;
}

static const char *class_of(const data_set *set, size_t kind)
{
    return set->job->names != NULL ? set->job->names[kind] : lc_synth_class(kind);
}

static void format_events(data_set *set, const take *t)
{
    for (size_t i = 0; i < t->events_len; i++) {
        lc_text_format(&set->events, "%s,", t->name);
        lc_text_number(&set->events, t->events[i].time, 6);
        lc_text_format(&set->events, ",%s", class_of(set, t->events[i].kind));
        if (set->job->velocities)
            lc_text_format(&set->events, ",%ld", lrint(127 * t->events[i].probability));
        lc_text_string(&set->events, "\n");
    }
}

/* How far the nearest event of a class is from time. Of drums, others do not matter: with and without columns for them,
 * clips are the same. */
static double clearance(const data_set *set, const take *t, double time)
{
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < t->events_len; i++)
        if (set->job->names != NULL || t->events[i].kind < LC_SYNTH_CLASSES)
            nearest = fmin(nearest, fabs(t->events[i].time - time));
    return nearest;
}

/* The end of the clip that begins at start. */
static double draw_border(data_set *set, const take *t, double start)
{
    double best = 0, widest = -1;
    for (size_t i = 0; i < BORDERS_TRIED; i++) {
        double end = rounded(start + lc_draw_even(&set->borders, set->shortest, set->longest), 1e3);
        double clear = clearance(set, t, end);
        if (clear > widest) {
            widest = clear;
            best = end;
        }
    }
    return best;
}

/* One row; an event at the start belongs to the clip, one at the end to the next. */
static void format_clip(data_set *set, const take *t, double start, double end)
{
    size_t counts[LC_SYNTH_MOST] = {0};
    for (size_t i = 0; i < t->events_len; i++) {
        double time = rounded(t->events[i].time, 1e6);
        if (time >= start && time < end)
            counts[t->events[i].kind]++;
    }
    lc_text_format(&set->counts, "%s,", t->name);
    lc_text_number(&set->counts, start, 3);
    lc_text_string(&set->counts, ",");
    lc_text_number(&set->counts, end, 3);
    for (size_t k = 0; k < set->classes; k++)
        lc_text_format(&set->counts, ",%zu", counts[k]);
    lc_text_string(&set->counts, "\n");
}

/* Clips side by side; a border is drawn among several. */
static void format_clips(data_set *set, const take *t)
{
    double whole = (double)t->n / set->settings.rate, start = 0;
    while (start + set->shortest <= whole) {
        double end = draw_border(set, t, start);
        if (end > whole)
            end = floor(whole * 1e3) / 1e3;
        if (!(end > start)) /* clips of a millisecond or so, at the very end */
            return;
        format_clip(set, t, start, end);
        start = end;
    }
}

static void format_headers(data_set *set)
{
    lc_text_format(&set->events, "file,time,class%s\n", set->job->velocities ? ",velocity" : "");
    lc_text_string(&set->counts, "file,start,end");
    for (size_t k = 0; k < set->classes; k++)
        lc_text_format(&set->counts, ",%s", class_of(set, k));
    lc_text_string(&set->counts, "\n");
}

/* ---- the set ------------------------------------------------------------------------------------------------ */

/* Renders one recording and writes its sound. */
static loco_status make_take(const data_set *set, take *t, size_t index, loco_err *err)
{
    lc_text name = {0};
    loco_status status = set->job->make(set->job->context, index, &t->samples, &t->n, &t->events, &t->events_len, err);
    if (status != LOCO_OK)
        return status;
    lc_text_format(&name, "rec_%03zu.wav", index);
    if (name.failed || name.length >= sizeof t->name)
        status = no_memory(err);
    else
        memcpy(t->name, name.bytes, name.length + 1);
    if (status == LOCO_OK)
        status = save_sound(set, t, err);
    lc_text_free(&name);
    return status;
}

/* Takes that are made at the same time, in order of their index. */
typedef struct batch {
    const data_set *set;
    size_t first;
    take takes[TAKES];
} batch;

/* One task of the pool. */
static void make_one(void *context, size_t task, unsigned worker)
{
    batch *b = context;
    take *t = &b->takes[task];
    (void)worker;
    t->status = make_take(b->set, t, b->first + task, &t->err);
}

/* As many as there are threads several times over, unless recordings are long. */
static size_t batch_size(const data_set *set)
{
    if (set->job->pool == NULL)
        return 1;
    size_t threads = lc_pool_threads(set->job->pool), size = 8 * threads;
    double fits = TAKES_SAMPLES / (set->settings.seconds * set->settings.rate);
    size = (double)size > fits ? (size_t)fits : size;
    size = size < threads ? threads : size;
    return size < TAKES ? size : TAKES;
}

/* Makes the takes, then adds their rows to both tables in order: borders are drawn one after the other. */
static loco_status save_batch(data_set *set, batch *b, size_t takes, loco_err *err)
{
    loco_status status = LOCO_OK;
    memset(b->takes, 0, sizeof b->takes);
    if (set->job->pool != NULL)
        lc_pool_run(set->job->pool, takes, make_one, b);
    else
        make_one(b, 0, 0);
    for (size_t i = 0; i < takes; i++) {
        take *t = &b->takes[i];
        if (status == LOCO_OK && t->status != LOCO_OK) {
            status = t->status;
            if (err != NULL)
                *err = t->err;
        }
        if (status == LOCO_OK) {
            format_events(set, t);
            format_clips(set, t);
        }
        free(t->samples);
        free(t->events);
    }
    return status;
}

/* In batches, so that at most TAKES_SAMPLES are in memory. */
static loco_status save_takes(data_set *set, loco_err *err)
{
    const lc_synth_job *job = set->job;
    size_t size = batch_size(set);
    batch b = {.set = set};
    while (b.first < job->recordings) {
        size_t takes = job->recordings - b.first < size ? job->recordings - b.first : size;
        loco_status status = save_batch(set, &b, takes, err);
        if (status != LOCO_OK)
            return status;
        b.first += takes;
        if (job->progress != NULL && !job->progress(job->progress_context, b.first, job->recordings))
            return lc_err_set(err, LOCO_EIO, "stopped after %zu of %zu recordings; %.120s has no counts.csv", b.first,
                              job->recordings, set->folder);
    }
    return LOCO_OK;
}

/* counts.csv comes last. */
static loco_status save_all(data_set *set, loco_err *err)
{
    lc_text sources = {0};
    format_headers(set);
    loco_status status = save_takes(set, err);
    if (status == LOCO_OK)
        status = lc_file_flush_set(set->folder, err);
    if (set->job->sources != NULL)
        lc_text_string(&sources, set->job->sources);
    if (status == LOCO_OK && set->job->sources != NULL)
        status = lc_set_folder_save(set->folder, "sources.txt", &sources, err);
    if (status == LOCO_OK)
        status = lc_set_folder_save(set->folder, "events.csv", &set->events, err);
    lc_text_free(&sources);
    return status == LOCO_OK ? lc_set_folder_save(set->folder, "counts.csv", &set->counts, err) : status;
}

loco_status lc_synth_write(const char *folder, const lc_synth_job *job, loco_err *err)
{
    data_set set = {.folder = folder,
                    .job = job,
                    .settings = job->settings,
                    .classes = job->classes > 0 ? job->classes : LC_SYNTH_CLASSES,
                    .shortest = job->clip_shortest,
                    .longest = job->clip_longest,
                    .borders = lc_rng_seed(~job->settings.seed)};
    loco_status status = lc_synth_check(&job->settings, err);
    if (status == LOCO_OK)
        status = check_clips(&set, job->recordings, err);
    if (status == LOCO_OK)
        status = lc_set_folder_prepare(folder, err);
    if (status == LOCO_OK)
        status = save_all(&set, err);
    lc_text_free(&set.counts);
    lc_text_free(&set.events);
    return status;
}

static loco_status make_drums(const void *context, size_t index, float **samples, size_t *n, loco_event **events,
                              size_t *events_len, loco_err *err)
{
    return lc_synth_drums(context, index, samples, n, events, events_len, err);
}

loco_status lc_synth_save(const char *folder, const lc_synth_settings *settings, size_t recordings,
                          double clip_shortest, double clip_longest, loco_err *err)
{
    lc_synth_job job = {.settings = *settings,
                        .recordings = recordings,
                        .clip_shortest = clip_shortest,
                        .clip_longest = clip_longest,
                        .make = make_drums,
                        .context = settings};
    return lc_synth_write(folder, &job, err);
}
