/* SPDX-License-Identifier: MIT
 * flac.c - times the decoding of a FLAC file to float samples, in memory at once, on one thread.
 *
 *   flac ours|libsndfile|libflac FILE SECONDS   prints one JSON object: the least processor time, in SECONDS but at least
 *                                               once; the memory; and a sum over all samples, which is the same for all
 *
 * libflac writes its samples interleaved, as the other two do. */
#include "clock.h"

#include "signal/source.h"

#include <math.h>
#include <sndfile.h>

#ifdef LOCO_LIBFLAC
#include <FLAC/stream_decoder.h>
#endif

enum { CHUNK = 4096 };

typedef double decode(const char *path); /* the sum of all samples; NAN: it failed */

static double sum_of(const float *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

static size_t get_bytes(void *context, uint64_t at, unsigned char *bytes, size_t n)
{
    FILE *file = context;
    return fseek(file, (long)at, SEEK_SET) == 0 ? fread(bytes, 1, n, file) : 0;
}

static double decode_ours(const char *path)
{
    static float samples[CHUNK * 8];
    lc_flac_info info;
    double sum = 0;
    FILE *file = fopen(path, "rb");
    lc_flac *flac = file != NULL ? lc_flac_new(get_bytes, file, &info) : NULL;
    for (size_t got = 1; flac != NULL && got > 0;) {
        got = lc_flac_read(flac, samples, CHUNK);
        sum += sum_of(samples, got * info.channels);
    }
    double result = flac != NULL ? sum : (double)NAN;
    lc_flac_free(flac);
    if (file != NULL)
        fclose(file);
    return result;
}

static double decode_libsndfile(const char *path)
{
    static float samples[CHUNK * 8];
    SF_INFO info = {0};
    double sum = 0;
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    for (sf_count_t got = 1; file != NULL && got > 0;) {
        got = sf_readf_float(file, samples, CHUNK);
        sum += sum_of(samples, (size_t)got * (size_t)info.channels);
    }
    if (file == NULL)
        return (double)NAN;
    sf_close(file);
    return sum;
}

#ifdef LOCO_LIBFLAC
static FLAC__StreamDecoderWriteStatus take(const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame,
                                           const FLAC__int32 *const channels[], void *context)
{
    static float samples[65536 * 8];
    float scale = 1.0f / (float)(1u << (frame->header.bits_per_sample - 1));
    size_t n = frame->header.blocksize, count = frame->header.channels;
    (void)decoder;
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < n; i++)
            samples[i * count + c] = (float)channels[c][i] * scale;
    *(double *)context += sum_of(samples, n * count);
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

static void fail(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status, void *context)
{
    (void)decoder;
    (void)status;
    *(double *)context = (double)NAN;
}

static double decode_libflac(const char *path)
{
    double sum = 0;
    FLAC__StreamDecoder *decoder = FLAC__stream_decoder_new();
    if (FLAC__stream_decoder_init_file(decoder, path, take, NULL, fail, &sum) != FLAC__STREAM_DECODER_INIT_STATUS_OK ||
        !FLAC__stream_decoder_process_until_end_of_stream(decoder))
        sum = (double)NAN;
    FLAC__stream_decoder_delete(decoder);
    return sum;
}
#endif

static int run(decode *way, const char *path, double seconds)
{
    double best = 1e9, sum, end = now() + seconds;
    do {
        double start = processor_time();
        sum = way(path);
        double took = processor_time() - start;
        best = took < best ? took : best;
    } while (now() < end);
    printf("{\"ms\":%.3f,\"mb\":%.1f,\"sum\":%.9g}\n", 1e3 * best, peak_mb(), sum);
    return isnan(sum) ? 2 : 0;
}

int main(int argc, char **argv)
{
    decode *way = NULL;
    if (argc == 4)
        way = strcmp(argv[1], "ours") == 0         ? decode_ours
              : strcmp(argv[1], "libsndfile") == 0 ? decode_libsndfile
                                                   : NULL;
#ifdef LOCO_LIBFLAC
    if (argc == 4 && strcmp(argv[1], "libflac") == 0)
        way = decode_libflac;
#endif
    if (way == NULL) {
        fprintf(stderr, "usage: flac ours|libsndfile|libflac FILE SECONDS\n");
        return 2;
    }
    return run(way, argv[2], strtod(argv[3], NULL));
}
