// SPDX-License-Identifier: GPL-2.0
/* Where the inputs of an event's row are: in its record, registers, memory, or fetch arguments. */
#include "compat/resolve/build_internal.h"

#include <stdlib.h>
#include <string.h>

#include "compat/kinds/numbered.h"
#include "compat/kinds/syscall.h"
#include "compat/types/offsets.h"

static void cut_to(const struct builder *b, const struct field *f, struct input *in,
		   unsigned int size, bool is_signed)
{
	if (size > f->size)
		size = f->size;
	if (b->arch->big_endian)
		in->offset += (uint16_t)(f->size - size);
	in->size = (uint16_t)size;
	in->is_signed = is_signed;
}

/*
 * On syscalls:* an argument of a system call takes a whole register, even if its C type is shorter.
 * The rest of the slot then means nothing.
 */
static void cut_to_type(const struct builder *b, const struct field *f, struct input *in)
{
	const char *type = syscall_argument_type(f->type);
	const unsigned int bits = (unsigned int)strtoul(type + 2, NULL, 10);

	if (bits && bits / 8 < f->size)
		cut_to(b, f, in, bits / 8, type[1] == 's');
}

int be_no_input(struct builder *b, const char *what, const char *name)
{
	return not_served(b->refusal, b->hook, "%s %s %s", b->probe->name, what, name);
}

struct input *be_new_input(struct event *e, const char *name)
{
	struct input *in;
	size_t n = strlen(name);

	if (n && name[n - 1] == '?')
		n--;
	if (n >= sizeof(in->name))
		return NULL;
	in = layout_add(e->layout);
	if (in)
		memcpy(in->name, name, n);
	return in;
}

/* The size of a pointer in the code that is probed. */
static uint8_t pointer_size(const struct builder *b)
{
	return b->place ? b->abi->word : b->arch->word;
}

uint8_t be_word_of(const struct builder *b, const struct fetch *f)
{
	return f->base == FETCH_CURRENT ? b->arch->word : pointer_size(b);
}

int32_t be_deref_offset(const struct builder *b, const struct fetch *f, unsigned int i, int index)
{
	const int32_t step = f->deref[i].step;

	return f->deref[i].offset + (step == STEP_WORD ? be_word_of(b, f) : step) * index;
}

unsigned int be_number_size(const struct builder *b, const struct fetch *f)
{
	return f->size == SIZE_WORD ? be_word_of(b, f) : f->size;
}

int be_element(struct builder *b, const struct fetch *f, const struct field *field,
	       struct input *in)
{
	const unsigned int size = f->type == TYPE_NUMBER && !f->derefs ? be_number_size(b, f) :
				  b->arch->word;

	if (!field->is_array || field->is_data_loc || f->number < 0 ||
	    field->size / size <= (uint64_t)f->number)
		return be_no_input(b, "has no such element of", f->field);
	in->offset = (uint16_t)(field->offset + f->number * size);
	in->size = (uint16_t)size;
	in->is_signed = f->type == TYPE_NUMBER && f->is_signed;
	return 0;
}

/* Behind a ring nobody can follow it any more. */
static int only_pointer(struct builder *b, const char *field)
{
	return not_served(b->refusal, b->hook, "%s carries only a pointer to %s%s",
			  b->probe->name, field, strcmp(b->format->system, "syscalls") ? "" :
			  ": BPF can follow it, and so can a probe on the call's function "
			  "(kprobes); records of newer kernels (7.x) have the strings");
}

/* A field of a tracepoint's record, taken from the record as it is. */
static int record_input(struct builder *b, const struct fetch *f, const struct wanted_input *w,
			struct input *in)
{
	const struct field *field = format_field(b->format, f->field);
	bool pointer = f->type == TYPE_TEXT;

	if (!field)
		return be_no_input(b, "has no field", f->field);
	in->place = PLACE_RECORD;
	in->offset = (uint16_t)field->offset;
	in->size = (uint16_t)field->size;
	in->is_signed = field->is_signed && !field->is_array;
	in->user = f->user;
	in->kind = w->kind;
	if (f->number != NO_ELEMENT)
		return be_element(b, f, field, in);
	if (field->is_data_loc) {
		if (w->kind == INPUT_NUMBER)
			return be_no_input(b, "has a string, not a number, in", f->field);
		in->place = PLACE_DATA_LOC;
	} else if (w->kind == INPUT_STRING && pointer && b->target == TARGET_RING) {
		return only_pointer(b, f->field);
	} else if (w->kind == INPUT_STRING && !pointer && !field->is_array) {
		return be_no_input(b, "has no string in", f->field);
	} else if (w->kind == INPUT_NUMBER && field->size > 8) {
		return be_no_input(b, "has no number in", f->field);
	}
	/* On syscalls:* BPF programs get the arguments only, not the texts behind them. */
	if (in->place == PLACE_DATA_LOC && b->target == TARGET_BPF &&
	    !strcmp(b->format->system, "syscalls"))
		return be_no_input(b, "does not hand programs", f->field);
	if (w->kind == INPUT_NUMBER && !strcmp(b->format->system, "syscalls")) {
		if (f->type == TYPE_NUMBER)
			cut_to(b, field, in, be_number_size(b, f), f->is_signed);
		else
			cut_to_type(b, field, in);
	}
	return 0;
}

