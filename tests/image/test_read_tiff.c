/* SPDX-License-Identifier: MIT
 * test_read_tiff.c - TIFF files of every kind, written by libtiff here, and what is refused. */
#include "image_cases.h"

#include "base/file.h"

#include <limits.h>
#include <tiffio.h>

enum { HEIGHT = 37, WIDTH = 45, TILE = 16 };

typedef struct kind {
    const char *mode; /* of TIFFOpen: w, and b for big-endian, 8 for BigTIFF */
    uint16_t bits, format, samples, photometric, compression;
    bool planes, tiled;
} kind;

static char path[] = "/tmp/loco-tiff-XXXXXX";

/* ---- files ---- */

/* Value c of pixel (y, x): within all types but those of 8 bits, which take their part. */
static int number_of(size_t y, size_t x, size_t c)
{
    return (int)((y * 251 + x * 17 + c * 4001) % 32768) - 100;
}

static void put_number(unsigned char *at, const kind *k, int number)
{
    uint16_t wide = (uint16_t)number;
    float f = (float)number / 8;
    double d = number * 1e300;
    if (k->bits == 8)
        *at = (unsigned char)number;
    else if (k->bits == 16)
        memcpy(at, &wide, sizeof wide);
    else if (k->bits == 64)
        memcpy(at, &d, sizeof d);
    else if (k->format == SAMPLEFORMAT_IEEEFP)
        memcpy(at, &f, sizeof f);
    else
        memcpy(at, &number, sizeof number);
}

/* Samples of (rows, columns) pixels from (y, x) on, of all channels or of one plane. */
static void fill_block(unsigned char *block, const kind *k, size_t y, size_t x, size_t rows, size_t columns,
                       size_t plane)
{
    size_t samples = k->planes ? 1 : k->samples, size = k->bits / 8;
    for (size_t i = 0; i < rows * columns * samples; i++) {
        size_t pixel = i / samples;
        put_number(block + i * size, k, number_of(y + pixel / columns, x + pixel % columns, plane + i % samples));
    }
}

static void set_tags(TIFF *tiff, const kind *k)
{
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, k->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, k->samples);
    if (k->format != 0)
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, k->format);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, k->photometric);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, k->compression);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, k->planes ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    if (k->tiled) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, TILE);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, TILE);
    } else
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 8);
    if (k->compression == COMPRESSION_JPEG && k->photometric == PHOTOMETRIC_YCBCR)
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}

static void write_plane(TIFF *tiff, const kind *k, uint16_t plane)
{
    unsigned char block[WIDTH * TILE * 4 * 8];
    for (uint32_t y = 0; !k->tiled && y < HEIGHT; y++) {
        fill_block(block, k, y, 0, 1, WIDTH, plane);
        CHECK(TIFFWriteScanline(tiff, block, y, plane) == 1);
    }
    for (uint32_t y = 0; k->tiled && y < HEIGHT; y += TILE)
        for (uint32_t x = 0; x < WIDTH; x += TILE) {
            fill_block(block, k, y, x, TILE, TILE, plane);
            CHECK(TIFFWriteTile(tiff, block, x, y, 0, plane) > 0);
        }
}

static void set_palette(TIFF *tiff)
{
    uint16_t map[3][256];
    for (size_t i = 0; i < 256; i++)
        map[0][i] = (uint16_t)(i << 8), map[1][i] = (uint16_t)((255 - i) << 8), map[2][i] = 0x0708;
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
}

/* Whether libtiff can pack so; says so if not. */
static bool packs(uint16_t compression)
{
    bool can = TIFFIsCODECConfigured(compression) != 0;
    if (!can)
        printf("    left out: TIFF compression %u, which libtiff lacks here\n", compression);
    return can;
}

/* Bytes of a file of this kind; *n of them. The caller frees. */
static char *make(const kind *k, size_t *n)
{
    char *bytes = NULL;
    TIFF *tiff = TIFFOpen(path, k->mode);
    CHECK(tiff != NULL);
    set_tags(tiff, k);
    if (k->photometric == PHOTOMETRIC_PALETTE)
        set_palette(tiff);
    for (int plane = 0; plane < (k->planes ? k->samples : 1); plane++)
        write_plane(tiff, k, (uint16_t)plane);
    TIFFClose(tiff);
    CHECK_STATUS(lc_file_load(path, 1 << 20, &bytes, n, NULL), LOCO_OK);
    return bytes;
}

