# SPDX-License-Identifier: GPL-2.0
#
# What the files of tools and of checks register, as tables and lists:
#
# registry.awk -v what=WHAT src/tools/*.c [src/commands/selftest/*.c]
#	c		the tables of the binary
#	names		all names, in the order of the tables
#	summaries	a line a tool: name, group, summary, with tabs between
#	readme		the rows of README.md
#	support		the rows of docs/support.md, of tools that are in docs/kernels.md
#	list, see-also	those of sonde(8)
# registry.awk -v fill=FILE ...
#	FILE with such lists: WHAT between lines with `tools: WHAT` and `end of tools`, and all names for @TOOLS@
#
# A tool registers by a statement that begins a line, and its name, group and summary are words and strings there:
# TOOL(NAME, "GROUP", "SUMMARY", ...), or VARIANT(NAME, OF, "GROUP", "SUMMARY", ...), which lists have beside OF. Before the
# first one may be, for docs/support.md, how it works with BPF and kprobes, with one of them, with none:
# /* support: FULL | BPF | KPROBES | NEITHER */, where [N] is a note of that file. A check registers by SELFTEST(NAME, ...).

BEGIN {
	n_groups = split("files processes disks network CPU memory functions", groups, " ")
	for (i = 1; i <= n_groups; i++)
		is_group[groups[i]] = 1
}

# The file and line where it begins come first, as compilers say it.
function refuse(why) {
	print file ":" begin ": " why >"/dev/stderr"
	failed = 1
	exit 1
}

FNR == 1 {
	if (open)
		refuse("the file ends within `" open "`")
	support = ""
	file = FILENAME
}

