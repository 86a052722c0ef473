// SPDX-License-Identifier: GPL-2.0
#include "src/session/reasons.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kernel/doubt.h"

#define ROOT_ADVICE NEEDS_ROOT \
	"\nrun it as root, or with CAP_BPF and CAP_PERFMON (CAP_SYS_ADMIN before Linux 5.8) and " \
	"a readable\ntracefs (mount -o remount,gid=GROUP,mode=750 /sys/kernel/tracing)"

/*
 * The reason if a hook needs a feature that this kernel or machine does not have. --without and
 * features that can't be used have other reasons. `advice`: on the next line; NULL: none.
 */
static const struct {
	const char *what, *advice;
} lacks[FEATURES] = {
	[FEATURE_KPROBES] = { "this kernel has no kprobes" },
	[FEATURE_UPROBES] = { "this kernel has no uprobes" },
	[FEATURE_CPU_FREQUENCY] = {
		"this machine does not tell the frequencies of its CPUs",
		"`sonde stat -a -A -e cycles,cpu-clock` shows at which frequencies they ran" },
	[FEATURE_PMU_CACHE] = {
		"this machine has no counters of its last cache that take samples, as most virtual "
		"machines" },
};

/* The reason if an engine needs a feature, and only the absence of the feature is known. */
static const char *const absences[FEATURES] = {
	[FEATURE_BPF] = "this kernel has no bpf(2)",
	[FEATURE_TRACEFS] = "tracefs is not mounted or not readable",
	[FEATURE_PERF] = "this kernel has no perf events on tracepoints",
	[FEATURE_INSTANCES] = "this kernel has no tracefs instances (since 3.10)",
};

/* The reason of the root feature alone, if it has one. */
static void root_words(const struct feature_reason *why, char *to, size_t size)
{
	if (why->text)
		text_cut(to, size, "%s", why->text);
	else
		feature_reason_words(why, to, size);
}

/* The reason of the best alternative, for users who do not know hooks. */
static void brief_feature(struct kernel *k, enum feature f, char *text, size_t size)
{
	struct feature_reason why = { .feature = f, .root = f };
	char words[FEATURE_REASON];

	if (k)
		why = kernel_feature_reason(k, f);
	root_words(&why, words, sizeof(words));
	if (k && kernel_unknown(k, f))
		text_cut(text, size, "it needs %s, and sonde could not find out whether it is "
			 "here: %s", feature_name(f), words);
	else if (why.cause == CAUSE_WITHOUT)
		text_cut(text, size, "it needs %s, which --without takes away",
			 feature_name(why.root));
	else if (lacks[f].what && !feature_config(f))	/* a feature of the machine */
		text_cut(text, size, "%s: %s%s%s", lacks[f].what, words,
			 lacks[f].advice ? "\n" : "", lacks[f].advice ? lacks[f].advice : "");
	else if (!*words || why.cause == CAUSE_NOT_BUILT)
		text_cut(text, size, "%s (%s)", lacks[f].what, feature_config(f));
	else
		text_cut(text, size, "it needs `%s` (%s): %s", feature_name(f), feature_text(f),
			 words);
}

/*
 * To probe many functions at once is only the faster way. If single probes are refused, too, their
 * refusal is the reason.
 */
static const struct refusal *best_of(const struct refusals *refusals)
{
	const struct refusal *best = refusals->list, *end = refusals->list + refusals->n - 1;

	while (best < end && best[1].hook && best->lacks &&
	       (best->feature == FEATURE_KPROBE_MULTI || best->feature == FEATURE_UPROBE_MULTI))
		best++;
	return best;
}

/*
 * Writes the reason of the best alternative. Refusals without a hook that follow it are advice, and
 * stay. If a function is missing, its module is most likely not loaded.
 */
static void make_brief(struct kernel *k, char *text, size_t size, const struct refusals *refusals)
{
	const struct refusal *best = best_of(refusals);
	struct strbuf lines;

	if (best->lacks) {
		brief_feature(k, best->feature, text, size);
		return;
	}
	if (best->function) {
		text_cut(text, size, "%s is not loaded (modprobe %s), or has no %s() here",
			 best->module, best->module, best->function);
		return;
	}
	if (best->needs_btf) {
		snprintf(text, size, "it needs the kernel's type information (BTF, "
				     "CONFIG_DEBUG_INFO_BTF)");
		return;
	}
	lines = strbuf_over(text, size);
	strbuf_addf(&lines, "%s", best->why.text);
	while (++best < refusals->list + refusals->n && !best->hook)
		strbuf_addf(&lines, "\n%s", best->why.text);
}

/*
 * Adds a reason for an engine. Returns NULL if there is no room, or if the engine has one: that is
 * of the tool's own programs, and what may come later is of its last resort.
 */
static struct reason *next_reason(struct reasons *reasons, const char *engine)
{
	for (unsigned int i = 0; i < reasons->n; i++)
		if (!strcmp(reasons->list[i].engine, engine))
			return NULL;
	if (reasons->n == REASONS_MOST)
		return NULL;
	reasons->list[reasons->n].engine = engine;
	return &reasons->list[reasons->n++];
}

