/* SPDX-License-Identifier: MIT
 * test_counts.c - counts.csv: what is refused and where, what a row means, and that what is written is read. */
#include "data_cases.h"

#include "base/rng.h"
#include "data/dataset.h"

static loco_status parse(lc_dataset **set, const char *text, loco_err *err)
{
    return lc_counts_parse(set, "d/counts.csv", text, strlen(text), err);
}

static void wrong_counts_are_refused(void)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"",                                        "c.csv: no header row"                                        },
        {"fil,kick\na.wav,1\n",                     "c.csv: no column \"file\" in the header; is it"              },
        {"start,kick\n1,1\n",                       "c.csv: no column \"file\" in the header"                     },
        {"file\na.wav\n",                           "c.csv: no classes"                                           },
        {"file,start,end\na.wav,1,2\n",             "c.csv: no classes"                                           },
        {"file,kick\n",                             "c.csv: no rows"                                              },
        {"file,kick,\na.wav,1,2\n",                 "c.csv: column 3 has no name"                                 },
        {"file,kick,snare,kick\na,1,1,1\n",         "c.csv:1: column \"kick\" is there twice"                     },
        {"file,kick\na.wav,1\n,2\n",                "c.csv:3: column \"file\": no file"                           },
        {"file,kick\na.wav,1\na.wav,three\n",       "c.csv:3: column \"kick\": \"three\" is not a count"          },
        {"file,kick\na.wav,-1\n",                   "c.csv:2: column \"kick\": \"-1\" is not a count"             },
        {"file,kick\na.wav,1.5\n",                  "c.csv:2: column \"kick\": \"1.5\" is not a count"            },
        {"file,kick\na.wav,5..2\n",                 "c.csv:2: column \"kick\": \"5..2\" is not a count"           },
        {"file,kick\na.wav,1000001\n",              "c.csv:2: column \"kick\": the count 1000001 is larger"       },
        {"file,kick\na.wav,<=1000001\n",            "the count <=1000001 is larger"                               },
        {"file,kick\na.wav,99999999999999999999\n", "c.csv:2: column \"kick\""                                    },
        {"file,start,end,kick\na.wav,5,3,1\n",      "c.csv:2: column \"end\": the end 3 is not after the start"   },
        {"file,start,end,kick\na.wav,3,3,1\n",      "c.csv:2: column \"end\": the end 3 is not after the start"   },
        {"file,start,kick\na.wav,zero,1\n",         "c.csv:2: column \"start\": \"zero\" is not a number"         },
        {"file,end,kick\na.wav,inf,1\n",            "c.csv:2: column \"end\": \"inf\" is not a number"            },
        {"file,start,kick\na.wav,-1,1\n",           "c.csv:2: column \"start\": -1 is not a time in seconds"      },
        {"file,kick\na.wav,1,2\n",                  "c.csv:2: 3 cells, where the header has 2"                    },
        {"file,x0,y0,x1,cell\na,1,1,2,3\n",         "c.csv: no column \"y1\"; a rectangle needs x0, y0, x1 and y1"},
        {"file,start,x0,y0,x1,y1,cell\na,,,,,,3\n", "c.csv: x0, y0, x1, y1 are for images, start and end"         },
        {"file,x0,y0,x1,y1\na,1,1,2,3\n",           "c.csv: no classes"                                           },
        {"file,x0,y0,x1,y1,c\na,5,1,5,3,1\n",       "c.csv:2: column \"x1\": 5 is not beyond x0, which is 5"      },
        {"file,x0,y0,x1,y1,c\na,5,4,6,3,1\n",       "c.csv:2: column \"y1\": 3 is not beyond y0, which is 4"      },
        {"file,x0,y0,x1,y1,c\na,5,,6,3,1\n",        "c.csv:2: column \"y0\": \"\" is not a number; write pixels"  },
        {"file,x0,y0,x1,y1,c\na,-5,1,6,3,1\n",      "c.csv:2: column \"x0\": -5 is not a position in pixels"      },
        {"file,x0,y0,x1,y1,x0+c\na,1,1,2,2,1\n",    "\"x0\" is not a class"                                       },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lc_dataset *set = NULL;
        loco_err err = {""};
        CHECK_STATUS(lc_counts_parse(&set, "c.csv", wrong[i].text, strlen(wrong[i].text), &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrong[i].says);
        CHECK(set == NULL);
    }
}

