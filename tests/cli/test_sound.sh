#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_sound.sh - what a stranger may give the commands for sound: each wrong input is answered by one sentence that
#   names it and what to do, by its exit status, by nothing on stdout, and leaves no half-written file.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

# le BYTES NUMBER: a little-endian number
le()
{
    local i
    for ((i = 0; i < $1; i++)); do
        printf '%b' "\\x$(printf %02x $((($2 >> (8 * i)) & 255)))"
    done
}

# wav FILE FORMAT BITS: a header (format 1 whole numbers, 3 floats; mono, 22050 Hz) before the bytes on standard input
wav()
{
    cat >samples
    local size
    size=$(wc -c <samples)
    {
        printf 'RIFF'
        le 4 $((36 + size))
        printf 'WAVEfmt '
        le 4 16
        le 2 "$2"
        le 2 1
        le 4 22050
        le 4 $((22050 * $3 / 8))
        le 2 $(($3 / 8))
        le 2 "$3"
        printf 'data'
        le 4 "$size"
        cat samples
    } >"$1"
}

"$loco" synth drums -o set -n 4 --seconds 3 2>err || fail "no data set: $(cat err)"
train_small set m.loco 20
take=set/rec_000.wav
small=(--set steps=2 --set 'network=dense 4' --set frontend.bands=24)

# ---- sounds ----
echo 'dear diary' >text.wav
: >empty.wav
: | wav zero.wav 1 16
printf '\350\003' | wav one.wav 1 16
{ head -c 8000 /dev/zero && printf '\000\000\300\177' && head -c 8000 /dev/zero; } | wav nan.wav 3 32
head -c 50000 $take >cut.wav
{ head -c 24 $take && le 4 1 && tail -c +29 $take; } >slow.wav # a header of 1 Hz
mkdir silence
for command in "detect -o x.csv" "detect" "report -o x.html"; do
    read -ra words <<<"$command"
    refused 3 'missing.wav: No such file' "${words[@]}" -m m.loco missing.wav
    refused 3 'text.wav: no sound that can be read' "${words[@]}" -m m.loco text.wav
    refused 3 'empty.wav: is empty, 0 bytes' "${words[@]}" -m m.loco empty.wav
    refused 3 'zero.wav: holds no sound, 0 samples' "${words[@]}" -m m.loco zero.wav
    refused 3 'slow.wav: has 1 samples a second, and is read as sound at 22050 Hz' "${words[@]}" -m m.loco slow.wav
    refused 3 'nan.wav: at 0.090 s a sample is not a number' "${words[@]}" -m m.loco nan.wav
    refused 3 'cut.wav: is cut short' "${words[@]}" -m m.loco cut.wav
    refused 3 'silence holds no sound files' "${words[@]}" -m m.loco silence
done
absent x.csv x.html
run 0 detect -m m.loco one.wav -o x.csv
[[ $(cat x.csv) == file,time,class,probability ]] || fail "one sample: $(cat x.csv)"
cp x.csv before.csv
refused 3 'zero.wav' detect -m m.loco zero.wav -o x.csv
cmp -s x.csv before.csv || fail "a failure changed the output"
run 3 detect -m m.loco missing.wav one.wav
says out 'file,time,class,probability'
says err 'missing.wav'

# ---- models ----
echo 'no model at all' >text.loco
: >empty.loco
sed 's/\\"version\\":1/\\"version\\":9/; s/"checksum"/"checkers"/' m.loco >newer.loco # of another name: no checksum
for command in "detect $take" "report $take -o x.html" "eval set" "calibrate set"; do
    read -ra words <<<"$command"
    refused 3 'missing.loco: No such file' "${words[@]}" -m missing.loco
    refused 3 'text.loco is not a LoCo model: it begins with "no model at all"' "${words[@]}" -m text.loco
    refused 3 'empty.loco is not a LoCo model: it is empty' "${words[@]}" -m empty.loco
    refused 3 'set: Is a directory' "${words[@]}" -m set
    refused 3 'm.loco.checkpoint' "${words[@]}" -m m.loco.checkpoint
    says err 'a .checkpoint is not a model'
    refused 3 'newer.loco' "${words[@]}" -m newer.loco
    says err 'version 9'
done
refused 3 'missing.loco: No such file' inspect missing.loco
refused 3 'text.loco' inspect text.loco

