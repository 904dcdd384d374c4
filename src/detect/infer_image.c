/* SPDX-License-Identifier: MIT
 * infer_image.c - an image of any size through a network that was made for a width.
 *
 * An image up to that width is one strip; the pixels behind its edge, which are like those at it, are left out of the
 * result. A wider one is cut into strips that overlap by what an output sees, so that each place is taken from a strip in
 * which it sees all that it would see in the whole image. Rows go through the network one after the other: memory is that
 * of the logits, and of the image.
 *
 * Of several views (front_image.c) the probabilities are added where the logits will lie, and become the logits of their
 * mean. For counts alone: a network marks events at some distance from their middles, and in a mirror that is the other side,
 * so that a thing becomes a ring. 50 images of cells, two models: errors of the count 3.85 to 4.61 by one view, 3.51 and 3.77
 * by four, 3.35 and 3.64 by eight; a third one found cells with F1 .93 in one view and .54 in eight. */
#include "base/mem.h"
#include "base/status.h"
#include "detect/infer.h"
#include "image/hilbert.h"
#include "image/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 16 }; /* at a time */

#define SURE 1e-9 /* a probability that is not 0, for a logarithm */

/* One strip while it is read. */
typedef struct strip {
    float *to;            /* of the first place of the row */
    ptrdiff_t down, step; /* floats from row to row and from place to place */
    size_t places, K;     /* of a row of the strip */
    size_t first, end;    /* places that are taken */
    size_t place;         /* that comes next */
    bool adds;            /* probabilities */
} strip;

static void add_place(float *to, const float *logits, size_t K)
{
    for (size_t k = 0; k < K; k++)
        to[k] += (float)lc_probability(logits[k]);
}

static void take_place(void *context, const float *logits)
{
    strip *s = context;
    float *to = s->to + (ptrdiff_t)s->place * s->step;
    bool taken = s->place >= s->first && s->place < s->end;
    if (taken && s->adds)
        add_place(to, logits, s->K);
    else if (taken)
        memcpy(to, logits, s->K * sizeof *logits);
    if (++s->place == s->places) {
        s->place = 0;
        s->to += s->down;
    }
}

/* Bins on either side that an output depends on. */
static size_t reach_of(const lc_net *net)
{
    size_t reach = 0;
    for (size_t i = 0; i < net->layers_len; i++)
        reach += net->layers[i].ops == &lc_conv_ops ? net->layers[i].conv.kernel_f / 2 : 0;
    return reach;
}

/* A view of an image, what of it is read, and how it is scaled. */
typedef struct picture {
    const loco_model *model;
    size_t views; /* that are averaged, and the one that is read */
    lc_view view;
    lc_shift shift;
    size_t rows, columns; /* places */
    lc_infer *infer;
    float *block; /* (ROWS, width, channels) */
} picture;

typedef loco_status block_take(picture *p, size_t rows, void *context, loco_err *err);

/* All rows of a strip that begins at column x0. */
static loco_status read_strip(picture *p, ptrdiff_t x0, block_take *take, void *context, loco_err *err)
{
    const lc_frontend_settings *front = &p->model->frontend;
    size_t inputs = front->width * front->channels, rows = 0;
    ptrdiff_t height = (ptrdiff_t)p->view.height, end = p->shift.y + (ptrdiff_t)(p->rows * front->hop);
    loco_status status = LOCO_OK;
    end = end < height ? end : height;
    for (ptrdiff_t y = p->shift.y; status == LOCO_OK && y < end; y += ROWS) {
        for (rows = 0; rows < ROWS && y + (ptrdiff_t)rows < end; rows++) {
            ptrdiff_t row = y + (ptrdiff_t)rows > 0 ? y + (ptrdiff_t)rows : 0;
            lc_view_row(&p->view, (size_t)row, x0, front->width, front->channels, p->block + rows * inputs);
        }
        status = take(p, rows, context, err);
    }
    return status;
}

static loco_status push_rows(picture *p, size_t rows, void *context, loco_err *err)
{
    return lc_infer_push(p->infer, p->block, rows, take_place, context, err);
}

