#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_mpi.sh - one model, bit for bit, from 1 to 4 processes of 1 or 2 threads, under OpenMPI and MPICH, on sound and series, also
#   when a run is stopped and goes on with another number of processes; failures are one sentence; a process that is killed
#   ends the run, and its checkpoint goes on. `test_mpi.sh kills 20`: so many kills.
set -euo pipefail

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: MPI itself is not clean under sanitizers; train/trainer_team has the same steps"
    exit 77
fi

# Where no plug-in is found, the sentence says which; LOCO_MPI=none leaves a launcher alone. Neither needs MPI.
said=$(OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 LOCO_MPI=nothing "$LOCO_BUILD/loco" train missing -o missing.loco 2>&1) || true
said+=$(PMI_RANK=0 PMI_SIZE=2 LOCO_MPI=none "$LOCO_BUILD/loco" train missing -o missing.loco 2>&1) || true
if [[ $said != *loco_mpi_nothing.so*'cannot read missing'* ]]; then
    echo "without a plug-in: $said" >&2
    exit 1
fi

kinds=()
for kind in openmpi mpich; do
    if [[ -e $LOCO_BUILD/loco_mpi_$kind.so ]] && command -v "mpirun.$kind" >/dev/null; then
        kinds+=("$kind")
    elif [[ ${CI:-} == true ]]; then
        echo "no plug-in or no mpirun of $kind; scripts/install-deps test installs it, then configure again" >&2
        exit 1
    fi
