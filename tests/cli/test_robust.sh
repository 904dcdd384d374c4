#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_robust.sh - a closed terminal, a full disk, a second run with the same output, files of 300 GB, a small stack.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

tiny=(--set frontend.bands=24 --set 'network=conv 3x3 4 stride 4 norm' --set batch=4 --set check=1000)
"$loco" synth drums -o set -n 2 --seconds 3 2>err || fail "no data set: $(cat err)"

# wait_for FILE: up to ten seconds.
wait_for()
{
    for _ in $(seq 100); do
        [[ -e $1 ]] && return
        sleep 0.1
    done
    fail "$1 did not appear"
}

# ---- a terminal that is closed, and a second run ----
"$loco" train set -o m.loco "${tiny[@]}" --set steps=100000 >out1 2>err1 &
training=$!
wait_for m.loco.lock
wrong 4 'm.loco is being written by another run' train set -o m.loco "${tiny[@]}" --set steps=1
ln -s m.loco link.loco
wrong 4 'link.loco is being written by another run' train set -o link.loco "${tiny[@]}" --set steps=1
cp "$LOCO_SOURCE/models/drums-three.loco" m.loco
refused 4 'm.loco is being written by another run' calibrate -m m.loco set
refused 4 'link.loco is being written by another run' calibrate -m link.loco set
cmp -s m.loco "$LOCO_SOURCE/models/drums-three.loco" || fail 'calibrate wrote into a training'
sleep 1
kill -HUP $training
wait $training
[[ $? == 1 ]] || fail "SIGHUP gave another status: $(cat err1)"
says err1 'stopped; the state is in m.loco.checkpoint'
absent m.loco.lock
[[ -s m.loco.checkpoint ]] || fail 'there is no checkpoint'
touch m.loco.0123abcd-77777-0.loco-tmp m.loco.checkpoint.0123abcd-77777-3.loco-tmp
run 0 train set -o m.loco "${tiny[@]}" --set steps=2
absent m.loco.0123abcd-77777-0.loco-tmp m.loco.checkpoint.0123abcd-77777-3.loco-tmp m.loco.lock

# ---- a full disk: a file may have 60 kB ----
full()
{
    local folder=$1
    shift
    checks=$((checks + 1))
    (
        ulimit -f 60
        "$loco" "$@" >out 2>err </dev/null
    )
    [[ $? == 4 ]] || fail "loco $* on a full disk: $(head -3 err)"
    says err 'cannot write'
    [[ -z $(find "$folder" -name '*.wav' -size +0 -o -name '*.loco-tmp') ]] || fail "loco $* left $(ls "$folder")"
}
mkdir new
full new synth drums -o new/set -n 2 --seconds 5
full new train set -o new/big.loco --set steps=1 --set frontend.bands=24 --set 'network=gru 64'
absent new/big.loco new/big.loco.checkpoint
full new report -m drums set/rec_000.wav -o new/page.html
absent new/page.html

# one write that fails, whichever it is: a sound is whole, or there is none and the status says so (where strace works)
writes=write,writev,pwrite64
whole=$(sha256sum <set/rec_000.wav)
for n in {1..40}; do
    [[ -z ${LOCO_SANITIZE:-} ]] || break
    strace -o trace -e trace=$writes -e inject=$writes:error=ENOSPC:when="$n" true 2>/dev/null || break
    strace -f -o trace -e trace=$writes -e inject=$writes:error=ENOSPC:when="$n" \
        "$loco" synth drums -o new/hole -n 2 --seconds 3 >out 2>err </dev/null
    status=$?
    checks=$((checks + 1))
    [[ ! -e new/hole/rec_000.wav || $(sha256sum <new/hole/rec_000.wav) == "$whole" ]] ||
        fail "write $n failed, status $status: rec_000.wav is not whole"
    { [[ $status == 4 ]] && grep -q 'cannot write' err; } || { [[ $status == 0 ]] && diff -r set new/hole >differs; } ||
        fail "write $n failed, status $status: $(cat err differs | head -3)"
    rm -rf new/hole
