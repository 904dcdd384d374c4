/* SPDX-License-Identifier: MIT
 *
 * test_page_image.c - images in the report: wrong arguments, well-formed HTML, the same bytes every time, names that try
 * to be markup, large maps. Run with the name of a file, it writes an example there.
 */
#include "html_check.h"

#include "base/file.h"
#include "base/rng.h"
#include "image/image.h"
#include "report/page_image.h"

enum { K = 3, SIDE = 96, CELL = 4, PLACES = SIDE / CELL, SPOTS = 14 };

static loco_err err;

static const char *const classes[K] = {"round cell", "long cell", "speck"};
static const lc_page_card cards[] = {
    {"F1 within 5 px", "0.910", NULL, 0.91}
};

/* Two images of light spots: one is compared with a reference, one is not. */
typedef struct example {
    lc_text png;
    float logits[PLACES * PLACES * K];
    lc_page_point points[SPOTS];
    lc_page_number numbers[K];
    lc_page_image images[2];
    lc_page page;
} example;

static example made;

static void draw_spot(lc_image *image, double x, double y)
{
    for (size_t row = 0; row < SIDE; row++)
        for (size_t column = 0; column < SIDE; column++) {
            double near = hypot((double)column - x, (double)row - y) / 4;
            unsigned char *value = &image->values[row * SIDE + column];
            *value = (unsigned char)fmin(255, *value + 190 * exp(-near * near));
        }
}

/* The i-th: every fourth is missed, every fifth a false alarm. */
static void add_spot(example *e, lc_image *image, lc_rng *rng, size_t i)
{
    double x = 10 + 22 * (double)(i % 4) + 8 * lc_rng_uniform(rng),
           y = 8 + 22 * (double)(i / 4) + 6 * lc_rng_uniform(rng);
    lc_page_verdict verdict = i % 4 == 3 ? LC_PAGE_MISS : i % 5 == 4 ? LC_PAGE_FALSE_ALARM : LC_PAGE_HIT;
    size_t kind = i % K, place = (size_t)((y + 0.5) / CELL) * PLACES + (size_t)((x + 0.5) / CELL);
    e->points[i] = (lc_page_point){
        .x = x, .y = y, .kind = kind, .verdict = verdict, .probability = verdict == LC_PAGE_MISS ? 0 : 0.9};
    e->points[i].off = verdict == LC_PAGE_HIT ? 1.5 : 0;
    e->logits[place * K + kind] = verdict == LC_PAGE_MISS ? -1 : 4;
    if (verdict != LC_PAGE_FALSE_ALARM)
        draw_spot(image, x, y);
}

static void make_example(example *e)
{
    static unsigned char values[SIDE * SIDE];
    lc_image image = {SIDE, SIDE, 1, 1, values};
    lc_rng rng = lc_rng_seed(3);
    memset(values, 24, sizeof values);
    for (size_t i = 0; i < PLACES * PLACES * K; i++)
        e->logits[i] = -7;
    for (size_t i = 0; i < SPOTS; i++)
        add_spot(e, &image, &rng, i);
    for (size_t k = 0; k < K; k++)
        e->numbers[k] = (lc_page_number){3.4, 3, 5, loco_label_exact(4)};
    CHECK_STATUS(lc_image_format(&e->png, &image, &err), LOCO_OK);
}

/* Again as it was. */
static void fill(example *e)
{
    e->images[0] = (lc_page_image){.name = "Field 4 / a.png",
                                   .width = SIDE,
                                   .height = SIDE,
                                   .png = e->png.bytes,
                                   .png_len = e->png.length,
                                   .logits = e->logits,
                                   .rows = PLACES,
                                   .columns = PLACES,
                                   .cell = CELL,
                                   .radius = 5,
                                   .points = e->points,
                                   .points_len = SPOTS,
                                   .numbers = e->numbers};
    e->images[1] = e->images[0];
    e->images[1].name = "a name that is long enough to need a second line on a phone, taken on a Monday.tif";
    e->images[1].points_len = 0;
    e->page = (lc_page){.title = "Cells",
                        .cards = cards,
                        .cards_len = 1,
                        .classes = classes,
                        .classes_len = K,
                        .images = e->images,
                        .images_len = 2};
}

