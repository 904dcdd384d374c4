/* SPDX-License-Identifier: MIT
 * test_line.c - the network line: what is accepted comes back in its shortest form, and what is wrong is pointed at by
 *   column and word, and what is expected there. */
#include "nets.h"

#include <locale.h>

enum { F = 12, C = 2 };

static void formatted(const lc_net *net, char *text, size_t size)
{
    lc_text line = {0};
    lc_net_format(net, &line);
    CHECK(!line.failed && line.length < size);
    snprintf(text, size, "%s", line.bytes != NULL ? line.bytes : "");
    lc_text_free(&line);
}

/* ---- good lines ---- */

typedef struct good {
    const char *line, *shortest; /* NULL: the line itself */
} good;

static const good goods[] = {
    {"dense 3",                                                   NULL                                                  },
    {"  dense\t3  ",                                              "dense 3"                                             },
    {"dense 65536,dense 1",                                       "dense 65536, dense 1"                                },
    {"dense 3 relu,dense 4 sigmoid , dense 5 tanh",               "dense 3 relu, dense 4 sigmoid, dense 5 tanh"         },
    {"conv 3x4 8, pool 2, conv 3x4 16, pool 2, lstm 24, dense 3", NULL                                                  },
    {"conv 64x64 1 linear norm causal stride 1",                  "conv 64x64 1 causal norm linear"                     },
    {"conv 5x1 4 norm dilate 4, conv 3x1 2 dilate 1",             "conv 5x1 4 dilate 4 norm, conv 3x1 2"                },
    {"conv 1x1 2 stride 64",                                      NULL                                                  },
    {"conv 03x004 8",                                             "conv 3x4 8"                                          },
    {"conv 3x3 4 as c, pool 2, join c",                           "conv 3x3 4, pool 2 as c, join c"                     },
    {"conv 3x3 4, pool 2 as c, join c",                           NULL                                                  },
    {"conv 3x3 4, pool 12",                                       NULL                                                  },
    {"lstm 5, gru 6 both, lstm 4 both, gru 1",                    NULL                                                  },
    {"rnn 5,rnn 6 relu, rnn 7 relu both, rnn 8 both",             "rnn 5, rnn 6 relu, rnn 7 relu both, rnn 8 both"      },
    {"lstmp 5 both, attend 02 5, shift 3",                        "lstmp 5 both, attend 2 5, shift 3"                   },
    {"norm, bias, gather -12 0 12, dropout 0.25",                 NULL                                                  },
    {"conv 1x1 1 linear, bias, crop 02 5",                        "conv 1x1 1 linear, bias, crop 2 5"                   },
    {"dense 3, fold  0 -1 00",                                    "dense 3, fold 0 -1 0"                                },
    {"dropout 0, dropout 5e-1, dropout 0.1000",                   "dropout 0, dropout 0.5, dropout 0.1"                 },
    {"dropout 0.1234567, dropout 0.99999999",                     "dropout 0.123457, dropout 0.999999"                  },
    {"dense 6 as wide_1-A, gru 4, join wide_1-A, dense 2",        NULL                                                  },
    {"dense 6 as as, join as",                                    NULL                                                  },
    {"image 4x3 2 3 as i, pool 2x2, norm, image 5, dense 2",      "image 4x3 2 3, pool 2x2 as i, norm, image 5, dense 2"},
    {"image 2x2 1 2 3 4,pool 2x2 as i, image 1x1 7",              "image 2x2 1 2 3 4, pool 2x2 as i, image 1x1 7"       },
    {"dense 2 as abcdefghijklmno, join abcdefghijklmno",          NULL                                                  },
    {"conv 3x3 2 local,conv 1x1 3 linear ,places",                "conv 3x3 2 local, conv 1x1 3 linear, places"         },
};

