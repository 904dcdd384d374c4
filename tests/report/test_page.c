/* SPDX-License-Identifier: MIT
 *
 * test_page.c - the report: wrong arguments, well-formed HTML, the same bytes every time, names that try to be markup,
 * many classes. Run with the name of a file, it writes an example there.
 */
#include "html_check.h"
#include "page_example.h"

#include "base/file.h"

static loco_err err;

static example_recording *drums, *plain;
static example_curve curve;

static const char *const example_classes[EXAMPLE_K] = {"kick", "snare", "hi-hat"};
static const char *const summary[] = {
    "The model finds 94 of 100 drum strokes within 50 ms, without any event times in training: it learned "
    "from counts alone, one number for each clip and drum.",
    "Most of its mistakes are quiet hi-hats under a snare. When it says that it is sure, it is: of the events with a "
    "probability above 0.9, it was right on 99 of 100.",
};
static const lc_page_card cards[] = {
    {"F-measure",     "0.938", "within 50 ms",              0.938},
    {"Precision",     "0.951", "of what it found is right", 0.951},
    {"Recall",        "0.926", "of what is there is found", 0.926},
    {"Typical error", "6 ms",  "median distance in time",   -1   },
    {"Delay",         "40 ms", "when listening live",       -1   },
};
static const char *const heads[] = {"Class", "F-measure", "Precision", "Recall", "Hits", "Missed", "False alarms"};
static const char *const cells[] = {
    "kick",   "0.967", "0.974", "0.961", "1480", "60",  "39",  //
    "snare",  "0.949", "0.958", "0.940", "988",  "63",  "43",  //
    "hi-hat", "0.911", "0.929", "0.894", "3121", "370", "239", //
    "all",    "0.938", "0.951", "0.926", "5589", "493", "321",
};
static const lc_page_table table = {"Scores by class", heads, 7, cells, 4};

/* Three kinds of recording; with all their sound, or with two seconds of it, for speed. */
static void fill(lc_page *page, lc_page_recording recordings[3], bool sound)
{
    recordings[0] = example_view(drums, "Session 04 / take 2.wav");
    recordings[0].note = "held out, never seen in training";
    recordings[1] = example_view(plain, "Live room.flac");
    recordings[1].counts = NULL;
    recordings[1].spectrogram = NULL;
    recordings[1].start = 3;
    recordings[2] = example_view(drums, "Sensor log (no sound)");
    recordings[2].samples = sound ? NULL : drums->samples;
    recordings[2].samples_len = 2 * EXAMPLE_RATE;
    if (!sound)
        recordings[0].samples = recordings[1].samples = NULL;
    recordings[2].spectrogram = NULL;
    *page = (lc_page){
        .title = "Drum strokes from counts alone",
        .summary = summary,
        .summary_len = 2,
        .cards = cards,
        .cards_len = 5,
        .classes = example_classes,
        .classes_len = EXAMPLE_K,
        .recordings = recordings,
        .recordings_len = 3,
        .tables = &table,
        .tables_len = 1,
        .curve = &curve.curve,
    };
}

/* The page as text, which the caller frees. */
static lc_text page_text(const lc_page *page)
{
    lc_text out = {0};
    CHECK_STATUS(lc_page_write(&out, page, &err), LOCO_OK);
    if (out.bytes == NULL)
        lc_text_string(&out, "");
    return out;
}

/* ---- the checker of HTML ----------------------------------------------------------------------------------- */

static void wrong_html_is_refused(void)
{
#define HEAD "<!DOCTYPE html>\n"
    CHECK_EQ(elements_of(HEAD "<html><p a='1' b>x</p><script>if (a < b) c();</script></html>\n"), 3);
    CHECK_EQ(elements_of(HEAD "<html><p>x</html>\n"), 0);
    CHECK_EQ(elements_of(HEAD "<html><p>a > b</p></html>\n"), 0);
    CHECK_EQ(elements_of(HEAD "<html><p a='<'></p></html>\n"), 0);
    CHECK_EQ(elements_of(HEAD "<html><b><p></b></p></html>\n"), 0);
    CHECK_EQ(elements_of(HEAD "<html><script>x</html>\n"), 0);
    CHECK_EQ(elements_of("<html><p>no type of document</p></html>\n"), 0);
}

/* ---- tests ----------------------------------------------------------------------------------------------- */

#define REFUSED(change, status, words)                          \
    do {                                                        \
        fill(&page, recordings, false);                         \
        change;                                                 \
        CHECK_STATUS(lc_page_write(&out, &page, &err), status); \
        CHECK(strstr(err.text, words) != NULL);                 \
    } while (0)