/* Where place 0 of a view lies in the logits of the image, and which way its rows and columns go there. */
static void aim(strip *s, const picture *p, const lc_logits *logits)
{
    unsigned turn = p->view.turn;
    ptrdiff_t K = (ptrdiff_t)logits->K, row = (ptrdiff_t)logits->columns * K;
    s->down = (turn & LC_TURN_DIAGONAL) != 0 ? K : row;
    s->step = (turn & LC_TURN_DIAGONAL) != 0 ? row : K;
    s->to = logits->data;
    if ((turn & LC_TURN_OVER) != 0) {
        s->to += (ptrdiff_t)(p->rows - 1) * s->down;
        s->down = -s->down;
    }
    if ((turn & LC_TURN_ACROSS) != 0) {
        s->to += (ptrdiff_t)(p->columns - 1) * s->step;
        s->step = -s->step;
    }
}

static loco_status run_strip(picture *p, size_t begin, size_t first, size_t end, lc_logits *logits, loco_err *err)
{
    strip s = {.places = p->model->net->places, .K = logits->K, .first = first, .end = end, .adds = p->views > 1};
    aim(&s, p, logits);
    s.to += (ptrdiff_t)begin * s.step;
    ptrdiff_t x0 = p->shift.x + (ptrdiff_t)(begin * p->model->frontend.hop);
    loco_status status = read_strip(p, x0, push_rows, &s, err);
    return status == LOCO_OK ? lc_infer_end(p->infer, take_place, &s, err) : status;
}

/* The last strip ends with the image, so that its edge is the edge of the network's input, too. */
static loco_status run_strips(picture *p, lc_logits *logits, loco_err *err)
{
    size_t places = p->model->net->places, reach = reach_of(p->model->net), done = 0;
    loco_status status = LOCO_OK;
    reach = places > 2 * reach ? reach : (places - 1) / 2;
    while (status == LOCO_OK && done < p->columns) {
        size_t begin = done > reach ? done - reach : 0, last = p->columns > places ? p->columns - places : 0;
        begin = begin < last ? begin : last;
        size_t end = begin == last ? p->columns - begin : places - reach;
        status = run_strip(p, begin, done - begin, end, logits, err);
        done = begin + end;
    }
    return status;
}

/* ---- scale ---- */

static loco_status measure_rows(picture *p, size_t rows, void *context, loco_err *err)
{
    (void)err;
    lc_frontend_measure(context, p->block, rows);
    return LOCO_OK;
}

/* Of the image itself, where the front end wants it. */
static loco_status rescale(picture *p, loco_err *err)
{
    lc_frontend *front = NULL;
    lc_scale scale;
    size_t width = p->model->frontend.width;
    if (!lc_frontend_wants_scale(&p->model->frontend))
        return LOCO_OK;
    loco_status status = lc_frontend_new(&front, &p->model->frontend, err);
    for (size_t x = 0; status == LOCO_OK && x < p->view.width; x += width)
        status = read_strip(p, (ptrdiff_t)x, measure_rows, front, err);
    if (status == LOCO_OK) {
        lc_frontend_measured(front, &scale);
        lc_infer_rescale(p->infer, &scale);
    }
    lc_frontend_free(front);
    return status;
}

/* ---- all of it ---- */

/* Cells of what a shift leaves. */
static size_t cells(size_t pixels, ptrdiff_t shift, size_t cell)
{
    return ((size_t)((ptrdiff_t)pixels - shift) + cell - 1) / cell;
}

static loco_status check_shift(const lc_image *image, lc_shift shift, loco_err *err)
{
    ptrdiff_t width = (ptrdiff_t)image->width, height = (ptrdiff_t)image->height;
    if (shift.x < width && shift.y < height && shift.x > -LC_IMAGE_MOST && shift.y > -LC_IMAGE_MOST)
        return LOCO_OK;
    return lc_err_set(err, LOCO_EARG, "a shift by %td, %td pixels leaves nothing of an image of %td x %td", shift.x,
                      shift.y, width, height);
}

/* Where a row or a column of places begins that in the image begins at `shift`, seen from the other end. */
static ptrdiff_t from_end(size_t pixels, ptrdiff_t shift, size_t places, size_t cell)
{
    return (ptrdiff_t)pixels - shift - (ptrdiff_t)(places * cell);
}

