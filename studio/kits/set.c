/* SPDX-License-Identifier: MIT
 *
 * set.c - the public function for data sets of sampled drums: opens kits, fonts and patterns, renders, writes.
 */
#include "base/folder.h"
#include "base/options.h"
#include "base/status.h"
#include "base/text.h"
#include "studio/kits/font.h"
#include "studio/kits/render.h"
#include "studio/studio.h"
#include "studio/synth/drums.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1024 };

typedef struct sources {
    lc_pool *pool;
    lc_bank bank;
    lc_performances performances;
    lc_songs songs;
    lc_fonts fonts;
    lc_held_out rules;
    lc_kit_side side;
    lc_render_settings render;
} sources;

typedef loco_status opener(sources *s, const char *path, loco_err *err);

/* Each part of a list that is separated by colons. */
static loco_status for_each(sources *s, const char *list, opener *open, loco_err *err)
{
    loco_status status = LOCO_OK;
    while (status == LOCO_OK && list != NULL && *list != 0) {
        size_t length = strcspn(list, ":");
        lc_text path = {0};
        lc_text_append(&path, list, length);
        if (path.failed)
            status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the name of a folder");
        else if (length > 0)
            status = open(s, path.bytes, err);
        lc_text_free(&path);
        list += length + (list[length] == ':');
    }
    return status;
}

static loco_status open_kits(sources *s, const char *path, loco_err *err)
{
    const lc_synth_settings *of = &s->render.synth;
    return lc_bank_add_kits(&s->bank, path, s->side, of->rate, s->pool, err);
}

static loco_status open_fonts(sources *s, const char *path, loco_err *err)
{
    return lc_font_find(&s->fonts, &s->bank.store, path, s->side, err);
}

/* Rules of the split, kits, fonts, music, patterns. Without any kit, all instruments must be synthesised. */
static loco_status open_all(sources *s, const studio_kit_options *kits, loco_err *err)
{
    loco_status status = kits->held_out != NULL ? lc_held_out_load(&s->rules, kits->held_out, err) : LOCO_OK;
    s->side = (lc_kit_side){kits->held_out != NULL ? &s->rules : NULL, s->render.synth.unseen};
    if (status == LOCO_OK)
        status = for_each(s, kits->kits, open_kits, err);
    if (status == LOCO_OK)
        status = for_each(s, kits->soundfonts, open_fonts, err);
    if (status == LOCO_OK)
        status = lc_font_add_kits(&s->bank, s->fonts.items, s->fonts.len, s->render.synth.rate, s->pool, err);
    if (status == LOCO_OK && kits->background > 0)
        status = lc_songs_load(&s->songs, s->fonts.items, s->fonts.len, s->render.synth.rate, s->render.synth.seed,
                               s->pool, err);
    if (status == LOCO_OK && kits->patterns != NULL)
        status = lc_performances_load(&s->performances, kits->patterns, s->side, err);
    if (status == LOCO_OK && s->bank.len == 0 && kits->synth < 1)
        status = lc_err_set(err, LOCO_EDATA,
                            "none of the kits and fonts is for a set %s; give others, or render one %s",
                            s->render.synth.unseen ? "of unseen kits" : "without unseen",
                            s->render.synth.unseen ? "without unseen" : "of unseen kits");
    return status;
}

/* lc_render as an lc_synth_maker. */
static loco_status make(const void *context, size_t index, float **samples, size_t *n, loco_event **events,
                        size_t *events_len, loco_err *err)
{
    return lc_render(context, index, samples, n, events, events_len, err);
}

