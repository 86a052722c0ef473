// SPDX-License-Identifier: GPL-2.0
/*
 * Inputs that are arguments of USDT probes. Each place of a probe says where its own arguments are.
 */
#include "compat/resolve/build_internal.h"

#include "compat/base/text.h"

static int refused(struct builder *b, const char *why)
{
	kernel_leave_out_place(b->k, b->place, why);
	return not_served(b->refusal, b->hook, "%s of %s: %s", b->place->symbol,
			  b->place->binary->path, why);
}

/* The value's bits by its type's size, extended by its type's sign. */
static int64_t extended(const struct usdt_argument *a)
{
	const unsigned int bits = 64 - 8U * a->size;
	const uint64_t value = (uint64_t)a->value << bits;

	return a->is_signed ? (int64_t)value >> bits : (int64_t)(value >> bits);
}

int be_usdt_argument(struct builder *b, struct fetch *f)
{
	struct usdt_argument *a = &b->argument;
	struct error why = { };

	if (usdt_argument(b->place->arguments, (unsigned int)f->number, b->abi->machine,
			  b->arch, a, &why))
		return refused(b, why.text);
	if (a->where == USDT_NUMBER && f->derefs)
		return refused(b, "its argument is a number there, and no address");
	if (a->where == USDT_MEMORY && !a->has_base && a->shift)
		return refused(b, "its argument is in an array at an address that probes can't "
				  "compute");
	if (a->where == USDT_NUMBER)
		a->value = extended(a);
	if (a->where == USDT_MEMORY && !a->has_base) {
		a->base = a->index;
		a->has_index = false;
	}
	if (f->derefs)
		return 0;
	f->size = a->size;
	f->is_signed = a->is_signed;
	return 0;
}

int be_usdt_register(struct builder *b, const struct fetch *f, struct input *in)
{
	const struct usdt_argument *a = &b->argument;

	in->offset = a->base.offset;
	if (a->where == USDT_REGISTER)
		return 0;
	in->deref[0].offset = (int32_t)a->value;
	in->deref[0].size = f->derefs ? b->abi->word : a->size;
	in->deref[0].user = true;
	in->derefs = 1;
	if (!a->has_index)
		return 0;
	in->index = a->index.offset;
	in->index_size = a->index.size;
	in->index_shift = a->shift;
	in->index_signed = a->index_signed;
	return 0;
}

int be_usdt_fetch(struct builder *b, const struct fetch *f, char *text, size_t size)
{
	const struct usdt_argument *a = &b->argument;

	(void)f;
	if (a->where == USDT_REGISTER) {
		text_cut(text, size, "%%%s", a->base.name);
		return 0;
	}
	if (a->has_index)
		return refused(b, "its argument is in an array, and only BPF programs can add two "
				  "registers");
	if (!kernel_has(b->k, FEATURE_UPROBE_FETCH))
		return refused(b, "its argument is in memory, which uprobes of this kernel can't "
				  "read");
	text_cut(text, size, "+%d(%%%s)", (int)a->value, a->base.name);
	return 0;
}
