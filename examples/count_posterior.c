/* SPDX-License-Identifier: MIT
 *
 * count_posterior.c - what a known count says about uncertain events.
 *
 * Seven frames. Alone, frames 1 and 5 look like events and frame 3 is doubtful. Knowing that there were exactly
 * two or three events, or at least two, changes what to believe about each.
 *
 *     cc count_posterior.c -lloco -lm && ./a.out
 */
#include <loco.h>

#include <stdio.h>

enum { T = 7 };
static const double logits[T] = {-4, 3, -4, -1, -4, 2, -4}; /* log(p / (1 - p)) */

static loco_status print_given(loco_count *count, loco_label label, loco_err *err)
{
    double posterior[T], loss;
    char name[32];
    loco_status status = loco_count_loss(&loss, NULL, posterior, count, logits, T, label, err);
    if (status != LOCO_OK)
        return status;
    loco_label_format(name, sizeof name, label);
    printf("count %-4s loss %.4f   p:", name, loss);
    for (int t = 0; t < T; t++)
        printf(" %.3f", posterior[t]);
    printf("\n");
    return LOCO_OK;
}

int main(void)
{
    const loco_label labels[] = {loco_label_unknown(), loco_label_exact(2), loco_label_exact(3),
                                 loco_label_at_least(2)};
    loco_err err;
    loco_count *count;
    loco_status status = loco_count_new(&count, 1, &err);
    if (status != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (size_t i = 0; status == LOCO_OK && i < sizeof labels / sizeof labels[0]; i++)
        status = print_given(count, labels[i], &err);
    if (status != LOCO_OK)
        fprintf(stderr, "%s\n", err.text);
    loco_count_free(count);
    return status != LOCO_OK;
}
