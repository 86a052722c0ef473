// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/kernel.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/base/scan.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kernel/doubt.h"
#include "compat/kernel/excerpt.h"
#include "compat/kernel/kernel_internal.h"
#include "compat/kernel/look_up.h"
#include "compat/kernel/names.h"

static const char *const feature_names[] = {
#define FEATURE(symbol, name, what) name,
#include "compat/kernel/features.def"
#undef FEATURE
};

static const char *const feature_texts[] = {
#define FEATURE(symbol, name, what) what,
#include "compat/kernel/features.def"
#undef FEATURE
};

struct kernel *kernel_new(const struct facts *facts)
{
	struct kernel *k = calloc(1, sizeof(*k));

	if (k)
		k->facts = facts;
	return k;
}

struct kernel *kernel_snapshot(const char *dir, struct error *err)
{
	struct kernel *k = kernel_new(&facts_snapshot);

	if (!k || !(k->dir = strdup(dir))) {
		free(k);
		fail(err, "out of memory");
		return NULL;
	}
	errno = 0;
	k->identity_known = k->facts->identity(k, &k->identity);
	if (!k->identity_known) {
		fail_with(err, errno, "%s is not a snapshot of a kernel: %s\n"
			  "make one with `sonde snapshot DIR`", dir, errno ? strerror(errno) :
			  "its file `uname` names no release and machine");
		kernel_free(k);
		return NULL;
	}
	return k;
}

void kernel_free(struct kernel *k)
{
	char **symbol;

	if (!k)
		return;
	for (struct text_entry *e = k->texts, *next; e; e = next) {
		next = e->next;
		free(e->text);
		free(e);
	}
	for (struct format_entry *e = k->formats, *next; e; e = next) {
		next = e->next;
		format_free(e->format);
		free(e);
	}
	for (uint32_t at = 0; (symbol = hash_next(&k->functions, &at));)
		free(*symbol);
	hash_clear(&k->functions);
	for (struct hidden *h = k->hidden, *next; h; h = next) {
		next = h->next;
		free(h);
	}
	keep_free(k);
	names_free(k->names);
	look_up_free(k);
	excerpt_free(k);
	free(k->tracefs);
	free(k->dir);
	free(k);
}

unsigned int version_code(unsigned int major, unsigned int minor, unsigned int sublevel)
{
	return (major & 0xff) << 16 | (minor & 0xff) << 8 | (sublevel < 255 ? sublevel : 255);
}

unsigned int version_parse(const char *text)
{
	uint64_t major, minor, sublevel = 0;

	if (!scan_number(&text, 255, &major) || !scan_text(&text, ".") ||
	    !scan_number(&text, 255, &minor))
		return 0;
	if (scan_text(&text, "."))
		scan_number(&text, UINT32_MAX, &sublevel);	/* may be above 255: 4.9.337 */
	return version_code((unsigned int)major, (unsigned int)minor, (unsigned int)sublevel);
}

void kernel_set_processes(struct kernel *k, const uint32_t *ids, unsigned int n)
{
	k->processes = ids;
	k->n_processes = n;
}

void kernel_set_stop(struct kernel *k, const volatile sig_atomic_t *stop)
{
	k->stop = stop;
}

const uint32_t *kernel_processes(const struct kernel *k, unsigned int *n)
{
	*n = k->n_processes;
	return k->processes;
}

const volatile sig_atomic_t *kernel_stop(const struct kernel *k)
{
	return k->stop;
}

int kernel_stopped(const struct kernel *k, struct error *err)
{
	return k->stop && *k->stop ? fail(err, "interrupted") : 0;
}

bool kernel_live(const struct kernel *k)
{
	return k->facts->live;
}

bool kernel_recorded(const struct kernel *k)
{
	return k->facts->recorder;
}

const struct recorded_by *kernel_recorder(const struct kernel *k)
{
	return k->facts->recorder;
}

static void know_identity(struct kernel *k)
{
	if (!k->identity_known)
		k->facts->identity(k, &k->identity);
	k->identity_known = true;
}

const char *kernel_release(struct kernel *k)
{
	know_identity(k);
	return k->identity.release;
}

const char *kernel_version_text(struct kernel *k)
{
	know_identity(k);
	return k->identity.version;
}

