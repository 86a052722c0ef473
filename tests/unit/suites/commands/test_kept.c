// SPDX-License-Identifier: GPL-2.0
/* Probes that stay: what a command line means for each generation of kernels, and its mistakes. */
#include "src/commands/probe/made.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_kept(void);

#define TEXT "myopen=do_sys_open path=+0($arg2):ustring n=$arg3:x32 %di"
#define COMMENT "the kernel takes '#' and the text behind it as a comment: it can't be in a path " \
		"or an argument"
#define CALL "c=sys_read buf=+u0($arg2):x8 $arg3:u32"

static const struct {
	const char *kernel, *text, *list, *definition;
} rows[] = {
	{ "3.10", TEXT, "kprobe_events",
	  "p:probes/myopen do_sys_open path=+0(%si):string n=%dx:u32 di=%di" },
	{ "4.4", TEXT, "kprobe_events",
	  "p:probes/myopen do_sys_open path=+0(%si):string n=%dx:u32 di=%di" },
	{ "4.9", TEXT, "kprobe_events",
	  "p:probes/myopen do_sys_open path=+0(%si):string n=%dx:x32 di=%di" },
	{ "4.19", TEXT, "kprobe_events",
	  "p:probes/myopen do_sys_open path=+0(%si):string n=%dx:x32 di=%di" },
	{ "5.10", "myopen=do_sys_openat2 path=+0($arg2):ustring", "kprobe_events",
	  "p:probes/myopen do_sys_openat2 path=+0($arg2):ustring" },
	{ "7.2", "myopen=do_sys_openat2 path=+0($arg2):ustring", "kprobe_events",
	  "p:probes/myopen do_sys_openat2 path=+0($arg2):ustring" },
	{ "3.10", CALL, "kprobe_events", "p:probes/c sys_read buf=+0(%si):u8 arg3=%dx:u32" },
	{ "4.12", CALL, "kprobe_events", "p:probes/c sys_read buf=+0(%si):x8 arg3=%dx:u32" },
	{ "4.19", CALL, "kprobe_events",
	  "p:probes/c __x64_sys_read buf=+0(+104(%di)):x8 arg3=+96(%di):u32" },
	{ "6.1", CALL, "kprobe_events",
	  "p:probes/c __x64_sys_read buf=+u0(+104($arg1)):x8 arg3=+96($arg1):u32" },
	{ "6.1", "c=SyS_read regs=%di +0($stack1):u64", NULL,
	  "'+0($stack1):u64': it needs a name: NAME=+0($stack1):u64" },
	{ "6.1", "g:c=SyS_read regs=%di s=+0($stack1):u64 arg1", "kprobe_events",
	  "p:g/c __x64_sys_read regs=%di s=+0($stack1):u64 arg1=+112($arg1)" },
	{ "4.9", "far=vfs_read arg7:u8 $arg8", "kprobe_events",
	  "p:probes/far vfs_read arg7=$stack1:u8 arg8=$stack2" },
	{ "6.12", "in=vfs_read+0x10 %ax:s16 -8(%bp):u32", NULL,
	  "'-8(%bp):u32': it needs a name: NAME=-8(%bp):u32" },
	{ "6.12", "in=vfs_read+0x10 %ax:s16 x=-8(%bp):u32 y=@jiffies:u64 z=$comm:string",
	  "kprobe_events",
	  "p:probes/in vfs_read+16 ax=%ax:s16 x=-8(%bp):u32 y=@jiffies:u64 z=$comm:string" },
	{ "3.10", "r=vfs_read%return $retval:s64", "kprobe_events",
	  "r:probes/r vfs_read retval=$retval:s64" },
	{ "4.19", "r=r:vfs_read retval", "kprobe_events",
	  "r1024:probes/r vfs_read retval=$retval" },
	{ "6.12", "r=vfs_read%return n=$arg3 $retval", "kprobe_events",
	  "r1024:probes/r vfs_read n=$arg3 retval=$retval" },
	{ "6.1", "r=vfs_read%return n=$arg3 $retval", NULL,
	  "'n=$arg3': arguments are gone when a function returns; the kernel keeps them since "
	  "6.9" },
	{ "3.10", "m=c:malloc n=$arg1:u64", "uprobe_events", "p:probes/m c:0x0 n=%di:u64" },
	{ "4.9", "m=/usr/lib/x.so:f+4 %di", "uprobe_events",
	  "p:probes/m /usr/lib/x.so:0x4 di=%di" },
	{ "5.10", "m=/usr/lib/x.so:f s=+u0($arg1):ustring t=+0(arg2):string $arg7", "uprobe_events",
	  "p:probes/m /usr/lib/x.so:0x0 s=+0(%di):string t=+0(%si):string arg7=+8(%sp)" },
	{ "5.10", "m=/usr/lib/x.so:f%return +0($retval):string", NULL,
	  "'+0($retval):string': it needs a name: NAME=+0($retval):string" },
	{ "5.10", "m=/usr/lib/x.so:f%return s=+0(retval):ustring[2]", "uprobe_events",
	  "r:probes/m /usr/lib/x.so:0x0 s=+0($retval):string[2]" },
	{ "3.10", "m=c:malloc%return $retval", NULL,
	  "'$retval': probes of this kernel read registers of programs alone, no memory and no "
	  "$retval" },
	{ "6.1", "m=/x/y:f%return $arg1", NULL,
	  "'$arg1': arguments are gone when a function returns" },
	{ "6.1", "m=/x/y:f+0x80000000", NULL,
	  "'+0x80000000' is no offset: +8 or +0x8 is wanted behind a function" },
	{ "6.1", "m=/x/y:f+0xffffffffffffffff", NULL,
	  "'+0xffffffffffffffff' is no offset: +8 or +0x8 is wanted behind a function" },
	{ "6.1", "m=/x/#y:f a=%di", NULL, COMMENT },
	{ "6.1", "m=vfs_read a=%di#b c=%si", NULL, COMMENT },
	{ "6.1", "m=/x/y:f+1%return", NULL, "'/x/y:f+1%return': a return has no offset" },
	{ "6.1", "m=vfs_read+1 $arg1", NULL,
	  "'$arg1': $arg1 is known at the function's beginning only; name a register, as %di" },
	{ "6.1", "m=vfs_read $retval", NULL, "'$retval': there is no $retval before the function "
					     "returns; put %return behind its name" },
	{ "4.19", "m=vfs_read a=+0($arg2):u8[4]", NULL,
	  "'a=+0($arg2):u8[4]': this kernel has no arrays in probes (since 4.20)" },
	{ "6.1", "vfs_read", NULL, "'vfs_read' has no name: NAME=FUNCTION is wanted, as in "
				   "'myopen=do_sys_openat2'" },
	{ "6.1", "=vfs_read", NULL,
	  "the name of the probe is missing: NAME=FUNCTION is wanted" },
	{ "6.1", "a-b=vfs_read", NULL, "'a-b' is no name of a probe: letters, digits and _ are "
				       "wanted, and no digit first" },
	{ "6.1", "sonde_ab12cd:x=vfs_read", NULL,
	  "groups sonde_* belong to running sondes, which remove them: name another group" },
	{ "6.1", "x=vfs_r*", NULL,
	  "'vfs_r*' is not one function, and a probe can be on only one function" },
	{ "6.1", "x=t:sched:sched_switch", NULL,
	  "'t:sched:sched_switch' is not one function, and a probe can be on only one function" },
	{ "6.1", "x=vfs_read%end", NULL, "'%end' is not known behind a function: %return is" },
	{ "6.1", "x=vfs_reed", NULL,
	  "no function of the kernel matches 'vfs_reed'; did you mean 'vfs_read'?" },
	{ "6.1", "x=vfs_read a=$arg1 a=$arg2", NULL, "two arguments have the name 'a'" },
	{ "6.1", "x=vfs_read a=", NULL, "'a=': the value to read is missing" },
	{ "6.1", "x=vfs_read a=$arg1:", NULL,
	  "'a=$arg1:': a type is wanted behind ':', as u32, s64, string or ustring" },
	{ "6.1", "x=vfs_read a=+8$arg1", NULL, "'a=+8$arg1': memory is +OFFSET(ADDRESS), as "
					       "+0($arg2)" },
	{ "6.1", "x=vfs_read a=+(%di)", NULL, "'a=+(%di)': memory is +OFFSET(ADDRESS), as "
					      "+0($arg2)" },
	{ "6.1", "x=vfs_read a=+0(%di", NULL, "'a=+0(%di': memory is +OFFSET(ADDRESS), as "
					      "+0($arg2)" },
	{ "6.1", "x=vfs_read common_pid=%di", NULL,
	  "'common_pid=%di': all events have a field common_pid already" },
	{ "6.1", "x=sys_read $arg7", NULL, "'$arg7': a system call has no more than 6 arguments" },
};