/* ---- what is read ---- */

/* The number as it should be read, out of 0..255 or 0..65535; least and largest are those of the image. */
static double wanted(const kind *k, int number, int least, int largest)
{
    double value = k->bits == 8 ? (unsigned char)number : (uint16_t)number;
    if (k->format > SAMPLEFORMAT_UINT || k->bits > 16)
        value = floor((double)(number - least) / (largest - least) * 65535 + 0.5);
    return k->photometric == PHOTOMETRIC_MINISWHITE ? (k->bits == 8 ? 255 : 65535) - value : value;
}

static void check_kind(const kind *k, double tolerance)
{
    size_t n = 0, channels = k->samples > 2 ? 3 : 1, values = HEIGHT * WIDTH * channels;
    char *bytes = make(k, &n);
    lc_image image = image_of(bytes, n, HEIGHT, WIDTH, channels, k->bits == 8 ? 1 : 2);
    int numbers[HEIGHT * WIDTH * 3], least = INT_MAX, largest = INT_MIN;
    double worst = 0;
    for (size_t i = 0; i < values; i++) {
        numbers[i] = number_of(i / channels / WIDTH, i / channels % WIDTH, i % channels);
        least = numbers[i] < least ? numbers[i] : least;
        largest = numbers[i] > largest ? numbers[i] : largest;
    }
    for (size_t i = 0; i < values; i++)
        worst_note(&worst, (double)image_value(&image, i), wanted(k, numbers[i], least, largest), 1);
    check_near(worst, 0, tolerance, __FILE__, __LINE__, "values of a kind");
    lc_image_free(&image);
    free(bytes);
}

static const kind plain = {"w", 8, SAMPLEFORMAT_UINT, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, false, false};

static void values_of_8_and_16_bits_stay(void)
{
    static const uint16_t packings[] = {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                        COMPRESSION_PACKBITS};
    for (unsigned i = 0; i < 2 * 2 * 2 * 4 * 4; i++) {
        kind k = plain;
        k.bits = i & 1 ? 16 : 8;
        k.planes = (i & 2) != 0;
        k.tiled = (i & 4) != 0;
        k.samples = (uint16_t)(1 + (i >> 3 & 3));
        k.compression = packings[i >> 5];
        k.photometric = k.samples > 2 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
        if (packs(k.compression))
            check_kind(&k, 0);
    }
}

static void other_orders_of_bytes_and_white_as_0(void)
{
    static const char *const modes[] = {"wb", "wl", "w8", "wb8"};
    for (size_t i = 0; i < 4; i++) {
        kind k = plain;
        k.mode = modes[i];
        k.bits = i % 2 == 0 ? 16 : 8;
        k.photometric = PHOTOMETRIC_MINISWHITE;
        k.format = 0; /* no tag: unsigned */
        check_kind(&k, 0);
    }
}

static void other_numbers_are_scaled(void)
{
    static const struct {
        uint16_t bits, format;
    } numbers[] = {
        {16, SAMPLEFORMAT_INT   },
        {32, SAMPLEFORMAT_INT   },
        {32, SAMPLEFORMAT_IEEEFP},
        {64, SAMPLEFORMAT_IEEEFP},
    };
    for (size_t i = 0; i < 2 * sizeof numbers / sizeof *numbers; i++) {
        kind k = plain;
        k.bits = numbers[i / 2].bits;
        k.format = numbers[i / 2].format;
        k.tiled = i % 2 == 1;
        k.samples = i % 2 == 1 ? 3 : 1;
        k.compression = i % 2 == 1 ? COMPRESSION_LZW : COMPRESSION_NONE;
        k.photometric = i % 2 == 0 ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_RGB;
        k.mode = i % 4 == 0 ? "wb" : "w";
        check_kind(&k, 1);
    }
}