static lc_text page_text(const lc_page *page)
{
    lc_text out = {0};
    CHECK_STATUS(lc_page_write(&out, page, &err), LOCO_OK);
    if (out.bytes == NULL)
        lc_text_string(&out, "");
    return out;
}

#define REFUSED(change, status, words)                               \
    do {                                                             \
        fill(&made);                                                 \
        change;                                                      \
        CHECK_STATUS(lc_page_write(&out, &made.page, &err), status); \
        CHECK(strstr(err.text, words) != NULL);                      \
    } while (0)

static void wrong_arguments(void)
{
    lc_page_image *image = &made.images[0];
    const lc_page_recording recording = {.name = "x"};
    lc_page_point point = made.points[0];
    float nan[K] = {0, NAN, 0};
    lc_text out = {0};
    lc_text_string(&out, "before");
    REFUSED(made.page.images_len = 25, LOCO_EARG, "25 images");
    REFUSED(made.page.images = NULL, LOCO_EARG, "2 images");
    REFUSED(made.page.recordings = &recording; made.page.recordings_len = 1, LOCO_EARG, "not both");
    REFUSED(made.page.classes_len = 0, LOCO_EARG, "0 classes");
    REFUSED(image->name = NULL, LOCO_EARG, "no name");
    REFUSED(image->png = NULL, LOCO_EARG, "no picture");
    REFUSED(image->width = 0, LOCO_EARG, "0 x 96 pixels");
    REFUSED(image->logits = NULL, LOCO_EARG, "24 x 24 places");
    REFUSED(image->cell = NAN, LOCO_EARG, "nan pixels apart");
    REFUSED(image->rows = SIZE_MAX, LOCO_EARG, "places");
    REFUSED(image->logits = nan; image->rows = image->columns = 1, LOCO_EDATA, "value 1 of the logits");
    REFUSED(image->points = NULL, LOCO_EARG, "points");
#define POINTED(change, words) \
    REFUSED(point = made.points[0]; change; image->points = &point; image->points_len = 1, LOCO_EDATA, words)
    POINTED(point.x = NAN, "point 0 is at nan");
    POINTED(point.off = -1, "-1 pixels off");
    POINTED(point.kind = 3, "class 3");
    POINTED(point.verdict = (lc_page_verdict)4, "verdict 4");
    POINTED(point.probability = 1.1, "1.1");
    CHECK_STR(out.bytes, "before");
    lc_text_free(&out);
}

static void well_formed_and_the_same(void)
{
    fill(&made);
    lc_text one = page_text(&made.page), two = page_text(&made.page);
    CHECK_STR(one.bytes, two.bytes);
    CHECK(elements_of(one.bytes) > 200);
    CHECK(strstr(one.bytes, "http") == strstr(one.bytes, "http-equiv"));
    CHECK_EQ(count_of(one.bytes, "http"), 1);
    CHECK_EQ(count_of(one.bytes, "<img class='shown'"), 2);
    CHECK_EQ(count_of(one.bytes, "<a href='#image"), 2);
    CHECK(strstr(one.bytes, "<b>9</b> hits") != NULL && strstr(one.bytes, "<b>3</b> missed") != NULL);
    CHECK(strstr(one.bytes, "<b>2</b> false alarms") != NULL && strstr(one.bytes, "F1 <b>0.78</b>") != NULL);
    CHECK(strstr(one.bytes, "most 5 pixels off") != NULL);
    CHECK(strstr(one.bytes, "\"rows\":24,\"columns\":24,\"cell\":4,\"marks\":[[") != NULL);
    CHECK(strstr(one.bytes, "<td>3 to 5</td>") != NULL);
    CHECK(strstr(one.bytes, "Recording(") == NULL); /* the script of sounds */
    lc_text_free(&one);
    lc_text_free(&two);
}

