#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_tally.sh - `loco count`: what it takes and prints, that 90 % intervals of a calibrated model hold in about 90 % of
#   the clips of other recordings, with other drums, and of recordings ten times as long, and that counts are not farther
#   from the truth than the number of detections.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

many=80 # under a sanitizer a few, without the statistics: 80 took four minutes
[[ -z ${LOCO_SANITIZE-} ]] || many=6
"$loco" synth drums -o calib -n "$many" --seconds 8 --seed 31 --unseen --distractors 2>err || fail "no data set: $(cat err)"
"$loco" synth drums -o test -n "$many" --seconds 8 --seed 32 --unseen --distractors 2>err || fail "no data set: $(cat err)"
cp "$LOCO_SOURCE/models/drums-three.loco" m.loco # whose classes are those of the sets
sound=test/rec_000.wav

# ---- mistakes ----
refused 2 'no model' count "$sound"
refused 2 'name sound files' count -m m.loco
refused 2 'name data sets' count -m m.loco --clips
refused 2 'csv or jsonl, not as midi' count -m m.loco -f midi "$sound"
refused 2 '--interval takes 0.5 to 0.99' count -m m.loco --interval 90 "$sound"
refused 2 '--every takes 50ms or more' count -m m.loco --every 1ms "$sound"
refused 2 '--every 10: write the unit: 10ms or 10s' count -m m.loco --every 10 "$sound"
refused 2 'either --every or --clips' count -m m.loco --every 1s --clips test
refused 2 'is not a label' count -m m.loco --label many "$sound"
refused 2 'no option -o' count -m m.loco -o x.csv "$sound"
refused 2 'no option -d' count -m m.loco -d threshold=0.4 "$sound"
refused 2 'no option --counts' count -m m.loco --counts 1,2,3 "$sound"
refused 2 'loco detect --every is now: loco count -m MODEL FILES --every 10s' detect -m m.loco --every 2 "$sound"
refused 2 'needs its format' count -m m.loco -
refused 2 '--raw is for standard input' count -m m.loco --raw s16le,1,22050 "$sound"
refused 3 'none.wav' count -m m.loco none.wav
refused 3 'none' count -m m.loco --clips none

# ---- counts ----
run 0 train test -o plain.loco --no-calibration --set steps=2 --set batch=2
run 0 count -m plain.loco "$sound"
says err 'not calibrated'
run 0 count -m m.loco "$sound"
silent err
run 0 calibrate -m m.loco calib
says out 'kick: counts calibrated by '
run 0 inspect m.loco
says out 'counts      '
run 0 count -m m.loco --label '>=3' "$sound" test/rec_001.wav
silent err
[[ $(wc -l <out) == 7 ]] || fail "not three classes of two files: $(cat out)"
says out 'file,start,end,class,expected,low,high,claimed,label,probability'
says out 'test/rec_000.wav,0.000,8.000,kick,'
run 0 count -m m.loco -f jsonl --every 3s "$sound"
[[ $(wc -l <out) == 9 ]] || fail "not three windows: $(cat out)"
says out '"start":6.000,"end":8.000,"class":"hihat","expected":'
run 0 count -m m.loco --clips test
[[ $(wc -l <out) == $((3 * ($(wc -l <test/counts.csv) - 1) + 1)) ]] || fail "not all clips: $(wc -l out test/counts.csv)"
# raw samples give the same as the file
tail -c +45 "$sound" >raw
"$loco" count -m m.loco - --raw s16le,1,22050 <raw 2>err | cut -d, -f4-7 | grep kick >live
"$loco" count -m m.loco "$sound" | cut -d, -f4-7 | grep kick >file
cmp -s live file || fail "raw samples are counted otherwise: $(cat live file err)"

# ---- the promise ----
run 0 eval -m m.loco test --json
held=$(grep -o '"interval_held": [0-9.]*' out | tail -1 | cut -d' ' -f2)
[[ -n ${LOCO_SANITIZE-} ]] || awk -v held="$held" 'BEGIN {exit !(held >= 0.88 && held <= 0.92)}' ||
    fail "90 % intervals hold in $held of the clips"
run 0 eval -m m.loco test
says out 'interval  claim  width'
echo "90 % intervals hold in $held of the clips of other recordings"

# ---- other lengths, and errors ----
# compare SET: of whole files, the share of intervals that hold the true count, the mean error of counts, and by how much
#   it is above that of detections, in the class where it is the most
compare()
{
    "$loco" detect -m m.loco "$1"/*.wav -o found.csv 2>err || fail "no events: $(cat err)"
    "$loco" count -m m.loco "$1"/*.wav 2>err >counts.txt || fail "no counts: $(cat err)"
    awk -F, '
        { sub(".*/", "", $1) }
        FNR == 1 { part++; next }
        part == 1 { truth[$1, $3]++; next }
        part == 2 { found[$1, $3]++; next }
        { n = truth[$1, $4] + 0; held += n >= $6 && n <= $7; rows++
          error = $5 > n ? $5 - n : n - $5; d = found[$1, $4] - n
          counted += error; above[$4] += error - (d > 0 ? d : -d) }
        END {
            for (k in above) worst = worst == "" || above[k] > worst ? above[k] : worst
            printf "%.3f %.3f %.3f\n", held / rows, counted / rows, 3 * worst / rows }' "$1/events.csv" found.csv counts.txt
}
if [[ -z ${LOCO_SANITIZE-} ]]; then
    "$loco" synth drums -o long -n 24 --seconds 80 --seed 33 --unseen --distractors 2>err || fail "no data set: $(cat err)"
    for set in test long; do
        read -r held counted above < <(compare "$set")
        echo "$set: 90 % intervals hold in $held of whole files; mean error of counts $counted, $above above that of detections"
        awk -v held="$held" 'BEGIN {exit !(held >= 0.85 && held <= 0.96)}' || fail "90 % intervals hold in $held of the files of $set"
        awk -v above="$above" 'BEGIN {exit !(above <= 0)}' ||
            fail "counts of a class of $set are wrong by $above more than detections"
    done
fi

# ---- a single recording says nothing about others ----
run 0 synth drums -o one -n 1 --seconds 30 --seed 5
run 0 calibrate -m m.loco one
says out 'of 1 recording; '
run 0 count -m m.loco -f jsonl "$sound" test/rec_001.wav
says err 'calibrated on a single recording'
says out '"recordings":1}'
done_checking
