/* SPDX-License-Identifier: MIT
 * test_sound.c - resampling keeps times, sizes of reads do not matter, clips are cut out of the whole sound. */
#include "sounds.h"

#include "signal/sound.h"

enum { WAV = SF_FORMAT_WAV | SF_FORMAT_FLOAT, RATE = 22050 };

static void wrong_arguments_are_refused(void)
{
    static const double rates[] = {0, 0.5, -1, 1e7, NAN, INFINITY};
    lc_sound *sound = NULL;
    float *samples = NULL, one = 1;
    size_t n = 7;
    double seconds, rate;
    loco_err err;
    sound_write(sound_path("one.wav"), WAV, 8000, 1, &one, 1);
    for (size_t i = 0; i < 6; i++) {
        CHECK_STATUS(lc_sound_open(&sound, sound_path("one.wav"), rates[i], &err), LOCO_EARG);
        CHECK_SAYS(err.text, "must be 1 to 1000000 Hz");
    }
    CHECK_STATUS(lc_sound_load(sound_path("one.wav"), 1, 1, RATE, &samples, &n, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "later than its start");
    CHECK_STATUS(lc_sound_load(sound_path("one.wav"), NAN, 1, RATE, &samples, &n, &err), LOCO_EARG);
    CHECK_STATUS(lc_sound_load(sound_path("one.wav"), -INFINITY, 1, RATE, &samples, &n, &err), LOCO_EARG);
    CHECK_STATUS(lc_sound_load(sound_path("one.wav"), 0, NAN, RATE, &samples, &n, &err), LOCO_EARG);
    CHECK_STATUS(lc_sound_load(sound_path("one.wav"), 1, 2, RATE, &samples, &n, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "starts at 1000 ms, and the file ends at 0 ms");
    CHECK_STATUS(lc_sound_load(sound_path("one.wav"), 0, 1e-6, RATE, &samples, &n, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "a clip of 0 samples");
    CHECK_STATUS(lc_sound_load(sound_path("one.wav"), 0, 1e12, RATE, &samples, &n, &err), LOCO_EDATA);
    CHECK_STATUS(lc_sound_load(sound_path("no.wav"), 0, 1, RATE, &samples, &n, &err), LOCO_EIO);
    CHECK_STATUS(lc_sound_length(sound_path("no.wav"), &seconds, &rate, &err), LOCO_EIO);
    CHECK(sound == NULL && samples == NULL && n == 7);
    lc_sound_close(NULL);
}

/* All samples of a stream that is read by pieces of `most`. */
static float *read_stream(lc_sound *sound, size_t most, size_t *n)
{
    float *x = NULL;
    size_t got = 1;
    for (*n = 0; got > 0; *n += got) {
        float *longer = realloc(x, (*n + most) * sizeof *x);
        if (longer == NULL)
            exit(1);
        x = longer;
        CHECK_STATUS(lc_sound_read(sound, x + *n, most, &got, NULL), LOCO_OK);
        CHECK(got <= most);
    }
    lc_sound_close(sound);
    return x;
}

static float *read_file(const char *path, double rate, size_t most, size_t *n)
{
    lc_sound *sound;
    CHECK_STATUS(lc_sound_open(&sound, path, rate, NULL), LOCO_OK);
    return read_stream(sound, most, n);
}

/* Clicks at 0.1, 1 and 1.9 s: a few samples of one sign, so that low rates keep them. */
static void clicks_stay_where_they_are(void)
{
    static const int rates[] = {8000, 11025, 16000, 22050, 44100, 48000, 96000};
    for (size_t r = 0; r < 7; r++) {
        size_t frames = 2 * (size_t)rates[r], n;
        float *x = case_array(frames, sizeof *x);
        for (size_t c = 0; c < 3; c++)
            x[(size_t)((0.1 + 0.9 * (double)c) * rates[r])] = 0.5f;
        sound_write(sound_path("click.wav"), WAV, rates[r], 1, x, frames);
        float *y = read_file(sound_path("click.wav"), RATE, 1000, &n);
        CHECK_EQ(n, 2 * RATE);
        for (size_t c = 0; c < 3; c++) {
            double time = 0.1 + 0.9 * (double)c;
            size_t from = (size_t)((time - 0.09) * RATE), peak = from + sound_peak(y + from, (size_t)(0.18 * RATE));
            CHECK_NEAR((double)peak / RATE, time, 0.0001);
        }
        free(x);
        free(y);
    }
}

/* A decoder may not shift the sound: mp3 and ogg have delays of their own. */
static void formats_keep_times(void)
{
    static const int formats[] = {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS,
                                  SF_FORMAT_OGG | SF_FORMAT_OPUS, SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III};
    enum { N = 96000 };
    float *x = sound_noise(N, 0.001f, 1);
    for (size_t i = 0; i < 10; i++)
        x[48000 + i] += 0.8f;
    for (size_t f = 0; f < 4; f++) {
        size_t n;
        if (!sound_has(formats[f]))
            continue;
        sound_write(sound_path("kept"), formats[f], 48000, 1, x, N);
        float *y = read_file(sound_path("kept"), RATE, 4096, &n);
        CHECK_EQ(n, 2 * RATE);
        CHECK_NEAR((double)sound_peak(y, n) / RATE, 1, 0.001);
        free(y);
    }
    free(x);
}

static void levels_are_kept(void)
{
    static const int rates[] = {8000, 44100, 48000};
    for (size_t r = 0; r < 3; r++) {
        size_t frames = (size_t)rates[r], n;
        float *x = case_array(frames, sizeof *x);
        double worst = 0;
        for (size_t i = 0; i < frames; i++)
            x[i] = 0.7f * (float)sin(2 * acos(-1) * 441 * (double)i / rates[r]);
        sound_write(sound_path("sine.wav"), WAV, rates[r], 1, x, frames);
        float *y = read_file(sound_path("sine.wav"), RATE, 4096, &n);
        for (size_t i = 1000; i < n - 1000; i++)
            worst_note(&worst, y[i], 0.7 * sin(2 * acos(-1) * 441 * (double)i / RATE), 1);
        CHECK_WORST(worst, 1e-5);
        free(x);
        free(y);
    }
}

static void sizes_of_reads_do_not_matter(void)
{
    static const size_t sizes[] = {1, 7, 1000, 4096, 100000};
    float *x = sound_noise(20000, 0.5f, 2);
    size_t n, other;
    sound_write(sound_path("noise.wav"), WAV, 48000, 1, x, 20000);
    float *whole = read_file(sound_path("noise.wav"), RATE, 50000, &n);
    for (size_t i = 0; i < 5; i++) {
        float *y = read_file(sound_path("noise.wav"), RATE, sizes[i], &other);
        CHECK_EQ(other, n);
        CHECK(other == n && case_same(y, whole, n * sizeof *y));
        free(y);
    }
    free(whole);
    free(x);
}

/* Raw bytes of each type give what the same samples in a file give. */
static void raw_streams_are_files(void)
{
    static const int kinds[] = {SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32,
                                SF_FORMAT_FLOAT};
    static const char *const formats[] = {"u8,2,44100", "s16le,2,44100", "s24le,2,44100", "s32le,2,44100",
                                          "f32le,2,44100"};
    float *x = sound_noise(2 * 30000, 0.9f, 3);
    for (size_t f = 0; f < 5; f++) {
        size_t n, m;
        lc_raw_format format;
        lc_sound *sound;
        sound_write(sound_path("x.wav"), SF_FORMAT_WAV | kinds[f], 44100, 2, x, 30000);
        sound_write(sound_path("x.raw"), SF_FORMAT_RAW | SF_ENDIAN_LITTLE | kinds[f], 44100, 2, x, 30000);
        float *want = read_file(sound_path("x.wav"), RATE, 4096, &n);
        FILE *file = fopen(sound_path("x.raw"), "rb");
        CHECK_STATUS(lc_raw_parse(&format, formats[f], NULL), LOCO_OK);
        CHECK_STATUS(lc_sound_open_raw_channels(&sound, file, "x.raw", &format, RATE, 0, NULL), LOCO_OK);
        float *got = read_stream(sound, 3000, &m);
        CHECK_EQ(n, m);
        CHECK(n == m && case_same(got, want, n * sizeof *got));
        fclose(file);
        free(want);
        free(got);
    }
    free(x);
}

static void errors_end_the_stream(void)
{
    float *x = case_array(10000, sizeof *x), out[1000];
    lc_sound *sound;
    loco_err err;
    size_t got = 0;
    loco_status status = LOCO_OK;
    x[9000] = NAN;
    sound_write(sound_path("nan.wav"), WAV, 10000, 1, x, 10000);
    CHECK_STATUS(lc_sound_open(&sound, sound_path("nan.wav"), 10000, NULL), LOCO_OK);
    for (int i = 0; i < 20 && status == LOCO_OK; i++)
        status = lc_sound_read(sound, out, 1000, &got, &err);
    CHECK_STATUS(status, LOCO_EDATA);
    CHECK_SAYS(err.text, "at 0.900 s");
    CHECK_STATUS(lc_sound_read(sound, out, 1000, &got, &err), LOCO_OK);
    CHECK_EQ(got, 0);
    lc_sound_close(sound);
    free(x);
}

/* ---- clips ---- */

static void check_clip(const float *whole, size_t whole_n, double start, double end, double rate)
{
    float *clip = NULL;
    size_t n = 0, stop = isinf(end) ? whole_n : (size_t)lround(end * rate);
    long first = lround(start * rate);
    double worst_clip = 0;
    CHECK_STATUS(lc_sound_load(sound_path("whole"), start, end, rate, &clip, &n, NULL), LOCO_OK);
    CHECK_EQ(n, (size_t)((long)stop - first));
    for (size_t i = 0; i < n; i++) {
        long at = first + (long)i;
        worst_note(&worst_clip, clip[i], at < 0 || at >= (long)whole_n ? 0 : whole[at], 1);
    }
    /* without a common grid, noise moves that much in 1/4096 of a sample */
    CHECK_NEAR(worst_clip, 0, rate > floor(rate) ? 1e-3 : 1e-5);
    free(clip);
}

/* Clips of every place are what the whole file has there: also for rates that have no common grid. */
static void clips_are_parts_of_the_whole(void)
{
    static const int file_rates[] = {22050, 44100, 48000, 8000, 96000};
    static const double rates[] = {22050, 22050 * 1.0371234, 16000, 48000};
    for (size_t f = 0; f < 5; f++) {
        size_t frames = 3 * (size_t)file_rates[f], n;
        float *x = sound_noise(frames, 0.5f, f);
        sound_write(sound_path("whole"), WAV, file_rates[f], 1, x, frames);
        for (size_t r = 0; r < 4; r++) {
            float *whole = read_file(sound_path("whole"), rates[r], 4096, &n);
            CHECK_NEAR((double)n, 3 * rates[r], 0.5);
            check_clip(whole, n, 0, INFINITY, rates[r]);
            check_clip(whole, n, 0, 0.1, rates[r]);
            check_clip(whole, n, 0.0123, 0.5, rates[r]);
            check_clip(whole, n, 1.23456, 1.9, rates[r]);
            check_clip(whole, n, 2.9, 3, rates[r]);
            check_clip(whole, n, 2.5, INFINITY, rates[r]);
            check_clip(whole, n, -0.2, 0.3, rates[r]);
            check_clip(whole, n, -0.2, -0.1, rates[r]);
            check_clip(whole, n, 2.8, 3.4, rates[r]);
            check_clip(whole, n, -1, 4, rates[r]);
            free(whole);
        }
        free(x);
    }
}

static void clips_side_by_side_tile(void)
{
    size_t total = 0, n;
    float *x = sound_noise(44100, 0.5f, 9), *clip;
    sound_write(sound_path("whole"), WAV, 44100, 1, x, 44100);
    for (size_t i = 0; i < 7; i++) {
        CHECK_STATUS(lc_sound_load(sound_path("whole"), (double)i / 7, (double)(i + 1) / 7, RATE, &clip, &n, NULL),
                     LOCO_OK);
        total += n;
        free(clip);
    }
    CHECK_EQ(total, RATE);
    free(x);
}

/* Ten hours at 1000 Hz, a click at 9.9 hours: the places are right, and little is read. */
static void clips_of_long_files(void)
{
    enum { HOURS = 10, FILE_RATE = 1000, CLICK = 9 * 3600 * FILE_RATE + 3240123 };
    SF_INFO info = {.samplerate = FILE_RATE, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_U8};
    SNDFILE *file = sf_open(sound_path("long.wav"), SFM_WRITE, &info);
    float *second = case_array(FILE_RATE, sizeof *second), *clip;
    size_t n;
    for (int i = 0; i < HOURS * 3600; i++) {
        second[CLICK % FILE_RATE] = i == CLICK / FILE_RATE ? 1 : 0;
        sf_writef_float(file, second, FILE_RATE);
    }
    sf_close(file);
    for (int i = 0; i < 7; i++) {
        double rate = 500 + 555.5 * i, start = (double)CLICK / FILE_RATE - 1;
        CHECK_STATUS(lc_sound_load(sound_path("long.wav"), start, start + 2, rate, &clip, &n, NULL), LOCO_OK);
        CHECK_NEAR(nearbyint(start * rate) + (double)sound_peak(clip, n), (start + 1) * rate, 0.51);
        free(clip);
    }
    unlink(sound_path("long.wav"));
    free(second);
}

static void lengths(void)
{
    double seconds = 0, rate = 0;
    if (!sound_has(SF_FORMAT_FLAC | SF_FORMAT_PCM_16))
        return;
    float *x = sound_noise(36000, 0.5f, 9);
    sound_write(sound_path("length.flac"), SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 48000, 2, x, 18000);
    CHECK_STATUS(lc_sound_length(sound_path("length.flac"), &seconds, &rate, NULL), LOCO_OK);
    CHECK_NEAR(seconds, 0.375, 0);
    CHECK_NEAR(rate, 48000, 0);
    free(x);
}

/* ---- channels that stay separate ---- */

enum { CHANNELS = 3, FRAMES = 9000 };

/* Slow sines far from 0, as a table and as a sound. */
static void write_channels(void)
{
    static float x[FRAMES * CHANNELS];
    FILE *table = fopen(sound_path("separate.csv"), "w");
    CHECK(table != NULL);
    if (table == NULL)
        return;
    fprintf(table, "# rate: 360\na,b,c\n");
    for (size_t i = 0; i < FRAMES; i++) {
        for (size_t c = 0; c < CHANNELS; c++)
            x[i * CHANNELS + c] = 0.5f + 0.1f * (float)c + 0.1f * sinf(0.02f * (float)((c + 1) * i));
        fprintf(table, "%.9g,%.9g,%.9g\n", (double)x[i * 3], (double)x[i * 3 + 1], (double)x[i * 3 + 2]);
    }
    fclose(table);
    sound_write(sound_path("separate.wav"), SF_FORMAT_WAV | SF_FORMAT_FLOAT, 360, CHANNELS, x, FRAMES);
}

/* Reads by pieces of `step` frames; how many came. */
static size_t read_separate(const char *name, double rate, size_t step, float *out)
{
    lc_sound *sound = NULL;
    loco_err err = {""};
    size_t total = 0, got = 1;
    CHECK_STATUS(lc_sound_open_channels(&sound, sound_path(name), rate, (lc_columns){CHANNELS, NULL}, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    while (sound != NULL && got > 0) {
        CHECK_STATUS(lc_sound_read(sound, out + total * CHANNELS, step, &got, &err), LOCO_OK);
        total += got;
    }
    lc_sound_close(sound);
    return total;
}

static void channels_stay_apart(void)
{
    static float table[FRAMES * CHANNELS + 300], wav[FRAMES * CHANNELS + 300];
    static const double rates[] = {360, 120, 250};
    write_channels();
    for (size_t r = 0; r < 3; r++) {
        double rate = rates[r], worst = 0;
        size_t n = (size_t)(FRAMES * rate / 360);
        CHECK_EQ(read_separate("separate.csv", rate, 100, table), n);
        CHECK_EQ(read_separate("separate.wav", rate, 4097, wav), n);
        CHECK(case_same(table, wav, n * CHANNELS * sizeof *wav));
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < CHANNELS; c++)
                worst_note(&worst, (double)table[i * CHANNELS + c],
                           0.5 + 0.1 * (double)c + 0.1 * sin(0.02 * (double)((c + 1) * i) * 360 / rate),
                           i > 100 && i + 100 < n ? 1 : 100); /* near the ends the filter sees beyond them */
        CHECK_WORST(worst, 1e-3);
    }
}

static void clips_and_counts_of_channels(void)
{
    float *clip = NULL, *whole = NULL;
    size_t n = 0, all = 0;
    lc_sound_shape shape;
    loco_err err = {""};
    CHECK_STATUS(lc_sound_measure(&shape, sound_path("separate.csv"), NULL, &err), LOCO_OK);
    CHECK_NEAR(shape.seconds, FRAMES / 360.0, 1e-9);
    CHECK_EQ(shape.channels, CHANNELS);
    CHECK_STATUS(
        lc_sound_load_channels(sound_path("separate.csv"), 0, INFINITY, 120, (lc_columns){3, NULL}, &whole, &all, &err),
        LOCO_OK);
    CHECK_STATUS(
        lc_sound_load_channels(sound_path("separate.csv"), 10, 12, 120, (lc_columns){3, NULL}, &clip, &n, &err),
        LOCO_OK);
    CHECK_EQ(n, 240);
    double worst = 0;
    for (size_t i = 0; i < n * CHANNELS; i++)
        worst_note(&worst, clip[i], whole[1200 * CHANNELS + i], 1);
    CHECK_WORST(worst, 1e-5);
    free(clip);
    free(whole);
    lc_sound *sound = NULL;
    CHECK_STATUS(lc_sound_open_channels(&sound, sound_path("separate.csv"), 120, (lc_columns){2, NULL}, &err),
                 LOCO_EDATA);
    CHECK_SAYS(err.text, "has 3 channels, and 2 are wanted");
    CHECK(sound == NULL);
}

/* A header that claims a low rate makes much of little; as channels of a series it may. */
static void low_rates_of_sound_are_refused(void)
{
    static const struct {
        int rate;
        double wanted;
        loco_status status;
    } cases[] = {
        {1,   22050, LOCO_EDATA},
        {99,  22050, LOCO_EDATA},
        {100, 22050, LOCO_OK   },
        {99,  16000, LOCO_EDATA},
        {100, 16000, LOCO_OK   },
        {62,  1000,  LOCO_EDATA},
        {63,  1000,  LOCO_OK   },
        {1,   16,    LOCO_OK   },
    };
    float x[500] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int format = 0; format < 2; format++) {
            lc_sound *sound = NULL;
            loco_err err = {""};
            const char *path = sound_path("low");
            sound_write(path, format == 0 ? WAV : SF_FORMAT_FLAC | SF_FORMAT_PCM_16, cases[i].rate, 1, x, 500);
            CHECK_STATUS(lc_sound_open(&sound, path, cases[i].wanted, &err), cases[i].status);
            CHECK_SAYS(err.text, cases[i].status == LOCO_OK ? "" : "low: has ");
            CHECK_SAYS(err.text, cases[i].status == LOCO_OK ? "" : "are expected; correct the rate in its header");
            lc_sound_close(sound);
            sound = NULL;
            CHECK_STATUS(lc_sound_open_channels(&sound, path, cases[i].wanted, (lc_columns){1, NULL}, NULL), LOCO_OK);
            lc_sound_close(sound);
        }
}

int main(void)
{
    sound_begin();
    RUN(wrong_arguments_are_refused);
    RUN(clicks_stay_where_they_are);
    RUN(formats_keep_times);
    RUN(levels_are_kept);
    RUN(sizes_of_reads_do_not_matter);
    RUN(raw_streams_are_files);
    RUN(errors_end_the_stream);
    RUN(clips_are_parts_of_the_whole);
    RUN(clips_side_by_side_tile);
    RUN(clips_of_long_files);
    RUN(lengths);
    RUN(low_rates_of_sound_are_refused);
    RUN(channels_stay_apart);
    RUN(clips_and_counts_of_channels);
    sound_end();
    return check_done();
}
