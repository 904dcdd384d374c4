/* SPDX-License-Identifier: MIT
 * source_track.c - recordings of sensors in files, by their endings, with what is stated beside them.
 *   A parser takes the bytes of a whole file; one more format is one line in `endings`. */
#include "base/file.h"
#include "base/status.h"
#include "signal/source.h"
#include "signal/wfdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The folder of path, with its slash, and name behind it; or path itself and name, when whole. NULL without memory. */
static char *beside(const char *path, const char *name, bool whole)
{
    const char *slash = strrchr(path, '/');
    size_t folder = whole ? strlen(path) : slash != NULL ? (size_t)(slash - path) + 1 : 0;
    size_t size = folder + strlen(name) + 1;
    char *made = malloc(size);
    if (made != NULL)
        snprintf(made, size, "%.*s%s", (int)folder, path, name);
    return made;
}

/* The same, or where that is not there and path is a link, beside what it points to: parts of a data set are links. */
static char *neighbour(const char *path, const char *name, bool append)
{
    char *near = beside(path, name, append), *whole = NULL;
    if (near == NULL || access(near, F_OK) == 0 || (whole = realpath(path, NULL)) == NULL)
        return near;
    char *far = beside(whole, name, append);
    bool found = far == NULL || access(far, F_OK) == 0; /* without memory nothing is said, neither yes nor no */
    free(whole);
    free(found ? near : far);
    return found ? far : near;
}

static loco_status load_format(lc_track_format *format, const char *path, bool *found, loco_err *err)
{
    char *text;
    size_t length;
    if (path == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory");
    if (access(path, F_OK) != 0)
        return LOCO_OK;
    *found = true;
    loco_status status = lc_file_load(path, LC_TRACK_FORMAT, &text, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_track_format_parse(format, path, text, length, err);
    free(text);
    return status;
}

/* take.raw.format, or else series.format in its folder, or else nothing. */
static loco_status find_format(lc_track_format *format, const char *path, loco_err *err)
{
    bool found = false;
    char *own = neighbour(path, ".format", true);
    loco_status status = load_format(format, own, &found, err);
    free(own);
    if (status != LOCO_OK || found)
        return status;
    char *common = neighbour(path, "series.format", false);
    status = load_format(format, common, &found, err);
    free(common);
    return status;
}

/* The header is in text; the samples are in a file beside it. */
static loco_status load_wfdb(lc_track *track, const char *path, const void *text, size_t length,
                             const lc_track_format *format, loco_err *err)
{
    lc_wfdb_header header;
    char *bytes = NULL;
    size_t n = 0;
    loco_status status = lc_wfdb_header_parse(&header, path, text, length, err);
    if (status != LOCO_OK)
        return status;
    char *samples = neighbour(path, header.file, false);
    if (samples == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory");
    loco_err cause = {""};
    status = lc_file_load(samples, LC_TRACK_BYTES, &bytes, &n, &cause);
    if (status != LOCO_OK)
        lc_err_write(err, "%s: names a file of samples that cannot be read: %.130s", lc_track_show(path).text,
                     cause.text);
    if (status == LOCO_OK)
        status = lc_wfdb_samples(track, samples, &header, bytes, n, format->missing, err);
    free(bytes);
    free(samples);
    return status;
}

/* ---- endings ---- */

typedef loco_status track_parse(lc_track *track, const char *path, const void *bytes, size_t length,
                                const lc_track_format *format, loco_err *err);

static const struct {
    const char *ending;
    track_parse *parse;
} endings[] = {
    {".csv", lc_series_csv_parse},
    {".tsv", lc_series_csv_parse},
    {".npy", lc_npy_parse       },
    {".raw", lc_track_raw_parse },
    {".bin", lc_track_raw_parse },
    {".i16", lc_track_raw_parse },
    {".hea", load_wfdb          },
};

static track_parse *parser_of(const char *path)
{
    const char *point = strrchr(path, '.');
    for (size_t i = 0; point != NULL && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(point, endings[i].ending) == 0)
            return endings[i].parse;
    return NULL;
}

/* Says which endings there are. */
static loco_status refuse_ending(const char *path, loco_err *err)
{
    char list[100] = "";
    for (size_t i = 0, used = 0; i < sizeof endings / sizeof *endings && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, " %s", endings[i].ending);
    return lc_err_set(err, LOCO_EDATA, "%s: no series; they end in one of%s", lc_track_show(path).text, list);
}

bool lc_track_is(const char *path)
{
    return parser_of(path) != NULL;
}

loco_status lc_track_load(lc_track *track, const char *path, const char *columns, loco_err *err)
{
    lc_track_format format = {0};
    char *bytes;
    size_t length;
    track_parse *parse = parser_of(path);
    loco_status status = find_format(&format, path, err);
    if (status == LOCO_OK)
        status = lc_file_load(path, LC_TRACK_BYTES, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    format.columns = columns;
    status = parse != NULL ? parse(track, path, bytes, length, &format, err) : refuse_ending(path, err);
    free(bytes);
    return status;
}

/* ---- as a source ---- */

static loco_status open_track(lc_source *source, const char *path, lc_columns columns, loco_err *err)
{
    lc_track *track = calloc(1, sizeof *track);
    if (track == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name);
    source->state = track;
    loco_status status = lc_track_load(track, path, columns.names, err);
    source->channels = track->channels;
    source->rate = track->rate;
    source->frames = track->frames;
    source->memory = track->samples;
    source->titles = track->columns;
    source->ignored = track->ignored;
    source->notice = track->notice;
    return status;
}

static void close_track(lc_source *source)
{
    lc_track_free(source->state);
    free(source->state);
}

const lc_source_ops lc_source_track = {
    .name = "track",
    .recipe = "series",
    .claims = lc_track_is,
    .open = open_track,
    .read = lc_source_read_memory,
    .seek = lc_source_seek_memory,
    .close = close_track,
};
