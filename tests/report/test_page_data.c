/* SPDX-License-Identifier: MIT
 *
 * test_page_data.c - the numbers that a report carries, decoded again: base64, probabilities, the growing count,
 * waveform, spectrogram, marks and sound.
 */
#include "check.h"

#include "base/json.h"
#include "report/page_data.h"

#include <stdlib.h>

static loco_err err;

static const char *const classes[] = {"a", "b"};

/* ---- reading back ---- */

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != 0 ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* Bytes of a base64 string into out; their number, or SIZE_MAX when it is invalid. */
static size_t decode(const char *text, unsigned char *out, size_t most)
{
    size_t length = strlen(text), n = 0;
    if (length % 4 != 0)
        return SIZE_MAX;
    for (size_t i = 0; i < length; i += 4) {
        unsigned group = 0, pads = 0;
        for (size_t k = 0; k < 4; k++) {
            bool pad = text[i + k] == '=' && i + 4 == length && k >= 2;
            if (!pad && (digit_of(text[i + k]) < 0 || pads > 0))
                return SIZE_MAX;
            pads += pad;
            group = group << 6 | (pad ? 0 : (unsigned)digit_of(text[i + k]));
        }
        for (size_t k = 0; k < 3 - pads && n < most; k++)
            out[n++] = (unsigned char)(group >> (16 - 8 * k));
    }
    return n;
}

static cJSON *data_of(const lc_page *page)
{
    lc_text out = {0};
    cJSON *root = NULL;
    lc_page_piece piece = lc_page_piece_of(page, &page->recordings[0]);
    CHECK_STATUS(lc_page_data_write(&out, &piece, &err), LOCO_OK);
    CHECK_STATUS(lc_json_parse(&root, "data", out.bytes, out.length, &err), LOCO_OK);
    lc_text_free(&out);
    return root;
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    CHECK(cJSON_IsNumber(item));
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static size_t bytes_of(const cJSON *object, const char *name, unsigned char *out, size_t most)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    CHECK(cJSON_IsString(item));
    return cJSON_IsString(item) ? decode(item->valuestring, out, most) : SIZE_MAX;
}

/* ---- tests ---- */

static void base64(void)
{
    static const char *const want[] = {"", "AA==", "AAE=", "AAEC", "AAEC/w=="};
    const unsigned char bytes[] = {0, 1, 2, 255};
    for (size_t n = 0; n <= 4; n++) {
        lc_text out = {0};
        lc_base64_append(&out, bytes, n);
        CHECK_STR(out.bytes, want[n]);
        lc_text_free(&out);
    }
    static unsigned char many[5000], back[5000];
    for (size_t i = 0; i < sizeof many; i++)
        many[i] = (unsigned char)(i * i + i / 7);
    for (size_t n = 4990; n <= 5000; n++) {
        lc_text out = {0};
        lc_base64_append(&out, many, n);
        CHECK_EQ(decode(out.bytes, back, sizeof back), n);
        CHECK(memcmp(many, back, n) == 0);
        lc_text_free(&out);
    }
}

/* Ten frames a second; certain events of class a in frames 3 and 7 of 12, nothing of class b. */
static void fill(lc_page *page, lc_page_recording *r, float logits[24])
{
    for (size_t i = 0; i < 24; i++)
        logits[i] = -INFINITY;
    logits[2 * 3] = logits[2 * 7] = INFINITY;
    *r = (lc_page_recording){.name = "x", .logits = logits, .frames = 12, .frame_rate = 10};
    *page = (lc_page){.title = "", .classes = classes, .classes_len = 2, .recordings = r, .recordings_len = 1};
}

