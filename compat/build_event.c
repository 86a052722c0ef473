// SPDX-License-Identifier: GPL-2.0
#include "compat/build_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void event_free(struct event *e)
{
	if (!e)
		return;
	free(e->fetch);
	free(e->filter);
	free(e);
}

bool is_task_identity(const char *name)
{
	return input_named(name, "tid") || input_named(name, "tgid") || input_named(name, "pid_tgid") ||
	       input_named(name, "uid") || input_named(name, "comm");
}

bool is_identity(const char *name)
{
	return is_task_identity(name) || input_named(name, "time") || input_named(name, "cpu");
}

bool missing_identity(enum target target, const char *name)
{
	return target == TARGET_RING && input_named(name, "uid");
}

/* The function behind a system call by its prefixes: those differ by machine, kernel and ABI. */
static const char *syscall_function(struct kernel *k, const struct arch_prefix *prefixes, const char *call,
				    const struct arch_prefix **which)
{
	char name[80];

	for (const struct arch_prefix *p = prefixes; p->prefix; p++) {
		const char *function;

		if (kernel_version_code(k) < p->since)
			continue;
		snprintf(name, sizeof(name), "%s%s", p->prefix, call);
		function = kernel_function(k, name);
		if (!function)
			continue;
		*which = p;
		return function;
	}
	return NULL;
}

bool kernel_has_compat_tasks(struct kernel *k)
{
	const struct arch *arch = kernel_arch(k);
	const struct arch_prefix *which;
	const char *config;

	if (arch->word != 8)
		return false;
	if (arch->compat_calls_tell)
		return syscall_function(k, arch->compat_prefix, "execve", &which) != NULL;
	/* sysctls that only kernels with 32-bit tasks beside 64-bit ones have: x86, arm64. */
	if (kernel_text(k, "/proc/sys/abi/vsyscall32") || kernel_text(k, "/proc/sys/abi/cp15_barrier"))
		return true;
	/* The running kernel may have been told at boot not to; of another one there may be only the configuration. */
	config = kernel_live(k) ? NULL : kernel_text(k, "config");
	return config && strstr(config, "\nCONFIG_COMPAT=y\n");
}

static int find_tracepoint(struct builder *b)
{
	char system[48];
	const char *event = strchr(b->probe->name, ':');

	snprintf(system, sizeof(system), "%.*s", (int)(event - b->probe->name), b->probe->name);
	event++;
	b->format = kernel_format(b->k, system, event);
	if (!b->format)
		return fail(b->err, "%s: this kernel has no tracepoint %s", b->demand->hook, b->probe->name);
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_TRACEPOINT))
		return fail(b->err, "%s: this kernel takes no BPF programs on tracepoints", b->demand->hook);
	if (b->target == TARGET_BPF && !strcmp(system, "syscalls") && !kernel_has(b->k, FEATURE_BPF_SYSCALL))
		return fail(b->err, "%s: this kernel takes no BPF programs on syscalls:* tracepoints", b->demand->hook);
	snprintf(b->main->system, sizeof(b->main->system), "%s", system);
	snprintf(b->main->name, sizeof(b->main->name), "%s", event);
	b->main->id = b->format->id;
	if (b->probe->filter) {
		b->main->filter = strdup(b->probe->filter);
		if (!b->main->filter)
			return fail(b->err, "out of memory");
	}
	return 0;
}

static const char *find_syscall(struct builder *b)
{
	bool compat = b->probe->kind == PROBE_COMPAT || b->probe->kind == PROBE_COMPATRET;
	const struct arch_prefix *which;
	const char *function = syscall_function(b->k, compat ? b->arch->compat_prefix : b->arch->syscall_prefix,
						b->probe->name, &which);

	if (function) {
		b->wrapped = which->wrapped;
		b->syscall_args = compat ? b->arch->compat_args : b->arch->syscall_args;
	}
	return function;
}

bool kernel_has_syscall(struct kernel *k, const char *name)
{
	const struct probe p = { .kind = PROBE_SYSCALL, .name = name };
	struct builder b = { .k = k, .arch = kernel_arch(k), .probe = &p };

	return find_syscall(&b) != NULL;
}

static int find_function(struct builder *b)
{
	bool syscall = b->probe->kind >= PROBE_SYSCALL;
	const char *function;

	/* BPF gets by with the PMU; the rings need a definition in tracefs. */
	if (!kernel_has(b->k, FEATURE_KPROBES) &&
	    !(b->target == TARGET_BPF && kernel_has(b->k, FEATURE_KPROBE_PMU)))
		return fail(b->err, "%s: this kernel has no kprobes, for %s()", b->demand->hook, b->probe->name);
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_KPROBE))
		return fail(b->err, "%s: this kernel takes no BPF programs on kprobes", b->demand->hook);
	function = syscall ? find_syscall(b) : kernel_function(b->k, b->probe->name);
	if (!function) {
		const struct hook *h = hook_by_name(b->demand->hook);

		if (h && h->module)
			return fail(b->err, "%s: this kernel has no function %s to probe; if %s is a module, load it first: "
				    "modprobe %s", b->demand->hook, b->probe->name, h->module, h->module);
		return fail(b->err, "%s: this kernel has no function %s to probe", b->demand->hook, b->probe->name);
	}
	snprintf(b->main->name, sizeof(b->main->name), "%s", function);
	b->main->id = -1;
	return 0;
}

