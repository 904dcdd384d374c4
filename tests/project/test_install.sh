#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_install.sh - an installed LoCo, moved to another place, is found by pkg-config and by CMake, shared and static, and
#   brings its header, its command, its manual and its models.
set -euo pipefail

if [[ -n $LOCO_SANITIZE ]]; then
    echo "skipped: a sanitised library is not for installing"
    exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
env -u DESTDIR cmake --install "$LOCO_BUILD" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/prefix"
prefix=$scratch/prefix
cd "$scratch"

version=$(sed -nE 's/^project\(Loco VERSION ([0-9.]+).*/\1/p' "$LOCO_SOURCE/CMakeLists.txt")
cat >user.c <<'END'
#include <loco.h>
#include <stdio.h>

int main(void)
{
    puts(loco_version());
    return 0;
}
END

# says_version NAME COMMAND...: COMMAND must print the version.
says_version()
{
    local name=$1 said
    shift
    said=$("$@")
    if [[ $said != *"$version"* ]]; then
        echo "$name says \"$said\", not $version" >&2
        exit 1
    fi
    echo "$name works"
}

test -f "$prefix/include/loco.h"
says_version "the command" "$prefix/bin/loco" --version
if [[ -f $LOCO_SOURCE/docs/loco.1 ]]; then
    test -f "$prefix/share/man/man1/loco.1"
fi

test -f "$prefix/share/bash-completion/completions/loco"
test -f "$prefix/share/zsh/site-functions/_loco"

# every model of the source tree is installed, and found by name from any folder
for model in "$LOCO_SOURCE"/models/*.loco; do
    [[ -f $model ]] || continue
    name=$(basename "$model" .loco)
    cmp "$model" "$prefix/share/loco/models/$name.loco"
    (cd / && env -u LOCO_MODELS "$prefix/bin/loco" inspect "$name") | grep -x "$prefix/share/loco/models/$name.loco" >/dev/null
    echo "the installed command finds $name"
done

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name loco.pc)")
lib=$(dirname "$PKG_CONFIG_PATH")
says_version "loco.pc" pkg-config --modversion loco
read -ra flags < <(pkg-config --cflags --libs loco)
cc user.c "${flags[@]}" -o shared
says_version "a program linked by pkg-config" env LD_LIBRARY_PATH="$lib" ./shared
read -ra flags < <(pkg-config --static --cflags --libs loco)
cc user.c "${flags[@]/#-lloco/-l:libloco.a}" -o static # not -static: Debian's cJSON is shared alone
says_version "a program with libloco inside, linked by pkg-config" ./static

mkdir user
cat >user/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(User LANGUAGES C)
find_package(Loco $version REQUIRED)
add_executable(shared ../user.c)
target_link_libraries(shared Loco::loco)
add_executable(static ../user.c)
target_link_libraries(static Loco::loco_static)
END
cmake -S user -B user/build -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build user/build >/dev/null
says_version "a program linked by CMake" user/build/shared
says_version "a static program linked by CMake" user/build/static
