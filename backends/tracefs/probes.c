// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/tracefs.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backends/kinds/kinds.h"
#include "backends/tracefs/holder.h"
#include "backends/tracefs/try.h"
#include "compat/base/array.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/binaries/binaries.h"

#define TRIES 32
#define NAME_SIZE 64		/* the kernel's limit for names of events, NUL included */

struct made {
	const char *list;	/* the file of tracefs with its definition */
	enum missed missed;
	const char *function;	/* the event's name */
	uint64_t address;
	bool may_fault;
	char name[NAME_SIZE];
};

/* Whether the kernel counts faults of a probe's fetch arguments as missed hits. */
enum faults { FAULTS_UNTRIED, FAULTS_COUNTED, FAULTS_NOT_COUNTED };

/*
 * The most returns that a kretprobe waits for at a time. The kernel's own limit is two for each
 * CPU, and at least ten. The kernel misses further calls until one of these calls returns.
 */
#define ROOM "1024"

struct probes {
	struct kernel *kernel;
	const char *tracefs;
	bool room;		/* this kernel takes ROOM in a definition */
	bool apart;		/* each event gets a probe of its own */
	bool counts_returns;	/* kprobe_profile of this kernel counts missed returns */
	enum faults faults;
	bool may_be_faults;	/* a count was left out because it may be of faults */
	char group[16];
	int lock;		/* of the group's directory; -1: no probe has made it yet */
	struct holder *holder;	/* NULL: there are no uprobes, or they need no holder */
	unsigned int n;
	struct made *made;
};

static const struct definition *definition_of(const struct event *e)
{
	return event_ops(e)->definition;
}

/* The fetch arguments. */
static const char *arguments(const struct event *e)
{
	return e->layout->fetch ? e->layout->fetch : "";
}

static void new_group(struct probes *p)
{
	char name[7];

	tracefs_random(name);
	text_all(p->group, sizeof(p->group), "sonde_%s", name);
	p->lock = -1;
}

struct probes *probes_new(struct kernel *k, bool apart, struct error *err)
{
	struct probes *p = calloc(1, sizeof(*p));

	if (!p) {
		fail(err, "out of memory");
		return NULL;
	}
	p->kernel = k;
	p->tracefs = kernel_tracefs(k);
	p->apart = apart;
	p->room = kernel_has(k, FEATURE_KRETPROBE_ROOM);
	p->counts_returns = kernel_has(k, FEATURE_KRETPROBE_MISSED);
	if (!p->tracefs) {
		tracefs_missing(err);
		free(p);
		return NULL;
	}
	new_group(p);
	return p;
}

const char *probes_group(const struct probes *p)
{
	return p->group;
}

/* A name has the function, cut to fit and as an identifier. The number makes the name unique. */
const char *probes_name(const struct event *event, char *buffer, unsigned int size)
{
	const char *from = event->name;
	char what[41];
	unsigned int i;

	for (i = 0; from[i] && i < sizeof(what) - 1; i++)
		what[i] = isalnum((unsigned char)from[i]) ? from[i] : '_';
	what[i] = '\0';
	text_cut(buffer, size, "%c_%s_%08x", definition_of(event)->letter, what, event->probe);
	return buffer;
}

static uint32_t hash(uint32_t h, const void *data, size_t size)
{
	const uint8_t *bytes = data;

	while (size--)
		h = (h ^ *bytes++) * 16777619;
	return h;
}

/*
 * A hash of the group and the whole definition. kprobe_profile has the probes of all groups, by
 * their names alone, so names must differ.
 */
static uint32_t probe_number(const struct probes *p, const struct event *e)
{
	uint32_t h = hash(2166136261, p->group, strlen(p->group));

	h = hash(h, &e->kind, sizeof(e->kind));
	h = hash(h, &e->address, sizeof(e->address));
	h = hash(h, &e->group, sizeof(e->group));
	h = hash(h, e->name, strlen(e->name) + 1);
	if (e->binary)
		h = hash(h, e->binary->file, strlen(e->binary->file));
	return e->layout->fetch ? hash(h, e->layout->fetch, strlen(e->layout->fetch)) : h;
}

