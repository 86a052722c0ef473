// SPDX-License-Identifier: GPL-2.0
/* The arguments of a call as text. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "src/systrace/calls.h"
#include "src/toolkit/signals.h"

struct writer {
	char *to;
	size_t n, size;
};

static void add(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct writer *w, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(w->to + w->n, w->size - w->n, format, args);
	va_end(args);
	if (n > 0)
		w->n += (size_t)n < w->size - w->n ? (size_t)n : w->size - w->n - 1;
}

static void add_quoted(struct writer *w, const char *s, size_t length)
{
	add(w, "\"");
	for (size_t i = 0; i < length; i++)
		if (s[i] == '"' || s[i] == '\\')
			add(w, "\\%c", s[i]);
		else if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			add(w, "\\x%02x", (unsigned char)s[i]);
		else
			add(w, "%c", s[i]);
	add(w, "\"");
}

static void add_text(struct writer *w, const struct systrace_text *t)
{
	size_t n = strnlen(t->text, (size_t)t->length < sizeof(t->text) ? (size_t)t->length :
			   sizeof(t->text));
	bool cut = n > SYSTRACE_SHOWN - 1;

	add_quoted(w, t->text, cut ? SYSTRACE_SHOWN - 1 : n);
	if (cut)
		add(w, "...");
}

static void add_address(struct writer *w, uint64_t value)
{
	if (value)
		add(w, "0x%llx", (unsigned long long)value);
	else
		add(w, "NULL");
}

static void add_sockaddr(struct writer *w, const struct systrace_record *rec)
{
	const struct systrace_text *t = &rec->texts[0];
	uint16_t family = (uint16_t)(rec->call.plan >> PLAN_FAMILY_SHIFT);
	const struct argument kind = { .kind = "family", .kind_length = strlen("family") };
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	char text[64];

	names_text(&kind, family, text, sizeof(text));
	add(w, "{ .family: %s", text);
	memcpy(&in, t->text, sizeof(in));
	memcpy(&in6, t->text, sizeof(in6));
	if (family == AF_UNIX && *t->text) {
		add(w, ", path: ");
		add_text(w, t);
	} else if (family == AF_INET && inet_ntop(AF_INET, &in.sin_addr, text, sizeof(text))) {
		add(w, ", port: %u, addr: %s", ntohs(in.sin_port), text);
	} else if (family == AF_INET6 &&
		   inet_ntop(AF_INET6, &in6.sin6_addr, text, sizeof(text))) {
		add(w, ", port: %u, addr: %s", ntohs(in6.sin6_port), text);
	}
	add(w, " }");
}

/* The text that the program has read of argument i; NULL: none. */
static const struct systrace_text *text_of_argument(const struct systrace_record *rec, uint64_t i)
{
	for (unsigned int n = 0; n < SYSTRACE_TEXTS; n++)
		if ((rec->call.plan >> (PLAN_FIRST_SHIFT + 8 * n) & PLAN_ARGUMENT_MASK) == i + 1 &&
		    rec->texts[n].length > 0)
			return &rec->texts[n];
	return NULL;
}

static void add_number(struct writer *w, const struct argument *a, uint64_t value, bool wide)
{
	char text[256];

	if (argument_is(a, "dfd") && (int32_t)value == AT_FDCWD)
		add(w, "CWD");
	else if (argument_is(a, "fd") || argument_is(a, "number") || argument_is(a, "dfd"))
		add(w, "%d", (int)(int32_t)value);
	else if (argument_is(a, "long"))
		add(w, "%lld", wide ? (long long)value : (long long)(int32_t)value);
	else if (argument_is(a, "size"))
		add(w, "%llu", (unsigned long long)value);
	else if (argument_is(a, "mode"))
		add(w, "%#o", (unsigned int)(value & 0177777));
	else if (argument_is(a, "signal"))
		add(w, "%s", signal_full_name((int)value, text));
	else if (argument_is(a, "hex"))
		add(w, "%#llx", (unsigned long long)value);
	else if (names_text(a, value, text, sizeof(text)))
		add(w, "%s", text);
	else
		add_address(w, value);
}

/* A mode is only read where a file may be made. */
static bool left_out(const struct argument *a, const struct argument *before, uint64_t flags)
{
	return argument_is(a, "mode") && before && argument_is(before, "open") &&
		!(flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)));
}

void arguments_text(const struct systrace_record *rec, const char *call, unsigned int word,
		    bool texts, char *to, size_t size)
{
	const char *at = call_arguments(call);
	const uint64_t mask = word == 4 ? UINT32_MAX : UINT64_MAX;
	struct writer w = { .to = to, .size = size };
	struct argument a, before = { };
	bool known = at != NULL;

	*to = '\0';
	for (uint64_t i = 0; i < SYSTRACE_ARGUMENTS; i++) {
		uint64_t value = rec->call.args[i] & mask;
		const struct systrace_text *text = texts ? text_of_argument(rec, i) : NULL;

		if (known && !next_argument(&at, &a))
			break;
		if (known && left_out(&a, i ? &before : NULL, i ? rec->call.args[i - 1] : 0))
			continue;
		add(&w, i ? ", " : "");
		if (!known) {
			add(&w, "%#llx", (unsigned long long)value);
			continue;
		}
		add(&w, "%.*s: ", (int)a.name_length, a.name);
		if (text && argument_is(&a, "sockaddr"))
			add_sockaddr(&w, rec);
		else if (text)
			add_text(&w, text);
		else
			add_number(&w, &a, value, word == 8);
		before = a;
	}
}
