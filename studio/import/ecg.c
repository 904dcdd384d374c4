/* SPDX-License-Identifier: MIT
 *
 * ecg.c - heart beats: records of PhysioNet's WFDB, such as the MIT-BIH Arrhythmia Database, and raw ones.
 *
 *     100.hea 100.dat 100.atr        header, samples, annotations; the recording is 100.hea
 *     100.i16 100.beats.csv          s16le at 360 Hz; `sample,is_pvc`, one row a beat. The recording is 100.i16, and
 *                                    series.format says what it is
 *
 * Two classes: pvc, beats that begin too early in a ventricle, and normal, all others. Besides events.csv there is
 * counts.csv with a row for each clip of --clip seconds (10): what is learned from. What is left over at the end of a
 * record has no row.
 */
#include "base/csv.h"
#include "base/file.h"
#include "base/folder.h"
#include "signal/wfdb.h"
#include "studio/import/import.h"
#include "studio/import/wfdb_marks.h"

#include <stdlib.h>
#include <string.h>

enum { NORMAL, PVC, LABELS };
static const char *const labels[LABELS][2] = {
    {"normal", "normal"},
    {"pvc",    "pvc"   },
};
static const lc_vocabulary vocabulary = {"an ECG data set", labels, LABELS, false};

static const double raw_rate = 360, default_clip = 10;
static const char raw_format[] = "type=s16le channels=1 rate=360\n";

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while importing");
}

/* What is left over at the end of a record has no row. */
static loco_status add(lc_import *import, lc_import_take *take, loco_err *err)
{
    double clip;
    loco_status status = lc_import_clip(&clip, import, default_clip, err);
    return status == LOCO_OK ? lc_import_add_counted(import, take, clip, false, err) : status;
}

/* ---- WFDB ---- */

/* Annotations that are not beats, such as changes of rhythm, are passed over. */
static loco_status read_marks(lc_import_take *take, loco_err *err)
{
    char *bytes = NULL;
    lc_wfdb_mark *marks = NULL;
    size_t length = 0, len = 0;
    loco_status status = lc_file_load(take->path, LC_TRACK_BYTES, &bytes, &length, err);
    if (status == LOCO_OK)
        status = lc_wfdb_marks_parse(&marks, &len, take->path, bytes, length, err);
    for (size_t i = 0; status == LOCO_OK && i < len; i++)
        if (lc_wfdb_is_beat(marks[i].code))
            status = lc_strokes_add(&take->strokes, (lc_place){take->path, 0, NULL},
                                    (double)marks[i].sample / take->rate, lc_wfdb_is_pvc(marks[i].code) ? PVC : NORMAL,
                                    err);
    free(marks);
    free(bytes);
    return status;
}

