// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "compat/base/bpf.h"
#include "compat/base/bpf_insn.h"
#include "compat/base/perf_event.h"
#include "compat/base/strbuf.h"
#include "compat/kernel/doubt.h"
#include "compat/probing/bpf_names.h"
#include "compat/probing/probe.h"
#include "compat/types/btf.h"
#include "compat/types/function.h"
#include "compat/types/iterators.h"
#include "compat/types/offsets.h"
#include "compat/types/raw.h"

/* Numbers of linux/bpf.h: the headers of the build machine may lack their names. */
const struct bpf_name bpf_map_types[] = {
	{ 1, "hash" }, { 2, "array" }, { 3, "prog_array" }, { 4, "perf_event_array" },
	{ 5, "percpu_hash" }, { 6, "percpu_array" }, { 7, "stack_trace" }, { 8, "cgroup_array" },
	{ 9, "lru_hash" }, { 10, "lru_percpu_hash" }, { 11, "lpm_trie" }, { 22, "queue" },
	{ 23, "stack" }, { 27, "ringbuf" }, { 30, "bloom_filter" }, { 31, "user_ringbuf" },
	{ 0, NULL },
};

const struct bpf_name bpf_program_types[] = {
	{ 1, "socket_filter" }, { 2, "kprobe" }, { 5, "tracepoint" }, { 7, "perf_event" },
	{ 17, "raw_tracepoint" }, { 24, "raw_tracepoint_writable" }, { 0, NULL },
};

/*
 * Two helpers are left out on purpose. A program that calls trace_printk (6, 177) enables an event
 * for good when it is loaded. probe_write_user (36) makes the kernel warn in its log.
 */
const struct bpf_name bpf_helpers[] = {
	{ 1, "map_lookup_elem" }, { 4, "probe_read" }, { 5, "ktime_get_ns" },
	{ 8, "get_smp_processor_id" }, { 14, "get_current_pid_tgid" },
	{ 15, "get_current_uid_gid" }, { 16, "get_current_comm" }, { 22, "perf_event_read" },
	{ 25, "perf_event_output" }, { 27, "get_stackid" }, { 35, "get_current_task" },
	{ 37, "current_task_under_cgroup" }, { 45, "probe_read_str" },
	{ 55, "perf_event_read_value" }, { 58, "override_return" }, { 67, "get_stack" },
	{ 80, "get_current_cgroup_id" }, { 109, "send_signal" }, { 112, "probe_read_user" },
	{ 113, "probe_read_kernel" }, { 114, "probe_read_user_str" },
	{ 115, "probe_read_kernel_str" }, { 120, "get_ns_current_pid_tgid" },
	{ 125, "ktime_get_boot_ns" }, { 130, "ringbuf_output" }, { 131, "ringbuf_reserve" },
	{ 158, "get_current_task_btf" }, { 164, "for_each_map_elem" }, { 173, "get_func_ip" },
	{ 174, "get_attach_cookie" }, { 175, "task_pt_regs" }, { 181, "loop" }, { 0, NULL },
};

#define HELPER_PERF_EVENT_OUTPUT 25
#define HASH_MAP 1
#define ARRAY_MAP 2
#define PERCPU_HASH_MAP 5
#define PERCPU_ARRAY_MAP 6
#define STACK_MAP 7
#define CGROUP_MAP 8
#define RINGBUF_MAP 27
#define HELPER_UNDER_CGROUP 37
#define HELPER_TASK_BTF 158
#define HELPER_TASK_REGS 175

#define KPROBE_TYPE 2
#define TRACEPOINT_TYPE 5
#define SAMPLE_TYPE 7
#define RAW_TYPE 17

/* An instruction, for the kernel's macros. */
#define RAW(c, d, s, o, i) { .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) }

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static int try_map(struct kernel *k, unsigned int type, const char *name)
{
	unsigned int page = sysconf(_SC_PAGESIZE);
	struct bpf_map_shape shape = {
		.type = type, .key_size = 4, .value_size = 8, .entries = 1, .name = name,
	};

	switch (type) {
	case 3: case 4: case 8:			/* arrays of file descriptors */
		shape.value_size = 4;
		break;
	case 11:				/* lpm_trie: the key begins with a length */
		shape.key_size = 8;
		shape.flags = 1;		/* BPF_F_NO_PREALLOC is required */
		break;
	case 22: case 23: case 30:		/* queue, stack, bloom_filter: no keys */
		shape.key_size = 0;
		break;
	case RINGBUF_MAP: case 31:
		shape.key_size = 0;
		shape.value_size = 0;
		shape.entries = page;
		break;
	}
	return bpf_map_make(&shape, kernel_memlock(k));
}

