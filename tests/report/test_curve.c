/* SPDX-License-Identifier: MIT
 *
 * test_curve.c - training curves: wrong arguments, what is drawn where, and values that cannot be drawn. Run with the
 * name of a file, it writes an example there.
 */
#include "check.h"
#include "page_example.h"

#include "base/file.h"
#include "report/curve.h"

static loco_err err;

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

static void wrong_arguments(void)
{
    double up[] = {1, 2}, down[] = {2, 1}, nothing[] = {NAN, INFINITY};
    lc_curve_series line = {"a", up, up, 2, false};
    lc_curve curve = {.loss = &line, .loss_len = 1, .best_step = -1};
    lc_text out = {0};
    CHECK_STATUS(lc_curve_write(&out, NULL, &err), LOCO_EARG);
    CHECK_STATUS(lc_curve_write(&out, &(lc_curve){0}, &err), LOCO_EARG);
    curve.loss_len = 5;
    CHECK_STATUS(lc_curve_write(&out, &curve, &err), LOCO_EARG);
    curve.loss_len = 1;
    line.steps = down;
    CHECK_STATUS(lc_curve_write(&out, &curve, &err), LOCO_EARG);
    CHECK(strstr(err.text, "step 1 after 2") != NULL);
    line.steps = NULL;
    CHECK_STATUS(lc_curve_write(&out, &curve, &err), LOCO_EARG);
    line = (lc_curve_series){"a", up, nothing, 2, false};
    CHECK_STATUS(lc_curve_write(&out, &curve, &err), LOCO_EARG);
    CHECK_EQ(out.length, 0);
    lc_text_free(&out);
}

/* Two values of a loss on a linear axis 0..4: the corners of the panel. */
static void corners(void)
{
    double steps[] = {0, 10}, values[] = {4, 0};
    lc_curve_series line = {"<training>", steps, values, 2, false};
    lc_curve curve = {.loss = &line, .loss_len = 1, .best_step = 5};
    lc_text out = {0};
    CHECK_STATUS(lc_curve_write(&out, &curve, &err), LOCO_OK);
    CHECK(strstr(out.bytes, "M72 46L800 222'") != NULL);
    CHECK(strstr(out.bytes, "&lt;training&gt;") != NULL);
    CHECK(strstr(out.bytes, ">kept<") != NULL && strstr(out.bytes, "x1='436'") != NULL);
    CHECK(strstr(out.bytes, ">loss<") != NULL && strstr(out.bytes, "score") == NULL);
    lc_text_free(&out);
}

static void example_has_all_parts(void)
{
    static example_curve c;
    example_curve_fill(&c);
    c.curve.title = "Training & <more>";
    lc_text out = {0}, again = {0};
    CHECK_STATUS(lc_curve_write(&out, &c.curve, &err), LOCO_OK);
    CHECK_STATUS(lc_curve_write(&again, &c.curve, &err), LOCO_OK);
    CHECK_STR(out.bytes, again.bytes);
    CHECK_EQ(count_of(out.bytes, "class='train'"), 1);
    CHECK_EQ(count_of(out.bytes, "class='valid'"), 2);
    CHECK_EQ(count_of(out.bytes, "class='train-band'"), 1); /* 2000 noisy values become a band and its mean */
    CHECK(strstr(out.bytes, "loss (logarithmic)") != NULL && strstr(out.bytes, "F-measure") != NULL);
    CHECK(strstr(out.bytes, "Training &amp; &lt;more&gt;") != NULL && strstr(out.bytes, "<more>") == NULL);
    CHECK(out.length < 40000);
    CHECK_EQ(count_of(out.bytes, "<"), count_of(out.bytes, ">"));
    lc_text_free(&out);
    lc_text_free(&again);
}

/* Gaps, single values, constant and huge values: a picture without nan or inf. */
static void odd_values(void)
{
    static const double odd[][4] = {
        {NAN,    1,   NAN,  2   },
        {1,      1,   1,    1   },
        {1e300,  2,   -1e9, 3   },
        {0,      0,   0,    0   },
        {-5,     1e8, 2,    1e-9},
        {1e-300, 1,   1,    1   }
    };
    double steps[4] = {3, 3, 3, 3};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        lc_curve_series line = {"", steps, odd[i], i % 2 == 0 ? 4 : 1, i % 2 == 0};
        lc_curve curve = {.loss = &line, .loss_len = 1, .scores = &line, .scores_len = 1, .best_step = 3};
        lc_text out = {0};
        CHECK_STATUS(lc_curve_write(&out, &curve, &err), LOCO_OK);
        CHECK(out.bytes != NULL && strstr(out.bytes, "nan") == NULL && strstr(out.bytes, "inf") == NULL);
        lc_text_free(&out);
    }
}

static int write_example(const char *path)
{
    static example_curve c;
    lc_text out = {0};
    example_curve_fill(&c);
    c.curve.title = "Drums: training on counts";
    loco_status status = lc_curve_write(&out, &c.curve, &err);
    if (status == LOCO_OK)
        status = lc_file_save(path, out.bytes, out.length, &err);
    lc_text_free(&out);
    return status == LOCO_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return write_example(argv[1]);
    RUN(wrong_arguments);
    RUN(corners);
    RUN(example_has_all_parts);
    RUN(odd_values);
    return check_done();
}
