// SPDX-License-Identifier: GPL-2.0
/* The options that all tools have, and a tool's command line. */
#include "src/run/options/tool_options.h"

#include <stdlib.h>

#include "src/lib/output/sink.h"
#include "src/lib/output/timelines/timelines.h"
#include "src/run/options/checks.h"
#include "src/run/options/common.h"

#define PIDS 4194304			/* the kernel's PID_MAX_LIMIT on 64-bit machines */

static const struct option_name engines[] = { { "bpf", 0 }, { "perf", 0 }, { "ftrace", 0 },
					      { NULL, 0 } };
static const struct option_name unwinding[] = { { "frames", 0 }, { "dwarf", 0 }, { NULL, 0 } };

#define TO(MEMBER) .to = OPTION_MEMBER(struct common_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct common_options, MEMBER)

static const struct common_option common[] = {
	{ GROUP_FILTERS, { .name = "pid", .type = OPTION_LIST, .arg = "PID,...", .min = 1,
			   .max = PIDS,
			  .help = "only these processes",
			  TO(pid) } },
	{ GROUP_FILTERS, { .name = "tid", .type = OPTION_LIST, .arg = "TID,...", .min = 1,
			   .max = PIDS,
			  .help = "only these threads",
			  TO(tid) } },
	{ GROUP_FILTERS, { .name = "uid", .type = OPTION_USERS, .arg = "USER,...",
			  .help = "only tasks of these users",
			  TO(uid) } },
	{ GROUP_FILTERS, { .letter = 'c', .name = "cgroup", .type = OPTION_TEXT, .arg = "DIR",
			   .joins = '\n',
			  .local = true,
			  .help = "only tasks in this cgroup, and below it" } },
	{ GROUP_FILTERS, { .name = "container", .type = OPTION_TEXT, .arg = "NAME,...",
			   .joins = ',', .local = true,
			   .help = "only tasks in these running containers, by name or id",
			   TO(container) } },
	{ GROUP_FILTERS, { .name = "pod", .type = OPTION_TEXT, .arg = "NAME,...",
			   .joins = ',', .local = true,
			   .help = "only tasks in the running containers of these pods",
			   TO(pod) } },
	{ GROUP_FILTERS, { .name = "unit", .type = OPTION_TEXT, .arg = "NAME,...",
			   .joins = ',', .local = true,
			   .help = "only tasks in these running units of systemd",
			   TO(unit) } },
	{ GROUP_FILTERS, { .name = "mntns", .type = OPTION_TEXT, .arg = "PID,...", .joins = ',',
			  .local = true,
			  .help = "only tasks in the mount namespaces of these" } },
	{ GROUP_FILTERS, { .name = "pidns", .type = OPTION_TEXT, .arg = "PID,...", .joins = ',',
			  .local = true,
			  .help = "only tasks in the pid namespaces of these" } },
	{ GROUP_FILTERS, { .name = "cgroupmap", .type = OPTION_TEXT, .arg = "FILE",
			  .local = true,
			  .help = "only tasks whose cgroup's id is in this pinned BPF map" } },
	{ GROUP_FILTERS, { .name = "mntnsmap", .type = OPTION_TEXT, .arg = "FILE",
			  .local = true,
			  .help = "only tasks whose mount namespace is in this pinned BPF map" } },
	{ GROUP_FILTERS, { .name = "name", .type = OPTION_TEXT, .arg = "TEXT",
			  .help = "only commands with TEXT in their name",
			  TO(name) } },
	{ GROUP_FILTERS, { .name = "exec", .type = OPTION_COMMAND, .arg = "CMD ARG...",
			  .local = true,
			  .help = "run a command; trace it and its children; exit as it does" } },
	{ GROUP_OUTPUT, { .name = "duration", .type = OPTION_NUMBER, .arg = "SECONDS", .min = 1,
			  .max = INT32_MAX,
			  .help = "end after this time",
			  TO(duration) } },
	{ GROUP_OUTPUT, { .letter = 'K', .name = "container-names", .type = OPTION_FLAG,
			  .local = true,
			  .help = "whose it was: a column with the container",
			  TO(container_names) } },
	{ GROUP_OUTPUT, .formats = true },
	{ GROUP_OUTPUT, { .name = "tee", .type = OPTION_TEXT, .arg = "FILE", .excludes = "dump",
			  .help = "also write JSON into this file" },
	  .listener = &(const struct option_listener){ FORMAT_OF_FILES, sink_file } },
	{ GROUP_OUTPUT, { .name = "perfetto", .type = OPTION_TEXT, .arg = "FILE",
			  .excludes = "dump",
			  .help = "also write a timeline for ui.perfetto.dev" },
	  .listener = &(const struct option_listener){ &timeline_perfetto, sink_file, true } },
	{ GROUP_OUTPUT, { .name = "chrome", .type = OPTION_TEXT, .arg = "FILE.json",
			  .excludes = "dump",
			  .help = "the same as JSON for chrome://tracing" },
	  .listener = &(const struct option_listener){ &timeline_chrome, sink_file, true } },
	{ GROUP_OUTPUT, { .name = "heatmap", .type = OPTION_TEXT, .arg = "FILE.svg",
			  .optional = true,
			  .help =
			  "a heat map, a column for each interval, in the terminal or a file",
			  TO(heatmap), GIVEN(heatmap_given) } },
	{ GROUP_OUTPUT, { .name = "percentiles", .type = OPTION_TEXT, .arg = "P,...",
			  .optional = true,
			  .help = "with each histogram: 50, 90, 99 and 99.9 %, or these, and the "
				  "largest",
			  TO(percentiles), GIVEN(percentiles_given) } },
	{ GROUP_OUTPUT, { .name = "flame", .type = OPTION_TEXT, .arg = "FILE.svg",
			  .help = "also write a flame graph of all stacks",
			  TO(flame) } },
	{ GROUP_OUTPUT, { .name = "pprof", .type = OPTION_TEXT, .arg = "FILE.pb.gz",
			  .help = "also write all stacks for pprof, Grafana, Pyroscope",
			  TO(pprof) } },
	{ GROUP_OUTPUT, { .name = "speedscope", .type = OPTION_TEXT, .arg = "FILE.json",
			  .help = "also write all stacks for speedscope.app",
			  TO(speedscope) } },
	{ GROUP_OUTPUT, { .name = "perf-script", .type = OPTION_TEXT, .arg = "FILE.txt",
			  .help = "also write all stacks as text of perf script",
			  TO(perf_script) } },
	{ GROUP_OUTPUT, { .name = "inverted", .type = OPTION_FLAG,
			  .help = "with --flame: the first caller is on top",
			  TO(inverted) } },
	{ GROUP_OUTPUT, { .name = "top", .type = OPTION_NUMBER, .arg = "SECONDS", .min = 1,
			  .max = 86400, .optional = true,
			  .help = "live: the hottest functions and stacks of each second",
			  TO(top), GIVEN(top_given) } },
	{ GROUP_OUTPUT, { .name = "folded", .type = OPTION_FLAG,
			  .help = "a line for each stack, for flame graphs",
			  TO(folded) } },
	{ GROUP_OUTPUT, { .name = "delimited", .type = OPTION_FLAG,
			  .help = "a mark between the stacks of the kernel and of user space",
			  TO(delimited) } },
	{ GROUP_OUTPUT, { .name = "annotations", .type = OPTION_FLAG,
			  .help = "_[k] after names of the kernel",
			  TO(annotations) } },
	{ GROUP_OUTPUT, { .name = "offsets", .type = OPTION_FLAG,
			  .help = "each address's offset in its function",
			  TO(offsets) } },
	{ GROUP_OUTPUT, { .name = "addresses", .type = OPTION_FLAG,
			  .help = "addresses, not names",
			  TO(addresses) } },
	{ GROUP_OUTPUT, { .name = "mangled", .type = OPTION_FLAG,
			  .help = "names of C++ and Rust as the linker has them",
			  TO(mangled) } },
	{ GROUP_ENGINE, { .name = STACK_STORAGE, .type = OPTION_NUMBER, .arg = "N", .min = 1,
			  .max = 1 << 20, .initial = 16384,
			  .help = "room for so many different stacks" } },
	{ GROUP_ENGINE, { .name = "unwind", .type = OPTION_TEXT, .arg = "frames|dwarf",
			  .names = unwinding,
			  .local = true,
			  .help = "how callers in user space are found",
			  TO(unwind) } },
	{ GROUP_OUTPUT, { .letter = 'v', .name = "verbose", .type = OPTION_FLAG,
			  .help = "say which engine and probes were chosen, and why",
			  TO(verbose) } },
	{ GROUP_OUTPUT, { .letter = 'h', .name = "help", .type = OPTION_FLAG,
			  .help = "this text" } },
	{ GROUP_OUTPUT, { .name = "version", .type = OPTION_FLAG,
			  .help = "the version of sonde" } },
	{ GROUP_ENGINE, { .name = "backend", .type = OPTION_TEXT, .arg = "bpf|perf|ftrace",
			  .names = engines,
			  .local = true,
			  .help = "take this engine",
			  TO(backend) } },
	{ GROUP_ENGINE, { .name = "buffer-pages", .type = OPTION_NUMBER, .arg = "N", .min = 1,
			  .max = 65536,
			  .local = true,
			  .help = "size of each CPU's ring",
			  TO(buffer_pages) } },
	{ GROUP_ENGINE, { .name = "without", .type = OPTION_TEXT, .arg = "FEATURE,...",
			  .joins = ',',
			  .help = "behave as on a kernel without these; 4.9: as on Linux 4.9",
			  TO(without) } },
	{ GROUP_ENGINE, { .name = "dump", .type = OPTION_FLAG,
			  .help = "print the programs, do not run them",
			  TO(dump) } },
	{ GROUP_ENGINE, { .name = "snapshot", .type = OPTION_TEXT, .arg = "DIR",
			  .help = "with --dump or --input: for the kernel of this snapshot",
			  TO(snapshot) } },
	{ GROUP_ENGINE, { .name = "input", .type = OPTION_TEXT, .arg = "FILE",
			  .help = "trace a recording of sonde or perf, not this machine",
			  TO(input) } },
	{ GROUP_ENGINE, { .name = "kallsyms", .type = OPTION_TEXT, .arg = "FILE",
			  .help = "with --input: a copy of the recorded machine's /proc/kallsyms",
			  TO(kallsyms) } },
	{ GROUP_ENGINE, { .name = "symfs", .type = OPTION_TEXT, .arg = "DIR",
			  .help = "with --input: a copy of the recorded machine's files",
			  TO(symfs) } },
	{ }
};