static int load(struct kernel *k, unsigned int type, const struct bpf_insn *insns, unsigned int n,
		char *log, unsigned int log_size)
{
	const struct bpf_code code = {
		.type = type,
		.insns = insns,
		.n = n,
		.kern_version = kernel_version_code(k),
		.log = log,
		.log_size = log_size,
	};

	return bpf_code_load(&code, kernel_memlock(k));
}

#define LOAD(k, type, insns) load(k, type, insns, sizeof(insns) / sizeof(*(insns)), NULL, 0)

/* Programs on kprobes and tracepoints return 1: a 0 would hide the event from its other users. */
static int try_type(struct kernel *k, unsigned int type)
{
	const struct bpf_insn insns[] = {
		BPF_MOV64_IMM(0, type == KPROBE_TYPE || type == TRACEPOINT_TYPE), BPF_EXIT_INSN(),
	};

	return LOAD(k, type, insns);
}

/* Closes the file descriptor of a trial. Returns 0, or the trial's -errno. */
static int done(int fd)
{
	close_fd(fd);
	return fd < 0 ? fd : 0;
}

/* Both trials must succeed. Returns the first error. */
static int both(int a, int b)
{
	return a < 0 ? a : b;
}

/* If a kernel has programs on tracepoints, they have all helpers of programs on kprobes. */
static unsigned int tracing_type(struct kernel *k)
{
	return kernel_has(k, FEATURE_BPF_TRACEPOINT) ? TRACEPOINT_TYPE : KPROBE_TYPE;
}

#define HELPERS_MAX 4

/*
 * Loads one program that calls each helper of the list, which ends with 0. The call is
 * helper(stack, 8, NULL): each helper takes none, the first two or all three of these arguments.
 */
static int try_helpers(struct kernel *k, const unsigned int *helpers)
{
	struct bpf_insn insns[1 + 5 * HELPERS_MAX + 2] = { BPF_ST_MEM(BPF_DW, 10, -8, 0) };
	unsigned int n = 1;

	for (; *helpers; helpers++) {
		const struct bpf_insn call[] = {
			BPF_MOV64_REG(1, 10), BPF_ALU64_IMM(BPF_ADD, 1, -8), BPF_MOV64_IMM(2, 8),
			BPF_MOV64_IMM(3, 0), BPF_EMIT_CALL((int)*helpers),
		};

		memcpy(insns + n, call, sizeof(call));
		n += 5;
	}
	insns[n++] = (struct bpf_insn)BPF_MOV64_IMM(0, 1);
	insns[n++] = (struct bpf_insn)BPF_EXIT_INSN();
	return done(load(k, tracing_type(k), insns, n, NULL, 0));
}

static int try_output(struct kernel *k)
{
	int map = try_map(k, 4, NULL), result;

	if (map < 0)
		return map;
	const struct bpf_insn insns[] = {
		BPF_ST_MEM(BPF_DW, 10, -8, 0),
		RAW(BPF_LD | BPF_DW | BPF_IMM, 2, BPF_PSEUDO_MAP_FD, 0, map), RAW(0, 0, 0, 0, 0),
		BPF_MOV64_IMM(3, 0),
		BPF_MOV64_REG(4, 10), BPF_ALU64_IMM(BPF_ADD, 4, -8), BPF_MOV64_IMM(5, 8),
		BPF_EMIT_CALL(HELPER_PERF_EVENT_OUTPUT),
		BPF_MOV64_IMM(0, 1), BPF_EXIT_INSN(),
	};

	result = done(LOAD(k, tracing_type(k), insns));
	close(map);
	return result;
}

