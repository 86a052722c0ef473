// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/file.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kernel/kernel_internal.h"

/*
 * A snapshot is a folder; compat/report/snapshot_write.h lists its files. A text of tracefs is a
 * file of the folder. A sysctl is a line `path value` of a file: it is looked up here by its path.
 */
#define FILE_MAX (64u << 20)

static char *snapshot_file(struct kernel *k, const char *file, size_t *length)
{
	size_t n = strlen(file);
	char path[512];

	if (snprintf(path, sizeof(path), "%s/%s", k->dir, file) >= (int)sizeof(path))
		return NULL;
	if (n > 3 && strcmp(file + n - 3, ".gz") == 0)
		return gz_text(path, FILE_MAX, length);
	return file_text(path, FILE_MAX, length);
}

/*
 * The value of the line `KEY value`, up to the end of the line. Returns NULL if there is no such
 * line.
 */
static const char *find_line(const char *text, const char *key, size_t *length)
{
	size_t n = strlen(key);

	for (const char *line = text; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		if (strncmp(line, key, n) != 0)
			continue;
		line += n;
		if (*line != ' ' && *line != '\t')
			continue;
		line += strspn(line, " \t");
		*length = strcspn(line, "\n");
		return line;
	}
	return NULL;
}

/*
 * "Linux NODE RELEASE VERSION ... MACHINE ... GNU/Linux": the last word that is the name of a
 * machine is the machine.
 */
static bool snapshot_identity(struct kernel *k, struct kernel_identity *to)
{
	char *text = snapshot_file(k, "uname", NULL), *words[64], *word, *rest, *debian, *code;
	struct strbuf version = strbuf_over(to->version, sizeof(to->version));
	unsigned int n = 0;

	if (!text)
		return false;
	/* Debian tells the exact version: "Debian 6.1.176-1", while the release is 6.1.0. */
	debian = strstr(text, " Debian ");
	if (debian)
		to->version_code = version_parse(debian + 8);
	rest = text;
	while (n < 64 && (word = strsep(&rest, " \n")))
		if (*word)
			words[n++] = word;
	if (n >= 4)
		text_cut(to->release, sizeof(to->release), "%s", words[2]);
	for (; n > 3 && !to->arch; n--)
		to->arch = arch_by_name(words[n - 1]);
	for (unsigned int i = 3; i < n; i++)
		strbuf_addf(&version, "%s%s", i > 3 ? " " : "", words[i]);
	free(text);
	code = snapshot_file(k, "version-code", NULL);
	if (code)
		to->version_code = strtoul(code, NULL, 10);
	free(code);
	if (!to->version_code)
		to->version_code = version_parse(to->release);
	return to->release[0] && to->version_code;
}

static char *snapshot_tracefs(struct kernel *k)
{
	char *path = snapshot_file(k, "tracefs-path", NULL);

	if (path)
		path[strcspn(path, "\n")] = 0;
	if (path && !*path) {
		free(path);
		path = NULL;
	}
	return path;
}

/*
 * Where the folder has a text: as a whole file, as a file below a folder, or as a line of a file.
 */
static const struct {
	const char *prefix, *file;
	enum { WHOLE, BELOW, LINE } how;
} places[] = {
	{ "tracefs:README", "tracefs-README", WHOLE },
	{ "tracefs:events/", "formats/", BELOW },
	{ "tracefs:available_events", "available_events", WHOLE },
	{ "tracefs:available_tracers", "available_tracers", WHOLE },
	{ "tracefs:trace_clock", "trace_clock", WHOLE },
	{ "tracefs:printk_formats", "printk_formats", WHOLE },
	{ "config", "config.gz", WHOLE },
	{ "/proc/filesystems", "filesystems", WHOLE },
	{ "bpf-check", "bpf-check", WHOLE },
	{ "features", "features", WHOLE },
	{ "offsets", "offsets", WHOLE },
	{ "raw-tracepoints", "raw-tracepoints", WHOLE },
	{ "functions-typed", "functions-typed", WHOLE },
	{ "pmu", "pmu", WHOLE },
	{ "pmu-formats", "pmu-formats", WHOLE },
	{ "limits", "cmdline-limits", WHOLE },
	{ "/proc/sys/", "cmdline-limits", LINE },
	{ "/sys/devices/system/node/", "nodes", LINE },
	{ "/sys/kernel/", "cmdline-limits", LINE },		/* as security/lockdown */
};

static char *copy_line(const char *text, const char *key, size_t *length)
{
	const char *value;

	value = text ? find_line(text, key, length) : NULL;
	return value ? strndup(value, *length) : NULL;
}

/*
 * /sys/bus/event_source/devices/NAME/type is the line "NAME number" of `pmu`. NAME/format/FIELD is
 * a line of `pmu-formats`.
 */
