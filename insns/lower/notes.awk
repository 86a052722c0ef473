# SPDX-License-Identifier: GPL-2.0
#
# Collects the comments behind instructions, for --dump:
#
#	awk -f insns/lower/notes.awk insns/programs/*.c > notes.c
#
# prints a C file that defines note_files[] (insns/lower/notes.h): for each source file the lines
# inside arrays of `struct insn` that end in a comment, with its text. source_note()
# (insns/lower/disasm.c) looks there. An instruction with arguments on several lines has its comment
# at each of these lines, because compilers differ in the line that they give it. A comment that
# goes over several lines is one text.

# Ends the instruction that began on line `first`: its comment belongs to all of its lines.
function flush(    i) {
	if (note != "")
		for (i = first; i <= FNR; i++)
			rows = rows sprintf("\t{ %d, \"%s\" },\n", i, note)
	note = ""
	first = 0
}

function finish_file() {
	if (rows == "")
		return
	printf "static const struct note notes_%d[] = {\n%s\t{ 0, 0 },\n};\n\n", n_files, rows
	files[n_files++] = file
	rows = ""
}

function add(text) {
	gsub(/[ \t]+/, " ", text)
	sub(/^ /, "", text)
	sub(/ $/, "", text)
	gsub(/\\/, "\\\\&", text)
	gsub(/"/, "\\\\&", text)
	if (text != "")
		note = note (note == "" ? "" : " ") text
}

# One line of an array, character by character: brackets count only outside of comments and texts.
function scan(line,    i, c, two, text) {
	text = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		two = substr(line, i, 2)
		if (in_comment) {
			if (two == "*/") {
				in_comment = 0
				i++
				if (code)
					add(text)
				text = ""
			} else {
				text = text c
			}
		} else if (in_string) {
			if (c == "\\")
				i++
			else if (c == "\"")
				in_string = 0
		} else if (two == "/*") {
			in_comment = 1
			i++
		} else {
			if (c == "\"")
				in_string = 1
			if (c == "(")
				depth++
			if (c == ")")
				depth--
			if (c !~ /[ \t]/) {
				code = 1
				if (!first)
					first = FNR
			}
		}
	}
	if (in_comment && code)
		add(text)
}

BEGIN {
	print "/* Made by insns/lower/notes.awk. */"
	print "#include \"insns/lower/notes.h\"\n"
}

FNR == 1 {
	finish_file()
	file = FILENAME
	inside = 0
}

inside && /^};/ {
	inside = 0
}

inside {
	if (!in_comment && !depth)
		code = 0
	scan($0)
	if (!in_comment && !depth)
		flush()
}

/struct insn .*\[\] *= *\{ *$/ {
	inside = 1
	depth = in_comment = in_string = first = 0
	note = ""
}

END {
	finish_file()
	print "const struct note_file note_files[] = {"
	for (i = 0; i < n_files; i++)
		printf "\t{ \"%s\", notes_%d },\n", files[i], i
	print "\t{ 0, 0 },\n};"
}
