/* SPDX-License-Identifier: MIT
 * test_fluid.c - child processes, and a font played where fluidsynth is installed. */
#include "data_cases.h"

#include "data/augment.h"
#include "studio/kits/fluid.h"

#include <stdlib.h>

static void commands(void)
{
    loco_err err = {""};
    char good[] = "true", bad[] = "false", none[] = "loco-no-such-command";
    CHECK_STATUS(lc_command_run((char *[]){good, NULL}, "p", &err), LOCO_OK);
    CHECK_STATUS(lc_command_run((char *[]){bad, NULL}, "p", &err), LOCO_EIO);
    CHECK_SAYS(err.text, "the command false failed");
    CHECK_STATUS(lc_command_run((char *[]){none, NULL}, "some-package", &err), LOCO_EIO);
    CHECK_SAYS(err.text, "some-package");
}

/* No folder is left behind, neither after success nor after failure. */
static size_t left_behind(void)
{
    size_t n = 0;
    DIR *dir = opendir(data_folder);
    for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        n += strncmp(entry->d_name, "loco-fluid-", 11) == 0;
    if (dir != NULL)
        closedir(dir);
    return n;
}

static void missing_command_is_named(void)
{
    lc_midi_out midi = {0};
    float *samples = NULL;
    size_t n = 7;
    loco_err err = {""};
    const char *path = getenv("PATH");
    char *before = strdup(path != NULL ? path : "");
    CHECK(before != NULL && setenv("PATH", "/nonexistent", 1) == 0);
    CHECK_STATUS(lc_fluid_play("a.sf2", &midi, 1, 22050, &samples, &n, &err), LOCO_EIO);
    CHECK(before != NULL && setenv("PATH", before, 1) == 0);
    free(before);
    CHECK_SAYS(err.text, "the command fluidsynth is missing; the package fluidsynth has it");
    CHECK(samples == NULL && n == 7 && left_behind() == 0);
}

static void a_note_sounds(void)
{
    static const char *const fonts[] = {"/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf2/FluidR3_GM.sf2"};
    char word[] = "fluidsynth", ask[] = "--version";
    const char *font = access(fonts[0], R_OK) == 0 ? fonts[0] : fonts[1];
    if (access(font, R_OK) != 0 || lc_command_run((char *[]){word, ask, NULL}, "fluidsynth", NULL) != LOCO_OK)
        return;
    lc_midi_out midi = {0};
    float *samples = NULL;
    size_t n = 0;
    loco_err err = {""};
    lc_midi_program(&midi, 0, 0, 128, 0);
    lc_midi_note_on(&midi, 0.5, 0.3, 0, 38, 120);
    CHECK_STATUS(lc_fluid_play(font, &midi, 1.5, 22050, &samples, &n, &err), LOCO_OK);
    CHECK_EQ(n, 33075);
    CHECK(n > 16000 && lc_augment_level(samples, 10800) < 1e-4 && lc_augment_level(samples + 11025, 4000) > 0.005);
    CHECK_EQ(left_behind(), 0);
    free(samples);
    lc_midi_out_free(&midi);
}

int main(void)
{
    if (!data_begin() || setenv("TMPDIR", data_folder, 1) != 0)
        return 1;
    RUN(commands);
    RUN(missing_command_is_named);
    RUN(a_note_sounds);
    return data_done();
}
