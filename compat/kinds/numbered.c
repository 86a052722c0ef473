// SPDX-License-Identifier: GPL-2.0
/*
 * System calls by their numbers, at the two tracepoints that all calls hit. Kernels without
 * CONFIG_FTRACE_SYSCALLS have these, too.
 */
#include "compat/kinds/numbered.h"

#include <stdio.h>
#include <string.h>

#include "compat/base/scan.h"
#include "compat/kernel/keep.h"

/* What the rows call the arguments of these calls. */
static const struct call {
	char name[10], args[3][5];
} calls[ARCH_CALLS] = {
	[ARCH_KILL] = { "kill", { "pid", "sig" } },
	[ARCH_TKILL] = { "tkill", { "pid", "sig" } },
	[ARCH_TGKILL] = { "tgkill", { "", "pid", "sig" } },
	[ARCH_SYNC] = { "sync" },
	[ARCH_SYNCFS] = { "syncfs" },
	[ARCH_FSYNC] = { "fsync" },
	[ARCH_FDATASYNC] = { "fdatasync" },
	[ARCH_MSYNC] = { "msync" },
};
#define MOST_FIELDS 16

/* The record of all calls, with names for the arguments of one. */
struct record {
	struct format format;
	struct field fields[MOST_FIELDS];
	char filter[16];
};

struct records {
	struct record of[ARCH_CALLS][2];
};

static const struct call *find_call(const char *name)
{
	for (size_t c = 0; c < ARCH_CALLS; c++)
		if (!strcmp(calls[c].name, name))
			return &calls[c];
	return NULL;
}

static int number_of(const struct call *call, const struct arch *arch)
{
	const int number = arch->calls[call - calls];

	return number ? number : -1;
}

int numbered_call(const struct arch *arch, const char *name)
{
	const struct call *call = find_call(name);

	return call ? number_of(call, arch) : -1;
}

/* The call of a tracepoint syscalls:sys_enter_NAME or syscalls:sys_exit_NAME. */
static const struct call *call_of(const char *tracepoint, bool *enters)
{
	*enters = scan_text(&tracepoint, "syscalls:sys_enter_");
	return *enters || scan_text(&tracepoint, "syscalls:sys_exit_") ? find_call(tracepoint) :
									 NULL;
}

static void name_arguments(struct record *r, const struct call *call, const struct arch *arch)
{
	const struct field *args = format_field(&r->format, "args");

	for (unsigned int i = 0; args && i < 3 && r->format.n_fields < MOST_FIELDS; i++) {
		struct field *f = &r->fields[r->format.n_fields++];

		strcpy(f->name, call->args[i]);
		f->offset = args->offset + i * arch->word;
		f->size = arch->word;
	}
}

static int add_number(struct builder *b, int number)
{
	const struct field *id = format_field(b->format, "id");
	struct input *in = id ? layout_add(b->main->layout) : NULL;

	if (!in)
		return -1;
	*in = (struct input){
		.name = NUMBER_CALLED, .place = PLACE_RECORD, .offset = (uint16_t)id->offset,
		.size = (uint16_t)id->size, .is_signed = true,
	};
	in = layout_add(b->main->layout);
	if (!in)
		return -1;
	*in = (struct input){ .name = NUMBER_WANTED, .place = PLACE_CONSTANT, .value = number };
	return 0;
}

static void end(void *records)
{
	(void)records;
}

int find_numbered(struct builder *b)
{
	static const struct kernel_key key = { sizeof(struct records), end };
	bool enters;
	const struct call *call = call_of(b->probe->name, &enters);
	const int number = call ? number_of(call, b->arch) : -1;
	struct records *all = number < 0 ? NULL : kernel_keep(b->k, &key);
	const struct format *raw = all ? kernel_format(b->k, "raw_syscalls", enters ? "sys_enter" :
						       "sys_exit") : NULL;
	struct record *r;

	if (!raw || raw->n_fields > MOST_FIELDS || kernel_has(b->k, FEATURE_SYSCALLS))
		return -1;
	r = &all->of[call - calls][enters];
	if (!r->format.fields) {
		r->format = *raw;
		r->format.fields = r->fields;
		memcpy(r->fields, raw->fields, raw->n_fields * sizeof(*raw->fields));
		name_arguments(r, call, b->arch);
		snprintf(r->filter, sizeof(r->filter), "id == %u", (uint16_t)number);
	}
	b->format = &r->format;
	b->main->system = raw->system;
	b->main->name = raw->event;
	b->main->filter = r->filter;
	return add_number(b, number);
}
