#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_kinds.sh - every command that takes a model with every kind of model: sound, pitched sound whose outputs share
#   their weights, series of one channel and of three, scaled while they run or by recording, images read by cells or as
#   windows. Each succeeds and writes something, or refuses what has no meaning, and pages and pictures do not depend on
#   what freed memory holds (MALLOC_PERTURB_): whoever reads past an array draws three different pictures.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

# series FOLDER CHANNELS: two recordings of 12 s at 50 Hz with pulses, their counts and their times
series()
{
    mkdir "$1"
    awk -v folder="$1" -v channels="$2" 'BEGIN {
        srand(7)
        print "file,start,end,pulse" > (folder "/counts.csv")
        print "file,time,class" > (folder "/events.csv")
        for (r = 0; r < 2; r++) {
            file = "s" r ".csv"
            n = 0
            for (t = 0.5 + rand(); t < 11.5; t += 0.8 + 0.8 * rand()) at[n++] = t
            printf "time" > (folder "/" file)
            for (c = 0; c < channels; c++) printf ",c%d", c > (folder "/" file)
            printf "\n" > (folder "/" file)
            for (i = 0; i < 600; i++) {
                v = 0
                for (k = 0; k < n; k++) { d = (i / 50 - at[k]) / 0.04; if (d * d < 30) v += exp(-d * d / 2) }
                printf "%.2f", i / 50 > (folder "/" file)
                for (c = 0; c < channels; c++) printf ",%.4f", (c + 1) * v + 0.05 * rand() > (folder "/" file)
                printf "\n" > (folder "/" file)
            }
            for (c = 0; c < 12; c += 3) {
                m = 0
                for (k = 0; k < n; k++) m += at[k] >= c && at[k] < c + 3
                printf "%s,%d,%d,%d\n", file, c, c + 3, m > (folder "/counts.csv")
            }
            for (k = 0; k < n; k++) printf "%s,%.4f,pulse\n", file, at[k] > (folder "/events.csv")
        }
    }'
}

# written: the last run printed something to stdout
written()
{
    checks=$((checks + 1))
    [[ -s out ]] || fail "$1 printed nothing"
}

# same NAME ARGUMENTS...: loco ARGUMENTS writes the file or folder NAME, with the same bytes whatever freed memory holds
same()
{
    local name=$1 perturb
    shift
    for perturb in 1 170 250; do
        rm -rf "$name"
        MALLOC_PERTURB_=$perturb run 0 "$@"
        [[ -d $name || -s $name ]] || fail "loco $* wrote nothing"
        rm -rf "before.$perturb"
        cp -r "$name" "before.$perturb"
    done
    checks=$((checks + 2))
    diff -r before.1 before.170 >/dev/null || fail "loco $*: differs with MALLOC_PERTURB_=170"
    diff -r before.1 before.250 >/dev/null || fail "loco $*: differs with MALLOC_PERTURB_=250"
}

"$loco" synth drums -o sound --recordings 2 --seconds 3 2>err || fail "no sounds: $(cat err)"
series one 1
series three 3
few=(--set steps=6 --set check=6 --set batch=4 --set warm_up=1)
conv=(--set 'network=conv 5x1 6, conv 5x1 6' --set speed=0)
run 0 train sound -o sound.loco "${few[@]}" --set frontend.bands=24 --set 'network=conv 3x3 4 stride 4 norm, gru 8'
pitches='frontend=pitch rate=22050 window=2048 window2=512 window3=0 hop=220 bands=36 octave=6 low=100 ahead=400'
run 0 train sound -o pitch.loco "${few[@]}" --set "$pitches" \
    --set 'network=conv 3x3 4 stride 3 norm, gather 0 1, conv 1x1 1 linear, bias, crop 0 3'
run 0 train sound --from pitch.loco -o again.loco "${few[@]}"
refused 2 'would change the pitch of the sound' train sound -o no.loco "${few[@]}" --set "$pitches" --set speed=0.1
refused 2 'has 5 outputs, one a pitch, and there are 3 classes' train sound -o no.loco "${few[@]}" --set "$pitches" \
    --set 'network=conv 3x3 1 linear, crop 0 5'
refused 2 'aside=hihat: the network ends in crop' train sound -o no.loco "${few[@]}" --set "$pitches" --set aside=hihat \
    --set 'network=conv 3x3 1 linear, crop 0 3'