static void check_row(struct kernel *k, const char *text, const char *list, const char *definition)
{
	struct error err = { };
	struct kept p;
	int result = kept_parse(k, text, &p, &err);

	if (list) {
		ck_assert_msg(!result, "%s", err.text);
		ck_assert_str_eq(p.definition, definition);
		ck_assert_str_eq(p.list, list);
	} else {
		ck_assert_int_eq(result, -1);
		ck_assert_str_eq(err.text, definition);
	}
	kept_free(&p);
	kernel_free(k);
}

START_TEST(definition)
{
	struct error err = { };
	char path[256];
	struct kernel *k;

	snprintf(path, sizeof(path), KERNELS "/%s", rows[_i].kernel);
	k = kernel_snapshot(path, &err);
	ck_assert_msg(k != NULL, "%s", err.text);
	check_row(k, rows[_i].text, rows[_i].list, rows[_i].definition);
}
END_TEST

/* Machines: where they have arguments, and which of them tell user memory apart. */
static const struct {
	const char *uname, *functions, *without, *text, *list, *definition;
} machines[] = {
	{ "Linux box 6.1.0 #1 SMP s390x GNU/Linux\n", "T __s390x_sys_kill\n", "fetch-arg",
	  "k=sys_kill pid=$arg1:s32 sig=$arg2", "kprobe_events",
	  "p:probes/k __s390x_sys_kill pid=+156(%r2):s32 sig=+48(%r2)" },
	{ "Linux box 5.10.0 #1 SMP s390x GNU/Linux\n", "T __s390x_sys_kill\n", "fetch-arg",
	  "k=sys_kill pid=$arg1:s32", "kprobe_events",
	  "p:probes/k __s390x_sys_kill pid=%r2:s32" },
	{ "Linux box 5.10.0 #1 SMP s390x GNU/Linux\n", "T f\n", NULL, "k=f a=$arg1:", NULL,
	  "'a=$arg1:': a type is wanted behind ':', as u32, s64, string or ustring" },
	{ "Linux box 5.10.0 #1 SMP s390x GNU/Linux\n", "T f\n", "fetch-ustring",
	  "k=f s=+0($arg1):ustring", NULL,
	  "'s=+0($arg1):ustring': probes of this kernel can't read user memory (ustring, since "
	  "5.3)" },
	{ "Linux box 4.9.0 #1 SMP aarch64 GNU/Linux\n", "T f\n", NULL,
	  "k=f a=$arg2 b=+8(arg6):u16", "kprobe_events", "p:probes/k f a=%x1 b=+8(%x5):u16" },
	{ "Linux box 4.9.0 #1 SMP aarch64 GNU/Linux\n", "T f\n", NULL, "k=f a=$arg7 b=$arg9",
	  "kprobe_events", "p:probes/k f a=%x6 b=$stack0" },
	{ "Linux box 4.9.0 #1 SMP s390x GNU/Linux\n", "T f\n", NULL, "k=c:f a=$arg5 b=$arg6",
	  "uprobe_events", "p:probes/k c:0x0 a=%r6 b=+160(%r15)" },
	{ "Linux box 4.9.0 #1 SMP armv7l GNU/Linux\n", "T f\n", NULL, "k=f a=$arg4 b=+0($arg6):u8",
	  "kprobe_events", "p:probes/k f a=%r3 b=+0($stack1):u8" },
	{ "Linux box 4.9.0 #1 SMP i686 GNU/Linux\n", "T f\n", NULL, "k=f a=$arg3 b=$arg4",
	  "kprobe_events", "p:probes/k f a=%cx b=$stack1" },
	{ "Linux box 4.9.0 #1 SMP i686 GNU/Linux\n", "T f\n", NULL, "k=c:malloc n=$arg1 m=arg9",
	  "uprobe_events", "p:probes/k c:0x0 n=+4(%sp) m=+36(%sp)" },
	{ "Linux box 6.1.0 #1 SMP armv7l GNU/Linux\n", "T f\n", NULL, "k=c:malloc%return", NULL,
	  "returns of user space can't be probed on 32-bit ARM: that crashes callers that are "
	  "Thumb code" },
	{ "Linux box 6.1.0 #1 SMP x86_64 GNU/Linux\n", "T f\n", "kprobes", "k=f", NULL,
	  "functions of the kernel can't be probed: kprobes are unavailable: --without\n"
	  "functions of programs and libraries can be: NAME=FILE:FUNCTION; "
	  "tracepoints need no probe" },
	{ "Linux box 6.1.0 #1 SMP x86_64 GNU/Linux\n", "T f\n", "uprobes", "k=c:f", NULL,
	  "functions of user space can't be probed: uprobes are unavailable: --without\n"
	  "tracepoints need no probe: sonde trace t:SYSTEM:EVENT" },
};

