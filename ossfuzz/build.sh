#!/bin/bash -eu
# SPDX-License-Identifier: MIT
#
# shellcheck disable=SC2086 # flags are several words
#
# build.sh - all fuzz targets as OSS-Fuzz wants them: compiled by $CC with $CFLAGS, linked by $CXX with $LIB_FUZZING_ENGINE, in
#   $OUT with their dictionaries and first inputs. $SRC/loco is this source tree. What is not in the image that runs the targets
#   goes along in $OUT/lib. `make ossfuzz` tries it without Docker.
cd "$SRC/loco"
build=${WORK:-/tmp}/loco
# Debug: $CFLAGS alone decides on optimisation, also of the kernels
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG= -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_C_FLAGS="$CFLAGS" -DLOCO_TESTS=OFF -DLOCO_CCACHE="${LOCO_CCACHE:-OFF}"
cmake --build "$build" --target loco_static loco_studio --parallel "${JOBS:-$(nproc)}"

mkdir -p "$OUT/lib"
libraries=$(pkg-config --libs libcjson sndfile flac soxr libpng libjpeg libtiff-4 zlib expat)
for source in fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    $CC $CFLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -Iinclude -Isrc -I. -c "$source" -o "$build/$name.o"
    $CXX $CXXFLAGS "$build/$name.o" "$build/libloco_studio.a" "$build/libloco.a" $LIB_FUZZING_ENGINE $libraries -lpthread -ldl -lm \
        -Wl,-rpath,'$ORIGIN/lib' -o "$OUT/$name"
    if [[ -f fuzz/$name.dict ]]; then
        cp "fuzz/$name.dict" "$OUT/"
    fi
    if [[ -d fuzz/$name.seeds ]]; then
        (cd "fuzz/$name.seeds" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
    fi
done

# libraries beside those of the C library and the compiler
ldd "$OUT"/fuzz_* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -vE '/(lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)|ld-linux[^/]*)\.so' | xargs -r -I '{}' cp -L '{}' "$OUT/lib/"
