// SPDX-License-Identifier: GPL-2.0
/* Where a probe is, in bpftrace's words: a pattern, samples, or an event of sonde's own. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/arch/arch.h"
#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/expressions/expression.h"
#include "src/bt/probes/attach.h"
#include "src/bt/text/text.h"
#include "src/lib/options/words.h"
#include "src/run/tool.h"
#include "src/toolkit/patterns/found.h"

int bt_wrong_probe(const struct attaching *w, const char *why)
{
	return BT_WRONG(w->b, w->p->at, w->err, "%s", why);
}

int bt_no_matches(const struct attaching *w, const char *why)
{
	w->p->on->probe.missing = true;
	return BT_WRONG(w->b, w->p->at, w->err, "No matches for %s %s: %s", w->p->type,
			strchr(w->text, ':') ? strchr(w->text, ':') + 1 : "", why);
}

int bt_wrong_form(const struct attaching *w, const struct provider *row)
{
	return BT_WRONG(w->b, w->p->at, w->err, "this probe is written as %s", row->form);
}

/* ---- names ---- */

/* Names of one probe differ, so only those of the probes before can be the same. */
static void find_same(struct bt *b, unsigned int before)
{
	struct bt_name *new = &b->names[b->n_names];

	for (unsigned int i = before; i--;) {
		if (!strcmp(b->names[i].probe, new->probe))
			new->same_probe = i;
		if (!strcmp(b->names[i].function, new->function))
			new->same_function = i;
	}
}

/* Adds a name for `probe` and `func`; takes both. */
static int add_name(struct attaching *w, char *probe, char *function)
{
	struct bt *b = w->b;

	if (!probe || !function || array_room(&b->names, b->n_names, sizeof(*b->names))) {
		free(probe);
		free(function);
		return fail(w->err, "out of memory");
	}
	b->names[b->n_names] = (struct bt_name){ probe, function, b->n_names, b->n_names };
	find_same(b, w->p->first_name);
	b->n_names++;
	w->p->n_names++;
	return 0;
}

/* ---- events of sonde's own, and samples ---- */

int bt_only_name(struct attaching *w, const char *name)
{
	struct scope *s = &w->p->on->probe.scope;
	const struct arch *arch = kernel_arch(w->b->script.kernel);

	s->word = s->kernel_word = arch->word;
	s->big_endian = arch->big_endian;
	w->p->first_name = w->b->n_names;
	return add_name(w, strdup(name), strdup(""));
}

int bt_alone(struct attaching *w)
{
	return bt_only_name(w, w->text);
}

static int own(struct attaching *w, const struct provider *row)
{
	if (w->n != 1)
		return bt_wrong_form(w, row);
	w->p->when = row->when;
	/* In older versions these were the only names in upper case. */
	return bt_only_name(w, w->b->old ? row->form : row->name);
}

/* hz:99, s:1, ms:10, us:500, or one duration: 1s. *to = the length of a period, in ns. */
static int period(const struct attaching *w, const struct provider *row, uint64_t *to)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "s", NS_PER_SECOND }, { "ms", NS_PER_MS }, { "us", 1000 }, { "hz", 0 } };
	struct source source = { .text = w->parts[w->n - 1], .language = &bt_language,
				 .file = "", .raw = w->parts[w->n - 1] };
	struct token t = { };
	struct error unread;
	size_t i = 0;

	if (w->n < 2 || w->n > 3 || token_next(&source, 0, &t, &unread) ||
	    t.kind != TOKEN_NUMBER || t.length != strlen(source.text) || !t.value)
		return bt_wrong_form(w, row);
	while (w->n == 3 && i < 4 && strcmp(w->parts[1], units[i].unit))
		i++;
	if (i == 4)
		return bt_wrong_probe(w, "units of time are s, ms, us and hz");
	if (w->n == 2)
		*to = t.value;
	else if (!units[i].ns)
		*to = t.value > NS_PER_SECOND ? 0 : NS_PER_SECOND / t.value;
	else if (__builtin_mul_overflow(t.value, units[i].ns, to))
		*to = 0;
	return *to >= 1000 && *to <= INT64_MAX / 2 ? 0 :
	       bt_wrong_probe(w, "a period has at least a microsecond");
}

static int interval(struct attaching *w, const struct provider *row)
{
	w->p->when = BT_INTERVAL;
	return period(w, row, &w->p->interval.length) ? -1 : bt_alone(w);
}