START_TEST(machine)
{
	struct error err = { };
	char *dir = temporary();
	struct kernel *k;

	write_text(dir, "uname", machines[_i].uname);
	write_text(dir, "tracefs-path", "/sys/kernel/tracing\n");
	write_text(dir, "kallsyms-names.gz", machines[_i].functions);
	k = kernel_snapshot(dir, &err);
	ck_assert_msg(k != NULL, "%s", err.text);
	if (machines[_i].without)
		ck_assert_int_eq(kernel_without(k, machines[_i].without, &err), 0);
	check_row(k, machines[_i].text, machines[_i].list, machines[_i].definition);
	remove_all(dir);
}
END_TEST

/* What is told apart by users of the probe. */
START_TEST(notes)
{
	struct kernel *k = kernel_snapshot(KERNELS "/4.19", NULL);
	struct kept p;

	ck_assert_int_eq(kept_parse(k, CALL, &p, NULL), 0);
	ck_assert_str_eq(p.note, "__x64_sys_read() gets its arguments in a struct pt_regs; $arg1 "
				 "is the first argument of the system call\n"
				 "this kernel has no +uOFFSET(): a string that is not in "
				 "memory looks empty");
	kept_free(&p);
	kernel_free(k);
}
END_TEST

START_TEST(too_long)
{
	struct kernel *k = kernel_snapshot(KERNELS "/6.1", NULL);
	struct error err = { };
	char text[8192] = "x=vfs_read";
	struct kept p;

	for (unsigned int i = 0; i < 100; i++)
		sprintf(text + strlen(text), " a%u=+0(+0(+0(+0(+0(+0(+0(+0($arg1)))))))):u8", i);
	ck_assert_int_eq(kept_parse(k, text, &p, &err), -1);
	ck_assert_msg(strstr(err.text, "characters, and the kernel takes"), "%s", err.text);
	kept_free(&p);
	for (unsigned int i = 100; i < 129; i++)
		sprintf(text + strlen(text), " a%u=%%di", i);
	ck_assert_int_eq(kept_parse(k, text, &p, &err), -1);
	ck_assert_str_eq(err.text, "more than 128 arguments: the kernel takes no more");
	kept_free(&p);
	kernel_free(k);
}
END_TEST

