#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh: all suites of unit tests, as many at a time as there are CPUs. BUILD: where they were built. The one that takes
# longest begins first, or the others would end before it.
: "${BUILD:?folder of what was built}"
first=rules
{
	echo "$first"
	sed -n 's/^SUITE(\(.*\))$/\1/p' "$BUILD/tests/suites.h" | grep -vx "$first"
} | xargs -n 1 -P "$(nproc)" "$BUILD/tests/run-unit"
