# SPDX-License-Identifier: GPL-2.0
#
# One engine's table of docs/prompt.md, of lines NAME TOOL ENGINE ATTACHED PROMPT DETACHED; -v names: the columns.

BEGIN { n = split(names, name, " ") }

{
	if (!seen[$2]++)
		tools[++ntools] = $2
	cell[$1, $2] = $5 == "-" ? "–" : $4 " " $5 " " $6
	if ($5 == "-")
		next
	count[$1]++
	for (i = 4; i <= 6; i++)
		if ($i + 0 > most[$1, i])
			most[$1, i] = $i + 0
}

END {
	line = "| |"
	rule = "|---|"
	last = "| **the most** |"
	for (i = 1; i <= n; i++) {
		line = line " " name[i] " |"
		rule = rule ":-:|"
		last = last " " (count[name[i]] ? "**" most[name[i], 4] " " most[name[i], 5] " " most[name[i], 6] "**" : "–") " |"
	}
	print line
	print rule
	for (t = 1; t <= ntools; t++) {
		line = "| " tools[t] " |"
		for (i = 1; i <= n; i++)
			line = line " " ((name[i], tools[t]) in cell ? cell[name[i], tools[t]] : "·") " |"
		print line
	}
	print last
}