cp -r sound renamed
sed -i 's/hihat/ride/' renamed/*.csv
refused 3 'class 3 of the data is "ride", and output 3 of the model is the pitch "hihat"' train renamed --from pitch.loco -o no.loco
"$loco" synth spots -o spots --recordings 12 --size 40 --spots 1..4 2>err || fail "no images: $(cat err)"
run 0 train spots -o image.loco "${few[@]}" --set 'network=conv 3x3 4 norm'
run 0 train spots -o windows.loco --preset digits-paper "${few[@]}" --set frontend.size=8 --set 'network=image 8x8 4, pool 2x2, lstm 6'
run 0 train one -o one.loco "${few[@]}" "${conv[@]}" --set frontend.scale=running
run 0 train three -o running.loco "${few[@]}" "${conv[@]}" --set frontend.scale=running
run 0 train three -o record.loco "${few[@]}" "${conv[@]}" --set frontend.scale=record

# cross NAME DATA RECORDING: every command that takes a model
cross()
{
    local model=$1.loco data=$2 take=$3
    run 0 inspect "$model"
    written inspect
    run 0 detect -m "$model" "$take" --decoding threshold=0.001
    [[ $(wc -l <out) -gt 2 ]] || fail "$model: no events in $take"
    cp out "$1.events"
    run 0 detect -m "$model" "$data" -o "$1.all.jsonl" --decoding threshold=0.001
    [[ -s $1.all.jsonl ]] || fail "$model: no events in $data"
    run 0 count -m "$model" "$data" --every 1s
    written count
    run 0 count -m "$model" "$data" --clips
    written 'count --clips'
    run 0 enrich -m "$model" "$data"
    written enrich
    run 0 enrich -m "$model" "$data" -o "$1.times.csv" --posterior "$1.posterior.csv"
    [[ -s $1.times.csv && -s $1.posterior.csv ]] || fail "$model: enrich wrote nothing"
    run 0 eval -m "$model" "$data"
    written eval
    run 0 eval -m "$model" "$data" --json --tolerance 80ms
    written 'eval --json'
    for blind in --blind ''; do
        cp "$model" calibrated.loco
        run 0 calibrate -m calibrated.loco "$data" $blind
        written calibrate
    done
    run 0 calibrate -m calibrated.loco "$data" --counts
    says out 'counts '
    checks=$((checks + 1))
    ! grep -q offset out || fail "calibrate --counts sets offsets: $(cat out)"
    same "$1.clip.svg" plot clip -m "$model" "$take" --from 1s --to 2.5s -o "$1.clip.svg"
    same "$1.pictures" plot evaluation -m "$model" "$data" -o "$1.pictures"
    same "$1.page.html" report -m "$model" "$data" -o "$1.page.html"
    same "$1.take.html" report -m "$model" "$take" -o "$1.take.html"
    mkdir "$1.bare" # recordings without counts and times
    cp "$take" "$1.bare/"
    run 0 report -m "$model" "$1.bare" -o "$1.bare.html"
    [[ -s $1.bare.html ]] || fail "$model: no page of a folder"
}

# mistaken: every command refuses a table of a slow sensor where the model reads sound, with one sentence
mistaken()
{
    local why='a series of 50 samples a second, and the model reads sound at 22050 Hz'
    mkdir slow
    cp three/*.csv slow/
    sed -i 's/pulse/kick/' slow/events.csv
    sed -i 's/$/,0,0/; 1s/.*/file,start,end,kick,snare,hihat/' slow/counts.csv
    refused 3 "s0.csv: $why" detect -m sound.loco slow/s0.csv
    refused 3 "$why" count -m sound.loco slow/s0.csv
    refused 3 "$why" count -m sound.loco slow --clips
    refused 3 "$why" enrich -m sound.loco slow
    refused 3 "$why" eval -m sound.loco slow
    refused 3 "$why" calibrate -m sound.loco slow
    refused 3 "$why" plot clip -m sound.loco slow/s0.csv --from 1s --to 2s -o slow.svg
    refused 3 "$why" plot evaluation -m sound.loco slow -o slow.pictures
    refused 3 "$why" report -m sound.loco slow/s0.csv -o slow.html
    absent slow.svg slow.html
}