/* The instruction "jump if less" is new in 4.14, which also allows programs on syscalls:*. */
static int try_jump_less(struct kernel *k)
{
	const struct bpf_insn insns[] = {
		BPF_MOV64_IMM(0, 1), RAW(BPF_JMP | 0xa0 | BPF_K, 0, 0, 0, 1), BPF_EXIT_INSN(),
	};

	return done(LOAD(k, TRACEPOINT_TYPE, insns));
}

/*
 * Makes a link of functions whose list can't be read. A kernel that knows such links returns
 * EFAULT. Other kernels do not know this way to attach a program.
 */
static int try_many(struct kernel *k, unsigned int attach_type)
{
	const struct bpf_insn insns[] = { BPF_MOV64_IMM(0, 0), BPF_EXIT_INSN() };
	const struct bpf_code code = {
		.type = KPROBE_TYPE, .attach_type = attach_type, .insns = insns, .n = 2,
		.kern_version = kernel_version_code(k),
	};
	const struct bpf_functions nothing = {
		.file = attach_type == BPF_ATTACH_UPROBES ? BPF_UNREADABLE : NULL,
		.addresses = BPF_UNREADABLE, .cookies = BPF_UNREADABLE, .n = 1,
	};
	int program = bpf_code_load(&code, kernel_memlock(k)), result;

	if (program < 0)
		return program;
	result = done(bpf_link_functions(program, &nothing));
	close(program);
	return result == -EFAULT ? 0 : result ? result : -EINVAL;
}

static int try_info(struct kernel *k)
{
	struct {
		uint32_t type, id;
	} info = { 0, 0 };
	uint32_t length = sizeof(info);
	int map = try_map(k, 2, NULL), result;

	if (map < 0)
		return map;
	result = bpf_obj_get_info_by_fd(map, &info, &length);
	close(map);
	return result;
}

/* Looks up a batch of no entries: a kernel that knows the command has nothing to do. */
static int try_batch(struct kernel *k)
{
	uint32_t bucket, key, count = 0;
	uint64_t value;
	int map = try_map(k, 1, NULL), result;

	if (map < 0)
		return map;
	result = bpf_map_lookup_batch(map, NULL, &bucket, &key, &value, &count, NULL);
	close(map);
	return result;
}

/* The value of an array with one entry has a fixed address. */
static int try_direct(struct kernel *k)
{
	const int map = try_map(k, ARRAY_MAP, NULL);
	int result;

	if (map < 0)
		return map;
	const struct bpf_insn insns[] = {
		RAW(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_OF_MAP_VALUE, 0, map), RAW(0, 0, 0, 0, 0),
		BPF_LDX_MEM(BPF_DW, 0, 1, 0),
		BPF_MOV64_IMM(0, 1), BPF_EXIT_INSN(),
	};

	result = done(LOAD(k, tracing_type(k), insns));
	close(map);
	return result;
}

/* On some machines the JIT compiler got this instruction years after the verifier. */
static int try_cmpxchg(struct kernel *k)
{
	const struct bpf_insn insns[] = {
		BPF_ST_MEM(BPF_DW, 10, -8, 0), BPF_MOV64_IMM(0, 0), BPF_MOV64_IMM(1, 1),
		BPF_STX_CMPXCHG(BPF_DW, 10, 1, -8),
		BPF_MOV64_IMM(0, 1), BPF_EXIT_INSN(),
	};

	return done(LOAD(k, tracing_type(k), insns));
}

static int try_back(struct kernel *k)
{
	const struct bpf_insn insns[] = {
		BPF_MOV64_IMM(0, 0), BPF_ALU64_IMM(BPF_ADD, 0, 1),
		RAW(BPF_JMP | BPF_JLT | BPF_K, 0, 0, -2, 2),
		BPF_MOV64_IMM(0, 1), BPF_EXIT_INSN(),
	};

	return done(LOAD(k, tracing_type(k), insns));
}