unsigned int be_record_head(const struct builder *b, enum event_kind kind)
{
	return RECORD_HEAD + b->arch->word * (event_traits(kind)->returns ? 2U : 1U);
}

bool be_needs_btf(const struct builder *b, const char *member)
{
	const struct offset *o = kernel_member(b->k, member);

	return o && o->needs_btf;
}

int be_place_members(struct builder *b, struct fetch *f)
{
	for (unsigned int i = 0; i < f->derefs; i++) {
		struct error why = { };
		int32_t offset;

		if (!f->deref[i].member[0])
			continue;
		if (kernel_offset(b->k, f->deref[i].member, &offset, &why))
			return lacks_member(b->refusal, b->hook,
					    be_needs_btf(b, f->deref[i].member),
					    "%s has no %s: %s", b->probe->name, f->name, why.text);
		f->deref[i].offset += offset;
	}
	return 0;
}

/*
 * If perf is asked for registers, it puts the ABI of the task's registers behind a record. perf's
 * records end 4 bytes beyond a multiple of 8. Only 64-bit kernels have tasks of both ABIs.
 */
static int ring_compat(struct builder *b, struct input *in)
{
	unsigned int end = 0;

	if (!b->format)
		return be_no_input(b, "does not tell", in->name);
	in->place = PLACE_RECORD;
	for (unsigned int i = 0; i < b->format->n_fields; i++) {
		const struct field *f = &b->format->fields[i];

		end = f->offset + f->size > end ? f->offset + f->size : end;
	}
	in->offset = (uint16_t)(((end + 7) / 8 * 8 + 4 + 7) / 8 * 8 - 4);
	in->size = 8;
	in->mask = 1;			/* PERF_SAMPLE_REGS_ABI_32 */
	b->main->layout->wants_abi = true;
	return 0;
}

/* The $compat of fetch.h. */
static int compat_input(struct builder *b, const struct wanted_input *w, struct input *in)
{
	struct error why = { };
	int32_t offset;

	in->kind = w->kind;
	/* perf's other recordings do not tell it either. */
	if (!kernel_has_compat_tasks(b->k) || kernel_recorded(b->k)) {
		in->place = PLACE_CONSTANT;
		return 0;
	}
	if (b->target == TARGET_RING)
		return ring_compat(b, in);
	if (!b->arch->compat_member)
		return be_no_input(b, "can't tell BPF of 32-bit tasks:", in->name);
	if (kernel_offset(b->k, b->arch->compat_member, &offset, &why))
		return lacks_member(b->refusal, b->hook, be_needs_btf(b, b->arch->compat_member),
				    "can't tell which calls are of 32-bit tasks: %s", why.text);
	in->place = PLACE_CURRENT;
	in->register_size = b->arch->word;
	in->size = 4;
	in->mask = b->arch->compat_bits;
	in->derefs = 1;
	in->deref[0].offset = offset;
	in->deref[0].size = 4;
	/* The helper whose result the verifier knows came with 5.11, task_pt_regs with 5.15. */
	in->typed = kernel_has(b->k, FEATURE_BPF_TASK_REGS) && offset <= INT16_MAX;
	return 0;
}

int be_add_compat(struct builder *b)
{
	static const struct wanted_input w = { .name = NUMBER_COMPAT, .kind = INPUT_NUMBER };
	struct input *in = be_new_input(b->main, w.name);

	return in ? compat_input(b, &w, in) : not_served(b->refusal, b->hook, "too many inputs");
}

bool be_several_texts(struct builder *b)
{
	unsigned int texts = 0;

	for (unsigned int i = 0; i < b->demand->n_inputs; i++) {
		struct fetch f;
		int index;

		if (be_find_fetch(b, b->demand->inputs[i].name, &f, &index) == 1 &&
		    f.type == TYPE_TEXT)
			texts++;
	}
	return texts > 1;
}

/* The $popped of fetch.h. */
static int64_t popped(const struct builder *b)
{
	const bool registers = !event_traits(b->main->kind)->arguments;

	return registers && b->arch->return_on_stack ? pointer_size(b) : 0;
}

/*
 * Returns true if the event has the stack pointer. On some machines the trampoline to which
 * functions of the kernel return does not save it.
 */
static bool tells_sp(const struct builder *b)
{
	const struct event_traits *traits = event_traits(b->main->kind);

	return b->place || !traits->returns || traits->arguments || !b->arch->returns_without_sp;
}

static bool begins(const struct builder *b)
{
	return b->place && !b->probe->offset && event_traits(b->main->kind)->begins;
}

/*
 * Every event at the beginning of a function of user space has the input `caller`. Behind the first
 * instructions of the function the return address may be elsewhere: there the input is 0.
 */
static bool caller_fetch(const struct builder *b, const char *name, struct fetch *f)
{
	if (!input_named(name, "caller"))
		return false;
	*f = (struct fetch){
		.name = "caller", .base = begins(b) ? FETCH_CALLER : FETCH_NUMBER,
		.type = TYPE_NUMBER, .size = SIZE_WORD,
	};
	return true;
}

