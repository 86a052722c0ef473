// SPDX-License-Identifier: GPL-2.0
#include "compat/report/report.h"

#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/kernel/doubt.h"
#include "compat/probing/bpf_names.h"
#include "compat/types/offsets.h"

static const char *const answers[] = {
	[NO] = "no", [YES] = "yes", [UNEXPECTED] = "unexpected", [EXPECTED] = "expected",
};

static const char *answer_of(struct kernel *k, enum feature f)
{
	const enum answer answer = kernel_feature(k, f);

	return kernel_unknown(k, f) ? "unknown" : answers[answer];
}

/* Lists of bpf-check. */
static const struct {
	const char *title, *member, *line;
	const struct bpf_name *names;
} lists[] = {
	{ "BPF program types", "program_types", "\nprog types:", bpf_program_types },
	{ "BPF maps", "map_types", "\nmap types:", bpf_map_types },
	{ "helpers, kprobes", "kprobe_helpers", "\nhelpers kprobe:", bpf_helpers },
	{ "helpers, tracepoints", "tracepoint_helpers", "\nhelpers tracepoint:", bpf_helpers },
};

static const struct {
	const char *name, *path;
} settings[] = {
	{ "perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid" },
	{ "kptr_restrict", "/proc/sys/kernel/kptr_restrict" },
	{ "unprivileged_bpf_disabled", "/proc/sys/kernel/unprivileged_bpf_disabled" },
	{ "lockdown", "/sys/kernel/security/lockdown" },
};

