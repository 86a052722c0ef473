// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_load.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/bpf/bpf_attach.h"
#include "backends/kinds/kinds.h"
#include "compat/base/bpf_insn.h"
#include "compat/probing/bpf_permission.h"

/*
 * A kernel takes at most UINT_MAX >> 8 bytes. If its log does not fit, it returns ENOSPC instead of
 * the error.
 */
#define LOG_SIZE (4 * 1024 * 1024)
#define LOG_LINES 60

int bpf_patch(struct bpf_insn *out, const struct lowered *code, const int *maps,
	      unsigned int n_maps, struct error *err)
{
	for (unsigned int i = 0; i < code->n; i++) {
		const struct bpf_insn *insn = &code->insns[i];

		out[i] = *insn;
		if (insn->code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if (i + 1 == code->n)
			return fail(err, "instruction %u: half a 64-bit constant", i);
		if (BPF_HAS_MAP(insn)) {
			if (insn->imm < 0 || (unsigned int)insn->imm >= n_maps ||
			    maps[insn->imm] < 0)
				return fail(err, "instruction %u: there is no map number %d", i,
					    insn->imm);
			out[i].imm = maps[insn->imm];
		}
		i++;
		out[i] = code->insns[i];
	}
	return 0;
}

const char *bpf_log_essence(const char *log, int *length)
{
	const char *essence = NULL;

	while (*log) {
		size_t n = strcspn(log, "\n");

		/* Some kernels end the log with statistics. */
		if (!strncmp(log, "processed ", strlen("processed ")))
			break;
		if (n && strncmp(log, "verification time ", strlen("verification time "))) {
			essence = log;
			*length = (int)n;
		}
		log += n + (log[n] == '\n');
	}
	return essence;
}

static void show_log(FILE *verbose, const char *title, const char *log)
{
	const char *from = log + strlen(log);
	unsigned int lines = 0;

	while (from > log && (from[-1] != '\n' || lines++ < LOG_LINES))
		from--;
	fprintf(verbose, "bpf: %s: the verifier's log%s\n%s%s", title,
		from > log ? " (its end)" : "", from,
		*from && from[strlen(from) - 1] != '\n' ? "\n" : "");
}

/*
 * Returns true if the program has a loop whose iterations the verifier follows, one after the
 * other.
 */
static bool goes_back(const struct bpf_code *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		if (BPF_CLASS(p->insns[i].code) == BPF_JMP && p->insns[i].off < 0)
			return true;
	return false;
}

static int refused(const struct bpf_loading *l, const struct event *event,
		   const struct bpf_code *p, int error, struct error *err)
{
	char title[BPF_EVENT_TITLE];
	const char *essence;
	int length = 0;

	bpf_event_title(event, title);
	essence = p->log ? bpf_log_essence(p->log, &length) : NULL;
	if (essence && l->verbose)
		show_log(l->verbose, title, p->log);
	if (essence)
		return fail(err, "the kernel refused the program for %s: %.*s\n"
			    "-v shows the verifier's log; --backend perf and --backend ftrace "
			    "need no verifier",
			    title, length > 300 ? 300 : length, essence);
	/* EFAULT: more branches wait to be followed than it keeps. */
	if ((error == E2BIG || error == EFAULT) && goes_back(p))
		return fail(err, "the kernel refused the program for %s: a loop has more "
				 "iterations than its verifier follows (since 5.17 it need not)\n"
			    "try --backend perf or --backend ftrace", title);
	switch (error) {
	case EPERM:
	case EACCES:
		return fail_with(err, error, "can't load the program for %s: %m\n%s", title,
				 bpf_not_permitted(l->kernel));
	case E2BIG:
		return fail(err, "can't load the program for %s: this kernel does not take so many "
				 "instructions (%u)\n"
			    "try --backend perf or --backend ftrace", title, p->n);
	case ENOMEM:
		return fail(err, "can't load the program for %s: the kernel is out of memory",
			    title);
	case ENOSYS:
		return fail(err, "can't load the program for %s: this kernel was built without "
				 "bpf(2)\n"
			    "use --backend perf or --backend ftrace", title);
	case EINVAL:
		return fail(err, "the kernel refused the program for %s and did not say why "
				 "(EINVAL)\n"
			    "it may lack this type of program, or have another version than "
			    "%u.%u.%u;\n"
			    "try --backend perf or --backend ftrace", title, p->kern_version >> 16,
			    p->kern_version >> 8 & 255, p->kern_version & 255);
	case EMFILE:
		return fail_with(err, error, "can't load the program for %s: %m", title);
	default:
		return fail_with(err, error, "can't load the program for %s: %m\n"
				 "try --backend perf or --backend ftrace", title);
	}
}

/* The log costs time and memory: sonde requests it only after the kernel refused the program. */
static int load_patched(const struct bpf_loading *l, const struct plan_program *a,
			const struct bpf_insn *insns, struct error *err)
{
	struct bpf_code p = {
		.type = event_ops(a->event)->program,
		.attach_type = event_ops(a->event)->attach_type,
		.btf_id = a->event->prototype,
		.btf = event_traits(a->event->kind)->typed_function ? a->event->types : 0,
		.insns = insns,
		.n = a->code.n,
		.functions = a->code.functions,
		.n_functions = a->code.n_functions,
		.kern_version = kernel_version_code(l->kernel),
		.name = kernel_has(l->kernel, FEATURE_BPF_NAMES) ? a->program->hook : NULL,
		.log_size = LOG_SIZE,
	};
	int fd = bpf_code_load(&p, l->memlock), error = -fd;

	if (fd >= 0)
		return fd;
	p.log = calloc(1, LOG_SIZE);
	if (p.log && (error == EACCES || error == EINVAL || error == E2BIG || error == EPERM)) {
		fd = bpf_code_load(&p, l->memlock);
		if (fd == -ENOSPC)	/* cut off: the log's last line is not the reason */
			p.log[0] = '\0';
		else if (fd < 0)
			error = -fd;
	}
	if (fd < 0)
		refused(l, a->event, &p, error, err);
	free(p.log);
	return fd < 0 ? -1 : fd;
}

static int load(const struct bpf_loading *l, const struct plan_program *a, struct error *err)
{
	struct bpf_insn *insns = malloc(a->code.n * sizeof(*insns));
	char title[BPF_EVENT_TITLE];
	int fd = -1;

	if (!insns)
		return fail(err, "out of memory");
	if (!bpf_patch(insns, &a->code, l->maps, l->plan->n_maps, err))
		fd = load_patched(l, a, insns, err);
	free(insns);
	if (fd >= 0 && l->verbose)
		fprintf(l->verbose, "bpf: loaded %s for %s: %u instructions\n", a->program->hook,
			bpf_event_title(a->event, title), a->code.n);
	return fd;
}

static bool same_program(const struct plan_program *a, const struct plan_program *b)
{
	return event_ops(a->event)->program == event_ops(b->event)->program &&
	       event_ops(a->event)->attach_type == event_ops(b->event)->attach_type &&
	       event_same_prototype(a->event, b->event) &&
	       a->code.n == b->code.n &&
	       !memcmp(a->code.insns, b->code.insns, a->code.n * sizeof(*a->code.insns));
}

int bpf_programs_load(struct bpf_programs *p, const struct bpf_loading *l, struct error *err)
{
	const struct plan_program *all = l->plan->programs;
	unsigned int n = l->plan->n_programs;

	p->fds = malloc((n + 1) * sizeof(*p->fds));
	p->of_program = malloc((n + 1) * sizeof(*p->of_program));
	p->counts = calloc(n + 1, sizeof(*p->counts));
	if (!p->fds || !p->of_program || !p->counts)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < n; i++) {
		unsigned int same = 0;

		while (same < i && !same_program(&all[i], &all[same]))
			same++;
		if (same < i) {
			p->of_program[i] = p->of_program[same];
			continue;
		}
		p->fds[p->n] = load(l, &all[i], err);
		if (p->fds[p->n] < 0)
			return -1;
		p->counts[p->n] = event_ops(all[i].event)->missed == MISSED_PROGRAM;
		p->of_program[i] = (int)p->n++;
	}
	return 0;
}