unsigned int kernel_version_code(struct kernel *k)
{
	know_identity(k);
	return k->identity.version_code;
}

const struct arch *kernel_arch(struct kernel *k)
{
	know_identity(k);
	return k->identity.arch ? k->identity.arch : &arch_unknown;
}

const char *kernel_tracefs(struct kernel *k)
{
	if (k->without[FEATURE_TRACEFS])
		return NULL;
	if (!k->tracefs_known) {
		k->tracefs = k->facts->tracefs(k);
		k->tracefs_known = true;
	}
	return k->tracefs;
}

/* Texts, formats and functions are read once and kept. Their absence is kept as well. */

const char *kernel_data(struct kernel *k, const char *path, size_t *length)
{
	struct text_entry *e;

	if (strncmp(path, "tracefs:", 8) == 0 && !kernel_tracefs(k))
		return NULL;
	for (e = k->texts; e && strcmp(e->path, path) != 0; e = e->next)
		;
	if (!e) {
		e = calloc(1, sizeof(*e) + strlen(path) + 1);
		if (!e) {
			kernel_doubt(k, path, ENOMEM);
			return NULL;
		}
		strcpy(e->path, path);
		errno = 0;
		e->text = k->facts->text(k, path, &e->length);
		if (!e->text)
			kernel_doubt(k, path, errno);
		e->next = k->texts;
		k->texts = e;
	}
	if (length)
		*length = e->length;
	return e->text;
}

const char *kernel_text(struct kernel *k, const char *path)
{
	return kernel_data(k, path, NULL);
}

char *kernel_read(struct kernel *k, const char *path, size_t *length)
{
	char *text;

	errno = 0;
	text = k->facts->text(k, path, length);
	if (!text)
		kernel_doubt(k, path, errno);
	return text;
}

int kernel_each_function(struct kernel *k, symbol_fn each, void *arg)
{
	return k->facts->functions(k, each, arg);
}

bool kernel_hides(const struct kernel *k, const char *kind, const char *name)
{
	size_t length = strlen(kind);

	for (const struct hidden *h = k->hidden; h; h = h->next)
		if (strncmp(h->what, kind, length) == 0 && strcmp(h->what + length, name) == 0)
			return true;
	return false;
}

static struct format *read_format(struct kernel *k, const char *system, const char *event)
{
	char path[256];
	struct format *f;
	size_t length;
	char *text;

	if (snprintf(path, sizeof(path), "tracefs:events/%s/%s/format", system, event) >=
	    (int)sizeof(path))
		return NULL;
	text = kernel_read(k, path, &length);
	if (!text)
		return NULL;
	errno = 0;
	f = format_parse(system, text, length);
	if (!f)
		kernel_doubt(k, path, errno);
	free(text);
	return f;
}

const struct format *kernel_format(struct kernel *k, const char *system, const char *event)
{
	struct format_entry *e;
	char name[192];

	if (strchr(system, '/') || strchr(event, '/') ||
	    snprintf(name, sizeof(name), "%s:%s", system, event) >= (int)sizeof(name))
		return NULL;
	if (!kernel_tracefs(k) || kernel_hides(k, "tracepoint:", name))
		return NULL;
	if (k->without[FEATURE_SYSCALLS] && strcmp(system, "syscalls") == 0)
		return NULL;
	for (e = k->formats; e; e = e->next)
		if (strcmp(e->name, name) == 0)
			return e->format;
	e = calloc(1, sizeof(*e) + strlen(name) + 1);
	if (!e) {
		kernel_doubt(k, name, ENOMEM);
		return NULL;
	}
	strcpy(e->name, name);
	e->format = read_format(k, system, event);
	e->next = k->formats;
	k->formats = e;
	return e->format;
}

const struct format *kernel_format_named(struct kernel *k, const char *name)
{
	const char *colon = strchr(name, ':');
	char system[192];

	return colon && text_all(system, sizeof(system), "%.*s", (int)(colon - name), name) ?
	       kernel_format(k, system, colon + 1) : NULL;
}

const struct names *kernel_names(struct kernel *k)
{
	if (k->names)
		return k->names;
	k->names = names_new();
	errno = 0;
	if (k->names && k->facts->functions(k, names_add, k->names))
		kernel_doubt(k, "/proc/kallsyms", errno);
	return k->names;
}

