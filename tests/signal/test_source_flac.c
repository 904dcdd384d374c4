/* SPDX-License-Identifier: MIT
 * test_source_flac.c - FLAC files come out as they were encoded and as libsndfile reads them, bit for bit, from the start and
 *   after a seek; of damaged, cut and wrong ones, what is read is right up to the place that is refused. */
#include "flacs.h"

#include "signal/source.h"
#include "signal/source_flac.h"

#include <fcntl.h>
#include <malloc.h>

enum { HEADER = 42, TOTAL = 21 }; /* bytes up to the end of STREAMINFO; the byte that ends with 4 bits of the total */

static lc_flac *open_path(const char *path)
{
    const char *problem;
    int descriptor = open(path, O_RDONLY);
    CHECK(descriptor >= 0);
    return lc_flac_open(descriptor, &problem);
}

/* Returns how many frames come in reads of `step`. They must be the first of want, and the rest a problem. */
static size_t frames_of(const char *path, size_t channels, const float *want, size_t step)
{
    lc_flac *flac = open_path(path);
    float *x = case_array(FLAC_CHANNELS * step, sizeof *x);
    size_t total = 0, got = flac != NULL && lc_flac_view(flac)->channels == channels;
    bool same = true;
    while (got > 0) {
        got = lc_flac_read(flac, x, step);
        same = same && total + got <= FLAC_FRAMES &&
               memcmp(x, want + total * channels, got * channels * sizeof *x) == 0;
        total += got;
    }
    CHECK(same);
    CHECK(flac == NULL || total == FLAC_FRAMES || lc_flac_view(flac)->frames == FLAC_FRAMES ||
          lc_flac_problem(flac) != NULL);
    lc_flac_close(flac);
    free(x);
    return total;
}

/* Reads all of a source; hint is what is said at the end, NULL where nothing is wrong. Returns the frames read. */
static uint64_t read_source(const char *path, const char *hint)
{
    static float x[LC_SOURCE_CHUNK];
    lc_source source;
    loco_err err = {""};
    size_t got = 1;
    loco_status status = lc_source_open(&source, path, (lc_columns){0}, &err);
    while (status == LOCO_OK && got > 0)
        status = lc_source_read(&source, x, &got, &err);
    uint64_t at = source.at;
    CHECK_STATUS(status, hint == NULL ? LOCO_OK : LOCO_EDATA);
    CHECK_SAYS(err.text, hint == NULL ? "" : hint);
    CHECK_SAYS(err.text, hint == NULL ? "" : path);
    lc_source_close(&source);
    return at;
}

/* ---- whole files ---- */

/* Whether libFLAC can write Ogg; says so if not. */
static bool has_ogg(void)
{
    if (!FLAC_API_SUPPORTS_OGG_FLAC)
        printf("    left out: FLAC in Ogg, which libFLAC lacks here\n");
    return FLAC_API_SUPPORTS_OGG_FLAC;
}

static void check_kind(flac_kind kind)
{
    const char *path = sound_path("kind.flac");
    float *want = flac_write(path, kind);
    int descriptor = open(path, O_RDONLY);
    CHECK(lc_flac_is(descriptor));
    close(descriptor);
    size_t got = frames_of(path, kind.channels, want, 4096);
    if (got != FLAC_FRAMES)
        printf("    %u bits, %u channels, level %u, block %u, ogg %d\n", kind.bits, kind.channels, kind.level,
               kind.block, kind.ogg);
    CHECK_EQ(got, FLAC_FRAMES);
    free(want);
}

static void all_encodings_are_read(void)
{
    static const unsigned bits[] = {4, 8, 12, 15, 16, 20, 24, 32}, blocks[] = {16, 192, 4096, 65535};
    bool ogg = has_ogg();
    for (size_t b = 0; b < 8; b++) {
        for (unsigned channels = 1; channels <= FLAC_CHANNELS; channels++)
            check_kind((flac_kind){.bits = bits[b], .channels = channels, .level = 5});
        for (unsigned level = 0; level <= 8; level++)
            check_kind((flac_kind){.bits = bits[b], .channels = 2, .level = level});
        for (size_t i = 0; i < 4; i++)
            check_kind((flac_kind){.bits = bits[b], .channels = 2, .level = 3, .block = blocks[i]});
        if (ogg)
            check_kind((flac_kind){.bits = bits[b], .channels = 2, .level = 5, .ogg = true});
    }
}

