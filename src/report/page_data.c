/* SPDX-License-Identifier: MIT
 *
 * page_data.c - the numbers of one recording as the report's script reads them.
 *
 *     {"seconds": 12.5, "start": 0, "wave": "...", "levels": [0.5, 0.6], "clicks": ["...", ...],
 *      "spec":  {"columns": 1250, "bands": 80, "from": 0, "step": 0.01, "data": "..."},
 *      "lanes": [{"p": "...", "from": 0, "step": 0.01,
 *                 "heat": "...", "columns": 1200, "rows": 14, "per": 1, "begin": 0, "end": 12.5, "known": 12}, ...],
 *      "marks": [[time, class, probability, verdict, milliseconds late], ...]}
 *
 * Of many classes "lanes" is empty, and a map of all probabilities, a row for each class, the first on top, stands for
 * them:
 *      "roll":  {"columns": 1200, "rows": 88, "begin": 0, "end": 12.5, "data": "..."}
 * With "pitched": 1 in it, classes are pitches, and the rows are those of a piano roll. A mark that is a note has two
 * numbers more, its end and its velocity.
 *
 * Strings are base64 of bytes, one for each value: a probability as 255 p, a waveform as pairs of the least and the
 * greatest sample of a column in -127..127, a heat map as 255 sqrt(P). More columns than a wide screen at a zoom of a
 * few would show are joined, by the largest value, so that no peak of a probability is lost. Times count from the
 * start of the piece. Eight bits are enough for the eye; the count distribution, for which they would not be, is
 * computed here.
 */
#include "report/page_data.h"

#include "base/mem.h"
#include "base/status.h"
#include "events/pitches.h"
#include "report/click.h"
#include "report/count_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAVE_COLUMNS = 2400,
    SPECTROGRAM_COLUMNS = 2000,
    CURVE_COLUMNS = 6000,
    HEAT_COLUMNS = 1200,
    HEAT_ROWS = 41,
    ROLL_CELLS = 240000, /* of the map of all classes, 320 kB of text */
    LEAST_COUNT = 3
};

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void lc_base64_append(lc_text *out, const void *data, size_t length)
{
    const unsigned char *bytes = data;
    char buffer[1024];
    size_t used = 0;
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned group = (unsigned)bytes[i] << 16;
        group |= left > 1 ? (unsigned)bytes[i + 1] << 8 : 0;
        group |= left > 2 ? (unsigned)bytes[i + 2] : 0;
        buffer[used++] = digits[group >> 18];
        buffer[used++] = digits[group >> 12 & 63];
        buffer[used++] = '=';
        buffer[used++] = '=';
        if (left > 1)
            buffer[used - 2] = digits[group >> 6 & 63];
        if (left > 2)
            buffer[used - 1] = digits[group & 63];
        if (used == sizeof buffer) {
            lc_text_append(out, buffer, used);
            used = 0;
        }
    }
    lc_text_append(out, buffer, used);
}

/* ---- the piece ------------------------------------------------------------------------------------------- */

/* The first frame at or after a time. */
static size_t frame_at(double time, double start, double rate, size_t frames)
{
    double frame = ceil((time - start) * rate - 1e-6);
    return frame <= 0 ? 0 : frame >= (double)frames ? frames : (size_t)frame;
}

/* A recording is as long as its sound, or without sound as its frames. */
static double length_of(const lc_page_recording *r)
{
    if (r->samples != NULL)
        return (double)r->samples_len / r->rate;
    return r->frame_start + (double)r->frames / r->frame_rate;
}

lc_page_piece lc_page_piece_of(const lc_page *page, const lc_page_recording *recording)
{
    lc_page_piece piece = {.page = page, .recording = recording};
    const lc_page_recording *r = recording;
    piece.whole = length_of(r);
    piece.start = fmin(r->start, piece.whole);
    piece.seconds = fmin(LC_PAGE_MOST_SECONDS, piece.whole - piece.start);
    piece.first = frame_at(piece.start, r->frame_start, r->frame_rate, r->frames);
    piece.end = frame_at(piece.start + piece.seconds, r->frame_start, r->frame_rate, r->frames);
    piece.lanes = page->classes_len <= LC_PAGE_MOST_LANES ? page->classes_len : 0;
    return piece;
}

bool lc_page_piece_holds(const lc_page_piece *piece, const lc_page_mark *mark)
{
    return mark->time >= piece->start && mark->time <= piece->start + piece->seconds;
}

