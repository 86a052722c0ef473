// SPDX-License-Identifier: GPL-2.0
/* The fetch arguments of probes, for the rings: where a value is, in words of tracefs. */
#include "compat/resolve/build_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/resolve/argument.h"

/*
 * The innermost part of a fetch argument of user space, where probes have no $argN. Uprobes that
 * read registers only have no $retval: its register takes its place.
 */
static int user_base(struct builder *b, const struct fetch *f, char *text, size_t size)
{
	if (be_of_usdt(b, f))
		return be_usdt_fetch(b, f, text, size);
	if (f->base == FETCH_RETVAL && !kernel_has(b->k, FEATURE_UPROBE_FETCH))
		text_cut(text, size, "%%%s", b->arch->result.name);
	else if (f->base == FETCH_RETVAL)
		snprintf(text, size, "$retval");
	else if (f->base == FETCH_RETHIGH)
		text_cut(text, size, "%%%s", b->arch->result_high.name);
	else if (f->base == FETCH_SP)
		text_cut(text, size, "%%%s", b->arch->sp.name);
	else if (f->base == FETCH_CALLER && b->arch->link.name)
		text_cut(text, size, "%%%s", b->arch->link.name);
	else if (f->base == FETCH_CALLER)
		text_cut(text, size, "+0(%%%s)", b->arch->sp.name);
	else if (argument_of_user(b->arch, b->abi, (int)f->number, text, size))
		return be_no_input(b, "passes where it is not known:", f->name);
	return 0;
}

/* The same of the kernel's functions; `extra` is added where the argument is in pt_regs itself. */
static int kernel_base(struct builder *b, const struct fetch *f, unsigned int extra, char *text,
		       size_t size)
{
	const bool through_regs = f->base == FETCH_SYS && b->wrapped;
	char regs[128];

	if (f->base == FETCH_RETVAL)
		snprintf(text, size, "$retval");
	else if (f->base == FETCH_RETHIGH)
		text_cut(text, size, "%%%s", b->arch->result_high.name);
	else if (f->base == FETCH_SP)
		text_cut(text, size, "%%%s", b->arch->sp.name);
	else if (argument_of_kernel(b->k, through_regs ? 1 : (int)f->number, regs, sizeof(regs)))
		return be_no_input(b, "passes where it is not known:", f->name);
	else if (through_regs)
		text_cut(text, size, "+%u(%s)",
			 b->syscall_args[f->number - 1] + (f->derefs ? 0U : extra), regs);
	else
		text_cut(text, size, "%s", regs);
	return 0;
}

/* Puts the dereferences around `inner`; `extra` is added to the last offset. */
static int add_derefs(struct builder *b, const struct fetch *f, int index, unsigned int extra,
		      char *inner, size_t size)
{
	char whole[256];

	for (unsigned int i = 0; i < f->derefs; i++) {
		int32_t offset = be_deref_offset(b, f, i, index) +
			(i == f->derefs - 1 ? (int32_t)extra : 0);
		bool user = f->deref[i].user && !b->place;

		if (user && !kernel_has(b->k, FEATURE_FETCH_USTRING)) {
			if (!b->arch->shared_addresses)
				return be_no_input(b, "needs to read user memory, which this "
						      "kernel's probes can't, for", f->name);
			user = false;
		}
		text_all(whole, sizeof(whole), "+%s%d(%s)", user ? "u" : "", offset, inner);
		memcpy(inner, whole, size);
	}
	return 0;
}

int be_fetch_text(struct builder *b, const struct fetch *f, int index, unsigned int extra,
		  char *text, size_t size)
{
	char inner[200];

	if (b->place ? user_base(b, f, inner, sizeof(inner)) :
	    kernel_base(b, f, extra, inner, sizeof(inner)))
		return -1;
	if (add_derefs(b, f, index, extra, inner, sizeof(inner)))
		return -1;
	if ((size_t)snprintf(text, size, "%s", inner) >= size)
		return be_no_input(b, "has too long a fetch argument for", f->name);
	if (b->place && *text != '%' && !kernel_has(b->k, FEATURE_UPROBE_FETCH))
		return not_served(b->refusal, b->hook, CANT_READ_MEMORY ", for %s of %s()",
				  f->name, b->place->symbol);
	return 0;
}

int be_append_fetch(struct event *e, const char *name, const char *fetch, const char *type)
{
	size_t have = e->layout->fetch ? strlen(e->layout->fetch) : 0;
	size_t more = strlen(name) + strlen(fetch) + strlen(type) + 4;
	char *text = realloc(e->layout->fetch, have + more);
	struct strbuf end;

	if (!text)
		return -1;
	e->layout->fetch = text;
	end = strbuf_over(text + have, more);
	strbuf_addf(&end, "%s%s%s%s:%s", have ? " " : "", name, *name ? "=" : "", fetch, type);
	return 0;
}
