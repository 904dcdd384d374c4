/* SPDX-License-Identifier: MIT
 *
 * maestro.c - MAESTRO (Hawthorne et al. 2019): concerts on pianos that note down what is played.
 *
 *     maestro-v3.0.0.csv          split,...,midi_filename,audio_filename,...           one row a recording
 *     maestro-v3.0.0.json         the same: [{"split": "train", ...}, ...], or {"split": {"0": "train", ...}, ...}
 *     2018/NAME.midi, 2018/NAME.wav
 *
 * The table is read, CSV where there are both. Recordings become SPLIT_NAME.wav, so that a pattern finds the test set:
 * test_*. A sound that is missing although its MIDI file is there was not downloaded: the recording is skipped.
 */
#include "base/csv.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/json.h"
#include "base/status.h"
#include "events/midi_read.h"
#include "studio/import/import.h"

#include <stdlib.h>
#include <string.h>

enum { SPLIT, MIDI, AUDIO, FIELDS };

static const char *const fields[FIELDS] = {"split", "midi_filename", "audio_filename"};

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while importing");
}

/* ---- one recording ---- */

static loco_status read_notes(lc_import_take *take, loco_err *err)
{
    char *bytes = NULL;
    lc_midi_note *notes = NULL;
    size_t length = 0, len = 0;
    loco_status status = lc_file_load(take->path, LC_MIDI_BYTES, &bytes, &length, err);
    if (status == LOCO_OK)
        status = lc_midi_parse(&notes, &len, take->path, bytes, length, err);
    for (size_t i = 0; status == LOCO_OK && i < len; i++)
        status = lc_strokes_add(&take->strokes, (lc_place){take->path, 0, NULL}, notes[i].time, notes[i].note, err);
    if (status == LOCO_OK && len == 0)
        status = lc_err_set(err, LOCO_EDATA, "%s: a MIDI file without notes",
                            lc_place_show((lc_place){take->path, 0, NULL}).text);
    free(notes);
    free(bytes);
    return status;
}

/* Names of the table stay within the folder of the set, and a split is a word. */
static loco_status check_names(lc_place place, const char *const values[FIELDS], loco_err *err)
{
    for (size_t i = MIDI; i < FIELDS; i++)
        if (values[i][0] == '\0' || values[i][0] == '/' || strstr(values[i], "..") != NULL)
            return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a name of a file below the set",
                              lc_place_show(place).text, lc_show(values[i]).text);
    if (values[SPLIT][0] == '\0' || strspn(values[SPLIT], "abcdefghijklmnopqrstuvwxyz") != strlen(values[SPLIT]))
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a split; expected train, validation or test",
                          lc_place_show(place).text, lc_show(values[SPLIT]).text);
    return LOCO_OK;
}

static loco_status add(lc_import *import, lc_place place, const char *const values[FIELDS], loco_err *err)
{
    loco_status status = check_names(place, values, err);
    if (status != LOCO_OK)
        return status;
    lc_import_take take = {.path = lc_import_format(import, "%s/%s", import->from, values[MIDI])};
    take.file.sound = lc_import_format(import, "%s/%s", import->from, values[AUDIO]);
    take.file.name = lc_import_format(import, "%s_%s", values[SPLIT], values[AUDIO] + lc_path_folder(values[AUDIO]));
    if (take.path == NULL || take.file.sound == NULL || take.file.name == NULL)
        return out_of_memory(err);
    if (!lc_path_is_file(take.file.sound) || !lc_path_is_file(take.path)) {
        lc_import_skip(import, take.file.name);
        return LOCO_OK;
    }
    status = read_notes(&take, err);
    if (status == LOCO_OK)
        status = lc_import_measure(&take, err);
    if (status == LOCO_OK)
        status = lc_import_add_notes(import, &take, err);
    lc_strokes_free(&take.strokes);
    return status;
}

/* ---- the table ---- */