done

# sounds are on the disk before the table that names them is written
if [[ -z ${LOCO_SANITIZE:-} ]] && strace -o trace -e trace=syncfs true 2>/dev/null; then
    strace -f -o trace -e trace=syncfs,rename "$loco" synth drums -o new/flushed -n 2 --seconds 1 >out 2>err </dev/null
    checks=$((checks + 1))
    [[ $(grep -o 'syncfs\|[a-z0-9_]*\.[cw][sa]v")' trace | tail -3 | paste -sd ' ') == 'syncfs events.csv") counts.csv")' ]] ||
        fail "synth flushes its sounds at another time: $(cat trace)"
    rm -rf new/flushed
fi

# a data set has both of its files, or is not there: counts.csv fits into 1 KiB, events.csv does not
mkdir one
cp set/rec_000.wav one/
printf 'file,start,end,kick,snare,hihat\nrec_000.wav,,,30,30,30\n' >one/counts.csv
checks=$((checks + 1))
(
    ulimit -f 1
    "$loco" enrich -m m.loco one -o new/timed >out 2>err </dev/null
)
[[ $? == 4 ]] || fail "enrich on a full disk: $(head -3 err)"
says err 'cannot write'
[[ -z $(find new -name 'timed*') ]] || fail "enrich left $(find new)"
run 0 enrich -m m.loco one -o new/timed
[[ $(ls new/timed) == $'counts.csv\nevents.csv' ]] || fail "enrich made $(ls new/timed)"

# ---- memory that a decoder does not get; libsndfile 1.2.0 itself crashes at one of these allocations ----
fault=$LOCO_BUILD/campaigns/fault.so
for n in {1..8}; do
    [[ -z ${LOCO_SANITIZE:-} && -e $fault ]] || continue # a sanitizer has its own allocations
    # in a shell of its own, which reports the crash to /dev/null
    (
        FAULT_FILE=rec_000.wav FAULT_AT=$n LD_PRELOAD=$fault "$loco" detect -m m.loco set/rec_000.wav --threads 1 >out 2>err
        echo $? >status
    ) 2>/dev/null
    checks=$((checks + 1))
    [[ $(<status) == 139 ]] || { [[ $(<status) == 4 ]] && grep -q 'out of memory' err; } ||
        fail "without allocation $n of a decoder: $(<status) $(head -2 err)"
done

# ---- temporary files of a run that was killed; those of others stay ----
(exit 0) &
gone=$!
wait $gone
mkdir in out2 public public/audio public/class
cp set/rec_000.wav public/audio/a_Drum.wav
printf '0.1\tKD\n' >public/class/a_class.txt
# cleans NAME ARGUMENTS...: the run removes what a killed one left for NAME, and nothing else
cleans()
{
    local file folder kept name=$1
    shift
    file=$(temp_of "$name" $gone) folder=$(temp_of "$name" $gone 1)
    # of a process that is there, of another machine, of another file, and files of the user
    kept=("$(temp_of "$name" $$)" "$name.00000000-$gone-0.loco-tmp" "$(temp_of other $gone)" "$name.$gone-0.tmp")
    mkdir -p "$folder"
    touch "$file" "$folder/a" "${kept[@]}"
    run 0 "$@"
    absent "$file" "$folder"
    for file in "${kept[@]}"; do
        checks=$((checks + 1))
        [[ -e $file ]] || fail "loco $* removed $file"
    done
    rm -f "${kept[@]}"
}
cleans m.loco calibrate -m m.loco set --blind
cleans take.csv detect -m m.loco set/rec_000.wav -o take.csv
cleans page.html report -m m.loco set/rec_000.wav -o page.html
cleans timed enrich -m m.loco one -o timed
cleans timed.csv enrich -m m.loco one -o timed.csv
cleans imported import mdb public -o imported
cleans clip.svg plot clip -m m.loco set/rec_000.wav --from 0s --to 1s -o clip.svg
left=("in/$(temp_of rec_000.wav $gone)" "out2/$(temp_of rec_000.mid $gone)")
touch "${left[@]}" in/mine.tmp "in/report.$gone-05.tmp"
run 0 synth drums -o in -n 1 --seconds 1
run 0 detect -m m.loco set -o out2/ --format midi
absent "${left[@]}"
[[ -e in/mine.tmp && -e in/report.$gone-05.tmp ]] || fail 'synth removed a file of the user'

