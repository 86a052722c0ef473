// SPDX-License-Identifier: GPL-2.0
/* Processes: how they begin, end and send signals. */
#include "compat/hooks/hooks_rows.h"

/*
 * argv is read one pointer and one text at a time. The pointers are as wide as the task's. 127
 * bytes of each text are shown, and whether there are more. `table` is the address of the row of
 * pointers, and `step` the size of one.
 */
#define ARGV_FIELD	"filename=filename:ustring ptr[]=+uW*[](argv):uW " \
			"arg[]=+u0(+uW*[](argv)):ustring argv=argv:ustring " \
			"table=argv:uW step=$word"
#define ARGV(NAME, ROW, STEP, POINTER, SIZE) \
	"filename=+0($sys" #NAME "):ustring/128 ptr[]=+u" #STEP "*[]($sys" #ROW "):" #POINTER " " \
	"arg[]=+u0(+u" #STEP "*[]($sys" #ROW ")):ustring/128 argv=+u0($sys" #ROW "):urow " \
	"table=$sys" #ROW ":" #POINTER " step=" SIZE
#define ARGV_SYS2	ARGV(1, 2, W, uW, "$word")
#define ARGV_SYS3	ARGV(2, 3, W, uW, "$word")
#define ARGV_COMPAT2	ARGV(1, 2, 4, u32, "4")
#define ARGV_COMPAT3	ARGV(2, 3, 4, u32, "4")

#define IMAGE(STACK)	"stack[]=+uW*[](" STACK "):uW arg[]=+u0(+uW*[](" STACK ")):ustring/128"

#define KILL_SYS	"tpid=$sys1:s32 sig=$sys2:s32 call=0"
#define TKILL_SYS	"tpid=$sys1:s32 sig=$sys2:s32 call=1"
#define TGKILL_SYS	"tpid=$sys2:s32 sig=$sys3:s32 call=2"

/* The registers tell which call returns: orig_ax on x86, syscallno on arm64. */
#define CALL_RETURNS(NUMBER) \
	"id=+{pt_regs." NUMBER "}($arg1):s32 ret=$arg2:sW compat=$compat"

/* Where BPF programs find the codes of a thread, and of its process. */
#define OF_PROCESS(MEMBER)	"+{signal_struct." MEMBER "}(+{task_struct.signal}($current)):u32 "
#define EXIT_CODES \
	"own?=+{task_struct.exit_code}($current):u32 " \
	"first?=+{task_struct.exit_code}(+{task_struct.group_leader}($current)):u32 " \
	"flags?=" OF_PROCESS("flags") "all?=" OF_PROCESS("group_exit_code")

/* readline() returns the result of readline_internal_teardown(). Not every file has readline(). */
#define READLINE	"readline|readline_internal_teardown"
#define LINE		"pointer=$retval:uW line=+0($retval):uname "