static void check_good(const good *g)
{
    lc_net net, again;
    char text[512], twice[512];
    loco_err err = {""};
    CHECK_STATUS(lc_net_parse(&net, g->line, strlen(g->line), F, C, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    formatted(&net, text, sizeof text);
    CHECK_STR(text, g->shortest != NULL ? g->shortest : g->line);
    net_of(&again, text, F, C);
    formatted(&again, twice, sizeof twice);
    CHECK_STR(twice, text);
    CHECK_EQ(again.params, net.params);
    CHECK_EQ(again.classes, net.classes);
}

static void good_lines_come_back(void)
{
    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++)
        check_good(&goods[i]);
}

/* Hosts set their user's language, where 0.25 may be written 0,25: the network line does not change. */
static void the_locale_does_not_matter(void)
{
    static const char *const places[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    for (size_t i = 0; i < 4 && setlocale(LC_ALL, places[i]) == NULL; i++)
        continue;
    check_good(&(good){"dropout 0.25, dense 2", NULL});
    setlocale(LC_ALL, "C");
}

static void shapes_and_sizes(void)
{
    lc_net net;
    net_of(&net, "conv 3x4 8 stride 2, pool 3 as c, gather 0 1, lstm 5 both, join c, dense 3", F, C);
    CHECK_EQ(net.layers[0].out.F, 2);
    CHECK_EQ(net.layers[0].out.C, 8);
    CHECK_EQ(net.layers[1].out.C, 16);
    CHECK_EQ(net.layers[2].out.C, 10);
    CHECK_EQ(net.layers[3].out.C, 10 + 16);
    CHECK_EQ(net.classes, 3);
    CHECK_EQ(net.look_ahead, 1);
    CHECK_EQ(net.params, (3 * 4 * 2 + 1) * 8 + 2 * (32 + 5 + 1) * 20 + (26 + 1) * 3);
    CHECK(!net.streams);
}

static void bins_are_places(void)
{
    lc_net net;
    net_of(&net, "conv 3x3 8, conv 1x1 3 linear, places", F, C);
    CHECK_EQ(net.places, F);
    CHECK_EQ(net.classes, 3);
    CHECK_EQ(lc_net_outputs(&net), F * 3);
    lc_map map = lc_net_sequence(&net, (lc_map){.T = 5, .F = F, .C = 3, .row = F * 3});
    CHECK_EQ(map.T, 5 * F);
    CHECK_EQ(map.row, 3);
    net_of(&net, "conv 3x3 8, dense 3", F, C);
    CHECK_EQ(net.places, 1);
}

/* ---- wrong lines ---- */

typedef struct wrong {
    const char *line;
    size_t column;
    const char *word, *hint; /* word: NULL where something is missing */
} wrong;

static const wrong wrongs[] = {
    {"",                                1,  NULL,                      "conv, pool, dense"             },
    {"   ",                             4,  NULL,                      "conv, pool, dense"             },
    {"dense 3,",                        9,  NULL,                      "conv, pool, dense"             },
    {"dense 3,,dense 2",                9,  NULL,                      "conv, pool, dense"             },
    {"convv 3x3 4",                     1,  "convv",                   "conv, pool, dense"             },
    {"dense 3, Dense 2",                10, "Dense",                   "conv, pool, dense"             },
    {"dense\n3",                        1,  "dense?3",                 "conv, pool, dense"             },
    {"dense",                           6,  NULL,                      "number of units"               },
    {"dense, dense 3",                  6,  NULL,                      "number of units"               },
    {"dense x",                         7,  "x",                       "number of units, 1 to 65536"   },
    {"dense 0",                         7,  "0",                       "1 to 65536"                    },
    {"dense 65537",                     7,  "65537",                   "1 to 65536"                    },
    {"dense -3",                        7,  "-3",                      "1 to 65536"                    },
    {"dense +3",                        7,  "+3",                      "1 to 65536"                    },
    {"dense \v3",                       7,  "?3",                      "1 to 65536"                    },
    {"dense 3.5",                       7,  "3.5",                     "1 to 65536"                    },
    {"dense 99999999999999999999999",   7,  "99999999999999999999999", "1 to 65536"                    },
    {"dense 3 rely",                    9,  "rely",                    "dense UNITS"                   },
    {"dense 3 relu relu",               14, "relu",                    "dense UNITS"                   },
    {"places",                          1,  "places",                  "conv, pool, dense"             },
    {"dense 3, places, dense 2",        18, "dense",                   "the last word"                 },
    {"dense 3, places 4",               17, "4",                       "places"                        },
    {"dense 3 as",                      11, NULL,                      "a name of 1 to 15"             },
    {"dense 3 as abcdefghijklmnop",     12, "abcdefghijklmnop",        "a name of 1 to 15"             },
    {"dense 3 as a.b",                  12, "a.b",                     "letters, digits"               },
    {"dense 3 as a b",                  14, "b",                       "dense UNITS"                   },
    {"dense 3 as a, dense 3 as a",      26, "a",                       "an earlier layer has this name"},
    {"conv 3x3 4 as a, pool 2 as b",    28, "b",                       "has a name already"            },
    {"conv",                            5,  NULL,                      "frames x bins"                 },
    {"conv 3 4",                        6,  "3",                       "frames x bins"                 },
    {"conv 3x 4",                       6,  "3x",                      "frames x bins"                 },
    {"conv x4 4",                       6,  "x4",                      "frames x bins"                 },
    {"conv 3x4x5 4",                    6,  "3x4x5",                   "frames x bins"                 },
    {"conv 3x65 4",                     6,  "3x65",                    "each 1 to 64"                  },
    {"conv 0x3 4",                      6,  "0x3",                     "each 1 to 64"                  },
    {"conv 3x+3 4",                     6,  "3x+3",                    "each 1 to 64"                  },
    {"conv 3x4",                        9,  NULL,                      "number of channels"            },
    {"conv 3x4 4097",                   10, "4097",                    "1 to 4096"                     },
    {"conv 3x4 8 stride",               18, NULL,                      "stride in bins"                },
    {"conv 3x4 8 stride 65",            19, "65",                      "stride in bins"                },
    {"conv 3x4 8 relu",                 12, "relu",                    "conv FRAMESxBINS"              },
    {"pool 2",                          6,  "2",                       "pool must follow a conv"       },
    {"dense 3, pool 2",                 15, "2",                       "pool must follow a conv"       },
    {"conv 3x3 4 linear, pool 2",       25, "2",                       "not linear"                    },
    {"conv 3x3 4, pool 2, pool 2",      26, "2",                       "no pool yet"                   },
    {"conv 3x3 4, pool",                17, NULL,                      "bins to pool"                  },
    {"conv 3x3 4, pool 1",              18, "1",                       "2 to 64"                       },
    {"lstm 4097",                       6,  "4097",                    "1 to 4096"                     },
    {"gru 4 forward",                   7,  "forward",                 "gru UNITS"                     },
    {"rnn 4 both relu",                 12, "relu",                    "rnn UNITS"                     },
    {"rnn",                             4,  NULL,                      "1 to 4096"                     },
    {"lstmp 4 peep",                    9,  "peep",                    "lstmp UNITS"                   },
    {"attend 0 4",                      8,  "0",                       "the frames to either side"     },
    {"attend 2",                        9,  NULL,                      "the number of units"           },
    {"attend 2 1025",                   10, "1025",                    "1 to 1024"                     },
    {"shift",                           6,  NULL,                      "the frames to look ahead"      },
    {"shift 65",                        7,  "65",                      "1 to 64"                       },
    {"norm 3",                          6,  "3",                       "norm"                          },
    {"bias 3",                          6,  "3",                       "bias"                          },
    {"dropout",                         8,  NULL,                      "the part of values"            },
    {"dropout 1",                       9,  "1",                       "below 1"                       },
    {"dropout -0.1",                    9,  "-0.1",                    "0 or more"                     },
    {"dropout 1e1",                     9,  "1e1",                     "0 or more"                     },
    {"dropout nan",                     9,  "nan",                     "0 or more"                     },
    {"dropout .",                       9,  ".",                       "0 or more"                     },
    {"dropout 0.1.2",                   9,  "0.1.2",                   "0 or more"                     },
    {"gather",                          7,  NULL,                      "an offset in bins"             },
    {"gather 1 x",                      10, "x",                       "an offset in bins"             },
    {"gather 4097",                     8,  "4097",                    "an offset in bins"             },
    {"conv 3x1 2 dilate 17",            19, "17",                      "the frames from one tap"       },
    {"crop",                            5,  NULL,                      "the first bin"                 },
    {"crop -1 3",                       6,  "-1",                      "the first bin"                 },
    {"crop 1",                          7,  NULL,                      "the number of bins"            },
    {"crop 0 0",                        8,  "0",                       "the number of bins"            },
    {"crop 0 1 2",                      10, "2",                       "crop FIRST COUNT"              },
    {"fold",                            5,  NULL,                      "the output of each input"      },
    {"fold 0 -2",                       8,  "-2",                      "the output of each input"      },
    {"join",                            5,  NULL,                      "the name of an earlier layer"  },
    {"join abcdefghijklmnop",           6,  "abcdefghijklmnop",        "the name of an earlier layer"  },
    {"image",                           6,  NULL,                      "number of channels"            },
    {"image 4x3",                       10, NULL,                      "number of channels"            },
    {"image 4x 3",                      7,  "4x",                      "height x width"                },
    {"image 4x65 3",                    7,  "4x65",                    "each 1 to 64"                  },
    {"image 4x3 0",                     11, "0",                       "1 to 4096"                     },
    {"image 4x3 5 4097",                13, "4097",                    "1 to 4096"                     },
    {"image 4x3 1 2 3 4 5",             19, "5",                       "at most 4"                     },
    {"image 4x3 5 norm",                13, "norm",                    "image [HEIGHTxWIDTH] CHANNELS" },
    {"image 4x3 5, pool 2",             19, "2",                       "2x2"                           },
    {"image 4x3 5, pool 2x2 2",         23, "2",                       "image [HEIGHTxWIDTH]"          },
    {"image 4x3 5, pool 2x2, pool 2x2", 29, "2x2",                     "no pool yet"                   },
    {"conv 3x3 4, pool 2x2",            18, "2x2",                     "bins to pool"                  },
    {"dense 3, caf\xc3\xa9 4",          10, "caf??",                   "conv, pool, dense"             },
    {"dense \xff",                      7,  "?",                       "number of units"               },
};

#define ZEROS " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
#define WIDE "gather" ZEROS ZEROS ", "

/* Lines that are well written, but cannot be: the column is that of the layer. */
static const wrong impossible[] = {
    {"dense 3, join wide",                       10,  "wide",           "write \"as wide\" behind one"     },
    {"dense 3 as a, join b, dense 2 as b",       15,  "b",              "no earlier layer"                 },
    {"join a as a",                              1,   "a",              "no earlier layer"                 },
    {"conv 3x3 4, pool 13",                      13,  "pool 13",        "12 bins"                          },
    {"conv 3x3 4, pool 4, conv 3x3 4,  pool 4",  34,  "pool 4",         "3 bins"                           },
    {"dense 24, image 5",                        11,  "image 32x32 64", "not known here"                   },
    {"image 5x5 4",                              1,   "5x5",            "24 numbers"                       },
    {"image 4x3 4, pool 2x2, dense 6, image 4",  33,  "image 32x32 64", "not known here"                   },
    {"image 4x3 4, pool 2x2, image 3, pool 2x2", 33,  "pool 2x2",       "image of 2x1 leaves none"         },
    {"dense 4096, image 64x64 300 1",            13,  "300 channels",   "1228800 numbers"                  },
    {"dense 65536, dense 5000",                  14,  NULL,             "329323400 weights"                },
    {"bias, crop 5 8",                           7,   NULL,             "crop 5 8 of 12 bins"              },
    {"dense 3, fold 0 1",                        10,  NULL,             "the layer before has 3"           },
    {"dense 2, fold 0 2",                        10,  NULL,             "no input of fold goes to output 1"},
    {WIDE WIDE WIDE "gather 0 1",                217, NULL,             "1572864 numbers"                  },
};

static void check_wrong(const char *line, size_t length, const wrong *w)
{
    lc_net net, before;
    char where[64];
    loco_err err = {""};
    memset(&net, 0x5a, sizeof net);
    memcpy(&before, &net, sizeof net);
    CHECK_STATUS(lc_net_parse(&net, line, length, F, C, &err), LOCO_EDATA);
    CHECK(case_same(&net, &before, sizeof net));
    snprintf(where, sizeof where, "network line, column %zu: ", w->column);
    CHECK_SAYS(err.text, where);
    if (w->word != NULL)
        CHECK_SAYS(err.text, w->word);
    CHECK_SAYS(err.text, w->hint);
}

static void errors_point_at_the_word(void)
{
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        char quoted[64];
        wrong w = wrongs[i];
        snprintf(quoted, sizeof quoted, "\"%s\" is wrong here", w.word != NULL ? w.word : "");
        w.word = w.word != NULL ? quoted : "something is missing here";
        check_wrong(w.line, strlen(w.line), &w);
    }
}

static void impossible_networks_are_refused(void)
{
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++)
        check_wrong(impossible[i].line, strlen(impossible[i].line), &impossible[i]);
}

