/* SPDX-License-Identifier: MIT
 * fluid.c - a folder, a MIDI file, a child process, a sound file. */
#include "studio/kits/fluid.h"

#include "base/file.h"
#include "base/status.h"
#include "signal/sound.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static loco_status no_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the music of a SoundFont");
}

/* posix_spawnp, with nothing on its input and output. */
static int spawn(pid_t *child, char *const *words)
{
    posix_spawn_file_actions_t actions;
    int cause = posix_spawn_file_actions_init(&actions);
    if (cause != 0)
        return cause;
    cause = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    for (int fd = 1; fd <= 2 && cause == 0; fd++)
        cause = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
    if (cause == 0)
        cause = posix_spawnp(child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return cause;
}

loco_status lc_command_run(char *const *words, const char *package, loco_err *err)
{
    pid_t child;
    int cause = spawn(&child, words), state = 0;
    if (cause == ENOENT)
        return lc_err_set(err, LOCO_EIO, "the command %.60s is missing; the package %.60s has it", words[0], package);
    if (cause != 0)
        return lc_err_set(err, LOCO_EIO, "the command %.60s could not be started", words[0]);
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return lc_err_set(err, LOCO_EIO, "the command %.60s was lost", words[0]);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return lc_err_set(err, LOCO_EIO, "the command %.60s is missing; the package %.60s has it", words[0], package);
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return lc_err_set(err, LOCO_EIO, "the command %.60s failed", words[0]);
    return LOCO_OK;
}

/* What lies in the folder of one call. */
typedef struct note_place {
    lc_text folder, midi, sound, rate;
} note_place;

/* A folder of its own, so that several processes do not meet. */
static loco_status make_place(note_place *p, unsigned rate, loco_err *err)
{
    const char *root = getenv("TMPDIR");
    lc_text_format(&p->folder, "%s/loco-fluid-XXXXXX", root != NULL && root[0] != 0 ? root : "/tmp");
    if (p->folder.failed)
        return no_memory(err);
    if (mkdtemp(p->folder.bytes) == NULL)
        return lc_err_set(err, LOCO_EIO, "cannot make a folder such as %.150s", p->folder.bytes);
    lc_text_format(&p->midi, "%s/in.mid", p->folder.bytes);
    lc_text_format(&p->sound, "%s/out.wav", p->folder.bytes);
    lc_text_format(&p->rate, "%u", rate);
    return p->midi.failed || p->sound.failed || p->rate.failed ? no_memory(err) : LOCO_OK;
}

static void remove_place(note_place *p)
{
    if (p->midi.length > 0)
        (void)unlink(p->midi.bytes);
    if (p->sound.length > 0)
        (void)unlink(p->sound.bytes);
    if (p->folder.length > 0)
        (void)rmdir(p->folder.bytes);
    lc_text_free(&p->folder);
    lc_text_free(&p->midi);
    lc_text_free(&p->sound);
    lc_text_free(&p->rate);
}

/* Bank select as MMA says: so any channel reaches any bank. Of a font, which may have 500 MB, only the sounds that are
 * played are read. Without a default font, one that cannot be played stays silent instead of sounding as another. */
static loco_status run(const note_place *p, const char *font, loco_err *err)
{
    enum { WORDS = 18 };
    char fixed[WORDS][40] = {"fluidsynth", "-niq",
                             "-o",         "synth.midi-bank-select=mma",
                             "-o",         "synth.dynamic-sample-loading=1",
                             "-o",         "synth.default-soundfont=",
                             "-g",         "0.4",
                             "-R",         "0",
                             "-C",         "0",
                             "-O",         "float",
                             "-r",         "-F"};
    char *line[WORDS + 5];
    size_t n = 0;
    lc_text copy = {0};
    lc_text_string(&copy, font);
    if (copy.failed)
        return no_memory(err);
    for (size_t i = 0; i + 1 < WORDS; i++)
        line[n++] = fixed[i];
    line[n++] = p->rate.bytes;
    line[n++] = fixed[WORDS - 1];
    line[n++] = p->sound.bytes;
    line[n++] = copy.bytes;
    line[n++] = p->midi.bytes;
    line[n] = NULL;
    loco_status status = lc_command_run(line, "fluidsynth", err);
    lc_text_free(&copy);
    return status;
}

loco_status lc_fluid_play(const char *font, lc_midi_out *midi, double seconds, unsigned rate, float **samples,
                          size_t *n, loco_err *err)
{
    note_place p = {0};
    lc_text bytes = {0};
    lc_midi_format(midi, seconds, &bytes);
    loco_status status = bytes.failed ? no_memory(err) : make_place(&p, rate, err);
    if (status == LOCO_OK)
        status = lc_file_save(p.midi.bytes, bytes.bytes, bytes.length, err);
    if (status == LOCO_OK)
        status = run(&p, font, err);
    if (status == LOCO_OK)
        status = lc_sound_load(p.sound.bytes, 0, seconds, rate, samples, n, err);
    remove_place(&p);
    lc_text_free(&bytes);
    return status;
}