done
if [[ ${#kinds[@]} -eq 0 ]]; then
    echo "skipped: neither OpenMPI nor MPICH is installed"
    exit 77
fi

loco=$LOCO_BUILD/loco
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 TMPDIR=/tmp
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_base_warn_component_unused=0

# launch KIND PROCESSES WORDS...: loco under the launcher of an MPI.
launch()
{
    local kind=$1 processes=$2
    shift 2
    : >pids
    "mpirun.$kind" -n "$processes" ./member "$@" </dev/null
}

# A process notes its number, so that it can be sent a signal.
printf '#!/bin/sh\necho $$ >>pids\nexec "%s" "$@"\n' "$loco" >member
chmod +x member

# data: small sets of drums and of pulses, and the words that train on them.
"$loco" synth drums -o drums --recordings 6 --seconds 3 --seed 2 >/dev/null 2>&1
small=(--preset drums --set steps=6 --set check=3 --set batch=11 --set 'network=conv 3x5 8 stride 4 norm, gru 12'
       --set frontend.bands=24 --set held=0.3)
mkdir pulses
python3 - <<'PULSES'
import random
random.seed(4)
with open("pulses/counts.csv", "w") as counts:
    print("file,start,end,pulse", file=counts)
    for r in range(6):
        beats = sorted(random.uniform(0.3, 19.7) for _ in range(20))
        with open(f"pulses/r{r}.csv", "w") as file:
            print("time,x", file=file)
            for i in range(1000):
                t = i / 50
                print(f"{t:.2f},{sum(max(0, 1 - abs(t - b) / 0.06) for b in beats) + random.gauss(0, 0.05):.4f}", file=file)
        for start in range(0, 20, 4):
            n = sum(start <= b < start + 4 for b in beats)
            print(f"r{r}.csv,{start},{start + 4},{n}", file=counts)
PULSES
pulses=(--set steps=6 --set check=3 --set batch=9 --set held=0.3)

# train SET KIND PROCESSES THREADS MODEL WORDS...
train()
{
    local set=$1 kind=$2 processes=$3 threads=$4 model=$5 words=("${small[@]}")
    shift 5
    [[ $set == drums ]] || words=("${pulses[@]}")
    if [[ $kind == alone ]]; then
        "$loco" train "$set" -o "$model" --threads "$threads" "${words[@]}" "$@"
    else
        launch "$kind" "$processes" train "$set" -o "$model" --threads "$threads" "${words[@]}" "$@"
    fi
}

# log MODEL: its validations, without the time that they took.
log()
{
    sed 's/"seconds":[^,}]*//' "$1.jsonl"
}

# same MODEL WHAT: it must be the model of one process, with the same validations.
same()
{
    if ! cmp -s "$set.loco" "$1" || [[ $(log "$1") != "$(log "$set.loco")" ]]; then
        echo "$2 of $set gave another model than one process" >&2
        tail -n 5 said >&2
        exit 1
    fi
}

kills()
{
    local count=$1 kind=${kinds[0]} began victim number=0
    set=drums
    small+=(--set steps=60 --set check=5)
    train drums alone 1 1 drums.loco 2>said
    RANDOM=7
    while [[ $number -lt $count ]]; do
        kind=${kinds[number % ${#kinds[@]}]}
        rm -f killed.loco*
        began=$EPOCHREALTIME
        : >pids
        train drums "$kind" 4 1 killed.loco >said 2>&1 &
        local launcher=$!
        sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
        sleep "$((RANDOM % 2))"
        mapfile -t pids <pids
        if [[ ${#pids[@]} -lt 4 ]]; then
            wait "$launcher" || true
            continue # not begun
        fi
        victim=${pids[RANDOM % ${#pids[@]}]}
        kill -KILL "$victim" 2>/dev/null || true
        began=$EPOCHREALTIME
        wait "$launcher" && status=0 || status=$?
        awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { exit !(b - a < 30) }' || { echo "the run went on for 30 s" >&2; exit 1; }
        if [[ $status -ne 0 ]] && ! grep -qiE 'killed|signal|another process' said; then
            echo "no sentence about the process that was killed:" >&2
            cat said >&2
            exit 1
        fi
        resume=()
        [[ ! -e killed.loco.checkpoint ]] || resume=(--resume)
        train drums "$kind" $((1 + RANDOM % 3)) 1 killed.loco "${resume[@]}" 2>said
        same killed.loco "a run that lost process $victim after $began, of $kind,"
        number=$((number + 1))
    done
    echo "$count runs lost a process, and went on to the same model"
}

if [[ ${1:-} == kills ]]; then
    kills "${2:-20}"
    exit 0
fi

# refused SENTENCE KIND PROCESSES WORDS...: the command fails, and one process alone says so; where processes have not found
#   each other ($LOCO_MPI is another's), each does.
refused()
{
    local sentence=$1
    shift
    if launch "$@" 2>said; then
        echo "accepted: $*" >&2
        exit 1
    fi
    local times # that it was said
    times=$(grep -c "$sentence" said || true)
    if [[ $times -lt 1 || $times -gt ${voices:-1} ]]; then
        echo "not one sentence with \"$sentence\" of: $*" >&2
        cat said >&2
        exit 1
    fi
}

# stop_and_go KIND: begins with three processes, is stopped, goes on with two, is stopped, and ends with one.
stop_and_go()
{
    local processes launcher model=stopped.loco resume=()
    rm -f stopped.loco* stops
    for processes in 3 2; do
        train "$set" "$1" "$processes" 1 "$model" "${resume[@]}" 2>>stops &
        launcher=$!
        for ((i = 0; i < 600; i++)); do
            [[ ! $model.checkpoint -nt mark ]] || break
            sleep 0.02
        done
        mapfile -t pids <pids
        kill -TERM "${pids[@]}" 2>/dev/null || true
        wait "$launcher" || true
        touch mark
        resume=(--resume)
    done
    if [[ $(grep -c '^stopped;' stops) -ne 2 ]]; then
        echo "$set, $1: was not stopped twice" >&2
        cat stops >&2
        exit 1
    fi
    train "$set" alone 1 1 "$model" --resume 2>said
    echo "$set, $1: $(grep resumed said)"
    same "$model" "three processes, then two, then one, $1,"
}

for set in drums pulses; do
    train "$set" alone 1 1 "$set.loco" 2>said
    for kind in "${kinds[@]}"; do
        for processes in 1 2 3 4; do
            for threads in 1 2; do
                train "$set" "$kind" "$processes" "$threads" "m.loco" 2>said
                same m.loco "$processes processes of $threads threads, $kind,"
                if [[ $(grep -c 'm.loco is ' said) -ne 1 ]]; then
                    echo "$processes processes did not speak with one voice: $(cat said)" >&2
                    exit 1
                fi
            done
        done
    done
done

kind=${kinds[0]}
refused 'cannot read missing' "$kind" 2 train missing -o m.loco
refused '9 processes share 8 lanes of a step; start at most 8, or set lanes=9' "$kind" 9 train drums -o m.loco "${small[@]}"
if [[ ${#kinds[@]} -eq 2 ]]; then
    export LOCO_MPI=mpich
    voices=2 refused 'the launcher started 2 processes, and mpich sees 1' openmpi 2 train drums -o m.loco "${small[@]}"
    unset LOCO_MPI
fi

small+=(--set steps=60 --set check=5)
pulses+=(--set steps=60 --set check=5)
touch mark
for set in drums pulses; do
    train "$set" alone 1 1 "$set.loco" 2>said
    stop_and_go "$kind"
    kind=${kinds[${#kinds[@]} - 1]}
done
kills 3