static int refused(const struct probes *p, const struct event *e, int error, const char *definition,
		   struct error *err)
{
	int length = strcspn(definition, "\n");
	const char *in = e->binary ? " of " : "", *file = e->binary ? e->binary->path : "";
	char words[200], name[NAME_SIZE];

	if (length > 300)
		length = 300;
	if (error == EPERM || error == EACCES)
		return tracefs_fail(err, error, "can't make a probe on %s", e->name);
	if (error == ENOENT && access(p->tracefs, R_OK))
		return tracefs_fail(err, error, "can't make a probe on %s", e->name);
	if (error == ENOENT && !e->binary)
		return fail(err, "can't make a probe on %s: this kernel has no function of that "
				 "name that may be probed", e->name);
	if (tracefs_words(p->tracefs, probes_name(e, name, sizeof(name)), words, sizeof(words)))
		return fail(err, "can't make a probe on %s%s%.300s, the kernel says: %s\n"
				 "its definition: %.*s",
			    e->name, in, file, words, length, definition);
	return fail_with(err, error, "can't make a probe on %s%s%.300s: %m\n"
			 "its definition: %.*s\nthe kernel log (dmesg) may say more",
			 e->name, in, file, length, definition);
}

static void remove_probe(const struct probes *p, const char *group, const struct made *m)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	char line[128];
	int try;

	text_all(line, sizeof(line), "-:%s/%s\n", group, m->name);
	/* The probe is in use a moment longer: the kernel ends a perf event after its close(2). */
	for (try = 0; try < 200 && tracefs_write(p->tracefs, m->list, line) == -EBUSY; try++)
		nanosleep(&pause, NULL);
}

void probes_free(struct probes *p)
{
	if (!p)
		return;
	if (p->lock >= 0)
		close(p->lock);
	holder_free(p->holder, 0);
	free(p->made);
	free(p);
}

struct holder *probes_holder(struct probes *p)
{
	struct holder *h = p ? p->holder : NULL;

	if (p)
		p->holder = NULL;
	return h;
}

static int hold(struct probes *p, const struct event *e, struct error *err)
{
	if (e->binary && !p->holder && !kernel_has(p->kernel, FEATURE_UPROBE_MOUNT)) {
		p->holder = holder_new(p->kernel, p->group, err);
		return p->holder ? 0 : -1;
	}
	return 0;
}

/*
 * Returns true if the kernel read the definition in another way, and put the probe into another
 * group. The probe is removed there. Its name is unique, so no other sonde made it.
 */
static bool removed_elsewhere(const struct probes *p, const struct made *m)
{
	char *text = tracefs_text(p->tracefs, m->list), *at, *start, group[NAME_SIZE],
	     pattern[NAME_SIZE + 2];
	bool found = false;

	text_all(pattern, sizeof(pattern), "/%s ", m->name);
	at = text ? strstr(text, pattern) : NULL;
	if (at) {
		for (start = at; start > text && start[-1] != ':' && start[-1] != '\n'; start--)
			;
		text_all(group, sizeof(group), "%.*s", (int)(at - start), start);
		found = strcmp(group, p->group) != 0;
		if (found)
			remove_probe(p, group, m);
	}
	free(text);
	return found;
}

static const struct field *field_at(const struct format *f, uint32_t offset)
{
	unsigned int i;

	for (i = 0; i < f->n_fields; i++)
		if (offset >= f->fields[i].offset &&
		    offset - f->fields[i].offset < f->fields[i].size)
			return &f->fields[i];
	return NULL;
}

/* Returns true if whole fields, or a part of an array, fill the input's bytes without a hole. */
static bool fields_cover(const struct format *format, const struct input *in)
{
	const struct field *f = field_at(format, in->offset);
	uint32_t at = in->offset, end = in->offset + in->size;

	if (!f || (f->offset != at && !f->is_array))
		return false;
	while (f && at < end) {
		if (f->is_data_loc || (f->offset + f->size > end && !f->is_array))
			return false;
		at = f->offset + f->size;
		f = field_at(format, at);
	}
	return at >= end;
}