static char *snapshot_pmu(struct kernel *k, const char *path, size_t *length)
{
	size_t n = strlen(path);
	char name[128], *text, *value;

	if (n < 5 || strcmp(path + n - 5, "/type") != 0) {
		text = snapshot_file(k, "pmu-formats", NULL);
		value = copy_line(text, path, length);
	} else {
		text_all(name, sizeof(name), "%.*s", (int)(n - 5), path);
		text = snapshot_file(k, "pmu", NULL);
		value = copy_line(text, name, length);
	}
	free(text);
	return value;
}

static char *snapshot_text(struct kernel *k, const char *path, size_t *length)
{
	static const char pmus[] = "/sys/bus/event_source/devices/";
	char file[256], *text, *value;

	if (strncmp(path, pmus, sizeof(pmus) - 1) == 0)
		return snapshot_pmu(k, path + sizeof(pmus) - 1, length);
	for (unsigned int i = 0; i < sizeof(places) / sizeof(*places); i++) {
		size_t n = strlen(places[i].prefix);

		if (places[i].how == WHOLE ? strcmp(path, places[i].prefix) :
		    strncmp(path, places[i].prefix, n))
			continue;
		if (places[i].how == WHOLE)
			return snapshot_file(k, places[i].file, length);
		if (places[i].how == BELOW) {
			text_all(file, sizeof(file), "%s%s", places[i].file, path + n);
			return snapshot_file(k, file, length);
		}
		text = snapshot_file(k, places[i].file, NULL);
		value = copy_line(text, path + n, length);
		free(text);
		return value;
	}
	return NULL;
}

/* The file has lines "T name". */
static int snapshot_functions(struct kernel *k, symbol_fn each, void *arg)
{
	char *text = snapshot_file(k, "kallsyms-names.gz", NULL);
	size_t n;

	if (!text)
		return -1;
	for (const char *line = text; *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		if (n > 2 && line[1] == ' ' && strchr("tTwW", line[0]))
			each(arg, line[0], line + 2, n - 2);
	}
	free(text);
	return 0;
}

/* A snapshot has a reason as text. Finds the cause by words of the text. */
static enum cause cause_in(const char *text)
{
	if (!strcmp(text, "--without"))
		return CAUSE_WITHOUT;
	if (strstr(text, "run as root"))
		return CAUSE_RIGHTS;
	if (strstr(text, "Function not implemented"))
		return CAUSE_NO_CALL;
	if (strstr(text, "No such file") && strstr(text, "(CONFIG_"))
		return CAUSE_NOT_BUILT;
	return CAUSE_OTHER;
}

/* A reason as feature_reason_words() wrote it: "needs ROOT: TEXT", "TEXT". */
static void read_reason(struct verdict *v, enum answer answer, const char *text)
{
	size_t n = strncmp(text, "needs ", 6) ? 0 : strcspn(text + 6, ":");

	for (enum feature f = 0; n && f < FEATURES; f++)
		if (strlen(feature_name(f)) == n && !strncmp(text + 6, feature_name(f), n)) {
			v->root = f;
			text += 6 + n + strspn(text + 6 + n, ": ");
			break;
		}
	verdict_set(v, answer, "%s", text);
	v->cause = cause_in(text);
}

/* Answers by the file that `sonde snapshot` wrote: lines "NAME answer reason". */
static bool from_features(struct kernel *k, enum feature f, struct verdict *v)
{
	static const char *const answers[] = {
		[NO] = "no", [YES] = "yes", [UNEXPECTED] = "unexpected", [EXPECTED] = "expected",
	};
	const char *text = kernel_text(k, "features"), *line;
	char reason[FEATURE_REASON];
	size_t length, word;

	line = text ? find_line(text, feature_name(f), &length) : NULL;
	if (!line)
		return false;
	word = strcspn(line, " \n");
	for (enum answer a = NO; a <= EXPECTED; a++)
		if (strlen(answers[a]) == word && strncmp(line, answers[a], word) == 0) {
			text_cut(reason, sizeof(reason), "%.*s", (int)(length - word),
				 line + word + (line[word] == ' '));
			reason[strcspn(reason, "\n")] = 0;
			read_reason(v, a, reason);
			return true;
		}
	return false;
}

