#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_series.sh - the whole way with series: tables of two channels with pulses, of which only counts are known, are
#   learned; times come out, from files, live, and as a report; what is wrong is reported.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

# series NAME SEED [UNEVEN]: 60 s at 50 Hz of two channels; a pulse every 0.8 to 1.6 s in the first, half of it in the second;
#   uneven: as a phone writes it, in milliseconds since 1970 that are up to 8 ms off, with rows that are lost, that come
#   twice and that come late, and with the name of an activity
series()
{
    awk -v name="$1" -v seed="$2" -v uneven="${3-}" 'BEGIN {
        srand(seed)
        for (t = 1 + rand(); t < 59; t += 0.8 + 0.8 * rand()) at[n++] = t
        print (uneven ? "timestamp,activity,x,y" : "time,x,y") > (name ".csv")
        for (i = 0; i < 3000; i++) {
            v = 0
            t = i / 50 + (uneven && i ? int(16 * rand() - 8) / 1000 : 0)
            for (k = 0; k < n; k++) { d = (t - at[k]) / 0.04; if (d * d < 30) v += exp(-d * d / 2) }
            cells = sprintf("%.4f,%.4f", 9.81 + v + 0.05 * rand(), -v / 2 + 0.05 * rand())
            row = uneven ? sprintf("%.0f,walk,%s\n", 1763436706123 + 1000 * t, cells) : sprintf("%.2f,%s\n", t, cells)
            if (uneven && i % 97 == 50) { late = row; continue }
            if (!uneven || i % 61 != 20) printf "%s%s%s", row, late, (uneven && i % 50 == 7 ? row : "") > (name ".csv")
            late = ""
        }
        for (c = 0; c < 60; c += 5) {
            m = 0
            for (k = 0; k < n; k++) m += at[k] >= c && at[k] < c + 5
            printf "%s.csv,%d,%d,%d\n", name, c, c + 5, m >> "counts.csv"
        }
        for (k = 0; k < n; k++) printf "%s.csv,%.4f,pulse\n", name, at[k] >> "events.csv"
    }'
}

mkdir set && cd set || exit 1
echo 'file,start,end,pulse' >counts.csv
echo 'file,time,class' >events.csv
for i in 1 2 3 4; do series "s$i" "$i"; done
cd ..

small=(--set steps=250 --set check=125 --set rate=0.01 --set warm_up=20 --set average=0.9 --set batch=8 --set speed=0
    --set 'network=conv 5x1 12, conv 5x1 12')
run 0 train set -o m.loco "${small[@]}"
says err 'series of 2 channels: the front end reads 50 samples and gives 50 frames a second'
says err 'ms from the slope of the series around'
run 0 inspect m.loco
says out 'series rate=50 channels=2 hop=1'
says out 'scale=record'

# the times of its events, found from counts alone
run 0 eval -m m.loco set --require f1@50=0.9
run 0 detect -m m.loco set/s1.csv -o s1.out.csv
run 0 report -m m.loco set -o page.html
says page.html "class='panel recording'"
checks=$((checks + 1))
! grep -q '<audio' page.html || fail 'a series cannot be played'

# tables as phones write them: the same events, with a sentence about each file
mkdir uneven && cd uneven || exit 1
echo 'file,start,end,pulse' >counts.csv
echo 'file,time,class' >events.csv
for i in 5 6; do series "u$i" "$i" uneven; done
cd ..
run 0 eval -m m.loco uneven --require f1@50=0.9
run 0 detect -m m.loco uneven/u5.csv uneven/u6.csv
says err 'uneven/u6.csv: times are taken for milliseconds; time stamps vary ('
says err ' ms); resampled to 50 rows a second'
checks=$((checks + 2))
[[ $(wc -l <err) == 2 ]] || fail "more than a sentence for each file: $(cat err)"
cp out file.out
for words in 'count -m m.loco uneven/u5.csv uneven/u6.csv' 'count -m m.loco --clips uneven' 'eval -m m.loco uneven' \
    'report -m m.loco uneven -o uneven.html'; do
    read -ra words <<<"$words"
    run 0 "${words[@]}"
    checks=$((checks + 1))
    [[ $(grep -c 'uneven/u[56].csv: times are taken for milliseconds; time stamps vary (' err) == 2 ]] ||
        fail "${words[*]}: not one sentence for each file: $(cat err)"
