/* SPDX-License-Identifier: MIT
 *
 * page_image.c - images in the report.
 *
 *     list of images: name, counts, mistakes; each leads to
 *     name                                    12 hits  1 missed  2 false alarms
 *     ( ) probability map  of [all classes]            enlarge
 *     the image with marks, drawn by the script        class, found, true, expected, interval
 *     legend
 *     > all events as a table
 *
 * Numbers for the script:
 *     {"width": 256, "height": 256, "cell": 4, "rows": 64, "columns": 64,
 *      "marks": [[x, y, class, probability, verdict, pixels off], ...]}
 *
 * The map is a grey PNG, the maps of all classes below each other, a pixel a place, 255 sqrt(p): what is improbable but
 * not impossible is still seen. Of large images several places are one, by the largest value, so that no peak is lost;
 * rows, columns and cell are those after that.
 */
#include "report/page_image.h"

#include "base/mem.h"
#include "base/show.h"
#include "base/status.h"
#include "image/image.h"
#include "report/marks.h"
#include "report/page_data.h"
#include "report/page_parts.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LISTED = 1000, VERDICTS = 4, MAP_SIDE = 600, MAP_PLACES = 1 << 20, MOST_PIXELS = 1 << 24 };

static const char *const verdict_names[VERDICTS] = {"found", "hit", "missed", "false alarm"};

/* ---- checks ---------------------------------------------------------------------------------------------- */

static loco_status check_points(const lc_page_image *image, size_t K, loco_err *err)
{
    lc_shown name = lc_show(image->name);
    if (image->points == NULL && image->points_len > 0)
        return lc_err_set(err, LOCO_EARG, "%s: points is NULL", name.text);
    for (size_t i = 0; i < image->points_len; i++) {
        const lc_page_point *p = &image->points[i];
        if (!(fabs(p->x) < MOST_PIXELS && fabs(p->y) < MOST_PIXELS && p->off >= 0 && p->off < MOST_PIXELS))
            return lc_err_set(err, LOCO_EDATA, "%s: point %zu is at %g, %g, %g pixels off", name.text, i, p->x, p->y,
                              p->off);
        if (p->kind >= K || (unsigned)p->verdict >= VERDICTS)
            return lc_err_set(err, LOCO_EDATA, "%s: point %zu is of class %zu and verdict %d; there are %zu and %d",
                              name.text, i, p->kind, (int)p->verdict, K, VERDICTS);
        if (!(p->probability >= 0 && p->probability <= 1))
            return lc_err_set(err, LOCO_EDATA, "%s: point %zu has probability %g", name.text, i, p->probability);
    }
    return LOCO_OK;
}

static loco_status check_logits(const lc_page_image *image, size_t K, loco_err *err)
{
    lc_shown name = lc_show(image->name);
    size_t n;
    if (image->logits == NULL || image->rows == 0 || image->columns == 0 || !(image->cell > 0) ||
        !lc_size_mul(image->rows, image->columns, &n) || !lc_size_mul(n, K, &n))
        return lc_err_set(err, LOCO_EARG, "%s: %zu x %zu places, %g pixels apart, cannot be shown", name.text,
                          image->columns, image->rows, image->cell);
    for (size_t i = 0; i < n; i++)
        if (isnan(image->logits[i]))
            return lc_err_set(err, LOCO_EDATA, "%s: value %zu of the logits is not a number", name.text, i);
    return LOCO_OK;
}

static loco_status check_image(const lc_page_image *image, size_t K, loco_err *err)
{
    if (image->name == NULL || image->png == NULL || image->numbers == NULL)
        return lc_err_set(err, LOCO_EARG, "an image of the report has no name, no picture or no counts");
    if (image->width == 0 || image->height == 0 || image->width > MOST_PIXELS || image->height > MOST_PIXELS)
        return lc_err_set(err, LOCO_EARG, "%s: %zu x %zu pixels cannot be shown", lc_show(image->name).text,
                          image->width, image->height);
    loco_status status = check_points(image, K, err);
    return status == LOCO_OK ? check_logits(image, K, err) : status;
}