static void wrong_arguments(void)
{
    lc_page page;
    lc_page_recording recordings[3], *r = &recordings[0];
    lc_page_mark mark = drums->marks[0];
    const float nan[EXAMPLE_K] = {0, NAN, 0}, two[1] = {2};
    const lc_page_table no_table = {"x", heads, 0, cells, 4};
    const lc_page_card no_value = {"x", NULL, NULL, -1};
    lc_text out = {0};
    lc_text_string(&out, "before");
    CHECK_STATUS(lc_page_write(&out, NULL, &err), LOCO_EARG);
    REFUSED(page.title = NULL, LOCO_EARG, "title");
    REFUSED(page.summary = NULL, LOCO_EARG, "paragraph 0");
    REFUSED(page.cards = NULL, LOCO_EARG, "cards");
    REFUSED(page.cards = &no_value; page.cards_len = 1, LOCO_EARG, "card 0");
    REFUSED(page.tables = &no_table, LOCO_EARG, "table 0");
    REFUSED(page.recordings_len = 25, LOCO_EARG, "25 recordings");
    REFUSED(page.classes_len = 0, LOCO_EARG, "0 classes");
    REFUSED(page.classes_len = 2000, LOCO_EARG, "2000 classes");
    REFUSED(r->name = NULL, LOCO_EARG, "name");
    REFUSED(r->start = 12, LOCO_EARG, "ends at 12");
    REFUSED(r->start = NAN, LOCO_EARG, "from");
    REFUSED(r->samples = drums->samples; r->rate = 0, LOCO_EARG, "samples at 0");
    REFUSED(r->samples = drums->samples; r->rate = 0; r->silent = true, LOCO_EARG, "takes 1 to 400000");
    REFUSED(r->samples = nan; r->samples_len = 3, LOCO_EDATA, "sample 1");
    REFUSED(r->bands = 0, LOCO_EARG, "bands");
    REFUSED(r->spectrogram = two; r->spectrogram_len = r->bands = 1, LOCO_EDATA, "spectrogram is 2");
    REFUSED(r->spectrogram_rate = -1, LOCO_EARG, "-1 frames");
    REFUSED(r->logits = NULL, LOCO_EARG, "logits");
    REFUSED(r->logits = nan; r->frames = 1, LOCO_EDATA, "value 1 of the logits");
    REFUSED(r->frame_rate = INFINITY, LOCO_EARG, "frames a second");
    REFUSED(r->marks = NULL, LOCO_EARG, "marks");
    r->marks = &mark, r->marks_len = 1;
#define MARKED(change, status, words) \
    REFUSED(mark = drums->marks[0]; change; r->marks = &mark; r->marks_len = 1, status, words)
    MARKED(mark.time = NAN, LOCO_EDATA, "mark 0");
    MARKED(mark.kind = 3, LOCO_EDATA, "class 3");
    MARKED(mark.probability = -0.1, LOCO_EDATA, "-0.1");
    MARKED(mark.verdict = (lc_page_verdict)9, LOCO_EARG, "verdict 9");
    REFUSED(page.curve = &(lc_curve){0}, LOCO_EARG, "curve");
    CHECK_STR(out.bytes, "before");
    lc_text_free(&out);
}

static void well_formed_and_the_same(void)
{
    lc_page page;
    lc_page_recording recordings[3];
    fill(&page, recordings, false);
    lc_text one = page_text(&page), two = page_text(&page);
    CHECK_STR(one.bytes, two.bytes);
    CHECK(elements_of(one.bytes) > 300);
    CHECK(strstr(one.bytes, "http://") == strstr(one.bytes, "http://www.w3.org/2000/svg"));
    CHECK(strstr(one.bytes, "https://") == NULL && strstr(one.bytes, "@import") == NULL);
    CHECK(strstr(one.bytes, "default-src 'none'") != NULL);
    CHECK(strstr(one.bytes, "<b>67</b> hits") != NULL && strstr(one.bytes, "0:03.0 to 0:33.0 of 0:38.0") != NULL);
    lc_text_free(&one);
    lc_text_free(&two);
    page = (lc_page){.title = ""};
    one = page_text(&page);
    CHECK(elements_of(one.bytes) > 5);
    lc_text_free(&one);
}

