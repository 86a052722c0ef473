// SPDX-License-Identifier: GPL-2.0
#include "compat/build_event.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/fetch.h"
#include "compat/offsets.h"

/* Bytes of a path the rings carry: an event must never outgrow its path, whatever the traced program passes. */
#define NAME_BYTES 264
#define NAME_WORDS (NAME_BYTES / 8)

struct builder {
	struct kernel *k;
	enum target target;
	const struct arch *arch;
	const struct alternative *alternative;
	const struct probe *probe;
	const struct demand *demand;
	const struct format *format;	/* tracepoints */
	const struct place *place;	/* of user space; NULL: a probe of the kernel */
	const struct arch_abi *abi;	/* there */
	bool wrapped;			/* the function's one argument is a pt_regs with the system call's */
	const uint16_t *syscall_args;
	struct event *main, *parts[EVENT_INPUTS];
	unsigned int n_parts;
	unsigned int record;		/* bytes of the record so far */
	struct error *err;
};

void event_free(struct event *e)
{
	if (!e)
		return;
	free(e->fetch);
	free(e->filter);
	free(e);
}

static bool names_input(const char *wanted, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(wanted, name, n) && (!wanted[n] || (wanted[n] == '?' && !wanted[n + 1]));
}

bool is_task_identity(const char *name)
{
	return names_input(name, "tid") || names_input(name, "tgid") || names_input(name, "pid_tgid") ||
	       names_input(name, "uid") || names_input(name, "comm");
}

bool is_identity(const char *name)
{
	return is_task_identity(name) || names_input(name, "time") || names_input(name, "cpu");
}

bool missing_identity(enum target target, const char *name)
{
	return target == TARGET_RING && names_input(name, "uid");
}

/* The function behind a system call by its prefixes: those differ by machine, kernel and ABI. */
static const char *syscall_function(struct kernel *k, const struct arch_prefix *prefixes, const char *call,
				    const struct arch_prefix **which)
{
	char name[80];

	for (const struct arch_prefix *p = prefixes; p->prefix; p++) {
		const char *function;

		if (kernel_version_code(k) < p->since)
			continue;
		snprintf(name, sizeof(name), "%s%s", p->prefix, call);
		function = kernel_function(k, name);
		if (!function)
			continue;
		*which = p;
		return function;
	}
	return NULL;
}

bool kernel_has_compat_tasks(struct kernel *k)
{
	const struct arch *arch = kernel_arch(k);
	const struct arch_prefix *which;
	const char *config;

	if (arch->word != 8)
		return false;
	if (arch->compat_calls_tell)
		return syscall_function(k, arch->compat_prefix, "execve", &which) != NULL;
	/* sysctls that only kernels with 32-bit tasks beside 64-bit ones have: x86, arm64. */
	if (kernel_text(k, "/proc/sys/abi/vsyscall32") || kernel_text(k, "/proc/sys/abi/cp15_barrier"))
		return true;
	/* The running kernel may have been told at boot not to; of another one there may be only the configuration. */
	config = kernel_live(k) ? NULL : kernel_text(k, "config");
	return config && strstr(config, "\nCONFIG_COMPAT=y\n");
}

/* On these machines one address means one place: kernel accessors read user memory, as `string` did before 5.3. */
static bool shared_address_space(const struct arch *arch)
{
	return !strcmp(arch->name, "x86_64") || !strcmp(arch->name, "i686") || !strncmp(arch->name, "arm", 3);
}

/*
 * What a C type of a system call's argument says of its value: on syscalls:* the slot is as wide as a register, and
 * its upper half means nothing.
 */
static void cut_to_type(const struct builder *b, const struct field *f, struct input *in)
{
	static const struct {
		const char *type;
		uint8_t size;
		bool is_signed;
	} types[] = {
		{ "int", 4, true }, { "unsigned int", 4, false }, { "umode_t", 2, false }, { "pid_t", 4, true },
		{ "uid_t", 4, false }, { "gid_t", 4, false }, { "mode_t", 4, false }, { "u32", 4, false },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(f->type, types[i].type) || types[i].size >= f->size)
			continue;
		if (b->arch->big_endian)
			in->offset += (uint16_t)(f->size - types[i].size);
		in->size = types[i].size;
		in->is_signed = types[i].is_signed;
		return;
	}
}