void reasons_add_feature(struct reasons *reasons, const char *engine,
			 const struct feature_reason *why, bool unknown)
{
	struct reason *reason = next_reason(reasons, engine);
	char words[FEATURE_REASON];

	if (!reason)
		return;
	feature_reason_words(why, words, sizeof(words));
	if (!*words && absences[why->feature])
		text_cut(words, sizeof(words), "%s", absences[why->feature]);
	else if (!*words)
		text_cut(words, sizeof(words), "this kernel has no %s", feature_name(why->feature));
	lines_add(&reason->all, "%s%s%s", unknown ? "unknown: " : "", words,
		  why->cause == CAUSE_WITHOUT ? " takes it away" : "");
	if (why->cause == CAUSE_NO_CALL)
		snprintf(reason->brief, sizeof(reason->brief), "this kernel has none");
	else if (why->cause == CAUSE_WITHOUT)
		text_cut(reason->brief, sizeof(reason->brief), "--without takes %s away",
			 feature_name(why->root));
	else
		text_cut(reason->brief, sizeof(reason->brief), "%s%s", unknown ?
			 "sonde could not examine this kernel: " : "",
			 why->text ? why->text : words);
	reason->rights = why->cause == CAUSE_RIGHTS;
	reason->number = why->error;
}

/* Adds a text, which has its advice on lines of their own. */
static void add_text(struct lines *lines, const char *hook, const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n'), hook = NULL) {
		n = strcspn(text, "\n");
		lines_add(lines, "%s%s%.*s", hook ? hook : "", hook ? ": " : "", (int)n, text);
	}
}

void reasons_add(struct reasons *reasons, struct kernel *k, const char *engine,
		 const struct error *why, const struct refusals *refusals)
{
	bool refused = refusals && refusals->n;
	struct reason *reason = refused || *why->text ? next_reason(reasons, engine) : NULL;
	struct error doubt;

	if (!reason)
		return;
	if (!refused) {
		reason->of_tool = refusals;
		add_text(&reason->all, NULL, why->text);
		text_cut(reason->brief, sizeof(reason->brief), "%.*s",
			 (int)sizeof(reason->brief) - 1, why->text);
		reason->number = why->number;
		return;
	}
	for (unsigned int i = 0; i < refusals->n; i++)
		add_text(&reason->all, refusals->list[i].hook, refusals->list[i].why.text);
	reason->of_tool = refusals->list[0].hook;
	/* What could not be read looks like something that the kernel lacks. */
	if (k && kernel_doubted(k, &doubt)) {
		lines_add(&reason->all, "unknown: %s", doubt.text);
		text_cut(reason->brief, sizeof(reason->brief), "sonde could not examine this "
			 "kernel: %.300s", doubt.text);
		reason->number = doubt.number;
		return;
	}
	make_brief(k, reason->brief, sizeof(reason->brief), refusals);
}

void reasons_print(const struct reasons *reasons, FILE *out, const char *head)
{
	for (unsigned int i = 0; i < reasons->n; i++)
		for (unsigned int line = 0; line < reasons->list[i].all.n; line++) {
			char engine[16] = "";

			if (!line)
				text_cut(engine, sizeof(engine), "%s:", reasons->list[i].engine);
			fprintf(out, "%s%-8s%s\n", head, engine, reasons->list[i].all.list[line]);
		}
}

void reasons_free(struct reasons *reasons)
{
	for (unsigned int i = 0; i < reasons->n; i++)
		lines_free(&reasons->list[i].all);
	*reasons = (struct reasons){};
}

/* Returns true if all engines want root: a user who is not root reads it once, not three times. */
static bool needs_root(const struct reasons *reasons)
{
	for (unsigned int i = 0; i < reasons->n; i++)
		if (!reasons->list[i].rights)
			return false;
	return reasons->n && geteuid();
}

/* Returns true if all engines have one reason. */
static bool shared(const struct reasons *reasons)
{
	for (unsigned int i = 1; i < reasons->n; i++)
		if (strcmp(reasons->list[i].brief, reasons->list[0].brief))
			return needs_root(reasons);
	return true;
}

static bool told_before(const struct reasons *reasons, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (!strcmp(reasons->list[i].brief, reasons->list[n].brief))
			return true;
	return false;
}

/* "perf, ftrace: REASON": the engines that have the reason of number i. */
static void add_reason(struct strbuf *to, const struct reasons *reasons, unsigned int i)
{
	const char *brief = reasons->list[i].brief;

	strbuf_between(to, "\n");
	for (unsigned int j = i; j < reasons->n; j++)
		if (!strcmp(reasons->list[j].brief, brief))
			strbuf_addf(to, "%s%s", j == i ? "" : ", ", reasons->list[j].engine);
	strbuf_addf(to, ": %s", brief);
}

bool reasons_brief(const struct reasons *reasons, char *to, size_t size)
{
	struct strbuf lines = strbuf_over(to, size);

	if (shared(reasons)) {
		strbuf_addf(&lines, "%s",
			    needs_root(reasons) ? ROOT_ADVICE :
			    reasons->n		? reasons->list[0].brief :
						  "no engine was tried");
		return true;
	}
	for (unsigned int i = 0; i < reasons->n; i++)
		if (!told_before(reasons, i))
			add_reason(&lines, reasons, i);
	return false;
}

int reasons_number(const struct reasons *reasons)
{
	unsigned int i = 0;

	while (i < reasons->n && !reasons->list[i].number)
		i++;
	return i < reasons->n ? reasons->list[i].number : 0;
}

void reasons_line(const struct reasons *reasons, char *to, size_t size)
{
	struct strbuf joined = strbuf_over(to, size);
	struct reasons own = { };
	char text[900];

	for (unsigned int i = 0; i < reasons->n; i++)
		if (reasons->list[i].of_tool)
			own.list[own.n++] = reasons->list[i];
	if (reasons_brief(own.n ? &own : reasons, text, sizeof(text)))
		text[strcspn(text, "\n")] = '\0';
	for (char *line = text, *rest = text; (line = strsep(&rest, "\n"));) {
		strbuf_between(&joined, "; ");
		strbuf_addf(&joined, "%s", line);
	}
}
