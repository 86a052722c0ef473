// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_lang SECONDS [SEED]: gives the language of questions texts nobody would write. Meant for a
 * build with ASan and UBSan: whatever it finds ends the process. The same seed makes the same
 * texts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/arch/arch.h"
#include "compat/base/clock.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/questions/format.h"
#include "src/language/types/header.h"
#include "tests/fuzz/random.h"

#define SIZE 600

struct fuzz {
	uint64_t state;
	char text[SIZE];
	uint64_t texts, accepted;
};

static uint64_t below(struct fuzz *f, uint64_t n)
{
	return random_next(&f->state) % n;
}

/* Files of declarations, of which some are whole. */
static const char *const declarations[] = {
	"struct ", "union ", "enum ", "a ", "b ", "c ", "N", "M", "{", "}", "{", "}", ";", ";", ";",
	",", "int ", "char ", "long ", "unsigned ", "short ", "double ", "float ", "u8 ", "bool ",
	"void ", "*", "*", "(", ")", "[", "]", "[3]", "[N]", "[]", ":", ": 3", ": 0", "=", "= 5",
	"typedef ", "const ", "__attribute__((packed))", "__attribute__((aligned(8)))",
	"__attribute__((", "))", "packed", "aligned", "__packed", "__user ", "sizeof(", "struct a",
	"(*f)(int)", "1", "0x7fffffffffffffff", "-1", "<<", "/ 0", "?", "+", "\n#define N ",
	"\n#define M N + N\n", "\n#define N M(", "\n#undef N\n", "\n#if ", "\n#ifdef N\n",
	"\n#ifndef N\n", "\n#elif ", "\n#else\n", "\n#endif\n", "defined(N)", "CONFIG_X", "\n",
	"\\\n", "/*", "*/", "//", "\n#pragma pack\n", "struct a { int a; char b[3]; };\n",
	"union b { struct { int x : 3, y; }; long c; };\n", "enum c { N, M = 5 };\n",
	"typedef struct a t;\n", "t ", "int f(void) { return 1; }\n", "\"x\"", "'",
	"_Static_assert(1, \"x\");", "_Alignas(16) ", "__int128 ", "long double ",
};

static const char *const expressions[] = {
	"arg1", "arg2", "x", "p", "retval", "$pid", "$comm", "args", "->", ".", "(", ")",
	"(", ")", "[", "]", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "~", "!",
	"&&", "||", "?", ":", "==", "!=", "<", ">=", ",", "@user", "@", "0", "1", "077",
	"0x", "0xffffffffffffffff", "18446744073709551616", "7UL", "'a'", "'\\x41'", "'",
	"\"", "\"abc\"", "\"%d %s\"", "\"%-5.3lld%%\"", "\"%", "\\", "int", "u8", "s64",
	"unsigned", "struct", "sock", "char", "*", "__user", "const", "sizeof", "STRCMP",
	"STRCMP(\"ab\",arg1)", "(int)", "(u32 *)", "(char *)", " ", "\t", "\xff", "p->x", "&",
	"((struct timespec *)arg1)->tv_nsec", "$task", "->tv_sec", ".", "*(char **)",
};

static void make(struct fuzz *f, const char *const *parts, size_t n_parts)
{
	uint64_t wanted = 1 + below(f, below(f, 8) ? 40 : SIZE - 64);
	size_t n = 0;

	while (n < wanted) {
		const char *part = parts[below(f, n_parts)];
		uint64_t copies = below(f, 64) ? 1 : 1 + below(f, 300);

		if (!below(f, 32)) {
			f->text[n++] = (char)(1 + below(f, 255));
			continue;
		}
		for (; copies && n + strlen(part) + 1 < SIZE; copies--, n += strlen(part))
			memcpy(f->text + n, part, strlen(part));
		if (copies)
			break;
	}
	f->text[n] = '\0';
}

static void expression(struct fuzz *f, struct tree *t, struct scope *s)
{
	const struct c_type number = { .base = C_INTEGER, .size = 4, .is_signed = true };
	struct code code = { .scope = s };
	struct text_node text;
	struct error err;
	size_t at = 0;
	struct node *n = parse_expression(t, &at, s->word, &err);

	if (at > strlen(f->text))
		abort();
	if (!n)
		return;
	if (!below(f, 4)) {
		f->accepted += !bind_text(t, s, n, &text, &err);
		return;
	}
	if (below(f, 2) ? bind_number(t, s, &n, &err) : bind_as(t, s, &n, &number, &err))
		return;
	code_value(&code, n, below(f, 2) ? "fault" : NULL);
	if (code.failed || !code.n)
		abort();
	code_free(&code);
	free(inputs_text(&s->needs));
	f->accepted++;
}

static void declared(struct fuzz *f)
{
	static const char *const machines[] = { "x86_64", "i686", "aarch64", "armv7l", "s390x" };
	static const char *const names[] = { "a", "b", "c", "N", "M", "t", "x", "y" };
	const uint64_t which = below(f, 5);
	const struct machine m = machine_of(arch_by_name(machines[which]));
	struct header *h = header_new(&m);
	struct error err;

	make(f, declarations, sizeof(declarations) / sizeof(declarations[0]));
	f->accepted += !header_add(h, "x.h", f->text, strlen(f->text), &err);
	/* Whatever was read can be asked for. */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct c_type type = { .base = C_STRUCT };
		struct member_place place;
		uint64_t value;

		header_number(h, names[i], 1, &value, &type);
		header_typedef(h, names[i], 1, &type);
		type = (struct c_type){ .base = C_STRUCT };
		if (!header_struct(h, names[i], &type))
			continue;
		for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++)
			if (header_member(h, type.id, names[j], 1, &place) &&
			    (place.bits < 0 || place.bits > 8 * (int64_t)type.bytes))
				abort();
	}
	header_free(h);
	f->texts++;
}

static void give(struct fuzz *f)
{
	struct tree t = { .source.text = f->text, .functions = lang_functions };
	struct scope s = {
		.word = below(f, 4) ? 8 : 4, .user_space = below(f, 2),
		.called.returns = !below(f, 4), .event.tracepoint = !below(f, 8), .text_size = 80,
		.called.parameters = {
			{ "x", { .base = C_INTEGER, .size = 2, .is_signed = true } },
			{ "p", { .base = C_INTEGER, .size = 4, .pointers = 2 } },
		},
		.called.n_parameters = 2,
	};
	struct parameter list[PARAMETERS_MOST];
	struct format_text format = { };
	struct error err;
	size_t at = 0;

	switch (below(f, 6)) {
	case 0:
		f->accepted += parse_parameters(&t, &at, s.word, list, &err) >= 0;
		break;
	case 1:
		f->accepted += !format_text_parse(&t, &at, s.word, &format, &err);
		format_text_free(&format);
		break;
	default:
		expression(f, &t, &s);
	}
	tree_free(&t);
	f->texts++;
}

int main(int argc, char **argv)
{
	static struct fuzz f;
	uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10,
		end = monotonic_ns() + 1000000000 * seconds;

	f.state = argc > 2 ? strtoull(argv[2], NULL, 10) : monotonic_ns();
	printf("fuzz_lang: seed %" PRIu64 "\n", f.state);
	while (monotonic_ns() < end) {
		if (below(&f, 2)) {
			declared(&f);
			continue;
		}
		make(&f, expressions, sizeof(expressions) / sizeof(expressions[0]));
		give(&f);
	}
	printf("fuzz_lang: %" PRIu64 " texts, %" PRIu64 " accepted\n", f.texts, f.accepted);
	return 0;
}
