/* SPDX-License-Identifier: MIT
 * test_plot_runs.c - logs of several runs in one picture: methods by name, means and bands, what is refused. */
#include "train_cases.h"

static void refuse(const loco_run *runs, size_t n, loco_status want, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(loco_plot_runs(run_path("no.svg"), runs, n, NULL, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(access(run_path("no.svg"), F_OK) != 0);
}

static void mistakes_are_reported(void)
{
    loco_run runs[7];
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
    run_write("a.jsonl", "{\"step\":10,\"f1_50\":0.5}\n");
    run_write("empty.jsonl", "");
    run_write("bad.jsonl", "step 10\n");
    run_write("blind.jsonl", "{\"step\":10,\"loss\":0.5}\n");
    run_write("early.jsonl", "{\"step\":-1,\"f1_50\":0.5}\n");
    refuse(NULL, 0, LOCO_EARG, "at least one log");
    refuse(&(loco_run){"x", run_path("missing.jsonl")}, 1, LOCO_EDATA, "holds no validation");
    refuse(&(loco_run){"x", run_path("empty.jsonl")}, 1, LOCO_EDATA, "holds no validation");
    refuse(&(loco_run){"x", run_path("bad.jsonl")}, 1, LOCO_EDATA, "bad.jsonl");
    refuse(&(loco_run){"x", run_path("blind.jsonl")}, 1, LOCO_EDATA, "nothing to draw");
    refuse(&(loco_run){"x", run_path("early.jsonl")}, 1, LOCO_EDATA, "no step");
    for (size_t i = 0; i < 7; i++)
        runs[i] = (loco_run){names[i], run_path("a.jsonl")};
    refuse(runs, 7, LOCO_EARG, "more than 6 names");
}

/* x: two runs, 0.2 and 0.6 at step 100, one of them alone at 200; y: one run. */
static void runs_of_a_name_are_a_line(void)
{
    size_t length = 0;
    loco_err err = {""};
    run_write("1.jsonl", "{\"step\":0,\"f1_50\":0}\n{\"step\":100,\"f1_50\":0.2}\n{\"step\":200,\"f1_50\":1}\n");
    run_write("2.jsonl", "{\"step\":0,\"f1_50\":0}\n{\"step\":100,\"f1_50\":0.6}\n");
    loco_run runs[] = {
        {"x", run_path("1.jsonl")},
        {"y", run_path("1.jsonl")},
        {"x", run_path("2.jsonl")}
    };
    CHECK_STATUS(loco_plot_runs(run_path("c.svg"), runs, 3, "two <ways>", &err), LOCO_OK);
    CHECK_STR(err.text, "");
    char *text = run_read("c.svg", &length);
    CHECK_SAYS(text, "two &lt;ways&gt;");
    CHECK_SAYS(text, "M72 268L436 205.6L800 112'"); /* the mean, 0.4 on the way */
    CHECK_SAYS(text, "M72 268L436 236.8L800 112'"); /* y */
    CHECK_SAYS(text, "M72 268L436 174.4L800 112L800 112L436 236.8L72 268z");
    CHECK_SAYS(text, "from the least to the largest");
    CHECK(strstr(text, "20 ms") == NULL);
    free(text);
}

int main(void)
{
    run_begin();
    RUN(mistakes_are_reported);
    RUN(runs_of_a_name_are_a_line);
    return run_done();
}
