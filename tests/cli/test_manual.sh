#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_manual.sh - the manual and the completions hold every command and option, and nothing else; the manual's examples
#   run, with short training.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ ${LOCO_SANITIZE:-} == *thread* ]]; then
    echo "skipped: a minute under the thread sanitizer, and test_cli_output.sh runs the same code there"
    exit 77
fi

manual=$LOCO_SOURCE/docs/loco.1
bash_words=$LOCO_SOURCE/completions/loco.bash
zsh_words=$LOCO_SOURCE/completions/_loco

# ---- commands and options, as --help has them ----
"$loco" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
[[ $(wc -l <commands) -ge 16 ]] || fail "few commands: $(cat commands)"
while read -r command; do
    checks=$((checks + 3))
    "$loco" "$command" --help | sed -nE 's/^  (-[a-z],|   ) --([a-z-]+).*/\2/p' | sort >"$command.options"
    grep -qx "\.It Cm $command\( [a-z]*\)\?" "$manual" || fail "the manual lacks $command"
    grep -qw -- "$command" "$bash_words" || fail "loco.bash lacks $command"
    grep -qw -- "$command" "$zsh_words" || fail "_loco lacks $command"
    # the part of the manual about this command: up to the next one at the same depth
    awk -v name="$command" '/^\.Bl/ {depth++} /^\.El/ {depth--; if (depth == 0) here = 0}
        depth == 1 && /^\.It Cm / {here = $3 == name} here' "$manual" >part
    # bash: the line `train) words="--output ..."`; zsh: the branch `train)` up to ;;
    sed -n "s/^ *$command) words=\"\(.*\)\".*/\1/p" "$bash_words" | tr ' ' '\n' | sed -n 's/^--//p' | sort >bash.options
    awk -v name="$command" '$1 == name ")" {here = 1} here; here && /;;/ {exit}' "$zsh_words" |
        sed 's/_arguments \$help/--help/' | grep -oE -- '--[a-z-]+' | sed 's/^--//' | sort -u >zsh.options
    cmp -s bash.options "$command.options" || fail "loco.bash, $command: $(diff bash.options "$command.options")"
    cmp -s zsh.options "$command.options" || fail "_loco, $command: $(diff zsh.options "$command.options")"
    while read -r option; do
        checks=$((checks + 1))
        [[ $option == help ]] || grep -qE -- "Fl -$option( |$)" part || fail "the manual lacks --$option of $command"
    done <"$command.options"
    grep '^\.It' part | grep -oE 'Fl -[a-z-]+' | sed 's/^Fl -//' | while read -r option; do
        grep -qx -- "$option" "$command.options" || echo "$option"
    done >unknown
    [[ ! -s unknown ]] || fail "the manual invents for $command: $(cat unknown)"
done <commands

# ---- the completions work ----
# completes WORDS... WANTED: the last but one word, in bash, can become WANTED
completes()
{
    local wanted=${!#}
    checks=$((checks + 1))
    # shellcheck disable=SC2016
    bash --norc -c 'source "$1"; shift
        COMP_WORDS=("${@:1:$#}") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMPREPLY=()
        _loco loco "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"' - "$bash_words" loco "${@:1:$#-1}" >out 2>err || fail "completion fails: $(cat err)"
    grep -qx -- "$wanted" out || fail "${*:1:$#-1}: no $wanted among $(tr '\n' ' ' <out)"
    silent err
}
completes tr train
completes train --pre --preset
completes train --preset drums- drums-live
completes train --set ste steps=
completes detect --format mi midi
completes detect --deco --decoding
completes synth dr drums
completes help cal calibrate
completes plot tr training
completes count --ev --every
mkdir sounds
: >sounds.loco
completes detect -m sou sounds.loco
completes eval sou sounds
if command -v zsh >/dev/null; then
    checks=$((checks + 1))
    zsh -n "$zsh_words" 2>err || fail "_loco is no zsh: $(cat err)"
fi

# ---- examples ----
sed -n 's/^\.Dl \$ //p' "$manual" | sed 's/\\e/\\/g' >examples
[[ $(wc -l <examples) -ge 8 ]] || fail "few examples"
mkdir there
cd there || exit 1
while IFS= read -r example; do
    checks=$((checks + 1))
    example=${example/loco demo/loco demo --steps 2 --recordings 3}
    example=${example/steps=150/steps=4 --set frontend.bands=24}
    example=${example/f1=0.5/f1=0}
    bash -e -o pipefail -c "$example" >../said 2>&1 </dev/null || fail "the manual's '$example' fails: $(tail -3 ../said)"
done <../examples
cd ..
if command -v groff >/dev/null; then
    checks=$((checks + 1))
    groff -mdoc -Tutf8 -ww "$manual" 2>err >out || fail "groff fails"
    silent err
    says out 'documents the library'
fi

done_checking