static loco_status import_csv(lc_import *import, const char *path, loco_err *err)
{
    lc_csv *table = NULL;
    size_t columns[FIELDS] = {0};
    loco_status status = lc_csv_load(&table, path, err);
    for (size_t i = 0; status == LOCO_OK && i < FIELDS; i++)
        status = lc_csv_need(&columns[i], table, fields[i], err);
    for (size_t row = 0; status == LOCO_OK && row < table->rows; row++) {
        const char *values[FIELDS];
        for (size_t i = 0; i < FIELDS; i++)
            values[i] = lc_csv_cell(table, row, columns[i]);
        status = add(import, lc_csv_place(table, row, columns[AUDIO]), values, err);
    }
    lc_csv_free(table);
    return status;
}

static loco_status refuse_json(const char *path, const char *field, loco_err *err)
{
    return lc_err_set(err, LOCO_EDATA, "%s: no \"%s\" for every recording, as MAESTRO has",
                      lc_place_show((lc_place){path, 0, NULL}).text, field);
}

/* A recording is an object of the list; or the item of the same key in the object of each field. */
static const char *json_text(const cJSON *root, const cJSON *item, const char *field)
{
    const cJSON *found = cJSON_IsArray(root) ? cJSON_GetObjectItemCaseSensitive(item, field)
                                             : cJSON_GetObjectItemCaseSensitive(
                                                   cJSON_GetObjectItemCaseSensitive(root, field), item->string);
    return cJSON_IsString(found) ? found->valuestring : NULL;
}

static loco_status import_items(lc_import *import, const char *path, const cJSON *root, loco_err *err)
{
    const cJSON *list = cJSON_IsArray(root) ? root : cJSON_GetObjectItemCaseSensitive(root, fields[AUDIO]);
    const cJSON *item = list != NULL ? list->child : NULL;
    if (list == NULL)
        return refuse_json(path, fields[AUDIO], err);
    for (; item != NULL; item = item->next) {
        const char *values[FIELDS];
        for (size_t i = 0; i < FIELDS; i++) {
            values[i] = json_text(root, item, fields[i]);
            if (values[i] == NULL)
                return refuse_json(path, fields[i], err);
        }
        loco_status status = add(import, (lc_place){path, 0, NULL}, values, err);
        if (status != LOCO_OK)
            return status;
    }
    return LOCO_OK;
}

static loco_status import_json(lc_import *import, const char *path, loco_err *err)
{
    char *text = NULL;
    size_t length = 0;
    cJSON *root = NULL;
    loco_status status = lc_file_load(path, LC_CSV_BYTES, &text, &length, err);
    if (status == LOCO_OK)
        status = lc_json_parse(&root, lc_place_show((lc_place){path, 0, NULL}).text, text, length, err);
    if (status == LOCO_OK)
        status = import_items(import, path, root, err);
    cJSON_Delete(root);
    free(text);
    return status;
}

/* The first of the names that is a table of MAESTRO with this ending; NULL: none. */
static const char *find_table(const char *const *names, size_t names_len, const char *ending)
{
    for (size_t i = 0; i < names_len; i++)
        if (strncmp(names[i], "maestro", 7) == 0 && strcmp(lc_path_ending(names[i]), ending) == 0)
            return names[i];
    return NULL;
}

loco_status lc_import_maestro(lc_import *import, loco_err *err)
{
    const char *const *names;
    size_t names_len = 0;
    loco_status status = lc_import_use_pitches(import, "MAESTRO", err);
    if (status == LOCO_OK)
        status = lc_folder_list(&names, &names_len, &import->store, import->from, err);
    if (status != LOCO_OK)
        return status;
    const char *csv = find_table(names, names_len, ".csv"), *json = find_table(names, names_len, ".json");
    if (csv == NULL && json == NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: no table maestro-*.csv or maestro-*.json, as MAESTRO has",
                          lc_place_show((lc_place){import->from, 0, NULL}).text);
    const char *path = lc_import_format(import, "%s/%s", import->from, csv != NULL ? csv : json);
    if (path == NULL)
        return out_of_memory(err);
    return csv != NULL ? import_csv(import, path, err) : import_json(import, path, err);
}
