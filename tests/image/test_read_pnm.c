/* SPDX-License-Identifier: MIT
 * test_read_pnm.c - PGM and PPM written out: bytes and text, comments, any largest value, and what is refused. */
#include "image_cases.h"

static void wrong_files_are_refused(void)
{
    static const struct {
        const char *text, *hint;
    } wrongs[] = {
        {"P5 4",                   "lacks width, height or largest value"          },
        {"P5 4 x 255 ",            "lacks width, height or largest value"          },
        {"P5 4 2 ",                "lacks width, height or largest value"          },
        {"P5 4 12345678901 255 ",  "lacks width, height or largest value"          },
        {"P5 -4 2 255 abcdefgh",   "lacks width, height or largest value"          },
        {"P5 4 2 255x abcdefgh",   "lacks width, height or largest value"          },
        {"P5 4 2 0 abcdefgh",      "largest value of 0; expected 1..65535"         },
        {"P5 4 2 65536 abcdefgh",  "largest value of 65536"                        },
        {"P5 0 2 255 abcdefgh",    "has no pixels (0 x 2)"                         },
        {"P5 4 0 255 abcdefgh",    "has no pixels (4 x 0)"                         },
        {"P5 4 2 255 abcdefg",     "cut short"                                     },
        {"P6 4 2 255 abcdefgh",    "cut short"                                     },
        {"P5 4 2 256 abcdefgh",    "cut short"                                     },
        {"P5 32768 32768 255 abc", "cut short"                                     },
        {"P5 32769 1 255 abc",     "claims 32769 x 1 pixels; at most 32768 x 32768"},
        {"P6 32768 32768 255 abc", "1 GiB in all, are read: cut it into parts"     },
        {"P2 2 2 255 1 2 3",       "cut short"                                     },
        {"P2 2 2 255 1 2 3 x",     "cut short or damaged"                          },
        {"P2 2 2 255 1 2 # 3 4",   "cut short or damaged"                          },
        {"P4 8 1 a",               "is something else"                             },
        {"P5",                     "is something else"                             },
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
        image_refused(wrongs[i].text, strlen(wrongs[i].text), wrongs[i].hint);
}

static void check_values(const char *text, size_t n, size_t height, size_t width, size_t channels, size_t size,
                         const size_t *values)
{
    lc_image image = image_of(text, n, height, width, channels, size);
    for (size_t i = 0; i < height * width * channels; i++)
        CHECK_EQ(image_value(&image, i), values[i]);
    lc_image_free(&image);
}

static void bytes_are_values(void)
{
    static const size_t grey[] = {'a', 'b', 'c', 'd', 'e', 'f'}, wide[] = {0x0102, 0xfffe};
    static const char tail[] = "P5\n2 3\n255\nabcdef and more", deep[] = "P5\n2 1\n65535\n\x01\x02\xff\xfe";
    check_values("P5 2 3 255 abcdef", 17, 3, 2, 1, 1, grey);
    check_values("P6 2 1 255\nabcdef", 17, 1, 2, 3, 1, grey);
    check_values(tail, sizeof tail - 1, 3, 2, 1, 1, grey);
    check_values(deep, sizeof deep - 1, 1, 2, 1, 2, wide);
}

static void comments_and_blanks_separate(void)
{
    static const size_t grey[] = {'#', ' '};
    static const char text[] = "P5# by a camera\n# 17 18\r\t2 # wide\n  1 # high\n\n255\n# ";
    check_values(text, sizeof text - 1, 1, 2, 1, 1, grey);
}

static void text_has_numbers(void)
{
    static const size_t grey[] = {0, 7, 255, 80}, colours[] = {1, 2, 3, 65535, 5, 6};
    check_values("P2 2 2 255\n0 007 # one\n255 80", 29, 2, 2, 1, 1, grey);
    check_values("P3 1 2 65535 1 2 3 65535 5 6\n", 29, 2, 1, 3, 2, colours);
}

static void other_largest_values_are_stretched(void)
{
    static const size_t bits[] = {0, 255, 255}, twelve[] = {0, 65535, 32776, 65535};
    static const char bytes[] = "P5 2 2 4095 \x00\x00\x0f\xff\x08\x00\xff\xff";
    check_values("P2 3 1 1 0 1 9", 14, 1, 3, 1, 1, bits);
    check_values(bytes, sizeof bytes - 1, 2, 2, 1, 2, twelve); /* above the largest: the largest */
}

int main(void)
{
    RUN(wrong_files_are_refused);
    RUN(bytes_are_values);
    RUN(comments_and_blanks_separate);
    RUN(text_has_numbers);
    RUN(other_largest_values_are_stretched);
    return check_done();
}