static void check_label(loco_label label, size_t lo, size_t hi)
{
    CHECK_EQ(label.lo, lo);
    CHECK_EQ(label.hi, hi);
}

/* As spreadsheets write tables: counts with decimals, decimal commas where semicolons separate. */
static void spreadsheets_are_read(void)
{
    lc_dataset *set = NULL;
    loco_err err = {""};
    CHECK_STATUS(parse(&set, "file;start;end;kick;snare\na.wav;0,5;1,25;2.0;10,00\na.wav;2;3.5;>=1.0;100\n", &err),
                 LOCO_OK);
    CHECK_STR(err.text, "");
    if (set == NULL)
        return;
    CHECK_NEAR(set->clips[0].start, 0.5, 0);
    CHECK_NEAR(set->clips[0].end, 1.25, 0);
    check_label(set->clips[0].labels[0], 2, 2);
    check_label(set->clips[0].labels[1], 10, 10);
    check_label(set->clips[1].labels[0], 1, LOCO_NO_LIMIT);
    check_label(set->clips[1].labels[1], 100, 100);
    lc_dataset_free(set);
    static const char *const wrongs[] = {"2.5", "2..0", ".0", "2.01", "0.0.0", "2."};
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        char text[64];
        snprintf(text, sizeof text, "file,kick\na.wav,%s\n", wrongs[i]);
        CHECK_STATUS(parse(&set, text, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "is not a count");
    }
}

static void rows_are_clips(void)
{
    lc_dataset *set = NULL;
    loco_err err = {""};
    CHECK_STATUS(parse(&set,
                       "# drums\nkick,end,file,snare,start\n3,2.5,a.wav,2..5,\n>=1,,b.wav,,1.5\n"
                       "<=4,3,./a.wav,?,2.5\n0,,/abs/c.wav,1000000,\n",
                       &err),
                 LOCO_OK);
    CHECK_STR(set->where, "d/counts.csv");
    CHECK_EQ(set->classes_len, 2);
    CHECK_STR(set->classes[0], "kick");
    CHECK_STR(set->classes[1], "snare");
    CHECK_EQ(set->recordings_len, 3);
    CHECK_STR(set->recordings[0].name, "a.wav");
    CHECK_STR(set->recordings[0].path, "d/a.wav");
    CHECK_STR(set->recordings[2].path, "/abs/c.wav");
    CHECK(!set->recordings[0].timed && set->recordings[0].events_len == 0);
    CHECK_EQ(set->clips_len, 4);
    CHECK_EQ(set->clips[2].recording, 0);
    CHECK_EQ(set->clips[2].row, 5);
    CHECK_NEAR(set->clips[0].start, 0, 0);
    CHECK_NEAR(set->clips[0].end, 2.5, 0);
    CHECK_NEAR(set->clips[1].start, 1.5, 0);
    CHECK_NEAR(set->clips[1].end, INFINITY, 0);
    check_label(set->clips[0].labels[0], 3, 3);
    check_label(set->clips[0].labels[1], 2, 5);
    check_label(set->clips[1].labels[0], 1, LOCO_NO_LIMIT);
    check_label(set->clips[1].labels[1], 0, LOCO_NO_LIMIT);
    check_label(set->clips[2].labels[0], 0, 4);
    check_label(set->clips[2].labels[1], 0, LOCO_NO_LIMIT);
    check_label(set->clips[3].labels[1], 1000000, 1000000);
    lc_dataset_free(set);
}

static void writing_looks_as_it_should(void)
{
    lc_dataset *set = NULL;
    lc_text text = {0};
    CHECK_STATUS(parse(&set, "file;start;end;kick;\"a,b\"\n\"x,y.wav\";;;1;\nz;0;1.5;2..3;>=1\nz;1.25;;0;<=2\n", NULL),
                 LOCO_OK);
    lc_counts_format(&text, set);
    CHECK_STR(text.bytes, "file,start,end,kick,\"a,b\"\n\"x,y.wav\",,,1,?\nz,0.000000,1.500000,2..3,>=1\n"
                          "z,1.250000,,0,<=2\n");
    lc_text_free(&text);
    lc_dataset_free(set);
}

static loco_label random_label(lc_rng *rng)
{
    size_t a = lc_rng_next(rng) % 10, b = lc_rng_next(rng) % 10;
    switch (lc_rng_next(rng) % 5) {
    case 0: return loco_label_exact(a);
    case 1: return loco_label_range(a, a + b);
    case 2: return loco_label_at_least(a);
    case 3: return loco_label_at_most(a);
    default: return loco_label_unknown();
    }
}

