#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_sandbox.sh - `loco detect --sandbox`: the same bytes as without it, of sounds, series and images, through links, in
#   archives and by any number of threads; a decoder that crashes is one bad file, and the others still run. The crash is a
#   real one: libsndfile 1.2.0 ends by SIGSEGV when a certain allocation of its own fails.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

"$loco" synth drums -o set -n 4 --seconds 2 2>err || fail "no sounds: $(cat err)"
"$loco" synth spots -o spots -n 2 --size 40 2>err || fail "no images: $(cat err)"
mkdir walks links bad pipes
for name in a b; do
    awk -v seed="$name" 'BEGIN { srand(seed == "a"); print "time,v"
        for (i = 0; i < 500; i++) printf "%.2f,%.4f\n", i / 50, (i % 50 < 3) + 0.1 * rand() }' >walks/$name.csv
done
printf 'file,start,end,step\na.csv,,,10\nb.csv,,,10\n' >walks/counts.csv
few=(--set steps=2 --set check=2 --set batch=2)
run 0 train walks -o walks.loco "${few[@]}" --set 'network=conv 5x1 4'
run 0 train spots -o spots.loco "${few[@]}" --set 'network=conv 3x3 4 norm'
train_small set drums.loco 20
low=(--decoding threshold=0.001)

# same STATUS ARGUMENTS...: with and without a sandbox the same events, and the same sentences about files
same()
{
    local status=$1
    shift
    run "$status" detect "$@"
    cp out out.free
    cp err err.free
    run "$status" detect "$@" --sandbox
    checks=$((checks + 1))
    cmp -s out out.free || fail "detect $*: other events in the sandbox"
    grep -v '^--sandbox: ' err >err.caged
    diff err.free err.caged >differs || fail "detect $*: other sentences: $(cat differs)"
}

# ---- the same events ----
same 0 -m drums.loco set "${low[@]}" --threads 1
[[ $(wc -l <out) -gt 10 ]] || fail "few events: $(head out)"
same 0 -m drums.loco set "${low[@]}" --threads 3
same 0 -m drums.loco set/rec_000.wav "${low[@]}" --ensemble 3
same 0 -m drums.loco set/rec_000.wav --counts '2,?,1..3'
same 0 -m walks.loco walks/a.csv walks/b.csv "${low[@]}"
same 0 -m spots.loco spots "${low[@]}"
[[ $(wc -l <out) -gt 2 ]] || fail "no places: $(head out)"
ln -s "$PWD/set/rec_001.wav" links/take.wav
same 0 -m drums.loco links/take.wav "${low[@]}"
(cd set && run 0 detect -m ../drums.loco rec_002.wav "${low[@]}" --sandbox && cp out ../here)
run 0 detect -m drums.loco set/rec_002.wav "${low[@]}"
diff <(sed 's/^set.//' out) here >differs || fail "a name without a folder: $(head -3 differs)"
if command -v flac >/dev/null; then
    flac -s -o bad/good.flac set/rec_000.wav || fail 'flac failed'
    same 0 -m drums.loco bad/good.flac "${low[@]}"
fi

# ---- bad files ----
echo 'dear diary' >bad/text.wav
: >bad/empty.wav
head -c 30000 set/rec_001.wav >bad/cut.wav
cp set/rec_003.wav bad/good.wav
same 3 -m drums.loco bad set/gone.wav "${low[@]}"
same 3 -m drums.loco bad "${low[@]}"
run 3 detect -m drums.loco bad "${low[@]}" -o free.csv
run 3 detect -m drums.loco bad "${low[@]}" -o caged.csv --sandbox
cmp -s free.csv caged.csv || fail 'an archive has other events in the sandbox'
says err ' of '
mkfifo pipes/take.wav
run 3 detect -m drums.loco pipes/take.wav --sandbox
says err '--sandbox reads files: save it first'

# ---- names that a terminal would obey: the sentences are the library's and the sandbox's, and --resume reads them again ----
mkdir names
cp bad/text.wav names/$'evil\e[2J\xc2\x9b31m.wav'
cp bad/good.wav names
mkfifo pipes/$'evil\e[31m.wav'
for words in '' --resume --resume; do
    # shellcheck disable=SC2086
    run 3 detect -m drums.loco names pipes/evil* -o names.csv --sandbox $words
    says err '  names/evil?[2J?31m.wav: '
    says err '  pipes/evil?[31m.wav: is a pipe'
    checks=$((checks + 1))
    ! LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f-\x9f]' err >found || fail "detect $words: $(cat -v found)"
done

# ---- limits of the user ----
checks=$((checks + 1))
(
    [[ -n ${LOCO_SANITIZE:-} ]] || ulimit -v 2000000
    ulimit -t 60
    # as somebody who may not raise them
    setpriv --bounding-set -all "$loco" detect -m drums.loco set/rec_000.wav "${low[@]}" --sandbox >out 2>err </dev/null
) || fail "below ulimit -v and -t: $(head -3 err)"

# ---- what cannot be ----
refused 2 '--sandbox reads files, not standard input' detect -m drums.loco - --sandbox
refused 2 'read the recording a second time' detect -m drums.loco set/rec_000.wav --sandbox -o x.mid
refused 2 'read the recording a second time' detect -m drums.loco set/rec_000.wav --sandbox -o x.wav
absent x.mid x.wav

# ---- a crash ----
fault=$LOCO_BUILD/campaigns/fault.so
caged=(detect -m drums.loco set/rec_000.wav set/rec_001.wav set/rec_002.wav "${low[@]}" --threads 1 --sandbox)
if [[ -n ${LOCO_SANITIZE:-} || ! -e $fault ]]; then
    echo 'no crash: sanitizers have their own allocations, or campaigns/fault.so is not built'
    done_checking
    exit
fi
run 0 "${caged[@]}"
cp out all
found=
for n in {1..40}; do
    FAULT_FILE=rec_001.wav FAULT_AT=$n LD_PRELOAD=$fault "$loco" "${caged[@]}" >out 2>err
    status=$?
    [[ $status != 139 && $status != 134 ]] || fail "a failed allocation $n ended all: $(head -2 err)"
    grep -q 'crashed in the sandbox' err || continue
    found=$n
    checks=$((checks + 2))
    [[ $status == 3 ]] || fail "a crash gave status $status"
    says err 'set/rec_001.wav: its decoder crashed in the sandbox (signal 11)'
    diff <(grep -v '^set/rec_001' all) out >differs || fail "other files lost events: $(head -3 differs)"
    break
done
[[ -n $found ]] || echo 'this libsndfile does not crash: no crash was tried (cli/cage has others)'
done_checking
