/* SPDX-License-Identifier: MIT
 * test_frontend.c - the line of a front end: what is read comes back, what is wrong is named; and what must hold for every
 *   front end of the table. */
#include "cases.h"

#include "signal/frontend.h"

#include <locale.h>

static const char drums[] =
    "mel rate=22050 window=1024 hop=220 fft=1024 bands=72 low=27 high=11000 shape=hann emphasis=0 "
    "gain=44 floor=-3 shift=1.5 scale=1.35 delta=channel delta_scale=0.35 adapt=0";

static const struct {
    const char *line, *hint;
} wrongs[] = {
    {"",                                 "is not a kind of settings"                                         },
    {"melt rate=3",                      "is not a kind of settings"                                         },
    {"rate=22050",                       "is not a kind of settings"                                         },
    {"mel wndow=12",                     "\"wndow\" is not a setting; did you mean window?"                  },
    {"mel Hop=12",                       "\"Hop\" is not a setting; did you mean hop?"                       },
    {"mel delta_scal=12",                "did you mean delta_scale?"                                         },
    {"mel colour=12",                    "it is one of rate, window, hop"                                    },
    {"mel =12",                          "\"\" is not a setting"                                             },
    {"mel hop",                          "hop has no value; write hop="                                      },
    {"mel hop=",                         "hop= is not a decimal number; write a whole number from 1 to 65536"},
    {"mel hop=0",                        "hop=0 is out of range; write a whole number from 1 to 65536"       },
    {"mel hop=2.5",                      "hop=2.5 is not whole"                                              },
    {"mel hop=-3",                       "hop=-3 is out of range"                                            },
    {"mel hop=65537",                    "hop=65537 is out of range"                                         },
    {"mel hop=1e5",                      "hop=1e5 is out of range"                                           },
    {"mel hop=220 hop=220",              "hop is set twice"                                                  },
    {"mel rate=0",                       "rate=0 is out of range; write a number from 1 to 1000000"          },
    {"mel rate=nan",                     "rate=nan is not a decimal number"                                  },
    {"mel rate=22,05",                   "rate=22,05 is not a decimal number"                                },
    {"mel rate=1.2.3",                   "rate=1.2.3 is not a decimal number"                                },
    {"mel rate=.",                       "rate=. is not a decimal number"                                    },
    {"mel gain=-",                       "gain=- is not a decimal number; write a number from -200 to 200"   },
    {"mel gain=+300",                    "gain=+300 is out of range"                                         },
    {"mel high=0",                       "high=0 is out of range; write a number from 0.000001 to 500000"    },
    {"mel scale=0",                      "scale=0 is out of range; write a number from 0.001 to 1000"        },
    {"mel shape=sine",                   "shape=sine is unknown; write hann or hamming"                      },
    {"mel delta=both",                   "is unknown; write none, channel or stacked"                        },
    {"mel delta=",                       "is unknown; write none, channel or stacked"                        },
    {"mel window=2000 fft=1024",         "fft=1024 must be an even number, 2000 (window) to"                 },
    {"mel fft=1025",                     "must be an even number"                                            },
    {"mel low=11000",                    "low=11000 must be below high=11000"                                },
    {"mel high=12000",                   "at most 11025 (rate/2)"                                            },
    {"mel rate=40",                      "low=27 must be below high=20"                                      },
    {"mel caf\xc3\xa9=3",                "\"caf??\" is not a setting"                                        },
    {"pitch fft=512",                    "\"fft\" is not a setting"                                          },
    {"pitch bands=297",                  "297 bands, 36 an octave, from low=26.9756 reach to 8212 Hz"        },
    {"pitch rate=8000",                  "and rate/2 is 4000; use fewer bands or a higher rate"              },
    {"pitch window2=0",                  "window3=1024 needs window2; write window2=1024"                    },
    {"pitch window2=1",                  "a window has 2 to 65536 samples; 0 for none"                       },
    {"pitch window=0",                   "window=0 is out of range"                                          },
    {"pitch delta=stacked",              "is unknown; write none or channel"                                 },
    {"series bands=3",                   "\"bands\" is not a setting"                                        },
    {"series scale=2",                   "is unknown; write fixed, record or running"                        },
    {"series delta=stacked",             "delta=stacked belongs to mel"                                      },
    {"series channels=65",               "channels=65 is out of range"                                       },
    {"series hop=2000 channels=3",       "is more than 4096 values a frame"                                  },
    {"series rate=100 high=50",          "both below 50.00 (rate/2)"                                         },
    {"series low=3 high=2",              "low=3.00 must be below high=2.00"                                  },
    {"mel adapt=9999999999999999999999", "adapt=9999999999999999999999 is out of range"                      },
};