/* Functions that are called this way need a JIT compiler that knows functions. */
static int try_loop(struct kernel *k)
{
	static const uint16_t function = 8;
	const struct bpf_insn insns[] = {
		BPF_MOV64_IMM(1, 1), RAW(BPF_LD | BPF_IMM | BPF_DW, 2, BPF_OF_FUNCTION, 0, 6),
		RAW(0, 0, 0, 0, 0), BPF_MOV64_REG(3, 10), BPF_MOV64_IMM(4, 0),
		BPF_EMIT_CALL(HELPER_LOOP), BPF_MOV64_IMM(0, 1), BPF_EXIT_INSN(),
		BPF_MOV64_IMM(0, 1), BPF_EXIT_INSN(),
	};
	const struct bpf_code code = {
		.type = tracing_type(k), .insns = insns, .n = sizeof(insns) / sizeof(*insns),
		.kern_version = kernel_version_code(k), .functions = &function, .n_functions = 1,
	};

	return done(bpf_code_load(&code, kernel_memlock(k)));
}

/* By type information the verifier knows the registers' type, so the program loads from them. */
static int try_task_regs(struct kernel *k)
{
	const struct bpf_insn insns[] = {
		BPF_EMIT_CALL(HELPER_TASK_BTF), BPF_MOV64_REG(1, 0),
		BPF_EMIT_CALL(HELPER_TASK_REGS), BPF_LDX_MEM(BPF_DW, 0, 0, 0),
		BPF_MOV64_IMM(0, 1), BPF_EXIT_INSN(),
	};

	return done(LOAD(k, tracing_type(k), insns));
}

#define UNREADABLE ENODATA		/* bpf(2) does not return it */

/* What the type information lacks is missing here, unless the information could not be read. */
static int not_described(const struct error *why)
{
	return error_passes(why->number) ? -why->number : why->number ? -UNREADABLE : -ENOENT;
}

/*
 * A program on sched_switch that loads the id of the task that leaves, the second argument on all
 * kernels. It is not attached. Some kernels have the type information, but refuse such programs.
 */
static int try_typed(struct kernel *k)
{
	struct prototype prototype;
	struct error why = { };
	struct btf *btf = kernel_btf(k, &why);
	int32_t offset = btf ? btf_offset(btf, "task_struct.pid", NULL, &why) : -1;

	if (offset < 0 || offset > INT16_MAX ||
	    kernel_raw_prototype(k, "sched_switch", &prototype, &why))
		return not_described(&why);

	const struct bpf_insn insns[] = {
		BPF_LDX_MEM(BPF_DW, 2, 1, 8), BPF_LDX_MEM(BPF_W, 0, 2, (int16_t)offset),
		BPF_MOV64_IMM(0, 1), BPF_EXIT_INSN(),
	};
	const struct bpf_code code = {
		.type = BPF_PROG_TYPE_TRACING, .attach_type = BPF_TRACE_RAW_TP,
		.btf_id = prototype.id, .insns = insns, .n = sizeof(insns) / sizeof(insns[0]),
	};

	return done(bpf_code_load(&code, kernel_memlock(k)));
}

/* A function that only tests of the kernel itself call. */
#define FUNCTION "bpf_fentry_test1"
#define ENOTSUPP 524		/* only the kernel defines it: this machine has no such calls */

/*
 * A program on returns of a function. Closing its link waits for all CPUs, so only thorough trials
 * attach.
 */
static int try_function(struct kernel *k)
{
	const struct bpf_insn insns[] = { BPF_MOV64_IMM(0, 0), BPF_EXIT_INSN() };
	struct prototype prototype;
	struct error why = { };
	struct bpf_code code = {
		.type = BPF_PROG_TYPE_TRACING, .attach_type = BPF_TRACE_FEXIT,
		.insns = insns, .n = sizeof(insns) / sizeof(insns[0]),
	};
	int program, result;

	if (kernel_function_prototype(k, FUNCTION, NULL, &prototype, &why))
		return not_described(&why);
	code.btf_id = prototype.id;
	program = bpf_code_load(&code, kernel_memlock(k));
	result = program < 0 || !kernel_thorough(k) ? program : done(bpf_raw_open(program, NULL));
	close_fd(program);
	return result;
}