/* As libsndfile writes and reads them. */
static void libsndfile_agrees(void)
{
    static const int bits[] = {SF_FORMAT_PCM_S8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24};
    if (!sound_has(SF_FORMAT_FLAC | SF_FORMAT_PCM_16))
        return;
    const char *path = sound_path("kind.flac");
    for (size_t b = 0; b < 3; b++)
        for (int channels = 1; channels <= FLAC_CHANNELS; channels += channels < 3 ? 1 : 5) {
            size_t n = (size_t)channels * FLAC_FRAMES;
            SF_INFO info = {0};
            float *x = sound_noise(n, 0.9f, 5), *want = case_array(n, sizeof *want);
            sound_write(path, SF_FORMAT_FLAC | bits[b], 44100, channels, x, FLAC_FRAMES);
            SNDFILE *file = sf_open(path, SFM_READ, &info);
            CHECK(sf_readf_float(file, want, FLAC_FRAMES) == FLAC_FRAMES);
            sf_close(file);
            CHECK_EQ(frames_of(path, (size_t)channels, want, 4096), FLAC_FRAMES);
            free(x);
            free(want);
        }
}

static void sizes_of_reads_do_not_matter(void)
{
    const char *path = sound_path("stereo.flac");
    float *want = flac_write(path, (flac_kind){.bits = 16, .channels = 2, .level = 5});
    CHECK_EQ(frames_of(path, 2, want, 1), FLAC_FRAMES);
    CHECK_EQ(frames_of(path, 2, want, 777), FLAC_FRAMES);
    CHECK_EQ(frames_of(path, 2, want, 100000), FLAC_FRAMES);
    free(want);
}

/* Copies a file with bytes before it. */
static void put_before(const char *path, const void *bytes, size_t n)
{
    flac_file *file = flac_load(path);
    memmove(file->bytes + n, file->bytes, file->n);
    memcpy(file->bytes, bytes, n);
    sound_bytes(path, file->bytes, file->n + n);
    flac_free(file);
}

static void files_are_known_by_their_bytes(void)
{
    static const unsigned char tag[10 + 300] = {'I', 'D', '3', 4, 0, 0, 0, 0, 2, 44};
    const char *path = sound_path("tagged");
    float *want = flac_write(path, (flac_kind){.bits = 16, .channels = 1, .level = 5});
    put_before(path, tag, sizeof tag);
    int descriptor = open(path, O_RDONLY);
    CHECK(lc_flac_is(descriptor));
    close(descriptor);
    CHECK_EQ(frames_of(path, 1, want, 4096), FLAC_FRAMES);
    put_before(path, "x", 1);
    descriptor = open(path, O_RDONLY);
    CHECK(!lc_flac_is(descriptor));
    close(descriptor);
    free(want);
}

static void other_files_are_none(void)
{
    const char *path = sound_path("other.flac");
    free(flac_write(path, (flac_kind){.bits = 16, .channels = 1, .level = 5}));
    flac_file *file = flac_load(path);
    for (size_t n = 0; n < HEADER; n++) {
        sound_bytes(path, file->bytes, n);
        CHECK(open_path(path) == NULL);
    }
    file->bytes[0] = 'F';
    sound_bytes(path, file->bytes, file->n);
    CHECK(open_path(path) == NULL);
    file->bytes[0] = 'f';
    file->bytes[4] |= 1; /* no STREAMINFO first */
    sound_bytes(path, file->bytes, file->n);
    CHECK(open_path(path) == NULL);
    read_source(path, "header is damaged or cut short");
    flac_free(file);
    lc_flac_close(NULL);
}

/* ---- damage ---- */