/* Sets a view so that its places are those of the image. */
static void see(picture *p, const lc_image *image, lc_shift shift, unsigned turn)
{
    size_t cell = p->model->frontend.hop;
    p->view = lc_view_of(image, turn);
    p->shift = (turn & LC_TURN_DIAGONAL) != 0 ? (lc_shift){shift.y, shift.x} : shift;
    p->rows = cells(p->view.height, p->shift.y, cell);
    p->columns = cells(p->view.width, p->shift.x, cell);
    if ((turn & LC_TURN_OVER) != 0)
        p->shift.y = from_end(p->view.height, p->shift.y, p->rows, cell);
    if ((turn & LC_TURN_ACROSS) != 0)
        p->shift.x = from_end(p->view.width, p->shift.x, p->columns, cell);
}

/* Sums of probabilities become the logits of their mean. */
static void set_means(lc_logits *logits, size_t views)
{
    for (size_t i = 0; i < logits->T * logits->K; i++) {
        double p = (double)logits->data[i] / (double)views;
        logits->data[i] = (float)(log(fmax(p, SURE)) - log(fmax(1 - p, SURE)));
    }
}

static loco_status run_views(picture *p, const lc_image *image, lc_shift shift, lc_logits *logits, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (unsigned turn = 0; status == LOCO_OK && turn < p->views; turn++) {
        see(p, image, shift, turn);
        if (turn == 0)
            status = rescale(p, err);
        if (status == LOCO_OK)
            status = run_strips(p, logits, err);
    }
    if (status == LOCO_OK && p->views > 1)
        set_means(logits, p->views);
    return status;
}

loco_status lc_infer_image(lc_logits *logits, const loco_model *model, const lc_image *image, lc_shift shift,
                           size_t views, loco_err *err)
{
    const lc_frontend_settings *front = &model->frontend;
    picture p = {.model = model, .views = views};
    lc_logits all = {.K = model->net->classes};
    loco_status status = check_shift(image, shift, err);
    if (status != LOCO_OK)
        return status;
    all.columns = cells(image->width, shift.x, front->hop);
    all.T = all.capacity = cells(image->height, shift.y, front->hop) * all.columns;
    all.data = calloc(all.T, all.K * sizeof *all.data);
    p.block = malloc(ROWS * front->width * front->channels * sizeof *p.block);
    if (all.data == NULL || p.block == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for an image of %zu x %zu", image->width, image->height);
    if (status == LOCO_OK)
        status = lc_infer_new(&p.infer, model, 1, 1, err);
    if (status == LOCO_OK)
        status = run_views(&p, image, shift, &all, err);
    lc_infer_free(p.infer);
    free(p.block);
    if (status == LOCO_OK)
        *logits = all;
    else
        free(all.data);
    return status;
}

/* ---- windows along a curve ---- */

loco_status lc_infer_windows(lc_logits *logits, const loco_model *model, const char *path, loco_err *err)
{
    const lc_frontend_settings *front = &model->frontend;
    size_t step = lc_frontend_cell(front), K = logits->K;
    lc_image image;
    lc_windows windows;
    loco_status status = lc_image_measure(&image, path, err);
    if (status == LOCO_OK)
        status = lc_windows_plan(&windows, image.height, image.width, front->channels, front->window, step, err);
    if (status == LOCO_OK && windows.T != logits->T)
        status = lc_err_set(err, LOCO_EDATA, "%.150s: changed while it was read; try again", path);
    if (status != LOCO_OK)
        return status;
    size_t columns = cells(image.width, 0, step);
    lc_grid_cell *places = calloc(windows.T, sizeof *places);
    float *data = calloc(windows.T, K * sizeof *data);
    if (places == NULL || data == NULL) {
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu windows", windows.T);
        free(data);
    } else {
        lc_windows_places(&windows, places);
        for (size_t t = 0; t < windows.T; t++)
            memcpy(data + (places[t].y / step * columns + places[t].x / step) * K, logits->data + t * K,
                   K * sizeof *data);
        free(logits->data);
        *logits = (lc_logits){.K = K, .T = windows.T, .capacity = windows.T, .data = data, .columns = columns};
    }
    free(places);
    return status;
}
