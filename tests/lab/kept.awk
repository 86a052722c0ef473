# SPDX-License-Identifier: GPL-2.0
#
# The facts that matrix.sh lists, read back from the document that matrix.awk made of them: of all kernels and forms but
# those in `new`, which ran again. With own=1: of images of one's own, which are a part by themselves.

# What a mark of a cell says.
function verdict(mark) {
	return mark == "✓" ? "ok" : mark == "◐" ? "degraded" : mark == "–" ? "not here" : mark == "✗" ? "WRONG" : ""
}

function passed(mark) { return mark == "✓" ? "PASS" : mark == "✗" ? "FAIL" : "SKIP" }

function kept(name) { return !index(" " new " ", " " name " ") }

# A row of a table of kernels: a tool, a script, or a live test.
function row(  i, e, marks) {
	for (i = 3; i < n; i++) {
		if (!kept(names[i]) || cells[i] ~ /^[^✓◐–✗]*$/)
			continue
		if (cells[2] in lives) {
			print "live", names[i], cells[2], passed(cells[i])
			continue
		}
		if (split(cells[i], marks, " ") == 1) {	# it only lists
			seen[names[i], cells[2], "-"] = verdict(marks[1])
			continue
		}
		for (e = 1; e <= 3; e++)
			if (marks[e] == "·")
				continue
			else if (cells[2] ~ /^bt /)
				print "script", names[i], substr(cells[2], 4), engines[e], passed(marks[e])
			else
				seen[names[i], cells[2], engines[e]] = verdict(marks[e])
	}
	if (!(cells[2] in lives) && cells[2] !~ /^bt /)
		tool[++ntools] = cells[2]
}

# A row of a table of reasons: | TOOL | ENGINE | WHY | NAME, NAME |
function reason(  i, k, where) {
	k = split(cells[5], where, ", ")
	for (i = 1; i <= k; i++)
		why[where[i], cells[2], cells[3]] = cells[4]
}

# A row about a kernel: | NAME | RELEASE | MACHINE | PASSED / FAILED / SKIPPED | LOOKED AT |; of an image of one's own
# | HOW IT WAS MADE | WHAT IT LACKS | come before the counts.
function kernel(  counts, i) {
	if (!kept(cells[2]))
		return
	name[++nnames] = cells[2]
	if (own) {
		print "own", cells[2], cells[4], cells[5]
		if (cells[6] != "")
			print "lacks", cells[2], cells[6]
	}
	if (sub(/^no kernel: /, "", cells[3]))
		print "none", cells[2], cells[3]
	else
		print "guest", cells[2], cells[3]
	i = own ? 7 : 5
	split(cells[i], counts, " / ")
	print "counts", cells[2], counts[1], counts[2], counts[3]
	print "when", cells[2], cells[i + 1]
}

# - TEXT (NAME, NAME)
function skipped(  i, k, text, where) {
	match($0, / \([^()]*\)$/)
	text = substr($0, 3, RSTART - 3)
	k = split(substr($0, RSTART + 2, RLENGTH - 3), where, ", ")
	for (i = 1; i <= k; i++)
		if (kept(where[i]))
			print "skip", where[i], text
}

BEGIN {
	OFS = "\t"
	split("bpf perf ftrace -", engines, " ")
	k = split("usdt stat probe eventtext oneliners types stacks walk", list, " ")
	for (i = 1; i <= k; i++)
		lives[list[i]] = 1
	aside = own
}

/^<!-- (own|kinds) -->$/ { aside = !own || $2 == "kinds" }
/^<!-- end of / { aside = own }
aside { next }
/^##+ / { split("", names); section = /^##+ (What is |WRONG)/ ? "reasons" : /^## The kernels/ ? "kernels" : "" }
/^\| / { n = split($0, cells, / *\| */) }
/^\| \| [^|]+ \|/ { for (i = 3; i < n; i++) names[i] = cells[i]; next }
own && /^\| name \|/ { section = "kernels" }
/^\| (tool|name|form) \|/ { split("", names); next }
/^\| / && 3 in names { row() }
/^\| / && section == "reasons" { reason() }
/^\| / && section == "kernels" { kernel() }
/^- .* \(.*\)$/ && (own || section == "kernels") { skipped() }

END {
	# In the order of the document's rows, which that of the self-test was.
	for (t = 1; t <= ntools; t++) {
		print "cell", name[1], tool[t], "", "", ""	# also a tool that nobody has tried has a row
		for (k = 1; k <= nnames; k++)
			for (e = 1; e <= 4; e++)
				if ((name[k], tool[t], engines[e]) in seen) {
					print "cell", name[k], tool[t], engines[e], seen[name[k], tool[t], engines[e]], \
						why[name[k], tool[t], engines[e]]
					delete seen[name[k], tool[t], engines[e]]
				}
	}
}
