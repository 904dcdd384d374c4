/* SPDX-License-Identifier: MIT
 * split.c - one data set into several, by recording: for training, for testing, and for choosing between models.
 *
 *   Random   a share of the recordings, drawn by seed, is the test set
 *   Subset   the recordings whose name fits a pattern, such as RealDrum*, are the test set
 *
 * and of what is left a share may be drawn for validation. A recording is never on two sides: its clips share a room, a
 * drummer and a kit, and a test on them would only show how well these are remembered.
 *
 * Each part is a data set of its own: links to the sounds, the rows of counts.csv and events.csv that belong to them,
 * and a link to sources.txt, which names the authors of the sounds. A sound in a folder below, a/b.wav, becomes
 * a_b.wav. */
#include "base/folder.h"
#include "base/options.h"
#include "base/rng.h"
#include "base/status.h"
#include "data/dataset.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRAIN = LOCO_SPLIT_TRAIN, TEST = LOCO_SPLIT_TEST, VALID = LOCO_SPLIT_VALID, PARTS = LOCO_SPLIT_PARTS };

static const char *const part_names[PARTS] = {"train", "test", "valid"};

typedef struct splitter {
    const lc_dataset *set;
    const char *to;
    uint8_t *part;       /* of each recording */
    const char **links;  /* what each is called in its part */
    size_t sizes[PARTS]; /* recordings in each */
    lc_store store;
} splitter;

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory to split a data set");
}

/* ---- which recording goes where ---- */

/* Moves `wanted` of the recordings that are still in TRAIN, each set of that many being as likely as any other. */
static void draw(splitter *s, size_t wanted, uint8_t part, lc_rng *rng)
{
    size_t left = s->sizes[TRAIN];
    for (size_t i = 0; i < s->set->recordings_len; i++) {
        if (s->part[i] != TRAIN)
            continue;
        if (lc_rng_uniform(rng) * (double)left-- < (double)wanted) {
            wanted--;
            s->part[i] = part;
            s->sizes[part]++;
            s->sizes[TRAIN]--;
        }
    }
}

static const char *base_name(const char *name)
{
    return name + lc_path_folder(name);
}

/* The pattern may also fit the name without its folder, or without its ending. */
static bool fits(const char *pattern, const char *name, lc_store *store)
{
    const char *base = base_name(name), *stem = lc_store_string(store, base, lc_path_stem(base));
    return fnmatch(pattern, name, 0) == 0 || fnmatch(pattern, base, 0) == 0 ||
           (stem != NULL && fnmatch(pattern, stem, 0) == 0);
}

/* All recordings that fit become the test set; both sides must have some. */
static loco_status choose_by_pattern(splitter *s, const char *pattern, loco_err *err)
{
    const lc_dataset *set = s->set;
    for (size_t i = 0; i < set->recordings_len; i++)
        if (fits(pattern, set->recordings[i].name, &s->store)) {
            s->part[i] = TEST;
            s->sizes[TEST]++;
            s->sizes[TRAIN]--;
        }
    if (s->sizes[TEST] == 0 || s->sizes[TRAIN] == 0)
        return lc_err_set(err, LOCO_EDATA, "%.80s: %s of the %zu recordings fits \"%.40s\"; the first is \"%.40s\"",
                          set->where, s->sizes[TEST] == 0 ? "none" : "every one", set->recordings_len, pattern,
                          set->recordings[0].name);
    return LOCO_OK;
}

/* At least one on each side that is asked for. */
static size_t share_of(size_t n, double share)
{
    return share > 0 ? (size_t)fmax(1, round(share * (double)n)) : 0;
}

/* Test first, then validation from what is left. */
static loco_status choose(splitter *s, const loco_split_options *how, loco_err *err)
{
    lc_rng rng = lc_rng_seed(how->seed);
    size_t n = s->set->recordings_len, test = share_of(n, how->test), valid = share_of(n, how->valid);
    s->sizes[TRAIN] = n;
    if (how->pattern != NULL) {
        loco_status status = choose_by_pattern(s, how->pattern, err);
        if (status != LOCO_OK)
            return status;
        valid = share_of(s->sizes[TRAIN], how->valid);
        test = 0;
    }
    if (test + valid >= s->sizes[TRAIN])
        return lc_err_set(err, LOCO_EDATA,
                          "%.100s: of %zu recordings, %zu would be kept out, and none is left to train on",
                          s->set->where, n, n - s->sizes[TRAIN] + test + valid);
    draw(s, test, TEST, &rng);
    draw(s, valid, VALID, &rng);
    return LOCO_OK;
}

/* ---- names in the parts ---- */

/* `../a/b.wav` becomes a_b.wav. */
static char *flat_name(lc_store *store, const char *name)
{
    while (strncmp(name, "../", 3) == 0 || name[0] == '/')
        name += name[0] == '/' ? 1 : 3;
    char *flat = lc_store_string(store, name, strlen(name));
    for (size_t i = 0; flat != NULL && flat[i] != 0; i++)
        flat[i] = flat[i] == '/' ? '_' : flat[i];
    return flat;
}