/* sources.txt lists the kits, patterns and music that were used. */
static loco_status write_set(sources *s, const char *folder, size_t recordings, const studio_kit_options *kits,
                             loco_err *err)
{
    lc_text list = {0};
    lc_bank_list(&s->bank, &list);
    if (kits->patterns != NULL) /* by name only: a model carries this list, and should not name anybody's folders */
        lc_text_format(&list, "patterns\t%s\t%zu performances, %zu notes\n",
                       kits->patterns + lc_path_folder(kits->patterns), s->performances.len, s->performances.notes);
    if (kits->background > 0)
        lc_text_format(&list, "music\t%zu songs of our own, played by the SoundFonts above\n", s->songs.len);
    if (list.failed)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the list of kits");
    lc_synth_job job = {.settings = s->render.synth,
                        .recordings = recordings,
                        .classes = s->render.whole_kit ? LC_DRUMS
                                   : s->render.others  ? LC_SYNTH_COLUMNS
                                                       : LC_SYNTH_CLASSES,
                        .names = s->render.whole_kit ? lc_part_drums : NULL,
                        .velocities = s->render.whole_kit,
                        .clip_shortest = LC_SYNTH_SHORTEST,
                        .clip_longest = LC_SYNTH_LONGEST,
                        .make = make,
                        .context = &s->render,
                        .pool = s->pool,
                        .sources = list.bytes != NULL ? list.bytes : "",
                        .progress = kits->progress,
                        .progress_context = kits->context};
    loco_status status = lc_synth_write(folder, &job, err);
    lc_text_free(&list);
    return status;
}

static loco_status check_share(const char *what, double share, loco_err *err)
{
    return share >= 0 && share <= 1
               ? LOCO_OK
               : lc_err_set(err, LOCO_EARG, "the part of %s is %g; it must be from 0 to 1", what, share);
}

static loco_status check(const studio_synth_options *options, const studio_kit_options *kits, loco_err *err)
{
    loco_status status = check_share("instruments that are synthesised", kits->synth, err);
    if (status == LOCO_OK)
        status = check_share("recordings with music", kits->background, err);
    if (status == LOCO_OK)
        status = check_share("ordinary recordings", kits->ordinary, err);
    if (status == LOCO_OK && kits->others && !options->distractors)
        status = lc_err_set(err, LOCO_EARG, "columns for other drums need such drums: set distractors, too");
    if (status == LOCO_OK && kits->whole_kit && (kits->others || !options->distractors))
        status = lc_err_set(err, LOCO_EARG,
                            "columns for the whole kit need distractors, and have no others beside them");
    if (status == LOCO_OK && kits->threads > MOST_THREADS)
        status = lc_err_set(err, LOCO_EARG, "%u threads; there can be 1 to %d", kits->threads, MOST_THREADS);
    return status;
}

/* Renders and writes, from what was opened. */
static loco_status run(sources *s, const char *folder, size_t recordings, const studio_kit_options *kits, loco_err *err)
{
    loco_status status = lc_pool_new(&s->pool, kits->threads > 0 ? kits->threads : 2, err);
    if (status != LOCO_OK)
        return status;
    status = open_all(s, kits, err);
    s->render.bank = &s->bank;
    s->render.performances = &s->performances;
    s->render.songs = &s->songs;
    if (status == LOCO_OK)
        status = write_set(s, folder, recordings, kits, err);
    lc_songs_free(&s->songs);
    free(s->fonts.items);
    lc_held_out_free(&s->rules);
    lc_bank_free(&s->bank);
    lc_performances_free(&s->performances);
    lc_pool_free(s->pool);
    return status;
}

loco_status studio_synth_kits(const char *folder, const studio_synth_options *given,
                              const studio_kit_options *given_kits, loco_err *err)
{
    studio_synth_options options;
    studio_kit_options kits;
    loco_status status = lc_synth_options_read(&options, given, err);
    if (status == LOCO_OK)
        status = lc_options_read(&kits, sizeof kits, given_kits, "studio_kit_options", err);
    if (status == LOCO_OK)
        status = check(&options, &kits, err);
    if (status != LOCO_OK)
        return status;
    sources s = {
        .render = {.synth = {.rate = kits.rate > 0 ? kits.rate : 22050,
                             .seconds = options.seconds,
                             .seed = options.seed,
                             .unseen = options.unseen,
                             .distractors = options.distractors},
                   .synthesised = kits.synth,
                   .ordinary = kits.ordinary,
                   .others = kits.others,
                   .whole_kit = kits.whole_kit,
                   .background = kits.background}
    };
    status = lc_synth_check(&s.render.synth, err);
    return status == LOCO_OK ? run(&s, folder, options.recordings, &kits, err) : status;
}