static int load_iterator(struct kernel *k, const char *function, const struct bpf_insn *insns,
			 unsigned int n)
{
	struct bpf_code code = {
		.type = BPF_PROG_TYPE_TRACING, .attach_type = BPF_ATTACH_ITERATOR,
		.insns = insns, .n = n,
	};
	struct prototype prototype;
	struct error why = { };

	if (kernel_function_prototype(k, function, NULL, &prototype, &why))
		return not_described(&why);
	code.btf_id = prototype.id;
	return done(bpf_code_load(&code, kernel_memlock(k)));
}

static int try_iterator(struct kernel *k)
{
	const struct bpf_insn insns[] = { BPF_MOV64_IMM(0, 0), BPF_EXIT_INSN() };

	return load_iterator(k, ITERATOR_FUNCTION "task", insns, sizeof(insns) / sizeof(insns[0]));
}

/* The path of each file, the fourth argument. */
static int try_path(struct kernel *k)
{
	struct error why = { };
	struct btf *btf = kernel_btf(k, &why);
	const int32_t offset = btf ? btf_offset(btf, "file.f_path", NULL, &why) : -1;
	const struct bpf_insn insns[] = {
		BPF_LDX_MEM(BPF_DW, 1, 1, 24), RAW(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 6, 0),
		BPF_ALU64_IMM(BPF_ADD, 1, offset), BPF_MOV64_REG(2, 10),
		BPF_ALU64_IMM(BPF_ADD, 2, -8), BPF_ST_MEM(BPF_DW, 10, -8, 0),
		BPF_MOV64_IMM(3, 8), BPF_EMIT_CALL(BPF_FUNC_d_path),
		BPF_MOV64_IMM(0, 0), BPF_EXIT_INSN(),
	};

	return offset < 0 ? not_described(&why) :
	       load_iterator(k, ITERATOR_FUNCTION "task_file", insns,
			     sizeof(insns) / sizeof(insns[0]));
}

/* A kernel that knows the command refuses the file descriptor. Other kernels return EINVAL. */
static bool knows_raw_tracepoints(void)
{
	return bpf_raw_tracepoint_open(NULL, -1) != -EINVAL;
}

/*
 * Makes a counting event of a tracepoint, disabled, with a program of its own. Returns it, or
 * -errno.
 */
static int attach(struct kernel *k, const struct format *tracepoint)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .config = tracepoint->id, .disabled = 1,
	};
	int program = try_type(k, TRACEPOINT_TYPE), event, result;

	if (program < 0)
		return program;
	event = perf_event_open(&attr, ANY_TASK, sched_getcpu());
	result = event < 0 || ioctl(event, PERF_EVENT_IOC_SET_BPF, program) < 0 ? -errno : event;
	if (result < 0)
		close_fd(event);
	close(program);
	return result;
}

/*
 * Attaches `count` programs to one tracepoint. Closing the last event on a tracepoint waits 70 ms
 * for all CPUs, so only thorough trials attach.
 */
static int try_attach(struct kernel *k, const struct format *tracepoint, unsigned int count)
{
	int first, second = 0;

	if (!tracepoint)
		return -ENOENT;
	first = attach(k, tracepoint);
	if (first >= 0 && count > 1)
		second = done(attach(k, tracepoint));
	return both(done(first), second);
}

