// SPDX-License-Identifier: GPL-2.0
/* The arguments of a call as text. */
#include "src/language/systrace/arguments.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>

#include "src/toolkit/signals.h"

void add_quoted(struct strbuf *w, const char *s, size_t length)
{
	strbuf_addf(w, "\"");
	for (size_t i = 0; i < length; i++)
		if (s[i] == '"' || s[i] == '\\')
			strbuf_addf(w, "\\%c", s[i]);
		else if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			strbuf_addf(w, "\\x%02x", (unsigned char)s[i]);
		else
			strbuf_add(w, &s[i], 1);
	strbuf_addf(w, "\"");
}

/* A text of which `most` bytes are shown. */
static void add_text(struct strbuf *w, const char *text, size_t room, size_t most)
{
	size_t n = strnlen(text, room);

	add_quoted(w, text, n > most ? most : n);
	if (n > most)
		strbuf_addf(w, "...");
}

static void add_argv(struct strbuf *w, const struct systrace_argv *argv)
{
	unsigned int n = (unsigned int)argv->length & ~ARGV_MORE;

	strbuf_addf(w, "[");
	for (unsigned int i = 0; i < n && i < ARGV_READ; i++) {
		strbuf_addf(w, i ? ", " : "");
		/* A helper ends what it reads with a NUL: a text that fills the room may go on. */
		add_text(w, argv->text[i], ARGV_TEXT, ARGV_TEXT - 2);
	}
	if (argv->length & ARGV_MORE)
		strbuf_addf(w, n ? ", ..." : "...");
	strbuf_addf(w, "]");
}

/* What was read of memory for an argument; false: nothing. */
static bool add_memory(struct strbuf *w, const struct systrace_record *rec,
		       const struct argument *a)
{
	const uint64_t plan = rec->call.plan, at = a->at + 1U;
	const union systrace_memory *memory = &rec->memory;
	const struct systrace_text *text = NULL;

	if ((plan >> PLAN_FIRST_SHIFT & PLAN_ARGUMENT_MASK) == at)
		text = &memory->first;
	else if ((plan >> PLAN_SECOND_SHIFT & PLAN_ARGUMENT_MASK) == at)
		text = &memory->second;
	if (text && plan & PLAN_SOCKADDR)
		return add_address(w, &memory->address);
	if (!text || text->length < 0 || (!text->length && !(plan & PLAN_ARGV)) ||
	    (argument_is(a, "argv") && text->length == ARGV_MORE))
		return false;
	if (argument_is(a, "argv"))
		add_argv(w, &memory->argv);
	else
		add_text(w, text->text, sizeof(text->text), SYSTRACE_SHOWN - 1);
	return true;
}

/* What mknod(2) makes, and its mode. */
static void add_file_mode(struct strbuf *w, unsigned int mode)
{
	static const char *const names[16] = {
		[001] = "FIFO|", [002] = "CHR|", [004] = "DIR|", [006] = "BLK|", [010] = "REG|",
		[012] = "LNK|", [014] = "SOCK|",
	};
	const char *name = names[mode >> 12 & 15];

	strbuf_addf(w, "%s%#o", name ? name : "", name ? mode & 07777 : mode & 0177777);
}

/* Numbers without names. */
static bool add_plain(struct strbuf *w, const struct argument *a, uint64_t value, bool wide)
{
	long long number = wide ? (long long)value : (long long)(int32_t)value;

	if (argument_is(a, "dfd") && (int32_t)value == AT_FDCWD)
		strbuf_addf(w, "CWD");
	else if (argument_is(a, "fd") || argument_is(a, "number") || argument_is(a, "dfd") ||
		 argument_is(a, "id"))
		strbuf_addf(w, "%d", (int)(int32_t)value);
	else if (argument_is(a, "long") || is_halves(a))
		strbuf_addf(w, "%lld", number);
	else if (argument_is(a, "size"))
		strbuf_addf(w, "%llu", (unsigned long long)value);
	else if (argument_is(a, "count"))
		strbuf_addf(w, "%u", (unsigned int)value);
	else if (argument_is(a, "mode"))
		strbuf_addf(w, "%#o", (unsigned int)(value & 0177777));
	else if (argument_is(a, "kind_mode"))
		add_file_mode(w, (unsigned int)value);
	else if (argument_is(a, "hex"))
		strbuf_addf(w, "%#llx", (unsigned long long)value);
	else if (argument_is(a, "bits"))
		strbuf_addf(w, "%#x", (unsigned int)value);
	else
		return false;
	return true;
}