static int signalled(struct attaching *w, const struct provider *row)
{
	if (w->n != 3 || strcmp(w->parts[1], "signal") || strcmp(w->parts[2], "SIGUSR1"))
		return bt_wrong_form(w, row);
	w->p->when = row->when;
	return bt_alone(w);
}

static int profile(struct attaching *w, const struct provider *row)
{
	const bool hertz = w->n == 3 && !strcmp(w->parts[1], "hz");
	uint64_t length;

	if (period(w, row, &length))
		return -1;
	/* A period that is no whole number a second is one of the CPU's clock. */
	if (!hertz && NS_PER_SECOND % length)
		return bt_sampled(w, "cpu-clock", length);
	w->p->frequency = hertz ? (int64_t)strtoull(w->parts[2], NULL, 0) :
			  (int64_t)(NS_PER_SECOND / length);
	snprintf(w->p->constant, sizeof(w->p->constant), "hz-%lld", (long long)w->p->frequency);
	w->p->on->probe.kernel = w->b->script.kernel;
	w->p->on->probe.sampled = w->p->constant;
	return bt_alone(w);
}

/* ---- patterns ---- */

/*
 * The module of the function of the kernel with this number, or the provider of the USDT probe;
 * `otherwise`: none.
 */
static const char *provider_of(const struct lang_probe *p, unsigned int number,
			       const char *otherwise)
{
	const struct found *found = p->patterns.found;

	for (unsigned int i = 0; found && i < found->listing.n; i++)
		if (found->numbers[i] == number && found->listing.list[i].module)
			return found->listing.list[i].module;
	return otherwise;
}

/* PROVIDER:NAME for each name that the pattern matches. */
static int add_names(struct attaching *w, const struct provider *row)
{
	const struct lang_probe *found = &w->p->on->probe;
	const unsigned int n = found->call ? 1 : found->patterns.n;
	const bool file = found->patterns.pattern.file && !found->call;
	const char *provider = found->call ? NULL : found->patterns.pattern.provider;

	w->p->first_name = w->b->n_names;
	for (unsigned int i = 0; i < n; i++) {
		const char *function = probe_function(found, i),
			   *name = found->scope.event.tracepoint ? found->patterns.names[i] :
								   function;
		char *probe;

		if (found->call)
			name = function = strrchr(w->text, ':') + 1;
		/* Where several providers have the probe, its name has the provider's already. */
		if (found->scope.event.usdt && !found->call && strchr(name, ':'))
			name = function = strchr(name, ':') + 1;
		if (row->typed || found->scope.event.usdt)
			provider = provider_of(found, i, row->typed ? "vmlinux" : NULL);
		if (asprintf(&probe, "%s:%s%s%s%s%s", row->shown ? row->shown : row->name,
			     file ? w->parts[1] : "", file ? ":" : "",
			     provider ? provider : "", provider ? ":" : "", name) < 0)
			probe = NULL;
		if (add_name(w, probe, strdup(function)))
			return -1;
	}
	return 0;
}

/* Finds the pattern. Its message shows the pattern; the script has the place. */
static int find_pattern(struct attaching *w, const char *pattern, const struct provider *row)
{
	struct lang_probe *probe = &w->p->on->probe;
	struct error why = { };
	size_t at = 0;
	int result;

	if (strpbrk(pattern, " \t\n(\""))
		return bt_wrong_probe(w, "a probe's name has no blanks, brackets or quotes here");
	probe->tree.source = (struct source){ .text = pattern };
	result = probe_find(w->b->script.kernel, probe, &at, &why);
	probe->tree.source = w->b->source;
	if (!result)
		return add_names(w, row);
	why.text[strcspn(why.text, "\n")] = '\0';
	result = probe->missing ? bt_no_matches(w, why.text) : bt_wrong_probe(w, why.text);
	w->err->number = why.number;
	return result;
}

/* Paths and names of functions may be as long as they like. */
__attribute__((format(printf, 3, 4)))
static int find(struct attaching *w, const struct provider *row, const char *format, ...)
{
	struct strbuf pattern = { };
	va_list args;
	int result;

	va_start(args, format);
	strbuf_vaddf(&pattern, format, args);
	va_end(args);
	result = pattern.cut ? fail(w->err, "out of memory") : find_pattern(w, pattern.s, row);
	free(pattern.s);
	return result;
}

static bool is_loaded(const char *module)
{
	char path[128];

	text_all(path, sizeof(path), "/sys/module/%s", module);
	return !strcmp(module, "vmlinux") || strpbrk(module, "*/") || !access(path, F_OK);
}