size_t lc_page_piece_samples(const lc_page_piece *piece, size_t *n)
{
    const lc_page_recording *r = piece->recording;
    double first = floor(piece->start * r->rate), wanted = floor(piece->seconds * r->rate);
    size_t from = first < (double)r->samples_len ? (size_t)first : r->samples_len;
    *n = wanted < (double)(r->samples_len - from) ? (size_t)wanted : r->samples_len - from;
    return from;
}

static double probability(const lc_page_piece *piece, size_t frame, size_t kind)
{
    return 1 / (1 + exp(-(double)piece->recording->logits[frame * piece->page->classes_len + kind]));
}

/* Of independent frames: mean sum of p, variance sum of p (1 - p). */
lc_page_count lc_page_piece_count(const lc_page_piece *piece, size_t kind)
{
    double mean = 0, variance = 0;
    for (size_t t = piece->first; t < piece->end; t++) {
        double p = probability(piece, t, kind);
        mean += p;
        variance += p * (1 - p);
    }
    return (lc_page_count){mean, sqrt(variance)};
}

/* ---- strips ---------------------------------------------------------------------------------------------- */

static void number(lc_text *out, const char *name, double value)
{
    lc_text_format(out, ",\"%s\":", name);
    lc_text_number(out, value, 6);
}

static unsigned char byte_of(double share)
{
    return (unsigned char)lround(255 * fmax(0, fmin(1, share)));
}

/* The least and greatest sample of each column, in parts of the peak. */
static void write_wave(lc_text *out, const float *samples, size_t n)
{
    signed char columns[2 * WAVE_COLUMNS] = {0};
    size_t used = n < WAVE_COLUMNS ? n : WAVE_COLUMNS;
    float peak = 1e-6F;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    for (size_t c = 0; c < used; c++) {
        size_t from = lc_count_scene_bin(c, used, n), to = lc_count_scene_bin(c + 1, used, n);
        float lo = samples[from], hi = samples[from];
        for (size_t i = from + 1; i < to; i++) {
            lo = fminf(lo, samples[i]);
            hi = fmaxf(hi, samples[i]);
        }
        columns[2 * c] = (signed char)lrintf(127 * lo / peak);
        columns[2 * c + 1] = (signed char)lrintf(127 * hi / peak);
    }
    lc_text_string(out, ",\"wave\":\"");
    lc_base64_append(out, columns, 2 * used);
    lc_text_string(out, "\"");
    lc_click_levels levels = lc_click_balance(fminf(1, peak)); /* louder sound is lowered to 1 */
    lc_text_string(out, ",\"levels\":[");
    lc_text_number(out, levels.sound, 6);
    lc_text_string(out, ",");
    lc_text_number(out, levels.click, 6);
    lc_text_string(out, "]");
}

/* Times of columns: the centre of the first, and the distance. Frame t is at start + t / rate. */
static void write_times(lc_text *out, const lc_page_piece *piece, double first_frame, size_t frames, size_t columns,
                        double rate)
{
    double step = (double)frames / (double)columns / rate;
    number(out, "from", first_frame - piece->start + (step - 1 / rate) / 2);
    number(out, "step", step);
}

static void spectrogram_column(const lc_page_recording *r, size_t from, size_t to, unsigned char *column)
{
    for (size_t b = 0; b < r->bands; b++) {
        float most = 0;
        for (size_t t = from; t < to; t++)
            most = fmaxf(most, r->spectrogram[t * r->bands + b]);
        column[b] = byte_of(most);
    }
}

static void write_spectrogram(lc_text *out, const lc_page_piece *piece)
{
    const lc_page_recording *r = piece->recording;
    size_t first = frame_at(piece->start, r->spectrogram_start, r->spectrogram_rate, r->spectrogram_len);
    size_t end = frame_at(piece->start + piece->seconds, r->spectrogram_start, r->spectrogram_rate, r->spectrogram_len);
    size_t n = end - first, columns = n < SPECTROGRAM_COLUMNS ? n : SPECTROGRAM_COLUMNS;
    unsigned char *cells = columns > 0 ? malloc(columns * r->bands) : NULL;
    if (cells == NULL) {
        out->failed = out->failed || columns > 0;
        return;
    }
    for (size_t c = 0; c < columns; c++)
        spectrogram_column(r, first + lc_count_scene_bin(c, columns, n), first + lc_count_scene_bin(c + 1, columns, n),
                           cells + c * r->bands);
    lc_text_format(out, ",\"spec\":{\"columns\":%zu,\"bands\":%zu", columns, r->bands);
    write_times(out, piece, r->spectrogram_start + (double)first / r->spectrogram_rate, n, columns,
                r->spectrogram_rate);
    lc_text_string(out, ",\"data\":\"");
    lc_base64_append(out, cells, columns * r->bands);
    lc_text_string(out, "\"}");
    free(cells);
}

