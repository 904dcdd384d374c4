/* SPDX-License-Identifier: MIT
 * test_heat.c - shades: neighbours become one box, values that are not positive have none. */
#include "cases.h"

#include "report/heat.h"

static size_t boxes(const char *text)
{
    size_t n = 0;
    for (; *text != 0; text++)
        n += *text == 'M';
    return n;
}

static void neighbours_are_one_box(void)
{
    /* three columns of two rows: row 0 is 1 1 0.5, row 1 is nothing */
    double values[] = {1, 0, 1, -3, 0.5, NAN};
    lc_heat heat = {10, 20, 30, 40, 3, 2, values, 4, false};
    lc_text out = {0};
    lc_heat_draw(&out, &heat);
    CHECK_EQ(boxes(out.bytes), 2);
    CHECK_SAYS(out.bytes, "d='M10 40H30V60H10z' fill='#0d2b4e'");
    CHECK_SAYS(out.bytes, "d='M30 40H40V60H30z' fill='#5b94c6'");
    lc_text_free(&out);
    heat.root = true; /* the root of a half is nearest to the third of four shades */
    lc_heat_draw(&out, &heat);
    CHECK_EQ(boxes(out.bytes), 2);
    CHECK(strstr(out.bytes, "#5b94c6") == NULL);
    lc_text_free(&out);
}

int main(void)
{
    RUN(neighbours_are_one_box);
    return check_done();
}
