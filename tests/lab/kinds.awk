# SPDX-License-Identifier: GPL-2.0
#
# The part of docs/kernels.md that says by which kinds of probes bpf serves each tool, of the facts that kinds.sh lists.

# A letter for each kind, in the order of a cell. The first title that a text begins with counts.
function kind(letter, title, what) {
	titles[++ntitles] = title
	letters[title] = letter
	if (what)
		legend[++nlegend] = "| " letter " | " what " |"
}

# The letter of "typed tracepoint sched:sched_switch"; "?": this file does not know the kind.
function letter_of(text,  i) {
	for (i = 1; i <= ntitles; i++)
		if (index(text " ", titles[i] " ") == 1)
			return letters[titles[i]]
	return "?"
}

# The letters of a tool on a kernel: its own order is that of the table of kinds.
function cell(name, tool,  i, text) {
	if ((name, tool) in kept)
		return kept[name, tool]
	for (i = 1; i <= ntitles; i++)
		if ((name, tool, letters[titles[i]]) in used && !index(text, letters[titles[i]]))
			text = text (text ? " " : "") letters[titles[i]]
	if ((name, tool, "?") in used)
		text = text (text ? " " : "") "?"
	if (text)
		return text
	return (name, tool) in asked ? "–" : "·"
}

function table(of,  i, t, line, ruler) {
	line = "| |"
	ruler = "|---|"
	for (i = 1; i <= nkernels; i++)
		if (machine[kernels[i]] == of) {
			line = line " " kernels[i] " |"
			ruler = ruler ":-:|"
		}
	print "### bpf on " of
	print ""
	print line
	print ruler
	for (t = 1; t <= ntools; t++) {
		line = "| " tools[t] " |"
		for (i = 1; i <= nkernels; i++)
			if (machine[kernels[i]] == of)
				line = line " " cell(kernels[i], tools[t]) " |"
		print line
	}
	line = "| *looked at* |"
	for (i = 1; i <= nkernels; i++)
		if (machine[kernels[i]] == of)
			line = line " " when[kernels[i]] " |"
	print line
	print ""
}

function tool(name) {
	if (!seen_tool[name]++)
		tools[++ntools] = name
}

BEGIN {
	FS = "\t"
	kind("T", "tracepoint", "tracepoints")
	kind("R", "raw tracepoint", "raw tracepoints: the arguments of tracepoints, without a record")
	kind("B", "typed tracepoint", "typed tracepoints (tp_btf): the same, with their types")
	kind("M", "kprobe.multi", "kprobe.multi: many functions of the kernel by one link")
	kind("M", "kretprobe.multi")
	kind("K", "kprobe", "kprobes and kretprobes: functions of the kernel")
	kind("K", "kretprobe")
	kind("F", "fentry", "fentry and fexit: functions of the kernel whose types it knows")
	kind("F", "fexit")
	kind("U", "uprobe.multi", "uprobes: functions of programs and libraries")
	kind("U", "uretprobe.multi")
	kind("U", "uprobe")
	kind("U", "uretprobe")
	kind("U", "usdt")
	kind("S", "sample", "samples of the CPUs")
}

$1 == "kernel" { kernels[++nkernels] = $2; machine[$2] = $3; if (!seen_machine[$3]++) machines[++nmachines] = $3 }
$1 == "when" { when[$2] = $3 }
$1 == "kept" { tool($3); kept[$2, $3] = $4 }
$1 == "asked" { tool($3); asked[$2, $3] = 1 }
$1 == "probe" { used[$2, $3, letter_of($4)] = 1 }

END {
	print "## Kinds of probes"
	print ""
	print "What bpf is attached to, as `sonde features --json` says in a guest of each kernel; of tools of programs that"
	print "a guest has not, as the self-test says. perf and ftrace have tracepoints, kprobes and uprobes."
	print "`tests/lab/all.sh --kinds KERNEL` looks again at one kernel."
	print ""
	print "| | |"
	print "|:-:|---|"
	for (i = 1; i <= nlegend; i++)
		print legend[i]
	print "| – | bpf does not serve the tool there: the reason is [below](#what-is-unavailable) |"
	print "| · | nobody has looked |"
	print ""
	for (m = 1; m <= nmachines; m++)
		table(machines[m])
}