/* ---- what is there ---- */

static const struct {
	const char *event, *kind, *by, *place;
} listed[] = {
	{ "fprobes:f", "fprobe", NULL, "vfs_read%return" },
	{ "kprobes:k", "kretprobe", NULL, "vfs_read $retval" },
	{ "probe:p", "kprobe", "perf", "vfs_read+4 a=%di" },
	{ "probe_libc:m", "uprobe", "perf", "/lib/c.so:0x12 a=%di" },
	{ "probes:myopen", "kprobe", "sonde", "do_sys_openat2 path=+0($arg2):ustring" },
	{ "probes:myopen", "kprobe", "sonde", "do_sys_openat2+8 path=+0($arg2):ustring" },
	{ "sonde_ab12cd:p_x_1", "kprobe", "sonde run", "vfs_read" },
};

START_TEST(list)
{
	char *dir = temporary(), event[2 * KEPT_NAME];
	struct made_probes all;
	struct error err = { };

	write_text(dir, "kprobe_events",
		   "r1024:kprobes/k vfs_read $retval\n"
		   "p:probes/myopen do_sys_openat2 path=+0($arg2):ustring\n"
		   "p:sonde_ab12cd/p_x_1 vfs_read\n"
		   "p:probes/myopen do_sys_openat2+8 path=+0($arg2):ustring\n"
		   "p:probe/p vfs_read+4 a=%di\n"
		   "p:probe/\np\n\np:/x y\n");
	write_text(dir, "uprobe_events", "p:probe_libc/m /lib/c.so:0x12 a=%di\n");
	write_text(dir, "dynamic_events",
		   "s:synthetic/s int a\n"
		   "p:probe/p vfs_read+4 a=%di\n"
		   "f:fprobes/f vfs_read%return\n");
	ck_assert_msg(!made_read(dir, &all, &err), "%s", err.text);
	ck_assert_int_eq(all.n, COUNT_OF(listed));
	for (unsigned int i = 0; i < all.n; i++) {
		const struct made_probe *p = &all.list[i];

		snprintf(event, sizeof(event), "%s:%s", p->group, p->name);
		ck_assert_str_eq(event, listed[i].event);
		ck_assert_str_eq(p->kind, listed[i].kind);
		ck_assert_pstr_eq(p->by, listed[i].by);
		ck_assert(!p->enabled);
	}
	ck_assert_ptr_nonnull(made_find(&all, "probes", "myopen"));
	ck_assert_ptr_null(made_find(&all, "probe", "myopen"));
	made_free(&all);
	remove_all(dir);
}
END_TEST