/* Reads all names only if neither the kernel's own table nor the excerpt answers. */
static const char *find_function(struct kernel *k, const char *name, bool suffixed)
{
	const size_t length = strlen(name);
	enum look_up quick = LOOK_UP_UNKNOWN;
	const struct excerpt *x = NULL;
	char **symbol;

	if (kernel_hides(k, "function:", name))
		return NULL;
	symbol = hash_find(&k->functions, name, length);
	if (symbol)
		return *symbol;
	if (!k->names)
		quick = kernel_look_up(k, name, NULL);
	if (quick == LOOK_UP_NONE && !suffixed)
		return NULL;
	if (quick != LOOK_UP_ONE && !k->names)
		x = kernel_excerpt(k, name);
	if (quick != LOOK_UP_ONE && !x && !kernel_names(k))
		return NULL;
	k->functions.value_size = sizeof(*symbol);
	symbol = hash_add(&k->functions, name, length);
	if (!symbol) {
		kernel_doubt(k, name, ENOMEM);
		return NULL;
	}
	*symbol = quick == LOOK_UP_ONE ? strdup(name) :
		  names_symbol(x ? x->names : k->names, name);
	return *symbol;
}

const char *kernel_function(struct kernel *k, const char *name)
{
	return find_function(k, name, true);
}

const char *kernel_function_as_is(struct kernel *k, const char *name)
{
	return find_function(k, name, false);
}

bool kernel_capable(struct kernel *k, unsigned int capability)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { };
	const char *status = kernel_text(k, "/proc/self/status");
	const char *line = status ? strstr(status, "\nCapEff:") : NULL;

	/* /proc may not be mounted. */
	if (!line && kernel_live(k) && !syscall(SYS_capget, &head, data))
		return data[capability / 32].effective >> capability % 32 & 1;
	return line && (strtoull(line + 8, NULL, 16) >> capability & 1);
}

const char *feature_name(enum feature f)
{
	return feature_names[f];
}

const char *feature_text(enum feature f)
{
	return feature_texts[f];
}

void verdict_set(struct verdict *v, enum answer answer, const char *reason, ...)
{
	va_list args;

	v->answer = answer;
	v->cause = CAUSE_OTHER;
	va_start(args, reason);
	text_vcut(v->reason, sizeof(v->reason), reason, args);
	va_end(args);
}

void verdict_no(struct verdict *v, enum cause cause, const char *reason, ...)
{
	va_list args;

	v->answer = NO;
	v->cause = cause;
	va_start(args, reason);
	text_vcut(v->reason, sizeof(v->reason), reason, args);
	va_end(args);
}

/*
 * A feature is absent if a feature that it needs is absent, and for the same reason. So one table
 * serves --without and the trials, and no feature is tried that can't work.
 */
static void judge(struct kernel *k, enum feature f, struct verdict *v)
{
	v->root = f;
	if (k->without[f]) {
		verdict_no(v, CAUSE_WITHOUT, "--without");
		return;
	}
	for (const enum feature *need = feature_needs(f); *need != FEATURES; need++) {
		if (kernel_has(k, *need))
			continue;
		*v = k->verdicts[*need];
		return;
	}
	k->facts->feature(k, f, v);
}

enum answer kernel_feature(struct kernel *k, enum feature f)
{
	struct verdict *v = &k->verdicts[f];

	if (!v->known) {
		judge(k, f, v);
		v->known = true;
		/* Whatever needs it will look as if the kernel lacked it. */
		if (v->unknown && !*k->doubt.text && kernel_live(k))
			fail_with(&k->doubt, v->error, "%s: %.100s", feature_name(v->root),
				  v->reason);
	}
	return v->answer;
}

void kernel_give_up(struct kernel *k, enum feature f, const char *why)
{
	struct verdict *v = &k->verdicts[f];

	verdict_set(v, NO, "%.*s", (int)strcspn(why, "\n"), why);
	v->root = f;
	v->known = true;
}

struct feature_reason kernel_feature_reason(struct kernel *k, enum feature f)
{
	const struct verdict *v = &k->verdicts[f];

