/* SPDX-License-Identifier: MIT
 * test_journal.c - the log of a run: there and back, cut at a step, and as a picture. */
#include "train_cases.h"

#include "train/journal.h"

static lc_journal_entry entry_at(double step)
{
    return (lc_journal_entry){
        step,  1.25,     0.5, step > 100 ? 0.75 : (double)NAN, 0.25,       0.375, 0.625, (double)NAN,
        0.125, step / 8, 1,   step > 100 ? 0.5 : (double)NAN,  (double)NAN};
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a >= b && a <= b);
}

static bool same_entry(const lc_journal_entry *a, const lc_journal_entry *b)
{
    return same(a->step, b->step) && same(a->loss, b->loss) && same(a->count_hit, b->count_hit) &&
           same(a->held_loss, b->held_loss) && same(a->held_hit, b->held_hit) && same(a->held_error, b->held_error) &&
           same(a->sharp, b->sharp) && same(a->f1_50, b->f1_50) && same(a->f1_20, b->f1_20) &&
           same(a->seconds, b->seconds) && same(a->kept, b->kept) && same(a->f1_8px, b->f1_8px) &&
           same(a->f1_4px, b->f1_4px);
}

static void entries_go_there_and_back(void)
{
    lc_journal journal = {0}, back = {0};
    loco_err err = {""};
    for (size_t i = 0; i < 200; i++) {
        lc_journal_entry e = entry_at(10.0 * (double)i);
        lc_journal_add(&journal, &e);
    }
    CHECK_STATUS(lc_journal_save(&journal, run_path("log.jsonl"), &err), LOCO_OK);
    CHECK_STATUS(lc_journal_load(&back, run_path("log.jsonl"), INFINITY, &err), LOCO_OK);
    CHECK_EQ(back.len, 200);
    for (size_t i = 0; i < back.len; i++)
        CHECK(same_entry(&back.entries[i], &journal.entries[i]));
    CHECK_STATUS(lc_journal_load(&back, run_path("log.jsonl"), 40, &err), LOCO_OK); /* replaces, up to the step */
    CHECK_EQ(back.len, 5);
    CHECK_NEAR(back.entries[4].step, 40, 0);
    CHECK_STATUS(lc_journal_load(&back, run_path("none.jsonl"), 40, &err), LOCO_OK);
    CHECK_EQ(back.len, 0);
    CHECK_STATUS(lc_journal_save(&back, run_path("log.jsonl"), &err), LOCO_OK); /* an empty file, not the old one */
    CHECK_STATUS(lc_journal_load(&back, run_path("log.jsonl"), INFINITY, &err), LOCO_OK);
    CHECK_EQ(back.len, 0);
    CHECK_STR(err.text, "");
    lc_journal_free(&journal);
    lc_journal_free(&back);
    lc_journal_free(&back);
}

static void a_line_is_as_promised(void)
{
    lc_journal journal = {0};
    size_t length = 0;
    lc_journal_add(&journal, &(lc_journal_entry){100, 1.832, 0.41, 1.9, 0.4, 0.31, 0.7, 0.62, 0.5, 4.1, 1, NAN, NAN});
    lc_journal_add(&journal, &(lc_journal_entry){200, 1.5, 0.5, NAN, NAN, NAN, NAN, NAN, NAN, 8, NAN, 0.25, 0.125});
    CHECK_STATUS(lc_journal_save(&journal, run_path("log.jsonl"), NULL), LOCO_OK);
    char *text = run_read("log.jsonl", &length);
    CHECK_STR(text, "{\"step\":100,\"loss\":1.832,\"count_hit\":0.41,\"held_loss\":1.9,\"held_hit\":0.4,"
                    "\"held_error\":0.31,\"sharp\":0.7,\"f1_50\":0.62,"
                    "\"f1_20\":0.5,\"seconds\":4.1,\"kept\":1}\n"
                    "{\"step\":200,\"loss\":1.5,\"count_hit\":0.5,\"seconds\":8,\"f1_8px\":0.25,\"f1_4px\":0.125}\n");
    free(text);
    lc_journal_free(&journal);
}

static void garbled_logs_are_reported(void)
{
    static const char *const garbled[] = {"{\"step\":1}\n{\"step\":", "nothing of the kind\n", "{\"step\":1}}\n"};
    lc_journal journal = {0};
    for (size_t i = 0; i < 3; i++) {
        loco_err err = {""};
        run_write("bad.jsonl", garbled[i]);
        CHECK_STATUS(lc_journal_load(&journal, run_path("bad.jsonl"), INFINITY, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "bad.jsonl");
    }
    loco_err err = {""};
    CHECK_STATUS(lc_journal_save(&journal, run_path("no/such.jsonl"), &err), LOCO_EIO);
    CHECK_SAYS(err.text, "no/such.jsonl");
    /* words where numbers belong are unknown numbers, and no entry at all */
    run_write("odd.jsonl", "{\"step\":\"one\",\"loss\":2}\n{\"step\":3,\"loss\":\"much\"}\n");
    CHECK_STATUS(lc_journal_load(&journal, run_path("odd.jsonl"), INFINITY, &err), LOCO_OK);
    CHECK_EQ(journal.len, 1);
    CHECK(isnan(journal.entries[0].loss));
    lc_journal_free(&journal);
}

static void pictures_show_what_is_known(void)
{
    lc_journal journal = {0};
    loco_err err = {""};
    size_t length = 0;
    char log[512], picture[512];
    snprintf(log, sizeof log, "%s", run_path("drawn.jsonl"));
    snprintf(picture, sizeof picture, "%s", run_path("p.svg"));
    CHECK_STATUS(lc_journal_save(&journal, log, &err), LOCO_OK);
    CHECK_STATUS(loco_plot_training(picture, log, "t", &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "holds no validation");
    CHECK(access(run_path("p.svg"), F_OK) != 0);
    for (size_t i = 1; i < 9; i++) {
        lc_journal_entry e = entry_at(50.0 * (double)i);
        lc_journal_add(&journal, &e);
    }
    CHECK_STATUS(lc_journal_save(&journal, log, &err), LOCO_OK);
    CHECK_STATUS(loco_plot_training(picture, log, "a <title>", &err), LOCO_OK);
    char *text = run_read("p.svg", &length);
    CHECK_SAYS(text, "<svg");
    CHECK_SAYS(text, "a &lt;title&gt;");
    CHECK_SAYS(text, "held out");
    CHECK_SAYS(text, "counts met");
    CHECK_SAYS(text, "F1 at 20 ms");
    CHECK(strstr(text, "F1 at 50 ms") == NULL); /* it is not known */
    free(text);
    lc_journal_free(&journal);
}

int main(void)
{
    run_begin();
    RUN(entries_go_there_and_back);
    RUN(a_line_is_as_promised);
    RUN(garbled_logs_are_reported);
    RUN(pictures_show_what_is_known);
    return run_done();
}
