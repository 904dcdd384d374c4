#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_archive.sh - `loco detect FOLDER -o OUTPUT`: killed at any moment and started again, in shards, with bad files, the
#   output is that of an undisturbed run; nothing that is done is done again.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE SLURM_PROCID SLURM_STEP_NUM_TASKS

"$loco" synth drums -o set -n 4 --seconds 2 2>err || fail "no data set: $(cat err)"
train_small set m.loco 60
low=(--decoding threshold=0.001)
mkdir -p tree/b
for i in {0..9}; do cp set/rec_000.wav "tree/x$i.wav"; done
for i in {0..9}; do cp set/rec_001.wav "tree/b/y$i.wav"; done
echo 'dear diary' >tree/bad.wav
: >tree/b/empty.wav
all=(detect -m m.loco tree "${low[@]}")

# ---- undisturbed: the same as on standard output ----
run 3 "${all[@]}" -t 1
cp out whole.csv
run 3 "${all[@]}" -o a.csv -t 2
cmp -s a.csv whole.csv || fail 'the collected file has other events'
says err '22 files, 20 read, 40.0 s, '
says err 'times real time'
says err ' events: kick '
[[ $(tail -3 err | head -1) == '2 of 22 files failed:' ]] || fail "no list: $(cat err)"
tail -2 err | head -1 | grep -q '^  tree/b/empty.wav: is empty' || fail "no reason: $(cat err)"

# ---- what is done is not done again ----
run 3 "${all[@]}" -o a.csv --resume
says err '22 files, 20 read, 22 done earlier, 40.0 s'
says err '(not tried again; --retry does)'
cmp -s a.csv whole.csv || fail 'nothing to do gives another file'
run 3 "${all[@]}" -o a.csv --resume --retry
says err '22 files, 20 read, 20 done earlier'
cp set/rec_002.wav tree/bad.wav # it changed
run 3 "${all[@]}" -o a.csv --resume
says err '22 files, 21 read, 21 done earlier'
rm tree/b/empty.wav
cp set/rec_002.wav tree/c.wav # a new one
run 0 "${all[@]}" -o a.csv --resume
says err '22 files, 22 read, 21 done earlier'
run 0 "${all[@]}"
cmp -s a.csv out || fail 'a file that was added gives other events'
cp out whole.csv
wrong 3 'a.csv.done is of another model, other options or another version of loco; remove it' \
    detect -m m.loco tree -o a.csv --resume
run 0 detect -m m.loco tree -o a.csv # without --resume it begins anew, and leaves no journal behind
absent a.csv.done

# ---- killed at any moment ----
# killed SECONDS ARGUMENTS...: runs loco, and kills it after so long; the status is 137 if it was still running.
killed()
{
    local seconds=$1 running
    shift
    "$loco" "$@" >out 2>err </dev/null &
    running=$!
    sleep "$seconds"
    kill -KILL $running 2>/dev/null
    wait $running 2>/dev/null
}

mkdir many
for i in {1..300}; do ln -s ../set/rec_003.wav "many/x$i.wav"; done
run 0 detect -m m.loco many "${low[@]}"
cp out many.csv
kills=0
for i in {1..40}; do
    killed "0.$(printf '%02d' $((4 + i % 7)))" detect -m m.loco many "${low[@]}" -o k.csv -t 2
    [[ $? == 137 ]] || break
    kills=$((kills + 1))
    [[ -e k.csv ]] && ! cmp -s k.csv many.csv && fail 'an output before all files are done'
done
checks=$((checks + 2))
[[ $kills -gt 0 ]] || fail 'nothing was killed'
run 0 detect -m m.loco many "${low[@]}" -o k.csv
cmp -s k.csv many.csv || fail "after $kills kills there are other events"
absent k.csv.done
# half a record at the end
run 0 "${all[@]}" -o k.csv --resume
cut=$(($(wc -c <k.csv.done) * 2 / 3))
head -c $cut k.csv.done >part.done && mv part.done k.csv.done
run 0 "${all[@]}" -o k.csv --resume
cmp -s k.csv whole.csv || fail 'a journal that was cut gives other events'
says err 'done earlier'
# two at a time, and Ctrl-C: stopped first, so that it is not done before; on a busy machine it may be, and is begun again
for i in {1..20}; do
    rm -f c.csv c.csv.done
    "$loco" detect -m m.loco many -o c.csv -t 1 2>said &
    running=$!
    until [[ -s c.csv.done || -e c.csv ]]; do
        kill -0 $running 2>/dev/null || break
    done
    kill -STOP $running
    [[ -e c.csv || ! -s c.csv.done ]] || run 4 detect -m m.loco many -o c.csv
    kill -INT $running
    kill -CONT $running
    wait $running
    interrupted=$?
    [[ $interrupted == 0 ]] || break
done
says err 'another process writes c.csv.done; wait for it, or share the files by --shard'
checks=$((checks + 1))
[[ $interrupted == 130 ]] || fail "interrupted: another status: $(tail -3 said)"
says said 'files that are done stay done; the same command goes on where it stopped'

# ---- a file for each recording ----
run 0 "${all[@]}" -o plain/ -f midi
[[ $(find plain -type f | wc -l) == 22 ]] || fail "files: $(ls -A plain)"
killed 0.05 "${all[@]}" -o killed/ -f midi -t 2
run 0 "${all[@]}" -o killed/ -f midi
rm -f killed/*.loco-tmp
diff -r plain killed >/dev/null || fail 'other files after a kill'

# ---- shards, in any order and number ----
for i in 3 1 2; do
    absent s.csv
    run 0 "${all[@]}" -o s.csv --shard $i/3
    says err "shard $i/3: "
done
says err 'all 22 files are done'
cmp -s s.csv whole.csv || fail 'shards give other events'
run 0 "${all[@]}" -o s.csv --resume # the journals of shards count
says err '22 files, 22 read, 22 done earlier'
rm s.csv*
for i in 1 2 3 4; do "$loco" "${all[@]}" -o s.csv --shard $i/4 2>/dev/null & done
wait
cmp -s s.csv whole.csv || fail 'shards at a time give other events'

# ---- under a launcher: only the last one reports failure ----
echo 'no sound' >tree/bad.wav
run 3 "${all[@]}"
cp out whole.csv
total=0
for i in 0 1 2; do
    OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=3 "$loco" "${all[@]}" -o l.csv 2>err
    status=$?
    total=$((total + status))
done
checks=$((checks + 2))
[[ $status == 3 && $total == 3 ]] || fail "launcher: $status of $total"
cmp -s l.csv whole.csv || fail 'processes of a launcher give other events'

# ---- what cannot be asked for ----
refused 2 '--shard takes I/N with I from 1 to N, such as 2/8, not "0/4"' detect -m m.loco tree -o x.csv --shard 0/4
refused 2 '--resume: give an output that the events are collected in' detect -m m.loco tree --resume
refused 2 '--retry is for --resume and --shard' detect -m m.loco tree -o x.csv --retry
echo 'mine' >x.csv.done
wrong 3 'x.csv.done is not a journal of loco; remove it, or choose another -o' detect -m m.loco tree -o x.csv
[[ $(cat x.csv.done) == mine ]] || fail 'a file of the user is changed'
if [[ -w /dev/full ]]; then
    run 4 "${all[@]}" -o /dev/full -f csv
fi

done_checking