	kernel_feature(k, f);
	return (struct feature_reason){
		.feature = f, .root = v->root, .cause = v->cause,
		.text = v->reason[0] ? v->reason : NULL, .error = v->error,
	};
}

void feature_reason_words(const struct feature_reason *reason, char *to, size_t size)
{
	const char *text = reason->text ? reason->text : "";

	if (reason->root == reason->feature)
		text_cut(to, size, "%s", text);
	else
		text_cut(to, size, "needs %s%s%s", feature_name(reason->root), *text ? ": " : "",
			 text);
}

static void forget_verdicts(struct kernel *k)
{
	memset(k->verdicts, 0, sizeof(k->verdicts));
}

bool kernel_thorough(const struct kernel *k)
{
	return k->thorough;
}

struct memlock *kernel_memlock(struct kernel *k)
{
	return &k->memlock;
}

void kernel_set_thorough(struct kernel *k)
{
	k->thorough = true;
	forget_verdicts(k);
}

static bool hide(struct kernel *k, const char *what)
{
	struct hidden *h = calloc(1, sizeof(*h) + strlen(what) + 1);

	if (!h)
		return false;
	strcpy(h->what, what);
	h->next = k->hidden;
	k->hidden = h;
	return true;
}

void feature_list(char *to, size_t size)
{
	static const char more[] = ", ...";
	struct strbuf list = strbuf_over(to, size);

	for (enum feature f = 0; f < FEATURES; f++) {
		/* Each name but the last leaves room for ", ...". */
		size_t room = size - list.n - (f + 1 < FEATURES ? sizeof(more) - 1 : 0);

		if ((f ? 2 : 0) + strlen(feature_name(f)) >= room) {
			strbuf_addf(&list, "%s", f ? more : more + 2);
			return;
		}
		strbuf_addf(&list, "%s%s", f ? ", " : "", feature_name(f));
	}
}

static int unknown_feature(const char *word, struct error *err)
{
	char known[1040];	/* struct error has room for this and the rest */

	feature_list(known, sizeof(known));
	return fail(err, "--without: no feature is called `%.60s`\nknown: %s,\n"
			 "tracepoint:SYSTEM:EVENT, function:NAME, member:STRUCT.MEMBER, and a "
			 "release like 4.9, for all that came after it", word, known);
}

/* Returns the version code of "4.9". Returns 0 for any other text. */
static unsigned int release(const char *word)
{
	uint64_t major, minor;

	if (!scan_number(&word, 99, &major) || !scan_text(&word, ".") ||
	    !scan_number(&word, 99, &minor) || *word)
		return 0;
	return version_code((unsigned int)major, (unsigned int)minor, 0);
}

struct taker {
	struct kernel *kernel;
	struct error *err;
};

static int without(struct kernel *k, const char *word, struct error *err);

static int take_away(void *arg, const char *what)
{
	struct taker *t = arg;

	return without(t->kernel, what, t->err);
}

static int without(struct kernel *k, const char *word, struct error *err)
{
	const char *colon;

	if (release(word))
		return each_newer(release(word), take_away, &(struct taker){ k, err });
	for (enum feature f = 0; f < FEATURES; f++)
		if (strcmp(word, feature_name(f)) == 0) {
			k->without[f] = true;
			return 0;
		}
	if (strncmp(word, "tracepoint:", 11) == 0) {
		colon = strchr(word + 11, ':');
		if (colon && colon > word + 11 && colon[1])
			return hide(k, word) ? 0 : fail(err, "out of memory");
	} else if (strncmp(word, "function:", 9) == 0 && word[9]) {
		return hide(k, word) ? 0 : fail(err, "out of memory");
	} else if (strncmp(word, "member:", 7) == 0 && strchr(word + 7, '.')) {
		return hide(k, word) ? 0 : fail(err, "out of memory");
	}
	return unknown_feature(word, err);
}

int kernel_without(struct kernel *k, const char *list, struct error *err)
{
	char *copy = strdup(list), *rest = copy, *word;
	int result = 0;

	if (!copy)
		return fail(err, "out of memory");
	while (result == 0 && (word = strsep(&rest, ",")))
		result = without(k, word, err);
	free(copy);
	forget_verdicts(k);
	return result;
}
