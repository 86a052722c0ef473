// SPDX-License-Identifier: GPL-2.0
#include "compat/resolve/build_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct event *be_new_event(void)
{
	struct event *e = calloc(1, sizeof(*e));

	if (e)
		e->layout = layout_new();
	if (e && e->layout) {
		e->system = e->name = "";
		e->id = -1;
		return e;
	}
	free(e);
	return NULL;
}

void be_free_event(struct event *e)
{
	if (e)
		layout_free(e->layout);
	free(e);
}

/* The function behind a system call by its prefixes: those differ by machine, kernel and ABI. */
static const char *syscall_function(struct kernel *k, const struct arch_prefix *prefixes,
				    const char *call,
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
	if (kernel_text(k, "/proc/sys/abi/vsyscall32") ||
	    kernel_text(k, "/proc/sys/abi/cp15_barrier"))
		return true;
	/*
	 * The running kernel may have been told at boot not to; of another one there may be only
	 * the configuration.
	 */
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
		return fail(b->err, "%s: this kernel has no tracepoint %s", b->hook,
			    b->probe->name);
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_TRACEPOINT))
		return fail(b->err, "%s: this kernel takes no BPF programs on tracepoints",
			    b->hook);
	if (b->target == TARGET_BPF && !strcmp(system, "syscalls") &&
	    !kernel_has(b->k, FEATURE_BPF_SYSCALL))
		return fail(b->err, "%s: this kernel takes no BPF programs on syscalls:* "
				    "tracepoints", b->hook);
	b->main->system = b->format->system;
	b->main->name = event;
	b->main->id = b->format->id;
	b->main->filter = b->probe->filter;
	return 0;
}

static const char *find_syscall(struct builder *b)
{
	bool compat = b->probe->kind == PROBE_COMPAT || b->probe->kind == PROBE_COMPATRET;
	const struct arch_prefix *which;
	const char *function = syscall_function(b->k, compat ? b->arch->compat_prefix :
						b->arch->syscall_prefix,
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
		return fail(b->err, "%s: this kernel has no kprobes, for %s()", b->hook,
			    b->probe->name);
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_KPROBE))
		return fail(b->err, "%s: this kernel takes no BPF programs on kprobes", b->hook);
	function = syscall ? find_syscall(b) : kernel_function(b->k, b->probe->name);
	if (!function) {
		const struct hook *h = b->demand->hook;

		if (h->module)
			return fail(b->err, "%s: this kernel has no function %s to probe; if %s is "
					    "a module, load it first: "
				    "modprobe %s", b->hook, b->probe->name, h->module, h->module);
		return fail(b->err, "%s: this kernel has no function %s to probe", b->hook,
			    b->probe->name);
	}
	b->main->name = function;
	return 0;
}

bool probe_is_user(const struct probe *p)
{
	return p->kind == PROBE_UPROBE || p->kind == PROBE_URETPROBE;
}

int probe_places(struct kernel *k, enum target target, const struct probe *p,
		 const struct demand *d,
		 const struct place **places, struct error *err)
{
	const char *function = strchr(p->name, ':') + 1;
	int n = (int)strcspn(function, "|");

	if (!kernel_has(k, FEATURE_UPROBES))
		return fail(err, "%s: this kernel has no uprobes, for %.*s()", d->hook->name, n,
			    function);
	if (target == TARGET_BPF && !kernel_has(k, FEATURE_BPF_UPROBE))
		return fail(err, "%s: this kernel takes no BPF programs on uprobes", d->hook->name);
	if (p->kind == PROBE_URETPROBE && kernel_arch(k)->thumb)
		return fail(err, "%s: returns of %.*s() can't be probed on 32-bit ARM: it brings "
				 "down callers that are Thumb "
			    "code", d->hook->name, n, function);
	if (target == TARGET_RING && !kernel_has(k, FEATURE_UPROBE_FETCH))
		return fail(err, "%s: uprobes of this kernel can't read memory, for %.*s()",
			    d->hook->name, n, function);
	return kernel_places(k, p->name, places, err);
}

static int use_place(struct builder *b)
{
	b->main->name = b->place->symbol;
	b->main->binary = b->place->binary;
	b->main->address = b->place->address;
	if (b->target == TARGET_BPF || !b->abi->narrow)
		return 0;
	kernel_leave_out(b->k, b->place->binary,
			 "ring buffers can't follow 32-bit programs' pointers");
	return fail(b->err, "%s: ring buffers can't follow 32-bit programs' pointers", b->hook);
}

/* A sample of the rings has registers and a stack, but nothing of the kernel's memory. */
static int find_sample(struct builder *b)
{
	if (b->target == TARGET_RING)
		return fail(b->err, "%s: only BPF programs can read it from the kernel's memory",
			    b->hook);
	if (!kernel_has(b->k, FEATURE_BPF_SAMPLE))
		return fail(b->err, "%s: this kernel takes no BPF programs on samples (since 4.9)",
			    b->hook);
	b->main->name = b->probe->name;
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

/* From here on the layouts are the list's: what is left of an event is its own memory. */
static int share_layouts(struct builder *b, struct layouts *layouts)
{
	int result = 0;

	for (unsigned int i = 0; i <= b->n_parts; i++) {
		struct event *e = i < b->n_parts ? b->parts[i] : b->main;

		e->layout = layouts_share(layouts, e->layout);
		result |= e->layout ? 0 : -1;
	}
	if (!result)
		return 0;
	for (unsigned int i = 0; i < b->n_parts; i++)
		free(b->parts[i]);
	free(b->main);
	return fail(b->err, "out of memory");
}

int build_events(struct kernel *k, enum target target, const struct alternative *a,
		 const struct probe *p,
		 const struct demand *d, const struct place *place, struct layouts *layouts,
		 struct event **events,
		 unsigned int max, struct error *err)
{
	struct builder b = {
		.k = k, .target = target, .arch = kernel_arch(k), .alternative = a, .probe = p,
		.demand = d,
		.hook = d->hook->name, .err = err,
		.place = place, .abi = place ? place->binary->abi : NULL,
		.in_pieces = target == TARGET_RING && !place && p->kind != PROBE_TRACEPOINT &&
			     !kernel_has(k, FEATURE_FETCH_ARRAY),
	};
	bool texts_apart = be_several_texts(&b);

	b.main = be_new_event();
	if (!b.main)
		return fail(err, "out of memory");
	b.main->kind = event_kinds[p->kind];
	if (place ? use_place(&b) : p->kind == PROBE_TRACEPOINT ? find_tracepoint(&b) :
	    p->kind == PROBE_SAMPLE ? find_sample(&b) : find_function(&b))
		goto fail;
	b.record = be_record_head(&b, b.main->kind);
	for (int turn = 0; turn < PIECES_TURNS; turn++) {
		for (unsigned int i = 0; i < d->n_inputs; i++)
			if (be_pieces_turn(&b, &d->inputs[i]) == turn &&
			    be_add_input(&b, &d->inputs[i], texts_apart))
				goto fail;
	}
	be_row_ends(&b);
	if (b.n_parts + 1 > max) {
		fail(err, "%s: too many parts", d->hook->name);
		goto fail;
	}
	if (share_layouts(&b, layouts))
		return -1;
	for (unsigned int i = 0; i < b.n_parts; i++)
		events[i] = b.parts[i];
	events[b.n_parts] = b.main;
	return (int)b.n_parts + 1;
fail:
	for (unsigned int i = 0; i < b.n_parts; i++)
		be_free_event(b.parts[i]);
	be_free_event(b.main);
	return -1;
}