/* Names of links must differ: a/b.wav and a_b.wav would be one file. */
static loco_status name_links(splitter *s, loco_err *err)
{
    lc_names names = {0};
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < s->set->recordings_len; i++) {
        size_t before = names.len;
        const char *flat = flat_name(&s->store, s->set->recordings[i].name);
        s->links[i] = flat;
        if (flat == NULL || lc_names_add(&names, &s->store, flat, strlen(flat)) == LC_NAMES_NONE)
            status = out_of_memory(err);
        else if (names.len == before)
            status = lc_err_set(err, LOCO_EDATA, "%.80s: two recordings would both be called %.80s", s->set->where,
                                flat);
    }
    lc_names_free(&names);
    return status;
}

/* ---- writing ---- */

static loco_status make_folder(const char *path, loco_err *err)
{
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && lc_path_is_folder(path)))
        return LOCO_OK;
    return lc_err_set(err, LOCO_EIO, "%.150s cannot be made: %s", path, strerror(errno));
}

/* A part is made as train.part, and renamed when all of them are there. */
static const char *part_folder(splitter *s, size_t part, bool made)
{
    const char *folder = lc_path_join(&s->store, s->to, strlen(s->to), part_names[part]);
    if (folder == NULL || made)
        return folder;
    char *path = lc_store_take(&s->store, strlen(folder) + sizeof ".part", 1);
    if (path != NULL)
        snprintf(path, strlen(folder) + sizeof ".part", "%s.part", folder);
    return path;
}

static void remove_from(splitter *s, const char *folder, const char *name)
{
    const char *path = lc_path_join(&s->store, folder, strlen(folder), name);
    if (path != NULL)
        unlink(path);
}

