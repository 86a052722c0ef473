// SPDX-License-Identifier: GPL-2.0
#include "src/run/other_names.h"

#include <string.h>

#include "compat/base/text.h"
#include "src/run/tool.h"

const struct other_name other_names[] = {
	{ "biolatpcts", "biolatency --percentiles", NULL },
	{ "bpftop", "bpflist --top", NULL },
	{ "cachetop", "cachestat --by-process", NULL },
	{ "funcinterval", "funclatency --between", NULL },
	{ "iolatency", "biolatency --milliseconds", NULL },
	{ "iosnoop", "biosnoop", NULL },
	{ "klockstat", "lockstat", NULL },
	{ "mysqld_qslower", "dbslower mysql", NULL },
	{ "naptime", "systrace -e nanosleep,clock_nanosleep", NULL },
	{ "netqtop", "nettop --queues", NULL },
	{ "pidpersec", "funccount -i 1 t:task:task_newtask", NULL },
	{ "pythongc", "ugc --language python", NULL },
	{ "reset-ftrace", "probe --clean", NULL },
	{ "reset-trace", "probe --clean", NULL },
	{ "rubygc", "ugc --language ruby", NULL },
	{ "shmsnoop", "systrace -e shm*", NULL },
	{ "solisten", "bindsnoop --listen", NULL },
	{ "tcpsubnet", "tcptop", NULL, "--subnet",
	  "127.0.0.1/32,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,0.0.0.0/0" },
	{ "vfscount", "funccount vfs_*", NULL },

	{ "bps", NULL, "bpflist shows programs and maps, bpflist --top their costs" },
	{ "criticalstat", NULL,
	  "few kernels have its tracepoints: hardirqs and softirqs show delays by interrupts, "
	  "and runqlat those of tasks" },
	{ "dcsnoop", NULL, "opensnoop -x and statsnoop -x show the paths that do not exist" },
	{ "deadlock", NULL,
	  "futexctn -o shows which thread waits for a lock of which other one" },
	{ "dirtop", NULL, "filetop --by-dir adds up by folder" },
	{ "functrace", NULL, "trace prints calls of a function, as in `sonde trace do_nanosleep`" },
	{ "gcsnoop", NULL,
	  "ugc shows garbage collections, and javagc those of Java that take long" },
	{ "inject", NULL,
	  "sonde only observes; the kernel's own fault injection makes calls fail" },
	{ "kprobe uprobe tpoint", NULL,
	  "trace prints events with their values, and probe makes probes that stay" },
	{ "ksnoop", NULL,
	  "trace prints values and whole structs, as in `sonde trace 'vfs_read \"%S\", file'`" },
	{ "mdflush", NULL, "biosnoop shows flushes as type F, with the device" },
	{ "mptcpify", NULL, "sonde only observes; mptcpize(8) makes programs use MPTCP" },
	{ "numatop", NULL,
	  "numasched shows tasks that change their NUMA node, and numamove pages that do" },
	{ "perf-stat-hist", NULL,
	  "argdist -H shows a value of a tracepoint as a histogram" },
	{ "ppchcalls", NULL,
	  "funccount t:powerpc:hcall_* counts them; trace shows each with its time" },
	{ "readahead", NULL,
	  "cachestat and cachetop show which reads the page cache serves" },
	{ "redis_memleak", NULL, "memleak -p PID -O PATH has the allocator of any program" },
	{ "rdmaucma", NULL, "trace prints the kernel's tracepoints rdma_cma:*" },
	{ "sofdsnoop", NULL, "systrace -e sendmsg,recvmsg shows the calls that pass descriptors" },
	{ "tcpcong", NULL,
	  "tcpretrans -c counts retransmissions, and tcprtt shows round trips by address" },
	{ "tcptracer", NULL,
	  "tcpstates shows how connections begin and end; tcplife sums them up" },
	{ "ucalls uflow uobjnew ustat uthreads cobjnew cthreads "
	  "javacalls javaflow javaobjnew javastat javathreads nodegc nodestat "
	  "perlcalls perlflow perlstat phpcalls phpflow phpstat "
	  "pythoncalls pythonflow pythonstat "
	  "rubycalls rubyflow rubyobjnew rubystat "
	  "tclcalls tclflow tclobjnew tclstat", NULL,
	  "tplist -l FILE lists the probes (USDT) of a runtime, if it was built with any; trace, "
	  "funccount and argdist take these probes" },
	{ "undump", NULL, "trace prints calls of unix_stream_recvmsg" },
	{ "virtiostat", NULL,
	  "biotop shows the traffic of disks, and tcplife that of connections" },
	{ }
};

static bool has_name(const char *names, const char *name)
{
	const size_t length = strlen(name);

	for (; *names; names += strspn(names, " ")) {
		const size_t n = strcspn(names, " ");

		if (n == length && !strncmp(names, name, n))
			return true;
		names += n;
	}
	return false;
}

const char *plain_name(const char *name, char plain[OTHER_WORD])
{
	static const char *const endings[] = { ".py", ".sh", "-bpfcc", "-perf" };
	const char *slash = strrchr(name, '/');
	size_t length;

	name = slash ? slash + 1 : name;
	length = strlen(name);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		const size_t n = strlen(endings[i]);

		if (length > n && length - n < OTHER_WORD &&
		    !strcmp(name + length - n, endings[i])) {
			text_all(plain, OTHER_WORD, "%.*s", (int)(length - n), name);
			return plain;
		}
	}
	return name;
}

const struct other_name *other_named(const char *name)
{
	for (const struct other_name *o = other_names; o->names; o++)
		if (has_name(o->names, name))
			return o;
	return NULL;
}

const char *other_word(const struct other_name *o, char word[OTHER_WORD])
{
	text_all(word, OTHER_WORD, "%.*s", (int)strcspn(o->command, " "), o->command);
	return word;
}

void other_say(FILE *file, const struct other_name *o, const char *name)
{
	char plain[OTHER_WORD];

	name = plain_name(name, plain);
	if (!o->command) {
		fprintf(file, "sonde: there is no tool %s: %s\n", name, o->instead);
		return;
	}
	fprintf(file, "%s: the same as sonde %s", name, o->command);
	if (o->without)
		fprintf(file, " %s %s", o->slashed, o->without);
	fputc('\n', file);
}

const struct tool *tool_asked(const char *name, struct error *err)
{
	char plain[OTHER_WORD];
	const char *usual = plain_name(name, plain);
	const struct tool *t = tool_named(usual);
	const struct other_name *o = t ? NULL : other_named(usual);

	if (!t && !o)
		fail(err, "there is no tool %s\n`sonde help` lists the tools", name);
	else if (!t)
		fail(err, "there is no tool %s: %s%s", usual,
		     o->command ? "use " : "", o->command ? o->command : o->instead);
	return t;
}
