#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_layers.sh - each folder of src/ is a layer and includes only itself and the folders above it in this list; cli/ and
#   examples/ see the public header, their own headers and the system's, the command also studio/studio.h. studio/ sees the
#   library and itself; nothing in the library sees studio/. A layer holds at most 30 sources, so that it is seen at a glance.
#   First the rules are tried on made-up trees.
set -euo pipefail

if [[ -n ${LOCO_SANITIZE:-} ]]; then
    echo "skipped: reads sources alone, as in the plain build"
    exit 77
fi

layers=(base count nn signal image model events data detect eval calibrate train report mpi)
most=30

# check_tree ROOT: prints every offence, one per line. Each of the three functions of awk returns what is wrong with one
# include, <x> or "x", of a file; nothing when it is allowed.
check_tree()
{
    (cd "$1" && { find src studio cli examples -type f 2>/dev/null || true; } | sort |
        awk -v layers="${layers[*]}" -v most="$most" '
        function wrong_in_layer(layer, what,    name, folder) {
            name = substr(what, 2, length(what) - 2)
            folder = name
            sub(/\/.*/, "", folder)
            if (name == "loco.h") return ""
            if (index(name, "..")) return "a path that climbs"
            if (!index(name, "/")) return what ~ /^</ || ("src/" layer "/" name) in file ? "" : "not in src/" layer
            if (folder in layer_folder) return folder in rank && rank[folder] <= rank[layer] ? "" : folder " is not above " layer
            return what ~ /^</ ? "" : "no such layer"
        }
        function wrong_in_studio(what,    name) {
            name = substr(what, 2, length(what) - 2)
            if (index(name, "..")) return "a path that climbs"
            if (what ~ /^</ || name == "loco.h" || ("src/" name) in file || (name ~ /^studio\// && name in file)) return ""
            return "neither in the library nor in studio/"
        }
        function wrong_outside(folder, what,    name) {
            name = substr(what, 2, length(what) - 2)
            if (name == "loco.h" || (folder == "cli" && name == "studio/studio.h")) return ""
            if (index(name, "..") || ("src/" name) in file || name in file) return "inside the library"
            return what ~ /^"/ && !((folder "/" name) in file) ? "not in " folder : ""
        }
        function wrong(path, what,    part, folder) {
            split(path, part, "/")
            folder = path
            sub(/\/[^\/]*$/, "", folder)
            if (part[1] == "src") return wrong_in_layer(part[2], what)
            return part[1] == "studio" ? wrong_in_studio(what) : wrong_outside(folder, what)
        }
        function check_file(path,    line, why) {
            while ((getline line < path) > 0)
                if (match(line, /^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]*[>"]/)) {
                    line = substr(line, 1, RLENGTH)
                    sub(/^[^<"]*/, "", line)
                    why = wrong(path, line)
                    if (why != "") print path ": " line ": " why
                }
            close(path)
        }
        BEGIN { count = split(layers, name_of, " "); for (i = 1; i <= count; i++) rank[name_of[i]] = i }
        {
            file[$0]
            path[NR] = $0
            split($0, part, "/")
            if (part[1] == "src") { layer_folder[part[2]]; sources[part[2]] += $0 ~ /\.c$/ }
        }
        END {
            for (i = 1; i <= NR; i++) {
                split(path[i], part, "/")
                if (part[1] == "src" && !(part[2] in rank)) print path[i] ": src/" part[2] " is not in the list of layers"
                else if (part[1] == "src" || path[i] ~ /\.[ch]$/) check_file(path[i])
            }
            for (layer in rank) if (sources[layer] > most) print "src/" layer ": more than " most " sources"
        }')
}

# expect GOOD|BAD FILE LINE: a tree in which FILE consists of LINE must be passed or refused.
expect()
{
    local tree verdict=GOOD
    tree=$(mktemp -d -p "$scratch")
    mkdir -p "$tree"/{src/base,src/count,src/report,cli,examples,studio/kits} "$tree/$(dirname "$2")"
    touch "$tree"/src/{base/status.h,count/tilt.h,report/svg.h} "$tree/cli/args.h" "$tree"/studio/{studio.h,kits/bank.h}
    printf '%s\n' "$3" >"$tree/$2"
    [[ -z $(check_tree "$tree") ]] || verdict=BAD
    if [[ $verdict != "$1" ]]; then
        echo "the rules found $2 with $3 $verdict, and it is $1" >&2
        exit 1
    fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

expect GOOD src/count/a.c '#include "base/status.h"'
expect GOOD src/count/a.c '#include "count/tilt.h"'
expect GOOD src/count/a.c '#include "tilt.h"'
expect GOOD src/count/a.c '#include <loco.h>'
expect GOOD src/base/a.c '#include <sys/stat.h>'
expect BAD src/base/a.c '#include "count/tilt.h"'
expect BAD src/base/a.c '  # include <count/tilt.h>'
expect BAD src/count/a.c '#include "report/svg.h"'
expect BAD src/base/a.c '#include "../count/tilt.h"'
expect BAD src/base/a.c '#include "tilt.h"'
expect BAD src/base/a.c '#include "nowhere/tilt.h"'
expect BAD src/extra/a.c '#include <stdio.h>'
expect GOOD cli/a.c '#include "loco.h"'
expect GOOD cli/a.c '#include "args.h"'
expect BAD cli/a.c '#include "base/status.h"'
expect BAD cli/a.c '#include <base/status.h>'
expect BAD cli/a.c '#include "../src/base/status.h"'
expect BAD examples/a.c '#include "args.h"'
expect GOOD cli/a.c '#include "studio/studio.h"'
expect BAD cli/a.c '#include "studio/kits/bank.h"'
expect BAD examples/a.c '#include "studio/studio.h"'
expect BAD src/report/a.c '#include "studio/studio.h"'
expect GOOD studio/kits/a.c '#include "studio/kits/bank.h"'
expect GOOD studio/kits/a.c '#include "count/tilt.h"'
expect BAD studio/kits/a.c '#include "kits/bank.h"'

offences=$(check_tree "$LOCO_SOURCE")
files=$(cd "$LOCO_SOURCE" && find src -name '*.c' | wc -l)
if [[ -n $offences || $files -eq 0 ]]; then
    echo "${offences:-no source file found}" >&2
    exit 1
fi
echo "$files source files keep to their layers"