static void wrong_lines_are_refused(void)
{
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        lc_frontend_settings s, before;
        loco_err err = {""};
        memset(&s, 0x5a, sizeof s);
        memcpy(&before, &s, sizeof s);
        CHECK_STATUS(lc_frontend_parse(&s, wrongs[i].line, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrongs[i].hint);
        CHECK(case_same(&s, &before, sizeof s));
    }
    char line[2000];
    lc_frontend_settings s;
    snprintf(line, sizeof line, "mel%1100s", "");
    CHECK_STATUS(lc_frontend_parse(&s, line, NULL), LOCO_EDATA);
}

static void check_line(const char *line, const char *want)
{
    lc_frontend_settings s, again;
    lc_text text = {0}, second = {0};
    memset(&s, 0, sizeof s); /* padding is compared too */
    memset(&again, 0, sizeof again);
    CHECK_STATUS(lc_frontend_parse(&s, line, NULL), LOCO_OK);
    lc_frontend_format(&s, &text);
    if (want != NULL)
        CHECK_STR(text.bytes, want);
    CHECK_STATUS(lc_frontend_parse(&again, text.bytes, NULL), LOCO_OK);
    lc_frontend_format(&again, &second);
    CHECK_STR(second.bytes, text.bytes);
    CHECK(s.rate <= again.rate && s.rate >= again.rate && s.gain <= again.gain && s.gain >= again.gain);
    CHECK(s.window == again.window && s.delta == again.delta && s.shape == again.shape);
    lc_text_free(&text);
    lc_text_free(&second);
}

static void good_lines_come_back(void)
{
    check_line(drums, drums);
    check_line("mel", drums);
    check_line("  mel\tscale=1.35  \n", drums);
    check_line("mel adapt=0 gain=44.000 rate=022050.0", drums);
    check_line("mel gain=+4.4e1", drums);
    check_line("mel gain=44.0000000001", drums); /* kept to 9 decimals */
    check_line("mel rate=999999.123456789 gain=-0.000000001 high=400000.1", NULL);
    check_line("mel delta=stacked shape=hamming window=1102 fft=4096 rate=44100 floor=-15.65", NULL);
}

static void lines_of_series_come_back(void)
{
    static const char usual[] = "series rate=100 channels=1 hop=1 low=0.3 high=0 scale=record adapt=10 delta=none "
                                "delta_scale=0.35";
    check_line("series", usual);
    check_line(usual, usual);
    check_line("series scale=running hop=9 channels=3 delta=channel high=12.5", NULL);
    lc_frontend_settings s;
    CHECK_STATUS(lc_frontend_parse(&s, "series", NULL), LOCO_OK);
    CHECK(s.ops == &lc_front_series && s.norm == LC_NORM_RECORD);
    CHECK_STATUS(lc_frontend_set(&s, "scale=fixed", NULL), LOCO_OK);
    CHECK(s.norm == LC_NORM_FIXED);
    CHECK_STATUS(lc_frontend_set(&s, "bands=3", NULL), LOCO_EDATA);
    s.ops = NULL;
    CHECK_STATUS(lc_frontend_check(&s, NULL), LOCO_EDATA);
}

static void lines_of_pitches_come_back(void)
{
    static const char usual[] = "pitch rate=16000 window=8192 window2=4096 window3=1024 hop=256 bands=294 octave=36 "
                                "low=26.975579 shape=hann gain=60 floor=-3 shift=1.55 scale=1.4 delta=channel "
                                "delta_scale=0.5";
    check_line("pitch", usual);
    check_line("pitch ahead=0", usual);
    check_line("pitch ahead=512 window3=0", NULL);
}

static void what_is_not_said_fits(void)
{
    lc_frontend_settings s;
    CHECK_STATUS(lc_frontend_parse(&s, "mel rate=8000 window=1025", NULL), LOCO_OK);
    CHECK_EQ(s.fft, 2048);
    CHECK_NEAR(s.high, 4000, 0);
    CHECK_STATUS(lc_frontend_parse(&s, "mel window=2", NULL), LOCO_OK);
    CHECK_EQ(s.fft, 16);
}

