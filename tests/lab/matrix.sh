#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# matrix.sh DIR NAME...: what the guests said (DIR/NAME/verdicts, selftest.json, uname, why) as the document of what works
# where. matrix.sh --summary DIR NAME...: its short form. --own: the document's part about images of one's own, alone.
# --kept DOCUMENT after one of these: of all other kernels and forms what the document says already (kept.awk).
# --kept-own DOCUMENT: the same of other images of one's own.
#
# A cell is what `sonde selftest` said there, which compared rows with a workload it made itself; of a tool that it has no
# check for, what the live tests with the tool's name said. A live test of that tool and engine that failed makes it WRONG,
# whatever the selftest says. A cell nothing was said about is empty.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
part=document document= own=0
case $1 in
--summary | --own)
	part=${1#--}
	shift
	;;
esac
case $1 in
--kept | --kept-own)
	[ $1 = --kept ] || own=1
	document=$2
	shift 2
	;;
esac
results=$1
shift

# One line a fact, fields separated by tabs: cell NAME TOOL ENGINE VERDICT WHY; guest NAME UNAME; kernel NAME MACHINE;
# own NAME MACHINE MADE; lacks NAME TEXT; form NAME KERNEL WHAT; when NAME DATE; counts NAME PASSED FAILED SKIPPED; fail NAME TOOL ENGINE; live NAME TEST VERDICT; script NAME SCRIPT ENGINE VERDICT; skip NAME TEXT; none NAME WHY.
tools=$(awk -f "$root/src/run/registry.awk" -v what=names "$root"/src/tools/*.c | xargs)
scripts=$(cd "$root/src/bt/scripts" && ls -- *.bt | sed 's/\.bt$//' | xargs)
# Those that only list have one cell, whose engine is "-".
lists=$(grep -l '^	\.list = ' "$root"/src/tools/*.c | sed 's,.*/,,; s/\.c$//' | xargs)
# place NAME...: where their columns are.
place() {
	for name; do
		dir=$results/$name
		form=$(awk -v name="$name" '$1 == name { kernel = $2; $1 = $2 = $3 = $4 = $5 = ""; sub(/^ */, ""); print kernel "\t" $0 }' "$here/forms")
		if [ -n "$form" ]; then
			printf 'form\t%s\t%s\n' "$name" "$form"
		elif [ -f "${SONDE_LAB_KERNELS:-}/$name/machine" ]; then
			printf 'own\t%s\t%s\t%s\n' "$name" "$("$here/arch.sh" "$name")" "$(head -n 1 "$SONDE_LAB_KERNELS/$name/made")"
			[ ! -s "$dir/lacks" ] || sed "s/^/lacks	$name	/" "$dir/lacks"
		else
			printf 'kernel\t%s\t%s\n' "$name" "$("$here/arch.sh" "$name")"
		fi
	done
}
# facts NAME...: what their guests said.
facts() {
	for name; do
		dir=$results/$name
		printf 'when\t%s\t%s\n' "$name" "$(date -u -r "$dir/verdicts" +%Y-%m-%d)"
		[ ! -s "$dir/uname" ] || printf 'guest\t%s\t%s\n' "$name" "$(awk '{ print $3 }' "$dir/uname")"
		[ ! -s "$dir/why" ] || printf 'none\t%s\t%s\n' "$name" "$(sed '1!d; s/ (after [0-9]* s; its console: .*)$//' "$dir/why")"
		checked=
		[ ! -s "$dir/selftest.json" ] || checked=$(sed -n '/"verdict":"no check"/!s/.*"tool":"\([a-z0-9]*\)".*/\1/p' "$dir/selftest.json" | xargs)
		# First, as its order is that of the rows.
		[ ! -s "$dir/selftest.json" ] || awk -v name="$name" -v lists=" $lists " -v OFS='\t' '
			# The text of a member, or nothing.
			function member(key,  at, text) {
				at = index($0, "\"" key "\":\"")
				if (!at)
					return ""
				text = substr($0, at + length(key) + 4)
				match(text, /^([^"\\]|\\.)*/)
				text = substr(text, 1, RLENGTH)
				gsub(/\\"/, "\"", text)
				gsub(/\\\\/, "\\", text)
				return text
			}
			/"tool":/ {
				tool = member("tool")
				verdict = member("verdict")
				engine = verdict != "no check" && index(lists, " " tool " ") ? "-" : member("backend")
				print "cell", name, tool, engine, verdict, member("why")
			}
		' "$dir/selftest.json"
		awk -v name="$name" -v scripts=" $scripts " -v tools=" $tools " -v lists=" $lists " -v checked=" $checked " -v OFS='\t' '
			/^(PASS|FAIL|SKIP) / { n[$1]++ }
			# FAIL lab:KERNEL:TOOL:TEST-ENGINE: why
			/^(FAIL|SKIP) lab:[^:]*:[^ ]/ {
				split($2, part, ":")
				engine = match($2, /-(bpf|perf|ftrace)(-|:|$)/) ? substr($2, RSTART + 1) : "-"
				sub(/[-:].*/, "", engine)
				why = $0
				sub(/^[A-Z]+ [^ ]+ ?/, "", why)
				if ($1 == "FAIL")
					print "fail", name, part[3], engine == "" ? "-" : engine
				else
					print "skip", name, part[3] ": " why
			}
			# Of what has no check in the self-test the live test alone tells.
			/^(PASS|FAIL|SKIP) lab:[^:]*:(usdt|stat|probe|eventtext|oneliners|types|stacks|walk):/ {
				split($2, part, ":")
				live[part[3] "\t" $1]++
				tests[part[3]] = 1
			}
			/^(PASS|SKIP) lab:[^:]*:[a-z0-9]*:[^ ]*-(bpf|perf|ftrace)/ {
				split($2, part, ":")
				match($2, /-(bpf|perf|ftrace)/)
				engine = substr($2, RSTART + 1, RLENGTH - 1)
				if (index(tools, " " part[3] " ") && !index(checked, " " part[3] " ")) {
					alone[part[3]] = 1
					passed[part[3], engine] += $1 == "PASS"
					why = $0
					sub(/^[A-Z]+ [^ ]+ ?(sonde: )?(not [a-z]*:? *)?/, "", why)
					sub(/ +$/, "", why)
					unavailable[part[3], engine] = why
				}
			}
			# Of a tool that only lists all tests are of its one cell.
			/^(PASS|SKIP) lab:[^:]*:[a-z0-9]*:[^ ]/ {
				split($2, part, ":")
				if (index(lists, " " part[3] " ") && !index(checked, " " part[3] " ")) {
					listed[part[3]] += $1 == "PASS"
					why = $0
					sub(/^[A-Z]+ [^ ]+ ?/, "", why)
					unlisted[part[3]] = why
				}
			}
			# PASS lab:KERNEL:bt_scripts:SCRIPT-ENGINE
			/^(PASS|FAIL|SKIP) lab:[^:]*:bt_scripts:[a-z]+-(bpf|perf|ftrace)/ {
				split($2, part, ":")
				split(part[4], word, "-")
				if (index(scripts, " " word[1] " "))
					ran[word[1] "\t" word[2]] = $1 == "FAIL" || ran[word[1] "\t" word[2]] == "" || \
						ran[word[1] "\t" word[2]] == "SKIP" ? $1 : ran[word[1] "\t" word[2]]
			}
			END {
				k = split(scripts, list, " ")
				m = split("bpf perf ftrace", engines, " ")
				for (i = 1; i <= k; i++)
					for (j = 1; j <= m; j++)
						if (list[i] "\t" engines[j] in ran)
							print "script", name, list[i], engines[j], ran[list[i] "\t" engines[j]]
			}
			END {
				for (t in alone)
					for (j = 1; j <= m; j++)
						if (passed[t, engines[j]])
							print "cell", name, t, engines[j], "ok", ""
						else if ((t, engines[j]) in unavailable)
							print "cell", name, t, engines[j], "not here", unavailable[t, engines[j]]
			}
			END {
				for (t in listed)
					if (listed[t])
						print "cell", name, t, "-", "ok", ""
					else
						print "cell", name, t, "-", "not here", unlisted[t]
			}
			END {
				for (t in tests)
					print "live", name, t, live[t "\tFAIL"] ? "FAIL" : live[t "\tPASS"] ? "PASS" : "SKIP"
			}
			END { print "counts", name, n["PASS"] + 0, n["FAIL"] + 0, n["SKIP"] + 0 }' "$dir/verdicts"
	done
}

# Every name that has a column, in the order of the tables.
columns() {
	known=" $* $(awk -v new= -f "$here/kept.awk" "$document" | awk '$1 == "counts" { print $2 }' | xargs) "
	awk '!/^(#|$)/ { print $1 }' "$here/kernels" "$here/forms" | while read -r name; do
		case $known in *" $name "*) echo "$name" ;; esac
	done
}

if [ $own = 1 ]; then
	kept=$(awk -v own=1 -v new="$*" -f "$here/kept.awk" "$document")
	# Their columns in the order of their names.
	{
		place "$@"
		echo "$kept"
	} | grep -E '^(own|lacks)	' | sort -s -k 2,2V
	facts "$@"
	echo "$kept" | grep -vE '^(own|lacks)	'
elif [ -n "$document" ]; then
	place $(columns "$@")
	facts "$@"
	awk -v new="$*" -f "$here/kept.awk" "$document"
else
	place "$@"
	facts "$@"
fi | awk -F '\t' -v part=$part -v lists="$lists" -v version="$(sed -n 's/^VERSION := //p' "$root/Makefile")" -f "$here/matrix.awk"
