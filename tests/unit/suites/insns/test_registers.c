// SPDX-License-Identifier: GPL-2.0
/*
 * Names of registers. Several may be one register, of which the machine knows only the number: so a
 * program could read, by one name, what it wrote by another. Here each array of instructions of
 * each program file has the names that its source has (tests/unit/helpers/named.h). On each way
 * through it, r6 to r9 are read only by the name that wrote them last, or by RENAME(). Jumps that
 * are decided while lowering go one way in a program, however often it asks.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/helpers/named.h"
#include "tests/unit/rows/nevers.h"
#include "tests/unit/unit.h"

Suite *suite_registers(void);

#define NAMES 64		/* of an array's registers, at most */
#define RENAMED " & "		/* between the old name and the new one */
#define ASKED 12		/* things that an array's jumps ask for more than once, at most */

/*
 * Of each register the names that may have written it last: a set of indexes in names[]. Ways on
 * which nothing wrote it add none: verifiers refuse reads there, and a fragment goes on with what
 * others wrote.
 */
struct state {
	uint64_t of[R10];
	bool reached;
};

struct walk {
	const struct named_array *a;
	const char *names[NAMES];
	unsigned int n_names;
	const char *asked[ASKED];
	unsigned int n_asked;
	unsigned int answers;		/* of asked[]: bits */
	struct state *states;		/* before each instruction */
	unsigned int loop_end;		/* within a loop: its SYM_AGAIN; else 0 */
	char errors[4 * 4096];
};

static unsigned int name_index(struct walk *w, const char *name, size_t length)
{
	unsigned int i = 0;

	while (i < w->n_names && (strncmp(w->names[i], name, length) || w->names[i][length]))
		i++;
	if (i == w->n_names) {
		ck_assert_uint_lt(i, NAMES);
		w->names[w->n_names++] = strndup(name, length);
	}
	return i;
}

static bool kept_register(unsigned int reg)
{
	return reg >= R6 && reg <= R9;
}

/* Adds an error, once: an array is walked more than once. */
static void wrong(struct walk *w, unsigned int at, unsigned int reg, const char *as, uint64_t set)
{
	char text[4096];		/* room for all names */
	int n = snprintf(text, sizeof(text),
			 "%s:%u: %s: instruction %u reads %s (r%u), which was written as ",
			 w->a->file, w->a->insns[at].line, w->a->name, at, as, reg);
	const char *before = "";

	for (unsigned int i = 0; i < w->n_names; i++) {
		if (!(set & 1ull << i))
			continue;
		n += snprintf(text + n, sizeof(text) - n, "%s%s", before, w->names[i]);
		before = " or ";
	}
	snprintf(text + n, sizeof(text) - n, "\n");
	if (!strstr(w->errors, text) && strlen(w->errors) + strlen(text) < sizeof(w->errors))
		strcat(w->errors, text);
}

/* An operand's name; of a RENAME, "OLD & NEW", the new one. */
static unsigned int new_name(struct walk *w, const char *text)
{
	const char *more = strstr(text, RENAMED);

	text = more ? more + strlen(RENAMED) : text;
	return name_index(w, text, strlen(text));
}

/* A RENAME takes both names: on another way to it the register may have the new one already. */
static void read_name(struct walk *w, struct state *s, unsigned int at, unsigned int reg,
		      const char *text)
{
	const char *more = strstr(text, RENAMED);
	unsigned int old, new;

	if (!kept_register(reg))
		return;
	new = new_name(w, text);
	old = more ? name_index(w, text, more - text) : new;
	if (s->of[reg] & ~(1ull << old | 1ull << new))
		wrong(w, at, reg, w->names[old], s->of[reg]);
	if (more)
		s->of[reg] = 1ull << new;
}

static void write_name(struct walk *w, struct state *s, unsigned int reg, const char *text)
{
	if (kept_register(reg))
		s->of[reg] = 1ull << new_name(w, text);
}

/* What an instruction does with its operands. */
enum { READS_DST = 1, READS_SRC = 2, WRITES_DST = 4 };

static unsigned int plain_does(uint8_t code)
{
	const bool reg = BPF_SRC(code) == BPF_X;

	switch (BPF_CLASS(code)) {
	case BPF_ALU:
	case BPF_ALU64:
		if (BPF_OP(code) == BPF_END || BPF_OP(code) == BPF_NEG)
			return READS_DST | WRITES_DST;
		return (BPF_OP(code) == BPF_MOV ? 0 : READS_DST) | (reg ? READS_SRC : 0) |
		       WRITES_DST;
	case BPF_LDX:
		return READS_SRC | WRITES_DST;
	case BPF_LD:
		return WRITES_DST;
	case BPF_STX:
		return READS_DST | READS_SRC;
	case BPF_ST:
		return READS_DST;
	default:
		return 0;
	}
}

