# SPDX-License-Identifier: GPL-2.0
#
# The names that headers give to this machine's errors:
#
#	awk -f src/toolkit/numbered.awk -v what=errno -v pass=1 HEADERS' MACROS (cc -dM -E)	prints a line for each, to preprocess
#	awk -f src/toolkit/numbered.awk -v what=errno THOSE LINES, preprocessed			prints a C file that defines errno_names[]
#
# That is one text: the names in the order of their numbers, each with its NUL, empty ones where there is none.

# The name in quotes: it may be a macro itself.
pass && $1 == "#define" && $2 ~ /^E[A-Z0-9]+$/ {
	print "sonde_name \"" $2 "\" " $2
}

!pass && $1 == "sonde_name" {
	name = substr($2, 2, length($2) - 2)
	$1 = $2 = ""
	number = $0 + 0
	# Of two names for one number always the same: EAGAIN, not EWOULDBLOCK.
	if (number >= 0 && number < 2000 && (!(number in names) || name < names[number])) {
		names[number] = name
		last = number > last ? number : last
	}
}

END {
	if (pass)
		exit
	print "/* Made by src/toolkit/numbered.awk. */\n#include \"src/toolkit/numbered.h\"\n\nconst char " what "_names[] ="
	for (n = 0; n <= last; n++)
		print "\t\"" names[n] "\\0\""
	print "\t;\nconst unsigned int " what "_names_size = sizeof(" what "_names) - 1;"
}
