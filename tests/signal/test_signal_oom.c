/* SPDX-License-Identifier: MIT
 * test_signal_oom.c - lets the n-th allocation of ours fail, for every n, in all that makes something of sound: the
 *   caller gets a status, nothing leaks, no result is touched. */
#include "oom.h"
#include "sounds.h"

#include "data/stretch.h"
#include "signal/frontend.h"
#include "signal/onset.h"
#include "signal/sound.h"
#include "signal/track.h"

typedef loco_status work(loco_err *err);

static const char *path;
static float *noise;
static FILE *rows;

static loco_status make_line(const char *line, loco_err *err)
{
    lc_frontend_settings s;
    lc_frontend *f = NULL;
    CHECK_STATUS(lc_frontend_parse(&s, line, NULL), LOCO_OK);
    loco_status status = lc_frontend_new(&f, &s, err);
    CHECK((f != NULL) == (status == LOCO_OK));
    lc_frontend_free(f);
    return status;
}

static loco_status make_frontend(loco_err *err)
{
    return make_line("mel", err);
}

static loco_status make_pitches(loco_err *err)
{
    return make_line("pitch", err); /* three windows */
}

static loco_status open_file(loco_err *err)
{
    lc_sound *sound = NULL;
    loco_status status = lc_sound_open(&sound, path, 22050, err);
    CHECK((sound != NULL) == (status == LOCO_OK));
    lc_sound_close(sound);
    return status;
}

static loco_status open_raw(loco_err *err)
{
    lc_sound *sound = NULL;
    lc_raw_format format = {.type = LC_RAW_S16LE, .channels = 2, .rate = 44100};
    loco_status status = lc_sound_open_raw_channels(&sound, stdin, "here", &format, 22050, 0, err);
    CHECK((sound != NULL) == (status == LOCO_OK));
    lc_sound_close(sound);
    return status;
}

static loco_status load_clip(loco_err *err)
{
    float *clip = NULL;
    size_t n;
    loco_status status = lc_sound_load(path, 0.1, 0.2, 22050, &clip, &n, err);
    CHECK((clip != NULL) == (status == LOCO_OK));
    free(clip);
    return status;
}

static loco_status onset(loco_err *err)
{
    float *strength = NULL;
    size_t frames;
    double hop;
    loco_status status = lc_onset_strength(noise, 20000, 22050, &strength, &frames, &hop, err);
    CHECK((strength != NULL) == (status == LOCO_OK));
    free(strength);
    return status;
}

static loco_status stretch(loco_err *err)
{
    float *out = NULL;
    size_t n;
    loco_status status = lc_stretch(noise, 5000, 22050, 1.1, &out, &n, err);
    CHECK((out != NULL) == (status == LOCO_OK));
    free(out);
    return status;
}

static const char table[] = "t,x,y\n0,1,2\n0.02,3,4\n0.04,5,6\n0.06,5,6\n";
static const char uneven[] = "t,x,y\n0,1,2\n0.02,3,4\n0.02,5,6\n0.06,5,6\n0.04,5,6\n0.08,5,6\n0.1,5,6\n";

static loco_status parse_text(const char *text, loco_err *err)
{
    lc_track track = {0};
    loco_status status = lc_series_csv_parse(&track, "t.csv", text, strlen(text), &(lc_track_format){0}, err);
    CHECK((track.samples != NULL) == (status == LOCO_OK));
    lc_track_free(&track);
    return status;
}

static loco_status parse_table(loco_err *err)
{
    return parse_text(table, err);
}

static loco_status parse_uneven(loco_err *err)
{
    return parse_text(uneven, err);
}

static loco_status open_rows(loco_err *err)
{
    lc_sound *sound = NULL;
    rewind(rows);
    loco_status status = lc_sound_open_rows(&sound, rows, "here", 50, (lc_columns){2, NULL}, err);
    CHECK((sound != NULL) == (status == LOCO_OK));
    lc_sound_close(sound);
    return status;
}

static void every_failing_allocation_is_reported(void)
{
    static work *const works[] = {make_frontend, make_pitches, open_file,   open_raw,  load_clip,
                                  onset,         stretch,      parse_table, open_rows, parse_uneven};
    static const size_t least[] = {4, 8, 7, 8, 8, 7, 3, 5, 9, 9};
    for (size_t w = 0; w < sizeof works / sizeof *works; w++) {
        for (size_t n = 1;; n++) {
            loco_err err = {""};
            oom_begin(n);
            loco_status status = works[w](&err);
            if (oom_end() < n) {
                CHECK_STATUS(status, LOCO_OK);
                CHECK_EQ(n - 1, least[w]);
                break;
            }
            CHECK_STATUS(status, LOCO_ENOMEM);
            CHECK_SAYS(err.text, "out of memory");
        }
    }
}

/* After the first frames, sound goes through without a single allocation. */
static void push_line(const char *line)
{
    lc_frontend_settings s;
    lc_frontend *f;
    CHECK_STATUS(lc_frontend_parse(&s, line, NULL), LOCO_OK);
    CHECK_STATUS(lc_frontend_new(&f, &s, NULL), LOCO_OK);
    float *frames = case_array(lc_frontend_most(f, 20000) * lc_frontend_bins(&s) * lc_frontend_channels(&s),
                               sizeof *frames);
    oom_begin(0);
    lc_frontend_push(f, noise, 20000, frames);
    lc_frontend_finish(f, frames);
    CHECK_EQ(oom_end(), 0);
    free(frames);
    lc_frontend_free(f);
}

static void pushing_allocates_nothing(void)
{
    push_line("mel adapt=1");
    push_line("pitch");
}

int main(void)
{
    sound_begin();
    noise = sound_noise(20000, 0.5f, 1);
    path = sound_path("noise.wav");
    sound_write(path, SF_FORMAT_WAV | SF_FORMAT_FLOAT, 44100, 1, noise, 20000);
    rows = tmpfile();
    CHECK(rows != NULL && fputs(table, rows) >= 0);
    RUN(every_failing_allocation_is_reported);
    RUN(pushing_allocates_nothing);
    fclose(rows);
    free(noise);
    sound_end();
    return check_done();
}
