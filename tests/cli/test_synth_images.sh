#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_synth_images.sh - `loco synth digits` and `loco synth spots`: what they write, and what they refuse.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

# octal N: the byte N.
octal()
{
    # shellcheck disable=SC2059
    printf "\\$(printf %o "$1")"
}

# digits NAME N: N digits of 4 x 4, whose labels are 3 and 7 in turn, packed by gzip.
digits()
{
    local i
    {
        printf '\0\0\10\3\0\0\0'
        octal "$2"
        printf '\0\0\0\4\0\0\0\4'
        for ((i = 0; i < $2; i++)); do printf ABCDEFGHIJKLMNOP; done
    } | gzip >"mnist/$1-images-idx3-ubyte.gz"
    {
        printf '\0\0\10\1\0\0\0'
        octal "$2"
        for ((i = 0; i < $2; i++)); do octal $((i % 2 ? 7 : 3)); done
    } | gzip >"mnist/$1-labels-idx1-ubyte.gz"
}
mkdir mnist
digits train 6
digits t10k 4

run 0 synth digits --from mnist -o made -n 5 --size 24x20 --digits 2..3
silent out
says err '5 images are in made, with counts.csv, events.csv and sources.txt'
[[ $(ls made) == $'000000.png\n000001.png\n000002.png\n000003.png\n000004.png\ncounts.csv\nevents.csv\nsources.txt' ]] || fail "files: $(ls made)"
[[ $(head -1 made/counts.csv) == file,0,1,2,3,4,5,6,7,8,9 && $(wc -l <made/counts.csv) == 6 ]] || fail "$(cat made/counts.csv)"
awk -F, 'NR > 1 && ($5 + $9 < 2 || $5 + $9 > 3 || $2 + $3 + $4 + $6 + $7 + $8 + $10 + $11 != 0) {exit 1}' made/counts.csv || fail "$(cat made/counts.csv)"
awk -F, 'NR > 1 && ($2 < 1.5 || $2 > 21.5 || $3 < 1.5 || $3 > 17.5) {exit 1}' made/events.csv || fail "$(cat made/events.csv)"
says made/sources.txt 'train-images-idx3-ubyte.gz	author and licence not stated	6 digits of 4 x 4'
run 0 synth digits --from mnist -o each -n 4 --size 16 --digits 1 --each --unseen --turn 10 --scale 0.1 --shear 0.1
[[ $(tail -n +2 each/events.csv | cut -d, -f4 | paste -sd ' ') == '3 7 3 7' ]] || fail "not in turn: $(cat each/events.csv)"
says each/sources.txt 't10k-images'

run 0 synth spots -o cells -n 3 --size 40x30 --spots 4 --radius 2..3 --threads 3
[[ $(cat cells/counts.csv) == $'file,spot\n000000.png,4\n000001.png,4\n000002.png,4' ]] || fail "$(cat cells/counts.csv)"
[[ $(wc -l <cells/events.csv) == 13 ]] || fail "$(cat cells/events.csv)"
run 0 synth spots -o again -n 3 --size 40x30 --spots 4 --radius 2..3 --threads 1
diff -r cells again >said || fail "threads matter: $(head -3 said)"

# ---- what is wrong ----
refused 2 '"cells" cannot be made; drums, piano, digits and spots can' synth cells -o x
refused 2 'say where the digits are: --from FOLDER' synth digits -o x
refused 2 '--kits is for drums' synth digits -o x --from mnist --kits kits
refused 2 '--midi is for pianos' synth spots -o x --midi song.mid
refused 2 '--seconds is for sounds; images have --size' synth spots -o x --seconds 3
refused 2 '--from is for digits: loco synth digits' synth spots -o x --from mnist
refused 2 '--radius is for spots: loco synth spots' synth digits -o x --from mnist --radius 3
refused 2 '--size is for images' synth drums -o x --size 64
refused 2 '--digits takes a number from 1 on, or two, such as 1..4, not "4..1"' synth digits -o x --from mnist --digits 4..1
refused 2 'not "0"' synth digits -o x --from mnist --digits 0
refused 2 'not "1.5"' synth spots -o x --spots 1.5
refused 2 '--size takes pixels, such as 128, or a width and a height, 256x192, not "64x"' synth spots -o x --size 64x
refused 2 'not "-3"' synth spots -o x --radius -3
refused 2 'a side has 8 to 16384' synth spots -o x --size 4
refused 2 '13 digits of 4 x 4 do not fit on 12 x 16 pixels' synth digits -o x --from mnist --size 12x16 --digits 13
refused 2 'give one number of digits' synth digits -o x --from mnist --each
refused 3 'has no train-images-idx3-ubyte' synth digits -o x --from cells
rm mnist/t10k-labels-idx1-ubyte.gz
refused 3 'has no t10k-labels-idx1-ubyte' synth digits -o x --from mnist --unseen
absent x

done_checking
