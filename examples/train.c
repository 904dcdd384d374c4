/* SPDX-License-Identifier: MIT
 *
 * train.c - trains a model on a data set, and prints its properties.
 *
 * The data set is a folder with sounds and counts.csv: a row for each clip with its file, start and end in seconds, and
 * one count for each class.
 *
 *     cc train.c -lloco -lm && ./a.out drums-set drums.loco 500
 */
#include <loco.h>

#include <stdio.h>
#include <stdlib.h>

/* A line for each validation. Returning false would save the state and stop. */
static bool show(void *context, const loco_train_state *state)
{
    (void)context;
    if (!state->validated)
        return true;
    printf("step %llu of %llu, loss %.3f", (unsigned long long)state->step, (unsigned long long)state->steps,
           state->loss);
    if (state->held_loss >= 0)
        printf(", on clips that were held out %.3f", state->held_loss);
    if (state->held_f1[0] >= 0)
        printf(", F1 %.3f within %.0f ms", state->held_f1[0], 1000 * state->held_tolerance[0]);
    printf("\n");
    return true;
}

static void print_notice(void *context, const char *message)
{
    (void)context;
    printf("%s\n", message);
}

static loco_status train(const char *path, const char *data, const char *steps, loco_err *err)
{
    char setting[40];
    const char *const sets[] = {setting};
    loco_train_options how = {.size = sizeof how, .sets = sets, .sets_len = 1};
    bool finished;
    snprintf(setting, sizeof setting, "steps=%.20s", steps);
    how.progress = show;
    how.notice = print_notice;
    return loco_train(&finished, path, data, &how, err);
}

static loco_status describe(const char *path, loco_err *err)
{
    loco_model *model = NULL;
    loco_status status = loco_model_load(&model, path, err);
    if (status != LOCO_OK)
        return status;
    printf("%zu parameters; classes:", loco_model_parameters(model));
    for (size_t k = 0; k < loco_model_classes(model); k++)
        printf(" %s", loco_model_class(model, k));
    printf("\nevents are reported within %.1f ms\n", 1000 * loco_model_latency(model));
    loco_model_free(model);
    return LOCO_OK;
}

int main(int argc, char **argv)
{
    loco_err err;
    if (argc != 4) {
        fprintf(stderr, "usage: %s DATA MODEL STEPS\n", argv[0]);
        return 2;
    }
    loco_status status = train(argv[2], argv[1], argv[3], &err);
    if (status == LOCO_OK)
        status = describe(argv[2], &err);
    if (status != LOCO_OK)
        fprintf(stderr, "%s\n", err.text);
    return status != LOCO_OK;
}