loco_status lc_page_images_check(const lc_page *page, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (page->images_len > LC_PAGE_MOST_RECORDINGS || (page->images == NULL && page->images_len > 0))
        return lc_err_set(err, LOCO_EARG, "%zu images; a report shows at most %d", page->images_len,
                          LC_PAGE_MOST_RECORDINGS);
    if (page->images_len > 0 && page->recordings_len > 0)
        return lc_err_set(err, LOCO_EARG, "a report shows images or recordings, not both");
    for (size_t i = 0; status == LOCO_OK && i < page->images_len; i++)
        status = check_image(&page->images[i], page->classes_len, err);
    return status;
}

/* ---- counts ---------------------------------------------------------------------------------------------- */

/* Points of one class, or of all when kind is SIZE_MAX. */
typedef struct image_tally {
    size_t of[VERDICTS], found;
    bool compared;
} image_tally;

static image_tally tally_of(const lc_page_image *image, size_t kind)
{
    image_tally t = {.found = 0};
    for (size_t i = 0; i < image->points_len; i++)
        if (kind == SIZE_MAX || image->points[i].kind == kind)
            t.of[image->points[i].verdict]++;
    t.found = t.of[LC_PAGE_FOUND] + t.of[LC_PAGE_HIT] + t.of[LC_PAGE_FALSE_ALARM];
    t.compared = t.of[LC_PAGE_HIT] + t.of[LC_PAGE_MISS] + t.of[LC_PAGE_FALSE_ALARM] > 0;
    return t;
}

/* The known count of all classes together; unknown where one is not exact. */
static loco_label known_of(const lc_page *page, const lc_page_image *image)
{
    size_t sum = 0;
    for (size_t k = 0; k < page->classes_len; k++) {
        loco_label known = image->numbers[k].known;
        if (known.lo != known.hi)
            return loco_label_unknown();
        sum += known.lo;
    }
    return loco_label_exact(sum);
}

static double expected_of(const lc_page *page, const lc_page_image *image)
{
    double sum = 0;
    for (size_t k = 0; k < page->classes_len; k++)
        sum += image->numbers[k].expected;
    return sum;
}

static bool says(loco_label known)
{
    return known.lo > 0 || known.hi != LOCO_NO_LIMIT;
}

/* Whether anything is known about the counts of n images: there is a column for it. */
static bool any_known(const lc_page *page, const lc_page_image *images, size_t n)
{
    for (size_t i = 0; i < n * page->classes_len; i++)
        if (says(images[i / page->classes_len].numbers[i % page->classes_len].known))
            return true;
    return false;
}

/* <td>3</td>, empty where nothing is known. */
static void write_known(lc_text *out, loco_label known)
{
    char text[64] = "";
    if (says(known))
        loco_label_format(text, sizeof text, known);
    lc_text_string(out, "<td>");
    lc_page_escape(out, text);
    lc_text_string(out, "</td>");
}

static void write_expected(lc_text *out, double expected)
{
    lc_text_string(out, "<td>");
    lc_text_fixed(out, expected, 1);
    lc_text_string(out, "</td>");
}

static void write_interval(lc_text *out, const lc_page_number *number)
{
    if (number->low == number->high)
        lc_text_format(out, "<td>%zu</td>", number->low);
    else
        lc_text_format(out, "<td>%zu to %zu</td>", number->low, number->high);
}

static void write_swatch(lc_text *out, size_t kind)
{
    lc_text_format(out, "<i class='swatch' style='background:#%06x'></i>", (unsigned)lc_mark_colour(kind));
}

static void write_number(lc_text *out, const lc_page *page, const lc_page_image *image, size_t kind, size_t found)
{
    const lc_page_number *number = &image->numbers[kind];
    lc_text_string(out, "<tr><th scope='row'>");
    if (page->classes_len > 1 && !tally_of(image, SIZE_MAX).compared)
        write_swatch(out, kind);
    lc_page_escape(out, page->classes[kind]);
    lc_text_format(out, "</th><td>%zu</td>", found);
    if (any_known(page, image, 1))
        write_known(out, number->known);
    write_expected(out, number->expected);
    write_interval(out, number);
    lc_text_string(out, "</tr>\n");
}