static void odd_floats_are_read(void)
{
    static const float rows[][4] = {
        {NAN, -1,        INFINITY, 3 },
        {5,   -INFINITY, 5,        5 },
        {NAN, NAN,       INFINITY, 77},
        {0,   0,         0,        0 },
    };
    static const size_t values[][4] = {
        {0, 0, 65535, 65535},
        {0, 0, 0,     0    },
        {0, 0, 0,     0    },
        {0, 0, 0,     0    },
    };
    for (size_t i = 0; i < 4; i++) {
        char *bytes = NULL;
        size_t n = 0;
        float row[4];
        memcpy(row, rows[i], sizeof row);
        TIFF *tiff = TIFFOpen(path, "w");
        kind k = plain;
        k.bits = 32, k.format = SAMPLEFORMAT_IEEEFP;
        set_tags(tiff, &k);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 4);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
        CHECK(TIFFWriteScanline(tiff, row, 0, 0) == 1);
        TIFFClose(tiff);
        CHECK_STATUS(lc_file_load(path, 1 << 20, &bytes, &n, NULL), LOCO_OK);
        lc_image image = image_of(bytes, n, 1, 4, 1, 2);
        for (size_t j = 0; j < 4; j++)
            CHECK_EQ(image_value(&image, j), values[i][j]);
        lc_image_free(&image);
        free(bytes);
    }
}

static void jpeg_inside_is_read(void)
{
    kind k = plain;
    size_t n = 0;
    if (!packs(COMPRESSION_JPEG))
        return;
    k.compression = COMPRESSION_JPEG;
    char *bytes = make(&k, &n);
    lc_image image = image_of(bytes, n, HEIGHT, WIDTH, 1, 1);
    lc_image_free(&image);
    free(bytes);
    k.samples = 3, k.photometric = PHOTOMETRIC_YCBCR, k.tiled = true;
    bytes = make(&k, &n);
    image = image_of(bytes, n, HEIGHT, WIDTH, 3, 1);
    lc_image_free(&image);
    free(bytes);
}

static void palettes_become_colours(void)
{
    kind k = plain;
    size_t n = 0, wrong = 0;
    k.photometric = PHOTOMETRIC_PALETTE;
    char *bytes = make(&k, &n);
    lc_image image = image_of(bytes, n, HEIGHT, WIDTH, 3, 1);
    for (size_t i = 0; i < (size_t)HEIGHT * WIDTH; i++) {
        unsigned char number = (unsigned char)number_of(i / WIDTH, i % WIDTH, 0);
        wrong += image.values[3 * i] != number || image.values[3 * i + 1] != 255 - number ||
                 image.values[3 * i + 2] != 7;
    }
    CHECK_EQ(wrong, 0);
    lc_image_free(&image);
    free(bytes);
}

static void the_first_page_is_read(void)
{
    TIFF *tiff = TIFFOpen(path, "w");
    for (unsigned char page = 1; page <= 3; page++) {
        set_tags(tiff, &plain);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 1);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
        CHECK(TIFFWriteScanline(tiff, &page, 0, 0) == 1 && TIFFWriteDirectory(tiff) == 1);
    }
    TIFFClose(tiff);
    lc_image image = {0};
    CHECK_STATUS(lc_image_load(&image, path, NULL), LOCO_OK);
    CHECK(image.height == 1 && image.width == 1 && image.values != NULL && image.values[0] == 1);
    lc_image_free(&image);
}

/* ---- what is refused ---- */

static void other_kinds_are_refused(void)
{
    static const struct {
        kind k;
        const char *hint;
    } others[] = {
        {{"w", 8, 1, 4, PHOTOMETRIC_SEPARATED, COMPRESSION_NONE, false, false},
         "colours (kind 5) are not read; convert"                                                                       },
        {{"w", 8, 1, 5, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, true, false},   "with 5 channels; save it with 1 or 3"},
        {{"w", 64, 1, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, false, false},
         "with 64 bits a value; save it with 8 or 16"                                                                   },
        {{"w", 32, 6, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, false, false}, "with 32 bits a value"                },
        {{"w", 8, 1, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_LZMA, false, false},
         "with compression 34925, which is not read"                                                                    },
        {{"w", 8, 1, 3, PHOTOMETRIC_YCBCR, COMPRESSION_LZW, false, false},        "colours (kind 6)"                    },
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t n = 0;
        if (!packs(others[i].k.compression))
            continue;
        char *bytes = make(&others[i].k, &n);
        image_refused(bytes, n, others[i].hint);
        free(bytes);
    }
}

