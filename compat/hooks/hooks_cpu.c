// SPDX-License-Identifier: GPL-2.0
/* CPUs: which tasks run, which tasks wait, interrupts, and guests. */
#include "compat/hooks/hooks_rows.h"

#define RUNQ(MEMBER)	"+{rq." MEMBER "}(+{cfs_rq.rq}(+{task_struct.se.cfs_rq}($current))):u32"

#define SWITCHED \
	"preempted=$arg1:u8 prev_pid=" TASK_PID("$arg2") " next_pid=" TASK_PID("$arg3") \
	" prev_comm=+{task_struct.comm}($arg2):c16 next_comm=+{task_struct.comm}($arg3):c16 "

const struct hook hooks_cpu[] = {
	HOT_HOOK("each wakeup of a task", "sched.wakeup", "a task becomes runnable",
		{ .foreign = true, PROBES(			/* 5.5 */
			TYPED_TP("sched:sched_wakeup", "pid=" TASK_PID("$arg1")),
			TYPED_TP("sched:sched_wakeup_new", "pid=" TASK_PID("$arg1"))) },
		{ .foreign = true, PROBES(
			TRACEPOINT("sched:sched_wakeup", "pid=pid"),
			TRACEPOINT("sched:sched_wakeup_new", "pid=pid")) },
	),
	/*
	 * If a task wakes up on a CPU that shares no cache with the waker's CPU, sched_wakeup is
	 * hit on the task's CPU, and the current task there is any task.
	 */
	HOT_HOOK("each wakeup of a task", "sched.waking",
		 "a task is woken up; its waker is current",
		ONE(TYPED_TP("sched:sched_waking", "pid=" TASK_PID("$arg1"))),	/* 5.5 */
		ONE(TRACEPOINT("sched:sched_waking", "pid=pid")),		/* 4.3 */
		ONE(TRACEPOINT("sched:sched_wakeup", "pid=pid")),
	),
	/* With `preempted` the state is the task's own, not that of a record (insns/sched.h). */
	HOT_HOOK("each switch of tasks", "sched.switch",
		 "a CPU changes tasks; the previous one is current",
		/* 5.18 */
		ONE(TYPED_TP("sched:sched_switch", SWITCHED "prev_state=$arg4:u32")),
		/* 5.14 */
		ONE(TYPED_TP("sched:sched_switch",
			     SWITCHED "prev_state=+{task_struct.__state}($arg2):u32")),
		/* 5.5 */
		ONE(TYPED_TP("sched:sched_switch",
			     SWITCHED "prev_state=+{task_struct.state}($arg2):uW")),
		ONE(TRACEPOINT("sched:sched_switch",
			       "prev_pid=prev_pid prev_state=prev_state preempted=0 "
			       "next_pid=next_pid "
			       "prev_comm=prev_comm next_comm=next_comm")),
	),

	HOOK("cpu.sample", "a sample of a CPU, so many times a second",
		ONE(SAMPLE("frequency", "")),
	),
	HOOK("cpu.frequency", "a CPU gets another frequency",
		ONE(TRACEPOINT("power:cpu_frequency", "khz=state of_cpu=cpu_id"),
		    .foreign = true, NEEDS_FEATURE(CPU_FREQUENCY)),	/* 2.6.38 */
	),
	/* The last level of the caches, which perf's names mean. */
	HOOK("cache.reference", "a CPU used its last cache, so many times",
		ONE(COUNTER("cache-references"), NEEDS_FEATURE(PMU_CACHE)),
	),
	HOOK("cache.miss", "a CPU's last cache missed, so many times",
		ONE(COUNTER("cache-misses"), NEEDS_FEATURE(PMU_CACHE)),
	),
	/*
	 * `running` is the number of all tasks that run or wait on the CPU of the sample: the
	 * current task's group has only a part of them. Since 6.12 some sleeping tasks are counted
	 * as running for a while. Their number is `queued` minus `runnable`.
	 */
	HOOK("runq.sample", "a sample of a CPU, so many times a second",
		/* 6.14, and later updates of 6.12 */
		ONE(SAMPLE("frequency", "running=" RUNQ("nr_running")
			   " queued=" RUNQ("cfs.h_nr_queued")
			   " runnable=" RUNQ("cfs.h_nr_runnable"))),
		/* 6.13 */
		ONE(SAMPLE("frequency", "running=" RUNQ("nr_running")
			   " queued=" RUNQ("cfs.h_nr_delayed") " runnable=0")),
		ONE(SAMPLE("frequency", "running=" RUNQ("nr_running") " queued=0 runnable=0"),
		    .until = "setxattrat"),
	),

	/*
	 * Only the beginning of an interrupt's handler tells its name. The current task is the one
	 * that was interrupted.
	 */
	HOT_HOOK("each interrupt", "irq.entry", "an interrupt handler begins",
		ONE(TYPED_TP("irq:irq_handler_entry", "name=+0(+{irqaction.name}($arg2)):string"),
		    .foreign = true),					/* 5.5 */
		ONE(TRACEPOINT("irq:irq_handler_entry", "name=name"), .foreign = true),	/* 2.6.3x */
	),
	HOT_HOOK("each interrupt", "irq.exit", "an interrupt handler ends",
		ONE(RAW_TP("irq:irq_handler_exit", "ret=$arg3:s32")),
		ONE(TRACEPOINT("irq:irq_handler_exit", "ret=ret")),
	),
	HOT_HOOK("each soft interrupt", "softirq.raise", "a soft interrupt is asked for",
		ONE(RAW_TP("irq:softirq_raise", "vec=$arg1:u32")),
		ONE(TRACEPOINT("irq:softirq_raise", "vec=vec")),	/* 2.6.3x */
	),
	HOT_HOOK("each soft interrupt", "softirq.entry", "a soft interrupt begins",
		ONE(RAW_TP("irq:softirq_entry", "vec=$arg1:u32")),
		ONE(TRACEPOINT("irq:softirq_entry", "vec=vec")),	/* 2.6.3x */
	),
	HOT_HOOK("each soft interrupt", "softirq.exit", "a soft interrupt ends",
		ONE(RAW_TP("irq:softirq_exit", "vec=$arg1:u32")),
		ONE(TRACEPOINT("irq:softirq_exit", "vec=vec")),
	),

	/* 2.6.3x; what is queued with a delay is queued when that is over */
	HOT_HOOK("each work of a workqueue", "work.queue", "a work is put into a workqueue",
		/* 5.11; before, the record has the queue's address */
		ONE(TRACEPOINT("workqueue:workqueue_queue_work", "work=work queue=workqueue")),
		ONE(TRACEPOINT("workqueue:workqueue_queue_work", "work=work "
			       "queue=+{workqueue_struct.name}(workqueue):string"),
		    .targets = FOR_BPF),
	),
	HOT_HOOK("each work of a workqueue", "work.start", "a work of a workqueue begins",
		ONE(TRACEPOINT("workqueue:workqueue_execute_start",
			       "work=work function=function")),
	),
	HOT_HOOK("each work of a workqueue", "work.end", "a work of a workqueue ends",
		ONE(TRACEPOINT("workqueue:workqueue_execute_end", "work=work")),
	),

	/* 2.6.3x; arm64 numbers classes of traps, and names the rest by its kind */
	{ .module = "kvm", .often = "each exit of a guest",
	  HOOK_MEMBERS("kvm.exit", "a guest of KVM is left",
		ONE(TRACEPOINT("kvm:kvm_exit", "reason=exit_reason isa=isa kind=0 "
			       "vcpu?=vcpu_id")),		/* x86; vcpu_id: 5.10 */
		ONE(TRACEPOINT("kvm:kvm_exit", "reason=esr_ec isa=0 kind=ret")),
		ONE(TRACEPOINT("kvm:kvm_exit", "reason=exit_reason isa=0 kind=idx")),
	) },
	{ .module = "kvm", .often = "each exit of a guest",
	  HOOK_MEMBERS("kvm.entry", "a guest of KVM goes on",
		ONE(TRACEPOINT("kvm:kvm_entry", "")),
	) },

	/* 2.6.3x */
	HOT_HOOK("each move of a task to another CPU", "sched.migrate",
		 "a task moves to another CPU",
		ONE(TRACEPOINT("sched:sched_migrate_task",
			       "pid=pid task_comm=comm orig_cpu=orig_cpu dest_cpu=dest_cpu"),
		    .foreign = true),
	),
	/* 3.14 */
	HOOK("numa.move", "NUMA balancing moves a task",
		ONE(TRACEPOINT("sched:sched_move_numa", "pid=pid"), .foreign = true),
	),
	HOOK("numa.swap", "NUMA balancing swaps two tasks",
		ONE(TRACEPOINT("sched:sched_swap_numa", "src_pid=src_pid dst_pid=dst_pid"),
		    .foreign = true),
	),
	HOOK("numa.stick", "NUMA balancing could not move a task",
		ONE(TRACEPOINT("sched:sched_stick_numa", "src_pid=src_pid"), .foreign = true),
		ONE(TRACEPOINT("sched:sched_stick_numa", "src_pid=pid"), .foreign = true),
	),
	{ }
};