/* Behind the blocks at the start, which are not looked at but for the first, no wrong bit gives a wrong sample. */
static void damaged_and_cut_files_are_right_up_to_there(void)
{
    const char *path = sound_path("damaged.flac");
    float *want = flac_write(path, (flac_kind){.bits = 16, .channels = 2, .level = 5});
    flac_file *file = flac_load(path);
    lc_rng rng = lc_rng_seed(4);
    size_t before = 0;
    for (int i = 0; i < 300; i++) {
        size_t at = HEADER + (size_t)case_below(&rng, file->n - HEADER);
        unsigned char bit = (unsigned char)(1u << case_below(&rng, 8));
        file->bytes[at] ^= bit;
        sound_bytes(path, file->bytes, file->n);
        before += frames_of(path, 2, want, 4096) < FLAC_FRAMES;
        file->bytes[at] ^= bit;
        sound_bytes(path, file->bytes, at);
        CHECK(frames_of(path, 2, want, 4096) < FLAC_FRAMES);
    }
    CHECK(before > 200); /* the others hit blocks that say nothing */
    free(want);
    flac_free(file);
}

static void missing_repeated_and_moved_blocks_are_refused(void)
{
    static const char *const hints[DAMAGES] = {"a block of samples is missing", "there twice or out of order",
                                               "a block of samples is missing", "cut short", "checksum"};
    for (int known = 0; known <= 1; known++) {
        const char *path = sound_path("spoiled.flac");
        float *want = flac_write(path, (flac_kind){.bits = 16, .channels = 1, .level = 5, .block = 1000});
        flac_file *file = flac_load(path);
        flac_find_blocks(path, file);
        CHECK_EQ(file->blocks, 20);
        for (size_t i = 0; known == 0 && i < 5; i++) /* the header says nothing about the length */
            file->bytes[TOTAL + i] &= i == 0 ? 0xf0 : 0;
        for (flac_damage damage = 0; damage < DAMAGES; damage++)
            for (size_t b = 0; b < 20; b += b == 7 ? 11 : 7) {
                flac_spoil(file, path, damage, b);
                uint64_t at = read_source(path, hints[damage]);
                CHECK_EQ(at, (damage == REPEATED ? b + 1 : b) * 1000);
                CHECK_EQ(frames_of(path, 1, want, 300), at);
            }
        flac_free(file);
        free(want);
    }
}

static void set_total(flac_file *file, uint64_t total, const char *path)
{
    for (size_t i = 0; i < 5; i++) {
        unsigned byte = (unsigned)(total >> (32 - 8 * i)) & 0xff;
        file->bytes[TOTAL + i] = (unsigned char)(i == 0 ? (file->bytes[TOTAL] & 0xf0u) | (byte & 15) : byte);
    }
    sound_bytes(path, file->bytes, file->n);
}

static void wrong_totals_are_refused(void)
{
    const char *path = sound_path("total.flac");
    free(flac_write(path, (flac_kind){.bits = 16, .channels = 2, .level = 5, .block = 1000}));
    flac_file *file = flac_load(path);
    set_total(file, FLAC_FRAMES + 1, path);
    CHECK_EQ(read_source(path, "cut short"), FLAC_FRAMES);
    set_total(file, 0xfffffffff, path);
    CHECK_EQ(read_source(path, "cut short"), FLAC_FRAMES);
    set_total(file, FLAC_FRAMES - 1, path);
    CHECK_EQ(read_source(path, "goes on, where its header says that it ends"), FLAC_FRAMES - 1000);
    set_total(file, FLAC_FRAMES - 1000, path);
    CHECK_EQ(read_source(path, "goes on, where its header says that it ends"), FLAC_FRAMES - 1000);
    set_total(file, 0, path);
    CHECK_EQ(read_source(path, NULL), FLAC_FRAMES);
    set_total(file, FLAC_FRAMES, path);
    CHECK_EQ(read_source(path, NULL), FLAC_FRAMES);
    memset(file->bytes + file->n, 'T', 128); /* a tag at the end */
    file->n += 128;
    sound_bytes(path, file->bytes, file->n);
    CHECK_EQ(read_source(path, NULL), FLAC_FRAMES);
    flac_free(file);
}

