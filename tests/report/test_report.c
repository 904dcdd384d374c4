/* SPDX-License-Identifier: MIT
 * test_report.c - the page about a model and recordings, by the public way; test_page.c looks at the page itself. */
#include "burst_model.h"

static burst_case made;

/* A page of the model of a file. */
static loco_status report(const char *path, const char *model, loco_report_options *page, loco_err *err)
{
    loco_model *loaded = NULL;
    page->size = sizeof *page;
    loco_status status = model != NULL ? loco_model_load(&loaded, model, err) : LOCO_OK;
    if (status == LOCO_OK)
        status = loco_report(path, loaded, page, err);
    loco_model_free(loaded);
    return status;
}

static char *page_of(const char *model, loco_report_options *page)
{
    loco_err err = {""};
    size_t length = 0;
    CHECK_STATUS(report(run_path("page.html"), model, page, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    char *html = run_read("page.html", &length);
    CHECK_EQ(strlen(html), length);
    CHECK(strncmp(html, "<!DOCTYPE html>", 15) == 0);
    CHECK(strstr(html, "</html>") != NULL);
    return html;
}

static void refuse(const char *model, loco_report_options page, loco_status want, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(report(run_path("refused.html"), model, &page, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(access(run_path("refused.html"), F_OK) != 0);
}

static void mistakes_are_reported(void)
{
    const char *missing = "/no.wav";
    refuse(NULL, (loco_report_options){0}, LOCO_EARG, "a model, and a data set or sound files");
    refuse(made.model, (loco_report_options){0}, LOCO_EARG, "a data set or sound files");
    refuse("/no.loco", (loco_report_options){.data = made.data}, LOCO_EIO, "/no.loco");
    refuse(made.model, (loco_report_options){.data = "/no/set"}, LOCO_EIO, "/no/set");
    refuse(made.model, (loco_report_options){.files = &missing, .files_len = 1}, LOCO_EIO, "/no.wav");
    burst_model("two.loco", 2, 2);
    refuse(run_path("two.loco"), (loco_report_options){.data = made.data}, LOCO_EDATA, "no class \"ghost\"");
    CHECK(mkdir(run_path("others"), 0777) == 0);
    run_bursts("others/r.wav", 22050, 2, made.times, 1);
    run_write("others/counts.csv", "file,start,end,other\nr.wav,0,1,1\n");
    refuse(made.model, (loco_report_options){.data = run_path("others")}, LOCO_EDATA, "is not a class of the model");
    loco_err err = {""};
    CHECK_STATUS(report(run_path("no/page.html"), made.model, &(loco_report_options){.data = made.data}, &err),
                 LOCO_EIO);
    CHECK_SAYS(err.text, "no/page.html");
}

static void data_sets_are_scored(void)
{
    static const char *const words[] = {"What this is about.", "And <more>."};
    char found[64];
    char *html = page_of(made.model,
                         &(loco_report_options){.title = "A & B", .data = made.data, .words = words, .words_len = 2});
    CHECK(strstr(html, "<title>A &amp; B") != NULL);
    CHECK(strstr(html, "What this is about.") != NULL);
    CHECK(strstr(html, "And &lt;more&gt;.") != NULL);
    CHECK(strstr(html, "F1 within 50 ms") != NULL);
    CHECK(strstr(html, "1.000") != NULL);
    CHECK(strstr(html, "r.wav") != NULL);
    snprintf(found, sizeof found, "%zu of %zu found", made.times_len, made.times_len);
    CHECK(strstr(html, found) != NULL);
    CHECK(strstr(html, "<h2>Scores of one recording</h2>") != NULL);
    free(html);
}

/* The scores say how much of each recording they are about. */
static void scores_state_their_scope(void)
{
    double times[256];
    char *html = page_of(made.model, &(loco_report_options){.data = made.data});
    CHECK(strstr(html, "<p class='small scope'>Scores of one recording</p>") != NULL);
    free(html);
    burst_set("long", 31, 1, times, 256);
    html = page_of(made.model, &(loco_report_options){.data = run_path("long")});
    CHECK(strstr(html, "<p class='small scope'>Scores of the first 30 s of one recording</p>") != NULL);
    free(html);
}

/* Without known times there is nothing to score. */
static void files_are_shown(void)
{
    const char *files[] = {run_path("set/r.wav"), run_path("set/r.wav")};
    char *html = page_of(made.model, &(loco_report_options){.files = files, .files_len = 2, .most = 1});
    CHECK(strstr(html, "<title>Events<") != NULL);
    CHECK(strstr(html, "r.wav") != NULL);
    CHECK(strstr(html, "F1 within 50 ms") == NULL);
    CHECK(strstr(html, "Scores of the recordings") == NULL);
    size_t one = strlen(html);
    free(html);
    files[0] = run_path("set/r.wav");
    files[1] = files[0];
    html = page_of(made.model, &(loco_report_options){.files = files, .files_len = 2});
    CHECK(strlen(html) > one + 100000); /* the sound of the second */
    free(html);
}

/* Where versions vote, the events are theirs: as many here, but not at the same microseconds. */
static void votes_are_shown(void)
{
    char found[64];
    loco_model *model = NULL;
    CHECK_STATUS(loco_model_load(&model, made.model, NULL), LOCO_OK);
    model->decoding.versions = 3;
    CHECK_STATUS(lc_model_save(run_path("votes.loco"), model, NULL, 0, NULL), LOCO_OK);
    loco_model_free(model);
    loco_report_options page = {.title = "page", .data = made.data};
    char *single = page_of(made.model, &page);
    char *votes = page_of(run_path("votes.loco"), &page);
    snprintf(found, sizeof found, "%zu of %zu found", made.times_len, made.times_len);
    CHECK(strstr(single, found) != NULL && strstr(votes, found) != NULL);
    const char *marks = strstr(single, "\"marks\""), *others = strstr(votes, "\"marks\"");
    CHECK(marks != NULL && others != NULL && strncmp(marks, others, 400) != 0);
    free(single);
    free(votes);
}

/* Misses and false alarms are reported. */
static void misses_and_false_alarms_show(void)
{
    char found[80];
    size_t n = made.times_len - 2;
    lc_text events = {0};
    lc_text_string(&events, "file,time,class\nr.wav,0.01,burst\n"); /* never detected */
    for (size_t i = 2; i < made.times_len; i++) {                   /* and two that the reference leaves out */
        lc_text_string(&events, "r.wav,");
        lc_text_number(&events, made.times[i], 6);
        lc_text_string(&events, ",burst\n");
    }
    run_write("set/events.csv", events.bytes);
    lc_text_free(&events);
    char *html = page_of(made.model, &(loco_report_options){.data = made.data});
    snprintf(found, sizeof found, "%zu of %zu found, 2 false alarms", n, n + 1);
    CHECK(strstr(html, found) != NULL);
    free(html);
}

/* A timed recording without events: detections are false alarms, and nothing breaks. */
static void silence_can_be_shown(void)
{
    static float silence[22050];
    CHECK(mkdir(run_path("silence"), 0777) == 0);
    run_wav("silence/s.wav", 22050, silence, 22050);
    run_write("silence/counts.csv", "file,start,end,burst\ns.wav,0,1,0\n");
    char *html = page_of(made.model, &(loco_report_options){.data = run_path("silence")});
    CHECK(strstr(html, "s.wav") != NULL);
    free(html);
}

int main(void)
{
    burst_begin(&made, 8);
    RUN(mistakes_are_reported);
    RUN(data_sets_are_scored);
    RUN(scores_state_their_scope);
    RUN(files_are_shown);
    RUN(votes_are_shown);
    RUN(misses_and_false_alarms_show);
    RUN(silence_can_be_shown);
    return run_done();
}