# mistaken_sound: the reverse, with a sound where the model reads a slow series
mistaken_sound()
{
    local why='a sound at 22050 Hz, and the model reads series of 50 samples a second'
    mkdir fast
    cp sound/rec_000.wav fast/
    printf 'file,pulse\nrec_000.wav,3\n' >fast/counts.csv
    printf 'file,time,class\nrec_000.wav,1,pulse\n' >fast/events.csv
    refused 3 "rec_000.wav: $why" detect -m one.loco fast/rec_000.wav
    refused 3 "$why" count -m one.loco fast/rec_000.wav
    refused 3 "$why" count -m one.loco fast --clips
    refused 3 "$why" enrich -m one.loco fast
    refused 3 "$why" eval -m one.loco fast
    refused 3 "$why" calibrate -m one.loco fast
    refused 3 "$why" train fast --from one.loco -o fast.loco
    refused 3 "$why" plot clip -m one.loco fast/rec_000.wav --from 1s --to 2s -o fast.svg
    refused 3 "$why" plot evaluation -m one.loco fast -o fast.pictures
    refused 3 "$why" report -m one.loco fast/rec_000.wav -o fast.html
    absent fast.svg fast.html fast.loco
}

# cross_images NAME DATA FILE: every command that takes a model; what needs time is refused
cross_images()
{
    local model=$1.loco data=$2 file=$3
    run 0 inspect "$model"
    says out 'pixels to the right and down'
    run 0 detect -m "$model" "$file" --decoding 'peak threshold=0.001 gap=1'
    says out 'file,x,y,class,probability'
    [[ $(wc -l <out) -gt 2 ]] || fail "$model: no events in $file"
    run 0 detect -m "$model" "$data" -o "$1.all.jsonl" --decoding 'peak threshold=0.001 gap=1'
    says "$1.all.jsonl" '"x":'
    run 0 detect -m "$model" "$file" --ensemble 4 --decoding 'peak threshold=0.001 gap=1'
    written 'detect --ensemble'
    run 0 detect -m "$model" "$file" --counts 3
    [[ $(wc -l <out) == 4 ]] || fail "$model: three events are known: $(cat out)"
    same "$1.marks.png" detect -m "$model" "$file" -o "$1.marks.png"
    run 0 detect -m "$model" "$file" -o "$1.roi"
    run 0 count -m "$model" "$data"
    says out 'file,x0,y0,x1,y1,class,expected,low,high,claimed'
    [[ $(wc -l <out) == 13 ]] || fail "$model: twelve images: $(cat out)"
    run 0 count -m "$model" "$data" --clips --format jsonl
    says out '"x0":'
    run 0 enrich -m "$model" "$data"
    says out 'file,x,y,class,probability'
    run 0 enrich -m "$model" "$data" -o "$1-timed"
    says "$1-timed/events.csv" 'file,x,y,class'
    run 0 eval -m "$model" "$data"
    says out 'within 10 px'
    run 0 eval -m "$model" "$data" --json --tolerance 5px
    written 'eval --json'
    for blind in --blind ''; do
        cp "$model" calibrated.loco
        run 0 calibrate -m calibrated.loco "$data" $blind
        written calibrate
    done
    run 0 calibrate -m calibrated.loco "$data" --counts
    says out 'counts '
    checks=$((checks + 1))
    ! grep -q offset out || fail "calibrate --counts sets offsets: $(cat out)"
    run 0 train "$data" --from "$model" -o "$1.next.loco" "${few[@]}"
    same "$1.page.html" report -m "$model" "$data" -o "$1.page.html"
    same "$1.file.html" report -m "$model" "$file" -o "$1.file.html"
    refused 2 'images, which have no time' count -m "$model" "$file" --every 1s
    refused 2 'reads images; leave them out' enrich -m "$model" "$data" --gap 1s
    refused 2 'the model reads images' enrich -m "$model" "$data" --posterior "$1.posterior.csv"
    refused 2 'distance; give tolerances in pixels' eval -m "$model" "$data" --tolerance 80ms
    refused 2 'this model reads images' plot clip -m "$model" "$file" --from 1s --to 2s -o "$1.svg"
    refused 2 'these are places in images' plot evaluation -m "$model" "$data" -o "$1.pictures"
    refused 2 'midi holds times' detect -m "$model" "$file" -o "$1.mid"
    refused 2 'click holds times' detect -m "$model" "$file" -o "$1.wav"
    refused 2 '--notes is for drums and for models of pitches' detect -m "$model" "$file" --notes -o "$1.csv"
    refused 2 'follows time' detect -m "$model" "$file" --decoding count
    refused 2 'images, which are files' detect -m "$model" -
    refused 2 'images, which are files' detect -m "$model" - --raw s16le,1,22050
    refused 2 'images, which are files' count -m "$model" -
    absent "$1.posterior.csv" "$1.svg" "$1.mid" "$1.wav" "$1.csv"
}

