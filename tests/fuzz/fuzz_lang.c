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

#include "compat/base/clock.h"
#include "src/lang/code.h"
#include "src/lang/format.h"
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

static void make(struct fuzz *f)
{
	static const char *const parts[] = {
		"arg1", "arg2", "x", "p", "retval", "$pid", "$comm", "args", "->", ".", "(", ")",
		"(", ")", "[", "]", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "~", "!",
		"&&", "||", "?", ":", "==", "!=", "<", ">=", ",", "@user", "@", "0", "1", "077",
		"0x", "0xffffffffffffffff", "18446744073709551616", "7UL", "'a'", "'\\x41'", "'",
		"\"", "\"abc\"", "\"%d %s\"", "\"%-5.3lld%%\"", "\"%", "\\", "int", "u8", "s64",
		"unsigned", "struct", "sock", "char", "*", "__user", "const", "sizeof", "STRCMP",
		"STRCMP(\"ab\",arg1)", "(int)", "(u32 *)", "(char *)", " ", "\t", "\xff",
	};
	uint64_t wanted = 1 + below(f, below(f, 8) ? 40 : SIZE - 64);
	size_t n = 0;

	while (n < wanted) {
		const char *part = parts[below(f, sizeof(parts) / sizeof(parts[0]))];
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
	free(inputs_text(s));
	f->accepted++;
}

static void give(struct fuzz *f)
{
	struct tree t = { .source.text = f->text };
	struct scope s = {
		.word = below(f, 4) ? 8 : 4, .user_space = below(f, 2), .returns = !below(f, 4),
		.tracepoint = !below(f, 8), .text_size = 80,
		.parameters = { { "x", { .base = C_INTEGER, .size = 2, .is_signed = true } },
				{ "p", { .base = C_INTEGER, .size = 4, .pointers = 2 } } },
		.n_parameters = 2,
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
		make(&f);
		give(&f);
	}
	printf("fuzz_lang: %" PRIu64 " texts, %" PRIu64 " accepted\n", f.texts, f.accepted);
	return 0;
}
