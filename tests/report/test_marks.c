/* SPDX-License-Identifier: MIT
 *
 * test_marks.c - events drawn on an image: where, in which colour, how large; files that are saved or refused.
 */
#include "spot_model.h"

#include "report/marks.h"

static loco_err err;

static bool is_colour(const lc_image *picture, size_t x, size_t y, uint32_t colour)
{
    const unsigned char *p = picture->values + 3 * (y * picture->width + x);
    return ((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) == colour;
}

/* A circle of radius 6 and a cross around the centre of the event, and nothing else. */
static void a_circle_and_a_cross(void)
{
    lc_image picture = {40, 60, 3, 1, case_array(40 * 60 * 3, 1)};
    memset(picture.values, 200, 40 * 60 * 3);
    const loco_event event = {.time = 20, .kind = 1, .probability = 1, .x = 30};
    lc_marks_draw(&picture, &event, 1, 1, 6);
    uint32_t colour = lc_mark_colour(1);
    CHECK(is_colour(&picture, 36, 20, colour) && is_colour(&picture, 24, 20, colour));
    CHECK(is_colour(&picture, 30, 26, colour) && is_colour(&picture, 30, 14, colour));
    CHECK(is_colour(&picture, 30, 20, colour) && is_colour(&picture, 32, 20, colour));
    CHECK(is_colour(&picture, 33, 23, 0xc8c8c8)); /* between cross and circle */
    for (size_t y = 0; y < 40; y++)
        for (size_t x = 0; x < 60; x++)
            CHECK(hypot((double)x - 30, (double)y - 20) < 9 || is_colour(&picture, x, y, 0xc8c8c8));
    lc_image_free(&picture);
}

/* In a picture twice as large, pixel 3 is 6 and 7: the mark is the same on both sides of 6.5. What lies outside is cut. */
static void factors_and_edges(void)
{
    lc_image picture = {14, 14, 3, 1, case_array(14 * 14 * 3, 1)};
    const loco_event events[] = {
        {.time = 3,   .kind = 0, .x = 3  },
        {.time = -40, .kind = 0, .x = 900}
    };
    size_t drawn = 0;
    lc_marks_draw(&picture, events, 2, 2, 4);
    for (size_t y = 0; y < 14; y++)
        for (size_t x = 0; x < 14; x++) {
            const unsigned char *one = picture.values + 3 * (y * 14 + x), *two = picture.values + 3 * (y * 14 + 13 - x),
                                *three = picture.values + 3 * ((13 - y) * 14 + x);
            CHECK(memcmp(one, two, 3) == 0 && memcmp(one, three, 3) == 0);
            drawn += one[2] > 128;
        }
    CHECK(drawn > 20);
    lc_marks_draw(&picture, &(loco_event){.time = 6, .x = 6}, 1, 2, 4); /* half of it is behind the edge */
    lc_image_free(&picture);
}

static void circles_stay_apart(void)
{
    loco_event events[9];
    for (size_t i = 0; i < 9; i++)
        events[i] = (loco_event){.time = 10 * (double)(i / 3), .x = 10 * (double)(i % 3)};
    CHECK_NEAR(lc_marks_radius(events, 9, 600, 900), 4, 1e-9);
    CHECK_NEAR(lc_marks_radius(events, 1, 600, 900), 20, 1e-9);
    CHECK_NEAR(lc_marks_radius(NULL, 0, 30, 30), 2, 1e-9);
    CHECK_EQ(lc_mark_colour(LC_MARK_COLOURS + 3), lc_mark_colour(3));
}

/* A small image is saved larger: 20 x 30 becomes 260 x 390, 13 times as large. */
static void files(void)
{
    static const spot spots[] = {
        {1, 2, 0}
    };
    const loco_event event = {.time = 5.5, .kind = 0, .probability = 1, .x = 9.5};
    spot_image("a.png", 20, 30, spots, 1);
    char *from = strdup(run_path("a.png"));
    CHECK_STATUS(loco_marks_save(run_path("marked.png"), from, &event, 1, &err), LOCO_OK);
    lc_image picture = {0};
    CHECK_STATUS(lc_image_load(&picture, run_path("marked.png"), &err), LOCO_OK);
    CHECK(picture.height == 260 && picture.width == 390 && picture.channels == 3);
    CHECK(picture.values != NULL && is_colour(&picture, 130, 78, lc_mark_colour(0)));
    CHECK(picture.values != NULL && is_colour(&picture, 380, 250, 0x666666));
    lc_image_free(&picture);
    CHECK_STATUS(loco_marks_save(run_path("x.png"), NULL, &event, 1, &err), LOCO_EARG);
    CHECK_STATUS(loco_marks_save(run_path("x.png"), from, NULL, 1, &err), LOCO_EARG);
    CHECK_STATUS(loco_marks_save(run_path("x.png"), from, &(loco_event){.x = NAN}, 1, &err), LOCO_EDATA);
    CHECK_STATUS(loco_marks_save(run_path("x.png"), "/no.png", &event, 1, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "/no.png");
    CHECK(access(run_path("x.png"), F_OK) != 0);
    free(from);
}

int main(void)
{
    run_begin();
    RUN(a_circle_and_a_cross);
    RUN(factors_and_edges);
    RUN(circles_stay_apart);
    RUN(files);
    return run_done();
}