# mistaken_images: every command refuses a sound where the model reads images, and an image where it reads sound
mistaken_images()
{
    local why='no image (.png .jpg .tif .pgm .ppm), and the model reads images'
    mkdir loud
    cp sound/rec_000.wav loud/
    printf 'file,spot\nrec_000.wav,3\n' >loud/counts.csv
    refused 3 "rec_000.wav: $why" detect -m image.loco loud/rec_000.wav
    refused 3 "$why" count -m image.loco loud/rec_000.wav
    refused 3 "$why" count -m image.loco loud --clips
    refused 3 "$why" enrich -m image.loco loud
    refused 3 "$why" calibrate -m image.loco loud
    refused 3 "$why" train loud --from image.loco -o loud.loco
    refused 3 "$why" report -m image.loco loud/rec_000.wav -o loud.html
    why='an image, and the model reads sound'
    mkdir quiet
    cp "$1" quiet/a.png
    printf 'file,kick,snare,hihat\na.png,1,2,3\n' >quiet/counts.csv
    refused 3 "a.png: $why" detect -m sound.loco quiet/a.png
    refused 3 "$why" count -m sound.loco quiet/a.png
    refused 3 "$why" count -m sound.loco quiet --clips
    refused 3 "$why" enrich -m sound.loco quiet
    refused 3 "$why" calibrate -m sound.loco quiet
    refused 3 "$why" train quiet --from sound.loco -o quiet.loco
    refused 3 "$why" plot clip -m sound.loco quiet/a.png --from 1s --to 2s -o quiet.svg
    refused 3 "$why" report -m sound.loco quiet/a.png -o quiet.html
    absent loud.loco loud.html quiet.loco quiet.svg quiet.html
}

# live NAME FILE WORDS...: the events of standard input are those of the file, except where all of it must be known first
live()
{
    local name=$1 file=$2
    shift 2
    checks=$((checks + 3))
    "$loco" detect -m "$name.loco" - --decoding threshold=0.001 "$@" <"$file" >out 2>err || fail "$name live: $(cat err)"
    says err 'listening; events are reported '
    cmp -s <(tail -n +2 out | cut -d, -f2- | sort) <(tail -n +2 "$name.events" | cut -d, -f2- | sort) ||
        fail "$name: other events live: $(diff out "$name.events" | head -4)"
}

pictures=(spots/*.png)
cross_images image spots "${pictures[0]}"
cross_images windows spots "${pictures[0]}"
mistaken_images "${pictures[0]}"
run 0 split spots --test 0.25 -o parts
says parts/train/events.csv 'file,x,y,class'
cross sound sound sound/rec_000.wav
mistaken
tail -c +45 sound/rec_000.wav >samples
live sound samples --raw s16le,1,22050
cross pitch sound sound/rec_000.wav
cp pitch.loco shared.loco
run 0 calibrate -m shared.loco sound
says out 'all 3 classes: ' # outputs that share their weights share what is measured
[[ $(grep -c threshold out) == 1 ]] || fail "one threshold for all: $(cat out)"
live pitch samples --raw s16le,1,22050
"$loco" count -m sound.loco - --raw s16le,1,22050 <samples >out 2>err || fail "live counts: $(cat err)"
written 'live counts'
cross one one one/s0.csv
mistaken_sound
live one one/s0.csv
cross running three three/s0.csv
live running three/s0.csv
cross record three three/s0.csv
# by recording, the scale of a stream is that of the training data: the events may differ from those of the file
"$loco" detect -m record.loco - --decoding threshold=0.001 <three/s0.csv >out 2>err || fail "record live: $(cat err)"
written 'record live'

done_checking