/* A whole file is refused at its end; what comes after a seek has no sum. */
static void wrong_sums_are_refused(void)
{
    const char *path = sound_path("sum.flac");
    float *want = flac_write(path, (flac_kind){.bits = 16, .channels = 2, .level = 5, .block = 1000}), *x = NULL;
    flac_file *file = flac_load(path);
    lc_source source;
    size_t n = 0, got = 0;
    file->bytes[30] ^= 0x40;
    sound_bytes(path, file->bytes, file->n);
    CHECK_EQ(read_source(path, "MD5 sum"), FLAC_FRAMES);
    loco_err err = {""};
    CHECK_STATUS(lc_sound_load(path, 0, INFINITY, 44100, &x, &n, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "MD5 sum");
    CHECK_STATUS(lc_sound_load(path, 0.1, 0.2, 44100, &x, &n, &err), LOCO_OK);
    free(x);
    float block[LC_SOURCE_CHUNK];
    CHECK_STATUS(lc_source_open(&source, path, (lc_columns){0}, &err), LOCO_OK);
    CHECK_STATUS(lc_source_seek(&source, FLAC_FRAMES - 10, &err), LOCO_OK);
    CHECK_STATUS(lc_source_read(&source, block, &got, &err), LOCO_OK);
    CHECK_EQ(got, 10);
    CHECK_STATUS(lc_source_read(&source, block, &got, &err), LOCO_OK);
    CHECK_EQ(got, 0);
    CHECK_STATUS(lc_source_seek(&source, 0, &err), LOCO_OK); /* after the end */
    lc_source_close(&source);
    memset(file->bytes + 26, 0, 16); /* there is none */
    sound_bytes(path, file->bytes, file->n);
    CHECK_EQ(read_source(path, NULL), FLAC_FRAMES);
    flac_free(file);
    free(want);
}

static void formats_of_streams(void)
{
    static const char *const wrongs[] = {"flac,", "flac,12", "flac,x", "flac16,2,44100"};
    lc_raw_format format = {0}, back = {0};
    unsigned char header[LC_FLAC_HEADER] = {'f', 'L', 'a', 'C', 0x80, 0, 0, 34, 0x10, 0, 0x10, 0};
    char text[64];
    memcpy(header + 18, "\x0a\xc4\x42\xf1\x23\x45\x67\x89", 8); /* 44100 Hz, 2 channels, 16 bits, 0x123456789 frames */
    memset(header + 26, 0xab, 16);
    CHECK(lc_flac_read_format(&format, header));
    CHECK(format.type == LC_RAW_FLAC && format.channels == 2 && format.frames == 0x123456789);
    CHECK_NEAR(format.rate, 44100, 0);
    lc_flac_write_format(text, &format);
    CHECK_STATUS(lc_raw_parse(&back, text, NULL), LOCO_OK);
    CHECK(memcmp(format.flac, back.flac, sizeof back.flac) == 0 && back.frames == format.frames);
    CHECK_EQ(lc_source_raw_chunk(&back), 4096);
    for (size_t i = 0; i < 4; i++)
        CHECK_STATUS(lc_raw_parse(&back, wrongs[i], NULL), LOCO_EDATA);
    header[7] = 33;
    CHECK(!lc_flac_read_format(&format, header));
}

/* Bytes that are reserved, where the C library counts them. */
static size_t reserved(void)
{
#ifdef __GLIBC__
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
#else
    return 0;
#endif
}

/* 655350 Hz, 8 channels, blocks of 65535, 2^36 - 1 samples, and nothing behind. */
static void claims_reserve_little(void)
{
    static const unsigned char bytes[HEADER] = {'f',  'L',  'a',  'C',  0x80, 0,    0,    34,  0xff,
                                                0xff, 0xff, 0xff, 0,    0,    0,    0,    0,   0,
                                                0x9f, 0xff, 0x6f, 0xff, 0xff, 0xff, 0xff, 0xff};
    const char *path = sound_path("claims.flac");
    lc_source source;
    sound_bytes(path, bytes, sizeof bytes);
    size_t before = reserved();
    CHECK_STATUS(lc_source_open(&source, path, (lc_columns){0}, NULL), LOCO_OK);
    CHECK(reserved() <= before + (4 << 20));
    CHECK_EQ(source.frames, 0xfffffffff);
    CHECK_EQ(source.channels, 8);
    lc_source_close(&source);
    read_source(path, "holds no sound");
}

/* ---- seeks ---- */

/* What comes behind a frame, up to a thousand, are the samples that the encoder had there. */
static void check_seek(lc_source *source, uint64_t frame, const float *want)
{
    static float x[FLAC_CHANNELS * LC_SOURCE_CHUNK];
    size_t channels = source->channels, got;
    loco_err err = {""};
    CHECK_STATUS(lc_source_seek(source, frame, &err), LOCO_OK);
    CHECK_EQ(source->at, frame);
    CHECK_STATUS(lc_source_read(source, x, &got, &err), LOCO_OK);
    CHECK(got > 0 || frame == FLAC_FRAMES);
    CHECK(case_same(x, want + frame * channels, got * channels * sizeof *x));
}

static void seeks_are_exact(void)
{
    static const flac_kind kinds[] = {
        {.bits = 16,     .channels = 2, .level = 5    },
        { .bits = 24, .channels = 3,    .level = 0,  .block = 1000},
        { .bits = 12, .channels = 1,    .level = 8,    .block = 16},
        { .bits = 16, .channels = 1,    .level = 5, .block = 65535},
        { .bits = 16, .channels = 2,    .level = 5,    .ogg = true},
    };
    const char *path = sound_path("seek.flac");
    size_t ogg = has_ogg() ? 0 : 1; /* the last of them */
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds - ogg; k++)
        for (int known = kinds[k].ogg; known <= 1; known++) {
            lc_source source;
            lc_rng rng = lc_rng_seed(6);
            float *want = flac_write(path, kinds[k]);
            flac_file *file = flac_load(path);
            if (!kinds[k].ogg)
                set_total(file, known ? FLAC_FRAMES : 0, path);
            CHECK_STATUS(lc_source_open(&source, path, (lc_columns){0}, NULL), LOCO_OK);
            source.split = true;
            static const uint64_t places[] = {FLAC_FRAMES, 0,    FLAC_FRAMES - 1, 1, 4096, 4095,
                                              999,         1000, FLAC_FRAMES,     5};
            for (size_t i = 0; i < sizeof places / sizeof *places; i++)
                check_seek(&source, places[i], want);
            for (size_t i = 0; i < 50; i++)
                check_seek(&source, case_below(&rng, FLAC_FRAMES), want);
            CHECK_STATUS(lc_source_seek(&source, FLAC_FRAMES + 1, NULL), LOCO_EDATA);
            check_seek(&source, 7, want);
            lc_source_close(&source);
            flac_free(file);
            free(want);
        }
}