const struct option_place common_places[] = {
	{ "timestamp", OPTION_FLAG, TO(timestamp) },
	{ "by-cgroup", OPTION_FLAG, TO(by_cgroup) },
	{ "stacks", OPTION_FLAG, TO(stacks) },
	{ "include-self", OPTION_FLAG, TO(include_self) },
	{ "interval", OPTION_NUMBER, TO(interval), GIVEN(interval_given) },
	{ "count", OPTION_NUMBER, TO(count) },
	{ "cpu", OPTION_NUMBER, TO(cpu), GIVEN(cpu_given) },
	{ "noclear", OPTION_FLAG, TO(noclear) },
	{ "nosummary", OPTION_FLAG, TO(nosummary) },
	{ "maxrows", OPTION_NUMBER, TO(maxrows), GIVEN(maxrows_given) },
	{ "pids", OPTION_FLAG, TO(pids) },
	{ "pidnss", OPTION_FLAG, TO(pidnss) },
	{ "user-threads-only", OPTION_FLAG, TO(user_threads_only) },
	{ "kernel-threads-only", OPTION_FLAG, TO(kernel_threads_only) },
	{ "regexp", OPTION_FLAG, TO(regexp) },
	{ "ipv4", OPTION_FLAG, TO(ipv4) },
	{ "ipv6", OPTION_FLAG, TO(ipv6) },
	{ "pattern", OPTION_TEXT, TO(pattern) },
	{ "disk", OPTION_TEXT, TO(disk) },
	{ "annotate", OPTION_TEXT, TO(annotate) },
	{ "localport", OPTION_LIST, TO(localport) },
	{ "remoteport", OPTION_LIST, TO(remoteport) },
	{ }
};

static struct option_source source_of(const struct tool *t)
{
	return (struct option_source){
		.name = t->name, .own = t->options, .common = common, .places = common_places,
		.positionals = t->positionals, .interval = t->interval,
		.size = t->options_size, .common_size = sizeof(struct common_options),
	};
}

struct option_row *tool_option_rows(const struct tool *t, unsigned int *n)
{
	const struct option_source source = source_of(t);

	return option_rows(&source, n);
}

enum options_action tool_options(const struct tool *t, int argc, char **argv, struct options **out,
				 struct error *err)
{
	const struct option_source source = source_of(t);
	enum options_action action = options_parse(&source, argc, argv, out, err);

	if (action != ACTION_RUN || !tool_options_check(t, *out, err))
		return action;
	options_free(*out);
	*out = NULL;
	return ACTION_USAGE_ERROR;
}
