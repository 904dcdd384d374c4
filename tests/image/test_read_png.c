/* SPDX-License-Identifier: MIT
 * test_read_png.c - PNG files of every kind, written by libpng here, and what is refused. */
#include "image_cases.h"

#include <png.h>
#include <zlib.h>

enum { HEIGHT = 9, WIDTH = 11, MOST = 8192, ROW = WIDTH * 8 };

typedef struct file {
    unsigned char bytes[MOST];
    size_t n;
} file;

static void append(png_structp png, png_bytep bytes, size_t n)
{
    file *f = png_get_io_ptr(png);
    CHECK(f->n + n <= MOST);
    memcpy(f->bytes + f->n, bytes, n);
    f->n += n;
}

static void flush(png_structp png)
{
    (void)png;
}

/* Sample i of the pixels, of so many bits. */
static unsigned sample(size_t i, unsigned bits)
{
    return (unsigned)(i * 2654435761u >> 7) & ((1u << bits) - 1);
}

static unsigned samples_of(int type)
{
    return type == PNG_COLOR_TYPE_RGB ? 3 : type == PNG_COLOR_TYPE_RGBA ? 4 : type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2 : 1;
}

/* A row of samples, as PNG packs them. */
static void pack_row(unsigned char *row, size_t y, unsigned bits, unsigned samples)
{
    memset(row, 0, ROW);
    for (size_t i = 0; i < (size_t)WIDTH * samples; i++) {
        unsigned value = sample(y * WIDTH * samples + i, bits);
        if (bits == 16)
            row[2 * i] = (unsigned char)(value >> 8), row[2 * i + 1] = (unsigned char)value;
        else
            row[i * bits / 8] |= (unsigned char)(value << (8 - bits - i * bits % 8));
    }
}

static void set_palette(png_structp png, png_infop info, unsigned bits)
{
    png_color palette[256];
    png_byte clear[2] = {0, 128};
    for (size_t i = 0; i < 256; i++)
        palette[i] = (png_color){(png_byte)i, (png_byte)(i / 2), (png_byte)(255 - i)};
    png_set_PLTE(png, info, palette, 1 << bits);
    png_set_tRNS(png, info, clear, 2, NULL);
}

