/* SPDX-License-Identifier: MIT
 *
 * heat.c - a matrix as shades.
 *
 * One path for each shade instead of one element for each box, and neighbours of equal shade in a row are one box: the
 * file stays small and viewers fast. crispEdges, since smoothed edges would show as seams between the boxes. Lightness
 * falls all the way, so that the order of shades survives grey print.
 */
#include "report/heat.h"

#include "report/svg.h"

#include <math.h>

static int level_of(const lc_heat *h, size_t column, size_t row)
{
    double value = h->values[column * h->rows + row];
    value = value > 0 ? fmin(1, value) : 0;
    return (int)lround((h->root ? sqrt(value) : value) * h->levels);
}

/* Linear between three stops; ends the path that lc_svg_path_open began. */
static void end_path(lc_text *out, double shade)
{
    static const double stops[3][3] = {
        {244, 247, 250},
        {91,  148, 198},
        {13,  43,  78 }
    };
    int first = shade < 0.5 ? 0 : 1;
    unsigned rgb[3];
    for (int i = 0; i < 3; i++)
        rgb[i] = (unsigned)lround(stops[first][i] + (2 * shade - first) * (stops[first + 1][i] - stops[first][i]));
    lc_text_format(out, "' fill='#%02x%02x%02x'/>\n", rgb[0], rgb[1], rgb[2]);
}

/* Adds the boxes of one level in one row to the open path; how many. */
static size_t row_boxes(lc_text *out, const lc_heat *h, size_t row, int level)
{
    double wide = h->width / (double)h->columns, high = h->height / (double)h->rows;
    double top = h->y + h->height - high * (double)(row + 1);
    size_t boxes = 0;
    for (size_t c = 0; c < h->columns; c++) {
        size_t from = c;
        while (c < h->columns && level_of(h, c, row) == level)
            c++;
        if (c == from)
            continue;
        lc_svg_path_box(out, h->x + wide * (double)from, top, wide * (double)(c - from), high);
        boxes++;
    }
    return boxes;
}

void lc_heat_draw(lc_text *out, const lc_heat *h)
{
    lc_svg_rect(out, h->x, h->y, h->width, h->height, "fill='#f4f7fa'");
    lc_svg_group_open(out, "shape-rendering='crispEdges'");
    for (int level = 1; level <= h->levels; level++) {
        size_t start = out->length, boxes = 0;
        lc_svg_path_open(out);
        for (size_t row = 0; row < h->rows; row++)
            boxes += row_boxes(out, h, row, level);
        if (boxes > 0)
            end_path(out, (double)level / h->levels);
        else if (!out->failed)
            out->length = start; /* nothing has this shade */
    }
    lc_svg_group_close(out);
}
