# SPDX-License-Identifier: GPL-2.0
#
# Files as C strings: text.awk NAME=FILE... Lines that are comments of JavaScript are left out.

BEGIN {
	for (i = 1; i < ARGC; i++) {
		split(ARGV[i], part, "=")
		printf "const char %s[] =\n", part[1]
		while ((getline line <part[2]) > 0) {
			if (line ~ /^[ \t]*\/\//)
				continue
			gsub(/\\/, "&&", line)
			gsub(/"/, "\\\\&", line)
			printf "\t\"%s\\n\"\n", line
		}
		print "\t;"
	}
}
