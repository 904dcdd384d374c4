#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_tables.sh - the tables of the documents are those of the data, and the figures of the tests those of the tree:
#   `scripts/tables --check` and `scripts/testing-figures --check` pass here. The former fails on a copy with one changed number
#   on either side, and names what is missing; rewriting a changed page restores it. Then `scripts/collect`: tables of a run and
#   lines of a benchmark become rows with the same numbers; `scripts/testing-figures`: a small tree is counted, and found to
#   have changed; and `scripts/campaign`, which adds and replaces rows.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: reads documents alone, as in the plain build"
    exit 77
fi

tables=$LOCO_SOURCE/scripts/tables
collect=$LOCO_SOURCE/scripts/collect
export PYTHONDONTWRITEBYTECODE=1

# expect STATUS COMMAND...: keeps stdout in out and stderr in err, compares the exit status.
expect()
{
    local want=$1 got
    shift
    checks=$((checks + 1))
    "$@" >out 2>err </dev/null
    got=$?
    [[ $got == "$want" ]] || fail "$(basename "$1") ${*:2} gave $got, not $want: $(head -3 err)"
}

# a copy of what the script reads
copy()
{
    rm -rf tree
    mkdir -p tree/docs tree/bench tree/experiments
    cp "$LOCO_SOURCE/README.md" tree
    cp "$LOCO_SOURCE"/docs/*.md tree/docs
    cp -r "$LOCO_SOURCE/bench/notes.md" "$LOCO_SOURCE/bench/results" tree/bench
    cp -r "$LOCO_SOURCE"/experiments/{drums,ecg,results} tree/experiments
}

# ---- wrong arguments ----
expect 2 "$tables" --chek
says err 'usage: '
expect 2 "$tables" --check tree tree

# ---- this tree ----
expect 0 "$tables" --check
silent err

expect 0 "$LOCO_SOURCE/scripts/testing-figures" --check
silent err

# ---- a changed number on a page, then in the data ----
copy
expect 0 "$tables" --check tree
for page in README.md docs/experiments.md docs/benchmarks.md docs/frontend.md experiments/drums/notes.md; do
    copy
    # the first digit of the first row of numbers in a table becomes another one
    awk '/^<!-- table: /{inside = 1} /^<!-- end/{inside = 0}
        inside && !done && /^\| .*[|] [0-9]/{done = match($0, /[|] [0-9]/)
            digit = (substr($0, RSTART + 2, 1) + 1) % 10
            $0 = substr($0, 1, RSTART + 1) digit substr($0, RSTART + 3)} 1' \
        "tree/$page" >changed
    checks=$((checks + 1))
    ! cmp -s changed "tree/$page" || fail "no number in a table of $page"
    mv changed "tree/$page"
    expect 1 "$tables" --check tree
    says err "$page differs from its data"
    checks=$((checks + 1))
    [[ $(wc -l <err) == 1 ]] || fail "more than $page: $(cat err)"
    expect 0 "$tables" tree
    checks=$((checks + 1))
    cmp -s "tree/$page" "$LOCO_SOURCE/$page" || fail "$page is not restored"
done
copy
sed -i 's/^models,mdb,drums,1,91\.7,/models,mdb,drums,1,91.6,/' tree/experiments/results/drums.csv
expect 1 "$tables" --check tree
says err 'README.md differs'
says err 'experiments.md differs'

# ---- what is missing ----
copy
sed -i '0,/^<!-- end -->$/{/^<!-- end -->$/d}' tree/docs/benchmarks.md
expect 3 "$tables" --check tree
says err 'without its'
copy
sed -i 's/^<!-- table: bench-count -->/<!-- table: bench-cuont -->/' tree/docs/benchmarks.md
expect 3 "$tables" --check tree
says err 'no table is called bench-cuont'
copy
sed -i '/^votes,/d' tree/experiments/results/drums.csv
expect 3 "$tables" --check tree
says err 'has no row with'

# ---- collect ----
cat >tables.md <<'END'
## The models

*held-out renders: kits that training never had, in ordinary recordings*

| | runs | F1, 50 ms | 20 ms | 10 ms | precision | recall | kick | snare | hihat | error ms | spread ms |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| a, b | 6 | 1.5 ± 0.1 | 2.5 | 3.5 | 4.5 | 5.5 | 6.5 | 7.5 | 8.5 | -9.50 ± 0.25 | 10.50 |
END
expect 0 "$collect" drums tables.md --commit abc --date 2026-01-02 --machine none
says out 'models,held,"a, b",6,1.5,0.1,2.5,,3.5,,4.5,,5.5,,6.5,,7.5,,8.5,,-9.50,0.25,10.50,,'
says out ',make experiment-drums,abc,2026-01-02,none'
echo '{"name":"step/x","threads":1,"ours_ms":2.5,"other":"y","other_ms":5,"ratio":2,"ours_mb":3,"other_mb":4}' >lines
echo '{"name":"long/x","ms":1}' >>lines
expect 0 "$collect" bench lines --commit abc --date 2026-01-02 --machine none --command 'bench/run step'
says out 'step/x,1,2.5,y,5,2,3,4,bench/run step,abc,2026-01-02,none'
checks=$((checks + 1))
[[ $(wc -l <out) == 2 ]] || fail "not a header and a row: $(cat out)"
expect 3 "$collect" ecg lines
says err 'lines holds no table of ecg'

# ---- figures of the tests ----
mkdir -p small/{src/a,tests/a,tests/golden/0.1,fuzz/fuzz_x.seeds,experiments/results}
printf 'a\nb\nc\nd\n' >small/src/a/a.c
printf 'a\nb\n' >small/tests/a/test_a_oom.c
printf 'a\n' | tee small/tests/a/test_b.sh small/tests/a/other.h >small/fuzz/fuzz_x.c
printf 'abc' | tee small/fuzz/fuzz_x.seeds/1 small/fuzz/fuzz_x.seeds/2 >small/tests/golden/0.1/m.loco
expect 2 "$LOCO_SOURCE/scripts/testing-figures" --x
expect 0 "$LOCO_SOURCE/scripts/testing-figures" small
for row in '"tests, each a process of its own",3,' 'failing in turn",1,' 'lines of sources,4,' 'lines of tests,5 (125 %),' \
    'fuzz targets,1,' 'inputs kept for them,2 (0 kB),' 'golden files of this version,1,'; do
    says small/experiments/results/testing.csv "$row"
done
expect 0 "$LOCO_SOURCE/scripts/testing-figures" --check small
printf 'a\n' | tee small/fuzz/fuzz_y.c >small/fuzz/fuzz_x.seeds/3
expect 1 "$LOCO_SOURCE/scripts/testing-figures" --check small
says err 'fuzz targets: 2, and docs/testing.md says 1'
says err 'inputs kept for them: 3 (0 kB), and docs/testing.md says 2 (0 kB)'

# ---- rows of long runs ----
printf 'name,figure,command,date,machine\nfirst,"1, 2",run first,2026-01-02,one\nlast,3,run last,2026-01-02,\n' >rows
cp rows small/experiments/results/campaigns.csv
expect 2 "$LOCO_SOURCE/scripts/campaign" new 'a figure'
expect 0 "$LOCO_SOURCE/scripts/campaign" new 'a figure, 7' 'run new' small
expect 0 "$LOCO_SOURCE/scripts/campaign" first 4 'run first' small
for row in '1:name,figure,' '2:first,4,run first,20' '3:last,3,run last,2026-01-02,' '4:new,"a figure, 7",run new,20'; do
    sed -n "${row%%:*}p" small/experiments/results/campaigns.csv >line
    says line "${row#*:}"
done
checks=$((checks + 1))
[[ $(ls small/experiments/results) == $'campaigns.csv\ntesting.csv' ]] || fail "files: $(ls small/experiments/results)"

done_checking
