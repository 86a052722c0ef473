// SPDX-License-Identifier: GPL-2.0
/* For BPF: an input that is read from a register, or from memory through dereferences. */
#include "compat/resolve/build_internal.h"

#include <string.h>

#include "compat/kinds/find.h"
#include "compat/types/offsets.h"
#include "compat/types/scalar.h"

int32_t be_stack_offset(const struct builder *b, const struct fetch *f)
{
	return (int32_t)(b->abi->word * f->number);
}

/* The size of a pointer that is read on the way. In an array it is the size of an entry. */
static uint8_t step_size(const struct builder *b, const struct fetch *f, unsigned int i)
{
	const int32_t step = f->deref[i].step;

	return step && step != STEP_WORD ? (uint8_t)step : be_word_of(b, f);
}

/* Sets the first dereference: the register has a pointer. */
static void first_deref(struct input *in, int32_t offset, uint8_t size, bool user)
{
	in->deref[0].offset = offset;
	in->deref[0].size = size;
	in->deref[0].user = user;
	in->derefs = 1;
}

/* For BPF: the input begins in a field of the record. */
static int begin_in_field(struct builder *b, const struct fetch *f, struct input *in)
{
	const struct field *field = format_field(b->format, f->field);

	if (!field)
		return be_no_input(b, "has no field", f->field);
	in->offset = (uint16_t)field->offset;
	in->register_size = (uint8_t)field->size;
	if (f->number != NO_ELEMENT) {
		struct input element = { };

		in->register_size = b->arch->word;
		if (be_element(b, f, field, &element))
			return -1;
		in->offset = element.offset;
	}
	return 0;
}

/* For BPF: the input begins in a register, or in a word of the stack (struct arch_register). */
static int begin_in_register(struct builder *b, const struct arch_register *reg, bool user,
			     struct input *in)
{
	if (reg->offset == 0xffff ||
	    (reg->word && !user && kernel_version_code(b->k) < b->arch->sp_since))
		return be_no_input(b, "passes where it is not known:", in->name);
	in->offset = reg->offset;
	if (reg->word)
		first_deref(in, (reg->word - 1) * b->arch->word, b->arch->word, user);
	return 0;
}

/* For BPF: the input begins in the current task's struct. */
static int begin_in_current(struct builder *b, struct input *in)
{
	if (!kernel_has(b->k, FEATURE_BPF_TASK))
		return be_no_input(b, "does not tell BPF programs the current task (4.8):",
				   in->name);
	in->register_size = b->arch->word;
	return 0;
}

/* Returns true if the member is of a struct that the argument points to, or that begins it. */
static bool has_member(const struct prototype_argument *a, const char *member)
{
	const size_t n = strcspn(member, ".");

	for (const char *type = a->type; *type; type += strcspn(type, "/"), type += *type == '/')
		if (!strncmp(type, member, n) && (!type[n] || type[n] == '/'))
			return true;
	return false;
}

/* Until then only a whole member could be loaded, the first of several at one place: 5.6. */
#define PARTS_LOADED (5U << 16 | 6 << 8)

/*
 * Returns true if the verifier lets a program load dereference i from a pointer to this struct, or
 * the first of these. A row that names no member has an offset that is the same on all kernels.
 */
static bool may_load(const struct builder *b, const struct fetch *f, unsigned int i,
		     const char *type, const struct input *in)
{
	const size_t n = strcspn(type, "/");
	struct error err;
	struct btf *btf;

	if (!n || i != f->derefs - 1u || f->deref[i].offset < 0 ||
	    kernel_version_code(b->k) < PARTS_LOADED)
		return false;
	btf = kernel_btf(b->k, &err);
	return btf && scalar_at(btf, type, n, (uint32_t)f->deref[i].offset, in->size);
}

/*
 * Returns true if type information agrees with what the row reads. A function may have another type
 * of struct than the row: a socket is the beginning of its protocol's own, struct tcp_sock. And a
 * row of a function may use an address as a number.
 */