static void write_sum(lc_text *out, const lc_page *page, const lc_page_image *image)
{
    lc_text_format(out, "<tr><th scope='row'>all</th><td>%zu</td>", tally_of(image, SIZE_MAX).found);
    if (any_known(page, image, 1))
        write_known(out, known_of(page, image));
    write_expected(out, expected_of(page, image));
    lc_text_string(out, "<td></td></tr>\n");
}

/* Classes of which there is something, or might be; then all together. */
static void write_numbers(lc_text *out, const lc_page *page, const lc_page_image *image)
{
    lc_text_string(out,
                   "<div class='scroll numbers' tabindex='0' role='region' aria-label='Counts'><table>\n<thead><tr>"
                   "<th scope='col'>Class</th><th scope='col'>Found</th>");
    lc_text_string(out, any_known(page, image, 1) ? "<th scope='col'>True</th>" : "");
    lc_text_string(out, "<th scope='col'>Expected</th><th scope='col'>90 % interval</th></tr></thead>\n<tbody>\n");
    for (size_t k = 0; k < page->classes_len; k++) {
        size_t found = tally_of(image, k).found;
        const lc_page_number *number = &image->numbers[k];
        if (page->classes_len == 1 || found > 0 || number->known.lo > 0 || number->high > 0 || number->expected >= 0.05)
            write_number(out, page, image, k, found);
    }
    if (page->classes_len > 1)
        write_sum(out, page, image);
    lc_text_string(out, "</tbody></table></div>\n");
}

/* ---- the list -------------------------------------------------------------------------------------------- */

static bool any_compared(const lc_page *page)
{
    for (size_t i = 0; i < page->images_len; i++)
        if (tally_of(&page->images[i], SIZE_MAX).compared)
            return true;
    return false;
}

/* Which columns the list has. */
typedef struct list_columns {
    bool known, compared;
} list_columns;

static void write_line(lc_text *out, const lc_page *page, size_t place, list_columns columns)
{
    const lc_page_image *image = &page->images[place];
    image_tally t = tally_of(image, SIZE_MAX);
    lc_text_format(out, "<tr><th scope='row'><a href='#image%zu'>", place);
    lc_page_escape(out, image->name);
    lc_text_format(out, "</a></th><td>%zu</td>", t.found);
    if (columns.known)
        write_known(out, known_of(page, image));
    if (page->classes_len > 1)
        write_expected(out, expected_of(page, image));
    else
        write_interval(out, &image->numbers[0]);
    if (columns.compared)
        lc_text_format(out, "<td>%zu</td><td>%zu</td>", t.of[LC_PAGE_MISS], t.of[LC_PAGE_FALSE_ALARM]);
    lc_text_string(out, "</tr>\n");
}

static void write_list(lc_text *out, const lc_page *page)
{
    list_columns columns = {any_known(page, page->images, page->images_len), any_compared(page)};
    lc_text_string(out, "<nav class='panel scroll index' tabindex='0' aria-label='Images'><table>\n<thead><tr><th "
                        "scope='col'>Image</th><th scope='col'>Found</th>");
    lc_text_string(out, columns.known ? "<th scope='col'>True</th>" : "");
    lc_text_format(out, "<th scope='col'>%s</th>", page->classes_len > 1 ? "Expected" : "90 % interval");
    lc_text_string(out, columns.compared ? "<th scope='col'>Missed</th><th scope='col'>False</th>" : "");
    lc_text_string(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < page->images_len; i++)
        write_line(out, page, i, columns);
    lc_text_string(out, "</tbody></table></nav>\n");
}

