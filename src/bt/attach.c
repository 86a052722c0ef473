// SPDX-License-Identifier: GPL-2.0
/* Where a probe is, in bpftrace's words: a pattern, samples, or an event of sonde's own. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "compat/kernel/arch.h"
#include "src/bt/parse.h"
#include "src/bt/text.h"
#include "src/lib/options/words.h"

#define PARTS 4

/* A probe's text, cut at its colons. */
struct place {
	struct bt *b;
	struct bt_probe *p;
	char *text;			/* the whole text, with parameters */
	char *words;			/* a copy, in parts */
	char *parts[PARTS];
	unsigned int n;
	struct error *err;
};

struct provider {
	const char *name, *alias;
	/* the pattern's beginning, "r:" */
	const char *pattern;
	int (*attach)(struct place *w, const struct provider *row);
	const char *form;		/* for messages */
	enum bt_when when;
	const char *shown;		/* the newest name; NULL: `name` */
	bool typed;			/* results have the type that the kernel tells */
};

static int wrong(const struct place *w, const char *why)
{
	return BT_WRONG(w->b, w->p->at, w->err, "%s", why);
}

static int wrong_form(const struct place *w, const struct provider *row)
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
static int add_name(struct place *w, char *probe, char *function)
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

static int add_own_name(struct place *w, const char *name)
{
	w->p->first_name = w->b->n_names;
	return add_name(w, strdup(name), strdup(""));
}

/* ---- events of sonde's own, and samples ---- */

static int machine(struct place *w)
{
	struct scope *s = &w->p->on->probe.scope;
	const struct arch *arch = kernel_arch(w->b->script.kernel);

	s->word = s->kernel_word = arch->word;
	s->big_endian = arch->big_endian;
	return 0;
}

static int own(struct place *w, const struct provider *row)
{
	if (w->n != 1)
		return wrong_form(w, row);
	w->p->when = row->when;
	return machine(w) || add_own_name(w, row->name);
}

/* hz:99, s:1, ms:10, us:500, or one duration: 1s. Sets the length of a period, in ns. */
static int period(struct place *w, const struct provider *row)
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
		return wrong_form(w, row);
	while (w->n == 3 && i < 4 && strcmp(w->parts[1], units[i].unit))
		i++;
	if (i == 4)
		return wrong(w, "units of time are s, ms, us and hz");
	if (w->n == 2)
		w->p->period = t.value;
	else if (!units[i].ns)
		w->p->period = t.value > NS_PER_SECOND ? 0 : NS_PER_SECOND / t.value;
	else if (__builtin_mul_overflow(t.value, units[i].ns, &w->p->period))
		w->p->period = 0;
	if (w->p->period < 1000 || w->p->period > INT64_MAX / 2)
		return wrong(w, "a period has at least a microsecond");
	return 0;
}

static int interval(struct place *w, const struct provider *row)
{
	w->p->when = BT_INTERVAL;
	return period(w, row) || machine(w) || add_own_name(w, w->text) ? -1 : 0;
}

static int profile(struct place *w, const struct provider *row)
{
	const bool hertz = w->n == 3 && !strcmp(w->parts[1], "hz");

	if (period(w, row))
		return -1;
	w->p->frequency = hertz ? (int64_t)strtoull(w->parts[2], NULL, 0) :
			  (int64_t)(NS_PER_SECOND / w->p->period);
	if (!w->p->frequency || (!hertz && NS_PER_SECOND % w->p->period))
		return wrong(w, "samples are taken once a second or a whole number of times: "
			     "profile:hz:99");
	snprintf(w->p->constant, sizeof(w->p->constant), "hz-%lld", (long long)w->p->frequency);
	w->p->on->probe.kernel = w->b->script.kernel;
	w->p->on->probe.sampled = w->p->constant;
	return machine(w) || add_own_name(w, w->text) ? -1 : 0;
}

/* ---- patterns ---- */

