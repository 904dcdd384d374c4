/* SPDX-License-Identifier: MIT
 * test_series_rows.c - columns by their names: which are read, in which order, and the sentence for each that is not
 *   there. What tables look like otherwise is tested with series_csv.c. */
#include "cases.h"

#include "signal/series_rows.h"

static const char walk[] = "# rate: 50\nnote,time,az,ax,ay\nstart,0,3,1,2\n,0.02,6,4,5\n\"end\",0.04,9,7,8\n";

static loco_status parse(lc_track *track, const char *text, const char *columns, loco_err *err)
{
    return lc_series_csv_parse(track, "walk.csv", text, strlen(text), &(lc_track_format){.columns = columns}, err);
}

static void wrong_names_are_refused(void)
{
    static const struct {
        const char *text, *columns, *hint;
    } wrongs[] = {
        {walk,                        "ax,gx",     "walk.csv:2: there is no column \"gx\"; there are note, time"       },
        {walk,                        "gyroscope", "there is no column \"gyroscope\"; there are note, time, az, ax, ay"},
        {walk,                        "time",      "column \"time\" holds the times, and is not a channel"             },
        {walk,                        "ax,ax",     "column \"ax\" is wanted twice"                                     },
        {walk,                        "ax,",       NULL                                                                },
        {walk,                        "note",      "walk.csv:3: column \"note\": \"start\" is not a number"            },
        {"# rate: 9\nx,y\n1,2\n1\n",  "x",         "walk.csv:4: 1 cell, where the header has 2"                        },
        {"# rate: 9\nx,y\n,2\n1\n",   "x",         "walk.csv:4: 1 cell"                                                },
        {"# rate: 9\ny,x\n1,2\n3,\n", "x",         "walk.csv:4: column \"x\" has no value; put one in"                 },
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        lc_track track = {.frames = 77};
        loco_err err = {""};
        loco_status status = parse(&track, wrongs[i].text, wrongs[i].columns, &err);
        if (wrongs[i].hint == NULL) { /* a comma at the end is nothing */
            CHECK_STATUS(status, LOCO_OK);
            lc_track_free(&track);
            continue;
        }
        CHECK_STATUS(status, LOCO_EDATA);
        CHECK_SAYS(err.text, wrongs[i].hint);
        CHECK_EQ(track.frames, 77);
    }
}

static void columns_are_chosen_by_name(void)
{
    static const float all[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, two[] = {3, 2, 6, 5, 9, 8};
    lc_track track = {0};
    CHECK_STATUS(parse(&track, walk, "ax,ay,az", NULL), LOCO_OK);
    CHECK_EQ(track.channels, 3);
    CHECK_EQ(track.ignored, 0); /* text is not counted */
    CHECK_STR(track.columns, "ax,ay,az");
    for (size_t i = 0; i < 9 && track.channels == 3; i++)
        CHECK_NEAR(track.samples[i], all[i], 0);
    lc_track_free(&track);
    CHECK_STATUS(parse(&track, walk, " az, ay", NULL), LOCO_OK);
    CHECK_STR(track.columns, "az,ay");
    CHECK_EQ(track.ignored, 1);
    for (size_t i = 0; i < 6 && track.channels == 2; i++)
        CHECK_NEAR(track.samples[i], two[i], 0);
    lc_track_free(&track);
}

/* For its length alone nothing need be a number. */
static void no_column_gives_the_length(void)
{
    lc_track track = {0};
    CHECK_STATUS(parse(&track, walk, "", NULL), LOCO_OK);
    CHECK_EQ(track.frames, 3);
    CHECK_EQ(track.channels, 1);
    CHECK_NEAR(track.rate, 50, 0);
    CHECK_NEAR(track.samples[2], 0, 0);
    CHECK_STR(track.columns, "");
    lc_track_free(&track);
}

static void titles_are_kept_where_they_can_be_read_back(void)
{
    static const struct {
        const char *text, *titles;
    } cases[] = {
        {"# rate: 9\nacc x [g], y\n1,2\n", "acc x [g],y"},
        {"# rate: 9\nm/s\xc2\xb2\n1\n",    "m/s\xc2\xb2"},
        {"# rate: 9\nm/s\xb2\n1\n",        ""           },
        {"# rate: 9\na,b;c\n1,2\n",        "a,b;c"      },
        {"# rate: 9\nx;\"y,z\"\n1;2\n",    ""           },
        {"# rate: 9\nx,\n1,2\n",           ""           },
        {"# rate: 9\nx,a\"b\n1,2\n",       ""           },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_track track = {0};
        loco_err err = {""};
        if (parse(&track, cases[i].text, NULL, &err) == LOCO_OK)
            CHECK_STR(track.columns, cases[i].titles);
        else
            CHECK_SAYS(err.text, "walk.csv:3: 1 cell,"); /* a comma in a name is taken for the separator */
        lc_track_free(&track);
    }
}

static void names_of_a_person_are_read(void)
{
    char names[LC_COLUMNS_BYTES] = "before", many[300] = "a0";
    size_t n = 7;
    loco_err err = {""};
    CHECK_STATUS(lc_columns_parse(names, &n, " ax , \"ay\",az [g]", NULL), LOCO_OK);
    CHECK_STR(names, "ax,ay,az [g]");
    CHECK_EQ(n, 3);
    static const char *const wrongs[] = {"", ",", "ax,", "ax,,ay", "a\"x", "ax\n", "m/s\xb2"};
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        CHECK_STATUS(lc_columns_parse(names, &n, wrongs[i], &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "such as ax,ay,az");
    }
    CHECK_STATUS(lc_columns_parse(names, &n, "ax,ay,ax", &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "\"ax\" is there twice");
    for (int i = 1; i < LC_SOUND_CHANNELS; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), ",a%d", i);
    CHECK_STR(names, "ax,ay,az [g]");
    CHECK_STATUS(lc_columns_parse(names, &n, many, NULL), LOCO_OK);
    CHECK_EQ(n, LC_SOUND_CHANNELS);
    memcpy(many + strlen(many), ",b", 3);
    CHECK_STATUS(lc_columns_parse(names, &n, many, &err), LOCO_EDATA);
}

int main(void)
{
    RUN(wrong_names_are_refused);
    RUN(columns_are_chosen_by_name);
    RUN(no_column_gives_the_length);
    RUN(titles_are_kept_where_they_can_be_read_back);
    RUN(names_of_a_person_are_read);
    return check_done();
}
