/* SPDX-License-Identifier: MIT
 *
 * piano_set.c - the public function for data sets of pianos: opens pianos and MIDI files, renders, writes.
 */
#include "base/folder.h"
#include "base/options.h"
#include "base/status.h"
#include "base/text.h"
#include "studio/import/pitches.h"
#include "studio/piano/recital.h"
#include "studio/studio.h"

#include <string.h>

enum { MOST_THREADS = 1024, DEFAULT_RATE = 22050 };

#define TUNING 440
#define LOWEST_TUNING 380
#define HIGHEST_TUNING 480

/* Where Debian keeps SoundFonts, and those with a piano of their own. */
static const char fonts_folder[] = "/usr/share/sounds/sf2";
static const char *const usual_fonts[] = {"FluidR3_GM.sf2", "TimGM6mb.sf2"};

typedef struct piano_sources {
    lc_pool *pool;
    lc_pianos pianos;
    lc_pieces pieces;
    lc_held_out rules;
    lc_kit_side side;
    lc_recital_settings recital;
    const char *names[LC_PITCHES]; /* of the classes */
    size_t classes;
} piano_sources;

typedef loco_status opener(piano_sources *s, const char *path, loco_err *err);

static loco_status no_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for a data set of a piano");
}

/* Each part of a list that is separated by colons. */
static loco_status for_each(piano_sources *s, const char *list, opener *open, loco_err *err)
{
    loco_status status = LOCO_OK;
    while (status == LOCO_OK && list != NULL && *list != 0) {
        size_t length = strcspn(list, ":");
        const char *path = lc_store_string(&s->pianos.store, list, length);
        if (path == NULL)
            status = no_memory(err);
        else if (length > 0)
            status = open(s, path, err);
        list += length + (list[length] == ':');
    }
    return status;
}

static loco_status open_samples(piano_sources *s, const char *path, loco_err *err)
{
    return lc_pianos_add_samples(&s->pianos, path, s->recital.synth.rate, s->pool, err);
}

static loco_status open_font(piano_sources *s, const char *path, loco_err *err)
{
    return lc_pianos_add_font(&s->pianos, path, s->recital.synth.rate, s->pool, err);
}

static loco_status open_midi(piano_sources *s, const char *path, loco_err *err)
{
    return lc_pieces_load(&s->pieces, path, s->side, err);
}

/* Those of Debian that are installed. */
static loco_status open_usual_fonts(piano_sources *s, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < sizeof usual_fonts / sizeof *usual_fonts; i++) {
        const char *path = lc_path_join(&s->pianos.store, fonts_folder, strlen(fonts_folder), usual_fonts[i]);
        if (path == NULL)
            return no_memory(err);
        if (lc_path_is_file(path))
            status = open_font(s, path, err);
    }
    if (status == LOCO_OK && s->pianos.len == 0)
        status = lc_err_set(
            err, LOCO_EDATA,
            "no piano: install fluid-soundfont-gm or timgm6mb-soundfont, or give samples or soundfonts");
    return status;
}

static loco_status open_all(piano_sources *s, const studio_piano_options *piano, loco_err *err)
{
    bool given = (piano->samples != NULL && piano->samples[0] != 0) ||
                 (piano->soundfonts != NULL && piano->soundfonts[0] != 0);
    loco_status status = piano->held_out != NULL ? lc_held_out_load(&s->rules, piano->held_out, err) : LOCO_OK;
    s->side = (lc_kit_side){piano->held_out != NULL ? &s->rules : NULL, s->recital.synth.unseen};
    if (status == LOCO_OK)
        status = for_each(s, piano->midi, open_midi, err);
    if (status == LOCO_OK)
        status = for_each(s, piano->samples, open_samples, err);
    if (status == LOCO_OK)
        status = for_each(s, piano->soundfonts, open_font, err);
    if (status == LOCO_OK && !given)
        status = open_usual_fonts(s, err);
    return status;
}