/* kprobe:MODULE:FUNCTION, where vmlinux is the kernel itself; MODULE may have `*`. */
static int check_module(struct attaching *w)
{
	const struct found *found = w->p->on->probe.patterns.found;
	struct expression *wanted;
	struct error why = { };

	if (kernel_live(w->b->script.kernel) && !is_loaded(w->parts[1]))
		return BT_WRONG(w->b, w->p->at, w->err, "specified module %s in probe %s is not "
				"loaded.", w->parts[1], w->text);
	wanted = expression_of_glob(w->parts[1], &why);
	if (!wanted)
		return BT_CAUSE(w->b, w->p->at, w->err, &why);

	for (unsigned int i = 0; found && i < found->listing.n; i++) {
		const struct listed *one = &found->listing.list[i];
		const char *module = one->module ? one->module : "vmlinux";

		if (!expression_matches(wanted, module)) {
			expression_free(wanted);
			return BT_WRONG(w->b, w->p->at, w->err, "%s is a function of %s, not of %s",
					one->name, module, w->parts[1]);
		}
	}
	expression_free(wanted);
	return 0;
}

static int function(struct attaching *w, const struct provider *row)
{
	if (w->n < 2 || w->n > 3)
		return bt_wrong_form(w, row);
	w->p->typed = row->typed;
	w->p->on->probe.scope.called.keeps_arguments = row->typed;
	return find(w, row, "%s:%s", row->pattern, w->parts[w->n - 1]) ||
	       (w->n == 3 && check_module(w)) ? -1 : 0;
}

static int tracepoint(struct attaching *w, const struct provider *row)
{
	if (w->n != 3)
		return bt_wrong_form(w, row);
	return find(w, row, "%s%s:%s", row->pattern, w->parts[1], w->parts[2]);
}

/*
 * usdt:FILE:PROBE, usdt:FILE:PROVIDER:PROBE; with -p FILE may be empty. libc and libc.so.6 are
 * libraries, sh a program, /lib/x.so a file.
 */
static int usdt(struct attaching *w, const struct provider *row)
{
	const char *file = w->n > 1 ? w->parts[1] : "";

	if (w->n < 3)
		return bt_wrong_form(w, row);
	if (!strncmp(file, "lib", 3) && !strpbrk(file, "/."))
		file += 3;
	return find(w, row, "%s%s:%s%s%s", row->pattern, file, w->parts[2], w->n == 4 ? ":" : "",
		    w->n == 4 ? w->parts[3] : "");
}

static int user_function(struct attaching *w, const struct provider *row)
{
	return w->n == 3 ? usdt(w, row) : bt_wrong_form(w, row);
}

static const struct provider providers[] = {
	{ "begin", NULL, NULL, own, "BEGIN", BT_BEGIN },
	{ "end", NULL, NULL, own, "END", BT_END },
	{ "self", NULL, NULL, signalled, "self:signal:SIGUSR1", BT_SIGNALLED },
	{ "interval", "i", NULL, interval, "interval:s:1, interval:ms:100 or interval:hz:10",
	  BT_INTERVAL },
	{ "iter", "it", NULL, bt_attach_iterator, "iter:task; `sonde bt -l 'iter:*'` shows all",
	  BT_WALKED },
	{ "profile", "p", NULL, profile, "profile:hz:99", BT_KERNEL },
	{ "tracepoint", "t", "t:", tracepoint, "tracepoint:SYSTEM:EVENT", BT_KERNEL },
	{ "kprobe", "k", "p:", function, "kprobe:FUNCTION", BT_KERNEL },
	{ "kretprobe", "kr", "r:", function, "kretprobe:FUNCTION", BT_KERNEL },
	{ "uprobe", "u", "p:", user_function, "uprobe:FILE:FUNCTION", BT_KERNEL },
	{ "uretprobe", "ur", "r:", user_function, "uretprobe:FILE:FUNCTION", BT_KERNEL },
	{ "usdt", "U", "u:", usdt, "usdt:FILE:PROBE", BT_KERNEL },
	{ "fentry", "f", "p:", function, "fentry:FUNCTION", BT_KERNEL, .typed = true },
	{ "fexit", "fr", "r:", function, "fexit:FUNCTION", BT_KERNEL, .typed = true },
	{ "kfunc", NULL, "p:", function, "kfunc:FUNCTION", BT_KERNEL, "fentry", true },
	{ "kretfunc", NULL, "r:", function, "kretfunc:FUNCTION", BT_KERNEL, "fexit", true },
	{ "rawtracepoint", "rt", NULL, bt_attach_raw, "rawtracepoint:EVENT", BT_KERNEL },
	{ "software", "s", NULL, bt_attach_software, "software:EVENT:COUNT", BT_KERNEL },
	{ "watchpoint", "w", NULL, bt_attach_watchpoint,
	  "watchpoint:ADDRESS:LENGTH:ACCESSES: 1, 2, 4 or 8 bytes, and r, w, rw or x", BT_KERNEL },
	{ "hardware", "h", NULL, bt_attach_hardware, "hardware:EVENT:COUNT", BT_KERNEL },
};
#define PROVIDERS (sizeof(providers) / sizeof(providers[0]))

