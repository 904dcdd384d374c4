#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_ecg.sh - the ECG experiment runs from made-up records to tables and pictures, in a size at which the
#   numbers mean little; a second run makes nothing again; labels are weakened as they should be; missing records are reported.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: other tests run the same code under sanitizers"
    exit 77
fi

experiment=$LOCO_SOURCE/experiments/ecg/run
export EXPERIMENT_QUICK=1 LOCO=$loco LOCO_EXPERIMENTS=$work/ecg LOCO_DATA=$work/data

# ---- without records ----
checks=$((checks + 1))
"$experiment" >out 2>err </dev/null
[[ $? == 2 ]] || fail "missing records go unnoticed"
says err 'there is no record 100'
says err 'physionet.org'

# ---- eight records of 64 s: a narrow peak every 0.8 s or so, every seventh wide, which is a PVC ----
mkdir -p data/ecg_mitbih
python3 - data/ecg_mitbih <<'PYTHON' || fail "no records"
import math, random, struct, sys
for name in (100, 102, 104, 105, 108, 116, 121, 200):
    chance, at, beats = random.Random(name), 0.5, []
    while at < 63:
        beats.append((at, len(beats) % 7 == 6))
        at += 0.8 + 0.1 * chance.random()
    values = [chance.gauss(0, 5) for _ in range(64 * 360)]
    for time, wide in beats:
        width, middle = (0.04 if wide else 0.012), int(time * 360)
        for i in range(max(0, middle - 60), min(len(values), middle + 60)):
            values[i] += 200 * math.exp(-0.5 * ((i / 360 - time) / width) ** 2)
    with open(f"{sys.argv[1]}/{name}.i16", "wb") as file:
        file.write(struct.pack(f"<{len(values)}h", *(1024 + int(v) for v in values)))
    with open(f"{sys.argv[1]}/{name}.beats.csv", "w") as file:
        file.write("sample,is_pvc\n" + "".join(f"{int(360 * t)},{int(w)}\n" for t, w in beats))
PYTHON

run_it()
{
    checks=$((checks + 1))
    "$experiment" >out 2>err </dev/null || fail "the experiment failed: $(tail -5 err)"
}

# ---- everything ----
run_it
says err 'all steps are done'
for title in 'records that were not trained on' 'record 108, not trained on' 'trained on all eight records'; do
    says out "$title"
done
for row in 'counts of 10 s' 'counts of 10 s, and then its own times' 'counts of 10 s, to a fifth' 'PVCs of 10 s: none or some' 'counts of 5 min' \
    'one count of 30 min, all beats' 'all times: the twin'; do
    checks=$((checks + 1))
    [[ $(grep -cE "^[|] $row [|] 1 [|] [0-9.]+ [|] [0-9.]+ ([|] [0-9.-]+ ){4}[|]$" out) == 6 ]] ||
        fail "not in six tables: $row"
done
checks=$((checks + 1))
grep -q '<svg' ecg/ladder.svg || fail "no picture"
says ecg/ladder.svg 'other records'
says ecg/beats.html 'Heart beats, learned from counts'
[[ $(wc -l <ecg/results.jsonl) == 42 ]] || fail "42 results expected: $(wc -l <ecg/results.jsonl)"

# ---- peaks are so easy that even this finds them: of any class, in records that it does not know ----
checks=$((checks + 1))
grep -E '^[|] (counts of 10 s|counts of 10 s, and then its own times|all times: the twin) [|]' out | head -3 |
    awk -F ' *[|] *' '{ rows++; good += $4 > 80 } END { exit !(rows == 3 && good == 3) }' || fail "no beats: $(cat out)"

# ---- labels: five records a fold, one number a record, ranges around the counts ----
counts=ecg/sets
checks=$((checks + 4))
[[ $(wc -l <"$counts/halfhour-a/counts.csv") == 6 && $(wc -l <"$counts/halfhour-all/counts.csv") == 9 ]] ||
    fail "not one count a record: $(cat "$counts/halfhour-a/counts.csv")"
! grep -qE '^(102|108|121)' "$counts/exact-a/counts.csv" || fail "fold a is trained on what it is tested on"
paste -d, "$counts/exact-b/counts.csv" "$counts/some-b/counts.csv" |
    awk -F, 'NR > 1 && !($10 == $4 && ($5 > 0 ? $11 == ">=1" && $12 == ">=" $4 + 1 : $11 == 0 && $12 == $4)) { exit 1 }' ||
    fail "more than none or some"
paste -d, "$counts/exact-c/counts.csv" "$counts/range-c/counts.csv" |
    awk -F, 'NR > 1 { for (i = 4; i <= 6; i++) { split($(i + 6), ends, /[.][.]/); low = ends[1]; high = ends[2] == "" ? low : ends[2]
            if (low > 0.8 * $i || low < 0.8 * $i - 1 || high < 1.2 * $i || high > 1.2 * $i + 1) exit 1 } }' ||
    fail "ranges that are not a fifth"

# ---- its own times are not the given ones: as many as counted, and not the true ones ----
checks=$((checks + 2))
awk -F, 'NR == FNR { for (i = 4; FNR > 1 && i <= 6; i++) known += $i; next } FNR > 1 { found++ } END { exit !(found > 0.95 * known && found <= known) }' \
    "$counts/exact-a/counts.csv" "$counts/own-a-1/events.csv" || fail "not as many as counted"
cut -d, -f1-3 "$counts/own-a-1/events.csv" | sort >own.txt
cut -d, -f1-3 "$counts/exact-a/events.csv" | sort >true.txt
[[ $(comm -12 own.txt true.txt | wc -l) -lt 20 ]] || fail "the true times are taught"

# ---- nothing is made twice, and what is missing is ----
run_it
[[ $(grep -c '^\[' err) == 1 ]] || fail "made again: $(head -3 err)"
rm ecg/results/exact-1-seen.json
run_it
[[ $(grep -c '^\[' err) == 2 ]] || fail "not made again, or too much: $(head -3 err)"

done_checking