static bool agrees(const struct builder *b, const struct fetch *f,
		   const struct prototype_argument *a)
{
	const struct event_traits *traits = event_traits(b->main->kind);
	const bool function = traits->typed_function;
	const char *member = f->derefs ? f->deref[0].member : "";
	const char *end = strchr(member, '.');
	const uint8_t size = be_number_size(b, f);

	/*
	 * A user who names a raw tracepoint or an iterator takes its arguments as they are, 64 bits
	 * each.
	 */
	if (b->probe->named && traits->arguments && !traits->typed)
		return true;
	if (a->opaque || (!a->pointer && !a->size))
		return false;
	if (!f->derefs && f->pointed[0])
		return a->pointer && has_member(a, f->pointed);
	if (!f->derefs)
		return function ? a->pointer || size <= a->size : !a->pointer && size == a->size;
	if (!a->pointer || !member[0] || has_member(a, member))
		return a->pointer;
	return function && !strncmp(a->type, "sock/", 5) && end - member > 5 &&
	       !strncmp(end - 5, "_sock", 5);
}

/*
 * For BPF: the input begins in an array of arguments, and of what is returned. The verifier knows
 * types of arguments, which exist. What a function returned may be no address: only numbers, whose
 * reads may ask whether they failed, are loaded from there.
 */
static int begin_in_array(struct builder *b, const struct fetch *f, struct input *in)
{
	const struct event_traits *traits = event_traits(b->main->kind);
	const bool result = f->base == FETCH_RETVAL && traits->returns;
	const unsigned int at = result ? b->prototype.n : (unsigned int)f->number - 1;
	const struct prototype_argument *a;

	if (!result && (f->base != FETCH_ARG || at >= b->prototype.n))
		return be_no_input(b, "has no argument for", in->name);
	a = result ? &b->prototype.result : &b->prototype.arguments[at];
	if (!agrees(b, f, a))
		return be_no_input(b, "has another argument than expected for", in->name);
	in->offset = (uint16_t)(sizeof(uint64_t) * at);
	in->register_size = sizeof(uint64_t);
	in->returned = result;
	in->typed = traits->typed && f->derefs && (!result || in->kind == INPUT_NUMBER) &&
		    (f->deref[0].member[0] ? has_member(a, f->deref[0].member) :
					     may_load(b, f, 0, a->type, in));
	in->pointer = traits->typed_function && a->pointer;
	return 0;
}

/*
 * For BPF: the stack pointer. Programs do not get it, but the array of arguments is on the stack.
 * It is the same one when the function is called and when it returns, if both are told by such
 * programs: then the row names this kind of probe.
 */
static int begin_in_context(struct builder *b, struct input *in)
{
	if (probe_finder(b->probe)->event != b->main->kind)
		return be_no_input(b, "does not tell the place on the stack:", in->name);
	in->place = PLACE_CONTEXT;
	return 0;
}

/*
 * Returns true if a program may load the input itself. A pointer that a load returns has a type
 * too: the next load is allowed if that is the struct which the row names. But the verifier lets no
 * number be added to it. The offset of a load has 16 bits.
 */
static bool loadable(const struct builder *b, const struct fetch *f, const struct input *in)
{
	if (in->kind == INPUT_BYTES)
		return !in->derefs && in->value >= 0 && in->value + in->size <= INT16_MAX;
	for (unsigned int i = 0; i < in->derefs; i++) {
		const char *of = f->deref[i].member;
		const struct offset *to = i ? kernel_member(b->k, f->deref[i - 1].member) : NULL;

		if (in->deref[i].offset != (int16_t)in->deref[i].offset)
			return false;
		if (i && (!to || !to->pointed[0]))
			return false;
		if (i && *of ? strncmp(to->pointed, of, strcspn(of, ".")) ||
			       to->pointed[strcspn(of, ".")] :
			       i && !may_load(b, f, i, to->pointed, in))
			return false;
	}
	return in->derefs == 1 || (in->derefs && (in->kind == INPUT_NUMBER || !in->value));
}

