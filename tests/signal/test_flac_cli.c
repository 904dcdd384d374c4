/* SPDX-License-Identifier: MIT
 * test_flac_cli.c - FLAC files give the samples that the program flac gives, bit for bit, over bit depths, channels,
 *   levels and block sizes; what that program refuses is refused here, and nothing before that place is wrong. */
#include "flacs.h"

#include "signal/source_flac.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs flac with arguments, where %s is the folder; true: it succeeded. */
static bool run_flac(const char *arguments)
{
    char command[600];
    snprintf(command, sizeof command, "cd %s && flac --totally-silent %s", sound_folder, arguments);
    int status = system(command);
    CHECK(status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) < 126);
    return status == 0;
}

/* Reads all frames of a source that was opened with a status, and returns their number; true in *whole: without an
 * error. The caller frees x. */
static size_t read_source(lc_source *source, loco_status status, size_t channels, float **x, bool *whole)
{
    size_t n = 0, got = 1;
    *x = case_array((FLAC_FRAMES + 2 * LC_SOURCE_CHUNK) * channels, sizeof **x);
    source->split = true;
    while (status == LOCO_OK && got > 0 && n <= FLAC_FRAMES + LC_SOURCE_CHUNK) {
        status = lc_source_read(source, *x + n * channels, &got, NULL);
        n += status == LOCO_OK ? got : 0;
    }
    *whole = status == LOCO_OK;
    lc_source_close(source);
    return n;
}

static size_t read_ours(const char *path, size_t channels, float **x, bool *whole)
{
    lc_source source;
    loco_status status = lc_source_open(&source, path, (lc_columns){0}, NULL);
    return read_source(&source, status, channels, x, whole);
}

/* The same from a pipe that a command fills, as standard input is read. */
static size_t read_pipe(const char *command, bool whole_stream, size_t channels, float **x, bool *whole)
{
    char line[600], text[64];
    unsigned char header[LC_FLAC_HEADER];
    lc_source source;
    lc_raw_format format = {0};
    snprintf(line, sizeof line, "cd %s && %s", sound_folder, command);
    FILE *pipe = popen(line, "r");
    CHECK(read(fileno(pipe), header, sizeof header) == sizeof header);
    CHECK(lc_flac_read_format(&format, header));
    lc_flac_write_format(text, &format);
    CHECK_STATUS(lc_raw_parse(&format, text, NULL), LOCO_OK);
    if (whole_stream) { /* a format that was given, and a stream with a header */
        pclose(pipe);
        pipe = popen(line, "r");
    }
    loco_status status = lc_source_open_raw(&source, pipe, "pipe", &format, NULL);
    size_t n = read_source(&source, status, channels, x, whole);
    pclose(pipe);
    return n;
}

/* All frames as flac decodes them. The caller frees them. */
static float *read_theirs(size_t channels)
{
    SF_INFO info = {0};
    float *x = case_array(FLAC_FRAMES * channels, sizeof *x);
    CHECK(run_flac("-d -f -o theirs.wav a.flac"));
    SNDFILE *file = sf_open(sound_path("theirs.wav"), SFM_READ, &info);
    CHECK((size_t)info.channels == channels);
    CHECK(sf_readf_float(file, x, FLAC_FRAMES) == FLAC_FRAMES);
    sf_close(file);
    return x;
}

static void check_kind(flac_kind kind)
{
    bool whole;
    float *ours, *theirs;
    free(flac_write(sound_path("a.flac"), kind));
    theirs = read_theirs(kind.channels);
    CHECK_EQ(read_ours(sound_path("a.flac"), kind.channels, &ours, &whole), FLAC_FRAMES);
    bool same = whole && case_same(ours, theirs, FLAC_FRAMES * kind.channels * sizeof *ours);
    if (!same)
        printf("    %u bits, %u channels, level %u, block %u\n", kind.bits, kind.channels, kind.level, kind.block);
    CHECK(same);
    free(ours);
    CHECK_EQ(read_pipe("cat a.flac", false, kind.channels, &ours, &whole), FLAC_FRAMES);
    CHECK(whole && case_same(ours, theirs, FLAC_FRAMES * kind.channels * sizeof *ours));
    free(ours);
    free(theirs);
}

static void encodings_agree(void)
{
    static const unsigned bits[] = {8, 12, 15, 16, 20, 24, 32}, blocks[] = {16, 192, 1024, 4608, 65535};
    for (size_t b = 0; b < 7; b++) {
        check_kind((flac_kind){.bits = bits[b], .channels = 2, .level = 5});
        check_kind((flac_kind){.bits = bits[b], .channels = 1, .level = 8});
    }
    for (unsigned channels = 1; channels <= FLAC_CHANNELS; channels++)
        check_kind((flac_kind){.bits = 16, .channels = channels, .level = 5});
    for (unsigned level = 0; level <= 8; level++)
        check_kind((flac_kind){.bits = 16, .channels = 2, .level = level});
    for (size_t i = 0; i < 5; i++)
        check_kind((flac_kind){.bits = 16, .channels = 2, .level = 5, .block = blocks[i]});
}