static int no_input(struct builder *b, const char *what, const char *name)
{
	return fail(b->err, "%s: %s %s %s", b->demand->hook, b->probe->name, what, name);
}

static struct input *new_input(struct event *e, const char *name)
{
	struct input *in;
	size_t n = strlen(name);

	if (e->n_inputs == EVENT_INPUTS)
		return NULL;
	in = &e->inputs[e->n_inputs];
	if (n && name[n - 1] == '?')
		n--;
	if (n >= sizeof(in->name))
		return NULL;
	e->n_inputs++;
	memcpy(in->name, name, n);
	return in;
}

/* The size of a pointer where the probe is. */
static uint8_t pointer_size(const struct builder *b)
{
	return b->place ? b->abi->word : b->arch->word;
}

static int step_of(const struct builder *b, int32_t step)
{
	return step == STEP_WORD ? pointer_size(b) : step;
}

/* The offset of a dereference for one index. */
static int32_t deref_offset(const struct builder *b, const struct fetch *f, unsigned int i, int index)
{
	return f->deref[i].offset + step_of(b, f->deref[i].step) * index;
}

static unsigned int number_size(const struct builder *b, const struct fetch *f)
{
	return f->size == SIZE_WORD ? pointer_size(b) : f->size;
}

/* A field of a tracepoint's record, taken from there as it is. */
static int record_input(struct builder *b, const struct fetch *f, const struct wanted_input *w, struct input *in)
{
	const struct field *field = format_field(b->format, f->field);
	bool pointer = f->type == TYPE_TEXT;

	if (!field)
		return no_input(b, "has no field", f->field);
	in->place = PLACE_RECORD;
	in->offset = (uint16_t)field->offset;
	in->size = (uint16_t)field->size;
	in->is_signed = field->is_signed && !field->is_array;
	in->user = f->user;
	in->kind = w->kind;
	if (field->is_data_loc) {
		if (w->kind == INPUT_NUMBER)
			return no_input(b, "has text, not a number, in", f->field);
		in->place = PLACE_DATA_LOC;
	} else if (w->kind == INPUT_STRING && pointer && b->target == TARGET_RING) {
		return no_input(b, "carries only a pointer to", f->field);
	} else if (w->kind == INPUT_STRING && !pointer && !field->is_array) {
		return no_input(b, "has no text in", f->field);
	} else if (w->kind == INPUT_NUMBER && field->size > 8) {
		return no_input(b, "has no number in", f->field);
	}
	/* A syscalls:* program is not handed the texts that stand behind the arguments in the record. */
	if (in->place == PLACE_DATA_LOC && b->target == TARGET_BPF && !strcmp(b->format->system, "syscalls"))
		return no_input(b, "does not hand programs", f->field);
	if (w->kind == INPUT_NUMBER && !strcmp(b->format->system, "syscalls"))
		cut_to_type(b, field, in);
	return 0;
}

/* Argument N from the stack pointer, where they are on the stack: the address to return to is below the first. */
static int32_t stack_offset(const struct builder *b, const struct fetch *f)
{
	return (int32_t)(b->abi->word * f->number);
}

/*
 * For BPF: a register, or a pointer in the record, and the dereferences from there. Of a text or of bytes the last
 * dereference is not read but tells their address.
 */
static int memory_input(struct builder *b, const struct fetch *f, const struct wanted_input *w, int index,
			struct input *in)
{
	bool address = w->kind != INPUT_NUMBER, user = b->place != NULL;
	unsigned int derefs = f->derefs;
	const struct arch_register *reg = NULL;

