/* SPDX-License-Identifier: MIT
 * test_view.c - images in mirrors. */
#include "check.h"

#include "image/view.h"

/* 2 rows of 3 pixels, and what is seen of them. */
static unsigned char values[] = {10, 20, 30, 40, 50, 60};
static const lc_image image = {2, 3, 1, 1, values};

static void check_rows(unsigned turn, size_t height, size_t width, const int *wanted)
{
    lc_view view = lc_view_of(&image, turn);
    float row[3];
    CHECK_EQ(view.height, height);
    CHECK_EQ(view.width, width);
    for (size_t y = 0; y < height; y++) {
        lc_view_row(&view, y, 0, width, 1, row);
        for (size_t x = 0; x < width; x++)
            CHECK_NEAR(255 * row[x], wanted[y * width + x], 1e-4);
    }
}

static void all_sides_are_seen(void)
{
    check_rows(0, 2, 3, (int[]){10, 20, 30, 40, 50, 60});
    check_rows(LC_TURN_ACROSS, 2, 3, (int[]){30, 20, 10, 60, 50, 40});
    check_rows(LC_TURN_OVER, 2, 3, (int[]){40, 50, 60, 10, 20, 30});
    check_rows(LC_TURN_DIAGONAL, 3, 2, (int[]){10, 40, 20, 50, 30, 60});
    check_rows(LC_TURN_DIAGONAL | LC_TURN_ACROSS, 3, 2, (int[]){40, 10, 50, 20, 60, 30});
    check_rows(LC_TURNS - 1, 3, 2, (int[]){60, 30, 50, 20, 40, 10});
}

/* Behind the edge are the pixels of the edge, on the side where they are seen. */
static void edges_are_repeated(void)
{
    static const struct {
        unsigned turn;
        float first, last;
    } cases[] = {
        {0,                                 10, 30},
        {LC_TURN_ACROSS,                    30, 10},
        {LC_TURN_DIAGONAL,                  10, 40},
        {LC_TURN_DIAGONAL | LC_TURN_ACROSS, 40, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_view view = lc_view_of(&image, cases[i].turn);
        float row[7];
        lc_view_row(&view, 0, -2, 7, 1, row);
        CHECK_NEAR(255 * row[0], cases[i].first, 1e-4);
        CHECK_NEAR(255 * row[1], cases[i].first, 1e-4);
        CHECK_NEAR(255 * row[6], cases[i].last, 1e-4);
    }
}

int main(void)
{
    RUN(all_sides_are_seen);
    RUN(edges_are_repeated);
    return check_done();
}
