# SPDX-License-Identifier: GPL-2.0
#
# The document of what works where, of the facts that matrix.sh lists.

function add(list, n, value) { list[++n] = value; return n }

$1 == "kernel" { machine[$2] = $3; nkernels = add(kernels, nkernels, $2); if (!seen_machine[$3]++) machines[++nmachines] = $3 }
$1 == "own" { machine[$2] = $3; made[$2] = $4; nown = add(own, nown, $2) }
$1 == "lacks" { lacks[$2] = lacks[$2] (lacks[$2] ? "; " : "") $3 }
$1 == "form" { base[$2] = $3; what[$2] = $4; nforms = add(forms, nforms, $2) }
$1 == "guest" { release[$2] = $3 }
$1 == "when" { when[$2] = $3; if ($3 > newest) newest = $3 }
$1 == "none" { none[$2] = $3 }
$1 == "counts" { counts[$2] = $3 " / " $4 " / " $5; failed += $4 }
$1 == "fail" { wrong[$2, $3, $4] = 1; wrong[$2, $3, "-"] = wrong[$2, $3, "-"] || $4 == "-" }
$1 == "skip" { if (!(($3, $2) in skipped)) { skipped[$3, $2] = 1; if (!seen_skip[$3]++) skips[++nskips] = $3; skip_names[$3] = skip_names[$3] (skip_names[$3] ? ", " : "") $2 } }
$1 == "cell" {
	if (!seen_tool[$3]++)
		tools[++ntools] = $3
	verdict[$2, $3, $4] = $5
	why[$2, $3, $4] = $6
}

$1 == "script" {
	if (!seen_script[$3]++)
		scripts[++nscripts] = $3
	script[$2, $3, $4] = $5 == "PASS" ? "✓" : $5 == "FAIL" ? "✗" : "–"
}

$1 == "live" { live[$2, $3] = $4 == "PASS" ? "✓" : $4 == "FAIL" ? "✗" : "–" }

function mark(name, tool, engine,  v) {
	v = verdict[name, tool, engine]
	if ((name, tool, engine) in wrong || v == "WRONG") {
		nwrong++
		return "✗"
	}
	if (v == "ok")
		return "✓"
	if (v == "degraded")
		return "◐"
	return v == "not here" ? "–" : "·"
}

# The cell of a tool on a kernel: a mark for each engine; one if the tool only lists, and has none.
function cell(name, tool) {
	if (name in none)
		return "no kernel"
	if (tool in listing)
		return mark(name, tool, "-")
	return mark(name, tool, "bpf") " " mark(name, tool, "perf") " " mark(name, tool, "ftrace")
}

function ran(name, what, engine) { return (name, what, engine) in script ? script[name, what, engine] : "·" }

# One table: these names as columns, tools as rows.
function table(names, n,  i, t, line) {
	line = "| |"
	for (i = 1; i <= n; i++)
		line = line " " names[i] " |"
	print line
	line = "|---|"
	for (i = 1; i <= n; i++)
		line = line ":-:|"
	print line
	for (t = 1; t <= ntools; t++) {
		line = "| " tools[t] " |"
		for (i = 1; i <= n; i++)
			line = line " " cell(names[i], tools[t]) " |"
		print line
	}
	for (t = 1; t <= nscripts; t++) {
		line = "| bt " scripts[t] " |"
		for (i = 1; i <= n; i++)
			line = line " " (names[i] in none ? "no kernel" : ran(names[i], scripts[t], "bpf") " " \
				ran(names[i], scripts[t], "perf") " " ran(names[i], scripts[t], "ftrace")) " |"
		print line
	}
	for (t = 1; t <= nlives; t++) {
		line = "| " lives[t] " |"
		for (i = 1; i <= n; i++)
			line = line " " (names[i] in none ? "no kernel" : (names[i], lives[t]) in live ? live[names[i], lives[t]] : "·") " |"
		print line
	}
	print ""
}

# How many tools an engine serves in full, in part.
function served(name, engine,  t, ok, part, v) {
	for (t = 1; t <= ntools; t++) {
		v = mark(name, tools[t], engine)
		ok += v == "✓"
		part += v == "◐"
	}
	return ok + 0 (part ? " + " part : "")
}

function summarise(  i, k, tracing) {
	print ""
	print "| kernel | machine | bpf | perf | ftrace |"
	print "|---|---|:-:|:-:|:-:|"
	for (i = 1; i <= nkernels + nown; i++) {
		k = i > nkernels ? own[i - nkernels] : kernels[i]
		if (k in none)
			print "| " k " | " machine[k] " | no kernel | | |"
		else
			print "| " release[k] " | " machine[k] " | " served(k, "bpf") " | " served(k, "perf") " | " \
				served(k, "ftrace") " |"
	}
	print ""
	for (i = 1; i <= ntools; i++)
		tracing += !(tools[i] in listing)
	print "Of " tracing " tools that trace: in full + with something missing that is said. " newest ", sonde " version "; a kernel"
	print "that was looked at before (the last column of kernels.md) lacks the tools made since."
	print ""
}

# Everything that is not ok on these, by its reason.
function reasons(title, code, all, nall,  i, t, e, key, n, keys, names, name) {
	for (t = 1; t <= ntools; t++)
		for (e = 1; e <= 4; e++)
			for (i = 1; i <= nall; i++) {
				name = all[i]
				if ((engines[e] == "-") != (tools[t] in listing) || mark(name, tools[t], engines[e]) != code)
					continue
				key = why[name, tools[t], engines[e]]
				if ((name, tools[t], engines[e]) in wrong)
					key = key (key ? "; " : "") "a live test failed"
				key = "| " tools[t] " | " engines[e] " | " key " |"
				if (!(key in names))
					keys[++n] = key
				names[key] = names[key] (names[key] ? ", " : "") name
			}
	if (!n)
		return
	print title
	print ""
	print "| tool | engine | why | where |"
	print "|---|---|---|---|"
	for (i = 1; i <= n; i++)
		print keys[i] " " names[keys[i]] " |"
	print ""
}

