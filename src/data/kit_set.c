/* SPDX-License-Identifier: MIT
 *
 * kit_set.c - the public way to data sets of sampled drums: opens what was named, renders, writes.
 */
#include "base/status.h"
#include "base/text.h"
#include "data/folder.h"
#include "data/kit_font.h"
#include "data/kit_render.h"
#include "data/synth_drums.h"

#include <stdlib.h>
#include <string.h>

static const double shortest = 0.4, longest = 0.8; /* of a clip, as in synth.c */

typedef struct sources {
    lc_pool *pool;
    lc_bank bank;
    lc_performances performances;
    lc_songs songs;
    lc_font *fonts;
    size_t fonts_len, fonts_capacity;
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
    return lc_bank_add_kits(&s->bank, path, of->unseen, of->rate, s->pool, err);
}

static loco_status open_fonts(sources *s, const char *path, loco_err *err)
{
    return lc_font_find(&s->fonts, &s->fonts_len, &s->fonts_capacity, &s->bank.store, path, s->render.synth.unseen,
                        err);
}

static loco_status open_all(sources *s, const loco_kits *kits, loco_err *err)
{
    loco_status status = for_each(s, kits->kits, open_kits, err);
    if (status == LOCO_OK)
        status = for_each(s, kits->soundfonts, open_fonts, err);
    if (status == LOCO_OK)
        status = lc_font_add_kits(&s->bank, s->fonts, s->fonts_len, s->render.synth.rate, s->pool, err);
    if (status == LOCO_OK && kits->background > 0)
        status = lc_songs_load(&s->songs, s->fonts, s->fonts_len, s->render.synth.rate, s->render.synth.seed, s->pool,
                               err);
    if (status == LOCO_OK && kits->patterns != NULL)
        status = lc_performances_load(&s->performances, kits->patterns, s->render.synth.unseen, err);
    if (status == LOCO_OK && s->bank.len == 0 && kits->synth < 1)
        status = lc_err_set(err, LOCO_EDATA, "none of the kits is for this kind of set; others would be for sets %s",
                            s->render.synth.unseen ? "without unseen" : "of unseen kits");
    return status;
}

static loco_status make(const void *context, size_t index, float **samples, size_t *n, loco_event **events,
                        size_t *events_len, loco_err *err)
{
    return lc_render(context, index, samples, n, events, events_len, err);
}

static loco_status write_set(sources *s, const char *folder, size_t recordings, const loco_kits *kits, loco_err *err)
{
    lc_text list = {0};
    lc_bank_list(&s->bank, &list);
    if (kits->patterns != NULL) /* by name alone: a model carries this list, and nobody's folders */
        lc_text_format(&list, "patterns\t%s\t%zu performances, %zu notes\n",
                       kits->patterns + lc_path_folder(kits->patterns), s->performances.len, s->performances.notes);
    if (kits->background > 0)
        lc_text_format(&list, "music\t%zu songs of our own, played by the SoundFonts above\n", s->songs.len);
    if (list.failed)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the list of kits");
    lc_synth_job job = {.settings = s->render.synth,
                        .recordings = recordings,
                        .classes = s->render.others ? LC_SYNTH_COLUMNS : LC_SYNTH_CLASSES,
                        .clip_shortest = shortest,
                        .clip_longest = longest,
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

static loco_status check(const loco_synthesis *synthesis, const loco_kits *kits, loco_err *err)
{
    if (!(kits->synth >= 0 && kits->synth <= 1))
        return lc_err_set(err, LOCO_EARG, "the share of synthesised voices is %g; 0 to 1 would do", kits->synth);
    if (!(kits->background >= 0 && kits->background <= 1))
        return lc_err_set(err, LOCO_EARG, "the share of recordings with music is %g; 0 to 1 would do",
                          kits->background);
    if (!(kits->ordinary >= 0 && kits->ordinary <= 1))
        return lc_err_set(err, LOCO_EARG, "the share of ordinary recordings is %g; 0 to 1 would do", kits->ordinary);
    if (kits->others && !synthesis->distractors)
        return lc_err_set(err, LOCO_EARG, "columns for other drums need these: set distractors, too");
    if (kits->threads > 1024)
        return lc_err_set(err, LOCO_EARG, "%u threads were asked for; 1 to 1024 would do", kits->threads);
    return LOCO_OK;
}

loco_status loco_synth_kits(const char *folder, const loco_synthesis *synthesis, const loco_kits *kits, loco_err *err)
{
    sources s = {
        .render = {.synth = {.rate = kits->rate > 0 ? kits->rate : 22050,
                             .seconds = synthesis->seconds,
                             .seed = synthesis->seed,
                             .unseen = synthesis->unseen,
                             .distractors = synthesis->distractors},
                   .synthesised = kits->synth,
                   .ordinary = kits->ordinary,
                   .others = kits->others,
                   .background = kits->background}
    };
    loco_status status = check(synthesis, kits, err);
    if (status == LOCO_OK)
        status = lc_synth_check(&s.render.synth, err);
    if (status == LOCO_OK)
        status = lc_pool_new(&s.pool, kits->threads > 0 ? kits->threads : 2, err);
    if (status != LOCO_OK)
        return status;
    status = open_all(&s, kits, err);
    s.render.bank = &s.bank;
    s.render.performances = &s.performances;
    s.render.songs = &s.songs;
    if (status == LOCO_OK)
        status = write_set(&s, folder, synthesis->recordings, kits, err);
    lc_songs_free(&s.songs);
    free(s.fonts);
    lc_bank_free(&s.bank);
    lc_performances_free(&s.performances);
    lc_pool_free(s.pool);
    return status;
}
