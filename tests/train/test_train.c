/* SPDX-License-Identifier: MIT
 * test_train.c - training from end to end on a tiny set: bits that depend on nothing but the recipe, interrupted runs,
 *   what is kept and what is refused. */
#include "train_cases.h"

#include "model/model.h"
#include "train/journal.h"

enum { NAME = 256 };

/* The sanitizers see in fewer steps what they would see in many. */
static bool in_full(void)
{
    const char *sanitizers = getenv("LOCO_SANITIZE");
    return sanitizers == NULL || *sanitizers == '\0';
}

/* ---- helpers ---- */

/* A run's paths, in memory that stays. */
typedef struct paths {
    char data[NAME], model[NAME];
} paths;

static run_case training_of(paths *p, const char *data, const char *model)
{
    snprintf(p->data, sizeof p->data, "%s", run_path(data));
    snprintf(p->model, sizeof p->model, "%s", run_path(model));
    return run_training(p->data, p->model);
}

/* Trains `data` into `model` with settings on top of the tiny ones. */
static void train(const char *data, const char *model, unsigned threads, const char *const *sets, size_t sets_len)
{
    paths p = {"", ""};
    const char *all[RUN_TINY + 8];
    run_case training = training_of(&p, data, model);
    memcpy(all, run_tiny, sizeof run_tiny);
    for (size_t i = 0; i < sets_len && i < 8; i++)
        all[RUN_TINY + i] = sets[i];
    training.how.sets = all;
    training.how.sets_len = RUN_TINY + sets_len;
    training.how.threads = threads;
    run_train(&training);
}

