// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel is asked in two ways, and neither leaves anything in the kernel. A BPF program that
 * bpf(2) runs once looks up the address of a name (5.16). A kprobe that can't be made shows whether
 * several symbols have the name (6.6).
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

/* Numbers of linux/bpf.h: the headers of the build machine may lack their names. */
#define SYSCALL_TYPE 31
#define SLEEPS (1U << 4)
#define HELPER_KALLSYMS_LOOKUP_NAME 179

#define NAME_MOST 64

/* The program's context: the program reads the name, and writes the address. */
struct request {
	char name[NAME_MOST];
	uint64_t address;
};

struct range {
	uint64_t from, to;
};

struct looker {
	int program;			/* -1: none */
	struct range code, init;	/* of the kernel itself; code that only ran at boot */
	int pmu;			/* perf's type of kprobes; -1: the kernel can't be asked */
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

/* Returns 0, -ENOENT if no symbol has the name, or another -errno if the kernel does not tell. */
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
 * Returns the error of a return probe at an impossible offset. The kernel first counts the symbols
 * that have the probe's name. Then it refuses the offset: it makes nothing, and writes nothing to
 * its log.
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

/*
 * kallsyms.c and trace.c both have a function of this name: a kernel that counts refuses a probe.
 */
#define SHARED "s_next"

/* Sets k->looker. */
static void open_looker(struct kernel *k)
{
	struct looker *l = calloc(1, sizeof(*l));
	const char *pmu;

	if (!l)
		return;
	l->program = l->pmu = -1;
	/* Trials of features may look up functions. As long as pmu is -1, kallsyms answers them. */
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
	/* Other addresses belong to data and modules. */
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
