# SPDX-License-Identifier: GPL-2.0
#
# The bundled scripts, as C: scripts.awk FILE.bt... A script's name is its file's.

function c_text(line) {
	gsub(/\\/, "&&", line)
	gsub(/"/, "\\\\&", line)
	return line
}

function name_of(path) {
	sub(/.*\//, "", path)
	sub(/\.bt$/, "", path)
	return path
}

BEGIN { print "#include \"src/bt/scripts/scripts.h\"\n\nconst struct bt_script bt_scripts[] = {" }
FNR == 1 {
	if (NR > 1)
		print "\t},"
	printf "\t{ \"%s\",\n", name_of(FILENAME)
}
{ printf "\t\t\"%s\\n\"\n", c_text($0) }
END { print "\t},\n\t{ }\n};" }