/* Lines of bpf-check: the trial, and words of the line if the trial succeeded. */
static const struct {
	enum feature feature;
	const char *what, *success;
} tried[] = {
	{ FEATURE_BPF, "BPF_MAP_CREATE hash", "ok" },
	{ FEATURE_BPF_KPROBE, "kprobe do_nanosleep", "SET_BPF ok" },
	{ FEATURE_BPF_KPROBE, "PROG_LOAD kprobe", "ok" },
	{ FEATURE_BPF_TRACEPOINT, "tracepoint sched:sched_switch", "SET_BPF ok" },
	{ FEATURE_BPF_TRACEPOINT, "PROG_LOAD tracepoint", "ok" },
	{ FEATURE_BPF_SYSCALL, "tracepoint syscalls:sys_enter_nanosleep", "SET_BPF ok" },
	{ FEATURE_PERF, "tracepoint sched:sched_switch", "perf count" },
	{ FEATURE_PERF_SAMPLES, "tracepoint sched:sched_switch", "perf count" },
	{ FEATURE_KPROBES, "kprobe_events: p do_nanosleep", "ok" },
	{ FEATURE_UPROBES, "uprobe_events: /bpftest", "ok" },
};

static bool from_tries(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *check = kernel_text(k, "bpf-check"), *line;
	char result[160];
	size_t length;

	for (unsigned int i = 0; check && i < sizeof(tried) / sizeof(*tried); i++) {
		if (tried[i].feature != f || !(line = find_line(check, tried[i].what, &length)))
			continue;
		text_cut(result, sizeof(result), "%.*s", (int)length, line);
		verdict_set(v, strstr(result, tried[i].success) ? YES : NO,
			    "tried there: %s", result);
		v->cause = cause_in(result);
		return true;
	}
	return false;
}

/*
 * Answers by the map types that bpf-check tried. The type of perf event arrays does not prove that
 * the kernel has their helper: the version tells.
 */
static bool from_map_types(struct kernel *k, enum feature f, struct verdict *v)
{
	static const char *const types[FEATURES][2] = {
		[FEATURE_BPF_RINGBUF] = { "27" },
		[FEATURE_BPF_PERCPU] = { "5", "6" },
		[FEATURE_BPF_OUTPUT] = { "4" },
		[FEATURE_BPF_STACK] = { "7" },
	};
	const char *check = kernel_text(k, "bpf-check"), *line;
	char *list;
	size_t length;
	bool have = true;

	line = check && types[f][0] ? find_line(check, "map types:", &length) : NULL;
	if (!line)
		return false;
	list = strndup(line, length);
	for (unsigned int i = 0; list && i < 2 && types[f][i]; i++)
		have &= has_word(list, types[f][i]);
	free(list);
	if (have && f == FEATURE_BPF_OUTPUT)
		return false;
	verdict_set(v, have ? YES : NO, "tried there: map type %s", types[f][0]);
	return true;
}

static bool has_syscalls(struct kernel *k)
{
	const char *events = kernel_text(k, "tracefs:available_events");

	return events && strstr(events, "syscalls:sys_enter_");
}

/* Answers by the kernel's own lists: a kernel has the things that it lists. */
static bool from_lists(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *text;
	bool have;

	switch (f) {
	case FEATURE_TRACEFS:
		have = kernel_tracefs(k);
		break;
	case FEATURE_CLOCK_MONO:
		text = kernel_text(k, "tracefs:trace_clock");
		have = text && has_word(text, "mono");
		break;
	case FEATURE_SYSCALLS:
		have = has_syscalls(k);
		break;
	case FEATURE_KPROBE_PMU:
		have = kernel_text(k, "/sys/bus/event_source/devices/kprobe/type");
		break;
	case FEATURE_UPROBE_PMU:
		have = kernel_text(k, "/sys/bus/event_source/devices/uprobe/type");
		break;
	default:
		return false;
	}
	verdict_set(v, have ? YES : NO, "listed there: %s", have ? "yes" : "no");
	return true;
}

/* Asks the best source first: trials on the snapshot's kernel. The version is the last source. */
static void snapshot_feature(struct kernel *k, enum feature f, struct verdict *v)
{
	static bool (*const sources[])(struct kernel *, enum feature, struct verdict *) = {
		from_features, from_tries, from_map_types, from_lists, feature_by_config,
		feature_by_readme, feature_by_machine,
	};

	if ((f == FEATURE_ROOT_PIDNS || f == FEATURE_PMU_CACHE || f == FEATURE_CPU_FREQUENCY) &&
	    !kernel_text(k, "features")) {
		verdict_set(v, EXPECTED, "not a fact of the kernel");
		return;
	}
	if (f == FEATURE_PMU && !kernel_text(k, "features")) {
		verdict_set(v, UNEXPECTED, "not a fact of the kernel");
		return;
	}
	for (unsigned int i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		if (sources[i](k, f, v))
			return;
	feature_by_version(k, f, v);
}

const struct facts facts_snapshot = {
	.live = false,
	.identity = snapshot_identity,
	.tracefs = snapshot_tracefs,
	.text = snapshot_text,
	.functions = snapshot_functions,
	.feature = snapshot_feature,
};
