#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_install_deps.sh - the installer waits while another package manager is at work, tries a second time after another
#   failure, and gives up after that. With an apt-get that only fails as often as it is asked to.
set -euo pipefail

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: a script, as in the plain build"
    exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query # nothing is installed
printf '#!/bin/sh\necho "$@" >>sleeps\n' >bin/sleep
printf '#!/bin/sh\necho 0\n' >bin/id
cat >bin/apt-get <<'FAKE'
#!/bin/sh
echo "$@" >>calls
[ -s failures ] || exit 0
head -n 1 failures >&2
sed -i 1d failures
exit 100
FAKE
chmod +x bin/*

# expect STATUS CALLS FAILURE...: apt-get fails with each of these lines in turn; then it works.
expect()
{
    local status=0 calls=$2 want=$1
    shift 2
    rm -f calls sleeps
    printf '%s\n' "$@" | sed '/^$/d' >failures
    PATH=$scratch/bin:$PATH bash "$LOCO_SOURCE/scripts/install-deps" fuzz 2>err || status=$?
    if [[ $status -ne $want || $(wc -l <calls) -ne $calls ]]; then
        echo "status $status after $(wc -l <calls) calls instead of $want after $calls; failures: $*" >&2
        cat err >&2
        exit 1
    fi
}

lock='E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)'
net='E: Failed to fetch: Temporary failure resolving'
expect 0 2 ''
grep -q -- '-o=DPkg::Lock::Timeout=600 .*install .*clang' calls
expect 0 6 "$lock" "$lock" "$lock" "$lock"
[[ $(wc -l <sleeps) -eq 4 ]]
expect 0 3 "$net"
expect 1 2 "$net" "$net"
grep -q 'apt-get could not install clang' err
expect 0 5 "$lock" "$net" "$lock"
mapfile -t always < <(for ((i = 0; i < 200; i++)); do echo "$lock"; done)
expect 1 122 "${always[@]}"
echo "the installer waits, tries again, and gives up"
