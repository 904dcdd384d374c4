/* SPDX-License-Identifier: MIT
 * test_report_image.c - the page about a model and images, by the public way; test_page_image.c looks at the page itself. */
#include "spot_model.h"

static char model_path[512];

static const spot spots[] = {
    {1, 2, 0},
    {4, 6, 1},
    {6, 1, 0},
};

static loco_status report(loco_report_options *page, loco_err *err)
{
    loco_model *model = NULL;
    page->size = sizeof *page;
    if (loco_model_load(&model, model_path, err) != LOCO_OK)
        exit(1);
    loco_status status = loco_report(run_path("page.html"), model, page, err);
    loco_model_free(model);
    return status;
}

static char *page_of(loco_report_options page)
{
    loco_err err = {""};
    size_t length = 0;
    CHECK_STATUS(report(&page, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return run_read("page.html", &length);
}

/* Where one text stands before another, both in the page. */
static bool before(const char *html, const char *first, const char *second)
{
    const char *a = strstr(html, first), *b = strstr(html, second);
    return a != NULL && b != NULL && a < b;
}

static void make_set(void)
{
    CHECK(mkdir(run_path("set"), 0777) == 0);
    spot_image("set/good.png", 32, 40, spots, 3);
    spot_image("set/half.png", 32, 40, spots, 3);
    spot_image("set/bad.png", 32, 40, spots, 1);
    run_write("set/counts.csv", "file,light,dark\ngood.png,2,1\nhalf.png,2,1\nbad.png,0,1\n");
    run_write("set/events.csv", "file,x,y,class\n"
                                "good.png,9.5,5.5,light\ngood.png,25.5,17.5,dark\ngood.png,8.5,25.5,light\n"
                                "half.png,9.5,5.5,light\nhalf.png,35,3,dark\nhalf.png,5.5,25.5,light\n"
                                "bad.png,9.5,5.5,dark\n");
}

/* Five of six detections and of seven true events: half.png has one of each wrong, bad.png one of each class. */
static void places_are_compared(void)
{
    char *html = page_of((loco_report_options){.data = run_path("set"), .title = "A & B"});
    CHECK(strstr(html, "<title>A &amp; B") != NULL);
    CHECK(strstr(html, "F1 within 10 px") != NULL);
    CHECK(strstr(html, "5 of 7 right") != NULL);
    CHECK(strstr(html, "5 of 7 found") != NULL);
    CHECK(strstr(html, "Scores of 3 images<") != NULL);
    CHECK(strstr(html, "Count error</dt><dd><span class='value'>0.67<") !=
          NULL); /* bad.png has one of each class wrong */
    CHECK(before(html, ">bad.png<", ">half.png<") && before(html, ">half.png<", ">good.png<"));
    CHECK(strstr(html, "\"width\":40,\"height\":32,\"rows\":8,\"columns\":10,\"cell\":4,") != NULL);
    CHECK(strstr(html, "[9.5,5.5,0,") != NULL);
    CHECK(strstr(html, ",1,3]") != NULL); /* a hit, three pixels off */
    CHECK(strstr(html, "[35,3,1,0,2,0]") != NULL);
    free(html);
}

/* The worst ones are shown, all are scored. */
static void the_worst_come_first(void)
{
    char *html = page_of((loco_report_options){.data = run_path("set"), .most = 1});
    CHECK(strstr(html, "5 of 7 found") != NULL);
    CHECK(strstr(html, "below is the one with the lowest F1") != NULL);
    CHECK(strstr(html, ">bad.png<") != NULL && strstr(html, "good.png") == NULL);
    free(html);
}

static void counts_alone_are_compared(void)
{
    CHECK(mkdir(run_path("counted"), 0777) == 0);
    spot_image("counted/a.png", 32, 40, spots, 3);
    spot_image("counted/b.png", 32, 40, spots, 1);
    run_write("counted/counts.csv", "file,light,dark\na.png,2,1\nb.png,3,\n");
    char *html = page_of((loco_report_options){.data = run_path("counted")});
    CHECK(strstr(html, "Count error") != NULL && strstr(html, "Counts of 1 image<") != NULL);
    CHECK(strstr(html, "F1 within") == NULL && strstr(html, "Scores by class") == NULL);
    CHECK(before(html, ">a.png<", ">b.png<"));
    CHECK(strstr(html, "<b>3</b> events found") != NULL);
    free(html);
}

static void files_are_shown(void)
{
    char *files[] = {strdup(run_path("set/good.png")), strdup(run_path("set/bad.png"))};
    char *html = page_of((loco_report_options){.files = (const char *const *)files, .files_len = 2});
    CHECK(before(html, ">good.png<", ">bad.png<"));
    CHECK(strstr(html, "class='cards'") == NULL);
    free(html);
    free(files[0]);
    free(files[1]);
}

static void mistakes_are_reported(void)
{
    loco_err err = {""};
    const char *missing = "/no.png";
    CHECK(unlink(run_path("page.html")) == 0);
    CHECK_STATUS(report(&(loco_report_options){.files = &missing, .files_len = 1}, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "/no.png");
    run_write("text.png", "not an image");
    const char *text = run_path("text.png");
    CHECK_STATUS(report(&(loco_report_options){.files = &text, .files_len = 1}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "text.png");
    CHECK_STATUS(report(&(loco_report_options){.data = run_path("set"), .tolerance = -1}, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "a tolerance of -1 pixels");
    CHECK(access(run_path("page.html"), F_OK) != 0);
}

/* Within half a pixel one more is wrong on both sides. */
static void tolerances_are_kept(void)
{
    char *html = page_of((loco_report_options){.data = run_path("set"), .tolerance = 0.5});
    CHECK(strstr(html, "F1 within 0.5 px") != NULL);
    CHECK(strstr(html, "4 of 7 right") != NULL);
    free(html);
}

int main(void)
{
    run_begin();
    spot_model("m.loco", 40, 1, 1);
    snprintf(model_path, sizeof model_path, "%s", run_path("m.loco"));
    make_set();
    RUN(places_are_compared);
    RUN(the_worst_come_first);
    RUN(counts_alone_are_compared);
    RUN(files_are_shown);
    RUN(tolerances_are_kept);
    RUN(mistakes_are_reported);
    return run_done();
}