/* Names that try to be markup change no element: as many as with plain names, and none of their own. */
static void names_stay_names(void)
{
    static const char evil[] = "</title></script><script>alert(1)</script>'\" onload='x' &amp; \xff\xc0\xbc";
    const char *const evils[] = {evil, evil, evil, evil, evil, evil, evil};
    lc_page page;
    lc_page_recording recordings[3];
    fill(&page, recordings, false);
    recordings[1].note = "x";
    recordings[2].note = "x";
    lc_text plain_page = page_text(&page);
    lc_page_card card = {evil, evil, evil, 0.5};
    const lc_page_table wild = {evil, evils, 7, (const char *const *)evils, 1};
    page.title = evil;
    page.summary = page.classes = evils;
    page.tables = &wild;
    page.cards = &card;
    page.cards_len = 1;
    for (size_t i = 0; i < 3; i++)
        recordings[i].name = recordings[i].note = evil;
    lc_text evil_page = page_text(&page);
    CHECK(elements_of(evil_page.bytes) > 100);
    CHECK(strstr(evil_page.bytes, "alert(1)</script>") == NULL && strstr(evil_page.bytes, "onload='x'") == NULL);
    CHECK_EQ(count_of(evil_page.bytes, "<script"), count_of(plain_page.bytes, "<script"));
    CHECK_EQ(count_of(evil_page.bytes, "</script"), count_of(plain_page.bytes, "</script"));
    CHECK(strstr(evil_page.bytes, "&lt;/title&gt;") != NULL);
    lc_text_free(&plain_page);
    lc_text_free(&evil_page);
}

/* A page with many classes: one event of each, class k at 0.1 (k + 1) s. */
enum { MANY_K = 40, MANY_T = 50 };

typedef struct many_page {
    float logits[MANY_T * MANY_K];
    char names[MANY_K][16];
    const char *classes[MANY_K];
    lc_page_mark marks[MANY_K];
    lc_page_recording recording;
    lc_page page;
} many_page;

static void fill_many(many_page *m)
{
    for (size_t k = 0; k < MANY_K; k++) {
        snprintf(m->names[k], sizeof m->names[k], "class %zu", k);
        m->classes[k] = m->names[k];
        m->marks[k] = (lc_page_mark){0.1 * (double)(k + 1), k, 1, k % 4 == 0 ? LC_PAGE_MISS : LC_PAGE_HIT, 0, 0, 0};
        for (size_t t = 0; t < MANY_T; t++)
            m->logits[t * MANY_K + k] = t == k + 1 ? 3 : -5;
    }
    m->recording = (lc_page_recording){
        .name = "x", .logits = m->logits, .frames = MANY_T, .frame_rate = 10, .marks = m->marks, .marks_len = MANY_K};
    m->page = (lc_page){
        .title = "x", .classes = m->classes, .classes_len = MANY_K, .recordings = &m->recording, .recordings_len = 1};
}

/* Many classes share one lane, and each has its words and its marks. */
static void many_classes(void)
{
    static many_page m;
    fill_many(&m);
    lc_text out = page_text(&m.page);
    CHECK_EQ(count_of(out.bytes, "</b> <span>"), MANY_K);
    CHECK(strstr(out.bytes, "\"roll\":{\"columns\":50,\"rows\":40,") != NULL);
    CHECK(strstr(out.bytes, "\"lanes\":[]") != NULL && strstr(out.bytes, "[4,39,1,1,") != NULL);
    CHECK(strstr(out.bytes, "count so far") == NULL && strstr(out.bytes, "Each class has a row") != NULL);
    lc_text_free(&out);
    m.page.classes_len = LC_PAGE_MOST_LANES; /* few enough for a lane each */
    m.recording.marks_len = 0;
    out = page_text(&m.page);
    CHECK(strstr(out.bytes, "\"roll\"") == NULL && strstr(out.bytes, "Each class has a lane") != NULL);
    lc_text_free(&out);
}

/* ---- a piano ---- */

enum { KEYS = 88, LOWEST_KEY = 21, KEY_SECONDS = 24, KEY_MARKS = 600, KEY_RATE = 16000 };

typedef struct piano_page {
    float logits[KEY_SECONDS * 10 * KEYS], samples[KEY_SECONDS * KEY_RATE];
    char names[KEYS][4];
    const char *classes[KEYS];
    lc_page_mark marks[KEY_MARKS];
    size_t marks_len;
    lc_page_recording recording;
    lc_page page;
} piano_page;

static void add_note(piano_page *p, lc_rng *rng, double time, unsigned pitch, double length)
{
    double draw = lc_rng_uniform(rng), velocity = 30 + 70 * lc_rng_uniform(rng), f0 = 440 * exp2((pitch - 69.0) / 12);
    for (size_t i = (size_t)(time * KEY_RATE); i < (size_t)((time + length) * KEY_RATE); i++) {
        double t = (double)i / KEY_RATE - time;
        p->samples[i % (KEY_SECONDS * KEY_RATE)] += (float)(velocity / 2000 * exp(-2 * t) *
                                                            sin(2 * EXAMPLE_PI * f0 * t));
    }
    if (p->marks_len < KEY_MARKS)
        p->marks[p->marks_len++] = (lc_page_mark){.time = time,
                                                  .kind = pitch - LOWEST_KEY,
                                                  .probability = 0.9,
                                                  .verdict = draw < 0.06   ? LC_PAGE_MISS
                                                             : draw < 0.11 ? LC_PAGE_FALSE_ALARM
                                                                           : LC_PAGE_HIT,
                                                  .reference = time,
                                                  .end = time + length,
                                                  .velocity = round(velocity)};
}

