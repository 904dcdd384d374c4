/* SPDX-License-Identifier: MIT
 * test_plane_score.c - scores of images: events by distance, confused classes, images with one event, and their text. */
#include "cases.h"

#include "eval/require.h"
#include "eval/scores.h"

static const char *const classes[] = {"three", "eight"};

static loco_event at(double x, double y, size_t kind, double probability)
{
    return (loco_event){.time = y, .x = x, .kind = kind, .probability = probability};
}

/* Three images: two events of which one is found as the other class, and a false alarm; one event, found twice, the
 * likelier right; one event that is missed. */
static loco_scores *some_scores(void)
{
    loco_scores *scores = NULL;
    const double radii[] = {10, 3};
    CHECK_STATUS(lc_scores_new(&scores, classes, 2, radii, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_scores_images(scores, NULL), LOCO_OK);
    const loco_event truth[] = {at(20, 30, 0, 1), at(50, 30, 1, 1)};
    const loco_event found[] = {at(23, 34, 0, 0.9), at(50, 31, 0, 0.8), at(90, 30, 1, 0.7)};
    CHECK_STATUS(lc_scores_add(scores, "a.png", truth, 2, found, 3, NULL), LOCO_OK);
    const loco_event one[] = {at(10, 10, 1, 1)}, twice[] = {at(10, 12, 0, 0.4), at(11, 10, 1, 0.6)};
    CHECK_STATUS(lc_scores_add(scores, "b.png", one, 1, twice, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_scores_add(scores, "c.png", one, 1, NULL, 0, NULL), LOCO_OK);
    return scores;
}

static void check_row(const loco_scores *scores, size_t kind, size_t tolerance, size_t matched, double f1)
{
    loco_score row;
    CHECK_STATUS(loco_scores_read(&row, scores, kind, tolerance, NULL), LOCO_OK);
    CHECK_EQ(row.matched, matched);
    CHECK_NEAR(row.f1, f1, 1e-12);
}

static void events_are_scored_by_distance(void)
{
    loco_scores *scores = some_scores();
    loco_score all;
    check_row(scores, 0, 0, 1, 0.5);                     /* one of one, three found */
    check_row(scores, 1, 0, 1, 2.0 / 5);                 /* one of three, two found */
    check_row(scores, LOCO_SCORE_POOLED, 1, 1, 2.0 / 9); /* 5 px is beyond 3 */
    CHECK_STATUS(loco_scores_read(&all, scores, LOCO_SCORE_POOLED, 0, NULL), LOCO_OK);
    CHECK(all.reference == 4 && all.estimated == 5 && all.matched == 2);
    CHECK_NEAR(all.error_mean, (5 + 1) / 2.0, 1e-12);
    CHECK_NEAR(all.error_sd, 2, 1e-12);
    loco_scores_free(scores);
}

static void classes_are_confused(void)
{
    loco_scores *scores = some_scores();
    /* three: found as three; eight: once as three, once as eight, once missed; false alarms: one three, one eight */
    static const size_t want[] = {1, 0, 0, 1, 1, 1, 1, 1, 0};
    for (size_t i = 0; i < 9; i++)
        CHECK_EQ(scores->plane->confusion[i], want[i]);
    CHECK(scores->plane->lone == 2 && scores->plane->lone_right == 1);
    CHECK_NEAR(scores->plane->count_error, 3, 0);
    loco_scores_free(scores);
}

static void check_text(const loco_scores *scores, const char *format, const char *const *says, size_t n)
{
    char *text = NULL;
    CHECK_STATUS(loco_scores_format(&text, scores, format, NULL), LOCO_OK);
    for (size_t i = 0; i < n; i++)
        CHECK_SAYS(text, says[i]);
    CHECK(strstr(text, " ms") == NULL);
    loco_free(text);
}

static void texts_have_pixels(void)
{
    loco_scores *scores = some_scores();
    static const char *const table[] = {
        "within 10 px",
        "within 3 px",
        " apart within 10 px",
        "mean px     sd px",
        "mean over 3 images",
        "confused within 10 px, true in rows and found in columns\n"
        "        three   eight  missed\n"
        "three       1       0       0\n"
        "eight       1       1       1\n"
        "false       1       1\n"
        "events found in an image: 1.00 more or fewer than there are, on average\n"
        "images with one event: class right in 50.00 % of 2\n",
    };
    static const char *const json[] = {
        "\"tolerance\": 10, ",
        "\"error_mean\": 3, ",
        ("\"unit\": \"px\", \"confusion\": [[1, 0, 0], [1, 1, 1], [1, 1, 0]], \"count_error\": 1, "
         "\"lone\": {\"images\": 2, \"class_right\": 0.5}}\n"),
    };
    check_text(scores, "table", table, 6);
    check_text(scores, "json", json, 3);
    check_text(scores, "recordings", table, 2);
    loco_scores_free(scores);
}

static void requirements_are_in_pixels(void)
{
    loco_scores *scores = some_scores();
    loco_err err = {""};
    char *why = NULL;
    bool met = false;
    CHECK_STATUS(loco_scores_require(&met, &why, scores, "f1@10=0.4,f1@3=0.2", &err), LOCO_OK);
    CHECK(met);
    loco_free(why);
    CHECK_STATUS(loco_scores_require(&met, &why, scores, "f1@3=0.5", &err), LOCO_OK);
    CHECK(!met);
    CHECK_SAYS(why, "f1@3 is 0.2222, 0.2778 below the required 0.5");
    loco_free(why);
    CHECK_STATUS(loco_scores_require(&met, &why, scores, "f1@7=0.5", &err), LOCO_EARG);
    CHECK_SAYS(err.text, "no score has a tolerance of 7 px");
    loco_scores_free(scores);
}

/* One class cannot be confused. */
static void one_class(void)
{
    loco_scores *scores = NULL;
    char *text = NULL;
    const double radius = 5;
    const loco_event truth = at(3, 3, 0, 1);
    CHECK_STATUS(lc_scores_new(&scores, classes, 1, &radius, 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_scores_images(scores, NULL), LOCO_OK);
    CHECK_STATUS(lc_scores_add(scores, "a.png", &truth, 1, &truth, 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_scores_add(scores, "b.png", &(loco_event){.x = NAN}, 1, NULL, 0, NULL), LOCO_EDATA);
    CHECK_STATUS(loco_scores_format(&text, scores, "table", NULL), LOCO_OK);
    CHECK(strstr(text, "confused") == NULL && strstr(text, "class right") == NULL);
    CHECK_SAYS(text, "events found in an image: 0.00 more or fewer");
    loco_free(text);
    loco_scores_free(scores);
}

int main(void)
{
    RUN(events_are_scored_by_distance);
    RUN(classes_are_confused);
    RUN(texts_have_pixels);
    RUN(requirements_are_in_pixels);
    RUN(one_class);
    return check_done();
}