static void add_value(struct strbuf *w, const struct argument *a, uint64_t value, bool wide)
{
	char text[512];

	if (add_plain(w, a, value, wide))
		return;
	if (argument_is(a, "signal")) {
		strbuf_addf(w, "%s", signal_full_name((int)value, text));
	} else if (argument_is(a, "clone") && value & CSIGNAL) {
		/* The lowest byte is the signal that the child's end sends. */
		if (value & ~(uint64_t)CSIGNAL && names_text(a, value & ~(uint64_t)CSIGNAL, text,
							   sizeof(text)))
			strbuf_addf(w, "%s|", text);
		strbuf_addf(w, "%s", signal_full_name((int)(value & CSIGNAL), text));
	}
	else if (names_text(a, value, text, sizeof(text)))
		strbuf_addf(w, "%s", text);
	else
		strbuf_addf(w, value ? "0x%llx" : "NULL", (unsigned long long)value);
}

/* An argument's number, of one register or of two. */
static uint64_t value_of(const struct systrace_record *rec, const struct argument *a,
			 const struct call_registers *registers)
{
	uint64_t mask = registers->word == 4 && a->registers == 1 && registers->size == 4 ?
			UINT32_MAX : UINT64_MAX;
	uint64_t first, second;

	if (a->at >= SYSTRACE_ARGUMENTS)
		return 0;
	first = rec->call.args[a->at] & mask;
	if (a->registers == 1 || a->at + 1 >= SYSTRACE_ARGUMENTS)
		return first;
	second = rec->call.args[a->at + 1];
	/* A 64-bit task has the whole number in one. */
	if (registers->size == 8 && !a->high_first)
		return first;
	return a->high_first ? first << 32 | (uint32_t)second : (uint32_t)first | second << 32;
}

/* The arguments of a call that has no row: all registers. */
static void unknown_arguments(struct strbuf *w, const struct systrace_record *rec,
			      const struct call_registers *registers)
{
	for (unsigned int i = 0; i < SYSTRACE_ARGUMENTS; i++)
		strbuf_addf(w, "%s%#llx", i ? ", " : "", (unsigned long long)
			    (registers->size == 4 ? (uint32_t)rec->call.args[i] :
			     rec->call.args[i]));
}

void arguments_text(const struct systrace_record *rec, const struct arch *arch, bool memory,
		    char *to, size_t size)
{
	const char *name = call_name(arch, (uint32_t)rec->call.slot);
	struct argument_walk walk = {
		.words = name ? call_words(name) : NULL,
		.registers = call_registers(arch, (uint32_t)rec->call.slot),
	};
	struct strbuf w = strbuf_over(to, size);
	struct argument a, selector = { };
	uint64_t selected = 0;

	if (!walk.words)
		unknown_arguments(&w, rec, &walk.registers);
	for (bool first = true; next_argument(&walk, &a); first = false) {
		uint64_t value = value_of(rec, &a, &walk.registers);

		if (selector.kind && !argument_used(&a, &selector, selected))
			continue;
		if (selects_arguments(&a)) {
			selector = a;
			selected = value;
		}
		strbuf_addf(&w, "%s%.*s: ", first ? "" : ", ", (int)a.name_length, a.name);
		if (!memory || !add_memory(&w, rec, &a))
			add_value(&w, &a, value, walk.registers.word == 8 || a.registers == 2 ||
				  walk.registers.size == 8);
	}
}
