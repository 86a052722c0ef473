// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/probes/entered.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kinds/syscall.h"
#include "src/language/questions/probes/traced_calls.h"

static const char system_name[] = "syscalls", prefix[] = "sys_enter_";

/* An input's fetch, +8(+0(FIELD)): where its field begins, and how long it is. */
static size_t field_within(const char *fetch, size_t *length)
{
	const char *last = strrchr(fetch, '(');
	const size_t at = last ? (size_t)(last + 1 - fetch) : 0;

	*length = strcspn(fetch + at, ")[");
	return at;
}

static bool reads_memory(const struct scope *s)
{
	for (unsigned int i = 0; i < s->needs.n_inputs; i++)
		if (!s->needs.inputs[i].identity && strchr(s->needs.inputs[i].fetch, '('))
			return true;
	return false;
}

/* Writes the input with the argument in the place of its field. Returns false if there is none. */
static bool by_argument(const struct scope *s, const struct lang_input *in, struct strbuf *out)
{
	size_t length;
	const size_t at = field_within(in->fetch, &length);
	const struct field *f;
	char name[48];
	int number;

	if (length >= sizeof(name))
		return false;
	text_all(name, sizeof(name), "%.*s", (int)length, in->fetch + at);
	number = traced_call_argument(s->event.format, name, &f);
	if (!number || in->bytes)
		return false;
	strbuf_addf(out, " %s=%.*s$sys%d%s", in->name, (int)at, in->fetch, number,
		    in->fetch + at + length);
	/* The record's field is cut to its C type, too. */
	strbuf_addf(out, "%s", at || *in->type ? in->type : syscall_argument_type(f->type));
	return true;
}

/* The same of the record, with the kernel's copy of the text. */
static bool by_copy(const struct scope *s, const struct lang_input *in, struct strbuf *out)
{
	size_t length;
	const size_t at = field_within(in->fetch, &length);
	char name[64];

	if (!at) {
		strbuf_addf(out, " %s=%s%s", in->name, in->fetch, in->type);
		return true;
	}
	text_all(name, sizeof(name), "__%.*s_val", (int)length, in->fetch + at);
	/* Nothing but the text at the pointer itself. */
	if (at != strlen("+0(") || strncmp(in->fetch, "+0(", at) || !strstr(in->type, "string") ||
	    !format_field(s->event.format, name))
		return false;
	strbuf_addf(out, " %s=%s", in->name, name);
	return true;
}

static int translate(const struct scope *s,
		     bool (*write)(const struct scope *s, const struct lang_input *in,
				   struct strbuf *out),
		     char **to)
{
	struct strbuf out = { };
	bool all = true;

	strbuf_addf(&out, "function=0");
	for (unsigned int i = 0; i < s->needs.n_inputs && all; i++)
		all = s->needs.inputs[i].identity || write(s, &s->needs.inputs[i], &out);
	*to = strbuf_take(&out);
	if (!*to)
		return -1;
	if (!all) {
		free(*to);
		*to = NULL;
	}
	return 0;
}

int entered_find(const struct scope *s, struct entered *e)
{
	if (!s->event.tracepoint || !s->event.format ||
	    strcmp(s->event.format->system, system_name) ||
	    strncmp(s->event.format->event, prefix, strlen(prefix)) || !reads_memory(s))
		return 0;
	if (translate(s, by_argument, &e->inputs[0]) || translate(s, by_copy, &e->inputs[1]))
		return -1;
	e->probes[0] = (struct probe){ .kind = PROBE_SYSCALL,
				       .inputs = e->inputs[0],
				       .name = s->event.format->event + strlen(prefix),
				       .named = true };
	e->probes[1] = (struct probe){ .kind = PROBE_TRACEPOINT, .inputs = e->inputs[1],
				       .name = s->called.name, .named = true };
	return 0;
}

void entered_free(struct entered *e)
{
	for (int i = 0; i < ENTERED_WAYS; i++)
		free(e->inputs[i]);
}
