# SPDX-License-Identifier: GPL-2.0
#
# The names of this machine's system calls, as its headers number them:
#
#	awk -f src/syscalls.awk -v pass=1 HEADERS' MACROS (cc -dM -E)	prints a line "NAME __NR_NAME" each, to preprocess
#	awk -f src/syscalls.awk LINES "NAME NUMBER", preprocessed	prints a C file that defines syscall_names[]
#
# That is one text: the names in the order of their numbers, each with its NUL, empty ones where there is no call. Numbers
# may be sums: (0 + 3).
pass && $1 == "#define" && $2 ~ /^__NR_[a-z][a-z0-9_]*$/ && $2 !~ /^__NR_(syscalls|arch_specific_syscall)$/ {
	print "sonde_call " substr($2, 6) " " $2
}

!pass && $1 == "sonde_call" {
	name = $2
	$1 = $2 = ""
	gsub(/[^0-9+]/, "")
	number = 0
	for (n = split($0, parts, "+"); n > 0; n--)
		number += parts[n]
	if (number >= 0 && number < 1000 && (!(number in names) || name < names[number])) {
		names[number] = name
		last = number > last ? number : last
	}
}

END {
	if (pass)
		exit
	print "/* Made by src/syscalls.awk. */\n#include \"src/syscalls.h\"\n\nconst char syscall_names[] ="
	for (n = 0; n <= last; n++)
		print "\t\"" names[n] "\\0\""
	print "\t;\nconst unsigned int syscall_names_size = sizeof(syscall_names) - 1;"
}