static unsigned int does(const struct insn *insn)
{
	switch (insn->symbol) {
	case PLAIN:
		return plain_does(insn->bpf.code);
	case SYM_JUMP:
		return BPF_OP(insn->bpf.code) == BPF_JA ? 0 :
		       BPF_SRC(insn->bpf.code) == BPF_X ? READS_DST | READS_SRC : READS_DST;
	case SYM_ADD:
		return READS_SRC;
	case SYM_READ_STRING:
	case SYM_FILTER:
	case SYM_FILTER_OTHER:
	case SYM_KNOWN:
		return READS_DST;
	case SYM_COPY:
		return READS_DST | READS_SRC;
	case SYM_STRING:
	case SYM_PEEK:
	case SYM_PEEK_USER:
	case SYM_FOLLOW:
	case SYM_LOG2:
		return READS_SRC | WRITES_DST;
	case SYM_MAP:
	case SYM_FIELD:
	case SYM_CONST:
	case SYM_ITEM:
	case SYM_STACK:
	case SYM_EPOCH:
		return WRITES_DST;
	default:
		return 0;
	}
}

/* Control goes to an instruction, also: its registers may be what they are on this way. */
static void go(struct walk *w, const struct state *s, unsigned int to)
{
	struct state *there = &w->states[to];

	ck_assert_uint_le(to, w->a->n);
	there->reached = true;
	if (w->loop_end && to > w->loop_end)
		return;
	for (unsigned int reg = R6; reg <= R9; reg++)
		there->of[reg] |= s->of[reg];
}

/* The next label of that name. A fragment jumps to the end where another one has it. */
static unsigned int label(const struct walk *w, unsigned int from, const char *name)
{
	while (from < w->a->n && !(w->a->insns[from].symbol == SYM_LABEL &&
				   !strcmp(w->a->insns[from].name, name)))
		from++;
	return from;
}

/* Returns what is answered, 0 or 1; -1: either. */
static int answer(const struct walk *w, const char *question)
{
	for (unsigned int i = 0; i < w->n_asked; i++)
		if (!strcmp(w->asked[i], question))
			return w->answers >> i & 1;
	return -1;
}

static void begin_loop(struct walk *w, struct state *s, unsigned int at)
{
	*s = (struct state){ .reached = true };
	while (w->a->insns[at].symbol != SYM_AGAIN)
		ck_assert_uint_lt(++at, w->a->n);
	w->loop_end = at;
}

static void step(struct walk *w, unsigned int at)
{
	const struct insn *insn = &w->a->insns[at];
	const struct insn *next = at + 1 < w->a->n ? insn + 1 : NULL;
	const unsigned int what = does(insn);
	struct state s = w->states[at];
	int yes = -1;

	if (what & READS_DST)
		read_name(w, &s, at, insn->bpf.dst_reg, insn->dst);
	if (what & READS_SRC)
		read_name(w, &s, at, insn->bpf.src_reg, insn->src);
	if (what & WRITES_DST)
		write_name(w, &s, insn->bpf.dst_reg, insn->dst);
	if (insn->symbol == SYM_LOOP)
		begin_loop(w, &s, at);
	if (insn->symbol == SYM_JUMP)
		go(w, &s, label(w, at, insn->name));
	if (insn->symbol == SYM_JUMP_UNLESS)
		yes = answer(w, insn->name);
	if (next && next->symbol == SYM_ELSE && yes != 1)
		go(w, &s, label(w, at, next->name));
	if (yes == 0 || (insn->symbol == SYM_JUMP && BPF_OP(insn->bpf.code) == BPF_JA) ||
	    (insn->symbol == PLAIN && insn->bpf.code == (BPF_JMP | BPF_EXIT)))
		return;
	go(w, &s, at + 1);
	if (insn->symbol == SYM_AGAIN)
		w->loop_end = 0;
}

static bool in_nevers(const struct walk *w, const char *question)
{
	for (const struct never *n = nevers; n->file; n++)
		if (!strcmp(n->file, w->a->file) &&
		    (!strcmp(n->asked[0], question) || !strcmp(n->asked[1], question)))
			return true;
	return false;
}

static bool never(const struct walk *w)
{
	for (const struct never *n = nevers; n->file; n++)
		if (!strcmp(n->file, w->a->file) &&
		    answer(w, n->asked[0]) == n->answers[0] &&
		    answer(w, n->asked[1]) == n->answers[1])
			return true;
	return false;
}

static unsigned int times_asked(const struct walk *w, const char *question)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < w->a->n; i++)
		n += w->a->insns[i].symbol == SYM_JUMP_UNLESS &&
		     !strcmp(w->a->insns[i].name, question);
	return n;
}

/* What is asked more than once, or not independent of another question. */
static void collect_asked(struct walk *w)
{
	for (unsigned int i = 0; i < w->a->n; i++) {
		const char *question = w->a->insns[i].name;

		if (w->a->insns[i].symbol != SYM_JUMP_UNLESS || answer(w, question) >= 0 ||
		    (times_asked(w, question) == 1 && !in_nevers(w, question)))
			continue;
		ck_assert_uint_lt(w->n_asked, ASKED);
		w->asked[w->n_asked++] = question;
	}
}

