#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2034
#
# settings.sh - what the drum experiments use, and how much of it; to be sourced.
#   EXPERIMENT_QUICK=1 is for a test of the scripts: everything is done, on little data and with little training, and the
#   numbers mean nothing.

seed=1
methods=(exact squared poisson times) # losses that are compared; see settings_of in compare.sh

# The sounds: what is installed of Debian's kits and soundfonts. Without any, drums are synthesised, and that is said.
kit_folder=/usr/share/hydrogen/data/drumkits
font_folder=/usr/share/sounds/sf2
# Single sounds that kits.sh makes kits of.
lmms_folder=/usr/share/lmms/samples/drums sonic_pi_folder=/usr/share/sonic-pi/samples
fonts=(TimGM6mb FluidR3_GM MuseScore_General_Full Black_Pearl_4_LV2 Red_Zeppelin_4_LV2)
# Real kits and performances of drummers, where the user has them: $LOCO_DATA/drums_kits and drums_gmd_midi.
real_kits=drums_kits drummers=drums_gmd_midi
synthesised=0.08 # part of the instruments of training recordings that are synthesised
ordinary=0.7   # part of the training recordings that are as people make them; the others vary more
background=0.5 # part of the recordings with music behind the drums, where music is trained with

# The models. `drums` is causal, and reports a stroke within 40 ms; `drums-hq` reads both ways, and
# so does `drums-mix`, for drums behind music.
# What MDB Drums calls a hi-hat, a tom and a cymbal; a side stick is not a snare there, nor a tambourine a hi-hat.
groups=hihat=closed-hihat+open-hihat+pedal-hihat,tom=low-tom+high-tom+mid-tom,cymbal=ride+crash+ride-bell
live_network='conv 3x5 16 stride 2 causal norm, conv 3x3 24 stride 2 causal norm, conv 3x3 40 stride 2 causal norm, dense 96 relu as d, dropout 0.1, gru 64, join d'
drums_recipe=(--preset drums-live --set "network=$live_network" --set shortest=0.4 --set longest=0.8 --set "fold=$groups")
hq_recipe=(--preset drums-hq --set shortest=0.4 --set longest=0.8 --set "fold=$groups")
compare_recipe=(--preset drums --set shortest=0.4 --set longest=0.8)
licence='MIT; the sounds it learned from are named under trained_on'

# Many short recordings rather than few long ones: each has a band, a mix and a room of its own.
recordings=7000 music_recordings=3500 seconds=4 held_recordings=80 held_seconds=10
runs=(1 2 3 4 5 6) mix_runs=(1 2 3)
steps=7000 hq_steps=8000 mix_steps=5000 compare_steps=800 check=400 compare_check=200
versions=8 # that vote
small=()   # settings that make networks small

if [[ ${EXPERIMENT_QUICK:-0} == 1 ]]; then
    recordings=6 music_recordings=6 seconds=5 held_recordings=2 held_seconds=8
    runs=(1 2) mix_runs=(1)
    steps=12 hq_steps=12 mix_steps=12 compare_steps=8 check=8 compare_check=8
    versions=3
    small=(--set batch=4 --set frontend.bands=24 --set 'network=conv 3x3 4 stride 4 norm, gru 8')
    drums_recipe=(--preset drums-live --set shortest=0.4 --set longest=0.8 --set "fold=$groups") # small has a network
    fonts=() # they take long to load
fi
