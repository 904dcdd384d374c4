/* SPDX-License-Identifier: MIT
 * test_dataset_fold.c - classes put together: events move or are left out, labels are added. */
#include "data_cases.h"

#include "data/dataset.h"

static const char *const classes[] = {"kick", "open-hihat", "tambourine", "closed-hihat"};
static const loco_event events[] = {
    {0.1, 3, 1, 0},
    {0.2, 2, 1, 0},
    {0.3, 1, 1, 0},
    {0.4, 0, 1, 0}
};

static void fold_it(lc_dataset *set, const char *text, loco_status wanted)
{
    lc_fold fold = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_fold_parse(&fold, text, NULL, NULL), LOCO_OK);
    CHECK_STATUS(lc_dataset_fold(set, &fold, &err), wanted);
    if (wanted == LOCO_OK) {
        const lc_recording *r = &set->recordings[0];
        const loco_label *l = set->clips[0].labels, *second = set->clips[1].labels;
        CHECK_EQ(set->classes_len, 3);
        CHECK_STR(set->classes[0], "snare");
        CHECK_EQ(r->events_len, 3);
        CHECK(r->events[0].kind == 1 && r->events[1].kind == 1 && r->events[2].kind == 2);
        CHECK(l[0].lo == 0 && l[0].hi == 0 && l[1].lo == 5 && l[1].hi == 5 && l[2].lo == 1 && l[2].hi == 1);
        CHECK(second[1].lo == 3 && second[1].hi == loco_label_unknown().hi);
    } else {
        CHECK_SAYS(err.text, "none of the classes");
    }
    lc_fold_free(&fold);
}

static void events_and_labels(void)
{
    const loco_label first[] = {loco_label_exact(1), loco_label_exact(2), loco_label_exact(7), loco_label_exact(3)};
    const loco_label second[] = {loco_label_exact(0), loco_label_at_least(1), loco_label_exact(0), loco_label_exact(2)};
    const lc_recording recording = {.name = "a", .path = "a", .timed = true, .events = events, .events_len = 4};
    const lc_clip clips[] = {
        {.end = 1, .labels = first },
        {.end = 2, .labels = second}
    };
    lc_dataset set = {.where = "d",
                      .classes = classes,
                      .classes_len = 4,
                      .recordings = &recording,
                      .recordings_len = 1,
                      .clips = clips,
                      .clips_len = 2};
    lc_dataset other = set;
    fold_it(&set, "snare,hihat,kick", LOCO_OK);
    lc_store_free(&set.owns);
    fold_it(&other, "tom,snare", LOCO_EDATA);
    lc_store_free(&other.owns);
}

int main(void)
{
    RUN(events_and_labels);
    return check_done();
}