/^(TOOL|VARIANT|SELFTEST)\(|^\/\* support: / {
	if (open)
		refuse("`" open "` has no end")
	open = $0
	begin = FNR
	text = ""
	lines = 0
}

open {
	line = $0
	sub(/^ \*[ \t]+/, "", line)
	text = text (text == "" ? "" : " ") line
	if (++lines > 6)
		refuse("`" open "` has no name, group and summary as src/run/registry.awk wants them")
	gsub(/[ \t]+/, " ", text)
	if (text ~ /^\/\*/) {
		if (text !~ /\*\/$/)
			next
		support = substr(text, 13, length(text) - 15)
		if (split(support, unused, " [|] ") != 4)
			refuse("`support:` is not four cells between bars")
		open = ""
	} else if (match(text, /^SELFTEST\([a-z0-9_]+,/)) {
		checks[substr(text, 10, RLENGTH - 10)] = FILENAME
		open = ""
	} else if (text ~ /^(TOOL\([a-z0-9_]+|VARIANT\([a-z0-9_]+, [a-z0-9_]+), "[^"]*", "[^"]*"[,)]/) {
		register()
		open = ""
	}
}

function register(  part, word) {
	split(text, part, "\"")
	gsub(/[(,]/, " ", part[1])
	split(part[1], word, " ")
	if (word[2] in group)
		refuse("there is a tool " word[2] " already")
	if (!(part[2] in is_group))
		refuse("the group \"" part[2] "\" of " word[2] " is not in src/run/registry.awk")
	group[word[2]] = part[2]
	summary[word[2]] = part[4]
	of[word[2]] = word[1] == "VARIANT" ? word[3] : ""
	supported[word[2]] = support
	support = ""
	all[++n] = word[2]
}

# By group, in a group by name, variants behind what they are of.
function sort_key(name,  i) {
	for (i = 1; groups[i] != group[name]; i++)
		;
	return sprintf("%02d %s %s", i, of[name] == "" ? name : of[name], of[name] == "" ? "" : name)
}

function sort(  i, j, name) {
	for (i = 2; i <= n; i++) {
		name = all[i]
		for (j = i - 1; j && sort_key(all[j]) > sort_key(name); j--)
			all[j + 1] = all[j]
		all[j + 1] = name
	}
}

# What TEXT becomes for each tool (%s), or for each variant of OF, with BETWEEN between.
function each(of_what, text, between,  i, s, one) {
	for (i = 1; i <= n; i++) {
		if (of_what != "*" && of[all[i]] != of_what)
			continue
		one = text
		gsub(/%s/, all[i], one)
		s = s (s == "" ? "" : between) one
	}
	return s
}

function write_c(  i) {
	print "/* Made by src/run/registry.awk. */"
	print "#include \"src/commands/selftest/selftest.h\"\n#include \"src/run/tool.h\"\n"
	print each("*", "extern const struct tool tool_%s;", "\n")
	for (i = 1; i <= n; i++)
		if (all[i] in checks)
			print "extern const struct selftest selftest_" all[i] ";"
	print "\nconst struct tool *const tools[] = {\n" each("*", "\t&tool_%s,", "\n") "\n\tNULL\n};"
	print "\nconst struct selftest *const selftests[] = {"
	for (i = 1; i <= n; i++)
		if (all[i] in checks)
			print "\t&selftest_" all[i] ","
	print "\tNULL\n};"
}

function write_readme(  i, name, others, last) {
	print "| tool | does |\n|---|---|"
	for (i = 1; i <= n; i++) {
		name = all[i]
		if (of[name] != "")
			continue
		if (group[name] != last)
			print "| **" (last = group[name]) "** | |"
		others = each(name, "`%s`", ", ")
		print "| `" name "`" (others == "" ? "" : ", also as " others) " | " summary[name] " |"
	}
}

# [12] as a raised 12.
function raised(s,  digits, number) {
	split("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", digits, " ")
	while (match(s, /\[[0-9]+\]/)) {
		number = ""
		for (i = RSTART + 1; i < RSTART + RLENGTH - 1; i++)
			number = number digits[substr(s, i, 1) + 1]
		s = substr(s, 1, RSTART - 1) number substr(s, RSTART + RLENGTH)
	}
	return s
}

function write_support(  i, name, others, ran) {
	while ((getline <"docs/kernels.md") > 0)
		if ($1 == "|")
			ran[$2] = 1
	close("docs/kernels.md")
	print "| | BPF and kprobes | BPF, no kprobes | kprobes, no BPF | neither |\n|---|---|---|---|---|"
	for (i = 1; i <= n; i++) {
		name = all[i]
		if (of[name] != "" || !(name in ran))
			continue
		if (supported[name] == "") {
			print "the file of " name " in src/tools has no `support:` for docs/support.md" >"/dev/stderr"
			failed = 1
			exit 1
		}
		others = each(name, "%s", ", ")
		print "| " name (others == "" ? "" : ", " others) " | " raised(supported[name]) " |"
	}
}

function write_list(  i, name, others) {
	print ".Bl -tag -width tcpconnect(8) -compact"
	for (i = 1; i <= n; i++) {
		name = all[i]
		if (of[name] != "")
			continue
		others = each(name, ".Xr %s 8", " ,\n")
		if (match(others, / ,\n[^\n]*$/))
			others = substr(others, 1, RSTART - 1) "\nand" substr(others, RSTART + 2)
		print ".It Xr " name " 8\n" summary[name] (others == "" ? "" : "; also\n" others)
	}
	print ".El"
}

function write_see_also(  i, j, name, sorted) {
	for (i = 1; i <= n; i++) {
		for (j = i - 1; j && sorted[j] > all[i]; j--)
			sorted[j + 1] = sorted[j]
		sorted[j + 1] = all[i]
	}
	for (i = 1; i <= n; i++)
		print ".Xr " sorted[i] " 8" (i < n ? " ," : "")
}

function write(what,  i) {
	if (what == "c")
		write_c()
	else if (what == "names")
		print each("*", "%s", "\n")
	else if (what == "summaries")
		for (i = 1; i <= n; i++)
			print all[i] "\t" group[all[i]] "\t" summary[all[i]]
	else if (what == "readme")
		write_readme()
	else if (what == "support")
		write_support()
	else if (what == "list")
		write_list()
	else if (what == "see-also")
		write_see_also()
	else {
		print "registry.awk: there is no list `" what "`" >"/dev/stderr"
		failed = 1
	}
}

END {
	if (failed)
		exit 1
	if (open)
		refuse("the file ends within `" open "`")
	sort()
	for (name in of)
		if (of[name] != "" && (!(of[name] in of) || of[of[name]] != "")) {
			print "registry.awk: " name " is a variant of " of[name] ", which is no tool" >"/dev/stderr"
			exit 1
		}
	for (name in checks)
		if (!(name in of)) {
			print checks[name] ": there is no tool " name >"/dev/stderr"
			exit 1
		}
	if (fill == "")
		write(what)
	while (fill != "" && (state = (getline line <fill)) > 0) {
		if (line ~ /^(<!--|\.\\") end of tools/)
			skip = 0
		else if (line ~ /^(<!--|\.\\") tools: [a-z]/) {
			print line
			match(line, /tools: [a-z-]*[a-z]/)
			write(substr(line, RSTART + 7, RLENGTH - 7))
			skip = 1
		}
		gsub(/@TOOLS@/, each("*", "%s", " "), line)
		if (!skip)
			print line
	}
	if (fill != "" && state < 0) {
		print "registry.awk: " fill " can't be read" >"/dev/stderr"
		exit 1
	}
	exit failed
}
