// SPDX-License-Identifier: GPL-2.0
#include "backends/ftrace/ftrace_settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tracefs/tracefs.h"

/*
 * The size of a ring's page, since 6.8. Each page is read by a system call of its own, which costs
 * as much as ten events.
 */
#define PAGE_KB "16"

/*
 * Before 4.4 all instances share one set of options, which sonde leaves as it is: an instance has a
 * folder of options only since it has options of its own. sonde does not change record-cmd either:
 * clearing it in one instance stops the recording of names for the events of all others.
 */
static int set_options(const char *path, struct ftrace_reader *r, struct error *err)
{
	const struct {
		const char *file;
		bool set;
	} options[] = {
		{ "options/overwrite", true },	/* then pages tell where events were lost */
		{ "options/stacktrace", r->stacks.formats[FTRACE_KERNEL_STACK].id },
		{ "options/userstacktrace", r->stacks.formats[FTRACE_USER_STACK].id },
	};
	char *text;

	for (unsigned int i = 0; !r->shared && i < sizeof(options) / sizeof(options[0]); i++) {
		const int error = tracefs_write(path, options[i].file, options[i].set ? "1" : "0");

		if (!error || !i || !options[i].set)
			continue;
		return error != -ENOENT ?
		       tracefs_fail(err, -error, "can't write %s/%s", path, options[i].file) :
		       fail(err, "ftrace's instances have no stacks of their own on this kernel "
				 "(since 4.4): use --backend perf");
	}
	text = tracefs_text(path, "trace_options");
	r->unmarked = !text || strstr(text, "nooverwrite");
	free(text);
	return 0;
}

/*
 * `mono` is the only clock that user space can read. Of the other clocks only `global` has times
 * that can be compared across CPUs.
 */
static const char *set_clock(struct kernel *k, const char *path, struct ftrace_reader *r)
{
	static const char *const clocks[] = { "global", "perf", "local" };
	unsigned int i;

	if (kernel_has(k, FEATURE_CLOCK_MONO) && !tracefs_write(path, "trace_clock", "mono")) {
		r->mono = true;
		return "mono";
	}
	for (i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!tracefs_write(path, "trace_clock", clocks[i]))
			return clocks[i];
	return NULL;
}

static int read_layout(struct kernel *k, const char *path, struct ftrace_reader *r,
		      struct error *err)
{
	char *text = tracefs_text(path, "events/header_page");
	int result;

	if (!text)
		return tracefs_fail(err, errno, "can't read %s/events/header_page", path);
	result = ftrace_layout_parse(&r->layout, text, kernel_arch(k)->big_endian);
	free(text);
	if (result)
		return fail(err, "%s/events/header_page describes pages that sonde does not know\n"
				 "try --backend perf", path);
	return 0;
}

/* pages: of each CPU's ring; 0: as many as kb says. The kernel makes at least two. */
static int set_size(const char *path, struct ftrace_reader *r, unsigned int pages, unsigned int kb,
		    struct error *err)
{
	unsigned int page_kb = r->layout.size < 1024 ? 1 : r->layout.size / 1024;
	char text[64] = "", *used;
	int error;

	if (r->shared && pages)
		return fail(err, "on this kernel the function graph tracer has the main ring only "
				 "here, whose size sonde does not change\n"
				 "leave out --buffer-pages, or set %s/buffer_size_kb", path);
	/* "7 (expanded: 1408)": the tracer will make it so large. */
	if (r->shared) {
		tracefs_read(path, "buffer_size_kb", text, sizeof(text));
		used = strstr(text, "expanded: ");
		kb = (unsigned int)strtoul(used ? used + 10 : text, NULL, 10);
	}
	r->ring_pages = pages ? pages : kb / page_kb;
	if (r->ring_pages < 2)
		r->ring_pages = 2;
	if (r->shared)
		return 0;
	snprintf(text, sizeof(text), "%u", r->ring_pages * page_kb);
	error = tracefs_write(path, "buffer_size_kb", text);
	return error ? tracefs_fail(err, -error, "can't set %s/buffer_size_kb to %s", path, text)
		     : 0;
}

int ftrace_settings(struct kernel *k, struct ftrace_reader *r, unsigned int pages, unsigned int kb,
		    const char **clock, struct error *err)
{
	const char *path = r->instance;

	/*
	 * The size of pages is set for this instance alone. If the user sets the number of pages,
	 * pages of memory are meant, and their size stays. It also stays if the kernel refuses.
	 */
	if (!pages && !r->shared)
		tracefs_write(path, "buffer_subbuf_size_kb", PAGE_KB);
	if (read_layout(k, path, r, err) || set_size(path, r, pages, kb, err))
		return -1;
	*clock = set_clock(k, path, r);
	if (!*clock)
		return fail(err, "%s/trace_clock takes no clock that sonde knows", path);
	return set_options(path, r, err);
}