/* What is not known has no column; of one class the list has the interval. */
static void columns_of_what_is_known(void)
{
    fill(&made);
    lc_text all = page_text(&made.page);
    CHECK_EQ(count_of(all.bytes, ">True</th>"), 3);
    CHECK_EQ(count_of(all.bytes, ">90 % interval</th>"), 2);
    lc_text_free(&all);
    lc_page_number unknown = {3.4, 3, 5, loco_label_unknown()};
    made.images[0].numbers = made.images[1].numbers = &unknown;
    made.images[0].points_len = 0;
    made.page.classes_len = 1;
    lc_text one = page_text(&made.page);
    CHECK_EQ(count_of(one.bytes, ">True</th>"), 0);
    CHECK_EQ(count_of(one.bytes, ">90 % interval</th>"), 3);
    CHECK(strstr(one.bytes, "Missed") == NULL && strstr(one.bytes, "class='plain of'") == NULL);
    lc_text_free(&one);
}

static void names_stay_names(void)
{
    static const char evil[] = "</title></script><script>alert(1)</script>'\" onload='x' &amp; \xff\xc0\xbc";
    const char *const evils[] = {evil, evil, evil};
    fill(&made);
    lc_text plain = page_text(&made.page);
    made.page.title = made.images[0].name = made.images[1].name = evil;
    made.page.classes = evils;
    lc_text wild = page_text(&made.page);
    CHECK(elements_of(wild.bytes) > 200);
    CHECK(strstr(wild.bytes, "alert(1)</script>") == NULL && strstr(wild.bytes, "onload='x'") == NULL);
    CHECK_EQ(count_of(wild.bytes, "<script"), count_of(plain.bytes, "<script"));
    CHECK_EQ(count_of(wild.bytes, "</script"), count_of(plain.bytes, "</script"));
    lc_text_free(&plain);
    lc_text_free(&wild);
}

/* A map of 2000 x 1500 places is shown as one of 500 x 375, and its one probable place is in it. */
static void large_maps_are_joined(void)
{
    enum { ROWS = 1500, COLUMNS = 2000 };
    float *logits = malloc(sizeof *logits * ROWS * COLUMNS);
    if (logits == NULL)
        exit(1);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        logits[i] = -30;
    logits[777 * COLUMNS + 1001] = 20;
    fill(&made);
    made.images[0].logits = logits;
    made.images[0].rows = ROWS;
    made.images[0].columns = COLUMNS;
    made.images[0].points_len = 0;
    made.page.classes_len = made.page.images_len = 1;
    lc_text out = page_text(&made.page);
    CHECK(strstr(out.bytes, "\"rows\":375,\"columns\":500,\"cell\":16,") != NULL);
    size_t length = out.length;
    CHECK(length < 200000);
    lc_text_free(&out);
    logits[777 * COLUMNS + 1001] = -30;
    out = page_text(&made.page);
    CHECK(out.length < length);
    lc_text_free(&out);
    free(logits);
}

static int write_example(const char *path)
{
    lc_text out = {0};
    fill(&made);
    loco_status status = lc_page_write(&out, &made.page, &err);
    if (status == LOCO_OK)
        status = lc_file_save(path, out.bytes, out.length, &err);
    lc_text_free(&out);
    if (status != LOCO_OK)
        fprintf(stderr, "%s\n", err.text);
    return status == LOCO_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    int verdict;
    make_example(&made);
    if (argc > 1) {
        verdict = write_example(argv[1]);
    } else {
        RUN(wrong_arguments);
        RUN(well_formed_and_the_same);
        RUN(columns_of_what_is_known);
        RUN(names_stay_names);
        RUN(large_maps_are_joined);
        verdict = check_done();
    }
    lc_text_free(&made.png);
    return verdict;
}
