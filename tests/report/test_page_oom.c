/* SPDX-License-Identifier: MIT
 *
 * test_page_oom.c - lets the n-th allocation fail, for every n: a report, of sound or of images, a MIDI file and a click track come whole or
 * not at all, nothing leaks, and the call reports it.
 */
#include "check.h"
#include "oom.h"

#include "events/formats.h"
#include "report/click.h"
#include "report/page_image.h"

static const char *const classes[] = {"kick", "snare"};

static loco_status write_report(lc_text *out, loco_err *err)
{
    static float samples[3000], logits[40];
    static const float spectrogram[20];
    const double steps[] = {1, 2};
    const lc_curve_series line = {"loss", steps, steps, 2, false};
    const lc_curve curve = {.loss = &line, .loss_len = 1, .best_step = -1};
    const lc_page_mark mark = {.time = 0.2, .probability = 1, .verdict = LC_PAGE_FOUND};
    const lc_page_recording r = {.name = "x",
                                 .samples = samples,
                                 .samples_len = 3000,
                                 .rate = 3000,
                                 .spectrogram = spectrogram,
                                 .spectrogram_len = 10,
                                 .bands = 2,
                                 .spectrogram_rate = 10,
                                 .logits = logits,
                                 .frames = 20,
                                 .frame_rate = 20,
                                 .marks = &mark,
                                 .marks_len = 1};
    const lc_page page = {
        .title = "x", .classes = classes, .classes_len = 2, .recordings = &r, .recordings_len = 1, .curve = &curve};
    return lc_page_write(out, &page, err);
}

static loco_status write_images(lc_text *out, loco_err *err)
{
    static const float logits[40];
    const lc_page_point point = {.x = 1, .y = 2, .probability = 1, .verdict = LC_PAGE_HIT};
    const lc_page_number numbers[2] = {
        {1, 1, 2, loco_label_exact(1)}
    };
    const lc_page_image image = {.name = "x",
                                 .width = 10,
                                 .height = 8,
                                 .png = "none",
                                 .png_len = 4,
                                 .logits = logits,
                                 .rows = 4,
                                 .columns = 5,
                                 .cell = 2,
                                 .points = &point,
                                 .points_len = 1,
                                 .numbers = numbers};
    const lc_page page = {.title = "x", .classes = classes, .classes_len = 2, .images = &image, .images_len = 1};
    return lc_page_write(out, &page, err);
}

static loco_status write_events(lc_text *out, const char *name, loco_err *err)
{
    static loco_event events[200];
    for (size_t i = 0; i < 200; i++)
        events[i] = (loco_event){(double)(i * 7 % 200), i % 2, 0.5, 0};
    const lc_events_view view = {"x", classes, 2, events, 200, 0, NULL, false};
    const lc_format *format = NULL;
    loco_status status = lc_format_find(&format, name, NULL, err);
    return status == LOCO_OK ? lc_events_write(out, format, &view, 1, err) : status;
}

static loco_status write_midi(lc_text *out, loco_err *err)
{
    return write_events(out, "midi", err);
}

static loco_status write_json(lc_text *out, loco_err *err)
{
    return write_events(out, "jsonl", err);
}

static loco_status write_clicks(lc_text *out, loco_err *err)
{
    float samples[2000] = {0};
    const loco_event event = {0.1, 0, 1, 0};
    loco_status status = lc_click_mix(samples, 2000, 8000, &event, 1, err);
    return status == LOCO_OK ? lc_wav_format(out, samples, 2000, 8000, err) : status;
}

/* Runs work once for each allocation it makes, with that one failing; then it must succeed. Returns how many there
 * were. */
static size_t fail_each(loco_status (*work)(lc_text *out, loco_err *err), bool restores)
{
    for (size_t n = 1; n < 10000; n++) {
        loco_err err = {""};
        lc_text out = {0};
        oom_begin(n);
        loco_status status = work(&out, &err);
        bool reached = oom_end() >= n;
        CHECK_STATUS(status, reached ? LOCO_ENOMEM : LOCO_OK);
        CHECK(!reached || strlen(err.text) > 10);
        CHECK(!reached || !restores || out.length == 0);
        lc_text_free(&out);
        if (!reached)
            return n - 1;
    }
    return 0;
}

static void whole_or_absent(void)
{
    CHECK(fail_each(write_report, true) >= 20);
    CHECK(fail_each(write_images, true) >= 10);
    CHECK(fail_each(write_midi, true) >= 3);
    CHECK(fail_each(write_json, true) >= 200);
    CHECK(fail_each(write_clicks, false) >= 3);
}

int main(void)
{
    RUN(whole_or_absent);
    return check_done();
}