/* PROVIDER:NAME for each name that the pattern matches. */
static int add_names(struct place *w, const struct provider *row)
{
	const struct lang_probe *found = &w->p->on->probe;
	const unsigned int n = found->call ? 1 : found->patterns.n;
	const bool file = found->patterns.pattern.file && !found->call;
	const char *provider = found->call ? NULL : found->patterns.pattern.provider;

	w->p->first_name = w->b->n_names;
	for (unsigned int i = 0; i < n; i++) {
		const char *function = probe_function(found, i),
			   *name = found->scope.tracepoint ? found->patterns.names[i] : function;
		char *probe;

		if (found->call)
			name = function = strrchr(w->text, ':') + 1;
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
static int find(struct place *w, const char *pattern, const struct provider *row)
{
	struct lang_probe *probe = &w->p->on->probe;
	struct error why = { };
	size_t at = 0;
	int result;

	if (strpbrk(pattern, " \t\n(\""))
		return wrong(w, "a probe's name has no blanks, brackets or quotes here");
	probe->tree.source = (struct source){ .text = pattern };
	result = probe_find(w->b->script.kernel, probe, &at, &why);
	probe->tree.source = w->b->source;
	if (!result)
		return add_names(w, row);
	why.text[strcspn(why.text, "\n")] = '\0';
	return wrong(w, why.text);
}

static int function(struct place *w, const struct provider *row)
{
	char pattern[256];

	if (w->n == 3 && strcmp(w->parts[1], "vmlinux"))
		return wrong(w, "functions are named without their module here: kprobe:FUNCTION");
	if (w->n < 2 || w->n > 3)
		return wrong_form(w, row);
	snprintf(pattern, sizeof(pattern), "%s:%s", row->pattern, w->parts[w->n - 1]);
	w->p->typed = row->typed;
	return find(w, pattern, row);
}

static int tracepoint(struct place *w, const struct provider *row)
{
	char pattern[256];

	if (w->n != 3)
		return wrong_form(w, row);
	snprintf(pattern, sizeof(pattern), "%s%s:%s", row->pattern, w->parts[1], w->parts[2]);
	return find(w, pattern, row);
}

/* libc and libc.so.6 are libraries, sh a program, /lib/x.so a file. */
static int user_function(struct place *w, const struct provider *row)
{
	const char *file = w->parts[1];
	char pattern[1024];

	if (w->n != 3)
		return wrong_form(w, row);
	if (!strncmp(file, "lib", 3) && !strpbrk(file, "/."))
		file += 3;
	snprintf(pattern, sizeof(pattern), "%s%s:%s", row->pattern, file, w->parts[2]);
	return find(w, pattern, row);
}

/* usdt:FILE:PROBE, usdt:FILE:PROVIDER:PROBE; with -p FILE may be empty. */
static int usdt(struct place *w, const struct provider *row)
{
	const char *file = w->n > 1 ? w->parts[1] : "";
	char pattern[1024];

	if (w->n < 3)
		return wrong_form(w, row);
	if (!strncmp(file, "lib", 3) && !strpbrk(file, "/."))
		file += 3;
	snprintf(pattern, sizeof(pattern), "%s%s:%s%s%s", row->pattern, file, w->parts[2],
		 w->n == 4 ? ":" : "", w->n == 4 ? w->parts[3] : "");
	return find(w, pattern, row);
}

static const struct provider providers[] = {
	{ "begin", NULL, NULL, own, "BEGIN", BT_BEGIN },
	{ "end", NULL, NULL, own, "END", BT_END },
	{ "interval", "i", NULL, interval, "interval:s:1, interval:ms:100 or interval:hz:10",
	  BT_INTERVAL },
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
};
#define PROVIDERS (sizeof(providers) / sizeof(providers[0]))

/* Providers that sonde's language has not yet, and what does instead. */
static const char *const missing[][3] = {
	{ "rawtracepoint", "rt", "tracepoint:SYSTEM:EVENT" },
	{ "software", "s", "profile:hz:99" }, { "hardware", "h", "`sonde stat`" },
	{ "watchpoint", "w", "a probe of a function" }, { "asyncwatchpoint", "aw", "a probe of a "
	  "function" },
	{ "iter", "it", "interval:s:1" }, { "self", "", "interval:s:1" },
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

static int unknown(const struct place *w)
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
			"interval, profile, tracepoint, kprobe, kretprobe, fentry, fexit, uprobe, "
			"uretprobe and usdt",
			w->parts[0]);
}

/* The text with the parameters $1 ... in it. Quotes are left out. The caller frees. */
static char *text_of(const struct bt *b, const struct bt_probe *p)
{
	const char *at = b->source.text + p->at, *end = at + p->length;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	while (to && at < end) {
		char *behind;
		unsigned long i;

		if (*at == '$' && isdigit((unsigned char)at[1])) {
			i = strtoul(at + 1, &behind, 10);
			fputs(i && i <= b->n_arguments ? b->arguments[i - 1] : "", to);
			at = behind;
			continue;
		}
		if (*at != '"')
			fputc(*at, to);
		at++;
	}
	return to && !fclose(to) ? text : NULL;
}

static int attach(struct place *w)
{
	char *at = w->words, *colon;

	while (w->n < PARTS && at) {
		colon = strchr(at, ':');
		if (colon)
			*colon++ = '\0';
		w->parts[w->n++] = at;
		at = colon;
	}
	for (size_t i = 0; i < PROVIDERS; i++)
		if (same_word(w->parts[0], providers[i].name) ||
		    (providers[i].alias && !strcmp(w->parts[0], providers[i].alias)))
			return at ? wrong_form(w, &providers[i]) :
			       providers[i].attach(w, &providers[i]);
	return unknown(w);
}

int bt_attach(struct bt *b, struct bt_probe *p, unsigned int number, struct error *err)
{
	struct place w = { .b = b, .p = p, .err = err };
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
