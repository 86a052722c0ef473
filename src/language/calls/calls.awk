# SPDX-License-Identifier: GPL-2.0
#
# awk -f src/language/calls/calls.awk src/language/calls/calls.tbl
#
# prints a C file that defines call_texts[] and call_tables[] (src/language/calls/tables.h). A table has the places of
# its calls' texts. One that is much like another has only what differs.
BEGIN {
	like["arm"] = "i386"
	like["riscv64"] = like["riscv32"] = "arm64"
	like["ppc"] = "ppc64"
	like["s390"] = "s390x"
	print "/* Made by src/language/calls/calls.awk. */\n#include \"src/language/calls/tables.h\"\n"
	print "const char call_texts[] ="
	print "\t\"\\0\""
	place = 1
}

$1 == "#columns" {
	for (i = 2; i <= NF; i++)
		column[i - 1] = $i
	columns = NF - 1
}

/^#/ || !NF {
	next
}

{
	name = $1
	common = $2 ~ /^@/
	arguments = ""
	for (i = common ? 3 : 2 + columns; i <= NF; i++)
		arguments = arguments (arguments == "" ? "" : " ") $i
	print "\t\"" name "\\0\" \"" arguments "\\0\""
	if (common)
		put("common", substr($2, 2) - 424)
	for (i = 1; !common && i <= columns; i++) {
		n = split($(i + 1), numbers, ",")
		for (k = 1; k <= n; k++)
			if (numbers[k] >= 512)
				put("x32", numbers[k] - 512)
			else if (numbers[k] != "-")
				put(column[i], numbers[k])
	}
	place += length(name) + length(arguments) + 2
}

function put(table, number)
{
	places[table, number] = place
	if (number >= size[table])
		size[table] = number + 1
}

# gcc has a macro `i386` on that machine.
function array(table)
{
	return "of_" table
}

function dense(table,	n)
{
	print "static const uint16_t " array(table) "[] = {"
	for (n = 0; n < size[table]; n++)
		printf "%s%d,", n % 16 ? " " : (n ? "\n\t" : "\t"), places[table, n]
	print "\n};"
	rows = rows "\t{ \"" table "\", NULL, " array(table) ", " size[table] " },\n"
}

function other(table,	n, most)
{
	most = size[table] > size[like[table]] ? size[table] : size[like[table]]
	print "static const uint16_t " array(table) "[] = {"
	for (n = 0; n < most; n++)
		if (places[table, n] != places[like[table], n]) {
			print "\t" n ", " places[table, n] + 0 ","
			differ[table]++
		}
	print "};"
	rows = rows "\t{ \"" table "\", \"" like[table] "\", " array(table) ", " 2 * differ[table] " },\n"
}

END {
	print "\t;"
	column[++columns] = "x32"
	column[++columns] = "common"
	for (i = 1; i <= columns; i++)
		if (column[i] in like)
			other(column[i])
		else
			dense(column[i])
	printf "const struct call_numbers call_tables[] = {\n%s\t{ NULL }\n};\n", rows
}
