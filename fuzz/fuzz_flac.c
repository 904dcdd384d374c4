/* SPDX-License-Identifier: MIT
 *
 * fuzz_flac.c - any bytes as a FLAC file.
 *   The checksums of frames would hide all that lies behind them from wrong bytes; so the same bytes go to a subframe
 *   directly, too. Samples, where there are any, are numbers of -1..1, but for what a side channel may overflow. */
#include "signal/flac.h"
#include "signal/flac_subframe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 16, BLOCK = 4096 };

typedef struct memory {
    const uint8_t *bytes;
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

static void read_file(const uint8_t *data, size_t size)
{
    static float samples[8 * BLOCK];
    memory file = {data, size};
    lc_flac_info info;
    lc_flac *flac = lc_flac_new(get_bytes, &file, &info);
    for (size_t got = 1; flac != NULL && got > 0;) {
        got = lc_flac_read(flac, samples, BLOCK);
        for (size_t i = 0; i < got * info.channels; i++)
            if (!isfinite(samples[i]))
                abort();
    }
    lc_flac_free(flac);
}

static void read_subframe(const uint8_t *data, size_t size)
{
    static unsigned char bytes[MOST + LC_FLAC_MARGIN];
    static int32_t samples[BLOCK];
    unsigned depth = data[0] % 25 + 1;
    size_t n = data[1] % 2 == 0 ? BLOCK : (size_t)data[1] + 1;
    memcpy(bytes, data + 2, size - 2);
    memset(bytes + size - 2, 0, LC_FLAC_MARGIN);
    lc_bits bits = lc_bits_of(bytes, size - 2);
    (void)lc_flac_subframe(&bits,
                           lc_flac_kernels_of(data[0] % 2 == 0 || !lc_isa_runs(LC_ISA_AVX2) ? LC_ISA_REF : LC_ISA_AVX2),
                           depth, samples, n);
    if (lc_bits_at(&bits) > bytes + sizeof bytes)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > MOST)
        return 0;
    read_file(data, size);
    read_subframe(data, size);
    return 0;
}
