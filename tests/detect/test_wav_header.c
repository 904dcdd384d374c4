/* SPDX-License-Identifier: MIT
 * test_wav_header.c - headers of WAV streams: what is read of them, and each kind of damage. */
#include "cases.h"

#include "detect/wav_header.h"
#include "signal/source.h"

typedef struct bytes {
    unsigned char data[400];
    size_t length, at;
} bytes;

static size_t read_bytes(void *context, unsigned char *to, size_t n)
{
    bytes *b = context;
    size_t left = b->length - b->at, got = n < left ? n : left;
    memcpy(to, b->data + b->at, got);
    b->at += got;
    return got;
}

static void put(bytes *b, size_t size, unsigned long value)
{
    for (size_t i = 0; i < size; i++)
        b->data[b->length++] = (unsigned char)(value >> (8 * i));
}

static void put_text(bytes *b, const char *text)
{
    memcpy(b->data + b->length, text, strlen(text));
    b->length += strlen(text);
}

/* What a header states. */
typedef struct header {
    unsigned code, channels;
    unsigned long rate;
    unsigned frame, bits;
    unsigned long length; /* of the samples */
} header;

static const header plain = {1, 2, 44100, 4, 16, 4000};

static bytes begin(const char *riff)
{
    bytes b = {.length = 0};
    put_text(&b, riff);
    put(&b, 4, 0);
    put_text(&b, "WAVE");
    return b;
}

static void put_format(bytes *b, header h, size_t length, unsigned real)
{
    put_text(b, "fmt ");
    put(b, 4, length);
    put(b, 2, h.code);
    put(b, 2, h.channels);
    put(b, 4, h.rate);
    put(b, 4, h.rate * h.frame);
    put(b, 2, h.frame);
    put(b, 2, h.bits);
    for (size_t i = 16; i < length; i++)
        put(b, 1, i == 24 ? real : 0);
}

static void put_data(bytes *b, unsigned long length)
{
    put_text(b, "data");
    put(b, 4, length);
}

static bytes file_of(header h)
{
    bytes b = begin("RIFF");
    put_format(&b, h, 16, 0);
    put_data(&b, h.length);
    put_text(&b, "samples");
    return b;
}

/* The format as text; or the sentence. */
static const char *state(bytes b)
{
    static char text[300];
    lc_raw_format format = {.channels = 77};
    loco_err err = {""};
    loco_status status = lc_wav_header(&format, "in", read_bytes, &b, &err);
    if (status == LOCO_OK) {
        CHECK_STR((const char *)b.data + b.at, "samples"); /* nothing of them is read */
        snprintf(text, sizeof text, "%s,%zu,%.0f,%llu", lc_raw_name(format.type), format.channels, format.rate,
                 (unsigned long long)format.frames);
    } else {
        CHECK(format.channels == 77 && (status == LOCO_EDATA || status == LOCO_EARG));
        snprintf(text, sizeof text, "%s", err.text);
    }
    return text;
}

static void formats_are_read(void)
{
    CHECK_STR(state(file_of(plain)), "s16le,2,44100,1000");
    CHECK_STR(state(file_of((header){1, 1, 8000, 1, 8, 100})), "u8,1,8000,100");
    CHECK_STR(state(file_of((header){1, 1, 48000, 3, 24, 300})), "s24le,1,48000,100");
    CHECK_STR(state(file_of((header){1, 1, 48000, 3, 20, 300})), "s24le,1,48000,100");
    CHECK_STR(state(file_of((header){1, 3, 96000, 12, 32, 24})), "s32le,3,96000,2");
    CHECK_STR(state(file_of((header){3, 1, 22050, 4, 32, 8})), "f32le,1,22050,2");
    CHECK_STR(state(file_of((header){3, 2, 22050, 16, 64, 16})), "f64le,2,22050,1");
}

/* Programs that stream do not know the length. */
static void lengths_of_streams_are_unknown(void)
{
    static const unsigned long lengths[] = {0, 0x7ffff000, 0x7fffffff, 0x80000000, 0xffffffff};
    for (size_t i = 0; i < 5; i++) {
        header h = plain;
        h.length = lengths[i];
        CHECK_STR(state(file_of(h)), "s16le,2,44100,0");
    }
}

static void other_chunks_are_skipped(void)
{
    bytes b = begin("RF64");
    put_text(&b, "LIST");
    put(&b, 4, 5); /* odd: one byte of padding */
    put_text(&b, "abcdef");
    put_format(&b, (header){0xfffe, 1, 16000, 4, 32, 0}, 40, 3);
    put_text(&b, "fact");
    put(&b, 4, 4);
    put(&b, 4, 9);
    put_data(&b, 0xffffffff);
    put_text(&b, "samples");
    CHECK_STR(state(b), "f32le,1,16000,0");
}

static void damage_is_reported(void)
{
    bytes b = file_of(plain);
    for (size_t n = 12; n < 44; n++) {
        b.length = n;
        CHECK_STR(state(b), "in: the WAV header ends too soon; is the sound cut short?");
    }
    b.length = 11;
    CHECK_SAYS(state(b), "in needs its format, since it is neither WAV nor FLAC: --raw s16le,1,44100");
    CHECK_SAYS(state((bytes){.data = "fLaC and what follows", .length = 20}),
               "the FLAC header is damaged or cut short");
    CHECK_SAYS(state(file_of((header){1, 0, 44100, 2, 16, 4})), "0 channels");
    CHECK_SAYS(state(file_of((header){1, 65, 44100, 130, 16, 4})), "65 channels");
    CHECK_SAYS(state(file_of((header){1, 1, 0, 2, 16, 4})), "at 0 Hz");
    CHECK_SAYS(state(file_of((header){85, 1, 44100, 2, 16, 4})), "WAV of code 85");
    CHECK_SAYS(state(file_of((header){1, 2, 44100, 3, 16, 4})), "frames of 3 bytes");
    CHECK_SAYS(state(file_of((header){1, 1, 44100, 0, 16, 4})), "frames of 0 bytes");
    CHECK_SAYS(state(file_of((header){3, 1, 44100, 2, 16, 4})), "use 16, 24 or 32 bits, or float");
    b = begin("RIFF");
    put_data(&b, 4);
    CHECK_SAYS(state(b), "samples before their format");
    b = begin("RIFF");
    put_format(&b, plain, 14, 0);
    CHECK_SAYS(state(b), "a WAV format of 14 bytes");
    b = begin("RIFF");
    put_text(&b, "LIST");
    put(&b, 4, 0xffffffff);
    CHECK_SAYS(state(b), "more than 64 MB before the samples");
}

int main(void)
{
    RUN(formats_are_read);
    RUN(lengths_of_streams_are_unknown);
    RUN(other_chunks_are_skipped);
    RUN(damage_is_reported);
    return check_done();
}