/* ---- lanes ----------------------------------------------------------------------------------------------- */

/* The numbers of one lane in one block. */
typedef struct lane {
    lc_count_scene scene;
    double *now; /* (k_max + 1) */
    unsigned char *bytes;
    size_t bytes_len;
} lane;

static void lay_out(lane *l, lc_arena *arena)
{
    lc_count_scene *s = &l->scene;
    s->p = lc_arena_take(arena, s->frames, sizeof *s->p);
    s->heat = lc_arena_take(arena, s->columns * s->rows, sizeof *s->heat);
    l->now = lc_arena_take(arena, s->k_max + 1, sizeof *l->now);
    l->bytes = lc_arena_take(arena, l->bytes_len, 1);
}

/* Room for the known count and for four standard deviations above the mean; at most the number of frames. */
static void choose_rows(lc_count_scene *s, lc_page_count count, const size_t *known)
{
    double likely = fmax(LEAST_COUNT, ceil(count.mean + 4 * count.sd) + 1);
    if (known != NULL && (double)*known + 1 > likely)
        likely = fmin((double)*known + 1, 4 * likely);
    s->k_max = likely < (double)s->frames ? (size_t)likely : s->frames;
    s->k_max = s->k_max > LEAST_COUNT ? s->k_max : LEAST_COUNT;
    s->per_row = s->k_max / HEAT_ROWS + 1;
    s->rows = s->k_max / s->per_row + 1;
}

static void write_curve(lc_text *out, const lc_page_piece *piece, const lane *l)
{
    const lc_count_scene *s = &l->scene;
    const lc_page_recording *r = piece->recording;
    size_t columns = s->frames < CURVE_COLUMNS ? s->frames : CURVE_COLUMNS;
    for (size_t c = 0; c < columns; c++) {
        double most = 0;
        for (size_t t = lc_count_scene_bin(c, columns, s->frames); t < lc_count_scene_bin(c + 1, columns, s->frames);
             t++)
            most = fmax(most, s->p[t]);
        l->bytes[c] = byte_of(most);
    }
    lc_text_string(out, "{\"p\":\"");
    lc_base64_append(out, l->bytes, columns);
    lc_text_string(out, "\"");
    write_times(out, piece, r->frame_start + (double)piece->first / r->frame_rate, s->frames, columns, r->frame_rate);
}

static void write_heat(lc_text *out, const lc_page_piece *piece, const lane *l)
{
    const lc_count_scene *s = &l->scene;
    const lc_page_recording *r = piece->recording;
    for (size_t i = 0; i < s->columns * s->rows; i++)
        l->bytes[i] = byte_of(sqrt(s->heat[i]));
    lc_text_string(out, ",\"heat\":\"");
    lc_base64_append(out, l->bytes, s->columns * s->rows);
    lc_text_format(out, "\",\"columns\":%zu,\"rows\":%zu,\"per\":%zu", s->columns, s->rows, s->per_row);
    double begin = r->frame_start + ((double)piece->first - 0.5) / r->frame_rate - piece->start;
    number(out, "begin", begin);
    number(out, "end", begin + (double)s->frames / r->frame_rate);
}

static void write_lane(lc_text *out, const lc_page_piece *piece, size_t kind)
{
    const size_t *known = piece->recording->counts != NULL ? piece->recording->counts + kind : NULL;
    lane l = {.scene.frames = piece->end - piece->first};
    lc_count_scene *s = &l.scene;
    choose_rows(s, lc_page_piece_count(piece, kind), known);
    s->columns = s->frames < HEAT_COLUMNS ? s->frames : HEAT_COLUMNS;
    l.bytes_len = s->columns * s->rows > CURVE_COLUMNS ? s->columns * s->rows : CURVE_COLUMNS;
    lc_arena measure = {0};
    lay_out(&l, &measure);
    lc_block block = {0};
    if (!lc_block_reserve(&block, measure.used)) {
        out->failed = true;
        return;
    }
    lc_arena arena = lc_arena_over(&block);
    lay_out(&l, &arena);
    for (size_t t = 0; t < s->frames; t++)
        s->p[t] = probability(piece, piece->first + t, kind);
    lc_count_scene_fill(s, l.now);
    write_curve(out, piece, &l);
    write_heat(out, piece, &l);
    if (known != NULL)
        lc_text_format(out, ",\"known\":%zu", *known);
    lc_text_string(out, "}");
    lc_block_free(&block);
}

