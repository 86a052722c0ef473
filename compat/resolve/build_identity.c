// SPDX-License-Identifier: GPL-2.0
/* Inputs that no hook's table has: of the current task, of the event itself. */
#include "compat/resolve/build_internal.h"

#include "compat/resolve/identity.h"
#include "compat/types/offsets.h"

/*
 * The address of the function that was hit, or an address so near its beginning that it identifies
 * the function. Programs find it in the instruction pointer, which is the probe's address (on x86
 * and s390x the address behind its breakpoint). When a function returns, only the rings tell its
 * address.
 */
static int ip_input(struct builder *b, struct input *in)
{
	const struct event_traits *traits = event_traits(b->main->kind);
	bool ring = b->target == TARGET_RING;

	if (!traits->function)
		return be_no_input(b, "is not on a function, for", in->name);
	if (!ring && (traits->returns || b->arch->ip == 0xffff))
		return be_no_input(b, "does not tell BPF programs", in->name);
	in->place = ring ? PLACE_RECORD : PLACE_REGISTER;
	in->offset = ring ? RECORD_HEAD : b->arch->ip;
	in->size = b->arch->word;
	in->register_size = b->arch->register_size;
	return 0;
}

#define SHORT_UPID (4U << 16 | 15 << 8)	/* as in LINUX_VERSION_CODE: 4.15 */

/*
 * Words of an entry of struct pid's array. Before 4.15 an entry also has two pointers of a hash
 * table.
 */
static unsigned int upid_words(struct kernel *k)
{
	return kernel_version_code(k) < SHORT_UPID ? 4 : 2;
}

/*
 * An input that BPF programs read from the current task's struct. An entry of struct pid's array is
 * a struct upid: a number and, at the next aligned place, a pointer.
 */
static int current_input(struct builder *b, const struct identity *id,
			 const struct wanted_input *w, struct input *in)
{
	const char *text = id->current;
	struct error why = { };
	struct fetch f;
	int32_t at;

	if (fetch_next(&text, &f, &why) != 1)
		return not_served(b->refusal, NULL, "%s", why.text);
	if (be_place_members(b, &f) || be_memory_input(b, &f, w, 0, in))
		return -1;
	if (!id->index)
		return 0;
	if (kernel_offset(b->k, id->index, &at, &why))
		return lacks_member(b->refusal, b->hook, be_needs_btf(b, id->index), "%s",
				    why.text);
	in->deref[1].offset += b->arch->word;
	in->deref[1].index = at;
	in->deref[1].entry = (uint8_t)(upid_words(b->k) * b->arch->word);
	return 0;
}

/*
 * An input that only some events tell. For other events the hook's table has it, or it is
 * unavailable.
 */
static int event_input_of(struct builder *b, const struct identity *id,
			  const struct wanted_input *w, struct input *in)
{
	if (id->current && b->target == TARGET_BPF)
		return current_input(b, id, w, in);
	if (id->of_function)
		return ip_input(b, in);
	if (id->numbered && event_traits(b->main->kind)->traced) {
		const struct field *ip = format_field(b->format, "ip");

		/* The engine replaces the address by the number. */
		in->place = PLACE_RECORD;
		in->offset = (uint16_t)ip->offset;
		in->size = (uint16_t)ip->size;
		return 0;
	}
	if (!id->numbered || (b->target == TARGET_BPF && event_traits(b->main->kind)->numbered))
		return 0;
	return be_no_input(b, "is not on many functions, for", in->name);
}

int be_add_identity(struct builder *b, const struct wanted_input *w)
{
	const struct identity *id = identity_named(w->name);
	const char *missing = id ? identity_missing(id, b->k, b->target, b->main->kind) : NULL;
	struct input *in = id && !missing ? identity_add(b->main->layout, id) : NULL;

	if (id && !missing && !in)
		return not_served(b->refusal, b->hook, "too many inputs");
	if (in && !event_input_of(b, id, w, in))
		return 0;
	if (in) {
		b->main->layout->n_inputs--;
		return input_optional(w->name) ? 0 : -1;
	}
	if (input_optional(w->name))
		return 0;
	return id ? not_served(b->refusal, b->hook, "%s", missing) :
	       be_no_input(b, "does not tell", w->name);
}