static void lanes_hold_probability_and_count(void)
{
    lc_page page;
    lc_page_recording r;
    float logits[24];
    const size_t counts[] = {2, 9};
    fill(&page, &r, logits);
    r.counts = counts;
    cJSON *root = data_of(&page);
    const cJSON *lane = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "lanes"), 0);
    unsigned char p[16] = {0}, heat[64] = {0};
    CHECK_NEAR(number(root, "seconds"), 1.2, 1e-9);
    CHECK_EQ(bytes_of(lane, "p", p, sizeof p), 12);
    for (size_t t = 0; t < 12; t++)
        CHECK_EQ(p[t], t == 3 || t == 7 ? 255 : 0);
    CHECK_NEAR(number(lane, "from"), 0, 1e-9);
    CHECK_NEAR(number(lane, "step"), 0.1, 1e-9);
    CHECK_NEAR(number(lane, "rows"), 4, 0); /* counts 0..3 at least */
    CHECK_EQ(bytes_of(lane, "heat", heat, sizeof heat), 48);
    for (size_t t = 0; t < 12; t++)
        for (size_t k = 0; k < 4; k++)
            CHECK_EQ(heat[4 * t + k], k == (size_t)(t >= 3) + (t >= 7) ? 255 : 0);
    CHECK_NEAR(number(lane, "known"), 2, 0);
    lane = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "lanes"), 1);
    CHECK(number(lane, "rows") >= 10); /* room for a known count far from the expected one */
    cJSON_Delete(root);
}

/* A piece from 0.5 s on: frames and marks count from there. */
static void pieces(void)
{
    lc_page page;
    lc_page_recording r;
    float logits[24];
    const lc_page_mark marks[] = {
        {0.4,  0, 1,   LC_PAGE_FOUND, 0,    0,   0 },
        {0.7,  0, 0.9, LC_PAGE_HIT,   0.69, 1.1, 70},
        {0.75, 1, 0.5, LC_PAGE_MISS,  0,    0,   0 },
    };
    fill(&page, &r, logits);
    r.start = 0.5;
    r.marks = marks;
    r.marks_len = 3;
    lc_page_piece piece = lc_page_piece_of(&page, &r);
    CHECK_EQ(piece.first, 5);
    CHECK_EQ(piece.end, 12);
    CHECK_NEAR(piece.seconds, 0.7, 1e-9);
    CHECK_NEAR(lc_page_piece_count(&piece, 0).mean, 1, 1e-12);
    CHECK_NEAR(lc_page_piece_count(&piece, 0).sd, 0, 1e-12);
    CHECK(!lc_page_piece_holds(&piece, &marks[0]) && lc_page_piece_holds(&piece, &marks[1]));
    cJSON *root = data_of(&page);
    const cJSON *list = cJSON_GetObjectItem(root, "marks"), *hit = cJSON_GetArrayItem(list, 0);
    CHECK_EQ((size_t)cJSON_GetArraySize(list), 2);
    const double want[] = {0.2, 0, 0.9, 1, 10, 0.6, 70};
    CHECK_EQ((size_t)cJSON_GetArraySize(cJSON_GetArrayItem(list, 1)), 5); /* not a note */
    for (int i = 0; i < 7; i++)
        CHECK_NEAR(cJSON_GetArrayItem(hit, i)->valuedouble, want[i], 1e-9);
    unsigned char p[16] = {0};
    const cJSON *lane = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "lanes"), 0);
    CHECK_EQ(bytes_of(lane, "p", p, sizeof p), 7);
    CHECK(p[2] == 255 && p[1] == 0);
    cJSON_Delete(root);
}

/* No more than half a minute, and peaks survive the joining of columns. */
static void long_recordings_are_cut_and_joined(void)
{
    enum { T = 40000 };
    float *logits = malloc(T * sizeof *logits);
    for (size_t t = 0; t < T; t++)
        logits[t] = t == 12345 ? 30.0F : -30.0F;
    lc_page_recording r = {.name = "x", .logits = logits, .frames = T, .frame_rate = 1000};
    lc_page page = {.title = "", .classes = classes, .classes_len = 1, .recordings = &r, .recordings_len = 1};
    static unsigned char p[7000];
    cJSON *root = data_of(&page);
    const cJSON *lane = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "lanes"), 0);
    CHECK_NEAR(number(root, "seconds"), 30, 0);
    size_t n = bytes_of(lane, "p", p, sizeof p), peaks = 0;
    CHECK_EQ(n, 6000);
    for (size_t i = 0; i < n && i < 6000; i++)
        peaks += p[i] == 255;
    CHECK(peaks == 1 && p[12345 / 5] == 255);
    CHECK_NEAR(number(lane, "step"), 0.005, 1e-9);
    CHECK_NEAR(number(lane, "columns"), 1200, 0);
    cJSON_Delete(root);
    free(logits);
}

