/* SPDX-License-Identifier: MIT
 * test_detect.c - events of a recording by the public ways: at once, one by one, by vote, with known counts, from
 *   a file and from standard input. */
#include "burst_model.h"

#include "detect/detect.h"
#include "model/tensors.h"

enum { MOST = 256 };

static double times[MOST];
static size_t times_len;
static loco_model *model; /* calibrated */

/* ---- helpers ---- */

typedef struct list {
    loco_event *events;
    size_t len;
} list;

static list detect(const char *name, const loco_detect_options *how)
{
    list l = {NULL, 0};
    loco_err err = {""};
    CHECK_STATUS(loco_detect(&l.events, &l.len, model, run_path(name), how, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return l;
}

static void keep(void *context, const loco_event *event)
{
    list *l = context;
    l->events = realloc(l->events, (l->len + 1) * sizeof *l->events);
    if (l->events == NULL)
        exit(1);
    l->events[l->len++] = *event;
}

static void refuse(const char *path, const loco_detect_options *how, loco_status want, const char *says)
{
    list l = {NULL, 77}, each = {NULL, 0};
    loco_err err = {""};
    CHECK_STATUS(loco_detect(&l.events, &l.len, model, path, how, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(l.events == NULL && l.len == 77);
    err.text[0] = 0;
    CHECK_STATUS(loco_detect_each(keep, &each, model, path, how, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK_EQ(each.len, 0);
}

/* All events of the truth, in order, within some seconds. */
static void check_times(const list *l, double tolerance)
{
    double worst = 0;
    CHECK_EQ(l->len, times_len);
    for (size_t i = 0; i < l->len && i < times_len; i++) {
        worst_note(&worst, l->events[i].time, times[i], 1);
        CHECK(l->events[i].kind == 0 && l->events[i].probability > 0 && l->events[i].probability <= 1);
    }
    CHECK_WORST(worst, tolerance);
}

/* One by one they are the same. */
static void check_each(const list *want, const loco_detect_options *how)
{
    list each = {NULL, 0};
    CHECK_STATUS(loco_detect_each(keep, &each, model, run_path("set/r.wav"), how, NULL), LOCO_OK);
    CHECK(each.len == want->len &&
          (want->len == 0 || case_same(each.events, want->events, want->len * sizeof *want->events)));
    free(each.events);
}

/* ---- tests ---- */

static void mistakes_are_reported(void)
{
    char wav[256];
    snprintf(wav, sizeof wav, "%s", run_path("set/r.wav"));
    refuse(run_path("no.wav"), NULL, LOCO_EIO, "no.wav");
    run_write("text.wav", "this is not a sound");
    refuse(run_path("text.wav"), NULL, LOCO_EDATA, "text.wav");
    refuse(wav, &(loco_detect_options){.size = sizeof(loco_detect_options), .decoding = "threshold=2"}, LOCO_EARG,
           "threshold");
    refuse(wav, &(loco_detect_options){.size = sizeof(loco_detect_options), .decoding = "treshold=0.2"}, LOCO_EARG,
           "threshold");
    refuse(wav, &(loco_detect_options){.size = sizeof(loco_detect_options), .decoding = "maas"}, LOCO_EARG, "mass");
    refuse(wav, &(loco_detect_options){.size = sizeof(loco_detect_options), .raw = "s16le,1,44100"}, LOCO_EARG,
           "standard input");
    refuse("-", NULL, LOCO_EARG, "--raw");
    refuse("-", &(loco_detect_options){.size = sizeof(loco_detect_options), .raw = "s17le,1,44100"}, LOCO_EARG,
           "s17le");
    refuse("-", &(loco_detect_options){.size = sizeof(loco_detect_options), .raw = "s16le,1,44100", .ensemble = 3},
           LOCO_EARG, "ensemble");
    refuse(wav, &(loco_detect_options){.size = sizeof(loco_detect_options), .ensemble = 65}, LOCO_EARG, "at most 64");
}

static void events_are_found(void)
{
    list at_once = detect("set/r.wav", NULL), each = {NULL, 0};
    check_times(&at_once, 0.01);
    CHECK_STATUS(loco_detect_each(keep, &each, model, run_path("set/r.wav"), NULL, NULL), LOCO_OK);
    lc_events_sort(each.events, each.len);
    CHECK_EQ(each.len, at_once.len);
    for (size_t i = 0; i < at_once.len && i < each.len; i++)
        CHECK(each.events[i].kind == at_once.events[i].kind &&
              fabs(each.events[i].time - at_once.events[i].time) <= 0 &&
              fabs(each.events[i].probability - at_once.events[i].probability) <= 0);
    free(each.events);
    loco_free(at_once.events);
    CHECK(loco_model_latency(model) > 0.023 && loco_model_latency(model) < 0.2);
}

/* A file of another rate has the same events. */
static void any_rate_is_read(void)
{
    run_bursts("high.wav", 44100, 12, times, times_len);
    list l = detect("high.wav", NULL);
    check_times(&l, 0.01);
    loco_free(l.events);
}

static void decoding_can_be_changed(void)
{
    list detected = detect("set/r.wav", NULL), strict, other;
    strict = detect("set/r.wav",
                    &(loco_detect_options){.size = sizeof(loco_detect_options), .decoding = "threshold=0.999999"});
    CHECK(strict.len < detected.len);
    other = detect("set/r.wav", &(loco_detect_options){.size = sizeof(loco_detect_options),
                                                       .decoding = "mass window=0.02 threshold=0.4 gap=0.05"});
    check_times(&other, 0.02);
    loco_free(other.events);
    other = detect("set/r.wav",
                   &(loco_detect_options){.size = sizeof(loco_detect_options),
                                          .decoding = "gap=0.5"}); /* one of several within half a second */
    CHECK(other.len < times_len && other.len >= 12);
    loco_free(other.events);
    loco_free(strict.events);
    loco_free(detected.events);
}

static void votes_agree(void)
{
    for (unsigned n = 2; n < 6; n++) {
        const loco_detect_options how = {.size = sizeof how, .ensemble = n};
        list l = detect("set/r.wav", &how);
        check_times(&l, 0.02);
        check_each(&l, &how);
        loco_free(l.events);
    }
    list one = detect("set/r.wav", &(loco_detect_options){.size = sizeof(loco_detect_options), .ensemble = 1}),
         none = detect("set/r.wav", NULL);
    CHECK(one.len == none.len && case_same(one.events, none.events, one.len * sizeof *one.events));
    loco_free(one.events);
    loco_free(none.events);
}

/* As many as the decoding says, with its own threshold; 1 means no vote, and standard input cannot be read twice. */
static void a_decoding_may_ask_for_votes(void)
{
    const char *decoding = "mass window=0.01 threshold=0.3 gap=0.04 versions=3";
    list asked = detect("set/r.wav", &(loco_detect_options){.size = sizeof(loco_detect_options), .decoding = decoding});
    list want = detect("set/r.wav", &(loco_detect_options){.size = sizeof(loco_detect_options),
                                                           .decoding = "mass window=0.01 threshold=0.3 gap=0.04",
                                                           .ensemble = 3});
    list single = detect(
        "set/r.wav", &(loco_detect_options){.size = sizeof(loco_detect_options), .decoding = decoding, .ensemble = 1});
    CHECK(asked.len == want.len && case_same(asked.events, want.events, asked.len * sizeof *asked.events));
    CHECK(asked.len != single.len || !case_same(asked.events, single.events, asked.len * sizeof *asked.events));
    loco_free(asked.events);
    loco_free(want.events);
    loco_free(single.events);
}

/* Events move to the sound, each by half a gap at most; the model has bands, since it was calibrated. */
static void a_decoding_may_snap(void)
{
    const loco_detect_options how = {.size = sizeof how, .decoding = "peak threshold=0.3 gap=0.03 snap=0.02"};
    list plain = detect("set/r.wav", NULL), snapped = detect("set/r.wav", &how);
    double before = 0, after = 0;
    check_times(&snapped, 0.004);
    for (size_t i = 0; i < snapped.len && i < plain.len && i < times_len; i++) {
        CHECK(fabs(snapped.events[i].time - plain.events[i].time) <= 0.015);
        before += pow(plain.events[i].time - times[i], 2);
        after += pow(snapped.events[i].time - times[i], 2);
    }
    printf("    off by %.2f ms, snapped %.2f\n", 1e3 * sqrt(before / (double)times_len),
           1e3 * sqrt(after / (double)times_len));
    CHECK(after < before);
    check_each(&snapped, &how);
    loco_free(snapped.events);
    snapped = detect("set/r.wav", &(loco_detect_options){.size = sizeof(loco_detect_options),
                                                         .decoding = "peak threshold=0.3 gap=0.002 snap=0.02"});
    for (size_t i = 0; i < snapped.len && i < plain.len; i++)
        CHECK(fabs(snapped.events[i].time - plain.events[i].time) <= 0.001 + 1e-9);
    loco_free(snapped.events);
    double *bands = model->bands;
    model->bands = NULL; /* as in a file that was never calibrated: an error only where the user asks for a snap */
    refuse(run_path("set/r.wav"), &(loco_detect_options){.size = sizeof(loco_detect_options), .decoding = "snap=0.02"},
           LOCO_EARG, "loco calibrate");
    model->decoding.snap = 0.02;
    snapped = detect("set/r.wav", NULL);
    CHECK(snapped.len == plain.len && case_same(snapped.events, plain.events, plain.len * sizeof *plain.events));
    model->decoding.snap = 0;
    model->bands = bands;
    loco_free(snapped.events);
    loco_free(plain.events);
}

/* With a known count there are exactly as many. */
static void counts_are_kept_to(void)
{
    const size_t counts[] = {0, 1, 7, times_len};
    for (size_t i = 0; i < 4; i++) {
        loco_label label = loco_label_exact(counts[i]);
        const loco_detect_options how = {.size = sizeof how, .counts = &label};
        list l = detect("set/r.wav", &how);
        CHECK_EQ(l.len, counts[i]);
        for (size_t j = 0; j < l.len;
             j++) { /* each near a burst; two may belong to one, since its weights were not trained */
            double nearest = 1;
            for (size_t t = 0; t < times_len; t++)
                nearest = fmin(nearest, fabs(l.events[j].time - times[t]));
            CHECK(nearest < 0.03);
        }
        check_each(&l, &how);
        loco_free(l.events);
    }
    loco_label impossible = loco_label_exact(100000);
    refuse(run_path("set/r.wav"), &(loco_detect_options){.size = sizeof(loco_detect_options), .counts = &impossible},
           LOCO_EDATA, "100000");
}

/* Raw samples on standard input are the same sound. */
static void standard_input_is_read(void)
{
    SF_INFO info = {0};
    SNDFILE *file = sf_open(run_path("set/r.wav"), SFM_READ, &info);
    float *x = case_array((size_t)info.frames, sizeof *x);
    CHECK(file != NULL && sf_readf_float(file, x, info.frames) == info.frames);
    sf_close(file);
    lc_little_endian(x, (size_t)info.frames, sizeof *x);
    CHECK_STATUS(lc_file_save(run_path("raw"), x, (size_t)info.frames * sizeof *x, NULL), LOCO_OK);
    free(x);
    CHECK(freopen(run_path("raw"), "rb", stdin) != NULL);
    list want = detect("set/r.wav", NULL), got = {NULL, 0};
    loco_err err = {""};
    loco_detect_options how = {.size = sizeof how, .raw = "f32le,1,22050"};
    CHECK_STATUS(loco_detect(&got.events, &got.len, model, "-", &how, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK(got.len == want.len && case_same(got.events, want.events, want.len * sizeof *want.events));
    loco_free(got.events);
    loco_free(want.events);
}

static void silence_has_no_events(void)
{
    static float silence[22050];
    run_wav("silence.wav", 22050, silence, 22050);
    run_wav("instant.wav", 22050, silence, 1);
    list l = detect("silence.wav", NULL);
    CHECK_EQ(l.len, 0);
    loco_free(l.events);
    l = detect("instant.wav", NULL);
    CHECK_EQ(l.len, 0);
    loco_free(l.events);
    l = detect("instant.wav", &(loco_detect_options){.size = sizeof(loco_detect_options), .ensemble = 3});
    CHECK_EQ(l.len, 0);
    loco_free(l.events);
}

int main(void)
{
    char *findings = NULL;
    run_begin();
    times_len = burst_set("set", 12, 1, times, MOST);
    burst_model("m.loco", 1, 1);
    CHECK_STATUS(burst_calibrate(&findings, run_path("m.loco"), run_path("set"), false, NULL), LOCO_OK);
    loco_free(findings);
    if (loco_model_load(&model, run_path("m.loco"), NULL) != LOCO_OK)
        return 1;
    RUN(mistakes_are_reported);
    RUN(events_are_found);
    RUN(any_rate_is_read);
    RUN(decoding_can_be_changed);
    RUN(votes_agree);
    RUN(a_decoding_may_ask_for_votes);
    RUN(a_decoding_may_snap);
    RUN(counts_are_kept_to);
    RUN(silence_has_no_events);
    RUN(standard_input_is_read);
    loco_model_free(model);
    return run_done();
}