static void write_guide(lc_text *out, const lc_page *page)
{
    lc_text_string(out, "<details class='guide'><summary>How to read the images</summary>\n<ul>\n");
    if (any_compared(page)) {
        lc_text_string(out, "<li><b>Marks.</b> A circle is an event that was found and is in the reference: a hit, at "
                            "most ");
        lc_text_number(out, page->images[0].radius, 1);
        lc_text_string(out, " pixels off. A square is one that was missed. A cross was found, but is not in the "
                            "reference.</li>\n");
    } else {
        lc_text_string(out,
                       "<li><b>Marks.</b> A circle is an event that was found, in the colour of its class.</li>\n");
    }
    lc_text_string(
        out,
        "<li><b>Probability map.</b> Switched on, it shows where the model expects events: the brighter a "
        "place, the more probable is an event there.</li>\n"
        "<li><b>Counts.</b> Found are the marks; expected is the count by all probabilities, as of loco count; the "
        "interval is where the true count lies nine times of ten: as measured if the model is calibrated, or "
        "else as the model claims.</li>\n"
        "<li>Point at a mark, or tap it, to see its class and probability. Click or tap an image to "
        "enlarge it.</li>\n</ul></details>\n");
}

/* ---- one image ------------------------------------------------------------------------------------------- */

static void write_chip(lc_text *out, const char *style, size_t count, const char *one, const char *many)
{
    lc_text_format(out, "<li class='%s'><b>%zu</b> %s</li>", style, count, count == 1 ? one : many);
}

static void write_chips(lc_text *out, const image_tally *t)
{
    lc_text_string(out, "<ul class='chips'>");
    if (t->compared) {
        double f1 = 2 * (double)t->of[LC_PAGE_HIT] /
                    (double)(2 * t->of[LC_PAGE_HIT] + t->of[LC_PAGE_MISS] + t->of[LC_PAGE_FALSE_ALARM]);
        write_chip(out, "hit", t->of[LC_PAGE_HIT], "hit", "hits");
        write_chip(out, "miss", t->of[LC_PAGE_MISS], "missed", "missed");
        write_chip(out, "false", t->of[LC_PAGE_FALSE_ALARM], "false alarm", "false alarms");
        lc_text_string(out, "<li>F1 <b>");
        lc_text_fixed(out, f1, 2);
        lc_text_string(out, "</b></li>");
    } else {
        write_chip(out, "found", t->found, "event found", "events found");
    }
    lc_text_string(out, "</ul>");
}

static void write_bar(lc_text *out, const lc_page *page)
{
    lc_text_string(out,
                   "<div class='bar'><label class='switch'><input type='checkbox' role='switch' class='heat'><span "
                   "class='knob' aria-hidden='true'></span>Probability map</label>");
    if (page->classes_len > 1) {
        lc_text_string(out, "<select class='plain of' aria-label='Class of the map'><option value='-1'>all classes"
                            "</option>");
        for (size_t k = 0; k < page->classes_len; k++) {
            lc_text_format(out, "<option value='%zu'>", k);
            lc_page_escape(out, page->classes[k]);
            lc_text_string(out, "</option>");
        }
        lc_text_string(out, "</select>");
    }
    lc_text_string(out, "<button type='button' class='plain enlarge'>Enlarge</button></div>\n");
}

static void write_stage(lc_text *out, const lc_page_image *image)
{
    lc_text_string(out, "<div class='stage'><img class='shown' alt='");
    lc_page_escape(out, image->name);
    lc_text_format(out, "' width='%zu' height='%zu' src='data:image/png;base64,", image->width, image->height);
    lc_base64_append(out, image->png, image->png_len);
    lc_text_string(out, "'><canvas tabindex='0' role='button' aria-label='Enlarge ");
    lc_page_escape(out, image->name);
    lc_text_string(out, "'></canvas><div class='tip' aria-hidden='true' hidden></div></div>\n");
}

static void write_key(lc_text *out, const char *style, const char *shape, const char *words)
{
    lc_text_format(out,
                   "<li><svg viewBox='0 0 16 16' width='16' height='16' class='%s' aria-hidden='true'>%s</svg>%s</li>",
                   style, shape, words);
}