static bool input_found(const struct format *format, const struct input *in)
{
	const struct field *f = format_field(format, in->name);

	if (f && f->offset != in->offset)
		return false;
	if (in->place == PLACE_DATA_LOC) {
		f = field_at(format, in->offset);
		return f && f->is_data_loc && f->offset == in->offset;
	}
	if (in->kind == INPUT_NUMBER && f && !f->is_array && f->size != in->size)
		return false;
	return in->size && fields_cover(format, in);
}

int probes_check(const struct event *event, const struct format *format, struct error *err)
{
	unsigned int i;

	for (i = 0; i < event->layout->n_inputs; i++) {
		const struct input *in = &event->layout->inputs[i];

		if (in->place == PLACE_REGISTER || in->place == PLACE_CURRENT ||
		    in->place == PLACE_CONSTANT || in->place == PLACE_IDENTITY)
			continue;
		if (!input_found(format, in))
			return fail(err, "the argument `%s` of the probe on %s is not where it was "
					 "expected in the record (%u bytes at %u)\n"
					 "this is a bug of sonde, or a kernel that sonde does not "
					 "know; the arguments: %.200s",
				    in->name, event->name, in->size, in->offset, arguments(event));
	}
	return 0;
}

enum found { FOUND, MISSING, WRONG };

static enum found read_back(const struct probes *p, struct event *e, const struct made *m,
			    struct error *err)
{
	char path[256], *text;
	struct format *format;
	enum found result = WRONG;

	text_all(path, sizeof(path), "events/%s/%s/format", p->group, m->name);
	text = tracefs_text(p->tracefs, path);
	if (!text)
		return MISSING;
	format = format_parse(p->group, text, strlen(text));
	if (!format || strcmp(format->event, m->name)) {
		fail(err, "sonde can't read the format of the probe on %s (%s)", e->name, path);
	} else if (!probes_check(e, format, err)) {
		e->id = format->id;
		result = FOUND;
	}
	format_free(format);
	free(text);
	return result;
}

static int define(struct probes *p, const struct event *e, const struct made *m, struct error *err)
{
	const struct definition *d = definition_of(e);
	char *text, at[128];
	int error;

	d->place(e, at, sizeof(at));
	if (asprintf(&text, "%c%s:%s/%s %s%s%s%s\n", d->letter, d->room && p->room ? ROOM : "",
		     p->group, m->name, e->binary ? e->binary->file : e->name, at,
		     *arguments(e) ? " " : "", arguments(e)) < 0)
		return fail(err, "out of memory");
	error = tracefs_write(p->tracefs, m->list, text);
	if (error)
		refused(p, e, -error, text, err);
	free(text);
	return error ? -1 : 0;
}

static int vanished(const struct probes *p, const struct event *e, struct error *err)
{
	return fail(err, "the probe on %s vanished as soon as it was made\n"
			 "is there a program that resets %s/%s?",
		    e->name, p->tracefs, definition_of(e)->list);
}

/* Another event of the plan has made the same probe: this probe serves both. */
static int add_again(const struct probes *p, struct event *e, struct made *m, struct error *err)
{
	m->may_fault |= e->may_fault;
	switch (read_back(p, e, m, err)) {
	case FOUND:
		return 0;
	case MISSING:
		return vanished(p, e, err);
	case WRONG:
		break;
	}
	return -1;
}

/*
 * Makes one attempt. Returns 0; -1 and sets err on failure; 1 if another sonde swept the group
 * after its first probe was made and before it was locked: the old group is being removed, and the
 * caller tries again with a new one.
 */