/* A bass, broken chords and a melody. */
static void fill_piano(piano_page *p)
{
    static const unsigned chords[4][4] = {
        {36, 52, 55, 60},
        {33, 52, 57, 60},
        {41, 53, 57, 60},
        {43, 53, 55, 59}
    };
    lc_rng rng = lc_rng_seed(4);
    for (size_t k = 0; k < KEYS; k++) {
        snprintf(p->names[k], sizeof p->names[k], "%d", (int)(LOWEST_KEY + k));
        p->classes[k] = p->names[k];
    }
    for (size_t i = 0; i < KEY_SECONDS * 10 * KEYS; i++)
        p->logits[i] = -6;
    for (size_t eighth = 0; eighth < 4 * KEY_SECONDS - 8; eighth++) {
        const unsigned *chord = chords[eighth / 8 % 4];
        double time = 0.3 + 0.25 * (double)eighth;
        if (eighth % 8 == 0)
            add_note(p, &rng, time, chord[0], 1.8);
        add_note(p, &rng, time, chord[1 + eighth % 3], 0.24);
        if (lc_rng_uniform(&rng) < 0.5)
            add_note(p, &rng, time, chord[1 + eighth % 3] + 12 + 12 * (unsigned)(eighth % 5 == 0),
                     0.2 + lc_rng_uniform(&rng));
    }
    p->recording = (lc_page_recording){.name = "Prelude.flac",
                                       .samples = p->samples,
                                       .samples_len = KEY_SECONDS * KEY_RATE,
                                       .rate = KEY_RATE,
                                       .logits = p->logits,
                                       .frames = KEY_SECONDS * 10,
                                       .frame_rate = 10,
                                       .marks = p->marks,
                                       .marks_len = p->marks_len};
    p->page = (lc_page){
        .title = "Piano", .classes = p->classes, .classes_len = KEYS, .recordings = &p->recording, .recordings_len = 1};
}

/* Notes are bars: their ends and velocities are in the data, and the words are about them. */
static void pitches_are_a_piano_roll(void)
{
    static piano_page p;
    fill_piano(&p);
    lc_text out = page_text(&p.page);
    CHECK(strstr(out.bytes, "\"rows\":88,\"pitched\":1") != NULL);
    CHECK(strstr(out.bytes, "Each key of the piano has a row") != NULL);
    CHECK(strstr(out.bytes, "Ends of notes are estimates.") != NULL && strstr(out.bytes, "A dashed frame") != NULL);
    CHECK(strstr(out.bytes, "Each class has a row") == NULL);
    lc_text_free(&out);
    p.marks[3].velocity = 128;
    CHECK_STATUS(lc_page_write(&out, &p.page, &err), LOCO_EDATA);
    CHECK(strstr(err.text, "mark 3 ends at") != NULL);
    lc_text_free(&out);
}

static int write_example(const char *path, const char *which)
{
    static piano_page piano;
    bool many = strcmp(which, "many") == 0, keys = strcmp(which, "piano") == 0;
    static many_page m;
    lc_page page;
    lc_page_recording recordings[3];
    lc_text out = {0};
    fill(&page, recordings, true);
    fill_many(&m);
    fill_piano(&piano);
    loco_status status = lc_page_write(&out, keys ? &piano.page : many ? &m.page : &page, &err);
    if (status == LOCO_OK)
        status = lc_file_save(path, out.bytes, out.length, &err);
    lc_text_free(&out);
    if (status != LOCO_OK)
        fprintf(stderr, "%s\n", err.text);
    return status == LOCO_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    drums = example_new(7, 12, true);
    plain = example_new(8, 38, false);
    example_curve_fill(&curve);
    int verdict;
    if (argc > 1) {
        verdict = write_example(argv[1], argc > 2 ? argv[2] : "");
    } else {
        RUN(wrong_html_is_refused);
        RUN(wrong_arguments);
        RUN(well_formed_and_the_same);
        RUN(names_stay_names);
        RUN(many_classes);
        RUN(pitches_are_a_piano_roll);
        verdict = check_done();
    }
    example_free(drums);
    example_free(plain);
    return verdict;
}
