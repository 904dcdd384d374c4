/* SPDX-License-Identifier: MIT
 * objective.c - the loss of a network's output on one sequence, and its gradient.
 *
 * With p = sigmoid(z) and S = sum of p over the sequence's own frames, summed over classes and sums of classes:
 *
 *   exact     -log P(count in label)             dloss/dz = p - P(event | label), see count/
 *   squared   (S - c)^2                          dloss/dz = 2 (S - c) p (1 - p)
 *   poisson   S - c log S + log c!               dloss/dz = (1 - c / S) p (1 - p)
 *   sharpened, for many events: see sharpen.c
 *   events    softplus(z) - y z over all frames  dloss/dz = p - y
 *
 * A sum of classes is one more count: that of all frames of all its classes together, whose distribution is the
 * Poisson-binomial of their probabilities one behind the other, in any order. Classes whose own count is known are left
 * out and their counts taken off, so that P(kick = 3) P(snare = 2) follows from kick 3 and kick+snare 5, and nothing is
 * counted twice; a sum of which all classes are known says nothing new. The logits of the others are copied side by
 * side: a class is a column of (T, K), and columns have no common stride.
 *
 * The Poisson loss is -log of a probability too, of the count if events fell at any time at rate p: it can be compared
 * with the exact one in nats. Both regressions are flat wherever S = c, however the probabilities are spread over the
 * clip: only the cuts between clips show them where, while the exact loss also pulls every p towards 0 or 1. */
#include "train/objective.h"

#include "count/count.h"
#include "train/sharpen.h"
#include "train/sigmoid.h"

#include <math.h>
#include <stdbool.h>

/* Smaller than any sum that matters; keeps log S finite when all p are 0. */
static const double smallest_sum = 1e-30;

bool lc_objective_takes(lc_loss loss, loco_label label)
{
    return loss == LC_LOSS_EXACT || label.lo == label.hi || (label.lo == 0 && label.hi == LOCO_NO_LIMIT);
}

/* The expected count of an item, which is the sum of its probabilities; how much of it is in frames above 1/2; and its
 * variance. */
typedef struct outlook {
    double mass, sharp, variance;
} outlook;

static outlook expect(const loco_count_item *item)
{
    outlook sum = {0};
    for (size_t t = 0; t < item->length; t++) {
        double p = lc_sigmoid((double)item->logits[t * item->stride]);
        sum.mass += p;
        sum.sharp += p > 0.5 ? p : 0;
        sum.variance += p * (1 - p);
    }
    return sum;
}

/* A count is met when the expected count rounds to it. */
static void tally(lc_cost *cost, outlook expected, loco_label label)
{
    double count = (double)label.lo;
    cost->mass += expected.mass;
    cost->sharp += expected.sharp;
    if (label.lo != label.hi)
        return;
    cost->exact++;
    cost->hit += fabs(expected.mass - count) < 0.5;
    cost->counts += count;
    cost->off += fabs(expected.mass - count);
}

void lc_cost_add(lc_cost *sum, const lc_cost *cost)
{
    sum->loss += cost->loss;
    sum->exact += cost->exact;
    sum->hit += cost->hit;
    sum->counts += cost->counts;
    sum->off += cost->off;
    sum->mass += cost->mass;
    sum->sharp += cost->sharp;
}

/* ---- regression ---- */

/* log c!; lgamma would write to a global. */
static double log_factorial(size_t c)
{
    double sum = 0;
    for (size_t i = 2; i <= c; i++)
        sum += log((double)i);
    return sum;
}

/* One class; sets item->loss, which is 0 for an unknown label. */
static void regress(loco_count_item *item, lc_loss loss)
{
    bool known = item->label.lo == item->label.hi;
    double sum = known ? expect(item).mass : 0, c = (double)item->label.lo, slope = 0;
    item->loss = 0;
    if (known && loss == LC_LOSS_SQUARED) {
        item->loss = (sum - c) * (sum - c);
        slope = 2 * (sum - c);
    } else if (known) {
        sum = sum < smallest_sum ? smallest_sum : sum;
        item->loss = sum - c * log(sum) + log_factorial(item->label.lo);
        slope = 1 - c / sum;
    }
    for (size_t t = 0; item->grad != NULL && t < item->length; t++) {
        double p = lc_sigmoid((double)item->logits[t * item->stride]);
        item->grad[t * item->stride] = (float)(slope * p * (1 - p));
    }
}

/* ---- counts and times ---- */

/* The gradient of clips with many events. Losses and what is counted stay those of the exact loss. */
static loco_status sharpen_all(loco_count_item *items, size_t n, const lc_objective *o, const lc_example *e,
                               loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < n; i++) {
        double temperature = lc_sharpen_temperature(e->sharpen, items[i].label);
        if (temperature < 1 && items[i].grad != NULL)
            status = lc_sharpen(&items[i], temperature, o->count, err);
    }
    return status;
}

