/* SPDX-License-Identifier: MIT
 *
 * bank.c - loads kits, and finds sounds in them.
 *
 * A kit's description is read first, then all its sounds by the threads of the pool, one task a sound. A sound that is
 * missing or broken is left out and counted, since kits with a lost file are common; a kit without any sound that can
 * be read is an error.
 */
#include "studio/kits/bank.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "studio/import/xml.h"
#include "studio/kits/drumkit.h"
#include "studio/kits/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- kits -------------------------------------------------------------------------------------------------- */

bool lc_bank_takes(lc_voice_kind part, const lc_sample *sample, double rate)
{
    return sample->n > 0 && !(lc_part_group_of(part) == LC_GROUP_HAT && lc_sample_is_low(sample, rate));
}

lc_bank_kit *lc_bank_new_kit(lc_bank *bank)
{
    if (bank->len == LC_BANK_KITS)
        return NULL;
    lc_bank_kit *kits = lc_list_grow(bank->kits, &bank->capacity, bank->len + 1, sizeof *kits);
    if (kits == NULL)
        return NULL;
    bank->kits = kits;
    kits[bank->len] = (lc_bank_kit){.name = "", .author = "", .licence = "", .path = ""};
    return &kits[bank->len++];
}

void lc_bank_free(lc_bank *bank)
{
    for (size_t k = 0; k < bank->len; k++)
        for (size_t i = 0; i < bank->kits[k].instruments_len; i++)
            for (size_t l = 0; l < bank->kits[k].instruments[i].layers_len; l++)
                lc_sample_free(&bank->kits[k].instruments[i].layers[l].sample);
    free(bank->kits);
    lc_store_free(&bank->store);
    *bank = (lc_bank){0};
}

const lc_sample *lc_instrument_sample(const lc_instrument *instrument, double velocity)
{
    const lc_bank_layer *best = &instrument->layers[0];
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < instrument->layers_len; i++) {
        const lc_bank_layer *layer = &instrument->layers[i];
        double away = fmax(0, fmax(layer->min - velocity, velocity - layer->max));
        if (away < nearest) {
            nearest = away;
            best = layer;
        }
    }
    return &best->sample;
}

size_t lc_bank_kit_count(const lc_bank_kit *kit, lc_voice_kind part)
{
    size_t n = 0;
    for (size_t i = 0; i < kit->instruments_len; i++)
        n += kit->instruments[i].part == part;
    return n;
}

const lc_instrument *lc_bank_kit_find(const lc_bank_kit *kit, lc_voice_kind part, size_t index)
{
    for (size_t i = 0; i < kit->instruments_len; i++)
        if (kit->instruments[i].part == part && index-- == 0)
            return &kit->instruments[i];
    return NULL;
}

/* ---- loading ----------------------------------------------------------------------------------------------- */

typedef struct loading {
    lc_bank *bank;
    const char *folder; /* of the kit */
    double rate;
    lc_pool *pool;
    const lc_drumkit *kit;
    lc_bank_layer *layers; /* one for each of the kit */
    const char **paths;
    loco_status *states; /* of reading each */
} loading;

static loco_status no_memory(const char *path, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the drum kit %.150s", path);
}

/* One task of the pool. A sound that cannot be read stays empty. */
static void load_layer(void *context, size_t task, unsigned worker)
{
    loading *l = context;
    (void)worker;
    l->states[task] = lc_sample_load(&l->layers[task].sample, l->paths[task], l->rate, NULL);
}

/* Where each sound is, and its range of velocities. */
static bool plan_layers(loading *l)
{
    size_t n = l->kit->layers_len;
    l->layers = lc_store_take(&l->bank->store, n + 1, sizeof *l->layers);
    l->paths = lc_store_take(&l->bank->store, n + 1, sizeof *l->paths);
    l->states = lc_store_take(&l->bank->store, n + 1, sizeof *l->states);
    if (l->layers == NULL || l->paths == NULL || l->states == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const lc_drumkit_layer *from = &l->kit->layers[i];
        l->layers[i] = (lc_bank_layer){.min = from->min, .max = from->max};
        l->paths[i] = lc_path_join(&l->bank->store, l->folder, strlen(l->folder), from->file);
        if (l->paths[i] == NULL)
            return false;
    }
    return true;
}

/* Groups the layers that have the sound of their part into instruments; the kit owns their sounds from here on. */
static void gather(const loading *l, lc_bank_kit *kit)
{
    size_t before = SIZE_MAX, kept = 0;
    for (size_t i = 0; i < l->kit->layers_len; i++) {
        const lc_drumkit_layer *from = &l->kit->layers[i];
        if (!lc_bank_takes(from->part, &l->layers[i].sample, l->rate)) {
            kit->missing += l->layers[i].sample.n == 0;
            lc_sample_free(&l->layers[i].sample);
            continue;
        }
        l->layers[kept] = l->layers[i];
        if (from->instrument != before)
            kit->instruments[kit->instruments_len++] = (lc_instrument){.part = from->part, .layers = &l->layers[kept]};
        kit->instruments[kit->instruments_len - 1].layers_len++;
        before = from->instrument;
        kept++;
    }
}