static void write_legend(lc_text *out, const image_tally *t)
{
    lc_text_string(out, "<ul class='legend'>");
    if (t->compared) {
        write_key(out, "on-hit", "<circle cx='8' cy='8' r='5'/>", "hit");
        write_key(out, "on-miss", "<path d='M3 3h10v10H3z'/>", "missed");
        write_key(out, "on-false", "<path d='M3.5 3.5l9 9M12.5 3.5l-9 9'/>", "false alarm");
    } else {
        write_key(out, "on-found", "<circle cx='8' cy='8' r='5'/>", "found");
    }
    lc_text_string(out, "<li class='ramp'><i aria-hidden='true'></i>probability, 0 to 1</li></ul>\n");
}

/* ---- the map --------------------------------------------------------------------------------------------- */

typedef struct image_map {
    size_t rows, columns, join; /* join x join places are one */
} image_map;

static image_map plan_map(const lc_page_image *image, size_t K)
{
    image_map map = {.join = 0};
    do {
        map.join++;
        map.rows = (image->rows + map.join - 1) / map.join;
        map.columns = (image->columns + map.join - 1) / map.join;
    } while (map.rows > MAP_SIDE || map.columns > MAP_SIDE || map.rows * map.columns * K > MAP_PLACES ||
             (map.rows * K > LC_IMAGE_MOST && map.rows > 1));
    return map;
}

static unsigned char level(float logit)
{
    return (unsigned char)lround(255 * sqrt(1 / (1 + exp(-(double)logit))));
}

