# SPDX-License-Identifier: GPL-2.0
#
# A program file as a unit test has it, beside sonde's own:
#
#	awk -f tests/unit/named.awk insns/programs/NAME.c
#
# prints a C file that includes it, with other names for what it defines for others, and defines
# named_NAME[] (tests/unit/helpers/named.h): its arrays of instructions.

/^const [a-z_ ]+ [a-z0-9_]+(\[\])? =/ {
	name = $0
	sub(/(\[\])? =.*/, "", name)
	sub(/.* /, "", name)
	printf "#define %s named_%s\n", name, name
}

/^(static )?const struct insn [a-z0-9_]+\[\] =/ {
	name = $0
	sub(/\[\] =.*/, "", name)
	sub(/.* /, "", name)
	arrays = arrays sprintf("\tNAMED_ARRAY(\"%s\", %s),\n", FILENAME, name)
}

END {
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.c$/, "", name)
	printf "#include \"%s\"\n#include \"tests/unit/helpers/named.h\"\n\n", FILENAME
	printf "extern const struct named_array named_%s[];\n", name
	printf "const struct named_array named_%s[] = {\n%s\t{ }\n};\n", name, arrays
}