/* A seek to a damaged or missing block fails; others still work. */
static void seeks_to_damage_are_refused(void)
{
    const char *path = sound_path("spoiled.flac");
    float *want = flac_write(path, (flac_kind){.bits = 16, .channels = 2, .level = 5, .block = 1000});
    flac_file *file = flac_load(path);
    flac_find_blocks(path, file);
    for (flac_damage damage = 0; damage < DAMAGES; damage++) {
        lc_source source;
        loco_err err = {""};
        flac_spoil(file, path, damage, 7);
        CHECK_STATUS(lc_source_open(&source, path, (lc_columns){0}, &err), LOCO_OK);
        source.split = true;
        if (damage != REPEATED)
            CHECK_STATUS(lc_source_seek(&source, 7500, &err), LOCO_EDATA);
        check_seek(&source, 3000, want);
        if (damage != CUT)
            check_seek(&source, 15000, want);
        lc_source_close(&source);
    }
    flac_free(file);
    free(want);
}

int main(void)
{
    sound_begin();
    RUN(other_files_are_none);
    RUN(all_encodings_are_read);
    RUN(libsndfile_agrees);
    RUN(sizes_of_reads_do_not_matter);
    RUN(files_are_known_by_their_bytes);
    RUN(damaged_and_cut_files_are_right_up_to_there);
    RUN(missing_repeated_and_moved_blocks_are_refused);
    RUN(wrong_totals_are_refused);
    RUN(wrong_sums_are_refused);
    RUN(formats_of_streams);
    RUN(claims_reserve_little);
    RUN(seeks_are_exact);
    RUN(seeks_to_damage_are_refused);
    sound_end();
    return check_done();
}
