# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# loco.bash - completion for bash: commands, options, and the values of options that are a choice.

# What an option's value may be; files where nothing is said.
_loco_values()
{
    case $1 in
        --preset | -p) words="sound voice series ecg drums drums-live drums-hq drums-paper rnn tanhb reluts lstmpb gruts piano piano-live piano-paper" ;;
        --format | -f) words="csv jsonl labels midi roi marks click" ;;
        --raw) words="s16le,1,22050 s16le,1,44100 s16le,2,44100 s16le,1,48000 f32le,1,48000" ;;
        --set) words="steps= batch= seed= check= rate= warm_up= clip= decay= average= start= held= context= shortest= longest=
            gain= noise= tilt= speed= stretch= mix= flip= shape= anchor= supervised= loss= network= decoding= frontend.magnitude= frontend.bands= frontend.hop=" ;;
        --mix) words="drums wet dry full" ;;
        --labels) words="class subclass kit" ;;
        --map) words=all ;;
        --decoding | -d) words="threshold= gap= window= mass peak count" ;;
        --seed | --threads | --recordings | --steps | --seconds | --ensemble | --most | --gap | --tolerance | --require | \
            --counts | --interval | --every | --clip | --from | --to | --class | --title | --about | --licence | --memory | --test | --valid | --label | --rate | --sample | --size | --digits | --turn | --scale | --shear | --spots | --radius) words=none ;;
        --model | -m | --from) words=models ;;
        --output | -o | --log | --reference | --estimate) words= ;;
        *) return 1 ;;
    esac
}

_loco_options()
{
    case $1 in
        demo) words="--output --seed --threads --recordings --steps --help" ;;
        train) words="--output --preset --from --set --resume --log --about --licence --no-calibration --memory --threads --seed --sweep --seeds --test --shard --help" ;;
        detect) words="--model --output --format --tempo --notes --classes --decoding --ensemble --counts --raw --threads --resume --retry --sandbox --shard --help" ;;
        count) words="--model --format --interval --label --every --clips --raw --threads --help" ;;
        enrich) words="--model --output --format --tempo --gap --tolerance --posterior --help" ;;
        eval) words="--model --reference --estimate --tolerance --classes --decoding --ensemble --require --per-recording --all --json --help" ;;
        table) words="--markdown --help" ;;
        calibrate) words="--model --blind --counts --pool --threads --help" ;;
        report) words="--model --output --title --most --tolerance --help" ;;
        plot) words="--output --title --model --from --to --label --rate --class --tolerance --decoding --reference --estimate --help" ;;
        models) words="--json --help" ;;
        inspect) words="--help" ;;
        import) words="--output --mix --labels --clip --classes --map --help" ;;
        split) words="--output --test --valid --seed --help" ;;
        synth) words="--output --recordings --seconds --seed --unseen --distractors --others --whole-kit --kits --soundfonts --patterns --midi --samples --classes --tuning --size --from --digits --each --turn --scale --shear --spots --radius --held-out --synth --background --ordinary --rate --threads --help" ;;
        loss) words="--label --rate --events --posterior --sample --seed --json --help" ;;
    esac
}

_loco()
{
    local words='' word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local commands="demo train detect count enrich eval table calibrate report plot models inspect import split synth loss help"
    COMPREPLY=()
    if [[ $COMP_CWORD == 1 ]]; then
        words="$commands --help --version"
    elif [[ $command == help ]]; then
        words=$commands
    elif _loco_values "$before"; then
        [[ $words != none ]] || return 0
    elif [[ $word == -* ]]; then
        _loco_options "$command"
    elif [[ $command == synth && $COMP_CWORD == 2 ]]; then
        words="drums piano digits spots"
    elif [[ $command == import && $COMP_CWORD == 2 ]]; then
        words="mdb enst idmt ecg maps maestro"
    elif [[ $command == plot && $COMP_CWORD == 2 ]]; then
        words="clip count training runs scores evaluation"
    fi
    if [[ $words == models ]]; then # names, and files
        words=$(loco models --json 2>/dev/null | sed -n 's/^\[\{0,1\}{"name":"\([^"]*\)".*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; compgen -f -- "$word")
        compopt -o filenames 2>/dev/null
    elif [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace 2>/dev/null
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames 2>/dev/null
    fi
    return 0
}

complete -F _loco loco
