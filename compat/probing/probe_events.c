// SPDX-License-Identifier: GPL-2.0
/* Tries which events of kprobes and uprobes tracefs takes. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "compat/probing/probe_internal.h"

void probe_forget(struct kernel *k, const char *events, const char *name)
{
	char path[PATH_MAX], line[64];

	text_all(path, sizeof(path), "%s/events/sonde_try/%s", kernel_tracefs(k), name);
	if (access(path, F_OK) != 0)
		return;
	text_all(line, sizeof(line), "-:sonde_try/%s\n", name);
	file_write(probe_file(k, events, path, sizeof(path)), line);
}

int probe_define(struct kernel *k, bool uprobe, const char *fetch)
{
	static const char *const functions[] = { "vfs_read", "do_nanosleep", "schedule" };
	const char *events = uprobe ? "uprobe_events" : "kprobe_events", *function = NULL;
	char path[PATH_MAX], line[256];
	int result, lock;

	for (size_t i = 0; !uprobe && !function && i < sizeof(functions) / sizeof(*functions); i++)
		function = kernel_function(k, functions[i]);
	if (!uprobe && !function)
		return -ENOENT;
	text_all(line, sizeof(line), "p:sonde_try/try %s %s\n",
		 uprobe ? "/proc/self/exe:0x1000" : function, fetch);
	lock = probe_lock_take(k);
	probe_forget(k, events, "try");
	result = file_write(probe_file(k, events, path, sizeof(path)), line);
	probe_forget(k, events, "try");
	probe_lock_end(lock);
	return result;
}

void probe_events(struct kernel *k, enum feature f, struct verdict *v)
{
	bool uprobe = f == FEATURE_UPROBES;
	char path[PATH_MAX];
	int error;

	probe_file(k, uprobe ? "uprobe_events" : "kprobe_events", path, sizeof(path));
	if (access(path, W_OK) != 0) {
		probe_not_built(f, path, errno, v);
		return;
	}
	verdict_set(v, EXPECTED, "%s is there", path + strlen(kernel_tracefs(k)) + 1);
	if (!kernel_thorough(k) && (uprobe || !kernel_arch(k)->kprobes_tell))
		return;
	error = probe_define(k, uprobe, "");
	if (error == -EINVAL && !uprobe)
		verdict_set(v, NO, "it refuses them where functions begin: %s", strerror(EINVAL));
	else if (error)
		verdict_set(v, NO, "defining one: %s", strerror(-error));
	else
		verdict_set(v, YES, "%s", "");
	verdict_error(v, -error);
}

/* Tries fetch arguments on a kprobe; without kprobes on a uprobe, which takes most of them. */
void probe_fetch(struct kernel *k, enum feature f, struct verdict *v)
{
	static const char *const fetch[FEATURES] = {
		[FEATURE_FETCH_ARG] = "x=$arg1",
		[FEATURE_FETCH_STRING] = "x=+0(%%%s):string",
		[FEATURE_FETCH_USTRING] = "x=+u0(%%%s):ustring",
		[FEATURE_FETCH_ARRAY] = "x=+0(%%%s):x64[2]",
	};
	bool kprobes = kernel_has(k, FEATURE_KPROBES);
	const char *name = kernel_arch(k)->args[0].name;
	char argument[64];
	int error;

	if (!kprobes && !kernel_has(k, FEATURE_UPROBES)) {
		verdict_set(v, NO, "needs kprobes or uprobes");
		return;
	}
	if (!kernel_thorough(k) || (f != FEATURE_FETCH_ARG && !name[0])) {
		if (!feature_by_readme(k, f, v))
			feature_by_version(k, f, v);
		return;
	}
	if (f == FEATURE_FETCH_ARG)
		text_all(argument, sizeof(argument), "%s", fetch[f]);
	else
		text_all(argument, sizeof(argument), fetch[f], name);
	error = probe_define(k, !kprobes, argument);
	verdict_set(v, error ? NO : YES, "%s `%s`%s%s", kprobes ? "kprobe" : "uprobe", argument,
		    error ? ": " : "", error ? strerror(-error) : "");
}

/* Before 3.14 uprobes read registers only. Vendors may have backported other arguments. */
void probe_uprobe_fetch(struct kernel *k, enum feature f, struct verdict *v)
{
	const char *name = kernel_arch(k)->result.name;
	char argument[64];
	int error;

	feature_by_version(k, f, v);
	if (!name[0] || (v->answer == EXPECTED && !kernel_thorough(k)))
		return;
	text_all(argument, sizeof(argument), "x=+0(%%%s):u64", name);
	error = probe_define(k, true, argument);
	verdict_set(v, error ? NO : YES, "uprobe `%s`%s%s", argument, error ? ": " : "",
		    error ? strerror(-error) : "");
}

/*
 * 4.12 takes the room, but its README does not say so, although READMEs list fetch arguments since
 * 4.9. A kernel that knows the room refuses a number above 4096 before it looks at anything else.
 * Other kernels skip the number, and refuse the argument.
 */
void probe_room(struct kernel *k, enum feature f, struct verdict *v)
{
	static const char line[] = "r4097:sonde_try/try vfs_read x=%sonde\n";
	char path[PATH_MAX];

	if (!feature_by_readme(k, f, v)) {
		feature_by_version(k, f, v);
		return;
	}
	if (v->answer == EXPECTED)
		return;
	if (file_write(probe_file(k, "kprobe_events", path, sizeof(path)), line) == -E2BIG)
		verdict_set(v, YES, "kprobe `r4097:`: %s", strerror(E2BIG));
}
