/* SPDX-License-Identifier: MIT
 * test_ranges.c - probabilities lie in 0..1, ranges have two ends, and what is ordinary lies within what is varied. */
#include "check.h"

#include "studio/kits/ranges.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_share(double x)
{
    return x >= 0 && x <= 1;
}

static void probabilities_and_ends(void)
{
    const lc_ranges *both[] = {&lc_ranges_varied, &lc_ranges_ordinary, &lc_ranges_whole_kit};
    for (size_t i = 0; i < 3; i++) {
        const lc_ranges *r = both[i];
        CHECK(is_share(r->mixed) && is_share(r->layered) && is_share(r->percussion) && is_share(r->free) &&
              is_share(r->damped));
        CHECK(is_share(r->shaped) && is_share(r->saturated) && is_share(r->ring) && is_share(r->bleed));
        CHECK(is_share(r->clicky) && is_share(r->buzz));
        CHECK(is_share(r->old + r->coded) && is_share(r->compressed) && is_share(r->noisy));
        CHECK(r->power.from < r->power.to && r->equalised.from < r->equalised.to && r->wet.from < r->wet.to);
        CHECK(r->mastered.from < r->mastered.to && r->noise.from < r->noise.to);
        CHECK(r->level >= 0 && r->pitch >= 0);
    }
}

static void ordinary_is_narrower(void)
{
    const lc_ranges *o = &lc_ranges_ordinary, *v = &lc_ranges_varied;
    CHECK(o->mixed <= v->mixed && o->percussion <= v->percussion && o->free <= v->free && o->damped <= v->damped);
    CHECK(o->level <= v->level && o->pitch <= v->pitch && o->power.to <= v->power.to);
    CHECK(o->equalised.to <= v->equalised.to && o->mastered.to <= v->mastered.to && o->wet.to <= v->wet.to);
    CHECK(o->old <= v->old && o->coded <= v->coded && o->saturated <= v->saturated && o->shaped <= v->shaped);
    CHECK(o->noise.from >= 40 && o->noise.from >= v->noise.from); /* as the manual says */
}

int main(void)
{
    RUN(probabilities_and_ends);
    RUN(ordinary_is_narrower);
    return check_done();
}
