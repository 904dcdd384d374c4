#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_shipped_sums.sh - each model in models/ carries a checksum, and one wrong bit among its weights is found.
set -uo pipefail
# shellcheck source=tests/cli.sh
source "${LOCO_SOURCE:?}/tests/cli.sh"

# flip FROM TO: changes the last bit of a weight, which is a number as before.
flip()
{
    python3 - "$1" "$2" <<'EOF' || fail "$1 cannot be changed"
import struct, sys
content = bytearray(open(sys.argv[1], "rb").read())
(header,) = struct.unpack("<Q", content[:8])
weight = (len(content) - 8 - header) // 8 * 4
content[8 + header + weight] ^= 1
open(sys.argv[2], "wb").write(content)
EOF
}

seen=0
for model in "$LOCO_SOURCE"/models/*.loco; do
    [[ -e $model ]] || break
    seen=$((seen + 1))
    run 0 inspect "$model"
    flip "$model" flipped.loco
    refused 3 'flipped.loco is damaged: its checksum is wrong' inspect flipped.loco
    refused 3 'flipped.loco is damaged: its checksum is wrong' detect -m flipped.loco none.wav
done
if [[ $seen == 0 ]]; then
    echo 'skipped: no models are shipped'
    exit 77
fi
done_checking
