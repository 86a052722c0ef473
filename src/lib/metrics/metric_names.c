// SPDX-License-Identifier: GPL-2.0
#include "src/lib/metrics/metric_names.h"

#include <string.h>

#include "compat/base/strbuf.h"

/*
 * Labels multiply: each pair of values is a series that an engine keeps for weeks. So there is none
 * of what has a new value every minute: pid, tid, address, port, path, a program's name, which
 * anybody chooses.
 */
static const struct {
	const char *name;
	bool passes;
} labels[] = {
	{ "disk" }, { "device" }, { "type" }, { "operation" }, { "flags" }, { "syscall" },
	{ "call" }, { "errno" }, { "error" }, { "state" }, { "oldstate" }, { "newstate" },
	{ "signal" }, { "reason" }, { "kind" }, { "proto" }, { "direction" }, { "fs" },
	{ "cache" }, { "func" }, { "function" }, { "hardirq" }, { "softirq" }, { "cap" },
	{ "spec" },
	{ "container", true }, { "pod", true }, { "unit", true }, { "cgroup", true },
};

static const struct {
	enum column_unit unit;
	struct metric_unit base;
} units[] = {
	{ IN_NS, { "seconds", 1e-9 } }, { IN_US, { "seconds", 1e-6 } },
	{ IN_MS, { "seconds", 1e-3 } }, { IN_S, { "seconds", 1 } },
	{ IN_BYTES, { "bytes", 1 } }, { IN_KB, { "bytes", 1024 } }, { IN_MB, { "bytes", 1048576 } },
	{ IN_SECTORS, { "bytes", 512 } }, { IN_PAGES, { "pages", 1 } },
};

static const struct {
	const char *name;
	struct metric_unit base;
} named[] = {
	{ "nsecs", { "seconds", 1e-9 } }, { "usecs", { "seconds", 1e-6 } },
	{ "msecs", { "seconds", 1e-3 } }, { "secs", { "seconds", 1 } },
	{ "bytes", { "bytes", 1 } }, { "Kbytes", { "bytes", 1024 } },
};

bool metric_unit_of(enum column_unit unit, struct metric_unit *to)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (units[i].unit == unit) {
			*to = units[i].base;
			return true;
		}
	return false;
}

bool metric_unit_named(const char *unit, struct metric_unit *to)
{
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (!strcmp(named[i].name, unit)) {
			*to = named[i].base;
			return true;
		}
	return false;
}

/* Bytes of `what` without a unit at its end, and without the _ before that. */
static size_t without_unit(const char *what, const char *unit)
{
	static const char *const ends[] = {
		"seconds", "usecs", "nsecs", "kbytes", "bytes", "kb", "mb", "ns", "us", "ms", "s",
		"pages",
	};
	size_t n = strlen(what);

	for (size_t i = 0; *unit && i < sizeof(ends) / sizeof(ends[0]); i++) {
		const size_t end = strlen(ends[i]);

		if (n >= end && !strcmp(what + n - end, ends[i]) &&
		    (n == end || what[n - end - 1] == '_')) {
			n -= end;
			break;
		}
	}
	return n && what[n - 1] == '_' ? n - 1 : n;
}

static void add_word(struct strbuf *to, const char *word, size_t n)
{
	strbuf_addf(to, "_");
	for (size_t i = 0; i < n; i++) {
		const char c = word[i];
		const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

		strbuf_addf(to, "%c", fits ? c : c >= 'A' && c <= 'Z' ? c | 0x20 : '_');
	}
}

void metric_name(const char *tool, const char *what, const struct metric_unit *unit, char *to,
		 size_t size)
{
	struct strbuf name = strbuf_over(to, size);
	const size_t length = strlen(tool);
	size_t n;

	/* A counter's name ends with it. */
	what += strncmp(what, "total_", 6) ? 0 : 6;
	n = without_unit(what, unit->name);
	strbuf_addf(&name, "sonde");
	add_word(&name, tool, length);
	if (n && !(n <= length && !strncmp(tool + length - n, what, n)))
		add_word(&name, what, n);
	if (*unit->name)
		add_word(&name, unit->name, strlen(unit->name));
}

static bool has_word(const char *list, const char *word)
{
	const size_t n = strlen(word);

	while (list && *list) {
		const size_t length = strcspn(list, ",");

		if (length == n && !strncmp(list, word, n))
			return true;
		list += length + (list[length] == ',');
	}
	return false;
}

bool metric_label_wanted(const char *name, const char *asked)
{
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (!strcmp(labels[i].name, name))
			return true;
	return has_word(asked, name);
}

bool metric_label_passes(const char *name)
{
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (!strcmp(labels[i].name, name))
			return labels[i].passes;
	return true;
}
