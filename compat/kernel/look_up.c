// SPDX-License-Identifier: GPL-2.0
/*
 * Two questions, neither of which leaves anything in the kernel: a BPF program that bpf(2) runs
 * once asks for the address of a name (5.16), and a kprobe that can't be made asks whether several
 * symbols have it (6.6).
 */
#include "compat/kernel/look_up.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/bpf.h"
#include "compat/base/bpf_insn.h"
#include "compat/base/perf_event.h"
#include "compat/kernel/kernel_internal.h"

/* Numbers, not the names of linux/bpf.h: the headers of the build machine may lack them. */
#define SYSCALL_TYPE 31
#define SLEEPS (1U << 4)
#define HELPER_KALLSYMS_LOOKUP_NAME 179

#define NAME_MOST 64

/* What the program is handed, and gives back. */
struct request {
	char name[NAME_MOST];
	uint64_t address;
};

struct range {
	uint64_t from, to;
};

struct looker {
	int program;			/* -1: none */
	struct range code, init;	/* of the kernel itself; what ran when it booted */
	int pmu;			/* of kprobes; -1: shared names are not refused */
};

#define RAW(c, d, s, o, i) { .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) }
#define NAME_AT (-NAME_MOST)
#define ADDRESS_AT (NAME_AT - 8)
#define COPY(N) \
	BPF_LDX_MEM(BPF_DW, 2, 6, 8 * (N)), BPF_STX_MEM(BPF_DW, 10, 2, NAME_AT + 8 * (N))

static int load(void)
{
	static const struct bpf_insn insns[] = {
		BPF_MOV64_REG(6, 1),
		COPY(0), COPY(1), COPY(2), COPY(3), COPY(4), COPY(5), COPY(6), COPY(7),
		BPF_ST_MEM(BPF_DW, 10, ADDRESS_AT, 0),
		BPF_MOV64_REG(1, 10), BPF_ALU64_IMM(BPF_ADD, 1, NAME_AT),
		BPF_MOV64_IMM(2, NAME_MOST), BPF_MOV64_IMM(3, 0),
		BPF_MOV64_REG(4, 10), BPF_ALU64_IMM(BPF_ADD, 4, ADDRESS_AT),
		BPF_EMIT_CALL(HELPER_KALLSYMS_LOOKUP_NAME),
		BPF_LDX_MEM(BPF_DW, 1, 10, ADDRESS_AT),
		BPF_STX_MEM(BPF_DW, 6, 1, NAME_MOST),
		BPF_EXIT_INSN(),
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .prog_flags = SLEEPS);

	return bpf_prog_load(SYSCALL_TYPE, NULL, "GPL", insns, sizeof(insns) / sizeof(insns[0]),
			     &options);
}

/* 0, -ENOENT: there is none, or another -errno: it does not tell. */
static int address_of(const struct looker *l, const char *name, uint64_t *address)
{
	struct request request = {};
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = &request, .ctx_size_in = sizeof(request));
	int result;

	if (strlen(name) >= sizeof(request.name))
		return -ENAMETOOLONG;
	strcpy(request.name, name);
	result = bpf_prog_test_run_opts(l->program, &run);
	if (result)
		return result;
	*address = request.address;
	return (int)run.retval;
}

static bool range_of(const struct looker *l, const char *from, const char *to, struct range *range)
{
	return !address_of(l, from, &range->from) && !address_of(l, to, &range->to) &&
	       range->from < range->to;
}

/*
 * The kernel counts the symbols of a kprobe's name before all else. Then it refuses this one, a
 * return probe that is nowhere: nothing is made, and nothing is written to its log.
 */
static int refusal(const struct looker *l, const char *name)
{
	struct perf_event_attr attr = {
		.type = (uint32_t)l->pmu, .config = 1,		/* retprobe */
		.kprobe_func = (uint64_t)(uintptr_t)name, .probe_offset = 0xfffff000,
	};
	int fd = perf_event_open(&attr, ANY_TASK, 0);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Functions of this name are in kallsyms.c and in trace.c: a kernel that counts refuses it. */
#define SHARED "s_next"

/* Sets k->looker. */
static void open_looker(struct kernel *k)
{
	struct looker *l = calloc(1, sizeof(*l));
	const char *pmu;

	if (!l)
		return;
	l->program = l->pmu = -1;
	/* Features may be tried, which may look for functions: by kallsyms, as long as it is -1. */
	k->looker = l;
	if (!kernel_live(k) || !kernel_has(k, FEATURE_KPROBE_UNIQUE) || !kernel_has(k, FEATURE_BPF))
		return;
	pmu = kernel_text(k, "/sys/bus/event_source/devices/kprobe/type");
	l->program = load();
	if (pmu)
		l->pmu = atoi(pmu);
	if (!range_of(l, "_stext", "_etext", &l->code) ||
	    !range_of(l, "_sinittext", "_einittext", &l->init) ||
	    refusal(l, SHARED) != EADDRNOTAVAIL)
		l->pmu = -1;
}

static bool is_in(const struct range *range, uint64_t address)
{
	return address >= range->from && address < range->to;
}

enum look_up kernel_look_up(struct kernel *k, const char *name, uint64_t *address)
{
	uint64_t found = 0;
	int result, why;

	if (!k->looker)
		open_looker(k);
	if (!k->looker || k->looker->pmu < 0)
		return LOOK_UP_UNKNOWN;
	result = address_of(k->looker, name, &found);
	if (result)
		return result == -ENOENT ? LOOK_UP_NONE : LOOK_UP_UNKNOWN;
	/* Elsewhere are data and modules. */
	if (!is_in(&k->looker->code, found) || is_in(&k->looker->init, found))
		return LOOK_UP_UNKNOWN;
	why = refusal(k->looker, name);
	if (why && why != ENOENT && why != EINVAL)
		return LOOK_UP_UNKNOWN;
	if (address)
		*address = found;
	return LOOK_UP_ONE;
}

void look_up_free(struct kernel *k)
{
	if (k->looker && k->looker->program >= 0)
		close(k->looker->program);
	free(k->looker);
	k->looker = NULL;
}