int bpf_program_of(const struct bpf_programs *p, const struct plan *plan,
		   const struct attachment *a)
{
	return p->fds[p->of_program[a->program - plan->programs]];
}

void bpf_programs_unload(struct bpf_programs *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		close(p->fds[i]);
	free(p->fds);
	free(p->of_program);
	free(p->counts);
	*p = (struct bpf_programs){ 0 };
}

/*
 * Sets `misses` to the number of times that the kernel skipped the program because another one ran
 * on the CPU. Returns false if it is unknown.
 */
static bool program_misses(int fd, uint64_t *misses)
{
	struct bpf_prog_info info;
	uint32_t length = sizeof(info);

	memset(&info, 0, sizeof(info));
	/* The kernel cuts the length to the size of its own struct. */
	if (bpf_obj_get_info_by_fd(fd, &info, &length) ||
	    length < offsetof(struct bpf_prog_info, recursion_misses) +
	    sizeof(info.recursion_misses))
		return false;
	*misses = info.recursion_misses;
	return true;
}

bool bpf_programs_missed(const struct bpf_programs *p, struct kernel *k, uint64_t *missed)
{
	bool all_known = true;

	for (unsigned int i = 0; i < p->n; i++) {
		uint64_t n = 0;
		const bool known = program_misses(p->fds[i], &n);

		/* Programs of other kinds count only on later kernels that have the member. */
		if (!p->counts[i])
			all_known &= known && kernel_has(k, FEATURE_BPF_MISSED);
		*missed += n;
	}
	return all_known;
}
