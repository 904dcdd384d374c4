/* SPDX-License-Identifier: MIT
 * detect.c - times detection from a sound file to its events, through the public interface, on one thread.
 *
 *   detect sound FILE SECONDS RATE CHANNELS   writes a minute of made-up drums, over and over, 16 bits, wav by the
 *                                             ending, else flac; a second channel has another kit, and some of the first
 *   detect samples FILE RATE OUT              the sound as mono float32 at RATE, for what cannot read FLAC
 *   detect run MODEL FILE SECONDS             prints one JSON object: the least processor time of loading the
 *                                             model and detecting, in SECONDS but at least once; the memory; the events
 *
 * bench/run sets it beside PyTorch (detect_torch.py). The work does not depend on how well the model detects. */
#include "clock.h"

#include "signal/sound.h"
#include "studio/synth/drums.h"

#include <sndfile.h>

enum { MINUTE = 60, BLOCK = 4096 };

static int fail(const char *text)
{
    fprintf(stderr, "bench/detect: %s\n", text);
    return 2;
}

/* ---- sounds ---- */

/* channels[0] alone, or beside channels[1] with a third of channels[0]. */
static bool write_repeated(SNDFILE *file, float *const *channels, size_t count, size_t period, size_t n)
{
    static float block[2 * BLOCK];
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t frames = n - at < BLOCK ? n - at : BLOCK;
        for (size_t i = 0; i < frames; i++) {
            float left = channels[0][(at + i) % period];
            block[count * i] = 0.7f * left;
            if (count == 2)
                block[2 * i + 1] = 0.5f * channels[1][(at + i) % period] + 0.2f * left;
        }
        if (sf_writef_float(file, block, (sf_count_t)frames) != (sf_count_t)frames)
            return false;
    }
    return true;
}

static int make_sound(const char *path, double seconds, unsigned rate, size_t channels)
{
    lc_synth_settings settings = {.rate = rate, .seconds = MINUTE, .seed = 1};
    SF_INFO info = {.samplerate = (int)rate, .channels = (int)channels};
    size_t length = strlen(path);
    info.format = length > 4 && strcmp(path + length - 4, ".wav") == 0 ? SF_FORMAT_WAV : SF_FORMAT_FLAC;
    info.format |= SF_FORMAT_PCM_16;
    float *samples[2];
    size_t n, events_len;
    loco_event *events;
    loco_err err = {""};
    for (size_t c = 0; c < 2; c++) {
        if (lc_synth_drums(&settings, c, &samples[c], &n, &events, &events_len, &err) != LOCO_OK)
            return fail(err.text);
        free(events);
    }
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (file == NULL)
        return fail(sf_strerror(NULL));
    bool written = write_repeated(file, samples, channels, n, (size_t)(seconds * rate));
    free(samples[0]);
    free(samples[1]);
    return sf_close(file) == 0 && written ? 0 : fail("the sound cannot be written");
}

static int save_samples(const char *path, double rate, const char *out)
{
    static float block[BLOCK];
    lc_sound *sound;
    loco_err err = {""};
    size_t got = 1;
    FILE *file = fopen(out, "wb");
    if (file == NULL)
        return fail("the samples cannot be written");
    loco_status status = lc_sound_open(&sound, path, rate, &err);
    if (status == LOCO_OK) {
        while (status == LOCO_OK && got > 0) {
            status = lc_sound_read(sound, block, BLOCK, &got, &err);
            if (status == LOCO_OK && fwrite(block, sizeof *block, got, file) != got)
                status = LOCO_EIO;
        }
        lc_sound_close(sound);
    }
    return fclose(file) == 0 && status == LOCO_OK ? 0 : fail(err.text);
}

/* ---- detection ---- */

/* A model that has hardly learned reports events only at such a threshold; then five times as many as drums have. */
static const loco_detect_options how = {.size = sizeof how, .decoding = "threshold=0.01"};

static loco_status detect_once(const char *model_path, const char *path, size_t *events_len, loco_err *err)
{
    loco_model *model;
    loco_event *events;
    loco_status status = loco_model_load(&model, model_path, err);
    if (status != LOCO_OK)
        return status;
    status = loco_detect(&events, events_len, model, path, &how, err);
    if (status == LOCO_OK)
        loco_free(events);
    loco_model_free(model);
    return status;
}

static int run(const char *model, const char *path, double seconds)
{
    double best = 1e9, end = now() + seconds;
    size_t events = 0;
    loco_err err = {""};
    do {
        double start = processor_time();
        if (detect_once(model, path, &events, &err) != LOCO_OK)
            return fail(err.text);
        double took = processor_time() - start;
        best = took < best ? took : best;
    } while (now() < end);
    printf("{\"ms\":%.3f,\"mb\":%.1f,\"events\":%zu}\n", 1e3 * best, peak_mb(), events);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "sound") == 0) {
        double seconds = strtod(argv[3], NULL);
        long rate = strtol(argv[4], NULL, 10), channels = strtol(argv[5], NULL, 10);
        if (!(seconds > 0 && seconds < 1e6) || rate < 8000 || rate > 192000 || channels < 1 || channels > 2)
            return fail("up to 1000000 seconds, 8000 to 192000 Hz and 1 or 2 channels");
        return make_sound(argv[2], seconds, (unsigned)rate, (size_t)channels);
    }
    if (argc == 5 && strcmp(argv[1], "samples") == 0)
        return save_samples(argv[2], strtod(argv[3], NULL), argv[4]);
    if (argc == 5 && strcmp(argv[1], "run") == 0)
        return run(argv[2], argv[3], strtod(argv[4], NULL));
    return fail("usage: detect sound FILE SECONDS RATE CHANNELS | samples FILE RATE OUT | run MODEL FILE SECONDS");
}