/* Rectangles of images, and rows without one: the whole image. */
static void rectangles_are_read(void)
{
    static const char csv[] = "file,x0,y0,x1,y1,cell\na.png,0,8,128.5,64,17\nb.png,,,,,112\n";
    lc_dataset *set = NULL;
    loco_err err = {""};
    CHECK_STATUS(parse(&set, csv, &err), LOCO_OK);
    CHECK(set->places && set->classes_len == 1 && set->clips_len == 2);
    const lc_clip *clip = &set->clips[0], *whole = &set->clips[1];
    CHECK_NEAR(clip->left, 0, 0);
    CHECK_NEAR(clip->start, 8, 0);
    CHECK_NEAR(clip->right, 128.5, 0);
    CHECK_NEAR(clip->end, 64, 0);
    CHECK(whole->start <= 0 && isinf(whole->end) && whole->left <= 0 && whole->right <= 0);
    lc_text text = {0};
    lc_counts_format(&text, set);
    CHECK_STR(text.bytes, csv);
    lc_text_free(&text);
    CHECK_STATUS(lc_dataset_check_lengths(set, (const double[]){64, 9}, &err), LOCO_OK);
    CHECK_STATUS(lc_dataset_check_lengths(set, (const double[]){63, 9}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "column \"y1\": the clip ends at y = 64.000, but \"a.png\" has 63 rows");
    lc_dataset_free(set);
}

static void written_is_read(void)
{
    enum { CLIPS = 20, K = 3 };
    static const char *const classes[K] = {"kick", "#snare, loud", "\"hat\""};
    static const lc_recording recordings[] = {{.name = "a.wav"}, {.name = " b.wav"}, {.name = "c,d.wav"}};
    lc_rng rng = lc_rng_seed(8);
    for (int round = 0; round < 100; round++) {
        loco_label labels[CLIPS][K];
        lc_clip clips[CLIPS];
        for (size_t i = 0; i < CLIPS; i++) {
            double start = (double)(lc_rng_next(&rng) % 1000000000) / 1e6 * (double)(i % 2);
            start = round % 2 ? start : floor(start);
            for (size_t k = 0; k < K; k++)
                labels[i][k] = random_label(&rng);
            clips[i] = (lc_clip){.recording = i < 3 ? i : lc_rng_next(&rng) % 3,
                                 .start = start,
                                 .end = lc_rng_next(&rng) % 3 == 0 ? INFINITY : floor(start) + 1000,
                                 .labels = labels[i]};
        }
        lc_dataset set = {.classes = classes,
                          .classes_len = K,
                          .recordings = recordings,
                          .recordings_len = 3,
                          .clips = clips,
                          .clips_len = CLIPS},
                   *again = NULL;
        lc_text text = {0};
        CHECK_STATUS(lc_dataset_save_counts(data_path("counts.csv"), &set, NULL), LOCO_OK);
        lc_counts_format(&text, &set);
        CHECK_STATUS(lc_counts_parse(&again, "counts.csv", text.bytes, text.length, NULL), LOCO_OK);
        CHECK_EQ(again->clips_len, CLIPS);
        for (size_t i = 0; i < CLIPS && i < again->clips_len; i++) {
            CHECK_EQ(again->clips[i].recording, clips[i].recording);
            CHECK_NEAR(again->clips[i].start, clips[i].start, 0);
            CHECK_NEAR(again->clips[i].end, clips[i].end, 0);
            CHECK(memcmp(again->clips[i].labels, labels[i], sizeof labels[i]) == 0);
        }
        for (size_t r = 0; r < 3; r++)
            CHECK_STR(again->recordings[r].name, recordings[r].name);
        char *saved = NULL;
        size_t length = 0;
        CHECK_STATUS(lc_file_load(data_path("counts.csv"), 100000, &saved, &length, NULL), LOCO_OK);
        CHECK_STR(saved, text.bytes);
        free(saved);
        lc_text_free(&text);
        lc_dataset_free(again);
    }
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(wrong_counts_are_refused);
    RUN(spreadsheets_are_read);
    RUN(rows_are_clips);
    RUN(writing_looks_as_it_should);
    RUN(rectangles_are_read);
    RUN(written_is_read);
    return data_done();
}