/* The largest probability of each class in each column. */
static void fill_roll(unsigned char *cells, const lc_page_piece *piece, size_t columns)
{
    size_t K = piece->page->classes_len, frames = piece->end - piece->first;
    for (size_t c = 0; c < columns; c++)
        for (size_t k = 0; k < K; k++) {
            double most = 0;
            for (size_t t = lc_count_scene_bin(c, columns, frames); t < lc_count_scene_bin(c + 1, columns, frames); t++)
                most = fmax(most, probability(piece, piece->first + t, k));
            cells[c * K + K - 1 - k] = byte_of(most); /* the lowest row comes first */
        }
}

static void write_roll(lc_text *out, const lc_page_piece *piece)
{
    const lc_page_recording *r = piece->recording;
    size_t K = piece->page->classes_len, frames = piece->end - piece->first;
    size_t most = ROLL_CELLS / K < HEAT_COLUMNS ? ROLL_CELLS / K : HEAT_COLUMNS,
           columns = frames < most ? frames : most;
    unsigned char *cells = malloc(columns * K + 1);
    if (cells == NULL) {
        out->failed = true;
        return;
    }
    fill_roll(cells, piece, columns);
    lc_text_format(out, ",\"roll\":{\"columns\":%zu,\"rows\":%zu%s", columns, K,
                   lc_pitched(piece->page->classes, K) ? ",\"pitched\":1" : "");
    double begin = r->frame_start + ((double)piece->first - 0.5) / r->frame_rate - piece->start;
    number(out, "begin", begin);
    number(out, "end", begin + (double)frames / r->frame_rate);
    lc_text_string(out, ",\"data\":\"");
    lc_base64_append(out, cells, columns * K);
    lc_text_string(out, "\"}");
    free(cells);
}

static void write_marks(lc_text *out, const lc_page_piece *piece)
{
    const lc_page_recording *r = piece->recording;
    const char *comma = "";
    for (size_t i = 0; i < r->marks_len; i++) {
        const lc_page_mark *mark = &r->marks[i];
        if (!lc_page_piece_holds(piece, mark))
            continue;
        lc_text_format(out, "%s[", comma);
        lc_text_number(out, mark->time - piece->start, 4);
        lc_text_format(out, ",%zu,", mark->kind);
        lc_text_number(out, mark->probability, 3);
        lc_text_format(out, ",%d,", (int)mark->verdict);
        lc_text_number(out, mark->verdict == LC_PAGE_HIT ? 1000 * (mark->time - mark->reference) : 0, 1);
        if (mark->velocity > 0) {
            lc_text_string(out, ",");
            lc_text_number(out, mark->end - piece->start, 4);
            lc_text_string(out, ",");
            lc_text_fixed(out, mark->velocity, 0);
        }
        lc_text_string(out, "]");
        comma = ",";
    }
}

loco_status lc_page_data_write(lc_text *out, const lc_page_piece *piece, loco_err *err)
{
    lc_text_string(out, "{\"seconds\":");
    lc_text_number(out, piece->seconds, 6);
    number(out, "start", piece->start);
    loco_status status = LOCO_OK;
    if (piece->recording->samples != NULL) {
        size_t n, from = lc_page_piece_samples(piece, &n);
        write_wave(out, piece->recording->samples + from, n);
        status = lc_page_clicks_write(out, piece, err);
    }
    if (piece->recording->spectrogram != NULL)
        write_spectrogram(out, piece);
    if (piece->lanes == 0 && piece->end > piece->first)
        write_roll(out, piece);
    lc_text_string(out, ",\"lanes\":[");
    for (size_t k = 0; k < piece->lanes && piece->end > piece->first; k++) {
        lc_text_string(out, k > 0 ? "," : "");
        write_lane(out, piece, k);
    }
    lc_text_string(out, "],\"marks\":[");
    write_marks(out, piece);
    lc_text_string(out, "]}");
    if (status == LOCO_OK && out->failed)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the numbers of a recording");
    return status;
}
