# SPDX-License-Identifier: GPL-2.0
#
# Files as C strings: text.awk NAME=FILE...

BEGIN {
	for (i = 1; i < ARGC; i++) {
		split(ARGV[i], part, "=")
		printf "const char %s[] =\n", part[1]
		while ((getline line <part[2]) > 0) {
			gsub(/\\/, "&&", line)
			gsub(/"/, "\\\\&", line)
			printf "\t\"%s\\n\"\n", line
		}
		print "\t;"
	}
}
