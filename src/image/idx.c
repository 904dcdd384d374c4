/* SPDX-License-Identifier: MIT
 * idx.c - files of MNIST:
 *
 *     0 0 8 1  n                 n labels           8: unsigned bytes, the only type that is read; then the number of sizes
 *     0 0 8 3  n height width    n images           sizes have four bytes, the highest first
 *
 * Files packed by gzip are unpacked while they are read: into the header first, then into memory of the size it claims, if
 * so many bytes may come out of so short a file. */
#include "image/idx.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/status.h"
#include "image/image.h"
#include "signal/track.h"

#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum { MAGIC = 4, SIZES = 3, DEFLATE_MOST = 1032, GZIP_WINDOW = 15 + 16 };

/* Bytes that are taken one after the other, from memory or out of gzip. */
typedef struct input {
    const unsigned char *at;
    size_t left, length; /* of length bytes */
    bool packed;
    z_stream z;
    int result; /* of zlib's last call */
} input;

static voidpf take_memory(voidpf context, uInt n, uInt size)
{
    size_t bytes;
    (void)context;
    return lc_size_mul(n, size, &bytes) ? malloc(bytes) : NULL;
}

static void free_memory(voidpf context, voidpf memory)
{
    (void)context;
    free(memory);
}

static int open_input(input *in, const void *bytes, size_t length)
{
    *in = (input){
        .at = bytes, .left = length, .length = length, .z = {.zalloc = take_memory, .zfree = free_memory}
    };
    in->packed = length >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
    return in->packed ? inflateInit2(&in->z, GZIP_WINDOW) : Z_OK;
}

static void close_input(input *in)
{
    if (in->packed)
        inflateEnd(&in->z);
}

/* Takes up to n bytes; how many there were. */
static size_t unpack(input *in, unsigned char *bytes, size_t n)
{
    in->z.next_in = in->at;
    in->z.avail_in = (uInt)in->left;
    in->z.next_out = bytes;
    in->z.avail_out = (uInt)n;
    in->result = inflate(&in->z, Z_SYNC_FLUSH);
    in->at += in->left - in->z.avail_in;
    in->left = in->z.avail_in;
    return n - in->z.avail_out;
}

static size_t take(input *in, unsigned char *bytes, size_t n)
{
    if (in->packed)
        return unpack(in, bytes, n);
    n = n < in->left ? n : in->left;
    memcpy(bytes, in->at, n);
    in->at += n;
    in->left -= n;
    return n;
}

/* Whether nothing is left, and the checksum of gzip is right. */
static bool is_at_end(input *in)
{
    unsigned char more;
    return take(in, &more, 1) == 0 && (!in->packed || in->result == Z_STREAM_END);
}

static loco_status fail(const input *in, const char *name, const char *what, loco_err *err)
{
    if (in->result == Z_MEM_ERROR)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_track_show(name).text);
    return lc_err_set(err, LOCO_EDATA, "%s: %s", lc_track_show(name).text, what);
}

static loco_status take_header(lc_idx *idx, input *in, const char *name, loco_err *err)
{
    unsigned char head[MAGIC], bytes[4];
    size_t sizes[SIZES] = {0, 1, 1};
    if (take(in, head, MAGIC) != MAGIC || head[0] != 0 || head[1] != 0 || (head[3] != 1 && head[3] != SIZES))
        return fail(in, name, "is not a file of MNIST's kind (idx) with images or labels; name another one", err);
    if (head[2] != 8)
        return fail(in, name, "is an idx file of other values than unsigned bytes; save it with those", err);
    for (size_t i = 0; i < head[3]; i++) {
        if (take(in, bytes, sizeof bytes) != sizeof bytes)
            return fail(in, name, "is cut short: its header is not complete; get the file again", err);
        sizes[i] = (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
    }
    *idx = (lc_idx){.n = sizes[0], .height = sizes[1], .width = sizes[2]};
    return LOCO_OK;
}

/* Room for the values, if there may be as many. */
static loco_status take_room(lc_idx *idx, size_t *size, const input *in, const char *name, loco_err *err)
{
    const lc_track_name shown = lc_track_show(name);
    size_t pixels;
    if (idx->n == 0 || idx->height == 0 || idx->width == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: has no pixels (%zu images of %zu x %zu); get the file again",
                          shown.text, idx->n, idx->width, idx->height);
    if (idx->height > LC_IMAGE_MOST || idx->width > LC_IMAGE_MOST || !lc_size_mul(idx->height, idx->width, &pixels) ||
        !lc_size_mul(pixels, idx->n, size) || *size > LC_IMAGE_BYTES)
        return lc_err_set(err, LOCO_EDATA, "%s: claims %zu images of %zu x %zu pixels; at most 1 GiB is read",
                          shown.text, idx->n, idx->width, idx->height);
    if (*size / (in->packed ? DEFLATE_MOST : 1) > in->length)
        return lc_err_set(err, LOCO_EDATA,
                          "%s: %zu bytes are too few for its %zu images of %zu x %zu pixels: cut short, or a "
                          "decompression bomb; get the file again",
                          shown.text, in->length, idx->n, idx->width, idx->height);
    idx->values = malloc(*size);
    return idx->values != NULL ? LOCO_OK : lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", shown.text);
}

static loco_status read_all(lc_idx *idx, input *in, const char *name, loco_err *err)
{
    size_t size;
    loco_status status = take_header(idx, in, name, err);
    if (status == LOCO_OK)
        status = take_room(idx, &size, in, name, err);
    if (status != LOCO_OK)
        return status;
    if (take(in, idx->values, size) != size)
        return fail(in, name, "is cut short or damaged: fewer values than its header claims; get the file again", err);
    if (!is_at_end(in))
        return fail(in, name, "is damaged: bytes behind its last value, or a wrong checksum; get the file again", err);
    return LOCO_OK;
}

loco_status lc_idx_parse(lc_idx *idx, const char *name, const void *bytes, size_t length, loco_err *err)
{
    input in;
    lc_idx made = {0};
    if (open_input(&in, bytes, length) != Z_OK)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_track_show(name).text);
    loco_status status = read_all(&made, &in, name, err);
    close_input(&in);
    if (status == LOCO_OK)
        *idx = made;
    else
        lc_idx_free(&made);
    return status;
}

loco_status lc_idx_load(lc_idx *idx, const char *path, loco_err *err)
{
    char *bytes;
    size_t length;
    loco_status status = lc_file_load(path, (size_t)LC_IMAGE_BYTES + 16, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_idx_parse(idx, path, bytes, length, err);
    free(bytes);
    return status;
}

void lc_idx_free(lc_idx *idx)
{
    free(idx->values);
    idx->values = NULL;
}
