// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/perf/tracing_write.h"

#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/kernel/kallsyms.h"

void put_u16(struct strbuf *to, uint16_t value)
{
	strbuf_add(to, (const char *)&value, sizeof(value));
}

void put_u32(struct strbuf *to, uint32_t value)
{
	strbuf_add(to, (const char *)&value, sizeof(value));
}

void put_u64(struct strbuf *to, uint64_t value)
{
	strbuf_add(to, (const char *)&value, sizeof(value));
}

void put_zeros(struct strbuf *to, size_t n)
{
	while (n--)
		strbuf_add(to, "", 1);
}

/* A text behind its length; NULL: none. */
static void put_text(struct strbuf *to, const char *text, size_t length)
{
	put_u64(to, text ? length : 0);
	if (text)
		strbuf_add(to, text, length);
}

static const char *format_of(struct kernel *k, const char *system, const char *name, size_t *length)
{
	char path[256];

	*length = 0;
	return text_all(path, sizeof(path), "tracefs:events/%s/%s/format", system, name) ?
	       kernel_data(k, path, length) : NULL;
}

static unsigned int of_system(const struct tracing_written *w, unsigned int first)
{
	unsigned int n = 1;

	while (first + n < w->n_events &&
	       !strcmp(w->events[first + n].system, w->events[first].system))
		n++;
	return n;
}

static void put_system(struct strbuf *to, const struct tracing_written *w, unsigned int first,
		       unsigned int n)
{
	strbuf_add(to, w->events[first].system, strlen(w->events[first].system) + 1);
	put_u32(to, n);
	for (unsigned int i = first; i < first + n; i++) {
		size_t length;
		const char *text = format_of(w->kernel, w->events[i].system, w->events[i].name,
					     &length);

		put_text(to, text, length);
	}
}

static void put_formats(struct strbuf *to, const struct tracing_written *w)
{
	unsigned int systems = 0, n, first = 0;

	while (first < w->n_events && !*w->events[first].system)
		first++;		/* samples have no format; they are before the others */
	for (unsigned int i = first; i < w->n_events; i += of_system(w, i))
		systems++;
	put_u32(to, systems);
	for (unsigned int i = first; i < w->n_events; i += n) {
		n = of_system(w, i);
		put_system(to, w, i, n);
	}
}

/* Those of ftrace's own records that any ring may have. */
static void put_own(struct strbuf *to, struct kernel *k)
{
	static const char *const names[] = {
		"function", "kernel_stack", "user_stack", "bprint", "print", "bputs", "raw_data",
	};
	unsigned int n = 0;
	size_t length;

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		n += format_of(k, "ftrace", names[i], &length) != NULL;
	put_u32(to, n);
	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *text = format_of(k, "ftrace", names[i], &length);

		if (text)
			put_text(to, text, length);
	}
}

/* Formats print an address as the function that is there by %ps and its like. */
static bool prints_functions(const struct tracing_written *w)
{
	for (unsigned int i = 0; i < w->n_events; i++) {
		size_t length;
		const char *at = format_of(w->kernel, w->events[i].system, w->events[i].name,
					   &length);

		for (at = at ? strstr(at, "%p") : NULL; at; at = strstr(at + 2, "%p"))
			if (at[2] && strchr("sSfF", at[2]))
				return true;
	}
	return false;
}

static void put_function(struct strbuf *to, const struct kallsyms_line *line)
{
	strbuf_addf(to, "%016llx %c %.*s", (unsigned long long)line->address, line->type,
		    (int)line->length, line->name);
	if (line->module_length)
		strbuf_addf(to, "\t[%.*s]", (int)line->module_length, line->module);
	strbuf_add(to, "\n", 1);
}

/* The functions of the kernel, 3 MB: only where events show some. */
static void put_functions(struct strbuf *to)
{
	struct kallsyms_reader reader;
	struct kallsyms_line line;
	const size_t begin = to->n;
	uint32_t size;

	put_u32(to, 0);
	if (kallsyms_open(&reader, NULL))
		return;
	while (kallsyms_next(&reader, &line) > 0)
		if (line.address && kallsyms_is_code(&line))
			put_function(to, &line);
	kallsyms_close(&reader);
	size = (uint32_t)(to->n - begin - sizeof(size));
	if (!to->cut)
		memcpy(to->s + begin, &size, sizeof(size));
}

void tracing_data_write(struct strbuf *to, const struct tracing_written *w)
{
	const uint8_t machine[] = {
		__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
		kernel_arch(w->kernel)->word,
	};
	const char *text = w->printed ? kernel_text(w->kernel, "tracefs:printk_formats") : NULL;
	size_t length = 0;
	const char *event = kernel_data(w->kernel, "tracefs:events/header_event", &length);

	strbuf_add(to, "\x17\x08\x44tracing", 10);
	strbuf_add(to, w->version, strlen(w->version) + 1);
	strbuf_add(to, (const char *)machine, sizeof(machine));
	put_u32(to, w->page);
	strbuf_add(to, "header_page", 12);
	put_text(to, w->header_page, w->header_page ? strlen(w->header_page) : 0);
	strbuf_add(to, "header_event", 13);
	put_text(to, event, length);
	if (w->printed)
		put_own(to, w->kernel);
	else
		put_u32(to, 0);
	put_formats(to, w);
	if (w->printed && kernel_live(w->kernel) && prints_functions(w))
		put_functions(to);
	else
		put_u32(to, 0);
	put_u32(to, text ? (uint32_t)strlen(text) : 0);
	if (text)
		strbuf_add(to, text, strlen(text));
}