	in->place = f->base == FETCH_CURRENT ? PLACE_CURRENT : PLACE_REGISTER;
	in->kind = w->kind;
	in->size = (uint16_t)number_size(b, f);
	in->is_signed = f->is_signed;
	in->network_order = f->network_order;
	in->user = f->user || user;
	in->register_size = b->arch->register_size;
	if (f->base == FETCH_FIELD) {
		const struct field *field = format_field(b->format, f->field);

		if (!field)
			return no_input(b, "has no field", f->field);
		in->offset = (uint16_t)field->offset;
		in->register_size = (uint8_t)field->size;
	} else if (f->base == FETCH_RETVAL) {
		reg = &b->arch->result;
	} else if (f->base == FETCH_CURRENT) {
		in->register_size = b->arch->word;
	} else if (f->base == FETCH_SYS && b->wrapped) {
		reg = &b->arch->args[0];
		in->deref[0].offset = b->syscall_args[f->number - 1];
		in->deref[0].size = b->arch->word;
		in->derefs = 1;
	} else if (user && b->abi->on_stack) {
		reg = &b->arch->sp;
		in->deref[0].offset = stack_offset(b, f);
		in->deref[0].size = b->abi->word;
		in->deref[0].user = true;
		in->derefs = 1;
	} else {
		reg = &b->arch->args[f->number - 1];
	}
	if (reg && reg->offset == 0xffff)
		return no_input(b, "passes on the stack:", in->name);
	if (reg)
		in->offset = reg->offset;
	if (address && !derefs)
		return no_input(b, "has no address of", in->name);
	for (unsigned int i = 0; i < derefs; i++) {
		bool last = i == derefs - 1;

		if (last && address) {
			in->value = deref_offset(b, f, i, index);
			if (w->kind == INPUT_BYTES)
				in->user = f->deref[i].user || user;
			break;
		}
		if (in->derefs == DEREFS)
			return no_input(b, "lies too deep:", in->name);
		in->deref[in->derefs].offset = deref_offset(b, f, i, index);
		in->deref[in->derefs].user = f->deref[i].user || user;
		/* An array of pointers of 32-bit tasks is as wide as its number's type; all else are pointers. */
		in->deref[in->derefs++].size = last ? (uint8_t)in->size : f->deref[i].step && f->deref[i].step != STEP_WORD ?
					       (uint8_t)f->deref[i].step : pointer_size(b);
	}
	return 0;
}

/* What a fetch argument of user space begins from: probes there know no $argN, and no memory but user memory. */
static int user_base(struct builder *b, const struct fetch *f, char *text, size_t size)
{
	const struct arch_register *reg;

	if (f->base == FETCH_RETVAL) {
		snprintf(text, size, "$retval");
		return 0;
	}
	if (b->abi->on_stack) {
		snprintf(text, size, "+%d(%%%s)", stack_offset(b, f), b->arch->sp.name);
		return 0;
	}
	reg = &b->arch->args[f->number - 1];
	if (reg->offset == 0xffff)
		return no_input(b, "passes on the stack:", f->name);
	snprintf(text, size, "%%%s", reg->name);
	return 0;
}

/* The fetch argument's text for the rings: +u8(+104($arg1)). */
static int fetch_text(struct builder *b, const struct fetch *f, int index, unsigned int extra, char *text, size_t size)
{
	const char *reg = NULL;
	char inner[200], whole[256];
	int argument = (int)f->number;

	if (b->place) {
		if (user_base(b, f, inner, sizeof(inner)))
			return -1;
	} else if (f->base == FETCH_RETVAL) {
		snprintf(inner, sizeof(inner), "$retval");
	} else {
		bool through_regs = f->base == FETCH_SYS && b->wrapped;

		if (through_regs)
			argument = 1;
		reg = b->arch->args[argument - 1].name;
		if (kernel_has(b->k, FEATURE_FETCH_ARG))
			snprintf(inner, sizeof(inner), "$arg%d", argument);
		else if (b->arch->args[argument - 1].offset == 0xffff)
			return no_input(b, "passes on the stack:", f->name);
		else
			snprintf(inner, sizeof(inner), "%%%s", reg);
		if (through_regs) {
			snprintf(whole, sizeof(whole), "+%u(%s)", b->syscall_args[f->number - 1] + (f->derefs ? 0U : extra), inner);
			memcpy(inner, whole, sizeof(inner));
		}
	}
	for (unsigned int i = 0; i < f->derefs; i++) {
		int32_t offset = deref_offset(b, f, i, index) + (i == f->derefs - 1 ? (int32_t)extra : 0);
		bool user = f->deref[i].user && !b->place;

		if (user && !kernel_has(b->k, FEATURE_FETCH_USTRING)) {
			if (!shared_address_space(b->arch))
				return no_input(b, "needs to read user memory, which this kernel's probes can't, for", f->name);
			user = false;
		}
		snprintf(whole, sizeof(whole), "+%s%d(%s)", user ? "u" : "", offset, inner);
		memcpy(inner, whole, sizeof(inner));
	}
	if ((size_t)snprintf(text, size, "%s", inner) >= size)
		return no_input(b, "has too long a fetch argument for", f->name);
	return 0;
}