const struct hook hooks_processes[] = {
	/*
	 * The entries have the arguments. sched_process_exec tells successes: it knows both ids of
	 * a thread that was not the leader, and it is hit for every ABI of the new image. The
	 * returns are only needed for failures. The functions come first: execs are rare, and a
	 * tracepoint of a system call makes all calls of all tasks slower (compat/kinds/costs.c).
	 */
	HOOK("exec.enter", "an execve or execveat begins",
		{ .family = "functions", PROBES(
			SYSCALL("execve", ARGV_SYS2),
			SYSCALL("execveat", ARGV_SYS3, OPTIONAL),
			COMPAT("execve", ARGV_COMPAT2),
			COMPAT("execveat", ARGV_COMPAT3)) },
		{ .family = "syscalls", .targets = FOR_BPF, PROBES(	/* 4.14 */
			TRACEPOINT("syscalls:sys_enter_execve", ARGV_FIELD),
			/* 3.19 */
			TRACEPOINT("syscalls:sys_enter_execveat", ARGV_FIELD, OPTIONAL),
			COMPAT("execve", ARGV_COMPAT2),
			COMPAT("execveat", ARGV_COMPAT3)) },
	),
	/*
	 * The kernel has copied the arguments, so the caller's memory has been touched, and is
	 * current still. Interpreters of scripts do not come here by themselves.
	 */
	HOOK("exec.again", "an exec has read its arguments; it will be the new image",
		/* 6.10 */
		ONE(TRACEPOINT("sched:sched_prepare_exec", ""), .targets = FOR_BPF),
		/* 5.8 */
		ONE(KPROBE("begin_new_exec", ""), .targets = FOR_BPF),
		ONE(KPROBE("flush_old_exec", ""), .targets = FOR_BPF),
	),
	/*
	 * On the stack are the number of arguments and argv. An interpreter's come before those of
	 * its script. 32-bit images pass elsewhere on x86-64. Other machines have start_thread() in
	 * place; there finalize_exec(), 4.18, gets the stack in linux_binprm.p.
	 */
	HOOK("exec.image", "the new image has its arguments on its stack, and will run",
		ONE(KPROBE("start_thread", IMAGE("$arg3")), .targets = FOR_RING),
		ONE(KPROBE("finalize_exec", IMAGE("+{linux_binprm.p}($arg1)")),
		    .targets = FOR_RING),
	),
	HOOK("exec.done", "an exec succeeded; the new image is current",
		ONE(TRACEPOINT("sched:sched_process_exec",		/* 3.4 */
			       "pid=pid old_pid=old_pid filename=filename:string")),
	),
	HOOK("exec.exit", "an execve or execveat returns",
		{ .family = "functions", PROBES(
			SYSRET("execve", "ret=$retval:s32"),
			SYSRET("execveat", "ret=$retval:s32", OPTIONAL),
			COMPATRET("execve", "ret=$retval:s32"),
			COMPATRET("execveat", "ret=$retval:s32")) },
		{ .family = "syscalls", .targets = FOR_BPF, PROBES(
			TRACEPOINT("syscalls:sys_exit_execve", "ret=ret"),
			TRACEPOINT("syscalls:sys_exit_execveat", "ret=ret", OPTIONAL),
			COMPATRET("execve", "ret=$retval:s32"),
			COMPATRET("execveat", "ret=$retval:s32")) },
	),

	/*
	 * Since 5.1 the last argument is flags; before, it is yes or no. Kernels before 5.1 have
	 * security_capable_noaudit(), unless they were built without security modules. The
	 * tracepoint lacks this argument.
	 */
	HOT_HOOK("each check of a capability", "cap.check", "a task's capability is checked",
		ONE(KPROBE("cap_capable", "cap=$arg3:s32 opts?=$arg4:u32 flags=0"),
		    .needs = "security_capable_noaudit"),
		ONE(KPROBE("cap_capable", "cap=$arg3:s32 flags=0"), .until = "pidfd_send_signal"),
		ONE(KPROBE("cap_capable", "cap=$arg3:s32 opts?=$arg4:u32 flags=1")),
		/* since a release from 6.13 to 6.18 */
		ONE(TRACEPOINT("capability:cap_capable", "cap=cap flags=0")),
	),

	HOOK("task.new", "a task was made; the parent is current",
		/* 3.4 */
		ONE(TRACEPOINT("task:task_newtask", "pid=pid clone_flags=clone_flags")),
	),

	/*
	 * `dead`: it is its process's last one; a constant: not told. `last`: if each thread of a
	 * process ends by itself, the process's code is that of the last one to begin to, as on
	 * kernels with migrate_folio(), 6.0.
	 */
	HOOK("task.exit", "a thread ends",
		ONE(TRACEPOINT("sched:sched_process_exit",			/* 6.17 */
			       "pid=pid dead=group_dead last=1 " EXIT_CODES)),
		ONE(TRACEPOINT("sched:sched_process_exit", "pid=pid dead=0 last=1 " EXIT_CODES),
		    .needs = "migrate_folio"),					/* 6.0 */
		ONE(TRACEPOINT("sched:sched_process_exit",			/* 2.6.3x */
			       "pid=pid dead=0 last=0 " EXIT_CODES)),
	),

	/* The thread's id may be another thread's already: the kernel was free to use it again. */
	HOOK("task.free", "the memory of a thread that ended is freed",
		/* 2.6.3x */
		ONE(TRACEPOINT("sched:sched_process_free", "pid=pid"), .foreign = true),
	),

	/* These also see calls of 32-bit tasks, which have the numbers of another table. */
	HOT_HOOK("each system call", "calls.enter", "a system call begins",
		ONE(TYPED_TP("raw_syscalls:sys_enter", "id=$arg2:s32 compat=$compat"),
		    NEEDS_FEATURE(RAW_WHOLE)),			/* 5.5 */
		ONE(TRACEPOINT("raw_syscalls:sys_enter",		/* 2.6.3x */
			       "id=id compat=$compat arg0=args[0] arg1=args[1] arg2=args[2] "
			       "arg3=args[3] arg4=args[4] arg5=args[5]")),
	),
	HOT_HOOK("each system call", "calls.exit", "a system call returns",
		/* 5.5 */
		ONE(TYPED_TP("raw_syscalls:sys_exit", CALL_RETURNS("orig_ax")),
		    NEEDS_FEATURE(RAW_WHOLE)),
		ONE(TYPED_TP("raw_syscalls:sys_exit", CALL_RETURNS("syscallno")),
		    NEEDS_FEATURE(RAW_WHOLE)),
		ONE(TRACEPOINT("raw_syscalls:sys_exit", "id=id ret=ret compat=$compat")),
	),

	/*
	 * The functions of the calls come first: calls of 32-bit tasks do not hit the tracepoints.
	 */
	HOOK("kill.enter", "a kill begins",
		{ .family = "functions",
		  PROBES(SYSCALL("kill", KILL_SYS), COMPAT_SAME("kill", KILL_SYS)) },
		ONE(TRACEPOINT("syscalls:sys_enter_kill", "tpid=pid sig=sig call=0"),
		    .family = "syscalls", .no_compat = true),
	),
	HOOK("kill.exit", "a kill returns",
		{ .family = "functions", PROBES(SYSRET("kill", RET), COMPATRET("kill", RET)) },
		ONE(TRACEPOINT("syscalls:sys_exit_kill", "ret=ret"), .family = "syscalls"),
	),
	HOOK("kill.thread_enter", "a tkill or tgkill begins",
		{ .family = "functions", PROBES(
			SYSCALL("tkill", TKILL_SYS), COMPAT_SAME("tkill", TKILL_SYS),
			SYSCALL("tgkill", TGKILL_SYS), COMPAT_SAME("tgkill", TGKILL_SYS)) },
		{ .family = "syscalls", .no_compat = true, PROBES(
			TRACEPOINT("syscalls:sys_enter_tkill", "tpid=pid sig=sig call=1"),
			TRACEPOINT("syscalls:sys_enter_tgkill", "tpid=pid sig=sig call=2")) },
	),
	HOOK("kill.thread_exit", "a tkill or tgkill returns",
		{ .family = "functions", PROBES(
			SYSRET("tkill", RET), COMPATRET("tkill", RET), SYSRET("tgkill", RET),
			COMPATRET("tgkill", RET)) },
		{ .family = "syscalls", PROBES(
			TRACEPOINT("syscalls:sys_exit_tkill", "ret=ret"),
			TRACEPOINT("syscalls:sys_exit_tgkill", "ret=ret")) },
	),

	/*
	 * do_exit() has the code. Otherwise system calls and signals tell it, except calls of
	 * 32-bit tasks.
	 */
	HOOK("exit.alone", "a thread ends by itself",
		{ .family = "functions", PROBES(SYSCALL("exit", ""), COMPAT_SAME("exit", "")) },
	),
	HOOK("exit.code", "a thread ends with a code",
		ONE(KPROBE("do_exit", "code=$arg1:u32 whole=1"), .family = "functions"),
		ONE(TRACEPOINT("syscalls:sys_enter_exit", "code=error_code whole=0"),
		    .family = "calls"),
	),
	HOOK("exit.group", "a process ends itself",
		ONE(TRACEPOINT("syscalls:sys_enter_exit_group", "code=error_code"),
		    .family = "calls"),
	),
	HOOK("exit.signal", "a signal takes effect",
		ONE(TYPED_TP("signal:signal_deliver",
			     "sig=$arg1:s32 handler=+{k_sigaction.sa.sa_handler}($arg3):uW"),
		    .family = "calls"),				/* 5.5 */
		ONE(TRACEPOINT("signal:signal_deliver", "sig=sig handler=sa_handler"),
		    .family = "calls"),
	),
	HOOK("exit.sent", "a signal is sent",
		ONE(TYPED_TP("signal:signal_generate",
			     "sig=$arg1:s32 pid=" TASK_PID("$arg3") " result=$arg5:s32"),
		    .family = "calls", .foreign = true),	/* 5.5 */
		ONE(TRACEPOINT("signal:signal_generate", "sig=sig pid=pid result=result",
			       .filter = "result == 0"),
		    .family = "calls", .foreign = true),	/* 3.4 */
	),

	/* An interrupt may send a signal, too: the code tells whether the current task did. */
	HOOK("signal.generate", "a signal is sent",
		ONE(TRACEPOINT("signal:signal_generate", "sig=sig code=code tid=pid group=group "
			       "result=result target_comm=comm")),		/* 3.4 */
	),
	HOOK("signal.deliver", "a signal takes effect",
		ONE(TRACEPOINT("signal:signal_deliver",
			       "sig=sig code=code handler=sa_handler")),	/* 2.6.3x */
	),

	HOOK("thread.make", "a program makes a thread",
		ONE(UPROBE("threads:pthread_create", "start=$arg3:uW")),
	),
	HOOK("thread.made", "the thread was made",
		ONE(URETPROBE("threads:pthread_create", RET)),
	),

	/*
	 * The function is in bash itself, or in a library that bash and other programs are linked
	 * with.
	 */
	HOOK("readline.enter", "a shell waits for a line to be typed",
		{ PROBES(UPROBE("bash:" READLINE, "library=0", OPTIONAL),
			 UPROBE("libreadline:" READLINE, "library=1", OPTIONAL)) },
	),
	HOOK("readline.exit", "a shell has read a line",
		{ PROBES(URETPROBE("bash:" READLINE, LINE "library=0", OPTIONAL),
			 URETPROBE("libreadline:" READLINE, LINE "library=1", OPTIONAL)) },
	),
	{ }
};
