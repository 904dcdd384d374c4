/* SPDX-License-Identifier: MIT
 * test_midi_render.c - MIDI output sounds in time: the events of a drum recording, saved as MIDI and played by
 *   fluidsynth with a General MIDI soundfont, begin where the recording's own sounds begin.
 *
 * Both sounds become onset strength (signal/onset.h), 5 ms a value; where their correlation over lags of +-200 ms peaks
 * is how late the played file is. True events, and the detections of models/drums.loco where that is there, must both lie
 * within 10 ms. Skipped without fluidsynth or a soundfont. */
#include "train_cases.h"

#include "data/dataset.h"
#include "signal/onset.h"
#include "signal/sound.h"

enum { SKIPPED = 77, RATE = 22050, REACH = 40 };

static const char *soundfont(void)
{
    static const char *const fonts[] = {"/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf2/FluidR3_GM.sf2",
                                        "/usr/share/sounds/sf2/default-GM.sf2"};
    for (size_t i = 0; i < sizeof fonts / sizeof fonts[0]; i++)
        if (access(fonts[i], R_OK) == 0)
            return fonts[i];
    return NULL;
}

/* Onset strength of a file, around its mean. */
static float *strength_of(const char *path, size_t *frames, double *hop)
{
    float *samples = NULL, *strength = NULL;
    size_t n = 0;
    double mean = 0;
    CHECK_STATUS(lc_sound_load(path, 0, INFINITY, RATE, &samples, &n, NULL), LOCO_OK);
    CHECK_STATUS(lc_onset_strength(samples, n, RATE, &strength, frames, hop, NULL), LOCO_OK);
    if (strength == NULL)
        exit(1);
    for (size_t t = 0; t < *frames; t++)
        mean += strength[t] / (double)*frames;
    for (size_t t = 0; t < *frames; t++)
        strength[t] -= (float)mean;
    free(samples);
    return strength;
}

static double correlate(const float *song, size_t n, const float *played, size_t m, int lag)
{
    double sum = 0;
    for (size_t t = 0; t < n; t++) {
        long u = (long)t + lag;
        if (u >= 0 && u < (long)m)
            sum += (double)song[t] * played[u];
    }
    return sum;
}

/* Seconds by which the sound at `played` is later than that at `song`; between frames by a parabola. */
static double lag_of(const char *song, const char *played)
{
    size_t n, m;
    double hop, at[2 * REACH + 1];
    float *a = strength_of(song, &n, &hop), *b = strength_of(played, &m, &hop);
    int best = 1;
    for (int i = 0; i <= 2 * REACH; i++)
        at[i] = correlate(a, n, b, m, i - REACH);
    for (int i = 1; i < 2 * REACH; i++)
        best = at[i] > at[best] ? i : best;
    double bend = at[best - 1] - 2 * at[best] + at[best + 1];
    free(a);
    free(b);
    CHECK(at[best] > 0 && bend < 0);
    return hop * (best - REACH + 0.5 * (at[best - 1] - at[best + 1]) / bend);
}

/* Saves events as MIDI, plays them into a file, and compares that with the song. */
static void check_sound(const char *what, const char *song, const loco_event *events, size_t len)
{
    static const char *const classes[] = {"kick", "snare", "hihat"};
    loco_events list = {"song", (loco_event *)(uintptr_t)events, len};
    char command[2048];
    CHECK_STATUS(loco_events_save(run_path("song.mid"), NULL, &list, 1, classes, 3, NULL), LOCO_OK);
    snprintf(command, sizeof command, "fluidsynth -ni -R 0 -C 0 -r 44100 -F %s %s %s >%s 2>&1", run_path("played.wav"),
             soundfont(), run_path("song.mid"), run_path("said"));
    CHECK(system(command) == 0); /* NOLINT(cert-env33-c): the words are ours */
    double lag = lag_of(song, run_path("played.wav"));
    printf("    %s: %zu events, played %+.1f ms late\n", what, len, 1000 * lag);
    CHECK(len >= 20);
    CHECK(fabs(lag) <= 0.010);
    loco_events shifted = list; /* and the comparison would notice */
    loco_event *late = malloc((len + 1) * sizeof *late);
    for (size_t i = 0; late != NULL && i < len; i++)
        late[i] = (loco_event){events[i].time + 0.03, events[i].kind, events[i].probability, 0};
    shifted.events = late;
    CHECK_STATUS(loco_events_save(run_path("song.mid"), NULL, &shifted, 1, classes, 3, NULL), LOCO_OK);
    CHECK(system(command) == 0); /* NOLINT(cert-env33-c) */
    CHECK_NEAR(lag_of(song, run_path("played.wav")), lag + 0.03, 0.003);
    free(late);
}

static void true_events_sound_in_time(void)
{
    lc_dataset *set = NULL;
    CHECK_STATUS(lc_dataset_load(&set, run_path("test"), NULL), LOCO_OK);
    const lc_recording *r = &set->recordings[0];
    check_sound("true events", r->path, r->events, r->events_len);
    lc_dataset_free(set);
}

static void detections_sound_in_time(void)
{
    char path[1024];
    const char *source = getenv("LOCO_SOURCE");
    loco_model *model = NULL;
    loco_event *events = NULL;
    size_t len = 0;
    snprintf(path, sizeof path, "%s/models/drums.loco", source != NULL ? source : ".");
    if (access(path, R_OK) != 0) {
        puts("    skipped: there is no models/drums.loco");
        return;
    }
    CHECK_STATUS(loco_model_load(&model, path, NULL), LOCO_OK);
    CHECK_STATUS(loco_model_fold(&model, "kick,snare,hihat", NULL), LOCO_OK);
    CHECK_STATUS(loco_detect(&events, &len, model, run_path("test/rec_000.wav"), NULL, NULL), LOCO_OK);
    check_sound("detections", run_path("test/rec_000.wav"), events, len);
    loco_free(events);
    loco_model_free(model);
}

int main(void)
{
    if (soundfont() == NULL || system("command -v fluidsynth >/dev/null") != 0) { /* NOLINT(cert-env33-c) */
        puts("skipped: needs fluidsynth and a soundfont (Debian: fluidsynth timgm6mb-soundfont)");
        return SKIPPED;
    }
    run_begin();
    run_drums("test", 1, 20, 2);
    RUN(true_events_sound_in_time);
    RUN(detections_sound_in_time);
    return run_done();
}
