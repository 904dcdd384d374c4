#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_sweep.sh - `loco train --sweep`: each run is what it is alone; stopped and resumed, and shared by processes, it ends
#   with the same table.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE SLURM_PROCID SLURM_STEP_NUM_TASKS

"$loco" synth drums -o set -n 8 --seconds 2 2>err || fail "no data set: $(cat err)"
"$loco" synth drums -o test -n 2 --seconds 2 --seed 5 2>err || fail "no data set: $(cat err)"
small=(--set steps=20 --set check=10 --set frontend.bands=24 --set warm_up=5 --set 'network=conv 3x3 4 stride 4, gru 4')
values=(--sweep 'rate=0.002,0.02' --seeds 1..2)

# ---- the runs, and their table ----
run 0 train set -o a "${small[@]}" "${values[@]}" --test test
says err '4 runs, 4 of them to do, '
says err 'rate=0.002,seed=1: F1 '
cp out table
[[ $(grep -c '^rate=0' out) -ge 2 ]] || fail "no table: $(cat out)"
[[ $(cd a && echo *.loco) == 'rate=0.002,seed=1.loco rate=0.002,seed=2.loco rate=0.02,seed=1.loco rate=0.02,seed=2.loco' ]] ||
    fail "models: $(ls a)"
run 0 table slow=a/rate=0.002,seed=1.json
run 0 plot runs "slow=a/rate=0.002,seed=1.jsonl" "fast=a/rate=0.02,seed=1.jsonl" -o runs.svg
run 0 train set -o alone.loco "${small[@]}" --set rate=0.02 --set seed=2 --threads 1
cmp -s alone.loco a/rate=0.02,seed=2.loco || fail 'a run of a sweep is not what it is alone'

# ---- what is done is not done again; more seeds may follow ----
wrong 3 'a holds a sweep; --resume goes on with it, or choose another -o' train set -o a "${small[@]}" "${values[@]}" --test test
wrong 3 'is of a sweep with other data or settings' train set -o a "${values[@]}" --test test --resume
run 0 train set -o a "${small[@]}" "${values[@]}" --test test --resume
cmp -s out table || fail 'the table differs'
run 0 train set -o a "${small[@]}" --sweep rate=0.002,0.02 --seeds 2,3 --test test --resume
says err '4 runs, 2 of them to do, '

# a model without scores is scored, not trained again; a checkpoint is gone on with, and so must be whole
rm a/rate=0.002,seed=2.json
before=$(stat -c %i a/rate=0.002,seed=2.loco)
run 0 train set -o a "${small[@]}" "${values[@]}" --test test --resume
cmp -s out table || fail 'scored again, the table differs'
[[ $(stat -c %i a/rate=0.002,seed=2.loco) == "$before" ]] || fail 'a model that was there was trained again'
rm a/rate=0.002,seed=2.json a/rate=0.002,seed=2.loco
echo 'no checkpoint' >a/rate=0.002,seed=2.part.loco.checkpoint
run 3 train set -o a "${small[@]}" "${values[@]}" --test test --resume
says err 'rate=0.002,seed=2: '
says err 'part.loco.checkpoint'
rm a/*.checkpoint
run 0 train set -o a "${small[@]}" "${values[@]}" --test test --resume
cmp -s out table || fail 'trained again, the table differs'

# ---- two at a time, and Ctrl-C in the middle of a run ----
long=(train set -o c "${small[@]}" --set steps=1000000 --seeds 1 --test test --resume -t 1)
"$loco" "${long[@]}" >out 2>said &
running=$!
for ((i = 0; i < 600; i++)); do
    [[ -s c/seed=1.part.loco.checkpoint ]] && break
    sleep 0.05
done
refused 4 'another process works on the sweep in c; wait for it' "${long[@]}"
checks=$((checks + 2))
kill -INT $running
wait $running
[[ $? == 130 ]] || fail "interrupted: another status: $(tail -3 said)"
says said 'what is trained is saved; the same command with --resume goes on'
[[ -s c/seed=1.part.loco.checkpoint && ! -e c/seed=1.loco ]] || fail "after an interruption: $(ls c)"

# ---- killed and interrupted ----
for signal in KILL INT KILL; do
    "$loco" train set -o k "${small[@]}" "${values[@]}" --test test --resume -t 2 >out 2>err &
    running=$!
    sleep 0.3
    kill -$signal $running 2>/dev/null
    wait $running 2>/dev/null
done
run 0 train set -o k "${small[@]}" "${values[@]}" --test test --resume
cmp -s out table || fail 'stopped and resumed, the table differs'
cmp -s k/rate=0.02,seed=2.loco alone.loco || fail 'stopped and resumed, a model differs'
[[ -z $(find k -name '*.part*' -o -name '*.loco-tmp' -o -name '*.checkpoint') ]] || fail "left behind: $(ls k)"

# ---- several processes ----
for i in 0 1 2; do
    OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=3 "$loco" train set -o p "${small[@]}" "${values[@]}" --test test >out.$i 2>err.$i &
done
wait
checks=$((checks + 1))
cat out.0 out.1 out.2 >outs
head -n "$(wc -l <table)" outs | cmp -s - table || fail "processes give another table: $(cat err.?)"

# one after the other: each does its own runs, and the last one prints the table
todo=(2 1 1)
for i in 0 1 2; do
    OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=3 run 0 train set -o o "${small[@]}" "${values[@]}" --test test
    says err "4 runs, ${todo[i]} of them to do, "
    if [[ $i -lt 2 ]]; then
        silent out
        says err "$((2 + i)) of 4 runs are done"
    fi
done
cmp -s out table || fail "processes one after the other give another table: $(cat out)"

# ---- without --test a fifth is set aside; what a killed run left of that is removed ----
(exit 0) &
gone=$!
wait $gone
left=s/$(temp_of split $gone)
mkdir -p "$left/train"
touch "$left/train/counts.csv"
run 0 train set -o s "${small[@]}" --seeds 3 -t 1
says err '6 recordings to train on, 2 to score with'
says out 'all seeds'
absent "$left"
[[ -e s/seed=3.loco && -e s/split/test/counts.csv ]] || fail "files: $(ls s)"

# ---- what cannot be asked for ----
refused 2 '--sweep takes KEY=VALUE,VALUE,..., such as rate=0.001,0.003, not "rate"' train set -o x --sweep rate
refused 2 '--seeds takes numbers, such as 1..6 or 1,2,5, not "1-6"' train set -o x --seeds 1-6
refused 2 '--test and --shard are for --sweep and --seeds' train set -o x.loco --test test
refused 2 'each run of a sweep has its own log' train set -o x --seeds 1..2 --log l
refused 2 'several processes need a data set to score with' train set -o x --seeds 1..2 --shard 1/2
run 2 train set -o y "${small[@]}" --sweep rats=1,2 --seeds 1 --test test # every run fails, each with a sentence
says err 'rats=1,seed=1: '
says err '0 of 2 runs are done'

done_checking