done
run 0 count -m m.loco uneven/u5.csv
says err 'uneven/u5.csv: times are taken for milliseconds; time stamps vary ('
"$loco" detect -m m.loco - <uneven/u5.csv >out 2>err || fail "live, uneven: $(cat err)"
[[ $(wc -l <out) -gt 40 ]] || fail "live, uneven: $(wc -l <out) events"
says err 'the time stamps of standard input vary; rows are resampled'
run 0 train uneven -o u.loco "${small[@]}" --set steps=1 --set check=1 --no-calibration
says err 'uneven/u5.csv: times are taken for milliseconds; time stamps vary ('
says err 'columns that are not read (text or more times): activity; 1 more recording is alike'
says err 'columns x,y'
sed 's/^1763436736/1763436706/' uneven/u5.csv >back.csv
refused 3 ': the clock goes back by 2' detect -m m.loco back.csv

# events at the tops of pulses, which the model remembers
run 0 train set -o peak.loco "${small[@]}" --set anchor=peak --set steps=150
says err 'ms from the peaks of the series around'
run 0 calibrate -m peak.loco set --blind
says out 'ms from the peaks of the series around'
run 0 calibrate -m m.loco set --blind
says out 'ms from the slope of the series around'

# live: the same numbers as raw floats; the first second of the scale is the training set's
run 0 train set -o live.loco "${small[@]}" --set frontend.scale=running
python3 - <<'PY' || fail 'no raw samples'
import array, csv
rows = list(csv.DictReader(open("set/s1.csv")))
samples = array.array("f", [float(r[c]) for r in rows for c in ("x", "y")])
open("live.raw", "wb").write(samples.tobytes())
open("live.raw.format", "w").write("type=f32le channels=2 rate=50\n")
PY
run 0 detect -m live.loco live.raw
cp out file.out
checks=$((checks + 2))
"$loco" detect -m live.loco --raw f32le,2,50 - <live.raw >out 2>err || fail "live: $(cat err)"
[[ $(cut -d, -f2- file.out | tail -n +2) == "$(cut -d, -f2- out | tail -n +2)" && $(wc -l <out) -gt 30 ]] ||
    fail "live differs: $(head -3 out) $(head -3 file.out)"

# the same as a table that grows: a row of names, then rows, as they come
run 0 detect -m live.loco set/s1.csv
cp out file.out
checks=$((checks + 2))
"$loco" detect -m live.loco - <set/s1.csv >out 2>err || fail "live rows: $(cat err)"
[[ $(cut -d, -f2- file.out) == "$(cut -d, -f2- out)" && $(wc -l <out) -gt 30 ]] ||
    fail "live rows differ: $(head -3 out) $(head -3 file.out)"
says err 'listening; events are reported within'

# an event is reported while the pipe is still open
mkfifo pipe
"$loco" detect -m live.loco - <pipe >out 2>err &
exec 9>pipe
head -1500 set/s1.csv >&9
for ((i = 0; i < 100; i++)); do
    [[ $(wc -l <out) -gt 10 ]] && break
    sleep 0.1
done
checks=$((checks + 1))
[[ $(wc -l <out) -gt 10 ]] || fail "30 s of rows and an open pipe gave $(wc -l <out) lines"
tail -n +1501 set/s1.csv >&9
exec 9>&-
wait $!
checks=$((checks + 1))
[[ $(cut -d, -f2- file.out) == "$(cut -d, -f2- out)" ]] || fail 'rows in two parts differ'

# a folder stands for its series, and not for the tables of a data set
mkdir folder
cp set/s1.csv folder/one.csv
cp set/counts.csv folder/
cp set/s1.csv folder/two.csv
run 0 detect -m live.loco folder
checks=$((checks + 1))
[[ $(cut -d, -f1 out | sort -u | tr '\n' ' ') == 'file folder/one.csv folder/two.csv ' ]] || fail "a folder of series: $(cut -d, -f1 out | sort -u)"

# a sensor that is worn another way in each recording: the pulses point along gravity, which turns by 60 degrees
mkdir turned && cd turned || exit 1
echo 'file,start,end,pulse' >counts.csv
echo 'file,time,class' >events.csv
for i in 1 2 3 4; do
    series "w$i" "$i"
    awk -F, -v OFS=, -v a="$((i * 60))" 'NR == 1 {print $1, "ax", "ay", "az"; next}
        {a0 = a * 3.14159 / 180; print $1, $2 * cos(a0) - $3 * sin(a0), $3 * cos(a0) + $2 * sin(a0), 0.01 * (NR % 3)}' "w$i.csv" >w.csv
    mv w.csv "w$i.csv"
