#!/bin/sh
# Cargo calls this instead of rustc for the fuzz targets. Only our own crates count coverage: that
# of the two hundred others would take most of the build, and leads the fuzzer nowhere.
rustc="$1"
shift
case " $* " in
*" --crate-name scenewright_"*)
    exec "$rustc" "$@" -Cpasses=sancov-module \
        -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
        -Cllvm-args=-sanitizer-coverage-pc-table
    ;;
*) exec "$rustc" "$@" ;;
esac