/* As the program itself writes them, from a file and from a pipe, where the header does not know the length. */
static void files_of_the_program_agree(void)
{
    static const char *const ways[] = {"-f -8 -o a.flac x.wav", "-f -0 --no-padding --no-seektable -o a.flac x.wav",
                                       "-f -c x.wav | cat >a.flac"};
    float *x = sound_noise(2 * FLAC_FRAMES, 0.8f, 2);
    sound_write(sound_path("x.wav"), SF_FORMAT_WAV | SF_FORMAT_PCM_16, 48000, 2, x, FLAC_FRAMES);
    for (size_t i = 0; i < 3; i++) {
        bool whole;
        float *ours, *theirs;
        CHECK(run_flac(ways[i]));
        theirs = read_theirs(2);
        CHECK_EQ(read_ours(sound_path("a.flac"), 2, &ours, &whole), FLAC_FRAMES);
        CHECK(whole && case_same(ours, theirs, 2 * FLAC_FRAMES * sizeof *ours));
        free(ours);
        free(theirs);
    }
    free(x);
}

/* Written by the program to a pipe, read from a pipe with and without its header, and from a pipe that has a name. */
static void pipes_agree(void)
{
    float *x = sound_noise(2 * FLAC_FRAMES, 0.8f, 2), *ours, *theirs;
    bool whole;
    sound_write(sound_path("x.wav"), SF_FORMAT_WAV | SF_FORMAT_PCM_16, 48000, 2, x, FLAC_FRAMES);
    CHECK(run_flac("-f -o a.flac x.wav"));
    theirs = read_theirs(2);
    for (int header = 0; header <= 1; header++) {
        CHECK_EQ(read_pipe("flac --totally-silent -c x.wav", header == 1, 2, &ours, &whole), FLAC_FRAMES);
        CHECK(whole && case_same(ours, theirs, 2 * FLAC_FRAMES * sizeof *ours));
        free(ours);
    }
    size_t n = read_pipe("flac --totally-silent -c - <x.wav | head -c 40000", false, 2, &ours, &whole);
    CHECK(!whole && n > 0 && case_same(ours, theirs, 2 * n * sizeof *ours));
    free(ours);
    char command[600];
    CHECK(mkfifo(sound_path("pipe.flac"), 0600) == 0);
    snprintf(command, sizeof command, "cat %s/a.flac >%s/pipe.flac &", sound_folder, sound_folder);
    CHECK(system(command) == 0);
    CHECK_EQ(read_ours(sound_path("pipe.flac"), 2, &ours, &whole), FLAC_FRAMES);
    CHECK(whole && case_same(ours, theirs, 2 * FLAC_FRAMES * sizeof *ours));
    unlink(sound_path("pipe.flac"));
    free(ours);
    free(theirs);
    free(x);
}

static bool is_silent(const float *x, size_t n)
{
    size_t i = 0;
    while (i < n && x[i] == 0)
        i++;
    return i == n;
}

/* Both flac and libloco refuse the file, and what libloco reads before is right. flac fills what is missing with zeros,
 * and so accepts that a silent block is missing. */
static void check_refused(const float *want, flac_kind kind, flac_damage damage, size_t block)
{
    bool whole, good = run_flac("-t a.flac");
    float *ours;
    size_t channels = kind.channels, n = read_ours(sound_path("a.flac"), channels, &ours, &whole);
    bool right = n <= FLAC_FRAMES && case_same(ours, want, n * channels * sizeof *ours);
    bool silent = damage == DROPPED && is_silent(want + block * kind.block * channels, kind.block * channels);
    if ((good && !silent) || whole || !right)
        printf("    %s, block %zu: flac %s, ours %s, %zu frames\n", flac_damages[damage], block,
               good ? "accepts" : "refuses", whole ? "accepts" : "refuses", n);
    CHECK((!good || silent) && !whole && right);
    free(ours);
    n = read_pipe("cat a.flac", false, channels, &ours, &whole);
    CHECK(!whole && n <= FLAC_FRAMES && case_same(ours, want, n * channels * sizeof *ours));
    free(ours);
}

/* The sum, the total, a block of another file in its place: the samples of each block are what they should be, or there
 * is an error; at the end there always is. */
static void wrong_headers_are_refused_by_both(void)
{
    enum { MD5 = 26, TOTAL_END = 25 };
    float *want = flac_write(sound_path("a.flac"), (flac_kind){.bits = 16, .channels = 2, .level = 5}), *ours;
    flac_file *file = flac_load(sound_path("a.flac"));
    for (size_t at = TOTAL_END; at < MD5 + 16; at += 5) {
        bool whole;
        file->bytes[at] ^= 1;
        sound_bytes(sound_path("a.flac"), file->bytes, file->n);
        file->bytes[at] ^= 1;
        CHECK(!run_flac("-t a.flac"));
        size_t n = read_ours(sound_path("a.flac"), 2, &ours, &whole);
        CHECK(!whole && case_same(ours, want, 2 * n * sizeof *ours));
        free(ours);
        n = read_pipe("cat a.flac", false, 2, &ours, &whole);
        CHECK(!whole && case_same(ours, want, 2 * n * sizeof *ours));
        free(ours);
    }
    flac_free(file);
    free(want);
}