static int try_add(struct probes *p, struct event *e, struct made *m, struct error *err)
{
	char path[PATH_MAX];
	enum found result;

	if (hold(p, e, err) || define(p, e, m, err))
		return -1;
	if (p->lock < 0) {
		text_all(path, sizeof(path), "%s/events/%s", p->tracefs, p->group);
		p->lock = tracefs_lock(path);
		if (p->lock < 0 && p->lock != -ENOENT && p->lock != -EWOULDBLOCK) {
			remove_probe(p, p->group, m);
			return tracefs_fail(err, -p->lock, "can't lock %s", path);
		}
	}
	result = p->lock < 0 ? MISSING : read_back(p, e, m, err);
	if (result == FOUND)
		return 0;
	if (result == MISSING && removed_elsewhere(p, m))
		return fail(err, "the kernel put the probe on %s into another group than asked; "
				 "the arguments: %.300s", e->name, arguments(e));
	remove_probe(p, p->group, m);
	if (result == WRONG)
		return -1;
	if (p->n)
		return vanished(p, e, err);
	if (p->lock >= 0)
		close(p->lock);
	holder_free(probes_holder(p), HOLDER_MS);
	new_group(p);
	return 1;
}

/* Writes the event's name to m. Returns the group's probe with this name; NULL: there is none. */
static struct made *namesake(const struct probes *p, struct event *event, struct made *m)
{
	probes_name(event, m->name, sizeof(m->name));
	for (unsigned int i = 0; i < p->n; i++)
		if (!strcmp(p->made[i].name, m->name))
			return &p->made[i];
	return NULL;
}

int probes_add(struct probes *p, struct event *event, struct error *err)
{
	struct made m = { .list = definition_of(event)->list, .missed = event_ops(event)->missed,
			  .function = event->name, .address = event->address,
			  .may_fault = event->may_fault };
	struct made *same;
	int result = 1, try;

	for (try = 0; try < TRIES && result == 1; try++) {
		event->probe = probe_number(p, event);
		while ((same = namesake(p, event, &m))) {
			if (!p->apart)
				return add_again(p, event, same, err);
			event->probe++;
		}
		result = try_add(p, event, &m, err);
	}
	if (result == 1)
		return vanished(p, event, err);
	if (result)
		return -1;
	if (array_room(&p->made, p->n, sizeof(*p->made))) {
		remove_probe(p, p->group, &m);
		return fail(err, "out of memory");
	}
	p->made[p->n++] = m;
	return 0;
}

bool probes_tell(const struct probes *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		if (p->made[i].missed == MISSED_RETURNS && !p->counts_returns)
			return false;
	return !p->may_be_faults;
}

/* The kernel counts a fault for all probes of the function. */
static bool may_fault(const struct probes *p, const struct made *m)
{
	for (unsigned int i = 0; i < p->n; i++)
		if (p->made[i].may_fault && p->made[i].address == m->address &&
		    !strcmp(p->made[i].function, m->function))
			return true;
	return false;
}

/*
 * On x86 before 5.14, and so on 32-bit ARM, arm64, powerpc, s390 and others, the kernel's
 * kprobe_fault_handler() counts each page fault within a probe's handler as a missed hit. It also
 * counts a fault of a fetch argument, though the kernel records this hit. sonde tries whether the
 * kernel does so when a count may be of faults.
 */
static bool counts_faults(struct probes *p)
{
	struct error err;

	if (p->faults == FAULTS_UNTRIED)
		p->faults = try_faults(p->kernel, &err) ? FAULTS_COUNTED : FAULTS_NOT_COUNTED;
	return p->faults == FAULTS_COUNTED;
}

/* Lines of kprobe_profile: name, hits, missed. */
int probes_missed(struct probes *p, uint64_t *missed)
{
	char *text = tracefs_text(p->tracefs, "kprobe_profile"), *line, *rest, name[NAME_SIZE];
	uint64_t skipped;
	unsigned int i;

	*missed = 0;
	if (!text)
		return -1;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *at = line;

		if (!scan_text(&at, " ") || !scan_until(&at, " ", name, sizeof(name)) ||
		    !scan_text(&at, " ") || !scan_pass(&at, 1) ||
		    !scan_number(&at, UINT64_MAX, &skipped))
			continue;
		for (i = 0; skipped && i < p->n; i++) {
			if (!missed_in_profile(p->made[i].missed) ||
			    strcmp(p->made[i].name, name))
				continue;
			if (may_fault(p, &p->made[i]) && counts_faults(p))
				p->may_be_faults = true;
			else
				*missed += skipped;
		}
	}
	free(text);
	return 0;
}