/* Providers that sonde's language has not yet, and what does instead. */
static const char *const missing[][3] = {
	{ "asyncwatchpoint", "aw", "watchpoint" },
	{ "test", "", "BEGIN" }, { "bench", "", "BEGIN" },
};

/* Providers have been written in upper and lower case. */
static bool same_word(const char *a, const char *b)
{
	while (*a && tolower((unsigned char)*a) == *b) {
		a++;
		b++;
	}
	return !*a && !*b;
}

static int unknown(const struct attaching *w)
{
	struct nearest near = { .word = w->parts[0], .length = strlen(w->parts[0]) };

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (same_word(w->parts[0], missing[i][0]) || !strcmp(w->parts[0], missing[i][1]))
			return BT_WRONG(w->b, w->p->at, w->err, "%s is not in sonde's language "
					"yet: take %s", missing[i][0], missing[i][2]);
	for (size_t i = 0; i < PROVIDERS; i++)
		nearest_of(&near, providers[i].name);
	if (near.name)
		return BT_WRONG(w->b, w->p->at, w->err, "there is no probe `%s`; did you mean %s?",
				w->parts[0], near.name);
	return BT_WRONG(w->b, w->p->at, w->err, "there is no probe `%s`; there are begin, end, "
			"interval, iter, self, profile, tracepoint, rawtracepoint, kprobe, "
			"kretprobe, fentry, fexit, uprobe, uretprobe, usdt, software, hardware and "
			"watchpoint",
			w->parts[0]);
}

/* The text with the parameters $1 ... in it. Quotes are left out. The caller frees. */
static char *text_of(const struct bt *b, const struct bt_probe *p)
{
	const char *at = b->source.text + p->at, *end = at + p->length;
	struct strbuf text = { };

	if (p->match)
		return strdup(p->match);
	while (at < end) {
		char *behind;
		unsigned long i;

		if (*at == '$' && isdigit((unsigned char)at[1])) {
			i = strtoul(at + 1, &behind, 10);
			if (i && i <= b->n_arguments)
				strbuf_addf(&text, "%s", b->arguments[i - 1]);
			at = behind;
			continue;
		}
		if (*at != '"')
			strbuf_add(&text, at, 1);
		at++;
	}
	return strbuf_take(&text);
}

/* The probe's name has its provider's whole name. */
static int whole_name(struct attaching *w)
{
	const char *colon = strchr(w->text, ':');
	char *whole;

	if (asprintf(&whole, "%s%s", w->p->type, colon ? colon : "") < 0)
		return -1;
	free(w->text);
	w->text = whole;
	return 0;
}

static int attach(struct attaching *w)
{
	const struct provider *row = NULL;
	char *at = w->words, *colon;

	while (w->n < BT_PARTS && at) {
		colon = strchr(at, ':');
		if (colon)
			*colon++ = '\0';
		w->parts[w->n++] = at;
		at = colon;
	}
	for (size_t i = 0; i < PROVIDERS; i++)
		if (same_word(w->parts[0], providers[i].name) ||
		    (providers[i].alias && !strcmp(w->parts[0], providers[i].alias)))
			row = &providers[i];
	if (!row)
		return unknown(w);
	w->p->type = row->shown ? row->shown : row->name;
	if (whole_name(w))
		return fail(w->err, "out of memory");
	return at ? bt_wrong_form(w, row) : row->attach(w, row);
}

int bt_attach(struct bt *b, struct bt_probe *p, unsigned int number, struct error *err)
{
	struct attaching w = { .b = b, .p = p, .err = err };
	char hook[16];
	int result;

	snprintf(hook, sizeof(hook), "probe%u.hit", number);
	p->on = script_probe(&b->script, b->source.text, hook);
	w.text = text_of(b, p);
	w.words = w.text ? strdup(w.text) : NULL;
	if (!p->on || !w.words) {
		free(w.text);
		return fail(err, "out of memory");
	}
	p->on->probe.tree.source = b->source;
	result = attach(&w);
	free(w.words);
	free(w.text);
	return result ? -1 : 0;
}