static void damaged_files_are_refused(void)
{
    kind k = plain;
    for (size_t i = 0; i < 4; i++) {
        size_t n = 0;
        k.tiled = i % 2 == 1;
        k.compression = i < 2 ? COMPRESSION_NONE : COMPRESSION_LZW;
        char *bytes = make(&k, &n);
        image_cut_refused(bytes, n, 5);
        free(bytes);
    }
    image_refused("II*\0\x08\0\0\0", 8, "is a damaged TIFF");
    image_refused("MM\0*\0\0\0\0", 8, "is a damaged TIFF");
}

/* A directory of a file without pixels, byte by byte. */
static size_t make_claim(unsigned char *bytes, unsigned width, unsigned height, unsigned bits, unsigned packing,
                         unsigned tile)
{
    const unsigned tags[][3] = {
        {256, 4, width  },
        {257, 4, height },
        {258, 3, bits   },
        {259, 3, packing},
        {262, 3, 1      },
        {277, 3, 1      },
        {322, 4, tile   },
        {323, 4, tile   },
        {324, 4, 8      },
        {325, 4, 100    },
    };
    const size_t n = sizeof tags / sizeof *tags;
    memcpy(bytes, "II*\0\x08\0\0\0", 8);
    bytes[8] = (unsigned char)n, bytes[9] = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char *at = bytes + 10 + 12 * i;
        memset(at, 0, 12);
        at[0] = (unsigned char)tags[i][0], at[1] = (unsigned char)(tags[i][0] >> 8);
        at[2] = (unsigned char)tags[i][1], at[4] = 1;
        for (size_t b = 0; b < 4; b++)
            at[8 + b] = (unsigned char)(tags[i][2] >> 8 * b);
    }
    memset(bytes + 10 + 12 * n, 0, 100);
    return 10 + 12 * n + 100;
}

static void impossible_claims_are_refused(void)
{
    static const struct {
        unsigned width, height, bits, packing, tile;
        const char *hint;
    } claims[] = {
        {0,          9,     8,   COMPRESSION_NONE, 16,         ";"                                     },
        {9,          0,     8,   COMPRESSION_NONE, 16,         ";"                                     },
        {40000,      1,     8,   COMPRESSION_NONE, 16,         "claims 40000 x 1 pixels"               },
        {4294967295, 1,     8,   COMPRESSION_NONE, 16,         ";"                                     },
        {30000,      30000, 8,   COMPRESSION_LZW,  30000,      "tiles of an invalid size, or too large"},
        {30000,      30000, 8,   COMPRESSION_LZW,  1024,       ";"                                     },
        {16,         16,    8,   COMPRESSION_LZW,  8192,       "too few for its 16 x 16 pixels"        },
        {16,         16,    8,   COMPRESSION_NONE, 32,         "a decompression bomb"                  },
        {16,         16,    8,   COMPRESSION_NONE, 0,          ";"                                     },
        {16,         16,    8,   COMPRESSION_NONE, 0x80000000, ";"                                     },
        {16,         16,    1,   COMPRESSION_NONE, 16,         "with 1 bits a value"                   },
        {16,         16,    264, COMPRESSION_NONE, 16,         "with 264 bits a value"                 },
    };
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        unsigned char bytes[512];
        size_t n = make_claim(bytes, claims[i].width, claims[i].height, claims[i].bits, claims[i].packing,
                              claims[i].tile);
        image_refused(bytes, n, claims[i].hint);
    }
}

int main(void)
{
    int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    RUN(values_of_8_and_16_bits_stay);
    RUN(other_orders_of_bytes_and_white_as_0);
    RUN(other_numbers_are_scaled);
    RUN(odd_floats_are_read);
    RUN(jpeg_inside_is_read);
    RUN(palettes_become_colours);
    RUN(the_first_page_is_read);
    RUN(other_kinds_are_refused);
    RUN(damaged_files_are_refused);
    RUN(impossible_claims_are_refused);
    unlink(path);
    return check_done();
}
