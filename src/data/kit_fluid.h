/* SPDX-License-Identifier: MIT
 *
 * kit_fluid.h - plays MIDI with a SoundFont through the command fluidsynth, as a child process.
 *
 * Not linked: the library is LGPL and draws in half a desktop, and a font is played once for many recordings.
 */
#ifndef LC_DATA_KIT_FLUID_H
#define LC_DATA_KIT_FLUID_H

#include "data/kit_midi.h"
#include "loco.h"

/* The sound of midi up to `seconds`, mono at rate, without reverberation or chorus. samples are the caller's to
 * free(). Works in a folder of its own under TMPDIR, or /tmp, which is removed. LOCO_EIO when the command is missing
 * or fails. */
LOCO_MUST_USE loco_status lc_fluid_play(const char *font, lc_midi_out *midi, double seconds, unsigned rate,
                                        float **samples, size_t *n, loco_err *err);

/* Runs a command with its arguments, which end with NULL, without a shell; its output is dropped. */
LOCO_MUST_USE loco_status lc_command_run(char *const *words, const char *package, loco_err *err);

#endif
