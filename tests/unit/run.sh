#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh: all suites of unit tests, as many at a time as there are CPUs. BUILD: where they were built. The one that takes
# longest begins first, or the others would end before it. What a suite says beside its verdicts, as errors that it
# expects, is shown if it fails.
: "${BUILD:?folder of what was built}"
first=rules
{
	echo "$first"
	sed -n 's/^SUITE(\(.*\))$/\1/p' "$BUILD/tests/suites.h" | grep -vx "$first"
} | xargs -n 1 -P "$(nproc)" sh -c '
	said=$("$0" "$1" 2>&1)
	status=$?
	if [ $status = 0 ]; then
		printf "%s\n" "$said" | grep -E "^(PASS|FAIL|SKIP) "
	else
		printf "%s\n" "$said"
	fi
	exit $status
' "$BUILD/tests/run-unit"