/* A new one that is refused; the old one's line is longer than what may be written. */
START_TEST(not_put_back)
{
	static const char old[] = "p:g/n vfs_read\n";
	struct kept p = { .group = "g", .name = "n", .list = "uprobe_events",
			  .definition = (char *)"p:g/n /lib/x:0x10" };
	const struct rlimit most = { sizeof(old) - 3, RLIM_INFINITY };
	char *dir = temporary();
	struct error err = { };

	write_text(dir, "kprobe_events", old);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert(!setrlimit(RLIMIT_FSIZE, &most));
	ck_assert_int_eq(made_add(dir, &p, true, &err), -1);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY });
	ck_assert_msg(strstr(err.text, "can't add g:n") &&
		      strstr(err.text, "the old probe is gone, because the kernel did not take it "
				       "back: ") &&
		      strstr(err.text, "\nits definition: p:g/n vfs_read"), "%s", err.text);
	remove_all(dir);
}
END_TEST

Suite *suite_kept(void)
{
	Suite *s = suite_create("kept");

	add_tests(s, "definition", definition, COUNT_OF(rows));
	add_tests(s, "machine", machine, COUNT_OF(machines));
	add_tests(s, "notes", notes, 1);
	add_tests(s, "too_long", too_long, 1);
	add_tests(s, "list", list, 1);
	add_tests(s, "not_put_back", not_put_back, 1);
	return s;
}
