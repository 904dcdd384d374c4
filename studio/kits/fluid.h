/* SPDX-License-Identifier: MIT
 *
 * fluid.h - plays MIDI with a SoundFont through the command fluidsynth, as a child process.
 *
 * Not linked: the library is LGPL and depends on many others, and a font is played once for many recordings.
 *
 *     lc_midi_out midi = {0};
 *     lc_midi_note_on(&midi, 0.1, 0.5, 9, 38, 100);
 *     status = lc_fluid_play("TimGM6mb.sf2", &midi, 2, 22050, &samples, &n, err);
 *     lc_midi_out_free(&midi); */
#ifndef LC_STUDIO_KITS_FLUID_H
#define LC_STUDIO_KITS_FLUID_H

#include "events/midi_write.h"
#include "loco.h"

/* The sound of midi up to `seconds`, mono at rate, without reverberation or chorus. The caller frees
 * samples. Works in a folder of its own under TMPDIR, or /tmp, which is removed. LOCO_EIO when the command is missing
 * or fails. */
LOCO_MUST_USE loco_status lc_fluid_play(const char *font, lc_midi_out *midi, double seconds, unsigned rate,
                                        float **samples, size_t *n, loco_err *err);

/* Runs a command with its arguments, which end with NULL, without a shell; its output is dropped. */
LOCO_MUST_USE loco_status lc_command_run(char *const *words, const char *package, loco_err *err);

#endif
