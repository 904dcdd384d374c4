/* SPDX-License-Identifier: MIT
 * test_flac.c - FLAC files as libFLAC writes them come out as libsndfile reads them, bit for bit; damaged and cut ones
 *   are right up to where it stops. */
#include "sounds.h"

#include "base/cpu.h"
#include "signal/flac.h"

enum { FRAMES = 20000, MOST_CHANNELS = 8, MOST_BYTES = 1 << 22 };

typedef struct memory {
    unsigned char *bytes;
    size_t n;
} memory;

static size_t get_bytes(void *context, uint64_t at, unsigned char *bytes, size_t n)
{
    const memory *file = context;
    size_t left = at < file->n ? file->n - (size_t)at : 0;
    n = n < left ? n : left;
    if (n > 0)
        memcpy(bytes, file->bytes + at, n);
    return n;
}

static memory load(const char *path)
{
    memory file = {.bytes = case_array(MOST_BYTES, 1)};
    FILE *stream = fopen(path, "rb");
    file.n = stream != NULL ? fread(file.bytes, 1, MOST_BYTES, stream) : 0;
    if (stream != NULL)
        fclose(stream);
    CHECK(file.n > 0 && file.n < MOST_BYTES);
    return file;
}

/* Noise under a tone, silence, a constant, noise whose last bits are 0, a full square, clicks: a part each. */
static float sample_of(size_t i, lc_rng *rng)
{
    size_t part = i * 6 / FRAMES;
    float noise = (float)lc_rng_uniform(rng) - 0.5f;
    switch (part) {
    case 0: return 0.3f * sinf(0.05f * (float)i) + 0.01f * noise;
    case 1: return 0;
    case 2: return 0.25f;
    case 3: return floorf(noise * 16) / 16;
    case 4: return i / 50 % 2 == 0 ? 1.0f : -1.0f;
    default: return i % 1000 == 0 ? 1.9f * noise : 0.001f * noise;
    }
}

static void write_flac(const char *path, int bits, int channels, double level)
{
    SF_INFO info = {.samplerate = 44100, .channels = channels, .format = SF_FORMAT_FLAC | bits};
    float *x = case_array((size_t)channels * FRAMES, sizeof *x);
    lc_rng rng = lc_rng_seed(3);
    for (size_t i = 0; i < FRAMES; i++)
        for (size_t c = 0; c < (size_t)channels; c++) /* the second like the first, for joint stereo */
            x[i * (size_t)channels + c] = c == 1 ? x[i * (size_t)channels] * 0.9f : sample_of(i, &rng);
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    CHECK(file != NULL && sf_command(file, SFC_SET_COMPRESSION_LEVEL, &level, sizeof level) == SF_TRUE);
    CHECK(sf_writef_float(file, x, FRAMES) == FRAMES);
    sf_close(file);
    free(x);
}

/* All samples as libsndfile reads them. */
static float *reference(const char *path, size_t channels)
{
    float *x = case_array(channels * FRAMES, sizeof *x);
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    CHECK(sf_readf_float(file, x, FRAMES) == FRAMES);
    sf_close(file);
    return x;
}

/* How many frames come, in reads of `step`; they must be the first of want. */
static size_t frames_of(memory *file, size_t channels, const float *want, size_t step)
{
    lc_flac_info info;
    lc_flac *flac = lc_flac_new(get_bytes, file, &info);
    float *x = case_array(MOST_CHANNELS * step, sizeof *x);
    size_t total = 0, got = 1;
    bool same = true;
    while (flac != NULL && info.channels == channels && got > 0) {
        got = lc_flac_read(flac, x, step);
        same = same && total + got <= FRAMES && memcmp(x, want + total * channels, got * channels * sizeof *x) == 0;
        total += got;
    }
    CHECK(same);
    lc_flac_free(flac);
    free(x);
    return total;
}

static void all_kinds_are_read(void)
{
    static const int bits[] = {SF_FORMAT_PCM_S8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24};
    const char *path = sound_path("kind.flac");
    for (size_t b = 0; b < 3; b++)
        for (int channels = 1; channels <= MOST_CHANNELS; channels += channels < 3 ? 1 : 5)
            for (int level = 0; level <= 4; level++) {
                write_flac(path, bits[b], channels, 0.25 * level);
                float *want = reference(path, (size_t)channels);
                memory file = load(path);
                CHECK_EQ(frames_of(&file, (size_t)channels, want, 4096), FRAMES);
                free(want);
                free(file.bytes);
            }
}

static void sizes_of_reads_do_not_matter(void)
{
    const char *path = sound_path("stereo.flac");
    write_flac(path, SF_FORMAT_PCM_16, 2, 0.5);
    float *want = reference(path, 2);
    memory file = load(path);
    CHECK_EQ(frames_of(&file, 2, want, 1), FRAMES);
    CHECK_EQ(frames_of(&file, 2, want, 777), FRAMES);
    CHECK_EQ(frames_of(&file, 2, want, 100000), FRAMES);
    free(want);
    free(file.bytes);
}

/* Behind the blocks at the start, which are not looked at but for the first, no wrong bit gives a wrong sample. */
static void damaged_and_cut_files_are_right_up_to_there(void)
{
    const char *path = sound_path("damaged.flac");
    write_flac(path, SF_FORMAT_PCM_16, 2, 0.5);
    float *want = reference(path, 2);
    memory file = load(path);
    lc_rng rng = lc_rng_seed(4);
    size_t whole = file.n, before = 0;
    for (int i = 0; i < 300; i++) {
        size_t at = 42 + (size_t)case_below(&rng, whole - 42);
        unsigned char bit = (unsigned char)(1u << case_below(&rng, 8));
        file.bytes[at] ^= bit;
        before += frames_of(&file, 2, want, 4096) < FRAMES;
        file.bytes[at] ^= bit;
        file.n = at;
        CHECK(frames_of(&file, 2, want, 4096) < FRAMES);
        file.n = whole;
    }
    CHECK(before > 200); /* the others hit blocks that say nothing */
    free(want);
    free(file.bytes);
}

static void other_files_are_none(void)
{
    const char *path = sound_path("other.flac");
    lc_flac_info info;
    write_flac(path, SF_FORMAT_PCM_16, 1, 0.5);
    memory file = load(path);
    size_t whole = file.n;
    for (file.n = 0; file.n < 42; file.n++)
        CHECK(lc_flac_new(get_bytes, &file, &info) == NULL);
    file.n = whole;
    file.bytes[0] = 'F';
    CHECK(lc_flac_new(get_bytes, &file, &info) == NULL);
    file.bytes[0] = 'f';
    file.bytes[4] |= 1; /* no STREAMINFO first */
    CHECK(lc_flac_new(get_bytes, &file, &info) == NULL);
    free(file.bytes);
    lc_flac_free(NULL);
}

int main(void)
{
    sound_begin();
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa))
            continue;
        printf("-- %s\n", lc_isa_name(isa));
        setenv("LOCO_KERNELS", lc_isa_name(isa), 1);
        RUN(all_kinds_are_read);
        RUN(sizes_of_reads_do_not_matter);
        RUN(damaged_and_cut_files_are_right_up_to_there);
    }
    RUN(other_files_are_none);
    sound_end();
    return check_done();
}