static size_t bytes_of(const loading *l)
{
    size_t bytes = 0;
    for (size_t i = 0; i < l->kit->layers_len; i++)
        bytes += l->layers[i].sample.n * sizeof(int16_t);
    return bytes;
}

/* Decodes all sounds of a kit; those that are missing are counted. */
static loco_status load_sounds(loading *l, const char *name, loco_err *err)
{
    lc_bank_kit *kit = plan_layers(l) ? lc_bank_new_kit(l->bank) : NULL;
    lc_instrument *instruments = lc_store_take(&l->bank->store, l->kit->layers_len + 1, sizeof *instruments);
    if (kit == NULL || instruments == NULL)
        return no_memory(l->folder, err);
    *kit = (lc_bank_kit){.name = name, .author = l->kit->author, .licence = l->kit->licence, .path = l->folder};
    kit->instruments = instruments;
    lc_pool_run(l->pool, l->kit->layers_len, load_layer, l);
    size_t bytes = bytes_of(l);
    gather(l, kit);
    for (size_t i = 0; i < l->kit->layers_len; i++)
        if (l->states[i] == LOCO_ENOMEM)
            return no_memory(l->folder, err);
    if (bytes > LC_BANK_BYTES)
        return lc_err_set(err, LOCO_EDATA, "the sounds of %.150s take %zu MiB; at most %d are read", l->folder,
                          bytes >> 20, LC_BANK_BYTES >> 20);
    if (kit->instruments_len == 0)
        return lc_err_set(err, LOCO_EDATA, "none of the %zu sounds of %.150s could be read", l->kit->layers_len,
                          l->folder);
    return LOCO_OK;
}

/* A kit without any instrument that we know by name is passed over: this is not a mistake in the kit. */
static loco_status load_kit(lc_bank *bank, const char *folder, const char *name, double rate, lc_pool *pool,
                            loco_err *err)
{
    char *bytes = NULL;
    size_t length = 0;
    lc_drumkit kit = {0};
    const char *file = lc_path_join(&bank->store, folder, strlen(folder), "drumkit.xml");
    if (file == NULL)
        return no_memory(folder, err);
    loco_status status = lc_file_load(file, LC_XML_BYTES, &bytes, &length, err);
    if (status == LOCO_OK)
        status = lc_drumkit_parse(&kit, &bank->store, file, bytes, length, err);
    free(bytes);
    if (status != LOCO_OK || kit.layers_len == 0)
        return status;
    loading l = {.bank = bank, .folder = folder, .rate = rate, .pool = pool, .kit = &kit};
    return load_sounds(&l, name, err);
}

static bool is_kit(lc_store *store, const char *folder)
{
    const char *file = lc_path_join(store, folder, strlen(folder), "drumkit.xml");
    return file != NULL && lc_path_is_file(file);
}

/* The last part of a path, without slashes behind it. */
static char *name_of(lc_store *store, const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    return lc_store_string(store, path + begin, end - begin);
}

/* Nothing happens for a kit on the other side of the split. */
static loco_status add_kit(lc_bank *bank, const char *folder, lc_kit_side side, double rate, lc_pool *pool,
                           loco_err *err)
{
    const char *name = name_of(&bank->store, folder);
    if (name == NULL)
        return no_memory(folder, err);
    return lc_kit_side_has(side, name) ? load_kit(bank, folder, name, rate, pool, err) : LOCO_OK;
}

loco_status lc_bank_add_kits(lc_bank *bank, const char *path, lc_kit_side side, double rate, lc_pool *pool,
                             loco_err *err)
{
    const char *const *names;
    size_t len, found = 0;
    const char *root = lc_store_string(&bank->store, path, strlen(path));
    if (root == NULL)
        return no_memory(path, err);
    if (is_kit(&bank->store, root))
        return add_kit(bank, root, side, rate, pool, err);
    loco_status status = lc_folder_list(&names, &len, &bank->store, root, err);
    for (size_t i = 0; status == LOCO_OK && i < len; i++) {
        const char *folder = lc_path_join(&bank->store, root, strlen(root), names[i]);
        if (folder == NULL)
            return no_memory(path, err);
        if (!is_kit(&bank->store, folder))
            continue;
        found++;
        status = add_kit(bank, folder, side, rate, pool, err);
    }
    if (status == LOCO_OK && found == 0)
        status = lc_err_set(err, LOCO_EDATA,
                            "%.150s holds no drum kit; name a folder with drumkit.xml, or a folder of such folders",
                            path);
    return status;
}

/* One line: of several lines of a licence, the first. */
static void append_line(lc_text *text, const char *line)
{
    lc_text_append(text, line, strcspn(line, "\r\n"));
}

void lc_bank_list(const lc_bank *bank, lc_text *text)
{
    for (size_t i = 0; i < bank->len; i++) {
        const lc_bank_kit *kit = &bank->kits[i];
        lc_text_format(text, "kit\t%s\t", kit->name);
        append_line(text, kit->author[0] != 0 ? kit->author : "author not stated");
        lc_text_string(text, "\t");
        append_line(text, kit->licence[0] != 0 ? kit->licence : "licence not stated");
        lc_text_format(text, "\t%zu instruments", kit->instruments_len);
        if (kit->missing > 0)
            lc_text_format(text, ", %zu sounds missing", kit->missing);
        lc_text_string(text, "\n");
    }
}
