#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_enrich.sh - event times from known counts: what the command takes and writes, that times given counts are better
#   than without, that probabilities hold, and that a model can be taught by the times.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

model=$LOCO_SOURCE/models/drums-three.loco # whose classes are those of the set
if [[ ! -f $model ]]; then
    echo "skipped: no $model"
    exit 77
fi
"$loco" synth drums -o set -n 8 --seconds 6 --unseen --distractors 2>err || fail "no data set: $(cat err)"

# ---- mistakes ----
mkdir there
refused 2 'name one data set' enrich -m "$model"
refused 2 'name one data set' enrich -m "$model" set set
refused 2 'no model given' enrich set
for gap in 0s 4000s 2h; do
    refused 2 '--gap takes times above 0' enrich -m "$model" set --gap "$gap"
done
refused 2 '--gap -0.5s: not a time' enrich -m "$model" set --gap -0.5s
refused 2 '--gap 0.3: write the unit: 300ms or 0.3s' enrich -m "$model" set --gap 0.3
refused 2 '--tolerance takes times above 0' enrich -m "$model" set --tolerance 0ms
refused 2 '--tolerance 0.15: write the unit: 150ms or 0.15s' enrich -m "$model" set --tolerance 0.15
refused 2 'did you mean midi?' enrich -m "$model" set -f mido -o x.mid
refused 2 '--format midi needs a place' enrich -m "$model" set -f midi
refused 2 '--format set needs a place' enrich -m "$model" set -f set
refused 2 '--tempo is for MIDI files' enrich -m "$model" set --tempo 97
refused 2 '--tempo takes 10 to 1000' enrich -m "$model" set --tempo 5 -f midi -o x/
refused 2 'is there already; a data set needs a new folder' enrich -m "$model" set -o there
refused 2 'the ending of x.wav is not .csv' enrich -m "$model" set -o x.wav
refused 2 'set/events.csv holds what is known of set' enrich -m "$model" set -o set/events.csv
refused 2 'holds what is known of set/counts.csv' enrich -m "$model" set/counts.csv -o set/events.csv
refused 2 'holds what is known' enrich -m "$model" set -o set/counts.csv
refused 2 'would hold one recording, not 8' enrich -m "$model" set -o x.mid
refused 3 'No such file' enrich -m "$model" nothing
refused 3 'is a sound' enrich -m "$model" set/rec_000.wav
refused 3 'nothing.loco' enrich -m nothing.loco set
refused 4 'no/x.csv' enrich -m "$model" set -o no/x.csv
refused 4 'no/p.csv' enrich -m "$model" set --posterior no/p.csv
absent x x.mid x.wav no

# ---- better than without counts ----
run 0 enrich -m "$model" set -o times.csv --posterior table.csv
says err 'should be right'
silent out
run 0 plot evaluation --reference set/events.csv --estimate times.csv --tolerance 50ms -o pictures
run 0 eval --reference set/events.csv --estimate times.csv --tolerance 50ms --json
cp out with.json
run 0 eval -m "$model" set --tolerance 50ms --json
cp out without.json
checks=$((checks + 2))
python3 - <<'P' || fail "not better, not exact, or not honest: $(cat said)"
import csv, json, re, sys
f1 = [json.load(open(name))["all"]["at"][0]["f1"] for name in ("with.json", "without.json")]
error = float(re.search(r"calibration error ([0-9.]+)", open("pictures/reliability.svg").read()).group(1))
counts = [row for row in csv.DictReader(open("set/counts.csv"))]
times = [row for row in csv.DictReader(open("times.csv")) if row["time"]]
wrong = 0
for row in counts:  # as many as each row says, in each row
    for name in ("kick", "snare", "hihat"):
        found = sum(t["file"] == row["file"] and t["class"] == name and
                    float(row["start"]) <= float(t["time"]) < float(row["end"]) for t in times)
        wrong += found != int(row[name])
# each frame of the table: a probability, and those of a recording add up to its events
sums = {}
for row in csv.DictReader(open("table.csv")):
    for name in ("kick", "snare", "hihat"):
        assert 0 <= float(row[name]) <= 1, row
        sums[row["file"]] = sums.get(row["file"], 0) + float(row[name])
apart = max(abs(sums[file] - sum(t["file"] == file for t in times)) for file in sums)
open("said", "w").write(f"F1 {f1}, calibration error {error}, {wrong} rows wrong, table off by {apart}")
print(open("said").read())
sys.exit(not (f1[0] > f1[1] + 0.03 and error < 0.06 and wrong == 0 and apart < 1.5))
P

# ---- formats ----
run 0 enrich -m "$model" set
says out 'file,time,class,probability'
cmp -s <(tail -n +2 out | cut -d, -f1-3) <(grep -v ',,' times.csv | tail -n +2 | cut -d, -f1-3) || fail 'stdout differs from a file'
run 0 enrich -m "$model" set -f jsonl
says out '{"file":"rec_000.wav","time":'
run 0 enrich -m "$model" set -o there -f midi
[[ $(find there -name '*.mid' | wc -l) == 8 ]] || fail "MIDI files: $(ls there)"
run 0 eval --reference times.csv --estimate there --tolerance 5ms --require f1=0.99
run 0 enrich -m "$model" set -o new/folder/ -f midi --tempo 97
[[ $(find new/folder -name '*.mid' | wc -l) == 8 ]] || fail "MIDI files: $(ls new)"
run 0 eval --reference times.csv --estimate new/folder --tolerance 5ms --require f1=0.99
cmp -s new/folder/rec_000.mid there/rec_000.mid && fail "--tempo does nothing"
{ head -1 set/counts.csv; grep '^rec_000' set/counts.csv; } >set/one.csv
run 0 enrich -m "$model" set/one.csv -o one.txt
run 0 eval --reference one.txt --estimate there/rec_000.mid --tolerance 5ms --require f1=0.99

# ---- rows that cannot be met, and counts of all kinds ----
printf 'file,start,end,kick,snare,hihat\nrec_000.wav,0,1,9,?,>=1\nrec_000.wav,1,2,2..3,0,<=1\n' >set/rows.csv
run 0 enrich -m "$model" set/rows.csv --gap 0.3s
says err 'set/rows.csv:2: column "kick": 9 events do not fit into '
says err ' s, 0.300 s apart; 4 are written'
says err '1 remark above'

# ---- a set of its own, from which a model learns ----
run 0 enrich -m "$model" set -o timed
says err 'loco train timed --set supervised=1'
refused 2 'is there already' enrich -m "$model" set -o timed
"$loco" train timed -o taught.loco --set supervised=1 --set steps=4 --set check=4 --set frontend.bands=24 \
    --set 'network=conv 3x3 8 stride 4 norm, gru 16' >out 2>err || fail "training failed: $(cat err)"
run 0 inspect taught.loco
says out 'supervised=1'
mkdir bare
cp set/*.wav set/counts.csv bare # beside the counts
run 0 enrich -m "$model" bare -o bare/events.csv
run 0 eval -m "$model" bare --tolerance 50ms
says out 'all, pooled'

done_checking
