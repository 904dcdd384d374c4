/* SPDX-License-Identifier: MIT
 *
 * test_plot_count.c - pictures of clips: wrong arguments, well-formed XML whatever the title, size, and what is
 * drawn.
 */
#include "check.h"

#include "base/file.h"
#include "report/count_panels.h"
#include "report/svg.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/loco-picture-XXXXXX";
static char path[64];
static loco_count *count;
static loco_err err;

/* ---- a small checker of XML ------------------------------------------------------------------------------------- */

typedef struct checker {
    const char *at;
    char open[16][16]; /* names of the elements that are open */
    size_t depth, elements;
} checker;

static bool entity_ahead(const char *s)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(s, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

/* Content up to `stop`: no bare &, no <, no control byte. */
static bool skip_content(checker *j, char stop)
{
    for (; *j->at != stop; j->at++)
        if (*j->at == 0 || *j->at == '<' || (*j->at == '&' && !entity_ahead(j->at)) ||
            ((unsigned char)*j->at < 0x20 && *j->at != '\n'))
            return false;
    return true;
}

static bool read_name(checker *j, char name[16])
{
    size_t length = strspn(j->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
    if (length == 0 || length > 15)
        return false;
    memcpy(name, j->at, length);
    name[length] = 0;
    j->at += length;
    return true;
}

/* name='value' ... up to > or />; self: there was a slash. */
static bool read_attributes(checker *j, bool *self)
{
    char name[16];
    for (;;) {
        size_t spaces = strspn(j->at, " \n");
        j->at += spaces;
        *self = *j->at == '/';
        if (*j->at == '/' || *j->at == '>') {
            j->at += *self;
            return *j->at++ == '>';
        }
        if (spaces == 0 || !read_name(j, name) || strncmp(j->at, "='", 2) != 0)
            return false;
        j->at += 2;
        if (!skip_content(j, '\''))
            return false;
        j->at++;
    }
}

static bool read_element(checker *j)
{
    bool closing = *j->at == '/', self;
    char name[16];
    j->at += closing;
    if (!read_name(j, name))
        return false;
    if (closing)
        return j->depth > 0 && strcmp(j->open[--j->depth], name) == 0 && *j->at++ == '>';
    if (!read_attributes(j, &self))
        return false;
    j->elements++;
    if (!self && j->depth < 16)
        memcpy(j->open[j->depth++], name, sizeof name);
    return true;
}

static bool well_formed(const char *text)
{
    checker j = {.at = text};
    const char *head = "<?xml version='1.0' encoding='UTF-8'?>\n";
    if (strncmp(text, head, strlen(head)) != 0)
        return false;
    j.at += strlen(head);
    while (*j.at != 0) {
        if (*j.at != '<' ? !skip_content(&j, '<') : (j.at++, !read_element(&j)))
            return false;
        if (j.depth == 0)
            return j.elements > 0 && strcmp(j.at, "\n") == 0;
    }
    return false;
}

static void wrong_xml_is_refused(void)
{
#define HEAD "<?xml version='1.0' encoding='UTF-8'?>\n"
    CHECK(well_formed(HEAD "<svg a='1'><g>x &amp; y</g><path d='M0 0'/></svg>\n"));
    CHECK(!well_formed(HEAD "<svg><g></svg></g>\n"));
    CHECK(!well_formed(HEAD "<svg><g></svg>\n"));
    CHECK(!well_formed(HEAD "<svg>a & b</svg>\n"));
    CHECK(!well_formed(HEAD "<svg a='<'/>\n"));
    CHECK(!well_formed(HEAD "<svg a=1></svg>\n"));
    CHECK(!well_formed(HEAD "<svg>\x01</svg>\n"));
    CHECK(!well_formed(HEAD "<svg>"));
    CHECK(!well_formed("<svg></svg>\n"));
}

/* ---- drawing --------------------------------------------------------------------------------------------------- */

/* Events at every period-th frame, alternately clear and doubtful, over noise that is the same every time. */
static double *make_logits(size_t frames, size_t period)
{
    double *logits = malloc((frames + 1) * sizeof *logits);
    unsigned state = 1;
    for (size_t t = 0; t < frames; t++) {
        state = state * 1664525u + 1013904223u;
        logits[t] = -8 + (double)(state >> 16) / 32768;
        if (t % period == period / 2)
            logits[t] = t / period % 2 == 0 ? 3 : -0.5;
    }
    return logits;
}

/* Draws and loads; the caller frees the text, NULL on failure. */
static char *draw(const double *logits, size_t frames, loco_label label, double rate, const char *title)
{
    char *svg = NULL;
    size_t length = 0;
    CHECK_STATUS(loco_plot_count(path, count, logits, frames, label, rate, title, &err), LOCO_OK);
    CHECK_STATUS(lc_file_load(path, 10000000, &svg, &length, &err), LOCO_OK);
    if (svg == NULL)
        return NULL;
    CHECK(well_formed(svg));
    CHECK(strlen(svg) == length && length > 2000 && length < 200000);
    unlink(path);
    return svg;
}

static bool has(const char *svg, const char *part)
{
    return svg != NULL && strstr(svg, part) != NULL;
}

static void wrong_arguments_are_refused(void)
{
    const double z[3] = {-1, 2, -1}, bad[3] = {-1, NAN, -1};
    loco_label one = loco_label_exact(1);
    CHECK_STATUS(loco_plot_count(path, NULL, z, 3, one, 0, "t", &err), LOCO_EARG);
    CHECK_STATUS(loco_plot_count(path, count, NULL, 3, one, 0, "t", &err), LOCO_EARG);
    CHECK_STATUS(loco_plot_count(path, count, z, 0, one, 0, "t", &err), LOCO_EARG);
    CHECK_STATUS(loco_plot_count(path, count, z, 1000001, one, 0, "t", &err), LOCO_EARG);
    CHECK(strstr(err.text, "1000000") != NULL);
    CHECK_STATUS(loco_plot_count(path, count, z, 3, one, -1, "t", &err), LOCO_EARG);
    CHECK_STATUS(loco_plot_count(path, count, z, 3, one, NAN, "t", &err), LOCO_EARG);
    CHECK_STATUS(loco_plot_count(path, count, z, 3, one, INFINITY, "t", NULL), LOCO_EARG);
    CHECK_STATUS(loco_plot_count(NULL, count, z, 3, one, 0, "t", &err), LOCO_EARG);
    CHECK_STATUS(loco_plot_count("", count, z, 3, one, 0, "t", &err), LOCO_EARG);
    CHECK_STATUS(loco_plot_count(path, count, bad, 3, one, 0, "t", &err), LOCO_EDATA);
    CHECK_STATUS(loco_plot_count(path, count, z, 3, loco_label_exact(4), 0, "t", &err), LOCO_EDATA);
    CHECK_STATUS(loco_plot_count(path, count, z, 3, loco_label_at_least(SIZE_MAX), 0, "t", &err), LOCO_EDATA);
    CHECK(access(path, F_OK) != 0);
    CHECK_STATUS(loco_plot_count("/no/such/folder/x.svg", count, z, 3, one, 0, "t", &err), LOCO_EIO);
    CHECK(strstr(err.text, "/no/such/folder/x.svg") != NULL);
}

static void any_title_is_well_formed(void)
{
    const double z[3] = {-1, 2, -1};
    loco_label one = loco_label_exact(1);
    char *svg = draw(z, 3, one, 0, "a < b & \"c\" > 'd'");
    CHECK(has(svg, "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;"));
    free(svg);
    svg = draw(z, 3, one, 0, "gr\xc3\xbc\xc3\x9f \xe2\x99\xab \xf0\x9f\xa5\x81"); /* two, three and four bytes */
    CHECK(has(svg, ">gr\xc3\xbc\xc3\x9f \xe2\x99\xab \xf0\x9f\xa5\x81<"));
    free(svg);
    free(draw(z, 3, one, 0, NULL));
    free(draw(z, 3, one, 0, ""));
    char title[2] = {0};
    for (int byte = 1; byte < 256; byte++) {
        title[0] = (char)byte;
        free(draw(z, 3, one, 0, title));
    }
    char wide[5000];
    memset(wide, '<', sizeof wide);
    wide[sizeof wide - 1] = 0;
    svg = draw(z, 3, one, 0, wide);
    CHECK(has(svg, "&lt;\xe2\x80\xa6</text>"));
    free(svg);
}

static void check_escaped(const char *from, const char *to)
{
    lc_text text = {0};
    lc_svg_escape(&text, from, SIZE_MAX);
    CHECK_STR(text.bytes, to);
    lc_text_free(&text);
}

static void long_strings_are_cut(void)
{
    lc_text text = {0};
    lc_svg_escape(&text, "<\xc3\xbc>", 3);
    CHECK_STR(text.bytes, "&lt;\xc3\xbc&gt;");
    lc_svg_escape(&text, "<\xc3\xbc>", 2);
    CHECK_STR(text.bytes, "&lt;\xc3\xbc&gt;&lt;\xc3\xbc\xe2\x80\xa6");
    lc_text_free(&text);
}

static void what_xml_forbids_is_replaced(void)
{
#define MARK "\xef\xbf\xbd"
    check_escaped("\x01\x1f", MARK MARK);
    check_escaped("a\tb\nc\r", "a b c ");
    check_escaped("\x80\xbf", MARK MARK);
    check_escaped("\xc0\xaf", MARK MARK);                                          /* overlong / */
    check_escaped("\xe0\x80\xaf", MARK MARK MARK);                                 /* overlong / */
    check_escaped("\xf0\x80\x80\xaf", MARK MARK MARK MARK);                        /* overlong / */
    check_escaped("\xed\xa0\x80", MARK MARK MARK);                                 /* a surrogate */
    check_escaped("\xef\xbf\xbe", MARK MARK MARK);                                 /* U+FFFE */
    check_escaped("\xf4\x90\x80\x80", MARK MARK MARK MARK);                        /* above U+10FFFF */
    check_escaped("x\xe2\x99", "x" MARK MARK);                                     /* cut off by the end */
    check_escaped("\xc3<", MARK "&lt;");                                           /* cut off by another character */
    check_escaped("\xf4\x8f\xbf\xbd\xed\x9f\xbf", "\xf4\x8f\xbf\xbd\xed\x9f\xbf"); /* U+10FFFD, U+D7FF */
}

static void the_picture_says_what_is_known(void)
{
    double *z = make_logits(400, 50);
    char *svg = draw(z, 400, loco_label_exact(7), 200, "Drums");
    double loss = 0;
    char text[32];
    CHECK_STATUS(loco_count_loss(&loss, NULL, NULL, count, z, 400, loco_label_exact(7), &err), LOCO_OK);
    snprintf(text, sizeof text, ">%.3f<", loss);
    CHECK(has(svg, text));
    CHECK(has(svg, ">Drums<") && has(svg, ">time (s)<") && has(svg, ">0.5<") && has(svg, ">400 frames, 2 s<"));
    free(svg);
    svg = draw(z, 400, loco_label_range(5, 9), 0, "");
    CHECK(has(svg, ">frame<") && has(svg, ">5..9<") && !has(svg, "time (s)"));
    free(svg);
    free(z);
}

/* Every column of the heat map against loco_count_growth, with one and several frames a column and counts a row. */
static void check_heat(size_t frames, size_t columns, size_t k_max, size_t per_row)
{
    size_t rows = k_max / per_row + 1, wide = k_max + 1;
    double *z = make_logits(frames, 4), *p = malloc(frames * sizeof *p), *now = malloc(wide * sizeof *now);
    double *heat = malloc(columns * rows * sizeof *heat), *growth = malloc((frames + 1) * wide * sizeof *growth);
    for (size_t t = 0; t < frames; t++)
        p[t] = 1 / (1 + exp(-z[t]));
    lc_count_scene scene = {
        .frames = frames, .columns = columns, .rows = rows, .per_row = per_row, .k_max = k_max, .p = p, .heat = heat};
    lc_count_scene_fill(&scene, now);
    CHECK_STATUS(loco_count_growth(growth, k_max, z, frames, &err), LOCO_OK);
    for (size_t c = 0; c < columns; c++)
        for (size_t row = 0; row < rows; row++) {
            double want = 0;
            for (size_t k = row * per_row; k < (row + 1) * per_row && k <= k_max; k++)
                want += growth[lc_count_scene_bin(c + 1, columns, frames) * wide + k];
            CHECK_NEAR(heat[c * rows + row], want, 1e-9);
        }
    free(z), free(p), free(now), free(heat), free(growth);
}

static void the_heat_map_is_the_growth(void)
{
    check_heat(1, 1, 3, 1);
    check_heat(30, 30, 9, 1);
    check_heat(30, 30, 4, 1); /* the last count holds all larger ones */
    check_heat(100, 7, 40, 3);
    check_heat(1000, 400, 300, 8);
}

static void certain_frames_are_drawn(void)
{
    double z[6] = {-INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY, -INFINITY};
    char *svg = draw(z, 6, loco_label_exact(2), 0, "certain");
    CHECK(has(svg, ">0.000<") && has(svg, ">1.000<")); /* loss and P(label) */
    free(svg);
    svg = draw(z, 6, loco_label_exact(3), 0, "impossible");
    CHECK(has(svg, "\xe2\x88\x9e"));
    free(svg);
}

static void every_shape_of_clip_is_drawn(void)
{
    static const size_t frames[] = {1, 2, 3, 4, 7, 399, 400, 401, 1235, 1236, 1237, 5000};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        double *z = make_logits(frames[i], 10);
        free(draw(z, frames[i], loco_label_exact(frames[i] / 10), 100, "exact"));
        free(draw(z, frames[i], loco_label_exact(0), 0, "none"));
        free(draw(z, frames[i], loco_label_exact(frames[i]), 0, "all"));
        free(draw(z, frames[i], loco_label_unknown(), 1e-3, "unknown"));
        free(draw(z, frames[i], loco_label_at_most(SIZE_MAX - 1), 1e8, "any"));
        free(z);
    }
}

/* The bound on the file: dense events, where every cell of the heat map differs from its neighbours. */
static void long_clips_stay_small(void)
{
    size_t frames = 40000;
    double *z = make_logits(frames, 3);
    free(draw(z, frames, loco_label_at_least(9000), 200, "dense"));
    free(z);
    z = make_logits(20000, 450);
    free(draw(z, 20000, loco_label_exact(40), 200, "long"));
    free(z);
}

int main(void)
{
    if (mkdtemp(folder) == NULL || loco_count_new(&count, 1, &err) != LOCO_OK) {
        perror(folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/x.svg", folder);
    RUN(wrong_xml_is_refused);
    RUN(wrong_arguments_are_refused);
    RUN(any_title_is_well_formed);
    RUN(long_strings_are_cut);
    RUN(what_xml_forbids_is_replaced);
    RUN(the_heat_map_is_the_growth);
    RUN(the_picture_says_what_is_known);
    RUN(certain_frames_are_drawn);
    RUN(every_shape_of_clip_is_drawn);
    RUN(long_clips_stay_small);
    loco_count_free(count);
    CHECK(rmdir(folder) == 0);
    return check_done();
}