/* EPERM has many causes, and each cause has its own remedy. */
void probe_bpf_refused(struct kernel *k, int error, struct verdict *v)
{
	const char *lockdown, *disabled;
	struct rlimit memlock = { 0, 0 };

	if (error == -ENOSYS) {
		verdict_set(v, NO, "the kernel has no bpf(2)");
		return;
	}
	/* A member is set that is behind the end of this kernel's union bpf_attr. */
	if (error == -E2BIG) {
		verdict_set(v, NO, "this kernel's bpf(2) does not know it");
		return;
	}
	/* 3.18 has the system call alone; programs on probes came with 4.1. */
	if (error == -EINVAL && v->root == FEATURE_BPF) {
		verdict_set(v, NO, "this kernel's bpf(2) makes no arrays and hashes (since 3.19)");
		return;
	}
	if (error == -UNREADABLE) {
		verdict_set(v, NO, "%s: %s", BTF_OF_KERNEL, strerror(EACCES));
		v->unknown = true;
		return;
	}
	if (error != -EPERM && error != -EACCES) {
		verdict_set(v, NO, "%s", strerror(-error));
		verdict_error(v, -error);
		return;
	}
	lockdown = kernel_text(k, "/sys/kernel/security/lockdown");
	disabled = kernel_text(k, "/proc/sys/kernel/unprivileged_bpf_disabled");
	getrlimit(RLIMIT_MEMLOCK, &memlock);
	if (!kernel_capable(k, CAP_SYS_ADMIN) &&
	    !(kernel_capable(k, CAP_BPF) && kernel_capable(k, CAP_PERFMON)))
		verdict_no(v, geteuid() ? CAUSE_RIGHTS : CAUSE_OTHER,
			   "%s: %s CAP_BPF and CAP_PERFMON (CAP_SYS_ADMIN before 5.8)%s",
			   strerror(-error),
			   geteuid() ? "run as root, or with" : "root here lacks",
			   disabled && disabled[0] != '0' ?
			   "; kernel.unprivileged_bpf_disabled is set" : "");
	else if (lockdown && strstr(lockdown, "[confidentiality]"))
		verdict_set(v, NO, "%s: the kernel is locked down (confidentiality)",
			    strerror(-error));
	else if (memlock.rlim_cur != RLIM_INFINITY)
		verdict_set(v, NO, "%s: RLIMIT_MEMLOCK is %llu KB and may not be raised "
				   "(CAP_SYS_RESOURCE), or a container's seccomp filter",
			    strerror(-error), (unsigned long long)memlock.rlim_cur / 1024);
	else
		verdict_set(v, NO, "%s: a container's seccomp filter, or a security module",
			    strerror(-error));
	/* Where bpf(2) is allowed, this tells nothing of what it was asked for. */
	v->unknown = v->cause == CAUSE_OTHER && v->root != FEATURE_BPF;
}

static void answer(struct kernel *k, int result, struct verdict *v)
{
	if (result < 0)
		probe_bpf_refused(k, result, v);
	else
		verdict_set(v, YES, "%s", "");
}

static const struct format *some_syscall(struct kernel *k)
{
	const struct format *f = kernel_format(k, "syscalls", "sys_enter_nanosleep");

	return f ? f : kernel_format(k, "syscalls", "sys_enter_sync");
}

static void probe_attach(struct kernel *k, enum feature f, struct verdict *v)
{
	int error;

	if (kernel_thorough(k)) {
		if (f == FEATURE_BPF_SYSCALL)
			error = try_attach(k, some_syscall(k), 1);
		else
			error = try_attach(k, kernel_format(k, "sched", "sched_process_exit"), 2);
		if (error == -EEXIST)
			verdict_set(v, NO, "a second program: %s", strerror(-error));
		else
			answer(k, error, v);
	} else if (f == FEATURE_BPF_SYSCALL) {
		error = try_jump_less(k);
		if (error && error != -EINVAL) {
			answer(k, error, v);
			return;
		}
		verdict_set(v, error ? UNEXPECTED : EXPECTED,
			    "the kernel %s jumps if less, which are of the same release",
			    error ? "lacks" : "has");
	} else {
		error = done(try_map(k, 2, "sonde"));
		if (error && error != -EINVAL && error != -E2BIG) {
			answer(k, error, v);
			return;
		}
		verdict_set(v, error ? UNEXPECTED : EXPECTED,
			    "the kernel %s names of maps, which are of the same release",
			    error ? "lacks" : "has");
	}
}

/*
 * Returns true if programs of this type have the helper. The program is only a call, with no
 * arguments set: the verifier either does not know the helper, or complains about the arguments.
 */
