/* SPDX-License-Identifier: MIT
 * wfdb.c - headers and samples of PhysioNet's WFDB.
 *
 *     100 2 360 650000                                     record, signals, rate, samples
 *     100.dat 212 200 11 1024 995 -22131 0 MLII            file, format, gain, bits, zero, first, sum, block, what
 *     100.dat 212 200(1024)/mV 11 1024 1011 20052 0 V5     a baseline of its own, and a unit
 *     # comments
 *
 * Format 212 packs two samples of 12 bits into three bytes: the low bytes in the first and third, the high halves in the
 * second. 16 is s16le, 61 its big-endian twin, 80 u8 around 128, 24 and 32 little-endian. The least number of 212, 16 and
 * 61 marks a missing sample. Records of several segments, or with signals in several files or at several rates,
 * are refused, and so are samples that do not add up to what the header says. */
#include "signal/wfdb.h"

#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

enum { USUAL_GAIN = 200, USUAL_RATE = 250, SHOWN = 32 };

/* A line cut at its blanks. */
enum { WORDS = 9 };
typedef struct words {
    const char *at[WORDS];
    size_t length[WORDS], len;
} words;

typedef struct wfdb_reader {
    const char *name, *at, *end;
    size_t line;
} wfdb_reader;

static loco_status refuse(const wfdb_reader *r, const char *word, size_t length, const char *what, loco_err *err)
{
    char shown[SHOWN + 1];
    size_t n = length < SHOWN ? length : SHOWN;
    for (size_t i = 0; i < n; i++)
        shown[i] = word[i] >= ' ' && word[i] <= '~' ? word[i] : '?';
    shown[n] = '\0';
    return lc_err_set(err, LOCO_EDATA, "%s:%zu: \"%s\" %s", lc_track_show(r->name).text, r->line, shown, what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next line that is neither a comment nor blank; the last word is all that is left of it. False at the end. */
static bool next_line(wfdb_reader *r, words *w)
{
    while (r->at < r->end) {
        const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
        end = end != NULL ? end : r->end;
        const char *at = r->at;
        r->at = end + (end < r->end);
        r->line++;
        w->len = 0;
        while (at < end && *at != '#') {
            while (at < end && is_blank(*at))
                at++;
            if (at == end)
                break;
            const char *first = at;
            while (at < end && (!is_blank(*at) || w->len == WORDS - 1))
                at++;
            const char *last = at;
            while (is_blank(last[-1]))
                last--;
            if (w->len < WORDS) {
                w->at[w->len] = first;
                w->length[w->len++] = (size_t)(last - first);
            }
        }
        if (w->len > 0)
            return true;
    }
    return false;
}

/* The number that a word begins with, such as 200 of 200(1024)/mV; how long it is, or 0. */
static size_t leading_number(const char *text, size_t length, double *number)
{
    size_t n = 0;
    while (n < length && (strchr("0123456789.+-eE", text[n]) != NULL && text[n] != '\0'))
        n++;
    while (n > 0 && !lc_number_parse(text, n, number))
        n--;
    return n;
}

static bool whole_number(const words *w, size_t i, double least, double most, double *number)
{
    return i < w->len && lc_number_parse(w->at[i], w->length[i], number) && *number >= least && *number <= most &&
           !(*number > floor(*number));
}

/* ---- the header ---- */

static loco_status read_record(wfdb_reader *r, lc_wfdb_header *h, loco_err *err)
{
    words w;
    double signals, rate = USUAL_RATE, frames = 0;
    if (!next_line(r, &w))
        return lc_err_set(err, LOCO_EDATA, "%s: is empty; a WFDB header was expected", lc_track_show(r->name).text);
    if (memchr(w.at[0], '/', w.length[0]) != NULL)
        return refuse(r, w.at[0], w.length[0], "has several segments; only records of one are read", err);
    if (!whole_number(&w, 1, 1, LC_SOUND_CHANNELS, &signals))
        return refuse(r, w.len > 1 ? w.at[1] : "", w.len > 1 ? w.length[1] : 0,
                      "is not a number of signals from 1 to 64; is this a WFDB header?", err);
    if (w.len > 2 && (leading_number(w.at[2], w.length[2], &rate) == 0 || !(rate >= 1 && rate <= LC_SOUND_RATE)))
        return refuse(r, w.at[2], w.length[2], "is not a rate from 1 to 1000000 Hz", err);
    if (w.len > 3 && !whole_number(&w, 3, 0, LC_TRACK_SAMPLES, &frames))
        return refuse(r, w.at[3], w.length[3], "is not a number of samples that can be read", err);
    h->channels = (size_t)signals;
    h->rate = rate;
    h->frames = (size_t)frames;
    return LOCO_OK;
}

/* "212", or "212+24" with bytes to skip. */
static loco_status read_format(const wfdb_reader *r, const char *word, size_t length, unsigned *format, size_t *skip,
                               loco_err *err)
{
    static const unsigned known[] = {212, 16, 61, 80, 24, 32};
    double number = 0, bytes = 0;
    size_t digits = 0;
    while (digits < length && word[digits] >= '0' && word[digits] <= '9')
        digits++;
    bool good = lc_number_parse(word, digits, &number);
    if (good && digits < length && word[digits] == 'x')
        return refuse(r, word, length, "has several samples a frame, which is not read", err);
    if (good && digits < length)
        good = word[digits] == '+' && lc_number_parse(word + digits + 1, length - digits - 1, &bytes) && bytes >= 0 &&
               bytes <= LC_TRACK_BYTES && !(bytes > floor(bytes));
    for (size_t i = 0; good && i < sizeof known / sizeof *known; i++) {
        if (number < known[i] || number > known[i])
            continue;
        *format = known[i];
        *skip = (size_t)bytes;
        return LOCO_OK;
    }
    return refuse(r, word, length, "is not a format that is read: 212, 16, 61, 80, 24 and 32 are", err);
}

/* "200", "200(1024)", "200(1024)/mV". Without a baseline the zero of the converter, word 4, is meant. */
static loco_status read_gain(const wfdb_reader *r, const words *w, lc_wfdb_signal *s, loco_err *err)
{
    double gain = USUAL_GAIN, zero = 0;
    if (w->len > 4 && !lc_number_parse(w->at[4], w->length[4], &zero))
        return refuse(r, w->at[4], w->length[4], "is not a number; the zero of the converter was expected", err);
    if (w->len > 2) {
        const char *at = w->at[2];
        size_t length = w->length[2], n = leading_number(at, length, &gain);
        bool good = n > 0 && gain >= 0 && gain <= 1e9;
        if (good && n < length && at[n] == '(') {
            const char *close = memchr(at + n, ')', length - n);
            good = close != NULL && lc_number_parse(at + n + 1, (size_t)(close - at) - n - 1, &zero);
        } else if (good && n < length) {
            good = at[n] == '/';
        }
        if (!good)
            return refuse(r, at, length, "is not a gain, such as 200 or 200(1024)/mV", err);
    }
    s->gain = gain > 0 ? gain : USUAL_GAIN; /* 0 is written for "not calibrated" */
    s->zero = zero;
    return LOCO_OK;
}

static loco_status read_signal(wfdb_reader *r, lc_wfdb_header *h, size_t i, loco_err *err)
{
    words w;
    unsigned format = 0;
    size_t skip = 0;
    if (!next_line(r, &w) || w.len < 2)
        return lc_err_set(err, LOCO_EDATA, "%s: describes %zu of its %zu signals", lc_track_show(r->name).text, i,
                          h->channels);
    loco_status status = read_format(r, w.at[1], w.length[1], &format, &skip, err);
    if (status != LOCO_OK)
        return status;
    bool named = w.length[0] <= LC_WFDB_NAME && memchr(w.at[0], '/', w.length[0]) == NULL &&
                 memchr(w.at[0], '\0', w.length[0]) == NULL && w.at[0][0] != '.' && w.at[0][0] != '~';
    if (!named)
        return refuse(r, w.at[0], w.length[0], "is not the name of a file beside the header", err);
    if (i == 0) {
        memcpy(h->file, w.at[0], w.length[0]);
        h->file[w.length[0]] = '\0';
        h->format = format;
        h->skip = skip;
    } else if (strlen(h->file) != w.length[0] || memcmp(h->file, w.at[0], w.length[0]) != 0 || format != h->format ||
               skip != h->skip) {
        return refuse(r, w.at[0], w.length[0], "differs from the file of the first signal; one file is read", err);
    }
    double sum = 0;
    if (w.len > 6 && !whole_number(&w, 6, -65535, 65535, &sum))
        return refuse(r, w.at[6], w.length[6], "is not a sum of samples in 16 bits", err);
    h->signals[i].summed = sum < 0 || sum > 0; /* 0 is also written by programs that do not add up */
    h->signals[i].sum = (int)sum;
    size_t about = w.len > 8 ? w.length[8] : 0;
    about = about < sizeof h->signals[i].about ? about : sizeof h->signals[i].about - 1;
    if (about > 0)
        memcpy(h->signals[i].about, w.at[8], about);
    return read_gain(r, &w, &h->signals[i], err);
}

loco_status lc_wfdb_header_parse(lc_wfdb_header *header, const char *name, const char *text, size_t length,
                                 loco_err *err)
{
    lc_wfdb_header made = {0};
    wfdb_reader r = {name, text, text + length, 0};
    loco_status status = read_record(&r, &made, err);
    for (size_t i = 0; status == LOCO_OK && i < made.channels; i++)
        status = read_signal(&r, &made, i, err);
    if (status == LOCO_OK)
        *header = made;
    return status;
}

/* ---- samples ---- */

/* Bits of a sample. */
static size_t width(unsigned format)
{
    switch (format) {
    case 212: return 12;
    case 80: return 8;
    case 24: return 24;
    case 32: return 32;
    default: return 16;
    }
}

static int32_t extend(uint32_t bits, size_t size)
{
    uint32_t sign = (uint32_t)1 << (size - 1);
    return (int32_t)(((int64_t)bits ^ sign) - (int64_t)sign);
}

/* Sample i of all; 212 keeps even ones in the low half of the middle byte, odd ones in the high. */
static int32_t sample_at(const unsigned char *bytes, size_t i, unsigned format)
{
    if (format == 212) {
        const unsigned char *b = bytes + i / 2 * 3;
        uint32_t bits = i % 2 == 0 ? b[0] | (uint32_t)(b[1] & 0x0f) << 8 : b[2] | (uint32_t)(b[1] >> 4) << 8;
        return extend(bits, 12);
    }
    if (format == 80)
        return (int32_t)bytes[i] - 128;
    size_t size = width(format) / 8;
    uint32_t bits = 0;
    for (size_t b = 0; b < size; b++)
        bits |= (uint32_t)bytes[i * size + (format == 61 ? size - 1 - b : b)] << (8 * b);
    return extend(bits, 8 * size);
}

/* Bytes of n samples; of an odd number the last takes two of three bytes in format 212. */
static size_t bytes_of(size_t n, unsigned format)
{
    return format == 212 ? n / 2 * 3 + n % 2 * 2 : n * (width(format) / 8);
}

static bool marks_missing(int32_t value, unsigned format)
{
    return (format == 212 && value == -2048) || ((format == 16 || format == 61) && value == INT16_MIN);
}

/* Where the header has sums, whether these are the samples that it means. */
static loco_status check_sums(const char *name, const lc_wfdb_header *h, const uint32_t *sums, loco_err *err)
{
    for (size_t c = 0; h->frames > 0 && c < h->channels; c++) {
        const lc_wfdb_signal *s = &h->signals[c];
        if (s->summed && ((sums[c] ^ (uint32_t)s->sum) & 0xffff) != 0)
            return lc_err_set(
                err, LOCO_EDATA,
                "%s: signal %zu adds up to %d, and its header says %d; the file is damaged, or of another "
                "record",
                lc_track_show(name).text, c + 1, (int)extend(sums[c] & 0xffff, 16), s->sum);
    }
    return LOCO_OK;
}

loco_status lc_wfdb_samples(lc_track *track, const char *name, const lc_wfdb_header *header, const void *bytes,
                            size_t length, lc_missing missing, loco_err *err)
{
    lc_track made = {0};
    uint32_t sums[LC_SOUND_CHANNELS] = {0}; /* wrap around */
    size_t C = header->channels, room = length > header->skip ? length - header->skip : 0;
    size_t frames = header->frames;
    if (frames == 0)
        frames = (header->format == 212 ? room / 3 * 2 : room / (width(header->format) / 8)) / C;
    if (bytes_of(frames * C, header->format) > room)
        return lc_err_set(err, LOCO_EDATA, "%s: is cut short: %zu bytes, and %zu samples of %zu signals need %zu",
                          lc_track_show(name).text, length, frames, C,
                          bytes_of(frames * C, header->format) + header->skip);
    loco_status status = lc_track_new(&made, name, frames, C, header->rate, err);
    if (status != LOCO_OK)
        return status;
    for (size_t i = 0; i < frames * C; i++) {
        int32_t value = sample_at((const unsigned char *)bytes + header->skip, i, header->format);
        const lc_wfdb_signal *s = &header->signals[i % C];
        sums[i % C] += (uint32_t)value;
        made.samples[i] = marks_missing(value, header->format) ? NAN : (float)((value - s->zero) / s->gain);
    }
    status = check_sums(name, header, sums, err);
    if (status == LOCO_OK)
        status = lc_track_fill(&made, name, missing, "sample", err);
    if (status == LOCO_OK)
        *track = made;
    else
        lc_track_free(&made);
    return status;
}