static void refuse(const run_case *training, loco_status want, const char *says)
{
    bool finished = true;
    loco_err err = {""};
    CHECK_STATUS(loco_train(&finished, training->model, training->data, &training->how, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(finished); /* untouched */
}

static bool exists(const char *name)
{
    return access(run_path(name), F_OK) == 0;
}

/* ---- refused ---- */

static bool never(void *context, const loco_train_state *state)
{
    (void)state;
    *(bool *)context = true;
    return true;
}

static void wrong_targets_are_refused_at_once(void)
{
    loco_err err;
    paths p = {"", ""};
    bool stepped = false;
    run_case training = training_of(&p, "drums", "no/such/m.loco");
    training.how.progress = never;
    training.how.context = &stepped;
    refuse(&training, LOCO_EIO, "no/such/m.loco cannot be written");
    training.model = NULL;
    refuse(&training, LOCO_EARG, "a path for the model");
    training = training_of(&p, "drums", "drums"); /* a folder */
    training.how.progress = never;
    training.how.context = &stepped;
    refuse(&training, LOCO_EIO, "drums cannot be written");
    training = training_of(&p, "drums", "refused.loco");
    training.how.progress = never;
    training.how.context = &stepped;
    training.how.log = "/no/such/log.jsonl";
    refuse(&training, LOCO_EIO, "/no/such/log.jsonl cannot be written");
    training.how.log = NULL;
    CHECK_STATUS(loco_plot_training("/no/such/curve.svg", "/no/such/log.jsonl", NULL, &err), LOCO_EDATA);
    CHECK_STR(err.text, "/no/such/log.jsonl holds no validation: nothing to draw");
    training.how.resume = true;
    refuse(&training, LOCO_EIO, "refused.loco.checkpoint");
    training.data = NULL;
    refuse(&training, LOCO_EARG, "a data set");
    CHECK(!stepped);
    CHECK(!exists("refused.loco"));
}

/* ---- the same bits ---- */

static void threads_change_no_bit(void)
{
    static const char *const sets[] = {"mix=0.3", "speed=0.1"};
    train("drums", "one.loco", 1, sets, 2);
    train("drums", "two.loco", 2, sets, 2);
    CHECK(run_same_files("one.loco", "two.loco"));
    CHECK(run_same_files("one.loco.checkpoint", "two.loco.checkpoint"));
    static const char *const other[] = {"mix=0.3", "speed=0.1", "seed=2"};
    train("drums", "other.loco", 2, other, 3);
    CHECK(!run_same_files("one.loco", "other.loco"));
}

/* The weights of two models agree in every bit, whatever else the files say. */
static bool same_weights(const char *a, const char *b)
{
    lc_model_file *x = NULL, *y = NULL;
    CHECK_STATUS(lc_model_file_load(run_path(a), &x, NULL), LOCO_OK);
    CHECK_STATUS(lc_model_file_load(run_path(b), &y, NULL), LOCO_OK);
    bool same = x != NULL && y != NULL && x->net.params == y->net.params &&
                case_same(x->params, y->params, x->net.params * sizeof(float));
    lc_model_file_free(x);
    lc_model_file_free(y);
    return same;
}

/* An auxiliary class is trained as before, and the saved model does not report it; a run resumes as if it did. */
static void classes_may_be_auxiliary(void)
{
    static const char *const sets[] = {"aside=hihat"};
    lc_model_file *x = NULL, *y = NULL;
    train("drums", "all.loco", 1, NULL, 0);
    train("drums", "fewer.loco", 2, sets, 1);
    CHECK_STATUS(lc_model_file_load(run_path("all.loco"), &x, NULL), LOCO_OK);
    CHECK_STATUS(lc_model_file_load(run_path("fewer.loco"), &y, NULL), LOCO_OK);
    CHECK(x->info.classes_len == 3 && y->info.classes_len == 2);
    CHECK_STR(y->info.classes[1], "snare");
    const lc_layer *last = &x->net.layers[x->net.layers_len - 1];
    CHECK(case_same(x->params, y->params, last->params.at * sizeof(float)));
    for (size_t row = 0; row < last->params.size / 3; row++)
        CHECK(
            case_same(x->params + last->params.at + row * 3, y->params + last->params.at + row * 2, 2 * sizeof(float)));
    lc_model_file_free(x);
    lc_model_file_free(y);
    paths p = {"", ""};
    run_case training = training_of(&p, "drums", "none.loco");
    training.how.sets = (const char *const[]){"aside=kick"};
    training.how.sets_len = 1;
    refuse(&training, LOCO_EARG, "last 1 columns");
}

/* Times score, and teach nothing: the whole file is the same without them. */
static void times_teach_nothing(void)
{
    train("drums", "timed.loco", 1, NULL, 0);
    CHECK(rename(run_path("drums/events.csv"), run_path("kept.csv")) == 0);
    train("drums", "untimed.loco", 1, NULL, 0);
    run_write("drums/events.csv", "file,time,class\nrec_000.wav,0.5,kick\nrec_001.wav,0.25,hihat\n");
    train("drums", "mistimed.loco", 1, NULL, 0);
    CHECK(rename(run_path("kept.csv"), run_path("drums/events.csv")) == 0);
    CHECK(same_weights("timed.loco", "untimed.loco"));
    CHECK(run_same_files("timed.loco", "untimed.loco"));
    CHECK(run_same_files("timed.loco", "mistimed.loco"));
}

/* With supervised=1 they do teach. */
static void times_teach_when_asked(void)
{
    static const char *const sets[] = {"supervised=1"};
    train("drums", "taught.loco", 2, sets, 1);
    CHECK(!same_weights("timed.loco", "taught.loco"));
    loco_model *model = NULL;
    CHECK_STATUS(loco_model_load(&model, run_path("taught.loco"), NULL), LOCO_OK);
    CHECK_SAYS(lc_model_text(model, "data"), "learned from event times");
    CHECK_SAYS(lc_model_text(model, "recipe"), "supervised=1\n");
    loco_model_free(model);
}

/* A share of the recordings by times, and counts by regression: other weights each, and the file says which. */
static void other_lessons_are_reported(void)
{
    static const char *const sets[][1] = {{"supervised=0.5"}, {"loss=squared"}, {"loss=poisson"}};
    static const char *const says[] = {"learned from counts and event times", "learned from counts by squared error",
                                       "learned from counts by Poisson regression"};
    for (size_t i = 0; i < 3; i++) {
        loco_model *model = NULL;
        train("drums", "other.loco", 2, sets[i], 1);
        CHECK(!same_weights("timed.loco", "other.loco"));
        train("drums", "twin.loco", 1, sets[i], 1);
        CHECK(run_same_files("twin.loco", "other.loco"));
        CHECK_STATUS(loco_model_load(&model, run_path("other.loco"), NULL), LOCO_OK);
        CHECK_SAYS(lc_model_text(model, "data"), says[i]);
        loco_model_free(model);
    }
}

/* ---- interrupted ---- */

typedef struct stop {
    uint64_t at, first, calls;
    loco_train_state last;
} stop;

static bool stop_at(void *context, const loco_train_state *state)
{
    stop *s = context;
    s->first = s->calls++ == 0 ? state->step : s->first;
    s->last = *state;
    return state->step != s->at;
}

/* Runs to step `at`, 0: to the end, with settings on top of the tiny ones. */
static void run_with(const char *model, uint64_t at, bool resume, const char *const *sets, size_t sets_len, stop *s)
{
    paths p = {"", ""};
    bool finished = false;
    loco_err err = {""};
    const char *all[RUN_TINY + 8];
    run_case training = training_of(&p, "drums", model);
    memcpy(all, run_tiny, sizeof run_tiny);
    for (size_t i = 0; i < sets_len && i < 8; i++)
        all[RUN_TINY + i] = sets[i];
    training.how.sets = all;
    training.how.sets_len = RUN_TINY + sets_len;
    *s = (stop){.at = at};
    training.how.progress = stop_at;
    training.how.context = s;
    training.how.resume = resume;
    training.how.threads = resume ? 2 : 1;
    CHECK_STATUS(loco_train(&finished, training.model, training.data, &training.how, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK(finished == (at == 0));
}

static void run_until(const char *model, uint64_t at, bool resume, stop *s)
{
    run_with(model, at, resume, NULL, 0, s);
}

/* Before, at and behind a validation; and twice. */
static void stopped_runs_end_with_the_same_bits(void)
{
    static const uint64_t stops[] = {1, 4, 6};
    stop s;
    for (size_t i = CASE_SLOW ? 2 : 0; i < 3; i++) {
        char name[32], checkpoint[48];
        snprintf(name, sizeof name, "stop%u.loco", (unsigned)stops[i]);
        snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", name);
        run_until(name, stops[i], false, &s);
        CHECK_EQ((size_t)s.last.step, (size_t)stops[i]);
        CHECK(exists(checkpoint));
        CHECK(exists(name) == (stops[i] >= 4)); /* the first validation is at 4 */
        if (stops[i] == 1) {
            run_until(name, 3, true, &s);
            CHECK_EQ((size_t)s.first, 2);
        }
        run_until(name, 0, true, &s);
        CHECK_EQ((size_t)s.last.step, 8);
        CHECK(s.last.validated && s.last.held_loss >= 0);
        CHECK(run_same_files(name, "timed.loco"));
        CHECK(run_same_files(checkpoint, "timed.loco.checkpoint"));
        run_until(name, 0, true, &s); /* there is nothing left to do */
        CHECK_EQ((size_t)s.calls, 0);
        CHECK(run_same_files(name, "timed.loco"));
    }
}

static void refuse_resumed(const char *set, const char *says)
{
    paths p = {"", ""};
    const char *all[RUN_TINY + 1];
    run_case training = training_of(&p, "drums", "stop6.loco");
    memcpy(all, run_tiny, sizeof run_tiny);
    all[RUN_TINY] = set;
    training.how.sets = all;
    training.how.sets_len = RUN_TINY + 1;
    training.how.resume = true;
    refuse(&training, LOCO_EARG, "other settings");
    refuse(&training, LOCO_EARG, says);
}

static void other_settings_are_not_resumed(void)
{
    refuse_resumed("rate=0.002", "rate=0.003");
    refuse_resumed("steps=9", "steps=8");
    refuse_resumed("network=gru 8", "network=conv");
    refuse_resumed("frontend.gain=20", "gain=44");
    refuse_resumed("frontend.bands=25", "bands=24");
    CHECK(run_same_files("stop6.loco", "timed.loco"));
}

/* One class renamed, one count changed, one clip less. */
static void other_data_are_not_resumed(void)
{
    size_t length = 0;
    static char counts[1 << 16];
    char *file = run_read("drums/counts.csv", &length);
    length = length < sizeof counts - 1 ? length : sizeof counts - 1;
    memcpy(counts, file, length);
    free(file);
    paths p = {"", ""};
    run_case training = training_of(&p, "drums", "stop6.loco");
    training.how.resume = true;
    char *name = strstr(counts, "snare"), *cell = strchr(counts, '\n');
    CHECK(name != NULL);
    name[0] = 'S';
    CHECK_STATUS(lc_file_save(run_path("drums/counts.csv"), counts, length, NULL), LOCO_OK);
    CHECK(rename(run_path("drums/events.csv"), run_path("kept.csv")) == 0); /* it knows no Snare, and teaches nothing */
    refuse(&training, LOCO_EARG, "was made with other data (classes kick,snare,hihat)");
    name[0] = 's';
    cell = strchr(cell + 1, '\n') - 1; /* the last digit of the first row */
    char digit = *cell;
    *cell = digit == '9' ? '8' : (char)(digit + 1);
    CHECK_STATUS(lc_file_save(run_path("drums/counts.csv"), counts, length, NULL), LOCO_OK);
    refuse(&training, LOCO_EARG, "of hihat in clips)");
    *cell = digit;
    size_t last = (size_t)(strrchr(counts, 'r') - counts); /* "rec_003.wav,..." */
    CHECK_STATUS(lc_file_save(run_path("drums/counts.csv"), counts, last, NULL), LOCO_OK);
    refuse(&training, LOCO_EARG, " clips)");
    CHECK_STATUS(lc_file_save(run_path("drums/counts.csv"), counts, length, NULL), LOCO_OK);
    stop s;
    run_until("stop6.loco", 0, true, &s); /* without times it is the same data */
    CHECK(rename(run_path("kept.csv"), run_path("drums/events.csv")) == 0);
}

/* ---- what is kept ---- */

/* Far too fast to learn: the best comes early. */
static const char *const wild[] = {"steps=12", "check=2", "rate=0.5", "clip=0", "average=0", "held=0.5"};

/* The model holds the step with the lowest held-out loss of the log, not the last. */
static void the_best_is_kept(void)
{
    lc_journal journal = {0};
    size_t best = 0;
    train("drums", "wild.loco", 2, wild, 6);
    CHECK_STATUS(lc_journal_load(&journal, run_path("wild.loco.jsonl"), 1e9, NULL), LOCO_OK);
    CHECK_EQ(journal.len, 6);
    for (size_t i = 1; i < journal.len; i++)
        best = journal.entries[i].held_loss < journal.entries[best].held_loss ? i : best;
    for (size_t i = 0; i < journal.len; i++) {
        const lc_journal_entry *e = &journal.entries[i];
        printf("    step %2.0f: held-out loss %.4f%s\n", e->step, e->held_loss, i == best ? ", the best" : "");
        CHECK(e->held_hit >= 0 && e->held_hit <= 1 && e->f1_50 >= 0 && e->f1_20 >= 0 && e->f1_50 <= 1);
    }
    CHECK(best == 1); /* of six: what follows stops behind it */
    char words[48];
    snprintf(words, sizeof words, "best_step=%.0f", journal.entries[best].step);
    loco_model *model = NULL;
    CHECK_STATUS(loco_model_load(&model, run_path("wild.loco"), NULL), LOCO_OK);
    CHECK_SAYS(lc_model_text(model, "progress"), words);
    loco_model_free(model);
    lc_journal_free(&journal);
    /* a run that goes on remembers how good the best was, and the log goes on too */
    stop s;
    run_with("resumed.loco", 7, false, wild, 6, &s);
    run_with("resumed.loco", 0, true, wild, 6, &s);
    CHECK(run_same_files("wild.loco", "resumed.loco"));
    CHECK(run_same_files("wild.loco.checkpoint", "resumed.loco.checkpoint"));
    lc_journal whole = {0};
    CHECK_STATUS(lc_journal_load(&journal, run_path("resumed.loco.jsonl"), 1e9, NULL), LOCO_OK);
    CHECK_STATUS(lc_journal_load(&whole, run_path("wild.loco.jsonl"), 1e9, NULL), LOCO_OK);
    CHECK_EQ(journal.len, 6);
    for (size_t i = 0; i < journal.len && i < whole.len; i++) /* smoothed over the break */
        CHECK(journal.entries[i].loss == whole.entries[i].loss &&
              journal.entries[i].count_hit == whole.entries[i].count_hit);
    lc_journal_free(&journal);
    lc_journal_free(&whole);
}

static void log_and_curve_are_written(void)
{
    loco_err err;
    paths p = {"", ""};
    char log[NAME], curve[NAME];
    lc_text notices = {0};
    size_t length = 0;
    run_case training = training_of(&p, "drums", "logged.loco");
    snprintf(log, sizeof log, "%s", run_path("here.jsonl"));
    snprintf(curve, sizeof curve, "%s", run_path("here.svg"));
    training.how.log = log;
    training.how.notice = run_note;
    training.how.context = &notices;
    run_train(&training);
    CHECK_STATUS(loco_plot_training("/no/such/curve.svg", log, NULL, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "/no/such/curve.svg");
    CHECK_STATUS(loco_plot_training(curve, log, "drums", NULL), LOCO_OK);
    char *bytes = run_read("here.svg", &length);
    CHECK_SAYS(bytes, "<svg");
    free(bytes);
    bytes = run_read("here.jsonl", &length);
    CHECK_SAYS(bytes, "{\"step\":8,");
    free(bytes);
    CHECK(!exists("logged.loco.jsonl"));
    CHECK_SAYS(notices.bytes, "1 of 4 recordings are held out");
    CHECK_SAYS(notices.bytes, "kick: offset");
    CHECK(run_same_files("logged.loco", "timed.loco"));
    training.how.no_calibration = true;
    run_train(&training);
    loco_model *model = NULL;
    CHECK_STATUS(loco_model_load(&model, p.model, NULL), LOCO_OK);
    for (size_t k = 0; k < 3; k++)
        CHECK(model->offsets[k] >= 0 && model->offsets[k] <= 0 && model->thresholds[k] == model->decoding.threshold);
    loco_model_free(model);
    lc_text_free(&notices);
}

/* Without anything held out the last step is what is kept. */
static void without_validation_the_last_is_kept(void)
{
    static const char *const sets[] = {"held=0"};
    train("drums", "unheld.loco", 1, sets, 1);
    loco_model *model = NULL;
    CHECK_STATUS(loco_model_load(&model, run_path("unheld.loco"), NULL), LOCO_OK);
    CHECK_SAYS(lc_model_text(model, "progress"), "best_step=8");
    loco_model_free(model);
}

/* Trains with a decoding of the recipe's own, which becomes the model's; what was said about it. */
static lc_text decoded(const char *decoding, double threshold)
{
    paths p = {"", ""};
    lc_text notices = {0};
    const char *sets[RUN_TINY + 1];
    run_case training = training_of(&p, "drums", "decoded.loco");
    loco_model *model = NULL;
    memcpy(sets, run_tiny, sizeof run_tiny);
    sets[RUN_TINY] = decoding;
    training.how.sets = sets;
    training.how.sets_len = RUN_TINY + 1;
    training.how.notice = run_note;
    training.how.context = &notices;
    run_train(&training);
    CHECK_STATUS(loco_model_load(&model, run_path("decoded.loco"), NULL), LOCO_OK);
    CHECK_NEAR(model->decoding.window, 0, 0);
    CHECK_NEAR(model->decoding.gap, 0.01, 1e-9);
    CHECK_NEAR(model->decoding.threshold, threshold, 1e-9);
    CHECK_NEAR(model->thresholds[0], threshold, 1e-9); /* after so few steps nothing is found, and all stays */
    loco_model_free(model);
    return notices;
}

/* Calibration leaves a threshold that a decoding names alone, and otherwise looks for one. */
static void decodings_are_kept(void)
{
    lc_text named = decoded("decoding=mass window=0 threshold=0.42 gap=0.01", 0.42);
    CHECK_SAYS(named.bytes, "threshold 0.42 as set");
    lc_text_free(&named);
    lc_text other = decoded("decoding=mass window=0 gap=0.01", 0.3);
    CHECK_SAYS(other.bytes, "threshold 0.30 as before");
    lc_text_free(&other);
}

/* Counts that teach little are reported, and trained on all the same. */
static void odd_counts_give_notices(void)
{
    paths p = {"", ""};
    lc_text notices = {0};
    CHECK(mkdir(run_path("odd"), 0777) == 0);
    run_bursts("odd/r.wav", 22050, 4, (const double[]){0.5, 1.5, 2.5, 3.5}, 4);
    run_write("odd/counts.csv",
              "file,start,end,all,none\nr.wav,0,1,1,0\nr.wav,1,2,1,0\nr.wav,2,3,1,0\nr.wav,3,4,1,0\n");
    run_case training = training_of(&p, "odd", "odd.loco");
    training.how.notice = run_note;
    training.how.context = &notices;
    run_train(&training);
    CHECK_SAYS(notices.bytes, "class \"all\": all 4 counts are 1");
    CHECK_SAYS(notices.bytes, "class \"none\": it is never present");
    lc_text_free(&notices);
}

/* ---- it learns ---- */

static bool remember(void *context, const loco_train_state *state)
{
    *(loco_train_state *)context = *state;
    return true;
}

/* Bursts in silence: within a few steps the counts are met, and held-out times with them. */
static void bursts_are_learnt(void)
{
    static const char *const sets[] = {
        "network=conv 3x5 8 stride 4 norm, dense 16 relu as d, gru 8, join d",
        "frontend.bands=24",
        "steps=100",
        "check=50",
        "batch=16",
        "warm_up=10",
        "rate=0.01",
        "held=0.3",
    };
    paths p = {"", ""};
    loco_train_state last = {0};
    lc_text counts = {0}, events = {0};
    lc_rng rng = lc_rng_seed(11);
    CHECK(mkdir(run_path("bursts"), 0777) == 0);
    lc_text_string(&counts, "file,start,end,burst\n");
    lc_text_string(&events, "file,time,class\n");
    for (unsigned r = 0; r < 4; r++) {
        double times[64];
        size_t n = 0, per[16] = {0};
        char name[32];
        double t = 0.1;
        for (; t < 7.8; n++) {
            times[n] = t;
            per[(size_t)(t / 0.5)]++;
            lc_text_format(&events, "%u.wav,", r);
            lc_text_number(&events, t, 6);
            lc_text_string(&events, ",burst\n");
            t += 0.15 + 0.4 * lc_rng_uniform(&rng);
        }
        for (unsigned i = 0; i < 16; i++)
            lc_text_format(&counts, "%u.wav,%u.%u,%u.%u,%zu\n", r, i / 2, i % 2 * 5, (i + 1) / 2, (i + 1) % 2 * 5,
                           per[i]);
        snprintf(name, sizeof name, "bursts/%u.wav", r);
        run_bursts(name, 22050, 8, times, n);
    }
    run_write("bursts/counts.csv", counts.bytes);
    run_write("bursts/events.csv", events.bytes);
    lc_text_free(&counts);
    lc_text_free(&events);
    run_case training = training_of(&p, "bursts", "bursts.loco");
    training.how.sets = sets;
    training.how.sets_len = 8;
    training.how.threads = 2;
    training.how.progress = remember;
    training.how.context = &last;
    run_train(&training);
    printf("    held out: loss %.4f, counts met %.3f, F1 %.3f within 50 ms, %.3f within 20 ms, %.1f s\n",
           last.held_loss, last.held_hit, last.held_f1[0], last.held_f1[1], last.seconds);
    CHECK(last.held_hit > 0.85);
    CHECK(last.held_f1[0] > 0.9);
    CHECK(last.held_f1[1] > 0.9);
    CHECK(last.held_loss < 1.1);
    /* and calibration at its end has looked at no times either */
    CHECK(unlink(run_path("bursts/events.csv")) == 0);
    training = training_of(&p, "bursts", "blind.loco");
    training.how.sets = sets;
    training.how.sets_len = 8;
    run_train(&training);
    CHECK(run_same_files("bursts.loco", "blind.loco"));
    loco_model *model = NULL;
    CHECK_STATUS(loco_model_load(&model, run_path("blind.loco"), NULL), LOCO_OK);
    CHECK(fabs(model->offsets[0]) > 1e-5 && fabs(model->offsets[0]) < 0.05); /* it did calibrate */
    loco_model_free(model);
}

int main(void)
{
    run_begin();
    run_drums("drums", 4, 3, 1);
    RUN(wrong_targets_are_refused_at_once);
    RUN(threads_change_no_bit);
    RUN(classes_may_be_auxiliary);
    RUN(times_teach_nothing);
    RUN(times_teach_when_asked);
    RUN(other_lessons_are_reported);
    RUN(stopped_runs_end_with_the_same_bits);
    RUN(other_settings_are_not_resumed);
    RUN(other_data_are_not_resumed);
    RUN(the_best_is_kept);
    RUN(log_and_curve_are_written);
    RUN(without_validation_the_last_is_kept);
    RUN(decodings_are_kept);
    RUN(odd_counts_give_notices);
    if (in_full())
        RUN(bursts_are_learnt);
    return run_done();
}