static void one_setting_changes(void)
{
    lc_frontend_settings s;
    loco_err err;
    CHECK_STATUS(lc_frontend_parse(&s, "mel", NULL), LOCO_OK);
    CHECK_STATUS(lc_frontend_set(&s, "hop=441", NULL), LOCO_OK);
    CHECK_STATUS(lc_frontend_set(&s, "delta=stacked", NULL), LOCO_OK);
    CHECK_EQ(s.hop, 441);
    CHECK(s.delta == LC_DELTA_STACKED);
    CHECK_STATUS(lc_frontend_set(&s, "hop=x", &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "hop=x is not a decimal number");
    CHECK_STATUS(lc_frontend_set(&s, "", &err), LOCO_EDATA);
    CHECK_EQ(s.hop, 441);
    CHECK_STATUS(lc_frontend_set(&s, "window=5000", NULL), LOCO_OK);
    CHECK_STATUS(lc_frontend_check(&s, &err), LOCO_EDATA);
    CHECK_STATUS(lc_frontend_set(&s, "fft=5000", NULL), LOCO_OK);
    CHECK_STATUS(lc_frontend_check(&s, &err), LOCO_OK);
}

/* Settings that a program filled in wrongly. */
static void wrong_settings_are_refused(void)
{
    lc_frontend_settings good, s;
    CHECK_STATUS(lc_frontend_parse(&good, "mel", NULL), LOCO_OK);
#define BAD(field, value) (s = good, s.field = (value), CHECK_STATUS(lc_frontend_check(&s, NULL), LOCO_EDATA))
    BAD(rate, NAN);
    BAD(rate, 0);
    BAD(hop, 0);
    BAD(window, 0);
    BAD(bands, 0);
    BAD(bands, 5000);
    BAD(fft, (size_t)1 << 40);
    BAD(low, -1);
    BAD(high, INFINITY);
    BAD(scale, 0);
    BAD(scale, NAN);
    BAD(delta_scale, -1);
    BAD(adapt, -1);
    BAD(gain, INFINITY);
    BAD(floor, NAN);
    BAD(shift, NAN);
    BAD(emphasis, NAN);
    BAD(shape, (lc_shape)7);
    BAD(delta, (lc_delta)7);
#undef BAD
}

static void presets_are_lines(void)
{
    static const char *const names[] = {"drums", "drums-paper", "piano-paper"};
    static const size_t bins[] = {72, 144, 768}, channels[] = {2, 1, 1};
    for (size_t i = 0; i < 3; i++) {
        lc_frontend_settings s;
        CHECK_STATUS(lc_frontend_parse(&s, lc_frontend_preset(names[i]), NULL), LOCO_OK);
        CHECK_EQ(lc_frontend_bins(&s), bins[i]);
        CHECK_EQ(lc_frontend_channels(&s), channels[i]);
        CHECK_EQ(s.hop, 220);
    }
    lc_frontend_settings ecg, piano;
    CHECK_STATUS(lc_frontend_parse(&piano, lc_frontend_preset("piano"), NULL), LOCO_OK);
    CHECK_EQ(lc_frontend_bins(&piano), 294);
    CHECK_EQ(lc_frontend_channels(&piano), 6);
    CHECK_STATUS(lc_frontend_parse(&piano, lc_frontend_preset("piano-live"), NULL), LOCO_OK);
    CHECK(lc_frontend_delay(&piano) <= 512);
    CHECK_STATUS(lc_frontend_parse(&ecg, lc_frontend_preset("series"), NULL), LOCO_OK);
    CHECK_STATUS(lc_frontend_parse(&ecg, lc_frontend_preset("ecg"), NULL), LOCO_OK);
    CHECK_EQ(lc_frontend_bins(&ecg) * lc_frontend_channels(&ecg), 2);
    CHECK(lc_frontend_preset("no") == NULL && lc_frontend_preset("") == NULL);
    /* the lowest 384 of 550 bands up to 22050 Hz */
    lc_frontend_settings s;
    CHECK_STATUS(lc_frontend_parse(&s, lc_frontend_preset("piano-paper"), NULL), LOCO_OK);
    double mel = 2595 * log10(1 + 22050.0 / 700) * 385 / 551;
    CHECK_NEAR(s.high, 700 * (pow(10, mel / 2595) - 1), 0.01);
}

/* Commas for points in the user's language change nothing. */
static void the_language_does_not_matter(void)
{
    static const char *const places[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    for (size_t i = 0; i < 4 && setlocale(LC_ALL, places[i]) == NULL; i++)
        continue;
    check_line(drums, drums);
    setlocale(LC_ALL, "C");
}

/* ---- the table ---- */

/* Whether a front end has a key. */
static bool has_key(const lc_front_ops *front, const char *key)
{
    for (size_t i = 0; i < front->line.keys_len; i++)
        if (strcmp(front->line.keys[i].key, key) == 0)
            return true;
    return false;
}

static bool is_whole(const lc_front_ops *f)
{
    return f->line.name != NULL && has_key(f, "rate") && (has_key(f, "hop") || has_key(f, "cell")) &&
           f->reset != NULL && f->push != NULL && f->finish != NULL && (f->measure != NULL) == (f->measured != NULL) &&
           (f->measure != NULL) == (f->rescale != NULL) && (f->rows != NULL) == (f->value != NULL);
}

/* Frames of n samples that come in blocks of `step`. */
static size_t frames_of(lc_frontend *front, const lc_frontend_settings *s, const float *x, size_t n, size_t step,
                        float *frames)
{
    size_t size = lc_frontend_bins(s) * lc_frontend_channels(s), T = 0;
    for (size_t at = 0; at < n; at += step)
        T += lc_frontend_push(front, x + at * lc_frontend_inputs(s), n - at < step ? n - at : step, frames + T * size);
    return T + lc_frontend_finish(front, frames + T * size);
}

/* With its defaults: ceil(N / hop) frames of numbers, the same bits for blocks of any size and after a reset. */
static void check_frames(const lc_frontend_settings *s)
{
    enum { N = 2500 };
    static const size_t steps[] = {N, 1, 64, 1000};
    size_t size = lc_frontend_bins(s) * lc_frontend_channels(s), T = (N + s->hop - 1) / s->hop;
    lc_frontend *front = NULL;
    lc_rng rng = lc_rng_seed(5);
    float *x = case_array(N * lc_frontend_inputs(s), sizeof *x);
    float *whole = case_array((3 * T + 9) * size, sizeof *whole),
          *parts = case_array((3 * T + 9) * size, sizeof *parts);
    for (size_t i = 0; i < N * lc_frontend_inputs(s); i++)
        x[i] = (float)lc_rng_normal(&rng) * 0.1f;
    CHECK_STATUS(lc_frontend_new(&front, s, NULL), LOCO_OK);
    CHECK(lc_frontend_most(front, N) + lc_frontend_most(front, 0) >= T);
    lc_frontend_push(front, x, N / 3, whole);
    lc_frontend_reset(front);
    for (size_t i = 0; i < 4; i++) {
        CHECK_EQ(frames_of(front, s, x, N, steps[i], i == 0 ? whole : parts), T);
        CHECK(i == 0 || case_same(whole, parts, T * size * sizeof *whole));
    }
    for (size_t i = 0; i < T * size; i++)
        CHECK(isfinite(whole[i]));
    for (size_t r = 0; r < lc_frontend_rows(s); r++)
        CHECK(isfinite(lc_frontend_value(s, whole, r)));
    CHECK(lc_frontend_shades(s).rows <= lc_frontend_rows(s));
    lc_frontend_free(front);
    free(x);
    free(whole);
    free(parts);
}

static void every_front_end_keeps_the_rules(void)
{
    for (size_t i = 0; lc_fronts[i] != NULL; i++) {
        lc_frontend_settings s;
        printf("    %s\n", lc_fronts[i]->line.name);
        CHECK(is_whole(lc_fronts[i]));
        if (!is_whole(lc_fronts[i]))
            continue;
        check_line(lc_fronts[i]->line.name, NULL);
        CHECK_STATUS(lc_frontend_parse(&s, lc_fronts[i]->line.name, NULL), LOCO_OK);
        CHECK(s.ops == lc_fronts[i]);
        check_frames(&s);
    }
}

int main(void)
{
    RUN(wrong_lines_are_refused);
    RUN(good_lines_come_back);
    RUN(lines_of_series_come_back);
    RUN(lines_of_pitches_come_back);
    RUN(what_is_not_said_fits);
    RUN(one_setting_changes);
    RUN(wrong_settings_are_refused);
    RUN(presets_are_lines);
    RUN(the_language_does_not_matter);
    RUN(every_front_end_keeps_the_rules);
    return check_done();
}
