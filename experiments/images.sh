#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# images.sh - what the experiments with images share; to be sourced. $loco: the command, $dir: where all goes, $here: the
#   folder of the experiment.

# render OUT KIND WORDS...: a set of rendered images, `loco synth KIND`, unless it is there.
render()
{
    [[ ! -f $1/counts.csv ]] || return 0
    rm -rf "$1" "$1.part"
    "$loco" synth "$2" -o "$1.part" "${@:3}" 2>"$1.log" || { cat "$1.log" >&2; exit 1; }
    mv "$1.part" "$1"
}

# learn NAME SET WORDS...: the model NAME.loco, unless it is there; from its checkpoint if there is one. Its seconds of training,
# of all runs together, go to NAME.seconds.
learn()
{
    local model=$dir/$1.loco again=() start=$SECONDS
    [[ ! -f $model ]] || return 0
    [[ ! -f $model.part.checkpoint ]] || again=(--resume)
    "$loco" train "$2" -o "$model.part" "${again[@]}" --log "$model.jsonl" "${@:3}" >"$model.log" 2>&1 ||
        { tail -3 "$model.log" >&2; exit 1; }
    rm -f "$model.part.checkpoint"
    echo $((SECONDS - start)) >>"$dir/$1.seconds"
    mv "$model.part" "$model"
}

# score NAME SET OUT WORDS...: what `loco eval --json` says of a model and a set, in OUT.json, unless it is there.
score()
{
    [[ ! -f $3.json ]] || return 0
    "$loco" eval -m "$dir/$1.loco" "$2" --json "${@:4}" >"$3.json.part" 2>"$3.log" || { tail -3 "$3.log" >&2; exit 1; }
    mv "$3.json.part" "$3.json"
}

# number FILE KEY...: a number of a JSON file, such as `number eval.json all at 0 f1`; 0 where there is none.
number()
{
    python3 - "$@" <<'PYTHON'
import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2:]:
    value = value[int(key) if isinstance(value, list) else key]
print(0 if value is None else value)
PYTHON
}

# summary FORMAT: of lines with the same number of columns, mean and standard deviation of each: "0.991 (0.002)". FORMAT: that of
# printf for a number.
summary()
{
    awk -v format="$1" '
        { for (i = 1; i <= NF; i++) { sum[i] += $i; square[i] += $i * $i } columns = NF }
        END {
            for (i = 1; i <= columns; i++) {
                mean = sum[i] / NR
                spread = NR > 1 ? sqrt(((square[i] - NR * mean * mean) > 0 ? square[i] - NR * mean * mean : 0) / (NR - 1)) : 0
                printf("%s" format " (" format ")", (i > 1 ? " | " : ""), mean, spread)
            }
            print ""
        }'
}

# minutes NAMES...: of training, mean over models.
minutes()
{
    local name
    for name in "$@"; do
        awk '{ s += $1 } END { print s / 60 }' "$dir/$name.seconds"
    done | awk '{ s += $1 } END { printf "%.1f\n", s / NR }'
}

# picture OUT.svg NAME SET N WORDS...: the first N images of a set with what a model finds in them; WORDS: options of marks.
picture()
{
    local images
    mapfile -t images < <(printf '%s\n' "$3"/*.png | head -n "$4")
    "$loco" detect -m "$dir/$2.loco" "${images[@]}" -o "$1.csv" 2>"$1.log" || { tail -3 "$1.log" >&2; exit 1; }
    "$here/../marks" "$1" "$3" "$1.csv" --images "$4" "${@:5}"
}