# ---- 300 GB, refused by the size alone ----
for kind in loco npy csv mid wav; do
    truncate -s 300G big.$kind || fail 'no sparse files here'
done
too_large()
{
    checks=$((checks + 1))
    (
        [[ -n ${LOCO_SANITIZE:-} ]] || ulimit -v 2000000 -t 10 # a sanitizer takes all addresses there are
        "$loco" "$@" >out 2>err </dev/null
    )
    [[ $? == 3 ]] || fail "loco $* with 300 GB: $(head -3 err)"
}
too_large inspect big.loco
says err 'is larger than'
too_large detect -m big.loco set/rec_000.wav
too_large detect -m drums big.wav
too_large detect -m drums big.npy
too_large eval --reference big.csv --estimate big.csv
too_large eval --reference big.mid --estimate big.mid
rm -f big.*

# ---- little memory: recordings are read again for each clip, and the model is the same ----
"$loco" synth drums -o long -n 12 --seconds 40 2>err || fail "no data set: $(cat err)"
run 0 train long -o all.loco "${tiny[@]}" --set steps=3 --no-calibration
run 0 train long -o part.loco "${tiny[@]}" --set steps=3 --no-calibration --memory 16M
checks=$((checks + 1))
cmp -s all.loco part.loco || fail '--memory changed the model'
# peak ARGUMENTS...: the most memory that loco held, in KiB
peak()
{
    python3 - "$loco" "$@" <<'EOF'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
EOF
}
if [[ -z ${LOCO_SANITIZE:-} ]]; then # a sanitizer keeps what is freed
    checks=$((checks + 1))
    # measured: 52 MB, of which 42 are the sounds, and 18 MB
    whole_peak=$(peak train long -o all.loco "${tiny[@]}" --set steps=3 --no-calibration)
    part_peak=$(peak train long -o part.loco "${tiny[@]}" --set steps=3 --no-calibration --memory 16M)
    ((part_peak > 0 && part_peak < whole_peak - 20000)) || fail "--memory 16M: a peak of $part_peak KiB instead of $whole_peak"
fi
refused 2 '--memory 5M: give a size from 16M on' train long -o x.loco --memory 5M
wrong 3 'or allow more memory' train long -o x.loco "${tiny[@]}" --set batch=4000 --memory 16M
absent x.loco

# ---- a stack of 128 KiB, also for threads ----
small()
{
    checks=$((checks + 1))
    (
        [[ -n ${LOCO_SANITIZE:-} ]] || ulimit -s 128 # frames of a sanitizer are larger
        "$loco" "$@" >out 2>err </dev/null
    ) || fail "loco $* with a stack of 128 KiB: $? $(head -3 err)"
}
small synth drums -o stack -n 2 --seconds 3
small synth spots -o spots -n 2 --size 64
small train stack -o s.loco "${tiny[@]}" --set steps=2
for command in detect count 'report -o page.html' 'plot clip --from 0s --to 1s -o clip.svg'; do
    # shellcheck disable=SC2086
    small $command -m drums stack/rec_000.wav
done
for command in eval enrich; do
    small $command -m drums stack
done
small calibrate -m s.loco stack
small detect -m drums-hq stack/rec_000.wav

done_checking
