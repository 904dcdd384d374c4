/* SPDX-License-Identifier: MIT
 * test_trainer_team.c - several processes, here threads of the test, train the same bits as one: with any number of them,
 *   with sequences that run whole or in chunks, and with empty places where sequences are another process's. */
#include "teams.h"
#include "train.h"

enum { STEPS = 4, BATCH = 21, FRAMES = 40, WHOLE = 24, CHUNK = 8 };

static lc_net net;
static const lc_schedule schedule = {.rate = 1e-2, .clip = 1, .average = 0.9};

typedef struct team_case {
    size_t lanes, whole;
    unsigned threads;
    train_batch batch;
    lc_trainer *alone;     /* that did all steps */
    lc_step_report report; /* of its last one */
} team_case;

static loco_status make(lc_trainer **trainer, const team_case *c, lc_team *team, loco_err *err)
{
    lc_trainer_options options = {.frames = FRAMES,
                                  .batch = BATCH,
                                  .threads = c->threads,
                                  .seed = 3,
                                  .whole = c->whole,
                                  .chunk = CHUNK,
                                  .lanes = c->lanes,
                                  .team = team};
    return lc_trainer_new(trainer, &net, &schedule, &options, err);
}

/* The batch with what belongs to others left out. */
static void keep_own(lc_example *own, const team_case *c, lc_team *team)
{
    for (size_t b = 0; b < BATCH; b++) {
        bool mine = lc_team_has(team, c->lanes > 0 ? c->lanes : LC_GRADIENT_LANES, b);
        own[b] = mine ? c->batch.examples[b] : (lc_example){.frames = NULL};
    }
}

static void train_member(lc_team *team, void *context)
{
    team_case *c = context;
    lc_trainer *trainer = NULL;
    lc_example own[BATCH];
    lc_step_report report = {0};
    loco_err err = {""};
    CHECK_STATUS(make(&trainer, c, team, &err), LOCO_OK);
    keep_own(own, c, team);
    for (size_t i = 0; i < STEPS; i++)
        CHECK_STATUS(lc_trainer_step(trainer, own, BATCH, &report, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK(train_same(trainer, c->alone));
    CHECK(case_same(&report, &c->report, sizeof report));
    lc_trainer_free(trainer);
}

/* A trainer that did all steps by itself. */
static void train_alone(team_case *c)
{
    c->batch = train_batch_new(&net, BATCH, FRAMES, TRAIN_MIXED, 5);
    CHECK_STATUS(make(&c->alone, c, NULL, NULL), LOCO_OK);
    for (size_t i = 0; i < STEPS; i++)
        c->report = train_step(c->alone, &c->batch);
}

static void free_case(team_case *c)
{
    lc_trainer_free(c->alone);
    train_batch_free(&c->batch);
}

static void any_number_of_processes_gives_the_same_bits(void)
{
    static const size_t lanes[] = {0, 3, 12}, wholes[] = {FRAMES, WHOLE};
    for (size_t i = 0; i < 3; i++)
        for (size_t w = 0; w < 2; w++) {
            team_case c = {.lanes = lanes[i], .whole = wholes[w], .threads = 1 + (unsigned)w};
            unsigned most = lanes[i] > 0 ? (unsigned)lanes[i] : LC_GRADIENT_LANES;
            train_alone(&c);
            for (unsigned size = 1; size <= most; size += size < 4 ? 1 : 2)
                team_run(size, train_member, &c);
            free_case(&c);
        }
}

/* Lanes are part of the result: else the tests above would prove nothing. */
static void lanes_change_bits(void)
{
    team_case few = {.lanes = 8, .whole = FRAMES, .threads = 1}, many = {.lanes = 12, .whole = FRAMES, .threads = 1};
    train_alone(&few);
    train_alone(&many);
    CHECK(!train_same(few.alone, many.alone));
    free_case(&few);
    free_case(&many);
}

/* A sequence of process 1 alone is wrong; all fail, and none has changed. */
static void fail_member(lc_team *team, void *context)
{
    team_case *c = context;
    lc_trainer *trainer = NULL;
    lc_example own[BATCH];
    lc_step_report report;
    loco_err err = {""};
    size_t wrong = lc_team_border(team, LC_GRADIENT_LANES, 1);
    CHECK_STATUS(make(&trainer, c, team, &err), LOCO_OK);
    keep_own(own, c, team);
    if (lc_team_rank(team) == 1)
        own[wrong].T = FRAMES + 1;
    CHECK_STATUS(lc_trainer_step(trainer, own, BATCH, &report, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "process 1 of 3: sequence 2 has 41 frames");
    CHECK_EQ((size_t)lc_trainer_state(trainer)->step, 0);
    lc_trainer_free(trainer);
}

static void refuse_member(lc_team *team, void *context)
{
    lc_trainer *trainer = NULL;
    loco_err err = {""};
    CHECK_STATUS(make(&trainer, context, team, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "9 processes share 8 lanes of a step; start at most 8, or set lanes=9");
}

static void a_failure_of_one_is_one_of_all(void)
{
    team_case c = {.whole = FRAMES, .threads = 1};
    train_alone(&c);
    team_run(3, fail_member, &c);
    team_run(9, refuse_member, &c);
    free_case(&c);
}

int main(void)
{
    static const char line[] = "conv 3x3 8 norm, dropout 0.2, gru 6, dense 2";
    CHECK_STATUS(lc_net_parse(&net, line, strlen(line), 6, 1, NULL), LOCO_OK);
    RUN(any_number_of_processes_gives_the_same_bits);
    RUN(lanes_change_bits);
    RUN(a_failure_of_one_is_one_of_all);
    return check_done();
}
