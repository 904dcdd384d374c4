#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2034
#
# settings.sh - what the ECG experiment uses, and how much of it; to be sourced.
#   EXPERIMENT_QUICK=1 is for a test of the scripts: everything is done, with little training, and the numbers mean nothing.

# Eight half-hour records of the MIT-BIH Arrhythmia Database. 102 and 104 hold paced beats. 108 is noisy: it is scored
# apart from the others, which are called clean.
records=(100 102 104 105 108 116 121 200)
noisy=108

# The records that a fold is tested on; it is trained on the other five. 121 is tested twice.
declare -A tested=([a]='102 108 121' [b]='100 105 116' [c]='104 121 200')
folds=(a b c)
read -ra runs <<<"${EXPERIMENT_SEEDS:-1 2}"

# What training sees; labels_of in data.sh makes the counts, words_of in models.sh has settings.
rungs=(exact minutes halfhour some range)
trained=(exact own times minutes halfhour some range) # the rungs and the twins; `exact` first, since `own` needs it
short=10 middle=300 long=1800 # seconds of a clip

minutes_words=(--set start=0.8 --set batch=1 --set steps=400 --set average=0.9) # so few that a mean over 100 would hold the first
halfhour_words=(--set start=0.8 --set batch=1 --set steps=250 --set average=0.9)
recipe=(--preset ecg --set held=0) # steps=500 batch=8 start=0.999; see src/train/recipe.c
taught_words=(--set supervised=1 --set steps=1000) # by times, true ones or those of a network of counts
same=0.2 # seconds: of two beats that are nearer, of any class, only the more probable one is reported
small=()

if [[ ${EXPERIMENT_QUICK:-0} == 1 ]]; then
    runs=(1) short=10 middle=20 long=60
    small=(--set steps=40 --set warm_up=5 --set rate=0.01 --set 'network=conv 9x1 8, conv 9x1 8')
fi