/* Names of fetch arguments are words: arg[3] becomes arg3. */
static void word_of(const char *name, char *word, size_t size)
{
	size_t n = 0;

	for (; *name && n + 1 < size; name++)
		if (isalnum((unsigned char)*name) || *name == '_')
			word[n++] = *name;
	word[n] = '\0';
}

static int append_fetch(struct event *e, const char *name, const char *fetch, const char *type)
{
	size_t have = e->fetch ? strlen(e->fetch) : 0, more = strlen(name) + strlen(fetch) + strlen(type) + 4;
	char *text = realloc(e->fetch, have + more);

	if (!text)
		return -1;
	e->fetch = text;
	snprintf(text + have, more, "%s%s=%s:%s", have ? " " : "", name, fetch, type);
	return 0;
}

/* Bytes of a probe event's record before its first argument: struct trace_entry and the probe's addresses. */
static unsigned int record_head(const struct builder *b, enum event_kind kind)
{
	bool returns = kind == EVENT_KRETPROBE || kind == EVENT_URETPROBE;

	return 8 + b->arch->word * (returns ? 2U : 1U);
}

/* n u64 words from one address on: ftrace packs arguments without gaps, so they read as one array of bytes. */
static int words_input(struct builder *b, const struct fetch *f, int index, unsigned int bytes, struct input *in)
{
	char name[INPUT_NAME + 8], word[INPUT_NAME], text[160], type[16];

	word_of(in->name, word, sizeof(word));
	in->place = PLACE_RECORD;
	in->offset = (uint16_t)b->record;
	in->size = (uint16_t)bytes;
	if (bytes >= 16 && bytes % 8 == 0 && kernel_has(b->k, FEATURE_FETCH_ARRAY)) {
		snprintf(type, sizeof(type), "x64[%u]", bytes / 8);
		if (fetch_text(b, f, index, 0, text, sizeof(text)) || append_fetch(b->main, word, text, type))
			return -1;
	} else {
		unsigned int size;

		for (unsigned int at = 0; at < bytes; at += size) {
			size = bytes - at >= 8 ? 8 : bytes - at >= 4 ? 4 : bytes - at >= 2 ? 2 : 1;
			snprintf(name, sizeof(name), at ? "%s_%u" : "%s", word, at);
			snprintf(type, sizeof(type), "u%u", size * 8);
			if (fetch_text(b, f, index, at, text, sizeof(text)) ||
			    append_fetch(b->main, name, text, type))
				return -1;
		}
	}
	b->record += bytes;
	return 0;
}

static int text_input(struct builder *b, const struct fetch *f, int index, struct event *e, unsigned int *record,
		      struct input *in)
{
	char word[INPUT_NAME], text[160];
	bool user = f->user && !b->place;

	if (user && !kernel_has(b->k, FEATURE_FETCH_USTRING)) {
		if (!shared_address_space(b->arch))
			return no_input(b, "needs fetch type ustring for", in->name);
		user = false;
	}
	if (!user && !kernel_has(b->k, FEATURE_FETCH_STRING))
		return no_input(b, "needs fetch type string for", in->name);
	word_of(in->name, word, sizeof(word));
	in->place = PLACE_DATA_LOC;
	in->is_short = f->is_short;
	in->offset = (uint16_t)*record;
	in->size = 4;
	*record += 4;
	if (fetch_text(b, f, index, 0, text, sizeof(text)))
		return -1;
	return append_fetch(e, word, text, user ? "ustring" : "string");
}