/* The labels of single classes. Writes the gradient of all frames begin..end, so that it comes first. */
static loco_status count_loss(lc_cost *cost, const lc_objective *o, const lc_example *e, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t k = 0; k < o->classes; k++) {
        o->items[k] = (loco_count_item){
            .logits = o->out.data + e->begin * o->out.row + k,
            .length = e->end - e->begin,
            .stride = o->out.row,
            .label = e->labels[k],
            .grad = o->d_out.data != NULL ? o->d_out.data + e->begin * o->d_out.row + k : NULL,
        };
        if (e->loss != LC_LOSS_EXACT)
            regress(&o->items[k], e->loss);
    }
    if (e->loss == LC_LOSS_EXACT)
        status = loco_count_batch(o->items, o->classes, o->count, err);
    if (e->loss == LC_LOSS_EXACT && status == LOCO_OK)
        status = sharpen_all(o->items, o->classes, o, e, err);
    for (size_t k = 0; status == LOCO_OK && k < o->classes; k++) {
        cost->loss += o->items[k].loss;
        tally(cost, expect(&o->items[k]), o->items[k].label);
    }
    return status;
}

/* ---- sums ---- */

/* Copies the frames of the classes that are not known side by side; *n: of these classes. */
static loco_label gather(const lc_example *e, const lc_sum *sum, loco_label label, lc_map out, float *to, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < sum->members_len; i++) {
        size_t k = sum->members[i];
        if (e->labels[k].lo == e->labels[k].hi) {
            label.lo -= label.lo < e->labels[k].lo ? label.lo : e->labels[k].lo;
            if (label.hi != LOCO_NO_LIMIT)
                label.hi -= label.hi < e->labels[k].lo ? label.hi : e->labels[k].lo;
            continue;
        }
        for (size_t t = e->begin; t < e->end; t++)
            *to++ = out.data[t * out.row + k];
        ++*n;
    }
    return label;
}

/* Adds the gradient to what the classes' own labels wrote. */
static void scatter(const lc_example *e, const lc_sum *sum, const float *from, lc_map d_out)
{
    for (size_t i = 0; i < sum->members_len; i++) {
        size_t k = sum->members[i];
        if (e->labels[k].lo == e->labels[k].hi)
            continue;
        for (size_t t = e->begin; t < e->end; t++)
            d_out.data[t * d_out.row + k] += *from++;
    }
}

/* The labels of sums. Known classes are taken off first (gather); a sum without any unknown class is skipped. */
static loco_status sum_loss(lc_cost *cost, const lc_objective *o, const lc_example *e, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t s = 0; status == LOCO_OK && s < e->sums_len; s++) {
        loco_label label = e->labels[o->classes + s];
        size_t frames = e->end - e->begin, n;
        if (label.lo == 0 && label.hi == LOCO_NO_LIMIT)
            continue;
        label = gather(e, &e->sums[s], label, o->out, e->room, &n);
        if (n == 0)
            continue;
        float *grad = o->d_out.data != NULL ? e->room + n * frames : NULL;
        loco_count_item item = {.logits = e->room, .length = n * frames, .stride = 1, .label = label, .grad = grad};
        if (e->loss != LC_LOSS_EXACT)
            regress(&item, e->loss);
        else
            status = loco_count_batch(&item, 1, o->count, err);
        if (status == LOCO_OK && e->loss == LC_LOSS_EXACT)
            status = sharpen_all(&item, 1, o, e, err);
        if (status != LOCO_OK)
            return status;
        cost->loss += item.loss;
        tally(cost, expect(&item), label);
        if (grad != NULL)
            scatter(e, &e->sums[s], grad, o->d_out);
    }
    return status;
}

/* Full supervision: the cross-entropy of each frame, softplus(z) - y z. Adds to the gradient. */
static void event_loss(lc_cost *cost, const lc_objective *o, const lc_example *e)
{
    for (size_t k = 0; k < o->classes; k++) {
        outlook sum = {0};
        size_t count = 0;
        for (size_t t = e->begin; t < e->end; t++) {
            double z = (double)o->out.data[t * o->out.row + k], y = e->events[t * o->classes + k], p = lc_sigmoid(z);
            /* softplus(z), without e^z overflowing */
            cost->loss += fmax(z, 0) + log1p(exp(-fabs(z))) - y * z;
            if (o->d_out.data != NULL)
                o->d_out.data[t * o->d_out.row + k] += (float)(p - y);
            sum.mass += p;
            sum.sharp += p > 0.5 ? p : 0;
            count += y > 0;
        }
        if (e->labels == NULL) /* else the labels have counted it */
            tally(cost, sum, loco_label_exact(count));
    }
}

loco_status lc_objective_run(lc_cost *cost, const lc_objective *o, const lc_example *example, loco_err *err)
{
    loco_status status = LOCO_OK;
    lc_example places = *example, *e = &places; /* each place of a frame is a moment of its own */
    *cost = (lc_cost){0};
    e->begin *= o->places;
    e->end *= o->places;
    /* counts write the gradient, sums and events add to it, hence this order */
    if (e->labels != NULL)
        status = count_loss(cost, o, e, err);
    if (e->labels != NULL && status == LOCO_OK)
        status = sum_loss(cost, o, e, err);
    if (e->events != NULL && status == LOCO_OK)
        event_loss(cost, o, e);
    return status;
}
