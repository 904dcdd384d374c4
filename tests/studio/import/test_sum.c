/* SPDX-License-Identifier: MIT
 * test_sum.c - two sounds added: of other rates and lengths, loud ones unclipped; what fails leaves no file. */
#include "import_cases.h"

#include "signal/sound.h"
#include "studio/import/import.h"

static void failures_leave_nothing(void)
{
    loco_err err = {""};
    run_write("text.wav", "no sound");
    import_sound("a.wav", 1, 0.5f);
    CHECK(lc_import_sum(run_path("sum.wav"), run_path("none.wav"), run_path("a.wav"), &err) != LOCO_OK);
    CHECK_SAYS(err.text, "none.wav");
    CHECK_STATUS(lc_import_sum(run_path("sum.wav"), run_path("a.wav"), run_path("text.wav"), &err), LOCO_EDATA);
    CHECK_STATUS(lc_import_sum(run_path("none/sum.wav"), run_path("a.wav"), run_path("a.wav"), &err), LOCO_EIO);
    float bad[100] = {[50] = NAN};
    run_wav("bad.wav", 8000, bad, 100);
    CHECK_STATUS(lc_import_sum(run_path("sum.wav"), run_path("a.wav"), run_path("bad.wav"), &err), LOCO_EDATA);
    CHECK(access(run_path("sum.wav"), F_OK) != 0);
}

/* The sum of a value in all samples of both, checked where no edge is near. */
static void sums_are_right(void)
{
    float *x = NULL;
    size_t n = 0;
    double seconds = 0, rate = 0;
    float fast[32000];
    for (size_t i = 0; i < 32000; i++)
        fast[i] = 0.75f;
    run_wav("fast.wav", 16000, fast, 32000);
    CHECK_STATUS(lc_import_sum(run_path("sum.wav"), run_path("a.wav"), run_path("fast.wav"), NULL), LOCO_OK);
    CHECK_STATUS(lc_sound_length(run_path("sum.wav"), &seconds, &rate, NULL), LOCO_OK);
    CHECK_NEAR(seconds, 2, 0);
    CHECK_NEAR(rate, 8000, 0);
    CHECK_STATUS(lc_sound_load(run_path("sum.wav"), 0, INFINITY, 8000, &x, &n, NULL), LOCO_OK);
    CHECK_EQ(n, 16000);
    for (size_t i = 200; x != NULL && i < 7800; i += 100)
        CHECK_NEAR(x[i], 1.25, 1e-3);
    for (size_t i = 8200; x != NULL && i < 15800; i += 100)
        CHECK_NEAR(x[i], 0.75, 1e-3);
    free(x);
}

int main(void)
{
    run_begin();
    RUN(failures_leave_nothing);
    RUN(sums_are_right);
    return run_done();
}