# ---- data sets ----
# counts CSV [EVENTS]: a data set of two recordings in `bad` with these tables
counts()
{
    rm -rf bad
    mkdir bad
    cp set/rec_000.wav set/rec_001.wav bad/
    printf '%b' "$1" >bad/counts.csv
    [[ -z ${2-} ]] || printf '%b' "$2" >bad/events.csv
}

# unlearnable STATUS TEXT: the data set cannot be trained on, and nothing is left behind
unlearnable()
{
    wrong "$1" "$2" train bad -o x.loco "${small[@]}"
    absent x.loco x.loco.checkpoint x.loco.jsonl
}

head='file,start,end,kick\n' good='rec_000.wav,0,1,2\nrec_001.wav,0,1,2\n'
counts "${head}rec_000.wav,0,1,three\n"
unlearnable 3 'bad/counts.csv:2: column "kick": "three" is not a count; write 3, 2..5'
counts "${head}rec_000.wav,0,1,-1\n"
unlearnable 3 'bad/counts.csv:2: column "kick": "-1" is not a count'
counts "${head}rec_000.wav,0,1,99999999999999999999\n"
unlearnable 3 'bad/counts.csv:2: column "kick": "99999999999999999999" is not a count'
counts "${head}rec_000.wav,0,1,5000\n$good"
unlearnable 3 'bad/counts.csv:2: 5000 events of kick in 1.000 s'
counts "${head}rec_000.wav,2,1,1\n$good"
unlearnable 3 'bad/counts.csv:2: column "end": the end 1 is not after the start'
counts "${head}rec_000.wav,0,100,1\n$good"
unlearnable 3 'bad/counts.csv:2: column "end": the clip ends at 100.000 s, but "rec_000.wav" lasts 3.000 s'
counts "${head}rec_000.wav,50,100,1\n$good"
unlearnable 3 'bad/counts.csv:2: column "start": the clip starts at 50.000 s'
counts "${head}rec_000.wav,soon,1,1\n$good"
unlearnable 3 'bad/counts.csv:2: column "start": "soon" is not a number'
counts "${head}none.wav,0,1,1\n$good"
unlearnable 3 'bad/counts.csv:2: column "file": no file "none.wav"'
counts 'file,start,end\nrec_000.wav,0,1\n'
unlearnable 3 'bad/counts.csv: no classes'
counts 'start,end,kick\n0,1,1\n'
unlearnable 3 'bad/counts.csv: no column "file"'
counts "${head}rec_000.wav,0,1\n"
unlearnable 3 'bad/counts.csv:2: 3 cells, where the header has 4'
counts "$head"
unlearnable 3 'bad/counts.csv: no rows'
counts ''
unlearnable 3 'bad/counts.csv: no header row'
counts "$head$good" 'file,time,class\nrec_000.wav,0.5,kcik\n'
unlearnable 3 'bad/events.csv:2: column "class": "kcik" is not a class here; is it "kick"?'
counts "$head$good" 'file,time\nrec_000.wav,0.5\n'
unlearnable 3 'bad/events.csv: no column "class"'
counts "$head$good" 'file,time,class\nrec_000.wav,-1,kick\n'
unlearnable 3 'bad/events.csv:2: column "time": -1 is not a time in seconds'
counts "${head}text.wav,0,0.1,1\n$good"
cp text.wav bad/
unlearnable 3 'bad/text.wav: no sound'
counts "${head}nan.wav,0,0.1,1\n$good"
cp nan.wav bad/
unlearnable 3 'bad/nan.wav: at 0.090 s'
rm bad/*.csv
unlearnable 3 'bad: no counts.csv'
refused 3 'missing: No such file' train missing -o x.loco
refused 3 'one.wav is a sound; a data set is a folder' train one.wav -o x.loco
refused 3 'one.wav is a sound' eval -m m.loco one.wav
refused 3 'one.wav is a sound' calibrate -m m.loco one.wav
refused 3 'missing: No such file' eval -m m.loco missing
counts 'file,start,end,kick\nrec_000.wav,0,1,2\n' 'file,time,class\nrec_000.wav,0.5,kick\n'
refused 3 'bad/counts.csv: no class "snare"; the model has kick,snare,hihat' eval -m m.loco bad
counts 'file,start,end,kick,snaer,hihat\nrec_000.wav,0,1,2,1,1\n'
cp m.loco before.loco
for command in eval calibrate report; do
    refused 3 '"snaer" is not a class of the model, which has kick,snare,hihat; is it "snare"?' "$command" -m m.loco bad
done
counts 'file,start,end,hihat,snare,kick\nrec_000.wav,0,1,2,1,1\n'
refused 3 'in the order of the model: kick,snare,hihat' eval -m m.loco bad
rm bad/counts.csv # events alone have no order: they take that of the model
printf 'file,time,class\nrec_000.wav,0.5,hihat\nrec_000.wav,0.7,kick\n' >bad/events.csv
run 0 eval -m m.loco bad
printf 'file,time,class\nrec_000.wav,0.5,hithat\n' >bad/events.csv
refused 3 'bad/events.csv:2: column "class": "hithat" is not a class here; is it "hihat"?' eval -m m.loco bad
cmp -s m.loco before.loco || fail "a failed calibration changed the model"
refused 3 'missing.csv: No such file' eval --reference missing.csv --estimate set/events.csv
refused 3 'text.loco: no column "time"' eval --reference set/events.csv --estimate text.loco
printf 'file,time,class\nother.wav,1,kick\nthird.wav,1,kick\n' >other.csv
refused 3 'other.csv has no recording of set/events.csv' eval --reference set/events.csv --estimate other.csv

# ---- command lines ----
refused 2 'there is no preset "drms"; did you mean drums?' train set -o x.loco --preset drms
refused 2 'there is no setting "stepps"; did you mean steps?' train set -o x.loco --set stepps=3
refused 2 'steps=0: training steps takes a whole number from 1' train set -o x.loco --set steps=0
refused 2 '"steps" is not a setting; write key=value' train set -o x.loco --set steps
refused 2 '"band" is not a setting; did you mean bands?' train set -o x.loco --set frontend.band=3
refused 2 '"konv" is wrong here' train set -o x.loco --set network=konv
refused 2 'say where the model goes' train set
refused 2 'name one data set' train -o x.loco
refused 2 'no model given' detect $take
refused 2 'name sound files' detect -m m.loco
refused 2 'there is no format "cvs"; did you mean csv?' detect -m m.loco $take --format cvs
refused 2 'there is no format for ".mdi"; did you mean .mid?' detect -m m.loco $take -o x.mdi
refused 2 'has no ending' detect -m m.loco $take -o x
refused 2 'needs a file' detect -m m.loco $take --format midi
refused 2 'give -o a folder' detect -m m.loco set -o x.mid
refused 2 'would both become' detect -m m.loco $take bad/rec_000.wav -o bad
cp $take before.wav
refused 2 'rec_000.wav is the sound itself' detect -m m.loco $take -o $take
refused 2 'rec_000.wav is the sound itself' detect -m m.loco set -o set --format click
cmp -s $take before.wav || fail "the sound was written over"
refused 2 '"mas" is not a kind of settings; did you mean mass?' detect -m m.loco $take -d mas
refused 2 'did you mean threshold?' eval -m m.loco set -d treshold=0.3
refused 2 'threshold=2 is out of range' detect -m m.loco $take -d threshold=2
refused 2 '--counts needs 3 labels' detect -m m.loco $take --counts 1,2
refused 2 '--counts, hihat: "x" is not a count' detect -m m.loco $take --counts 1,2,x
refused 3 'rec_000.wav: 3000 events of hihat do not fit' detect -m m.loco $take --counts 1,2,3000
refused 2 'up to 64' detect -m m.loco $take --ensemble 65
refused 2 'up to 64' eval -m m.loco set --ensemble 65
refused 2 'standard input needs its format' detect -m m.loco -
refused 2 'the type must be u8, s16le' detect -m m.loco - --raw s16be,1,44100
refused 2 'behind the type must stand channels' detect -m m.loco - --raw s16le,0,44100
refused 2 'last must stand the rate' detect -m m.loco - --raw s16le,1,0
refused 2 '--raw is for standard input' detect -m m.loco $take --raw s16le,1,44100
refused 2 'read once and alone' detect -m m.loco - $take --raw s16le,1,44100
wrong 3 'standard input: holds no sound' detect -m m.loco - --raw s16le,1,44100
printf 'abc' | "$loco" detect -m m.loco - --raw s16le,1,44100 >out 2>err
[[ $? == 3 ]] || fail "half a sample is taken"
says err 'the stream ends after 1 of 2 bytes of a frame'
silent out
refused 2 'the name must be f1' eval -m m.loco set --require f2=1
refused 2 'no score has a tolerance of 30 ms' eval -m m.loco set --require f1@30=0.5
refused 2 '--tolerance 5x: "x" is not a unit of time; use us, ms, s, min or h' eval -m m.loco set --tolerance 5x
refused 2 '--tolerance 0.15: write the unit: 150ms or 0.15s' eval -m m.loco set --tolerance 0.15
refused 2 '--tolerance 50ms,20: write the unit: 20ms or 20s' eval -m m.loco set --tolerance 50ms,20
refused 2 '--tolerance 61s: takes times above 0, up to 60s' eval -m m.loco set --tolerance 61s
refused 2 'give a model and one data set' eval -m m.loco
refused 2 '"drms" cannot be made; drums, piano, digits and spots can' synth drms -o x
refused 2 'say where the data set goes' synth drums
refused 2 'the page goes to a file' report -m m.loco set -o -
mapfile -t often < <(printf -- '--set=steps=2\n%.0s' {1..65})
refused 2 'may be given 64 times' train set -o x.loco "${often[@]}"
refused 2 'did you mean --decoding?' detect -m m.loco $take --decodign mass
absent x.loco x.mid ./-

# ---- outputs that cannot be written ----
refused 4 'missing/x.loco cannot be written' train set -o missing/x.loco
for ending in csv jsonl txt mid wav; do
    refused 4 "cannot write missing/x.$ending: No such file" detect -m m.loco $take -o "missing/x.$ending"
done
refused 4 'cannot write missing/x.html' report -m m.loco $take -o missing/x.html
refused 4 'missing/x' synth drums -o missing/x -n 1 --seconds 1
cp m.loco before.loco
for command in "detect $take -o large.wav" "report $take -o large.html" "calibrate set"; do
    checks=$((checks + 1)) # a limit on the size of files stands for a full disk
    read -ra words <<<"$command"
    (trap '' XFSZ && ulimit -f 2 && exec "$loco" "${words[@]}" -m m.loco >out 2>err)
    [[ $? == 4 ]] || fail "$command: a full disk gives $?: $(cat err)"
    says err 'cannot write'
done
(trap '' XFSZ && ulimit -f 2 && exec "$loco" train set -o large.loco --set steps=2 --set network='dense 64' >out 2>err)
[[ $? == 4 ]] || fail "train: a full disk is not noticed: $(cat err)"
absent large.wav large.html large.loco large.loco.checkpoint
cmp -s m.loco before.loco || fail "a full disk changed the model"
if [[ -w /dev/full ]]; then
    "$loco" detect -m m.loco $take >/dev/full 2>err
    [[ $? == 4 ]] || fail "a full standard output is not noticed"
    says err 'cannot write to standard output'
fi

# ---- without permission: as nobody, where this runs as root ----
as=()
[[ $(id -u) != 0 ]] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [[ $(id -u) != 0 ]] || setpriv "${as[@]:1}" true 2>/dev/null; then
    chmod 755 .
    mkdir shut
    cp m.loco $take shut/
    chmod 0 shut/*
    chmod 755 shut
    refused_as_other()
    {
        local status=$1 text=$2 got
        shift 2
        "${as[@]}" "$loco" "$@" >out 2>err
        got=$?
        [[ $got == "$status" ]] || fail "loco $* gave $got, not $status: $(cat err)"
        says err "$text"
        silent out
    }
    if "${as[@]}" "$loco" --version >out 2>/dev/null; then
        refused_as_other 3 'shut/rec_000.wav: Permission denied' detect -m m.loco shut/rec_000.wav
        refused_as_other 3 'shut/m.loco: Permission denied' detect -m shut/m.loco $take
        refused_as_other 3 'shut/m.loco: Permission denied' calibrate -m shut/m.loco set
        [[ $(id -u) != 0 ]] || refused_as_other 4 'cannot write shut/x.csv: Permission denied' detect -m m.loco $take \
            -o shut/x.csv
    fi
fi

done_checking