/* The columns, in order of pitch. */
static loco_status name_classes(piano_sources *s, const char *list, loco_err *err)
{
    bool chosen[LC_PITCHES];
    loco_status status = lc_pitches_parse(chosen, list, err);
    for (size_t pitch = 0; status == LOCO_OK && pitch < LC_PITCHES; pitch++) {
        lc_text name = {0};
        s->recital.class_of[pitch] = chosen[pitch] ? s->classes : SIZE_MAX;
        if (!chosen[pitch])
            continue;
        lc_text_format(&name, "%zu", pitch);
        const char *kept = name.failed ? NULL : lc_store_string(&s->pianos.store, name.bytes, name.length);
        lc_text_free(&name);
        if (kept == NULL)
            return no_memory(err);
        s->names[s->classes++] = kept;
    }
    return status;
}

/* lc_recital as an lc_synth_maker. */
static loco_status make(const void *context, size_t index, float **samples, size_t *n, loco_event **events,
                        size_t *events_len, loco_err *err)
{
    return lc_recital(context, index, samples, n, events, events_len, err);
}

/* MIDI files by number alone: a model carries this list, and should not name anybody's folders. */
static loco_status write_set(piano_sources *s, const char *folder, size_t recordings, const studio_piano_options *piano,
                             loco_err *err)
{
    lc_text list = {0};
    lc_pianos_list(&s->pianos, &list);
    if (s->pieces.len > 0)
        lc_text_format(&list, "midi\t%zu files, %zu notes\n", s->pieces.len, s->pieces.notes);
    if (list.failed)
        return no_memory(err);
    lc_synth_job job = {.settings = s->recital.synth,
                        .recordings = recordings,
                        .classes = s->classes,
                        .names = s->names,
                        .velocities = true,
                        .clip_shortest = LC_SYNTH_SHORTEST,
                        .clip_longest = LC_SYNTH_LONGEST,
                        .make = make,
                        .context = &s->recital,
                        .pool = s->pool,
                        .sources = list.bytes,
                        .progress = piano->progress,
                        .progress_context = piano->context};
    loco_status status = lc_synth_write(folder, &job, err);
    lc_text_free(&list);
    return status;
}

static loco_status run(piano_sources *s, const char *folder, size_t recordings, const studio_piano_options *piano,
                       loco_err *err)
{
    loco_status status = lc_pool_new(&s->pool, piano->threads > 0 ? piano->threads : 2, err);
    if (status != LOCO_OK)
        return status;
    status = name_classes(s, piano->classes, err);
    if (status == LOCO_OK)
        status = open_all(s, piano, err);
    s->recital.pianos = &s->pianos;
    s->recital.pieces = &s->pieces;
    if (status == LOCO_OK)
        status = write_set(s, folder, recordings, piano, err);
    lc_held_out_free(&s->rules);
    lc_pieces_free(&s->pieces);
    lc_pianos_free(&s->pianos);
    lc_pool_free(s->pool);
    return status;
}

static loco_status check(const studio_piano_options *piano, loco_err *err)
{
    if (piano->threads > MOST_THREADS)
        return lc_err_set(err, LOCO_EARG, "%u threads; there can be 1 to %d", piano->threads, MOST_THREADS);
    bool usual = !(piano->tuning < 0) && !(piano->tuning > 0);
    if (!usual && !(piano->tuning >= LOWEST_TUNING && piano->tuning <= HIGHEST_TUNING))
        return lc_err_set(err, LOCO_EARG, "a piano tuned to %g Hz; expected %d to %d", piano->tuning, LOWEST_TUNING,
                          HIGHEST_TUNING);
    return LOCO_OK;
}

loco_status studio_synth_piano(const char *folder, const studio_synth_options *given,
                               const studio_piano_options *given_piano, loco_err *err)
{
    studio_synth_options options;
    studio_piano_options piano;
    loco_status status = lc_synth_options_read(&options, given, err);
    if (status == LOCO_OK)
        status = lc_options_read(&piano, sizeof piano, given_piano, "studio_piano_options", err);
    if (status == LOCO_OK)
        status = check(&piano, err);
    if (status != LOCO_OK)
        return status;
    piano_sources s = {
        .recital = {.synth = {.rate = piano.rate > 0 ? piano.rate : DEFAULT_RATE,
                              .seconds = options.seconds,
                              .seed = options.seed,
                              .unseen = options.unseen},
                    .tuning = piano.tuning > 0 ? piano.tuning : TUNING}
    };
    status = lc_synth_check(&s.recital.synth, err);
    return status == LOCO_OK ? run(&s, folder, options.recordings, &piano, err) : status;
}
