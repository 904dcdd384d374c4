/* SPDX-License-Identifier: MIT
 * test_identity.c - a run goes on with the recordings with which it began, and says when the instruction set is another;
 *   checkpoints of versions that noted neither are resumed. */
#include "train_cases.h"

#include "base/cpu.h"
#include "model/model_file.h"

static char data[256], model[256];

static bool stop_soon(void *context, const loco_train_state *state)
{
    (void)context;
    return state->step % 3 != 0;
}

/* Goes on for three steps at most; what is said goes to notes. */
static loco_status go_on(bool resume, lc_text *notes, loco_err *err)
{
    bool finished = false;
    run_case training = run_training(data, model);
    training.how.resume = resume;
    training.how.progress = stop_soon;
    training.how.notice = run_note;
    training.how.context = notes;
    return loco_train(&finished, training.model, training.data, &training.how, err);
}

static void check_goes_on(const char *says)
{
    lc_text notes = {0};
    loco_err err = {""};
    CHECK_STATUS(go_on(true, &notes, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    bool said = notes.bytes != NULL && strstr(notes.bytes, "the run began with the kernels") != NULL;
    CHECK(said == (says != NULL));
    if (says != NULL)
        CHECK_SAYS(notes.bytes, says);
    lc_text_free(&notes);
}

/* One bit of one sample. */
static void changed_recordings_are_refused(void)
{
    size_t n = 0;
    lc_text notes = {0};
    loco_err err = {""};
    CHECK_STATUS(go_on(false, &notes, &err), LOCO_OK);
    char *bytes = run_read("drums/rec_001.wav", &n);
    bytes[n / 2] ^= 1;
    CHECK_STATUS(lc_file_save(run_path("drums/rec_001.wav"), bytes, n, NULL), LOCO_OK);
    CHECK_STATUS(go_on(true, &notes, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "recordings of other content");
    bytes[n / 2] ^= 1;
    CHECK_STATUS(lc_file_save(run_path("drums/rec_001.wav"), bytes, n, NULL), LOCO_OK);
    check_goes_on(NULL);
    free(bytes);
    lc_text_free(&notes);
}

static void another_instruction_set_is_said(void)
{
    lc_isa isa = LC_ISA_REF;
    CHECK_STATUS(lc_isa_choose(&isa, NULL), LOCO_OK);
    if (isa == LC_ISA_REF)
        return;
    setenv("LOCO_KERNELS", "ref", 1);
    check_goes_on("and goes on with ref");
    unsetenv("LOCO_KERNELS");
    check_goes_on("began with the kernels ref");
}

static void checkpoints_without_them_go_on(void)
{
    char path[300];
    lc_tensors *file = NULL;
    lc_pair kept[32];
    size_t n = 0;
    snprintf(path, sizeof path, "%s.checkpoint", model);
    CHECK_STATUS(lc_tensors_load(path, &file, NULL), LOCO_OK);
    for (size_t i = 0; i < file->pairs_len && n < 32; i++)
        if (strcmp(file->pairs[i].key, "content") != 0 && strcmp(file->pairs[i].key, "kernels") != 0)
            kept[n++] = file->pairs[i];
    CHECK_EQ(n + 2, file->pairs_len);
    CHECK_STATUS(lc_tensors_save(path, file->arrays, file->arrays_len, kept, n, NULL), LOCO_OK);
    lc_tensors_free(file);
    check_goes_on(NULL);
}

int main(void)
{
    run_begin();
    run_drums("drums", 3, 4, 5);
    snprintf(data, sizeof data, "%s", run_path("drums"));
    snprintf(model, sizeof model, "%s", run_path("m.loco"));
    RUN(changed_recordings_are_refused);
    RUN(another_instruction_set_is_said);
    RUN(checkpoints_without_them_go_on);
    return run_done();
}