static file make(unsigned bits, int type, int interlace)
{
    file f = {.n = 0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    unsigned char rows[HEIGHT][ROW];
    png_bytep pointers[HEIGHT];
    png_set_write_fn(png, &f, append, flush);
    png_set_IHDR(png, info, WIDTH, HEIGHT, (int)bits, type, interlace, 0, 0);
    if (type == PNG_COLOR_TYPE_PALETTE)
        set_palette(png, info, bits);
    for (size_t y = 0; y < HEIGHT; y++) {
        pack_row(rows[y], y, bits, samples_of(type));
        pointers[y] = rows[y];
    }
    png_write_info(png, info);
    png_write_image(png, pointers);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return f;
}

/* Channel c of pixel i, as it should be read. */
static size_t wanted(size_t i, size_t c, unsigned bits, int type)
{
    unsigned value = sample(i * samples_of(type) + (samples_of(type) > 2 ? c : 0), bits);
    if (type == PNG_COLOR_TYPE_PALETTE)
        return c == 0 ? value : c == 1 ? value / 2 : 255 - value;
    return bits < 8 ? value * 255 / ((1u << bits) - 1) : value;
}

static void check_kind(unsigned bits, int type, int interlace)
{
    file f = make(bits, type, interlace);
    size_t channels = (type & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1, wrong = 0;
    lc_image image = image_of(f.bytes, f.n, HEIGHT, WIDTH, channels, bits == 16 ? 2 : 1);
    for (size_t i = 0; i < (size_t)HEIGHT * WIDTH * channels; i++)
        wrong += image_value(&image, i) != wanted(i / channels, i % channels, bits, type);
    CHECK_EQ(wrong, 0);
    lc_image_free(&image);
}

static void all_kinds_are_read(void)
{
    static const struct {
        unsigned bits;
        int type;
    } kinds[] = {
        {1,  PNG_COLOR_TYPE_GRAY      },
        {2,  PNG_COLOR_TYPE_GRAY      },
        {4,  PNG_COLOR_TYPE_GRAY      },
        {8,  PNG_COLOR_TYPE_GRAY      },
        {16, PNG_COLOR_TYPE_GRAY      },
        {1,  PNG_COLOR_TYPE_PALETTE   },
        {4,  PNG_COLOR_TYPE_PALETTE   },
        {8,  PNG_COLOR_TYPE_PALETTE   },
        {8,  PNG_COLOR_TYPE_GRAY_ALPHA},
        {16, PNG_COLOR_TYPE_GRAY_ALPHA},
        {8,  PNG_COLOR_TYPE_RGB       },
        {16, PNG_COLOR_TYPE_RGB       },
        {8,  PNG_COLOR_TYPE_RGBA      },
        {16, PNG_COLOR_TYPE_RGBA      },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        check_kind(kinds[i].bits, kinds[i].type, PNG_INTERLACE_NONE);
        check_kind(kinds[i].bits, kinds[i].type, PNG_INTERLACE_ADAM7);
    }
}

/* Puts a chunk behind the header. */
static void insert_chunk(file *f, const char *type, const void *data, size_t n)
{
    enum { AT = 33 };
    unsigned char chunk[256] = {0, 0, 0, (unsigned char)n};
    memcpy(chunk + 4, type, 4);
    memcpy(chunk + 8, data, n);
    uLong crc = crc32(0, chunk + 4, (uInt)n + 4);
    for (size_t i = 0; i < 4; i++)
        chunk[8 + n + i] = (unsigned char)(crc >> (24 - 8 * i));
    memmove(f->bytes + AT + n + 12, f->bytes + AT, f->n - AT);
    memcpy(f->bytes + AT, chunk, n + 12);
    f->n += n + 12;
}

static void other_chunks_are_skipped(void)
{
    static const unsigned char animation[8] = {0, 0, 0, 2}, frame[26] = {[7] = WIDTH, [11] = HEIGHT};
    file f = make(8, PNG_COLOR_TYPE_GRAY, 0);
    insert_chunk(&f, "acTL", animation, sizeof animation);
    insert_chunk(&f, "fcTL", frame, sizeof frame);
    insert_chunk(&f, "iCCP", "profile\0\0not packed", 19);
    insert_chunk(&f, "gAMA", "\0\0\0\0", 4); /* libpng warns */
    lc_image image = image_of(f.bytes, f.n, HEIGHT, WIDTH, 1, 1);
    CHECK_EQ(image.values[1], sample(1, 8));
    lc_image_free(&image);
}

/* Changes width and height in the header. */
static void claim(file *f, size_t width, size_t height)
{
    for (size_t i = 0; i < 4; i++) {
        f->bytes[16 + i] = (unsigned char)(width >> (24 - 8 * i));
        f->bytes[20 + i] = (unsigned char)(height >> (24 - 8 * i));
    }
    uLong crc = crc32(0, f->bytes + 12, 17);
    for (size_t i = 0; i < 4; i++)
        f->bytes[29 + i] = (unsigned char)(crc >> (24 - 8 * i));
}

static void impossible_claims_are_refused(void)
{
    static const struct {
        size_t width, height;
        const char *hint;
    } claims[] = {
        {0,           9,          "has no pixels (0 x 0)"                         },
        {9,           0,          "has no pixels"                                 },
        {32768,       32768,      "too few for its 32768 x 32768 pixels"          },
        {5000,        5000,       "a decompression bomb"                          },
        {32769,       1,          "claims 32769 x 1 pixels; at most 32768 x 32768"},
        {1,           0x7fffffff, "claims 1 x 2147483647 pixels"                  },
        {0x80000000u, 1,          "is a damaged PNG ("                            },
        {40,          40,         "is a damaged PNG"                              },
    };
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        file f = make(8, PNG_COLOR_TYPE_GRAY, 0);
        claim(&f, claims[i].width, claims[i].height);
        image_refused(f.bytes, f.n, claims[i].hint);
    }
}

static void damaged_files_are_refused(void)
{
    file f = make(8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7);
    image_cut_refused(f.bytes, f.n - 16, 1); /* what follows the pixels is not missed */
    image_refused(f.bytes, f.n / 2, "is a damaged PNG (cut short); get or save the file again");
    f.bytes[f.n / 2] ^= 1;
    image_refused(f.bytes, f.n, "is a damaged PNG (IDAT: ");
    f.bytes[f.n / 2] ^= 1;
    f.bytes[25] = 5; /* type of colours */
    image_refused(f.bytes, f.n, "is a damaged PNG");
}

int main(void)
{
    RUN(all_kinds_are_read);
    RUN(other_chunks_are_skipped);
    RUN(impossible_claims_are_refused);
    RUN(damaged_files_are_refused);
    return check_done();
}