/* The same verdict on a file and on its bytes from a pipe; what is read is right. */
static void check_end(const float *want, bool good)
{
    bool whole;
    float *ours;
    size_t n = read_ours(sound_path("a.flac"), 2, &ours, &whole);
    CHECK(whole == good && n == FLAC_FRAMES && case_same(ours, want, 2 * n * sizeof *ours));
    free(ours);
    n = read_pipe("cat a.flac", false, 2, &ours, &whole);
    CHECK(whole == good && n == FLAC_FRAMES && case_same(ours, want, 2 * n * sizeof *ours));
    free(ours);
}

/* Behind the last block: that block again, a second file (at once, or behind a tag), or a tag alone, with bytes as at the
 * start of a block. */
static void more_than_the_header_says(void)
{
    float *want = flac_write(sound_path("a.flac"), (flac_kind){.bits = 16, .channels = 2, .level = 5});
    flac_file *file = flac_load(sound_path("a.flac"));
    flac_find_blocks(sound_path("a.flac"), file);
    size_t last = file->starts[file->blocks - 1], n = file->n, length = n - last;
    unsigned char *bytes = case_array(2 * n + 1000, 1), *behind = bytes + n;
    memcpy(bytes, file->bytes, n);
    memcpy(behind, file->bytes + last, length);
    sound_bytes(sound_path("a.flac"), bytes, n + length);
    CHECK(!run_flac("-t a.flac"));
    check_end(want, false);
    memset(behind, 'T', 1000);
    for (size_t i = 0; i < 1000; i += 100)
        memcpy(behind + i, file->bytes + last, i / 10 + 2); /* the first bytes of a block, and no more of it */
    behind[0] = 'T';
    sound_bytes(sound_path("a.flac"), bytes, n + 1000);
    check_end(want, true);
    memcpy(behind + 1000, file->bytes, n);
    sound_bytes(sound_path("a.flac"), bytes, 2 * n + 1000);
    check_end(want, false);
    memcpy(behind, file->bytes, n);
    sound_bytes(sound_path("a.flac"), bytes, 2 * n);
    CHECK(!run_flac("-t a.flac"));
    check_end(want, false);
    free(bytes);
    flac_free(file);
    free(want);
}

static void damage_is_refused_by_both(void)
{
    static const flac_kind kinds[] = {
        {.bits = 16, .channels = 2, .level = 5, .block = 1000},
        {.bits = 24, .channels = 1, .level = 0, .block = 1152},
        {.bits = 12, .channels = 3, .level = 8, .block = 256 },
    };
    for (size_t k = 0; k < 3; k++) {
        float *want = flac_write(sound_path("a.flac"), kinds[k]);
        flac_file *file = flac_load(sound_path("a.flac"));
        flac_find_blocks(sound_path("a.flac"), file);
        for (flac_damage damage = 0; damage < DAMAGES; damage++)
            for (size_t b = 0; b + 2 <= file->blocks; b += 1 + file->blocks / 5) {
                flac_spoil(file, sound_path("a.flac"), damage, b);
                check_refused(want, kinds[k], damage, b);
            }
        flac_free(file);
        free(want);
    }
}

/* A wrong byte anywhere behind STREAMINFO: all samples are right, or there is an error. */
static void flipped_bytes_give_no_wrong_sample(void)
{
    float *want = flac_write(sound_path("a.flac"), (flac_kind){.bits = 16, .channels = 2, .level = 5}), *ours;
    flac_file *file = flac_load(sound_path("a.flac"));
    lc_rng rng = lc_rng_seed(9);
    size_t refused = 0;
    for (int i = 0; i < 60; i++) {
        bool whole;
        size_t at = 42 + case_below(&rng, file->n - 42);
        unsigned char old = file->bytes[at];
        file->bytes[at] = (unsigned char)(old ^ (1 + case_below(&rng, 255)));
        sound_bytes(sound_path("a.flac"), file->bytes, file->n);
        size_t n = read_ours(sound_path("a.flac"), 2, &ours, &whole);
        CHECK(n <= FLAC_FRAMES && case_same(ours, want, 2 * n * sizeof *ours) && (!whole || n == FLAC_FRAMES));
        CHECK(!whole || run_flac("-t a.flac"));
        refused += !whole;
        file->bytes[at] = old;
        free(ours);
    }
    CHECK(refused > 30);
    flac_free(file);
    free(want);
}

int main(void)
{
    if (system("flac --version >/dev/null 2>&1") != 0) {
        printf("skipped: there is no program flac\n");
        return 77;
    }
    sound_begin();
    RUN(encodings_agree);
    RUN(files_of_the_program_agree);
    RUN(pipes_agree);
    RUN(damage_is_refused_by_both);
    RUN(more_than_the_header_says);
    RUN(wrong_headers_are_refused_by_both);
    RUN(flipped_bytes_give_no_wrong_sample);
    sound_end();
    return check_done();
}
