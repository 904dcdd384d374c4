/* SPDX-License-Identifier: MIT
 *
 * piano_samples.c - loads sets of samples: the description is read first, then all sounds by the threads of the pool.
 *
 * A sample that is missing or cannot be read is an error that names it: without it the keys around it would sound wrong,
 * and nobody would notice.
 */
#include "base/folder.h"
#include "base/plain_text.h"
#include "base/status.h"
#include "signal/sound.h"
#include "studio/piano/piano.h"
#include "studio/piano/sfz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 4 };

typedef struct piano_loading {
    const lc_sfz *sfz;
    const char **paths; /* of each sound */
    lc_zone *zones;
    double rate;
    loco_status *states;
    loco_err *errs;
} piano_loading;

static loco_status no_memory(const char *path, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the piano %.150s", path);
}

/* One task of the pool. */
static void load_zone(void *context, size_t task, unsigned worker)
{
    piano_loading *l = context;
    double seconds = 0, own;
    float *samples = NULL;
    size_t n = 0;
    loco_err *err = &l->errs[task];
    (void)worker;
    loco_status status = lc_sound_length(l->paths[task], &seconds, &own, err);
    if (status == LOCO_OK)
        status = lc_sound_load(l->paths[task], 0, fmin(seconds, LC_PIANO_SECONDS), l->rate, &samples, &n, err);
    if (status == LOCO_OK && !lc_zone_cut(&l->zones[task], samples, n, l->rate))
        status = no_memory(l->paths[task], err);
    if (status == LOCO_OK && l->zones[task].n == 0)
        status = lc_err_set(err, LOCO_EDATA, "%s: a sample of a piano that is silent",
                            lc_place_show((lc_place){l->paths[task], 0, NULL}).text);
    free(samples);
    l->states[task] = status;
}

/* Where each sound is, and what it is for. LOCO_EDATA for one that is missing, before any is read. */
static loco_status plan(piano_loading *l, lc_store *store, const char *path, loco_err *err)
{
    for (size_t i = 0; i < l->sfz->len; i++) {
        const lc_sfz_region *from = &l->sfz->regions[i];
        l->zones[i] = (lc_zone){.lokey = from->lokey,
                                .hikey = from->hikey,
                                .lovel = from->lovel,
                                .hivel = from->hivel,
                                .centre = from->centre};
        l->paths[i] = lc_path_join(store, path, lc_path_folder(path), from->sample);
        if (l->paths[i] == NULL)
            return no_memory(path, err);
        if (!lc_path_is_file(l->paths[i]))
            return lc_err_set(err, LOCO_EDATA, "%s: its sample %s is missing",
                              lc_place_show((lc_place){path, 0, NULL}).text, lc_show(from->sample).text);
    }
    return LOCO_OK;
}

static loco_status load_all(piano_loading *l, const char *path, lc_pool *pool, loco_err *err)
{
    size_t bytes = 0;
    lc_pool_run(pool, l->sfz->len, load_zone, l);
    for (size_t i = 0; i < l->sfz->len; i++) {
        if (l->states[i] != LOCO_OK && err != NULL)
            *err = l->errs[i];
        if (l->states[i] != LOCO_OK)
            return l->states[i];
        bytes += l->zones[i].n * sizeof(int16_t);
    }
    return bytes <= LC_PIANO_BYTES
               ? LOCO_OK
               : lc_err_set(err, LOCO_EDATA, "the sounds of %.150s take %zu MiB; at most %d are read", path,
                            bytes >> 20, LC_PIANO_BYTES >> 20);
}

/* One .sfz file; the piano is called as it. */
static loco_status load_sfz(lc_pianos *pianos, const char *path, double rate, lc_pool *pool, loco_err *err)
{
    lc_sfz sfz;
    size_t folder = lc_path_folder(path);
    loco_status status = lc_sfz_load(&sfz, &pianos->store, path, err);
    if (status != LOCO_OK)
        return status;
    piano_loading l = {.sfz = &sfz, .rate = rate};
    const char *name = lc_store_string(&pianos->store, path + folder, lc_path_stem(path) - folder);
    l.paths = calloc(sfz.len, sizeof *l.paths);
    l.zones = calloc(sfz.len, sizeof *l.zones);
    l.states = calloc(sfz.len, sizeof *l.states);
    l.errs = calloc(sfz.len, sizeof *l.errs);
    if (name == NULL || l.paths == NULL || l.zones == NULL || l.states == NULL || l.errs == NULL)
        status = no_memory(path, err);
    if (status == LOCO_OK)
        status = plan(&l, &pianos->store, path, err);
    if (status == LOCO_OK)
        status = load_all(&l, path, pool, err);
    if (status == LOCO_OK)
        status = lc_pianos_add(pianos, name, sfz.about, l.zones, sfz.len, err);
    if (status != LOCO_OK)
        lc_zones_free(l.zones, sfz.len);
    free(l.paths);
    free(l.states);
    free(l.errs);
    return status;
}

/* A .sfz file, or all below a folder. *found counts them. */
static loco_status visit(lc_pianos *pianos, const char *path, double rate, lc_pool *pool, size_t depth, loco_err *err)
{
    static const char *const endings[] = {".sfz", NULL};
    const char *const *names;
    size_t len = 0;
    if (!lc_path_is_folder(path))
        return depth == 0 || lc_path_ends(path, endings) ? load_sfz(pianos, path, rate, pool, err) : LOCO_OK;
    loco_status status = depth < DEEPEST ? lc_folder_list(&names, &len, &pianos->store, path, err) : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < len; i++) {
        const char *below = lc_path_join(&pianos->store, path, strlen(path), names[i]);
        status = below != NULL ? visit(pianos, below, rate, pool, depth + 1, err) : no_memory(path, err);
    }
    return status;
}

loco_status lc_pianos_add_samples(lc_pianos *pianos, const char *path, double rate, lc_pool *pool, loco_err *err)
{
    size_t before = pianos->len;
    loco_status status = visit(pianos, path, rate, pool, 0, err);
    if (status == LOCO_OK && pianos->len == before)
        status = lc_err_set(err, LOCO_EDATA, "%.150s holds no .sfz file; name one, or a folder with some", path);
    return status;
}