/*
 * An empty text and one that can't be read both have no length up to 6.1, but the empty one's NUL has room behind the
 * data_loc. That shows only if the data_loc ends where perf's records do (4 bytes beyond a multiple of 8); on 32-bit
 * kernels it would end 4 bytes before that, and perf's record is the same with the NUL.
 */
static int pad_part(struct builder *b, struct event *e, unsigned int *record)
{
	char reg[16];

	if ((*record + 4) % 8 == 4 || b->arch->args[0].offset == 0xffff)
		return 0;
	*record += 4;
	snprintf(reg, sizeof(reg), "%%%s", b->arch->args[0].name);
	return append_fetch(e, "pad", reg, "u32");
}

/* A text of its own event: see struct event about parts. */
static int text_part(struct builder *b, const struct fetch *f, int index, const char *name)
{
	struct event *e = calloc(1, sizeof(*e));
	unsigned int record = record_head(b, b->main->kind);
	struct input *in;

	if (!e)
		return fail(b->err, "out of memory");
	e->kind = b->main->kind;
	memcpy(e->name, b->main->name, sizeof(e->name));
	e->binary = b->main->binary;
	e->address = b->main->address;
	e->id = -1;
	e->is_part = true;
	in = new_input(e, name);
	in->kind = INPUT_STRING;
	if (pad_part(b, e, &record) || text_input(b, f, index, e, &record, in)) {
		event_free(e);
		return -1;
	}
	b->parts[b->n_parts++] = e;
	return 0;
}

/* For the rings: an argument of the probe's own event. */
static int argument_input(struct builder *b, const struct fetch *f, const struct wanted_input *w, int index,
			  struct input *in)
{
	char word[INPUT_NAME], text[160], type[8];
	unsigned int extra = 0;

	in->kind = w->kind;
	in->user = f->user;
	if (f->type == TYPE_NAME)
		return words_input(b, f, index, NAME_BYTES, in);
	if (f->type == TYPE_BYTES)
		return words_input(b, f, index, f->size, in);
	if (f->type == TYPE_TEXT)
		return text_input(b, f, index, b->main, &b->record, in);
	word_of(in->name, word, sizeof(word));
	in->place = PLACE_RECORD;
	in->offset = (uint16_t)b->record;
	in->size = (uint16_t)number_size(b, f);
	in->is_signed = f->is_signed;
	in->network_order = f->network_order;
	b->record += in->size;
	snprintf(type, sizeof(type), "%c%u", f->is_signed ? 's' : 'u', in->size * 8U);
	/* A call's argument stands in memory as a whole register: on big-endian machines its low half is the second. */
	if (f->base == FETCH_SYS && b->wrapped && !f->derefs && b->arch->big_endian)
		extra = b->arch->word - in->size;
	if (fetch_text(b, f, index, extra, text, sizeof(text)))
		return -1;
	return append_fetch(b->main, word, text, type);
}

/* The hook table's item for an input, and which of its row it is. 1: found, 0: none, -1: the table is wrong. */
static int find_fetch(struct builder *b, const char *name, struct fetch *f, int *index)
{
	const char *text = b->probe->inputs;
	int found;

	while ((found = fetch_next(&text, f, b->err)) > 0) {
		size_t n = strlen(f->name);

		*index = 0;
		if (f->indexed && !strncmp(name, f->name, n) && name[n] == '[') {
			*index = atoi(name + n + 1);
			return 1;
		}
		if (!f->indexed && names_input(name, f->name))
			return 1;
	}
	return found;
}

/* Members become numbers; what cannot is an input this kernel does not have. */
static int place_members(struct builder *b, struct fetch *f)
{
	for (unsigned int i = 0; i < f->derefs; i++) {
		struct error why = { };
		int32_t offset;

		if (!f->deref[i].member[0])
			continue;
		if (kernel_offset(b->k, f->deref[i].member, &offset, &why))
			return fail(b->err, "%s: %s has no %s: %s", b->demand->hook, b->probe->name, f->name, why.text);
		f->deref[i].offset += offset;
	}
	return 0;
}

