// SPDX-License-Identifier: GPL-2.0
#include "backends/ftrace/ftrace_try.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "backends/tracefs/tracefs.h"
#include "compat/base/text.h"

/* An event that every kernel has since 3.4, and that a task can make happen by itself. */
#define EVENT "events/task/task_rename/enable"

static const char *const shown[FTRACE_STACKS] = {
	[FTRACE_KERNEL_STACK] = "<stack trace>", [FTRACE_USER_STACK] = "<user stack trace>",
};

static void rename_self(void)
{
	char name[16];

	if (!prctl(PR_GET_NAME, name))
		prctl(PR_SET_NAME, name);
}

/* The file `trace` shows the ring as text. Opening it with O_TRUNC empties the ring. */
static int empty(const char *instance, struct error *err)
{
	char path[PATH_MAX];
	int fd;

	text_all(path, sizeof(path), "%s/trace", instance);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return tracefs_fail(err, errno, "can't empty %s", path);
	close(fd);
	return 0;
}

static char *record_own(const char *instance, struct error *err)
{
	int error = tracefs_write(instance, EVENT, "1");
	char *text;

	if (error) {
		tracefs_fail(err, -error, "can't enable %s/%s", instance, EVENT);
		return NULL;
	}
	tracefs_write(instance, "tracing_on", "1");
	rename_self();
	tracefs_write(instance, "tracing_on", "0");
	tracefs_write(instance, EVENT, "0");
	text = tracefs_text(instance, "trace");
	if (!text)
		tracefs_fail(err, errno, "can't read %s/trace", instance);
	if (text && empty(instance, err)) {
		free(text);
		return NULL;
	}
	return text;
}

bool ftrace_stack_whole(struct kernel *k, const char *trace)
{
	static const char *const functions[] = { "__set_task_comm", "set_task_comm" };	/* 3.16 */
	bool there = false;
	char line[32];

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		text_all(line, sizeof(line), "=> %s", functions[i]);
		if (strstr(trace, line))
			return true;
		there |= kernel_function(k, functions[i]) != NULL;
	}
	return !there;
}

int ftrace_try_stacks(struct kernel *k, const char *instance, const struct ftrace_reader *r,
		      bool *whole, struct error *err)
{
	char *text = record_own(instance, err);
	int result = text ? 0 : -1;

	for (unsigned int i = 0; i < FTRACE_STACKS && !result; i++)
		if (r->stacks.formats[i].id && !strstr(text, shown[i]))
			result = fail(err, "the instances of this kernel's ftrace record no stacks "
					   "of %s: use --backend bpf or perf",
				      i == FTRACE_USER_STACK ? "user space" : "the kernel");
	*whole = !result && ftrace_stack_whole(k, text);
	free(text);
	return result;
}
