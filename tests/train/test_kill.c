/* SPDX-License-Identifier: MIT
 * test_kill.c - training that is killed at random moments and resumed from its checkpoint ends at the same bits as
 *   training that never stopped.
 *   A child trains, and saves a checkpoint after every step; the parent kills it with SIGKILL after a random time, 50
 *   times over. A checkpoint must be loadable after every kill; the last child runs to the end. */
#include "model_cases.h"

#include "model/checkpoint.h"
#include "train/trainer.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { FRAMES = 24, BINS = 6, BATCH = 8, KILLS = 50, STEPS = 800, LONGEST_MS = 8 };

static const char line[] = "conv 3x3 8 norm, dropout 0.2, gru 6, dense 2";
static lc_net net;
static loco_err err;

static lc_trainer *trainer_make(void)
{
    static const lc_schedule schedule = {.rate = 3e-3, .warm_up = 5, .clip = 1, .average = 0.99};
    lc_trainer *trainer = NULL;
    lc_trainer_options options = {.frames = FRAMES, .batch = BATCH, .threads = 1, .seed = 7};
    CHECK_STATUS(lc_trainer_new(&trainer, &net, &schedule, &options, &err), LOCO_OK);
    return trainer;
}

/* A step whose data come from the trainer's own random numbers, so that they are part of what is resumed. */
static loco_status train_step(lc_trainer *trainer)
{
    static float frames[BATCH][FRAMES * BINS];
    static loco_label labels[BATCH][2];
    lc_example batch[BATCH];
    lc_step_report report;
    lc_rng *rng = lc_trainer_rng(trainer);
    for (size_t b = 0; b < BATCH; b++) {
        for (size_t i = 0; i < FRAMES * BINS; i++)
            frames[b][i] = (float)lc_rng_normal(rng);
        for (size_t k = 0; k < 2; k++)
            labels[b][k] = loco_label_exact(lc_rng_next(rng) % 4);
        batch[b] = (lc_example){.frames = frames[b], .T = FRAMES, .end = FRAMES, .labels = labels[b]};
    }
    return lc_trainer_step(trainer, batch, BATCH, &report, &err);
}

static lc_progress progress_of(lc_trainer *trainer)
{
    lc_optimiser *o = lc_trainer_state(trainer);
    return (lc_progress){.m = o->m, .v = o->v, .average = o->average, .step = o->step, .rng = *lc_trainer_rng(trainer)};
}

static loco_status save(lc_trainer *trainer, const char *path)
{
    static const char *const classes[] = {"a", "b"};
    lc_model_info info = {.classes = classes, .classes_len = 2};
    lc_progress progress = progress_of(trainer);
    return lc_checkpoint_save(path, &net, lc_trainer_state(trainer)->params, &info, &progress, &err);
}

static loco_status resume(lc_trainer *trainer, const char *path)
{
    lc_progress progress = progress_of(trainer);
    loco_status status = lc_checkpoint_load(path, &net, lc_trainer_state(trainer)->params, &progress, &err);
    if (status == LOCO_OK) {
        lc_trainer_state(trainer)->step = progress.step;
        *lc_trainer_rng(trainer) = progress.rng;
    }
    return status;
}

/* The child: resumes, then trains and saves until the last step. */
static void child(const char *path)
{
    lc_trainer *trainer = trainer_make();
    if (access(path, F_OK) == 0 && resume(trainer, path) != LOCO_OK)
        _exit(3);
    while (lc_trainer_state(trainer)->step < STEPS)
        if (train_step(trainer) != LOCO_OK || save(trainer, path) != LOCO_OK)
            _exit(4);
    _exit(0);
}

/* Starts a child, kills it after so many milliseconds (0: lets it end), and returns its status. */
static int run_child(const char *path, size_t milliseconds)
{
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        child(path);
    if (milliseconds > 0) {
        struct timespec wait = {.tv_nsec = (long)milliseconds * 1000000};
        nanosleep(&wait, NULL);
        kill(pid, SIGKILL);
    }
    waitpid(pid, &status, 0);
    return status;
}

static void killed_training_goes_on(void)
{
    lc_rng rng = lc_rng_seed(11);
    const char *path = case_path("run.safetensors");
    lc_trainer *whole = trainer_make(), *resumed = trainer_make();
    size_t killed = 0;
    for (size_t i = 0; i < KILLS; i++) {
        int status = run_child(path, 1 + case_below(&rng, LONGEST_MS));
        killed += WIFSIGNALED(status);
        CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
        CHECK(access(path, F_OK) != 0 || resume(resumed, path) == LOCO_OK);
    }
    CHECK_EQ((size_t)run_child(path, 0), 0);
    while (lc_trainer_state(whole)->step < STEPS)
        CHECK_STATUS(train_step(whole), LOCO_OK);
    CHECK_STATUS(resume(resumed, path), LOCO_OK);
    size_t bytes = net.params * sizeof(float);
    CHECK_EQ((size_t)memcmp(lc_trainer_state(whole)->params, lc_trainer_state(resumed)->params, bytes), 0);
    CHECK_EQ((size_t)memcmp(lc_trainer_state(whole)->average, lc_trainer_state(resumed)->average, bytes), 0);
    CHECK(killed > KILLS / 4);
    printf("    %zu of %d children were killed in mid-run\n", killed, KILLS);
    lc_trainer_free(whole);
    lc_trainer_free(resumed);
}

/* A child that is killed while it saves leaves its unfinished file behind, under another name. */
static void clean(void)
{
    DIR *folder = opendir(case_folder);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2)
            unlink(case_path(entry->d_name));
    if (folder != NULL)
        closedir(folder);
    CHECK(rmdir(case_folder) == 0);
}

int main(void)
{
    CHECK(mkdtemp(case_folder) != NULL);
    CHECK_STATUS(lc_net_parse(&net, line, strlen(line), BINS, 1, &err), LOCO_OK);
    RUN(killed_training_goes_on);
    clean();
    return check_done();
}