/* Capabilities that a tracer may need. */
static const struct {
	unsigned int number;
	const char *name;
} capabilities[] = {
	{ CAP_BPF, "CAP_BPF" }, { CAP_PERFMON, "CAP_PERFMON" },
	{ CAP_SYS_ADMIN, "CAP_SYS_ADMIN" }, { CAP_SYS_RESOURCE, "CAP_SYS_RESOURCE" },
	{ CAP_SYSLOG, "CAP_SYSLOG" }, { CAP_SYS_PTRACE, "CAP_SYS_PTRACE" },
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

const char *setting_name(unsigned int i)
{
	return i < COUNT(settings) ? settings[i].name : NULL;
}

/* Returns the first line of a setting. For lockdown returns the word in brackets. */
const char *setting_value(struct kernel *k, unsigned int i, char *value, size_t size)
{
	const char *text = kernel_text(k, settings[i].path), *open;

	text_cut(value, size, "%s", text ? text : "not there");
	value[strcspn(value, "\n")] = 0;
	open = strchr(value, '[');
	if (open && strchr(open, ']')) {
		memmove(value, open + 1, strlen(open));
		value[strcspn(value, "]")] = 0;
	}
	return value;
}

/* Calls `each` with the name of each number in a list of bpf-check, if the number has a name. */
static void each_listed(struct kernel *k, unsigned int list,
			void (*each)(void *arg, const char *name), void *arg)
{
	const char *check = kernel_text(k, "bpf-check"), *at;
	const struct bpf_name *n;
	unsigned long number;
	char *end;

	at = check ? strstr(check, lists[list].line) : NULL;
	if (!at)
		return;
	for (at += strlen(lists[list].line); *at == ' '; at = end) {
		number = strtoul(at, &end, 10);
		if (end == at)
			return;
		for (n = lists[list].names; n->name && n->number != number; n++)
			;
		if (n->name)
			each(arg, n->name);
	}
}

/* The words of one row of the table. A row may go on in further lines below its first word. */
struct wrap {
	FILE *out;
	unsigned int column;
};

#define INDENT 27

static void print_word(void *arg, const char *word)
{
	struct wrap *w = arg;
	unsigned int length = strlen(word);

	if (w->column > INDENT && w->column + 1 + length > 100) {
		fprintf(w->out, "\n%*s", INDENT, "");
		w->column = INDENT;
	} else if (w->column > INDENT) {
		fputc(' ', w->out);
		w->column++;
	}
	fputs(word, w->out);
	w->column += length;
}

static void print_text(struct kernel *k, FILE *out)
{
	unsigned int code = kernel_version_code(k);
	char value[128];

	fprintf(out, "kernel %s (%u.%u.%u), %s%s\n\n", kernel_release(k), code >> 16,
		code >> 8 & 0xff, code & 0xff, kernel_arch(k)->name,
		kernel_live(k) ? "" : ", from a snapshot");
	for (enum feature f = 0; f < FEATURES; f++) {
		struct feature_reason reason = kernel_feature_reason(k, f);

		fprintf(out, "%-20s %-10s %s", feature_name(f), answer_of(k, f),
			feature_text(f));
		/* The root's own row says why it is absent. */
		if (reason.root != f)
			fprintf(out, " (needs %s)", feature_name(reason.root));
		else if (reason.text)
			fprintf(out, " (%s)", reason.text);
		fputc('\n', out);
	}
	fputc('\n', out);
	for (unsigned int i = 0; i < COUNT(lists); i++) {
		struct wrap w = { out, INDENT };

		fprintf(out, "%-*s", INDENT, lists[i].title);
		each_listed(k, i, print_word, &w);
		fputs(w.column == INDENT ? "not known\n" : "\n", out);
	}
	for (unsigned int i = 0; i < COUNT(settings); i++) {
		setting_value(k, i, value, sizeof(value));
		fprintf(out, "%-*s%s\n", INDENT, settings[i].name, value);
	}
	if (kernel_live(k)) {
		struct wrap w = { out, INDENT };

		fprintf(out, "%-*s", INDENT, "capabilities");
		for (unsigned int i = 0; i < COUNT(capabilities); i++)
			if (kernel_capable(k, capabilities[i].number))
				print_word(&w, capabilities[i].name);
		fputs(w.column == INDENT ? "none of those a tracer needs\n" : "\n", out);
	}
}

static void json_word(void *arg, const char *word)
{
	jsonw_text(arg, NULL, word);
}

static void json_feature(struct jsonw *w, struct kernel *k, enum feature f)
{
	struct feature_reason reason = kernel_feature_reason(k, f);
	char words[FEATURE_REASON];

	feature_reason_words(&reason, words, sizeof(words));
	jsonw_open(w, feature_name(f), '{');
	jsonw_text(w, "answer", answer_of(k, f));
	jsonw_text(w, "what", feature_text(f));
	if (*words)
		jsonw_text(w, "reason", words);
	jsonw_close(w, '}');
}

static void print_json(struct kernel *k, struct jsonw *w)
{
	unsigned int code = kernel_version_code(k);
	char value[128];

	jsonw_text(w, "kernel", kernel_release(k));
	snprintf(value, sizeof(value), "%u.%u.%u", code >> 16, code >> 8 & 0xff, code & 0xff);
	jsonw_text(w, "version", value);
	jsonw_text(w, "arch", kernel_arch(k)->name);
	jsonw_bool(w, "snapshot", !kernel_live(k));
	jsonw_open(w, "features", '{');
	for (enum feature f = 0; f < FEATURES; f++)
		json_feature(w, k, f);
	jsonw_close(w, '}');
	jsonw_open(w, "bpf", '{');
	for (unsigned int i = 0; i < COUNT(lists); i++) {
		jsonw_open(w, lists[i].member, '[');
		each_listed(k, i, json_word, w);
		jsonw_close(w, ']');
	}
	jsonw_close(w, '}');
	jsonw_open(w, "settings", '{');
	for (unsigned int i = 0; i < COUNT(settings); i++)
		jsonw_text(w, settings[i].name, setting_value(k, i, value, sizeof(value)));
	jsonw_close(w, '}');
	if (!kernel_live(k))
		return;
	jsonw_open(w, "capabilities", '[');
	for (unsigned int i = 0; i < COUNT(capabilities); i++)
		if (kernel_capable(k, capabilities[i].number))
			jsonw_text(w, NULL, capabilities[i].name);
	jsonw_close(w, ']');
}

/* What is known of a member. NULL: it is unknown, and `reason` is why or NULL. */
static const struct offset *known_offset(struct kernel *k, const struct member *m,
					 const char **origin, const char **reason)
{
	const struct offset *o = kernel_member(k, m->path);
	const bool known = o && o->origin != OFFSET_UNKNOWN;

	*origin = offset_origin_name(o ? o->origin : OFFSET_UNKNOWN);
	*reason = o && !known ? o->reason : NULL;
	return known ? o : NULL;
}

void offsets_print(struct kernel *k, FILE *out)
{
	const char *origin, *reason;

	fputs("\noffsets\n", out);
	for (const struct member *m = members; m->path; m++) {
		const struct offset *o;
		char number[16] = "-";

		if (!member_of(k, m))
			continue;
		o = known_offset(k, m, &origin, &reason);
		if (o)
			snprintf(number, sizeof(number), "%d", o->value);
		fprintf(out, "%-32s %6s %s", m->path, number, origin);
		if (reason)
			fprintf(out, " (%s)", reason);
		fputc('\n', out);
	}
}

void offsets_json(struct kernel *k, struct jsonw *w)
{
	const char *origin, *reason;

	jsonw_open(w, "offsets", '{');
	for (const struct member *m = members; m->path; m++) {
		const struct offset *o;

		if (!member_of(k, m))
			continue;
		o = known_offset(k, m, &origin, &reason);
		jsonw_open(w, m->path, '{');
		if (o)
			jsonw_integer(w, "offset", o->value);
		else
			jsonw_text(w, "offset", NULL);
		jsonw_text(w, "origin", origin);
		if (reason)
			jsonw_text(w, "reason", reason);
		jsonw_close(w, '}');
	}
	jsonw_close(w, '}');
}

int features_print(struct kernel *k, bool json, FILE *out,
		   void (*more)(void *arg, FILE *out, struct jsonw *json), void *arg)
{
	struct jsonw w = { .to = out, .spaced = true };

	if (kernel_live(k))
		kernel_set_thorough(k);
	if (json) {
		jsonw_open(&w, NULL, '{');
		print_json(k, &w);
	} else {
		print_text(k, out);
	}
	if (more)
		more(arg, out, json ? &w : NULL);
	if (json)
		jsonw_end(&w);
	return fflush(out) != 0 || ferror(out) ? -1 : 0;
}