/*
 * perf puts the ABI of the task's registers behind a record if it is asked for these, and its records end 4 bytes beyond
 * a multiple of 8. Kernels that have tasks of both kinds have 64 bits.
 */
static int ring_compat(struct builder *b, struct input *in)
{
	unsigned int end = 0;

	if (b->main->kind != EVENT_TRACEPOINT)
		return no_input(b, "does not tell", in->name);
	in->place = PLACE_RECORD;
	for (unsigned int i = 0; i < b->format->n_fields; i++) {
		const struct field *f = &b->format->fields[i];

		end = f->offset + f->size > end ? f->offset + f->size : end;
	}
	in->offset = (uint16_t)(((end + 7) / 8 * 8 + 4 + 7) / 8 * 8 - 4);
	in->size = 8;
	in->mask = 1;			/* PERF_SAMPLE_REGS_ABI_32 */
	b->main->wants_abi = true;
	return 0;
}

/* The $compat of fetch.h. */
static int compat_input(struct builder *b, const struct wanted_input *w, struct input *in)
{
	struct error why = { };
	int32_t offset;

	in->kind = w->kind;
	if (!kernel_has_compat_tasks(b->k)) {
		in->place = PLACE_CONSTANT;
		return 0;
	}
	if (b->target == TARGET_RING)
		return ring_compat(b, in);
	if (!b->arch->compat_member)
		return no_input(b, "can't tell BPF of 32-bit tasks:", in->name);
	if (kernel_offset(b->k, b->arch->compat_member, &offset, &why))
		return fail(b->err, "%s: which calls are of 32-bit tasks can't be told: %s", b->demand->hook, why.text);
	in->place = PLACE_CURRENT;
	in->register_size = b->arch->word;
	in->size = 4;
	in->mask = b->arch->compat_bits;
	in->derefs = 1;
	in->deref[0].offset = offset;
	in->deref[0].size = 4;
	return 0;
}

static bool optional_input(const struct wanted_input *w)
{
	return w->name[strlen(w->name) - 1] == '?';
}

/* Several texts in one event would make it grow beyond what its way to user space takes. */
static bool several_texts(struct builder *b)
{
	unsigned int texts = 0;

	for (unsigned int i = 0; i < b->demand->n_inputs; i++) {
		struct fetch f;
		int index;

		if (find_fetch(b, b->demand->inputs[i].name, &f, &index) == 1 && f.type == TYPE_TEXT)
			texts++;
	}
	return texts > 1;
}

static int add_input(struct builder *b, const struct wanted_input *w, bool texts_apart)
{
	struct fetch f;
	struct input *in;
	int index, found = find_fetch(b, w->name, &f, &index);
	bool tracepoint = b->main->kind == EVENT_TRACEPOINT;

	if (found < 0)
		return -1;
	if (!found) {
		if (is_identity(w->name) && !missing_identity(b->target, w->name))
			return 0;
		if (missing_identity(b->target, w->name) && !optional_input(w))
			return fail(b->err, "%s: the ring buffers carry no user ids", b->demand->hook);
		return optional_input(w) ? 0 : no_input(b, "does not tell", w->name);
	}
	if (event_input(b->main, w->name))
		return 0;
	if (place_members(b, &f))
		return f.optional ? 0 : -1;
	if (b->target == TARGET_RING && !tracepoint && f.type == TYPE_TEXT && texts_apart)
		return text_part(b, &f, index, w->name) && !f.optional ? -1 : 0;
	in = new_input(b->main, w->name);
	if (!in)
		return fail(b->err, "%s: too many inputs", b->demand->hook);
	if (f.base == FETCH_NUMBER) {
		in->place = PLACE_CONSTANT;
		in->value = f.number;
		return 0;
	}
	if (f.base == FETCH_COMPAT)
		found = compat_input(b, w, in);
	else if (f.base == FETCH_CURRENT && b->target == TARGET_RING)
		found = no_input(b, "tells nobody but BPF", w->name);
	else if (tracepoint && !f.derefs && f.base == FETCH_FIELD)
		found = record_input(b, &f, w, in);
	else if (b->target == TARGET_BPF)
		found = memory_input(b, &f, w, index, in);
	else if (tracepoint)
		found = no_input(b, "carries only a pointer to", w->name);
	else
		found = argument_input(b, &f, w, index, in);
	if (found && f.optional) {
		b->main->n_inputs--;
		memset(in, 0, sizeof(*in));
		found = 0;
	}
	return found;
}

