/* SPDX-License-Identifier: MIT
 *
 * sum.c - a recording of drums and one of what they accompany, added sample by sample.
 *   Mono, since detection mixes to mono anyway, and float, so that no sum is too loud for the file. */
#include "base/file.h"
#include "base/status.h"
#include "signal/sound.h"
#include "studio/import/import.h"

#include <sndfile.h>
#include <string.h>

enum { CHUNK = 4096 };

/* Fills out with sound as far as there is any; *n says how far. */
static loco_status fill(lc_sound *sound, float out[CHUNK], size_t *n, loco_err *err)
{
    loco_status status = LOCO_OK;
    size_t got = 1;
    for (*n = 0; status == LOCO_OK && got > 0 && *n < CHUNK; *n += got) {
        got = 0;
        status = lc_sound_read(sound, out + *n, CHUNK - *n, &got, err);
    }
    memset(out + *n, 0, (CHUNK - *n) * sizeof *out);
    return status;
}

/* Block by block; the shorter of the two goes on as silence. */
static loco_status add(SNDFILE *file, const char *path, lc_sound *first, lc_sound *second, loco_err *err)
{
    float x[CHUNK], y[CHUNK];
    for (;;) {
        size_t x_len, y_len;
        loco_status status = fill(first, x, &x_len, err);
        if (status == LOCO_OK)
            status = fill(second, y, &y_len, err);
        if (status != LOCO_OK)
            return status;
        size_t n = x_len > y_len ? x_len : y_len;
        for (size_t i = 0; i < n; i++)
            x[i] += y[i];
        if (sf_write_float(file, x, (sf_count_t)n) != (sf_count_t)n)
            return lc_err_set(err, LOCO_EIO, "cannot write all of %.150s", path);
        if (n < CHUNK)
            return LOCO_OK;
    }
}

static loco_status write_sum(const char *path, double rate, lc_sound *first, lc_sound *second, loco_err *err)
{
    SF_INFO info = {.samplerate = (int)rate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    char *temp = lc_file_temp(path);
    if (temp == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %.150s", path);
    SNDFILE *file = sf_open(temp, SFM_WRITE, &info);
    loco_status status = file == NULL ? lc_err_set(err, LOCO_EIO, "cannot write %.150s: %.80s", path, sf_strerror(NULL))
                                      : add(file, path, first, second, err);
    if (file != NULL) /* sf_close does this, too, and does not say when it fails */
        sf_command(file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    bool failed = file != NULL && sf_error(file) != SF_ERR_NO_ERROR;
    if (file != NULL && (sf_close(file) != 0 || failed) && status == LOCO_OK)
        status = lc_err_set(err, LOCO_EIO, "cannot write all of %.150s", path);
    return lc_file_place(temp, path, status, err);
}

loco_status lc_import_sum(const char *path, const char *first, const char *second, loco_err *err)
{
    double seconds, rate;
    lc_sound *x = NULL, *y = NULL;
    loco_status status = lc_sound_length(first, &seconds, &rate, err);
    if (status == LOCO_OK)
        status = lc_sound_open(&x, first, rate, err);
    if (status == LOCO_OK)
        status = lc_sound_open(&y, second, rate, err);
    if (status == LOCO_OK)
        status = write_sum(path, rate, x, y, err);
    lc_sound_close(x);
    lc_sound_close(y);
    return status;
}