/*
 * How programs find the registers of user space: `value` of PLACE_CALLER. Programs on samples run
 * on an interrupt's stack, so they need the offset.
 */
static bool find_task_stack(const struct builder *b, int32_t *value)
{
	const struct offset *stack;

	*value = -1;
	if (kernel_has(b->k, FEATURE_BPF_TASK_REGS))
		return true;
	stack = kernel_member(b->k, "task_struct.stack");
	if (stack && stack->origin != OFFSET_UNKNOWN && kernel_has(b->k, FEATURE_BPF_TASK))
		*value = stack->value;
	return *value >= 0 || !event_traits(b->main->kind)->timed;
}

/*
 * At other events BPF programs may find the caller where a function without a frame has it.
 * Programs of the rings get the caller with the stack. Returns -1 if programs can't find it: then
 * the input is 0.
 */
static int place_caller(struct builder *b, const char *name)
{
	struct input *in;
	int32_t value;

	if (!input_named(name, "caller") || b->target != TARGET_BPF || begins(b) ||
	    !b->arch->task_regs || !find_task_stack(b, &value))
		return -1;
	in = be_new_input(b->main, name);
	if (!in)
		return -1;
	in->place = PLACE_CALLER;
	in->size = b->arch->word;
	in->value = value;
	return 0;
}

/*
 * Returns true if the input is a number that is known now: an argument of a USDT probe, or a number
 * of the row.
 */
static bool constant_input(const struct builder *b, const struct fetch *f, struct input *in)
{
	if (be_of_usdt(b, f) && b->argument.where == USDT_NUMBER)
		in->value = b->argument.value;
	else if (f->base == FETCH_NUMBER)
		in->value = f->number;
	else if (f->base == FETCH_WORD)
		in->value = b->arch->word;
	else if (f->base == FETCH_POPPED)
		in->value = popped(b);
	else
		return false;
	in->place = PLACE_CONSTANT;
	return true;
}

/* Sets the place of the input, where this kind of engine can read it. */
static int placed_input(struct builder *b, const struct fetch *f, const struct wanted_input *w,
			int index, struct input *in)
{
	if (constant_input(b, f, in))
		return 0;
	if (f->base == FETCH_COMPAT)
		return compat_input(b, w, in);
	if (f->base == FETCH_CURRENT && b->target == TARGET_RING)
		return be_no_input(b, "lets only BPF programs read", w->name);
	if (b->format && !f->derefs && f->base == FETCH_FIELD)
		return record_input(b, f, w, in);
	if (b->target == TARGET_BPF)
		return be_memory_input(b, f, w, index, in);
	if (b->format)
		return only_pointer(b, f->field);
	return be_argument_input(b, f, w, index, in);
}

/* Adds the input that the row describes. A text may become parts or pieces of the event. */
static int fetched_input(struct builder *b, struct fetch *f, const struct wanted_input *w,
			 int index, bool texts_apart)
{
	const struct event_traits *traits = event_traits(b->main->kind);
	const unsigned int record = b->record;
	struct input *in;

	/* By then registers have other values. */
	if (traits->returns && !traits->arguments &&
	    (f->base == FETCH_ARG || f->base == FETCH_SYS))
		return be_no_input(b, "does not tell its arguments when it returns:", w->name);
	/* A sample of the rings has a stack, but no memory of the kernel. */
	if (traits->timed && b->target == TARGET_RING && f->base != FETCH_NUMBER)
		return not_served(b->refusal, b->hook,
				  "where a CPU is sampled only BPF programs can read the kernel's "
				  "memory, for %s", w->name);
	if (f->base == FETCH_SP && !tells_sp(b))
		return be_no_input(b, "does not tell the place on the stack:", w->name);
	if (be_place_members(b, f) || (be_of_usdt(b, f) && be_usdt_argument(b, f)))
		return -1;
	if (be_in_pieces(b, f))
		return f->is_row ? be_row(b, f, w->name) : be_pieces(b, f, index, w->name);
	if (b->target == TARGET_RING && !b->format && f->type == TYPE_TEXT && texts_apart)
		return be_text_part(b, f, index, w->name);
	in = be_new_input(b->main, w->name);
	if (!in)
		return not_served(b->refusal, b->hook, "too many inputs");
	if (placed_input(b, f, w, index, in)) {
		b->main->layout->n_inputs--;
		b->record = record;
		return -1;
	}
	return 0;
}

int be_add_input(struct builder *b, const struct wanted_input *w, bool texts_apart)
{
	struct fetch f;
	int index = 0, found = be_find_fetch(b, w->name, &f, &index);

	if (found < 0)
		return -1;
	if (event_input(b->main, w->name))
		return 0;
	if (!found && !place_caller(b, w->name))
		return 0;
	if (!found && !caller_fetch(b, w->name, &f))
		return be_add_identity(b, w);
	return fetched_input(b, &f, w, index, texts_apart) && !f.optional ? -1 : 0;
}