static int find_tracepoint(struct builder *b)
{
	char system[48];
	const char *event = strchr(b->probe->name, ':');

	snprintf(system, sizeof(system), "%.*s", (int)(event - b->probe->name), b->probe->name);
	event++;
	b->format = kernel_format(b->k, system, event);
	if (!b->format)
		return fail(b->err, "%s: this kernel has no tracepoint %s", b->demand->hook, b->probe->name);
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_TRACEPOINT))
		return fail(b->err, "%s: this kernel takes no BPF programs on tracepoints", b->demand->hook);
	if (b->target == TARGET_BPF && !strcmp(system, "syscalls") && !kernel_has(b->k, FEATURE_BPF_SYSCALL))
		return fail(b->err, "%s: this kernel takes no BPF programs on syscalls:* tracepoints", b->demand->hook);
	snprintf(b->main->system, sizeof(b->main->system), "%s", system);
	snprintf(b->main->name, sizeof(b->main->name), "%s", event);
	b->main->id = b->format->id;
	if (b->probe->filter) {
		b->main->filter = strdup(b->probe->filter);
		if (!b->main->filter)
			return fail(b->err, "out of memory");
	}
	return 0;
}

static const char *find_syscall(struct builder *b)
{
	bool compat = b->probe->kind == PROBE_COMPAT || b->probe->kind == PROBE_COMPATRET;
	const struct arch_prefix *which;
	const char *function = syscall_function(b->k, compat ? b->arch->compat_prefix : b->arch->syscall_prefix,
						b->probe->name, &which);

	if (function) {
		b->wrapped = which->wrapped;
		b->syscall_args = compat ? b->arch->compat_args : b->arch->syscall_args;
	}
	return function;
}

bool kernel_has_syscall(struct kernel *k, const char *name)
{
	const struct probe p = { .kind = PROBE_SYSCALL, .name = name };
	struct builder b = { .k = k, .arch = kernel_arch(k), .probe = &p };

	return find_syscall(&b) != NULL;
}

static int find_function(struct builder *b)
{
	bool syscall = b->probe->kind >= PROBE_SYSCALL;
	const char *function;

	/* BPF gets by with the PMU; the rings need a definition in tracefs. */
	if (!kernel_has(b->k, FEATURE_KPROBES) &&
	    !(b->target == TARGET_BPF && kernel_has(b->k, FEATURE_KPROBE_PMU)))
		return fail(b->err, "%s: this kernel has no kprobes, for %s()", b->demand->hook, b->probe->name);
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_KPROBE))
		return fail(b->err, "%s: this kernel takes no BPF programs on kprobes", b->demand->hook);
	function = syscall ? find_syscall(b) : kernel_function(b->k, b->probe->name);
	if (!function) {
		const struct hook *h = hook_by_name(b->demand->hook);

		if (h && h->module)
			return fail(b->err, "%s: this kernel has no function %s to probe; if %s is a module, load it first: "
				    "modprobe %s", b->demand->hook, b->probe->name, h->module, h->module);
		return fail(b->err, "%s: this kernel has no function %s to probe", b->demand->hook, b->probe->name);
	}
	snprintf(b->main->name, sizeof(b->main->name), "%s", function);
	b->main->id = -1;
	return 0;
}

bool probe_is_user(const struct probe *p)
{
	return p->kind == PROBE_UPROBE || p->kind == PROBE_URETPROBE;
}