bool probe_is_user(const struct probe *p)
{
	return p->kind == PROBE_UPROBE || p->kind == PROBE_URETPROBE;
}

int probe_places(struct kernel *k, enum target target, const struct probe *p, const struct demand *d,
		 const struct place **places, struct error *err)
{
	const char *function = strchr(p->name, ':') + 1;
	int n = (int)strcspn(function, "|");

	if (!kernel_has(k, FEATURE_UPROBES))
		return fail(err, "%s: this kernel has no uprobes, for %.*s()", d->hook, n, function);
	if (target == TARGET_BPF && !kernel_has(k, FEATURE_BPF_UPROBE))
		return fail(err, "%s: this kernel takes no BPF programs on uprobes", d->hook);
	if (p->kind == PROBE_URETPROBE && kernel_arch(k)->thumb)
		return fail(err, "%s: returns of %.*s() can't be probed on 32-bit ARM: it brings down callers that are Thumb "
			    "code", d->hook, n, function);
	if (target == TARGET_RING && !kernel_has(k, FEATURE_UPROBE_FETCH))
		return fail(err, "%s: uprobes of this kernel can't read memory, for %.*s()", d->hook, n, function);
	return kernel_places(k, p->name, places, err);
}

static int use_place(struct builder *b)
{
	snprintf(b->main->name, sizeof(b->main->name), "%s", b->place->symbol);
	b->main->binary = b->place->binary;
	b->main->address = b->place->address;
	b->main->id = -1;
	if (b->target == TARGET_BPF || !b->abi->narrow)
		return 0;
	kernel_leave_out(b->k, b->place->binary, "ring buffers can't follow 32-bit programs' pointers");
	return fail(b->err, "%s: ring buffers can't follow 32-bit programs' pointers", b->demand->hook);
}

/* A sample of the rings has registers and a stack, but nothing of the kernel's memory. */
static int find_sample(struct builder *b)
{
	if (b->target == TARGET_RING)
		return fail(b->err, "%s: only BPF programs can read it from the kernel's memory",
			    b->demand->hook);
	if (!kernel_has(b->k, FEATURE_BPF_SAMPLE))
		return fail(b->err, "%s: this kernel takes no BPF programs on samples (since 4.9)", b->demand->hook);
	snprintf(b->main->name, sizeof(b->main->name), "%s", b->probe->name);
	return 0;
}

static const enum event_kind event_kinds[] = {
	[PROBE_TRACEPOINT] = EVENT_TRACEPOINT,
	[PROBE_UPROBE] = EVENT_UPROBE, [PROBE_URETPROBE] = EVENT_URETPROBE,
	[PROBE_KPROBE] = EVENT_KPROBE, [PROBE_KRETPROBE] = EVENT_KRETPROBE,
	[PROBE_SAMPLE] = EVENT_SAMPLE,
	[PROBE_SYSCALL] = EVENT_KPROBE, [PROBE_SYSRET] = EVENT_KRETPROBE,
	[PROBE_COMPAT] = EVENT_KPROBE, [PROBE_COMPATRET] = EVENT_KRETPROBE,
};

int build_events(struct kernel *k, enum target target, const struct alternative *a, const struct probe *p,
		 const struct demand *d, const struct place *place, struct event **events, unsigned int max,
		 struct error *err)
{
	struct builder b = {
		.k = k, .target = target, .arch = kernel_arch(k), .alternative = a, .probe = p, .demand = d, .err = err,
		.place = place, .abi = place ? place->binary->abi : NULL,
		.in_pieces = target == TARGET_RING && !place && p->kind != PROBE_TRACEPOINT &&
			     !kernel_has(k, FEATURE_FETCH_ARRAY),
	};
	bool texts_apart = be_several_texts(&b);

	b.main = calloc(1, sizeof(*b.main));
	if (!b.main)
		return fail(err, "out of memory");
	b.main->kind = event_kinds[p->kind];
	if (place ? use_place(&b) : p->kind == PROBE_TRACEPOINT ? find_tracepoint(&b) :
	    p->kind == PROBE_SAMPLE ? find_sample(&b) : find_function(&b))
		goto fail;
	b.record = be_record_head(&b, b.main->kind);
	for (int turn = 0; turn < PIECES_TURNS; turn++) {
		for (unsigned int i = 0; i < d->n_inputs; i++)
			if (be_pieces_turn(&b, &d->inputs[i]) == turn && be_add_input(&b, &d->inputs[i], texts_apart))
				goto fail;
	}
	be_row_ends(&b);
	if (b.n_parts + 1 > max) {
		fail(err, "%s: too many parts", d->hook);
		goto fail;
	}
	for (unsigned int i = 0; i < b.n_parts; i++)
		events[i] = b.parts[i];
	events[b.n_parts] = b.main;
	return (int)b.n_parts + 1;
fail:
	for (unsigned int i = 0; i < b.n_parts; i++)
		event_free(b.parts[i]);
	event_free(b.main);
	return -1;
}
