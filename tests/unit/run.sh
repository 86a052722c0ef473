#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh: all suites of unit tests, as many at a time as there are CPUs. BUILD: where they were built.
: "${BUILD:?folder of what was built}"
sed -n 's/^SUITE(\(.*\))$/\1/p' "$BUILD/tests/suites.h" | xargs -n 1 -P "$(nproc)" "$BUILD/tests/run-unit"