int probe_places(struct kernel *k, enum target target, const struct probe *p, const struct demand *d,
		 const struct place **places, struct error *err)
{
	const char *function = strchr(p->name, ':') + 1;
	int n = (int)strcspn(function, "|");

	if (!kernel_has(k, FEATURE_UPROBES))
		return fail(err, "%s: this kernel has no uprobes, for %.*s()", d->hook, n, function);
	if (target == TARGET_BPF && !kernel_has(k, FEATURE_BPF_UPROBE))
		return fail(err, "%s: this kernel takes no BPF programs on uprobes", d->hook);
	if (p->kind == PROBE_URETPROBE && kernel_arch(k)->thumb)
		return fail(err, "%s: returns of %.*s() can't be probed on 32-bit ARM: it brings down callers that are Thumb "
			    "code", d->hook, n, function);
	if (target == TARGET_RING && !kernel_has(k, FEATURE_UPROBE_FETCH))
		return fail(err, "%s: uprobes of this kernel can't read memory, for %.*s()", d->hook, n, function);
	return kernel_places(k, p->name, places, err);
}

static int use_place(struct builder *b)
{
	snprintf(b->main->name, sizeof(b->main->name), "%s", b->place->symbol);
	b->main->binary = b->place->binary;
	b->main->address = b->place->address;
	b->main->id = -1;
	if (b->target == TARGET_BPF || !b->abi->narrow)
		return 0;
	kernel_leave_out(b->k, b->place->binary, "ring buffers can't follow 32-bit programs' pointers");
	return fail(b->err, "%s: ring buffers can't follow 32-bit programs' pointers", b->demand->hook);
}

/* A sample of the rings has registers and a stack, but nothing of the kernel's memory. */
static int find_sample(struct builder *b)
{
	if (b->target == TARGET_RING)
		return fail(b->err, "%s: samples carry nothing of the kernel's memory to the rings: only BPF can read it",
			    b->demand->hook);
	if (!kernel_has(b->k, FEATURE_BPF_SAMPLE))
		return fail(b->err, "%s: this kernel takes no BPF programs on samples (since 4.9)", b->demand->hook);
	snprintf(b->main->name, sizeof(b->main->name), "%s", b->probe->name);
	return 0;
}

static const enum event_kind event_kinds[] = {
	[PROBE_TRACEPOINT] = EVENT_TRACEPOINT,
	[PROBE_UPROBE] = EVENT_UPROBE, [PROBE_URETPROBE] = EVENT_URETPROBE,
	[PROBE_KPROBE] = EVENT_KPROBE, [PROBE_KRETPROBE] = EVENT_KRETPROBE,
	[PROBE_SAMPLE] = EVENT_SAMPLE,
	[PROBE_SYSCALL] = EVENT_KPROBE, [PROBE_SYSRET] = EVENT_KRETPROBE,
	[PROBE_COMPAT] = EVENT_KPROBE, [PROBE_COMPATRET] = EVENT_KRETPROBE,
};

int build_events(struct kernel *k, enum target target, const struct alternative *a, const struct probe *p,
		 const struct demand *d, const struct place *place, struct event **events, unsigned int max,
		 struct error *err)
{
	struct builder b = {
		.k = k, .target = target, .arch = kernel_arch(k), .alternative = a, .probe = p, .demand = d, .err = err,
		.place = place, .abi = place ? place->binary->abi : NULL,
	};
	bool texts_apart = several_texts(&b);

	b.main = calloc(1, sizeof(*b.main));
	if (!b.main)
		return fail(err, "out of memory");
	b.main->kind = event_kinds[p->kind];
	b.main->waits = p->waits;
	if (place ? use_place(&b) : p->kind == PROBE_TRACEPOINT ? find_tracepoint(&b) :
	    p->kind == PROBE_SAMPLE ? find_sample(&b) : find_function(&b))
		goto fail;
	b.record = record_head(&b, b.main->kind);
	for (unsigned int i = 0; i < d->n_inputs; i++)
		if (add_input(&b, &d->inputs[i], texts_apart))
			goto fail;
	if (b.n_parts + 1 > max) {
		fail(err, "%s: too many parts", d->hook);
		goto fail;
	}
	for (unsigned int i = 0; i < b.n_parts; i++)
		events[i] = b.parts[i];
	events[b.n_parts] = b.main;
	return (int)b.n_parts + 1;
fail:
	for (unsigned int i = 0; i < b.n_parts; i++)
		event_free(b.parts[i]);
	event_free(b.main);
	return -1;
}