/* Walks an array, once for each set of answers. */
static void walk_array(const struct named_array *a, struct walk *w)
{
	*w = (struct walk){ .a = a };
	w->states = calloc(a->n + 1, sizeof(*w->states));
	ck_assert_ptr_nonnull(w->states);
	collect_asked(w);
	for (w->answers = 0; w->answers < 1u << w->n_asked; w->answers++) {
		if (never(w))
			continue;
		memset(w->states, 0, (a->n + 1) * sizeof(*w->states));
		w->states[0].reached = true;
		for (unsigned int i = 0; i < a->n; i++)
			if (w->states[i].reached)
				step(w, i);
	}
	free(w->states);
	for (unsigned int i = 0; i < w->n_names; i++)
		free((char *)w->names[i]);
}

#define NAMED(PROGRAM) extern const struct named_array named_##PROGRAM[];
#include "named_programs.h"
#undef NAMED

static const struct named_array *const programs[] = {
#define NAMED(PROGRAM) named_##PROGRAM,
#include "named_programs.h"
#undef NAMED
};

START_TEST(read_by_their_names)
{
	static struct walk w;

	for (const struct named_array *a = programs[_i]; a->name; a++) {
		walk_array(a, &w);
		ck_assert_msg(!w.errors[0], "%s", w.errors);
	}
}
END_TEST

/* What the walk refuses, and what it takes. */
enum { NOW = R6, DELTA = R6, BEGAN = R7, SLOT = R7 };

#define TWO_TIMES FIELD(NOW, "time"), FIELD(BEGAN, "began")

static const struct insn stale[] = {
	TWO_TIMES,
	BPF_ALU64_REG(BPF_SUB, NOW, BEGAN),
	LOG2(SLOT, DELTA),
	EXIT,
}, renamed[] = {
	TWO_TIMES,
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),
	LOG2(SLOT, DELTA),
	ADD_AT("sums", -8, SLOT),
	EXIT,
}, after_rename[] = {
	TWO_TIMES,
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),
	JEQ(NOW, 0, "out"),
LABEL("out"),
	EXIT,
}, plain[] = {
	BPF_MOV64_IMM(R6, 1),
	FILTER(NOW),
	EXIT,
}, one_way[] = {
	TWO_TIMES,
	JEQ(NOW, 0, "out"),
	LOG2(SLOT, NOW),
LABEL("out"),
	ADD_AT("sums", -8, SLOT),
	EXIT,
}, both_ways[] = {
	TWO_TIMES,
	JEQ(NOW, 0, "out"),
	LOG2(SLOT, NOW),
LABEL("out"),
	ADD_AT("sums", -8, RENAME(SLOT, BEGAN)),
	EXIT,
}, asked_twice[] = {
	TWO_TIMES,
	JUMP_UNLESS("hist", "sum"),
	LOG2(SLOT, NOW),
LABEL("sum"),
	JUMP_UNLESS("hist", "out"),
	ADD_AT("sums", -8, SLOT),
LABEL("out"),
	EXIT,
}, asked_once[] = {
	TWO_TIMES,
	JUMP_UNLESS("hist", "sum"),
	LOG2(SLOT, NOW),
LABEL("sum"),
	JUMP_UNLESS("sums", "out"),
	ADD_AT("sums", -8, SLOT),
LABEL("out"),
	EXIT,
};

static const struct {
	struct named_array array;
	const char *error;		/* NULL: none */
} rows[] = {
	{ NAMED_ARRAY("here", stale),
	  "stale: instruction 3 reads DELTA (r6), which was written as NOW\n" },
	{ NAMED_ARRAY("here", renamed), NULL },
	{ NAMED_ARRAY("here", after_rename),
	  "after_rename: instruction 3 reads NOW (r6), which was written as DELTA\n" },
	{ NAMED_ARRAY("here", plain),
	  "plain: instruction 1 reads NOW (r6), which was written as BPF_REG_6\n" },
	{ NAMED_ARRAY("here", one_way),
	  "one_way: instruction 5 reads SLOT (r7), which was written as BEGAN or SLOT\n" },
	{ NAMED_ARRAY("here", both_ways), NULL },
	{ NAMED_ARRAY("here", asked_twice), NULL },
	{ NAMED_ARRAY("here", asked_once),
	  "asked_once: instruction 8 reads SLOT (r7), which was written as BEGAN or SLOT\n" },
};

START_TEST(refuses)
{
	static struct walk w;

	walk_array(&rows[_i].array, &w);
	if (rows[_i].error)
		ck_assert_msg(strstr(w.errors, rows[_i].error) != NULL, "%s: %s",
			      rows[_i].array.name, w.errors);
	else
		ck_assert_str_eq(w.errors, "");
}
END_TEST

Suite *suite_registers(void)
{
	Suite *s = suite_create("registers");

	add_tests(s, "read_by_their_names", read_by_their_names,
		  sizeof(programs) / sizeof(programs[0]));
	add_tests(s, "refuses", refuses, sizeof(rows) / sizeof(rows[0]));
	return s;
}