static bool knows_helper(struct kernel *k, unsigned int type, unsigned int helper)
{
	static const char *const unknown[] = { "unknown func", "invalid func",
					       "cannot use helper" };
	const struct bpf_insn insns[] = {
		BPF_EMIT_CALL((int)helper), BPF_MOV64_IMM(0, 1), BPF_EXIT_INSN(),
	};
	char log[1024] = "";
	int fd = load(k, type, insns, 3, log, sizeof(log));

	close_fd(fd);
	if (fd >= 0)
		return true;
	for (unsigned int i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		if (strstr(log, unknown[i]))
			return false;
	return log[0] != 0;
}

/* Needs maps of control groups (4.8), and the helper that looks into them (4.9). */
static int try_under_cgroup(struct kernel *k)
{
	const int error = done(try_map(k, CGROUP_MAP, NULL));

	return error || knows_helper(k, tracing_type(k), HELPER_UNDER_CGROUP) ? error : -EINVAL;
}

static int try_names(struct kernel *k)
{
	return done(try_map(k, ARRAY_MAP, "sonde"));
}

static int try_kprobes(struct kernel *k)
{
	return try_many(k, BPF_ATTACH_KPROBES);
}

static int try_uprobes(struct kernel *k)
{
	return try_many(k, BPF_ATTACH_UPROBES);
}

/* How a feature is tried: the kernel must have everything that the row names. */
static const struct bpf_try {
	unsigned int maps[2], type;	/* types of maps, type of program; 0: none */
	unsigned int helpers[HELPERS_MAX + 1];
	int (*try)(struct kernel *k);	/* returns 0 or -errno */
} tries[FEATURES] = {
	[FEATURE_BPF] = { .maps = { ARRAY_MAP, HASH_MAP } },
	[FEATURE_BPF_KPROBE] = { .type = KPROBE_TYPE },
	[FEATURE_BPF_TRACEPOINT] = { .type = TRACEPOINT_TYPE },
	[FEATURE_BPF_RAW] = { .type = RAW_TYPE },
	[FEATURE_BPF_TYPED] = { .try = try_typed },
	[FEATURE_BPF_ITER] = { .try = try_iterator },
	[FEATURE_BPF_PATH] = { .try = try_path },
	[FEATURE_BPF_SAMPLE] = { .type = SAMPLE_TYPE },
	/* get_current_pid_tgid, _uid_gid, _comm */
	[FEATURE_BPF_IDENTITY] = { .helpers = { 14, 15, 16 } },
	[FEATURE_BPF_READ_STR] = { .helpers = { 45 } },		/* probe_read_str */
	[FEATURE_BPF_TASK] = { .helpers = { 35 } },		/* get_current_task */
	[FEATURE_BPF_CGROUP] = { .helpers = { 80 } },		/* get_current_cgroup_id */
	/* probe_read_user, _kernel, _user_str, ... */
	[FEATURE_BPF_READ_SPLIT] = { .helpers = { 112, 113, 114, 115 } },
	[FEATURE_BPF_UNDER_CGROUP] = { .try = try_under_cgroup },
	[FEATURE_BPF_OUTPUT] = { .try = try_output },
	[FEATURE_BPF_RINGBUF] = { .maps = { RINGBUF_MAP } },
	[FEATURE_BPF_PERCPU] = { .maps = { PERCPU_ARRAY_MAP, PERCPU_HASH_MAP } },
	[FEATURE_BPF_STACK] = { .maps = { STACK_MAP } },
	[FEATURE_KPROBE_MULTI] = { .try = try_kprobes },
	[FEATURE_UPROBE_MULTI] = { .try = try_uprobes },
	[FEATURE_BPF_NAMES] = { .try = try_names },
	[FEATURE_BPF_INFO] = { .try = try_info },
	[FEATURE_BPF_BATCH] = { .try = try_batch },
	[FEATURE_BPF_DIRECT] = { .try = try_direct },
	[FEATURE_BPF_CMPXCHG] = { .try = try_cmpxchg },
	[FEATURE_BPF_BACK] = { .try = try_back },
	[FEATURE_BPF_LOOP] = { .try = try_loop },
	[FEATURE_BPF_TASK_REGS] = { .try = try_task_regs },
};

static int try_row(struct kernel *k, const struct bpf_try *row)
{
	int error = 0;

	for (unsigned int i = 0; i < 2 && row->maps[i]; i++)
		error = both(error, done(try_map(k, row->maps[i], NULL)));
	if (row->type)
		error = both(error, done(try_type(k, row->type)));
	if (row->helpers[0])
		error = both(error, try_helpers(k, row->helpers));
	if (row->try)
		error = both(error, row->try(k));
	return error;
}

/* Programs on uprobes have the type of kprobes, which is older: the version decides. */
static void probe_uprobe(struct kernel *k, struct verdict *v)
{
	const int error = done(try_type(k, KPROBE_TYPE));

	if (error)
		answer(k, error, v);
	else
		feature_by_version(k, FEATURE_BPF_UPROBE, v);
}

/*
 * Without a thorough trial it is not known whether the machine can call programs. Kernels without
 * this struct free code to which sleeping tasks return.
 */
static void probe_function(struct kernel *k, struct verdict *v)
{
	const int error = try_function(k);
	struct error why = { };
	struct btf *btf = kernel_btf(k, &why);
	unsigned int found;

	if (btf && !btf_named(btf, 1 << BTF_STRUCT, "bpf_tramp_image", 15, &found))
		verdict_set(v, NO, "this kernel lacks a fix of 5.12, without which it may crash");
	else if (error == -ENOTSUPP)
		verdict_set(v, NO, "the kernel has no such calls on this machine");
	else if (error == -EPERM && kernel_has(k, FEATURE_BPF_TYPED))
		verdict_set(v, NO, "%s: a policy of this machine", strerror(EPERM));
	else if (error < 0 || kernel_thorough(k))
		answer(k, error, v);
	else
		feature_by_version(k, FEATURE_BPF_FENTRY, v);
}

/* A kernel that skips programs counts that: vendors took both into older kernels together. */
static void probe_whole(struct kernel *k, struct verdict *v)
{
	struct error why = { };
	struct btf *btf = kernel_btf(k, &why);

	verdict_whole(k, !btf ||
		      btf_offset(btf, "bpf_prog_info.recursion_misses", NULL, &why) >= 0, v);
}

void probe_bpf_feature(struct kernel *k, enum feature f, struct verdict *v)
{
	const struct bpf_try *row = &tries[f];

	if (f == FEATURE_BPF_UPROBE)
		probe_uprobe(k, v);
	else if (f == FEATURE_BPF_FENTRY)
		probe_function(k, v);
	else if (f == FEATURE_FENTRY_WHOLE)
		probe_whole(k, v);
	else if (row->maps[0] || row->type || row->helpers[0] || row->try)
		answer(k, try_row(k, row), v);
	else
		probe_attach(k, f, v);
	memlock_restore(kernel_memlock(k));
}

static void list_helpers(struct kernel *k, struct strbuf *out, const char *name, unsigned int type)
{
	strbuf_addf(out, "helpers %s:", name);
	for (const struct bpf_name *h = bpf_helpers; h->name; h++)
		if (knows_helper(k, type, h->number))
			strbuf_addf(out, " %u", h->number);
	strbuf_addf(out, "\n");
}

static void line(struct strbuf *out, const char *what, int result)
{
	strbuf_addf(out, "%-44s %s\n", what, result < 0 ? strerror(-result) : "ok");
}

char *probe_bpf_check(struct kernel *k, size_t *length)
{
	struct strbuf out = { };

	if (!kernel_has(k, FEATURE_BPF))
		return NULL;
	line(&out, "BPF_MAP_CREATE hash", done(try_map(k, 1, NULL)));
	strbuf_addf(&out, "map types:");
	for (const struct bpf_name *m = bpf_map_types; m->name; m++)
		if (done(try_map(k, m->number, NULL)) == 0)
			strbuf_addf(&out, " %u", m->number);
	strbuf_addf(&out, "\nprog types:");
	for (const struct bpf_name *p = bpf_program_types; p->name; p++)
		if (done(try_type(k, p->number)) == 0)
			strbuf_addf(&out, " %u", p->number);
	strbuf_addf(&out, "\n");
	line(&out, "PROG_LOAD kprobe", done(try_type(k, KPROBE_TYPE)));
	line(&out, "PROG_LOAD tracepoint", done(try_type(k, TRACEPOINT_TYPE)));
	list_helpers(k, &out, "kprobe", KPROBE_TYPE);
	list_helpers(k, &out, "tracepoint", TRACEPOINT_TYPE);
	line(&out, "BPF_RAW_TRACEPOINT_OPEN", knows_raw_tracepoints() ? 0 : -EINVAL);
	memlock_restore(kernel_memlock(k));
	*length = out.n;
	return strbuf_take(&out);
}
