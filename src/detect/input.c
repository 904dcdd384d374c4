/* SPDX-License-Identifier: MIT
 * input.c - files, standard input and samples in memory as blocks of samples. */
#include "detect/input.h"

#include "base/status.h"
#include "detect/wav_header.h"
#include "signal/source_flac.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 8 * LC_SOURCE_CHUNK }; /* frames */

const char *lc_input_name(const lc_input *input)
{
    return input->path != NULL ? input->path : "the samples";
}

/* As a lc_wav_read, without a buffer: what follows the header stays for the reader of the samples. */
static size_t read_bytes(void *context, unsigned char *bytes, size_t n)
{
    size_t done = 0;
    for (ssize_t got = 1; done < n && got > 0;) {
        got = read(*(const int *)context, bytes + done, n - done);
        done += got > 0 ? (size_t)got : 0;
        got = got < 0 && errno == EINTR ? 1 : got;
    }
    return done;
}

/* Nobody types a header. */
static loco_status read_header(lc_raw_format *format, loco_err *err)
{
    int descriptor = STDIN_FILENO;
    if (isatty(descriptor))
        return lc_err_set(err, LOCO_EARG,
                          "standard input needs a sound: WAV, FLAC, or samples with their format, --raw "
                          "s16le,1,44100");
    return lc_wav_header(format, "standard input", read_bytes, &descriptor, err);
}

/* What follows on standard input: as stated, or as its header states. A table states its columns itself. */
static loco_status standard_format(lc_raw_format *format, const lc_reader *r, bool table, loco_err *err)
{
    if (r->input->raw != NULL)
        return lc_raw_parse(format, r->input->raw, err) == LOCO_OK ? LOCO_OK : LOCO_EARG;
    return table ? LOCO_OK : read_header(format, err);
}

loco_status loco_stdin_format(char raw[64], loco_err *err)
{
    lc_raw_format format = {0};
    char frames[24] = "";
    if (raw == NULL)
        return lc_err_set(err, LOCO_EARG, "the format of standard input needs a place of 64 bytes; raw is NULL");
    loco_status status = read_header(&format, err);
    if (status != LOCO_OK)
        return status;
    if (format.type == LC_RAW_FLAC) {
        lc_flac_write_format(raw, &format);
        return LOCO_OK;
    }
    if (format.frames > 0)
        snprintf(frames, sizeof frames, ",%llu", (unsigned long long)format.frames);
    snprintf(raw, 64, "%s,%zu,%.0f%s", lc_raw_name(format.type), format.channels, format.rate, frames);
    return LOCO_OK;
}

/* An input may be read several times. */
static void give_notice(const lc_input *input, const lc_frontend_settings *front, const lc_source *source)
{
    lc_input_notice *to = input->notice;
    char dull[LC_NOTICE_BYTES] = "";
    const char *sentence = source->notice != NULL && source->notice[0] != '\0' ? source->notice : dull;
    if (source->rate / 2 < lc_frontend_top(front))
        snprintf(
            dull, sizeof dull,
            "%.150s: %.0f samples a second hold nothing above %.0f Hz, and the model reads up to %.0f Hz; the highest "
            "notes may be missed",
            lc_input_name(input), source->rate, source->rate / 2, floor(lc_frontend_top(front)));
    if (to == NULL || to->notice == NULL || to->given || sentence[0] == '\0')
        return;
    to->given = true;
    to->notice(to->context, sentence);
}

/* A stream of our own over standard input, so that closing it leaves the program's. */
static loco_status open_standard(lc_reader *r, const lc_frontend_settings *front, loco_err *err)
{
    lc_raw_format format = {0};
    bool table = r->input->raw == NULL && lc_frontend_columns(front).n > 0;
    loco_status status = standard_format(&format, r, table, err);
    if (status != LOCO_OK)
        return status;
    int descriptor = dup(STDIN_FILENO);
    r->standard = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (r->standard == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return lc_err_set(err, LOCO_EDATA, "standard input cannot be read: %s", strerror(errno));
    }
    if (!table)
        return lc_source_open_raw(r->source, r->standard, "standard input", &format, err);
    return lc_source_open_rows(r->source, r->standard, "standard input", lc_frontend_columns(front).names, front->rate,
                               err);
}

/* Raw samples have no header, so that their format must be given; files, tables and WAV have one. */
static loco_status open_path(lc_reader *r, const lc_frontend_settings *front, loco_err *err)
{
    const char *path = r->input->path, *raw = r->input->raw;
    lc_columns columns = lc_frontend_columns(front);
    if (path == NULL)
        return lc_source_open_samples(r->source, r->input->samples, err);
    if (strcmp(path, "-") != 0 && raw == NULL) {
        loco_status status = lc_frontend_check_file(front, path, err);
        return status == LOCO_OK ? lc_source_open(r->source, path, columns, err) : status;
    }
    if (strcmp(path, "-") != 0)
        return lc_err_set(err, LOCO_EARG, "%.100s: raw samples are read from standard input: loco detect ... - <FILE",
                          path);
    return open_standard(r, front, err);
}

static loco_status open_source(lc_reader *r, const lc_frontend_settings *front, loco_err *err)
{
    size_t wanted = lc_frontend_columns(front).n;
    lc_source *source = calloc(1, sizeof *source);
    if (source == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to read %.150s", lc_input_name(r->input));
    r->source = source;
    loco_status status = open_path(r, front, err);
    if (status != LOCO_OK) {
        free(source); /* it was not opened */
        r->source = NULL;
        return status;
    }
    if (wanted == 0 && (status = lc_source_check_rate(source, front->rate, err)) != LOCO_OK)
        return status;
    if (wanted > 0 && source->channels != wanted)
        return lc_err_set(err, LOCO_EDATA, "%s: has %zu channel%s, and %zu %s wanted", source->name, source->channels,
                          source->channels == 1 ? "" : "s", wanted, wanted == 1 ? "is" : "are");
    give_notice(r->input, front, source);
    source->split = wanted > 0;
    r->rate = source->rate;
    r->channels = wanted > 0 ? wanted : 1;
    return LOCO_OK;
}

loco_status lc_reader_open(lc_reader *reader, const lc_input *input, const lc_frontend_settings *front, loco_err *err)
{
    lc_reader r = {.input = input};
    loco_status status = open_source(&r, front, err);
    if (status == LOCO_OK && (r.block = malloc(BLOCK * r.channels * sizeof *r.block)) == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to read %.150s", lc_input_name(input));
    if (status == LOCO_OK)
        *reader = r;
    else
        lc_reader_close(&r);
    return status;
}

void lc_reader_close(lc_reader *reader)
{
    if (reader->source != NULL)
        lc_source_close(reader->source);
    if (reader->standard != NULL)
        fclose(reader->standard);
    free(reader->source);
    free(reader->block);
    *reader = (lc_reader){0};
}

/* Small reads of a file are put together: networks and transforms take many frames at a time. */
loco_status lc_reader_each(lc_reader *r, lc_block_take *take, void *context, loco_err *err)
{
    loco_status status = LOCO_OK;
    bool live = lc_source_is_live(r->source);
    for (size_t have = 0, got = 1; status == LOCO_OK && got > 0;) {
        status = lc_source_read(r->source, r->block + have * r->channels, &got, err);
        have += status == LOCO_OK ? got : 0;
        if (status == LOCO_OK && have > 0 && (got == 0 || live || have > BLOCK - LC_SOURCE_CHUNK)) {
            status = take(context, r->block, have, err);
            r->frames += have;
            have = 0;
        }
    }
    return status;
}