function skipped_tests(  i) {
	if (!nskips)
		return
	print "What the live tests left out, and why:"
	print ""
	for (i = 1; i <= nskips; i++)
		print "- " skips[i] " (" skip_names[skips[i]] ")"
	print ""
}

# Images of one's own: a part that is complete by itself.
function owned(  i, n, k, list) {
	print "## Images of one's own"
	print ""
	print "Kernels that no package has: built from source trees (`make lab-kernel`) or given (`make lab KERNEL=IMAGE`), as"
	print "`make lab KERNELS=DIR` looked at them. Sonde " version "."
	print ""
	for (i = 1; i <= nown; i += 6) {
		for (n = 0; n < 6 && i + n <= nown; n++)
			list[n + 1] = own[i + n]
		table(list, n)
	}
	print "| name | kernel | machine | how it was made | what its guest has not | passed / failed / skipped | looked at |"
	print "|---|---|---|---|---|---|---|"
	for (i = 1; i <= nown; i++) {
		k = own[i]
		print "| " k " | " (k in none ? "no kernel: " none[k] : release[k]) " | " machine[k] " | " made[k] " | " lacks[k] " | " counts[k] " | " when[k] " |"
	}
	print ""
	reasons("### What is missing on them", "◐", own, nown)
	reasons("### What is unavailable on them", "–", own, nown)
	reasons("### WRONG on them", "✗", own, nown)
	skipped_tests()
}

function document(  i, m, n, list, k, line, all, nall) {
	print "# What works on which kernel"
	print ""
	print "Made by `make lab`, sonde " version ": each tool through each engine, on real kernels in emulated machines, against"
	print "workloads of known outcome. [The kernels](#the-kernels) says when each was looked at; `tests/lab/all.sh --update NAME`"
	print "looks again at one. Cells are `bpf perf ftrace`:"
	print ""
	print "| | |"
	print "|:-:|---|"
	print "| ✓ | the rows are exactly what the workload did |"
	print "| ◐ | the same, but something is missing, and sonde says what |"
	print "| – | unavailable here, or nothing to try it on: the reason is below |"
	print "| ✗ | WRONG |"
	print "| · | not tried |"
	print ""
	print "Rows with one mark are of tools that only list and have no engine (" lists "), and of live tests,"
	print "over all engines: probes in programs (usdt), `sonde stat` and"
	print "`sonde probe`, tracepoints' own text (eventtext), what people ask trace and argdist most often"
	print "(oneliners), members of structs in questions (types), stacks of the kernel at a tracepoint and at a"
	print "function (stacks), and those that BPF programs walk by themselves (walk). Rows of bt are scripts that"
	print "come along (bt-scripts(7))."
	print ""
	for (m = 1; m <= nmachines; m++) {
		print "## " machines[m]
		print ""
		n = 0
		for (i = 1; i <= nkernels; i++)
			if (machine[kernels[i]] == machines[m])
				list[++n] = kernels[i]
		table(list, n)
	}
	if (nforms) {
		print "## Reduced forms"
		print ""
		print "Kernels without packages, and machines that are smaller or more closed than most, by taking away what they lack."
		print ""
		for (i = 1; i <= nforms; i += 6) {
			for (n = 0; n < 6 && i + n <= nforms; n++)
				list[n + 1] = forms[i + n]
			table(list, n)
		}
		print "| form | of | what |"
		print "|---|---|---|"
		for (i = 1; i <= nforms; i++)
			print "| " forms[i] " | " base[forms[i]] " | " what[forms[i]] " |"
		print ""
	}
	print "<!-- own -->"
	if (nown)
		owned()
	print "<!-- end of own -->"
	print ""
	print "<!-- kinds -->"
	print "<!-- end of kinds -->"
	print ""
	for (i = 1; i <= nkernels; i++)
		all[++nall] = kernels[i]
	for (i = 1; i <= nforms; i++)
		all[++nall] = forms[i]
	if (!nall)
		return
	reasons("## What is missing", "◐", all, nall)
	reasons("## What is unavailable", "–", all, nall)
	reasons("## WRONG", "✗", all, nall)
	print "## The kernels"
	print ""
	print "| name | kernel | machine | live tests passed / failed / skipped | looked at |"
	print "|---|---|---|---|---|"
	for (i = 1; i <= nkernels; i++) {
		k = kernels[i]
		print "| " k " | " (k in none ? "no kernel: " none[k] : release[k]) " | " machine[k] " | " counts[k] " | " when[k] " |"
	}
	for (i = 1; i <= nforms; i++) {
		k = forms[i]
		print "| " k " | " (k in none ? "no kernel: " none[k] : release[k]) " | " machine[base[k]] " | " counts[k] " | " when[k] " |"
	}
	print ""
	skipped_tests()
}

BEGIN {
	split("bpf perf ftrace -", engines, " ")
	for (i = split(lists, list, " "); i; i--)
		listing[list[i]] = 1
	gsub(/ /, ", ", lists)
	nlives = split("usdt stat probe eventtext oneliners types stacks walk", lives, " ")
}
END {
	if (part == "summary")
		summarise()
	else if (part == "own")
		owned()
	else
		document()
}