/* What a failure, now or in a run that was killed, has left of a part. */
static void remove_part(splitter *s, uint8_t part)
{
    static const char *const others[] = {"sources.txt", "counts.csv", "events.csv"};
    const char *folder = part_folder(s, part, false);
    if (folder == NULL || !lc_path_is_folder(folder))
        return;
    for (size_t i = 0; i < s->set->recordings_len; i++)
        if (s->links[i] != NULL)
            remove_from(s, folder, s->links[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        remove_from(s, folder, others[i]);
    rmdir(folder);
}

/* In folder, to a file anywhere. */
static loco_status link_to(splitter *s, const char *folder, const char *name, const char *target, loco_err *err)
{
    char *whole = realpath(target, NULL), *path = lc_path_join(&s->store, folder, strlen(folder), name);
    loco_status status = LOCO_OK;
    if (path == NULL)
        status = out_of_memory(err);
    else if (whole == NULL)
        status = lc_err_set(err, LOCO_EDATA, "%.150s: %s", target, strerror(errno));
    else if (symlink(whole, path) != 0)
        status = lc_err_set(err, LOCO_EIO, "%.150s cannot be made: %s", path, strerror(errno));
    free(whole);
    return status;
}

static loco_status link_sources(splitter *s, const char *folder, loco_err *err)
{
    const char *where = s->set->where;
    size_t length = lc_path_is_folder(where) ? strlen(where) : lc_path_folder(where);
    const char *path = lc_path_join(&s->store, where, length, "sources.txt");
    if (path == NULL)
        return out_of_memory(err);
    return lc_path_is_file(path) ? link_to(s, folder, "sources.txt", path, err) : LOCO_OK;
}

/* The clips of a part, of the recordings under their new names. */
static loco_status save_counts(splitter *s, uint8_t part, const char *folder, loco_err *err)
{
    lc_dataset some = *s->set;
    lc_recording *recordings = lc_store_take(&s->store, some.recordings_len, sizeof *recordings);
    lc_clip *clips = lc_store_take(&s->store, some.clips_len, sizeof *clips);
    const char *path = lc_path_join(&s->store, folder, strlen(folder), "counts.csv");
    if (recordings == NULL || clips == NULL || path == NULL)
        return out_of_memory(err);
    for (size_t i = 0; i < some.recordings_len; i++)
        recordings[i] = (lc_recording){.name = s->links[i]};
    some.recordings = recordings;
    some.clips_len = 0;
    for (size_t i = 0; i < s->set->clips_len; i++)
        if (s->part[s->set->clips[i].recording] == part)
            clips[some.clips_len++] = s->set->clips[i];
    some.clips = clips;
    return lc_dataset_save_counts(path, &some, err);
}

/* The events of the recordings whose events are known; no file when there is none. */
static loco_status save_events(splitter *s, uint8_t part, const char *folder, loco_err *err)
{
    const lc_dataset *set = s->set;
    lc_event_file *files = lc_store_take(&s->store, set->recordings_len, sizeof *files);
    const char *path = lc_path_join(&s->store, folder, strlen(folder), "events.csv");
    size_t n = 0;
    if (files == NULL || path == NULL)
        return out_of_memory(err);
    for (size_t i = 0; i < set->recordings_len; i++) {
        const lc_recording *r = &set->recordings[i];
        if (s->part[i] == part && r->timed)
            files[n++] = (lc_event_file){s->links[i], r->events, r->events_len};
    }
    const lc_event_list list = {.classes = set->classes,
                                .classes_len = set->classes_len,
                                .files = files,
                                .files_len = n,
                                .places = set->places};
    return n > 0 ? lc_event_list_save_csv(path, &list, err) : LOCO_OK;
}

/* counts.csv only for a set that has clips. */
static loco_status save_part(splitter *s, uint8_t part, loco_err *err)
{
    const char *folder = part_folder(s, part, false);
    loco_status status = folder != NULL ? make_folder(folder, err) : out_of_memory(err);
    for (size_t i = 0; status == LOCO_OK && i < s->set->recordings_len; i++)
        if (s->part[i] == part)
            status = link_to(s, folder, s->links[i], s->set->recordings[i].path, err);
    if (status == LOCO_OK)
        status = link_sources(s, folder, err);
    if (status == LOCO_OK && s->set->clips_len > 0)
        status = save_counts(s, part, folder, err);
    return status == LOCO_OK ? save_events(s, part, folder, err) : status;
}

/* ---- all parts ---- */

static loco_status check_absent(splitter *s, loco_err *err)
{
    for (size_t part = 0; part < PARTS; part++) {
        const char *folder = s->sizes[part] > 0 ? part_folder(s, part, true) : s->to;
        if (folder == NULL)
            return out_of_memory(err);
        if (folder != s->to && (lc_path_is_file(folder) || lc_path_is_folder(folder)))
            return lc_err_set(err, LOCO_EIO, "%.150s cannot be made: it is there already; name a new folder", folder);
    }
    return LOCO_OK;
}

static loco_status rename_parts(splitter *s, loco_err *err)
{
    for (size_t part = 0; part < PARTS; part++) {
        const char *from = part_folder(s, part, false), *to = part_folder(s, part, true);
        if (from == NULL || to == NULL)
            return out_of_memory(err);
        if (s->sizes[part] > 0 && rename(from, to) != 0)
            return lc_err_set(err, LOCO_EIO, "%.150s cannot be made: %s", to, strerror(errno));
    }
    return LOCO_OK;
}

static loco_status save_parts(splitter *s, loco_err *err)
{
    loco_status status = check_absent(s, err);
    if (status == LOCO_OK)
        status = make_folder(s->to, err);
    for (uint8_t part = 0; status == LOCO_OK && part < PARTS; part++)
        remove_part(s, part);
    for (uint8_t part = 0; status == LOCO_OK && part < PARTS; part++)
        if (s->sizes[part] > 0)
            status = save_part(s, part, err);
    if (status == LOCO_OK)
        status = rename_parts(s, err);
    for (uint8_t part = 0; status != LOCO_OK && part < PARTS; part++)
        remove_part(s, part);
    return status;
}

/* ---- the whole split ---- */

static loco_status check(const loco_split_options *how, loco_err *err)
{
    if (how->pattern == NULL && !(how->test > 0 && how->test < 1))
        return lc_err_set(err, LOCO_EARG, "the share of the test set is %g; it must lie between 0 and 1", how->test);
    if (!(how->valid >= 0 && how->valid < 1))
        return lc_err_set(err, LOCO_EARG, "the share for validation is %g; it must be 0 or more, and below 1",
                          how->valid);
    return LOCO_OK;
}

static loco_status split(splitter *s, const loco_split_options *how, loco_err *err)
{
    size_t n = s->set->recordings_len;
    s->part = lc_store_take(&s->store, n, sizeof *s->part);
    s->links = lc_store_take(&s->store, n, sizeof *s->links);
    if (s->part == NULL || s->links == NULL)
        return out_of_memory(err);
    memset(s->part, TRAIN, n);
    loco_status status = choose(s, how, err);
    if (status == LOCO_OK)
        status = name_links(s, err);
    return status == LOCO_OK ? save_parts(s, err) : status;
}

loco_status loco_split(size_t recordings[LOCO_SPLIT_PARTS], const char *to, const char *data,
                       const loco_split_options *options, loco_err *err)
{
    lc_dataset *set = NULL;
    loco_split_options how;
    loco_status status = lc_options_read(&how, sizeof how, options, "loco_split_options", err);
    if (status == LOCO_OK)
        status = check(&how, err);
    if (status == LOCO_OK)
        status = lc_dataset_load(&set, data, err);
    if (status != LOCO_OK)
        return status;
    splitter s = {.set = set, .to = to};
    status = split(&s, &how, err);
    if (status == LOCO_OK)
        memcpy(recordings, s.sizes, sizeof s.sizes);
    lc_store_free(&s.store);
    lc_dataset_free(set);
    return status;
}