/* The maps of all classes below each other. */
static loco_status write_map(lc_text *out, const lc_page_image *image, const image_map *map, size_t K, loco_err *err)
{
    lc_image picture = {.height = map->rows * K, .width = map->columns, .channels = 1, .bytes = 1};
    lc_text png = {0};
    picture.values = calloc(picture.height + 1, picture.width + 1);
    if (picture.values == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the map of an image");
    for (size_t row = 0; row < image->rows; row++)
        for (size_t column = 0; column < image->columns; column++)
            for (size_t k = 0; k < K; k++) {
                unsigned char value = level(image->logits[(row * image->columns + column) * K + k]);
                unsigned char *to =
                    &picture.values[(k * map->rows + row / map->join) * map->columns + column / map->join];
                *to = *to < value ? value : *to;
            }
    loco_status status = lc_image_format(&png, &picture, err);
    if (status == LOCO_OK) {
        lc_text_string(out, "<img class='map' alt='' hidden src='data:image/png;base64,");
        lc_base64_append(out, png.bytes, png.length);
        lc_text_string(out, "'>\n");
    }
    lc_text_free(&png);
    lc_image_free(&picture);
    return status;
}

/* ---- marks ----------------------------------------------------------------------------------------------- */

static void write_point(lc_text *out, const lc_page_point *p)
{
    lc_text_string(out, "[");
    lc_text_number(out, p->x, 2);
    lc_text_string(out, ",");
    lc_text_number(out, p->y, 2);
    lc_text_format(out, ",%zu,", p->kind);
    lc_text_number(out, p->probability, 3);
    lc_text_format(out, ",%d,", (int)p->verdict);
    lc_text_number(out, p->off, 2);
    lc_text_string(out, "]");
}

static void write_data(lc_text *out, const lc_page_image *image, const image_map *map)
{
    lc_text_format(out,
                   "<script type='application/json'>{\"width\":%zu,\"height\":%zu,\"rows\":%zu,\"columns\":%zu,"
                   "\"cell\":",
                   image->width, image->height, map->rows, map->columns);
    lc_text_number(out, (double)map->join * image->cell, 3);
    lc_text_string(out, ",\"marks\":[");
    for (size_t i = 0; i < image->points_len; i++) {
        lc_text_string(out, i > 0 ? "," : "");
        write_point(out, &image->points[i]);
    }
    lc_text_string(out, "]}</script>\n");
}

static void write_event(lc_text *out, const lc_page *page, const lc_page_point *p)
{
    lc_text_string(out, "<tr><th scope='row'>");
    lc_text_fixed(out, p->x, 1);
    lc_text_string(out, "</th><td>");
    lc_text_fixed(out, p->y, 1);
    lc_text_string(out, "</td><td>");
    lc_page_escape(out, page->classes[p->kind]);
    lc_text_format(out, "</td><td>%s</td><td>", verdict_names[p->verdict]);
    if (p->verdict != LC_PAGE_MISS)
        lc_text_fixed(out, p->probability, 2);
    lc_text_string(out, "</td><td>");
    if (p->verdict == LC_PAGE_HIT)
        lc_text_fixed(out, p->off, 1);
    lc_text_string(out, "</td></tr>\n");
}

static void write_events(lc_text *out, const lc_page *page, const lc_page_image *image)
{
    lc_text_string(out, "<details><summary>Events as a table</summary><div class='scroll events places' tabindex='0' "
                        "role='region' aria-label='Events'><table>\n<thead><tr><th scope='col'>x</th><th scope='col'>y"
                        "</th><th scope='col'>Class</th><th scope='col'>Verdict</th><th scope='col'>Probability</th>"
                        "<th scope='col'>Off by (pixels)</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < image->points_len && i < MOST_LISTED; i++)
        write_event(out, page, &image->points[i]);
    lc_text_string(out, "</tbody></table></div></details>\n");
}

/* Pixels of the screen: a small image is shown seven times as large, a large one fills the page, a high one a screen. */
static double fit_width(const lc_page_image *image)
{
    double width = (double)image->width;
    return fmin(640, fmax(120, fmin(7 * width, 640 * width / (double)image->height)));
}

static loco_status write_image(lc_text *out, const lc_page *page, size_t place, loco_err *err)
{
    const lc_page_image *image = &page->images[place];
    image_tally t = tally_of(image, SIZE_MAX);
    image_map map = plan_map(image, page->classes_len);
    lc_text_format(
        out,
        "<article class='panel picture' id='image%zu' aria-labelledby='name%zu'>\n<div class='title'><div><h3 "
        "id='name%zu'>",
        place, place, place);
    lc_page_escape(out, image->name);
    lc_text_format(out, "</h3><p class='small'>%zu &#215; %zu pixels</p></div>", image->width, image->height);
    write_chips(out, &t);
    lc_text_string(out, "</div>\n");
    write_bar(out, page);
    lc_text_format(out, "<div class='body' style='--fit:%.0fpx'>\n", fit_width(image));
    write_stage(out, image);
    lc_text_string(out, "<div class='side'>\n");
    write_numbers(out, page, image);
    write_legend(out, &t);
    write_events(out, page, image);
    lc_text_string(out, "</div></div>\n");
    loco_status status = write_map(out, image, &map, page->classes_len, err);
    write_data(out, image, &map);
    lc_text_string(out, "</article>\n");
    return status;
}

/* Names and colours of all classes, for the script. */
static void write_classes(lc_text *out, const lc_page *page)
{
    lc_text_string(out, "<ul class='lanes' id='classes' aria-hidden='true'>");
    for (size_t k = 0; k < page->classes_len; k++) {
        lc_text_format(out, "<li data-colour='#%06x'>", (unsigned)lc_mark_colour(k));
        lc_page_escape(out, page->classes[k]);
        lc_text_string(out, "</li>");
    }
    lc_text_string(out, "</ul>\n");
}

loco_status lc_page_images_write(lc_text *out, const lc_page *page, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (page->images_len == 0)
        return LOCO_OK;
    lc_text_string(out, "<section aria-labelledby='images'>\n<h2 id='images'>Images</h2>\n");
    write_guide(out, page);
    lc_text_string(out, "<noscript><p class='more'>The marks need JavaScript; images, words and tables do not.</p>"
                        "</noscript>\n");
    if (page->images_len > 1)
        write_list(out, page);
    write_classes(out, page);
    for (size_t i = 0; status == LOCO_OK && i < page->images_len; i++)
        status = write_image(out, page, i, err);
    lc_text_string(out, "</section>\n");
    return status;
}