/* For BPF: the input begins in a call's arguments, results or stack. */
static int begin_in_call(struct builder *b, const struct fetch *f, bool user, struct input *in)
{
	struct arch_register argument;

	if (event_traits(b->main->kind)->arguments)
		return f->base == FETCH_SP ? begin_in_context(b, in) : begin_in_array(b, f, in);
	if (f->base == FETCH_RETVAL)
		return begin_in_register(b, &b->arch->result, user, in);
	if (f->base == FETCH_RETHIGH)
		return begin_in_register(b, &b->arch->result_high, user, in);
	if (f->base == FETCH_SP)
		return begin_in_register(b, &b->arch->sp, user, in);
	if (f->base == FETCH_CALLER && b->arch->link.name)
		return begin_in_register(b, &b->arch->link, user, in);
	if (f->base == FETCH_CALLER) {
		first_deref(in, 0, b->abi->word, true);
		return begin_in_register(b, &b->arch->sp, user, in);
	}
	if (f->base == FETCH_SYS && b->wrapped) {
		first_deref(in, b->syscall_args[f->number - 1], b->arch->word, false);
		return begin_in_register(b, &b->arch->args[0], user, in);
	}
	if (be_of_usdt(b, f))
		return be_usdt_register(b, f, in);
	if (user && b->abi->on_stack) {
		first_deref(in, be_stack_offset(b, f), b->abi->word, true);
		return begin_in_register(b, &b->arch->sp, user, in);
	}
	argument = arch_argument(b->arch, (unsigned int)f->number);
	return begin_in_register(b, &argument, user, in);
}

/* Adds the dereferences of the row. For a text or for bytes the last one makes an address. */
static int follow_derefs(struct builder *b, const struct fetch *f, const struct wanted_input *w,
			 int index, bool user, struct input *in)
{
	const bool address = w->kind != INPUT_NUMBER;

	if (address && !f->derefs)
		return be_no_input(b, "has no address of", in->name);
	for (unsigned int i = 0; i < f->derefs; i++) {
		const bool last = i == f->derefs - 1u;

		if (last && address) {
			in->value = be_deref_offset(b, f, i, index);
			if (w->kind == INPUT_BYTES)
				in->user = f->deref[i].user || user;
			break;
		}
		if (in->derefs == DEREFS)
			return be_no_input(b, "needs too many dereferences for", in->name);
		in->deref[in->derefs].offset = be_deref_offset(b, f, i, index);
		in->deref[in->derefs].user = f->deref[i].user || user;
		in->deref[in->derefs++].size = last ? (uint8_t)in->size : step_size(b, f, i);
	}
	return 0;
}

int be_memory_input(struct builder *b, const struct fetch *f, const struct wanted_input *w,
			int index, struct input *in)
{
	const bool user = b->place != NULL && f->base != FETCH_CURRENT;

	in->place = f->base == FETCH_CURRENT ? PLACE_CURRENT : PLACE_REGISTER;
	in->kind = w->kind;
	in->size = (uint16_t)be_number_size(b, f);
	in->is_signed = f->is_signed;
	in->network_order = f->network_order;
	in->user = f->user || user;
	in->register_size = b->arch->register_size;
	if (f->base == FETCH_FIELD ? begin_in_field(b, f, in) :
	    f->base == FETCH_CURRENT ? begin_in_current(b, in) :
	    begin_in_call(b, f, user, in))
		return -1;
	if (follow_derefs(b, f, w, index, user, in))
		return -1;
	in->typed = in->typed && loadable(b, f, in);
	/* The verifier itself says if it does not know the way. */
	if (w->kind == INPUT_PATH) {
		in->typed = true;
		in->pointer = false;
	}
	return 0;
}
