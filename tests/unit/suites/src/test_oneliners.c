// SPDX-License-Identifier: GPL-2.0
/*
 * What people ask for most often, on every kernel there is a snapshot of: it resolves, or the
 * reason is named.
 */
#include <string.h>

#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

/* `old`, `new`: what the first and the last kernel make of it for rings; NULL: a reason. */
static const struct {
	const char *command, *old, *new;
} rows[] = {
	{ "trace do_sys_open\t\"%s\",arg2", "do_sys_open", "do_sys_openat2" },
	{ "trace sys_read\t(arg3>20000)\t\"read\t%d\tbytes\",arg3", "sys_read", "__x64_sys_read" },
	{ "trace SyS_read\t\"%d\",arg3", "sys_read", "__x64_sys_read" },
	{ "trace __x64_sys_read\t\"%d\",arg3", "sys_read", "__x64_sys_read" },
	{ "trace sys_read(int\tfd,char\t*buf,size_t\tn)\t(n>20000)\t\"read\t%d\tbytes\",n",
	  "sys_read", "__x64_sys_read" },
	{ "trace p::SyS_read(int\tfd,char\t*buf,size_t\tn)\t\"%d\",fd", "sys_read",
	  "__x64_sys_read" },
	{ "trace p::__x64_sys_read(int\tfd,...)\t(fd!=2)\t\"%d\t%d\",fd,arg3", "sys_read",
	  "__x64_sys_read" },
	{ "trace sys_read\t\"%d\t%d\",fd,count", "sys_read", "__x64_sys_read" },
	{ "argdist -C p::sys_read(int\tfd,char\t*buf,size_t\tn):int,size_t:fd,n", "sys_read",
	  "__x64_sys_read" },
	{ "trace p::SyS_nanosleep(struct\ttimespec\t*ts)\t\"%lld\tns\",ts->tv_nsec",
	  "sys_nanosleep", NULL },
	{ "argdist -C r::sys_nanosleep(struct\ttimespec\t*ts):long:$entry(ts->tv_nsec)",
	  "sys_nanosleep", NULL },
	{ "trace p::tcp_sendmsg(u64\ts)\t(*(u16*)(s+12)==5)\t\"%d\",*(s8*)(s+13)",
	  "tcp_sendmsg", NULL },
	{ "trace sys_nanosleep\t\"%d\",rqtp->tv_nsec", "sys_nanosleep", NULL },
	{ "trace r::do_sys_open\t\"%d\",retval", "do_sys_open", "do_sys_openat2" },
	{ "trace t:block:block_rq_complete\t\"sectors=%d\",args->nr_sector", "block_rq_complete",
	  "block_rq_complete" },
	/* Texts behind pointers: of the call's function, or the kernel's own copies (7.x). */
	{ "trace t:syscalls:sys_enter_openat\t\"%s\t%d\",args->filename,args->mode",
	  "sys_openat", "__x64_sys_openat" },
	{ "bt -e t:syscalls:sys_enter_openat{printf(\"%s\",str(args.filename));}", "sys_openat",
	  "__x64_sys_openat" },
	{ "bt -e t:syscalls:sys_enter_mount{printf(\"%s\t%s\",str(args.dev_name),"
	  "str(args.dir_name));}", "sys_mount", "__x64_sys_mount" },
	{ "bt -e t:syscalls:sys_enter_execve{join(args.argv);}", NULL, "__x64_sys_execve" },
	{ "bt -e t:syscalls:sys_enter_openat{printf(\"%d\",args.flags);}", "sys_enter_openat",
	  "sys_enter_openat" },
	{ "trace -K blk_account_io_start", NULL, "blk_account_io_start" },
	{ "argdist -H r::vfs_read()", "vfs_read", "vfs_read" },
	{ "argdist -A r::vfs_read():int,char*:retval,$COMM", "vfs_read", "vfs_read" },
	{ "argdist -A r::vfs_read():u64,int:$latency,retval:retval>0", "vfs_read", "vfs_read" },
	{ "argdist -C p::tcp_sendmsg(struct\tsock\t*sk,struct\tmsghdr\t*msg,size_t\tsize):u32:size",
	  "tcp_sendmsg", "tcp_sendmsg" },
	{ "argdist -H p::__kmalloc(size_t\tsize):u64:size", "__kmalloc",
	  "__kmalloc_noprof" },
	{ "argdist -C t:irq:irq_handler_entry():int:args->irq", "irq_handler_entry",
	  "irq_handler_entry" },
	{ "argdist -H r::vfs_read():u64:$latency/1000\t#us", "vfs_read", "vfs_read" },
	{ "argdist -H r::vfs_read(u64\tf,u64\tb,size_t\tn):size_t:$entry(n)-$retval", "vfs_read",
	  "vfs_read" },
	{ "argdist -C r::vfs_read(u64\tf,char\t*b):char*:$entry(b)", NULL, NULL },
	{ "argdist -C r::sys_nanosleep(struct\ttimespec\t*t):long:$entry(t)->tv_nsec", NULL, NULL },
};

/* One of them on one kernel and engine; `name` is to be set to what is probed. */
static void try_it(const char *command, const char *kernel, enum target target, char *name,
		   size_t size)
{
	struct kernel *k = trial_kernel(kernel);
	struct trial t;

	name[0] = '\0';
	if (!trial_start(&t, command, k) && !trial_plan(&t, target))
		snprintf(name, size, "%s", t.run.plan.resolution.events[0].event->name);
	else
		ck_assert_msg(t.err.text[0] && !strstr(t.err.text, "out of memory"),
			      "%s on %s: '%s'", command, kernel, t.err.text);
	trial_end(&t);
}

START_TEST(oneliner)
{
	const char *wanted[] = { rows[_i].old, rows[_i].new };
	char name[80];

	for (const char *const *kernel = trial_versions; *kernel; kernel++) {
		try_it(rows[_i].command, *kernel, TARGET_BPF, name, sizeof(name));
		try_it(rows[_i].command, *kernel, TARGET_RING, name, sizeof(name));
		if (kernel != trial_versions && kernel[1])
			continue;
		ck_assert_msg(!wanted[!kernel[1]] ? !name[0] : !strcmp(name, wanted[!kernel[1]]),
			      "%s on %s: '%s'", rows[_i].command, *kernel, name);
	}
}
END_TEST

Suite *suite_oneliners(void);
Suite *suite_oneliners(void)
{
	Suite *s = suite_create("oneliners");

	add_tests(s, "kernels", oneliner, (int)(sizeof(rows) / sizeof(rows[0])));
	return s;
}