done
cd ..
run 0 train turned -o turned.loco "${small[@]}" --set frontend.scale=running
says err 'gravity points elsewhere in some recordings, by 180 degrees: the magnitude of the axes is read; frontend.magnitude=0'
says err 'series of 3 channels'
run 0 inspect turned.loco
says out 'magnitude=1'
says out 'columns     ax,ay,az'
run 0 eval -m turned.loco turned --require f1@50=0.9
run 0 detect -m turned.loco turned/w1.csv
cp out turned.out
checks=$((checks + 3))
"$loco" detect -m turned.loco - <turned/w1.csv >out 2>err || fail "live magnitude: $(cat err)"
[[ $(cut -d, -f2- turned.out) == "$(cut -d, -f2- out)" && $(wc -l <out) -gt 30 ]] || fail "live magnitude differs: $(head -3 out)"
run 0 plot clip -m turned.loco turned/w1.csv --from 1s --to 3s -o w1.svg
run 0 train turned -o t.loco --set steps=1 --set check=1 --no-calibration --set frontend.magnitude=0
! grep -q 'gravity' err || fail 'frontend.magnitude=0 is overridden'
run 0 train set -o t.loco --set steps=1 --set check=1 --no-calibration --set frontend.magnitude=1
run 0 inspect t.loco
says out 'series rate=50 channels=2 hop=1'
says out 'magnitude=1'

# columns are found by their names, in any order and between others
run 0 inspect live.loco
says out 'columns     x,y'
awk -F, '{print $3 "," (NR == 1 ? "note" : "none") "," $1 "," $2}' set/s1.csv >order.csv
run 0 detect -m live.loco order.csv
checks=$((checks + 2))
[[ $(cut -d, -f2- file.out) == "$(cut -d, -f2- out)" ]] || fail 'another order of the columns gives other events'
"$loco" detect -m live.loco - <order.csv >out 2>err || fail "live rows: $(cat err)"
[[ $(cut -d, -f2- file.out) == "$(cut -d, -f2- out)" ]] || fail 'another order gives other events live'
cut -d, -f1,2 set/s1.csv >lacks.csv
refused 3 'lacks.csv:1: there is no column "y"; there are time, x' detect -m live.loco lacks.csv
head -20 set/s1.csv | sed '12s/,[^,]*$/,high/' >text.csv
checks=$((checks + 1))
"$loco" detect -m live.loco - <text.csv >out 2>err
[[ $? == 3 ]] || fail 'text in a cell is not a number'
says err 'standard input:12: column "y": "high" is not a number'

# columns of a set: those of the first file, or those that are asked for
mkdir mixed
cp set/s1.csv mixed/a.csv
awk -F, '{print $3 "," $1 "," $2 "," (NR == 1 ? "w" : "1")}' set/s2.csv | sed -n '1p;2~2p' >mixed/b.csv
printf 'file,pulse\na.csv,50\nb.csv,50\n' >mixed/counts.csv
few=(--set steps=1 --set check=1 --no-calibration)
run 0 train mixed -o c.loco "${few[@]}"
says err 'columns x,y, as in the first file; others have more, which are not read'
says err 'the files have 25 to 50 samples a second; all are read at 25'
run 0 train mixed -o c.loco "${few[@]}" --set columns=y
says err 'series of 1 channel:'
run 0 inspect c.loco
says out 'columns     y'
wrong 3 'mixed/a.csv:1: there is no column "z"; there are time, x, y' train mixed -o x.loco --set columns=z,x,y
wrong 2 'columns=x,: names with commas between them' train mixed -o x.loco --set columns=x,
cut -d, -f2,3 mixed/b.csv >b.csv && mv b.csv mixed/b.csv
wrong 3 'mixed/b.csv:1: there is no column "y"' train mixed -o x.loco
printf 'file,pulse\na.csv,5000\n' >mixed/counts.csv
wrong 3 'counts.csv:2: 5000 events of pulse in 60.000 s are more than one in each of its 3000 frames' \
    train mixed -o x.loco --set held=0
printf 'file,time,class\na.csv,70,pulse\n' >mixed/events.csv
wrong 3 'events.csv:2: an event at 70.000 s, but "a.csv" lasts 60.000 s' train mixed -o x.loco

# what is wrong
printf '# rate: 50\nx\n1\n2\n' >one.csv
refused 3 'one.csv:2: there is no column "y"; there are x' detect -m m.loco one.csv
printf 'x,y\n1,2\n' >norate.csv
refused 3 'norate.csv: no column is named time, and no rate is stated' detect -m m.loco norate.csv
printf '# rate: 50\nx,y\n1,2\n3,\n' >hole.csv
refused 3 'hole.csv:4: column "y" has no value' detect -m m.loco hole.csv
wrong 2 'stretch, tilt and mix change sound' train set -o x.loco --set mix=0.5
absent x.loco
done_checking
