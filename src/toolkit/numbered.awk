# SPDX-License-Identifier: GPL-2.0
#
# The names that headers give to this machine's system calls and errors:
#
#	awk -f src/toolkit/numbered.awk -v what=syscall -v pass=1 HEADERS' MACROS (cc -dM -E)	prints a line for each, to preprocess
#	awk -f src/toolkit/numbered.awk -v what=syscall THOSE LINES, preprocessed			prints a C file that defines syscall_names[]
#
# and the same with errno. That is one text: the names in the order of their numbers, each with its NUL, empty ones where
# there is none. Numbers may be sums: (0 + 3).
BEGIN {
	prefix = what ~ /^syscall/ ? "__NR_" : ""
	macro = what ~ /^syscall/ ? "^__NR_[a-z][a-z0-9_]*$" : "^E[A-Z0-9]+$"
}

# The name in quotes: it may be a macro itself.
pass && $1 == "#define" && $2 ~ macro && $2 !~ /^__NR_(syscalls|arch_specific_syscall)$/ {
	print "sonde_name \"" substr($2, length(prefix) + 1) "\" " $2
}

!pass && $1 == "sonde_name" {
	name = substr($2, 2, length($2) - 2)
	$1 = $2 = ""
	gsub(/[^0-9+]/, "")
	number = 0
	for (n = split($0, parts, "+"); n > 0; n--)
		number += parts[n]
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