static void zero_bytes_are_refused(void)
{
    static const char inside[] = "dense 3\0 relu", name[] = "norm as \0, join \0", join[] = "norm, join \0";
    check_wrong(inside, sizeof inside - 1, &(wrong){"", 7, "\"3?\" is wrong", "number of units"});
    check_wrong(name, sizeof name - 1, &(wrong){"", 9, "\"?\" is wrong", "a name"});
    check_wrong(join, sizeof join - 1, &(wrong){"", 12, "\"?\" is wrong", "an earlier layer"});
}

/* The length counts, not a zero behind it. */
static void lines_need_no_final_zero(void)
{
    lc_net net;
    const char bytes[] = {'d', 'e', 'n', 's', 'e', ' ', '4', '2'};
    CHECK_STATUS(lc_net_parse(&net, bytes, 7, F, C, NULL), LOCO_OK);
    CHECK_EQ(net.classes, 4);
    CHECK_STATUS(lc_net_parse(&net, bytes, 8, F, C, NULL), LOCO_OK);
    CHECK_EQ(net.classes, 42);
    CHECK_STATUS(lc_net_parse(&net, bytes, 6, F, C, NULL), LOCO_EDATA);
}

/* 64 layers are possible, 65 are not; 40 joins double a frame at each step. */
static void many_layers(void)
{
    char line[65 * 20] = "bias";
    lc_net net;
    size_t length = 4;
    for (int i = 1; i < 64; i++)
        length += (size_t)snprintf(line + length, sizeof line - length, ", bias");
    CHECK_STATUS(lc_net_parse(&net, line, length, F, C, NULL), LOCO_OK);
    CHECK_EQ(net.layers_len, 64);
    snprintf(line + length, sizeof line - length, ", bias");
    check_wrong(line, length + 6, &(wrong){"", length + 3, "\"bias\"", "at most 64 layers"});
    length = (size_t)snprintf(line, sizeof line, "bias as n0");
    for (int i = 1; i < 40; i++)
        length += (size_t)snprintf(line + length, sizeof line - length, ", join n%d as n%d", i - 1, i);
    check_wrong(line, length, &(wrong){"", 249, NULL, "1572864 numbers a frame"});
}

static void input_frames_have_limits(void)
{
    lc_net net;
    loco_err err;
    const size_t wrong_sizes[][2] = {
        {0,               1              },
        {1,               0              },
        {SIZE_MAX,        SIZE_MAX       },
        {(size_t)1 << 32, (size_t)1 << 32},
        {1 << 20,         2              }
    };
    for (size_t i = 0; i < 5; i++) {
        CHECK_STATUS(lc_net_parse(&net, "dense 1", 7, wrong_sizes[i][0], wrong_sizes[i][1], &err), LOCO_EARG);
        CHECK_SAYS(err.text, "numbers a frame");
    }
    CHECK_STATUS(lc_net_parse(&net, "dense 1", 7, 1 << 20, 1, &err), LOCO_OK);
}

int main(void)
{
    RUN(good_lines_come_back);
    RUN(the_locale_does_not_matter);
    RUN(shapes_and_sizes);
    RUN(bins_are_places);
    RUN(errors_point_at_the_word);
    RUN(impossible_networks_are_refused);
    RUN(zero_bytes_are_refused);
    RUN(lines_need_no_final_zero);
    RUN(many_layers);
    RUN(input_frames_have_limits);
    return check_done();
}