/* Two bands, three frames; waveform of a step. */
static void strips(void)
{
    lc_page page;
    lc_page_recording r;
    float logits[24], samples[2400];
    const float spectrogram[] = {0, 1, 0.5F, 0, 0, 0.2F};
    const unsigned char want[] = {0, 255, 128, 0, 0, 51};
    fill(&page, &r, logits);
    for (size_t i = 0; i < 2400; i++)
        samples[i] = i < 1200 ? 0.25F : -0.5F;
    r.samples = samples;
    r.samples_len = 2400;
    r.rate = 2000;
    r.spectrogram = spectrogram;
    r.spectrogram_len = 3;
    r.bands = 2;
    r.spectrogram_rate = 2.5;
    cJSON *root = data_of(&page);
    unsigned char bytes[4800] = {0};
    const cJSON *spec = cJSON_GetObjectItem(root, "spec");
    CHECK_EQ(bytes_of(spec, "data", bytes, sizeof bytes), 6);
    CHECK(memcmp(bytes, want, 6) == 0);
    CHECK_NEAR(number(spec, "step"), 0.4, 1e-9);
    CHECK_EQ(bytes_of(root, "wave", bytes, sizeof bytes), 4800);
    CHECK_EQ(bytes[0], 64);
    CHECK_EQ(bytes[4799], 256 - 127);
    CHECK_EQ((size_t)cJSON_GetArraySize(cJSON_GetObjectItem(root, "clicks")), 2);
    cJSON_Delete(root);
}

/* A tone below the new limit passes at its height, one above it vanishes. */
static void sound_is_filtered_before_it_is_thinned(void)
{
    enum { N = 44100 };
    float *samples = malloc(N * sizeof *samples);
    static unsigned char wav[60000];
    const double hertz[] = {1000, 15000};
    float logits[1] = {0};
    for (size_t h = 0; h < 2; h++) {
        for (size_t i = 0; i < N; i++)
            samples[i] = (float)(0.5 * sin(6.283185307179586 * hertz[h] * (double)i / 44100));
        lc_page_recording r = {.name = "", .logits = logits, .frames = 1, .frame_rate = 1};
        r.samples = samples, r.samples_len = N, r.rate = 44100;
        lc_page page = {.title = "", .classes = classes, .classes_len = 1, .recordings = &r, .recordings_len = 1};
        lc_page_piece piece = lc_page_piece_of(&page, &r);
        lc_text out = {0};
        CHECK_STATUS(lc_page_sound_write(&out, &piece, &err), LOCO_OK);
        CHECK_EQ(decode(out.bytes, wav, sizeof wav), 44 + N);
        CHECK_EQ((size_t)wav[24] + 256 * (size_t)wav[25], 22050);
        int peak = 0;
        for (size_t i = 44 + 400; i + 400 < 44 + N; i += 2) {
            int value = (int16_t)(wav[i] | wav[i + 1] << 8);
            peak = abs(value) > peak ? abs(value) : peak;
        }
        CHECK(h == 0 ? abs(peak - 16384) < 200 : peak < 100);
        lc_text_free(&out);
    }
    free(samples);
}

int main(void)
{
    RUN(base64);
    RUN(lanes_hold_probability_and_count);
    RUN(pieces);
    RUN(long_recordings_are_cut_and_joined);
    RUN(strips);
    RUN(sound_is_filtered_before_it_is_thinned);
    return check_done();
}