/* The file of samples that a header names, beside it. */
static loco_status find_samples(lc_import *import, lc_import_take *take, loco_err *err)
{
    char *text;
    size_t length;
    lc_wfdb_header header;
    loco_status status = lc_file_load(take->file.sound, LC_CSV_BYTES, &text, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_wfdb_header_parse(&header, take->file.sound, text, length, err);
    free(text);
    if (status != LOCO_OK)
        return status;
    take->file.beside = lc_import_format(import, "%s/%s", import->from, header.file);
    return take->file.beside != NULL ? LOCO_OK : out_of_memory(err);
}

/* One record of WFDB: its header is the recording, and the samples are linked beside it. */
static loco_status import_record(lc_import *import, const char *name, loco_err *err)
{
    int stem = (int)lc_path_stem(name);
    lc_import_take take = {
        .file = {.name = name, .sound = lc_import_format(import, "%s/%s", import->from, name)},
        .path = lc_import_format(import, "%s/%.*s.atr", import->from, stem, name)
    };
    if (take.file.sound == NULL || take.path == NULL)
        return out_of_memory(err);
    if (!lc_path_is_file(take.path)) {
        lc_import_skip(import, name);
        return LOCO_OK;
    }
    loco_status status = find_samples(import, &take, err);
    if (status == LOCO_OK)
        status = lc_import_measure(&take, err);
    if (status == LOCO_OK)
        status = read_marks(&take, err);
    if (status == LOCO_OK)
        status = add(import, &take, err);
    lc_strokes_free(&take.strokes);
    return status;
}

/* ---- raw ---- */

/* A raw file has no header: its length follows from its size. */
static loco_status measure_raw(lc_import_take *take, loco_err *err)
{
    lc_track_format format = {.rate = raw_rate, .typed = true, .type = LC_RAW_S16LE, .channels = 1};
    lc_track track = {0};
    char *bytes;
    size_t length;
    loco_status status = lc_file_load(take->file.sound, LC_TRACK_BYTES, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_track_raw_parse(&track, take->file.sound, bytes, length, &format, err);
    take->rate = track.rate;
    take->seconds = status == LOCO_OK ? (double)track.frames / track.rate : 0;
    lc_track_free(&track);
    free(bytes);
    return status;
}

static loco_status read_beat(lc_import_take *take, const lc_csv *table, size_t row, size_t sample, size_t is_pvc,
                             loco_err *err)
{
    const char *pvc = lc_csv_cell(table, row, is_pvc);
    double at;
    loco_status status = lc_csv_seconds(&at, table, row, sample, err); /* a number from 0 on, as seconds are */
    if (status != LOCO_OK)
        return status;
    if (strcmp(pvc, "0") != 0 && strcmp(pvc, "1") != 0)
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is neither 0 nor 1",
                          lc_place_show(lc_csv_place(table, row, is_pvc)).text, lc_show(pvc).text);
    return lc_strokes_add(&take->strokes, lc_csv_place(table, row, sample), at / raw_rate, *pvc == '1' ? PVC : NORMAL,
                          err);
}

static loco_status read_beats(lc_import_take *take, loco_err *err)
{
    lc_csv *table = NULL;
    size_t sample = 0, is_pvc = 0;
    loco_status status = lc_csv_load(&table, take->path, err);
    if (status == LOCO_OK)
        status = lc_csv_need(&sample, table, "sample", err);
    if (status == LOCO_OK)
        status = lc_csv_need(&is_pvc, table, "is_pvc", err);
    for (size_t i = 0; status == LOCO_OK && i < table->rows; i++)
        status = read_beat(take, table, i, sample, is_pvc, err);
    lc_csv_free(table);
    return status;
}

/* One raw record: s16le samples, and beats as a table. */
static loco_status import_raw(lc_import *import, const char *name, loco_err *err)
{
    int stem = (int)lc_path_stem(name);
    lc_import_take take = {
        .file = {.name = name, .sound = lc_import_format(import, "%s/%s", import->from, name)},
        .path = lc_import_format(import, "%s/%.*s.beats.csv", import->from, stem, name)
    };
    if (take.file.sound == NULL || take.path == NULL)
        return out_of_memory(err);
    if (!lc_path_is_file(take.path)) {
        lc_import_skip(import, name);
        return LOCO_OK;
    }
    if (import->format.length == 0)
        lc_text_string(&import->format, raw_format);
    loco_status status = measure_raw(&take, err);
    if (status == LOCO_OK)
        status = read_beats(&take, err);
    if (status == LOCO_OK)
        status = add(import, &take, err);
    lc_strokes_free(&take.strokes);
    return status;
}

/* ---- all ---- */

loco_status lc_import_ecg(lc_import *import, loco_err *err)
{
    static const char *const headers[] = {".hea", NULL}, *const raws[] = {".i16", NULL};
    const char *const *names;
    size_t names_len = 0;
    double clip;
    loco_status status = lc_import_clip(&clip, import, default_clip, err);
    if (status == LOCO_OK)
        status = lc_import_choose_none(import, err);
    if (status == LOCO_OK)
        status = lc_import_use(import, &vocabulary, err);
    if (status == LOCO_OK)
        status = lc_folder_list(&names, &names_len, &import->store, import->from, err);
    if (status == LOCO_OK)
        lc_import_counts_begin(import);
    for (size_t i = 0; status == LOCO_OK && i < names_len; i++) {
        if (lc_path_ends(names[i], headers))
            status = import_record(import, names[i], err);
        else if (lc_path_ends(names[i], raws))
            status = import_raw(import, names[i], err);
    }
    return status;
}
