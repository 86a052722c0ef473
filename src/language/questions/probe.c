// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/probe.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/arch/arch.h"
#include "compat/base/text.h"
#include "compat/kinds/syscall.h"
#include "src/language/questions/probes/ring_filter.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"
#include "src/toolkit/patterns/found.h"

/* ---- names ---- */

static int find_named(struct kernel *k, struct lang_probe *p, struct error *err)
{
	const struct pattern *found = &p->patterns.pattern;
	char system[64], *colon;

	if (patterns_find(k, p->spec, false, true, &p->patterns, err))
		return -1;
	p->scope.user_space = found->file != NULL;
	if (p->patterns.row)
		p->scope.called.user_arguments = p->patterns.row->user_arguments;
	if (*p->patterns.renamed)
		p->scope.called.same_arguments = p->patterns.row->same;
	if (found->file && asprintf(&p->written, "%s:%s", found->file, found->name) < 0)
		return fail(err, "out of memory");
	p->scope.called.written = p->written;
	p->scope.event.usdt = found->kind == PATTERN_USDT;
	for (unsigned int i = 0; p->scope.event.usdt && i < USDT_ARGUMENTS; i++) {
		unsigned int size;
		bool is_signed;

		if (patterns_argument(k, &p->patterns, i + 1, &size, &is_signed))
			p->scope.event.arguments[i] = c_integer(size, is_signed);
	}
	p->scope.event.tracepoint = found->kind == PATTERN_TRACEPOINT;
	p->scope.called.returns = found->returns;
	if (p->patterns.n == 1)
		p->scope.called.name = p->patterns.names[0];
	if (!p->scope.event.tracepoint || p->patterns.n != 1)
		return 0;
	text_all(system, sizeof(system), "%s", p->scope.called.name);
	colon = strchr(system, ':');
	if (colon) {
		*colon = '\0';
		p->scope.kernel = k;
		p->scope.event.format = kernel_format(k, system,
						      strchr(p->scope.called.name, ':') + 1);
	}
	return 0;
}

/*
 * Returns true for the function of a system call, sys_NAME, on machines whose functions have
 * another prefix (syscall_prefix in compat/arch): the arguments are elsewhere.
 */
static bool is_call_elsewhere(struct kernel *k, const char *name)
{
	const struct arch_prefix *p = kernel_arch(k)->syscall_prefix;

	while (p->prefix && strcmp(p->prefix, "sys_"))
		p++;
	return !p->prefix && (!strncmp(name, "sys_", 4) || !strncmp(name, "SyS_", 4));
}

/*
 * The system call of a function; NULL: none. kernel_syscall() looks at all functions: if they can't
 * be probed, tracepoints are tried first.
 */
static const char *call_of(struct kernel *k, const char *name)
{
	const bool probed = kernel_has(k, FEATURE_KPROBES) || kernel_has(k, FEATURE_KPROBE_PMU);
	const char *call = probed ? kernel_syscall(k, name, NULL) : NULL;

	if (!call)
		call = traced_call_of(k, name);
	return call || probed ? call : kernel_syscall(k, name, NULL);
}

/* Finds the system call that the text names, or the matches of a pattern. */
static int find_probe(struct kernel *k, struct lang_probe *p, struct error *err)
{
	struct pattern pattern;
	const char *call;

	if (pattern_parse(&pattern, p->spec, false, err))
		return -1;
	if (pattern.kind == PATTERN_KERNEL && pattern.one) {
		call = call_of(k, pattern.name);
		if (call) {
			p->call = strdup(call);
			p->scope.called.syscall = true;
			p->scope.called.call = p->call;
			p->scope.kernel = k;
			p->scope.called.returns = pattern.returns;
			p->scope.called.name = p->spec + (strlen(p->spec) - strlen(pattern.name));
			pattern_free(&pattern);
			return p->call ? 0 : fail(err, "out of memory");
		}
		p->scope.called.unknown_arguments = is_call_elsewhere(k, pattern.name);
	}
	pattern_free(&pattern);
	return find_named(k, p, err);
}

/* Sets the calling convention and C's types. A program may have others than the kernel. */
static int set_machine(struct kernel *k, struct lang_probe *p, struct error *err)
{
	const struct arch *arch = kernel_arch(k);
	const struct arch_abi *abi = arch->abis;
	struct scope *s = &p->scope;
	const unsigned int word = s->called.syscall ? arch->word : patterns_word(k, &p->patterns);

	p->several_words = !word;
	s->word = s->kernel_word = arch->word;
	s->big_endian = arch->big_endian;
	s->called.in_registers = arch->n_args;
	s->called.even_pairs = arch->even_pairs;
	if (!s->user_space)
		return 0;
	if (word && word != arch->word) {
		s->word = word;
		abi++;
		p->tree.types = types_of_program(p->tree.types, arch_by_elf(abi->machine), err);
		if (!p->tree.types)
			return -1;
	}
	if (abi->on_stack)
		s->called.in_registers = 0;
	return 0;
}

/* Cuts an offset ("+0x1f") off the name. */
static int take_offset(struct lang_probe *p, size_t at, struct error *err)
{
	char *plus = strrchr(p->spec, '+'), *end;
	const struct source *source = &p->tree.source;
	unsigned long long offset;

	if (!plus || !isdigit((unsigned char)plus[1]))
		return 0;
	at += (size_t)(plus - p->spec);
	offset = strtoull(plus + 1, &end, plus[1] == '0' && plus[2] == 'x' ? 16 : 10);
	if (*end || offset > INT32_MAX)
		return source_error(source, at, err, "an offset is a number of bytes: "
				    "FUNCTION+16 or FUNCTION+0x10");
	*plus = '\0';
	p->offset = (uint32_t)offset;
	p->scope.called.inside = offset;
	return 0;
}

/* An offset must be within a single function. */
static int check_offset(struct lang_probe *p, size_t at, struct error *err)
{
	const struct pattern *found = &p->patterns.pattern;
	const struct source *source = &p->tree.source;

	if (!p->offset)
		return 0;
	if (p->call)
		return source_error(source, at, err, "a place within a function needs the "
				    "function's own name: __x64_sys_%s is one", p->call);
	if (found->kind == PATTERN_TRACEPOINT || found->kind == PATTERN_USDT || found->returns)
		return source_error(source, at, err, "only calls of functions have an offset: a "
				    "return, a tracepoint or a probe (USDT) is one place");
	if (!found->one || p->patterns.found->listing.n != 1)
		return source_error(source, at, err, "an offset belongs to one function: here "
				    "are several");
	return asprintf(&p->named, "%s+0x%x", p->patterns.names[0], p->offset) < 0 ?
	       fail(err, "out of memory") : 0;
}

/* Moves *at to the first letter of a probe. Returns the probe's length. */
static size_t spec_length(const char *text, size_t *at)
{
	*at += strspn(text + *at, " \t\n");
	return strcspn(text + *at, " \t\n(\"");
}

static void expect(struct kernel *k, const char *text)
{
	struct pattern pattern;
	struct error unread;
	size_t at = 0, n = spec_length(text, &at);
	char *spec = strndup(text + at, n);
	bool read = spec && !pattern_parse(&pattern, spec, false, &unread);

	free(spec);
	if (!read)
		return;
	pattern.name[strcspn(pattern.name, "+")] = '\0';	/* an offset */
	if (pattern.kind == PATTERN_KERNEL && pattern.one)
		renamed_expect(k, pattern.name);
	pattern_free(&pattern);
}

void probe_expect(struct kernel *k, const char *texts)
{
	for (const char *at = texts; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		expect(k, at);
}

int probe_find(struct kernel *k, struct lang_probe *p, size_t *at, struct error *err)
{
	const char *text = p->tree.source.text;
	struct error why = { };
	size_t n, begin;
	int count;

	n = spec_length(text, at);
	begin = *at;
	if (!n)
		return source_error(&p->tree.source, *at, err, "a probe belongs here: FUNCTION, "
				    "r:FUNCTION, LIBRARY:FUNCTION, t:SYSTEM:EVENT or "
				    "u:LIBRARY:PROBE");
	p->spec = strndup(text + *at, n);
	if (!p->spec)
		return fail(err, "out of memory");
	if (take_offset(p, *at, err))
		return -1;
	p->kernel = k;
	p->missing = find_probe(k, p, &why);
	if (p->missing)
		return source_cause(&p->tree.source, begin, err, &why);
	if (set_machine(k, p, err))
		return -1;
	if (check_offset(p, begin, err))
		return -1;
	*at += n;
	if (text[*at] != '(')
		return !p->wants_signature ? 0 :
		       source_error(&p->tree.source, *at, err, "'(' is missing here: the "
				    "function's signature, or ()");
	if ((p->scope.event.tracepoint || p->scope.event.usdt) && text[*at + 1] == ')') {
		*at += 2;
		return 0;
	}
	if (p->scope.event.usdt)
		return source_error(&p->tree.source, *at, err, "a probe (USDT) declares its "
				    "arguments itself: arg1, arg2 ...; put a blank before a "
				    "filter");
	if (p->scope.event.tracepoint)
		return source_error(&p->tree.source, *at, err, "a tracepoint's fields have their "
				    "names and types: args->NAME; put a blank before a filter");
	count = parse_parameters(&p->tree, at, p->scope.word, p->scope.called.parameters, err);
	if (count < 0)
		return -1;
	p->scope.called.n_parameters = (unsigned int)count;
	return 0;
}

int probe_calls(struct kernel *k, const struct lang_probe *p, struct lang_probe *calls,
		struct error *err)
{
	const struct pattern *found = &p->patterns.pattern;

	calls->kernel = k;
	calls->several_words = p->several_words;
	calls->scope = p->scope;
	calls->scope.called.returns = false;
	calls->scope.needs.n_inputs = 0;
	calls->scope.frame.latency = 0;
	if (p->call) {
		calls->call = strdup(p->call);
		return calls->call ? 0 : fail(err, "out of memory");
	}
	if (asprintf(&calls->spec, "%s%s%s", found->file ? found->file : "",
		     found->file ? ":" : "", found->name) < 0) {
		calls->spec = NULL;
		return fail(err, "out of memory");
	}
	return patterns_find(k, calls->spec, false, false, &calls->patterns, err);
}

void probe_free(struct lang_probe *p)
{
	patterns_free(&p->patterns);
	tree_free(&p->tree);
	free(p->spec);
	free(p->call);
	free(p->named);
	free(p->written);
	free(p->filters[0]);
	free(p->filters[1]);
	traced_calls_free(&p->traced);
	entered_free(&p->entered);
	free(p->inputs);
	for (int i = 0; i < TYPED_WAYS; i++)
		free(p->typed_inputs[i]);
}

const char *probe_function(const struct lang_probe *p, uint64_t number)
{
	const char *name = number < p->patterns.n ? p->patterns.names[number] : "?";

	if (p->call)
		return p->scope.called.name;
	if (p->named)
		return p->named;
	return p->scope.event.tracepoint && strchr(name, ':') ? strchr(name, ':') + 1 : name;
}

/* ---- hooks ---- */

/* Adds the functions of a system call. Calls of 32-bit tasks have functions of their own. */
static void add_syscall(struct lang_probe *p)
{
	const bool returns = p->scope.called.returns;

	p->syscalls[0] = (struct probe){
		.kind = returns ? PROBE_SYSRET : PROBE_SYSCALL, .name = p->call,
		.inputs = "function=0",
	};
	p->syscalls[1] = (struct probe){
		.kind = returns ? PROBE_COMPATRET : PROBE_COMPAT, .name = p->call,
		.inputs = "function=0", .optional = true, .same = true,
	};
	/* Structs of 32-bit tasks have other layouts. */
	p->ways[p->hook.n_alternatives++] = (struct alternative){
		.probes = p->syscalls, .n_probes = inputs_may_fail(&p->scope.needs) ? 1 : 2,
		.inputs = p->inputs, .no_compat = inputs_may_fail(&p->scope.needs),
		.family = "functions",
	};
}

/* Adds the tracepoints of system calls. They show no calls of 32-bit tasks. */
static int add_traced_calls(struct lang_probe *p, const char *inputs)
{
	if (p->scope.user_space || p->scope.event.tracepoint || p->scope.event.usdt || p->offset ||
	    (!p->call && !p->patterns.n))
		return 0;
	if (traced_calls_find(p->kernel, &p->traced, p->call, p->call ? NULL : p->patterns.names[0],
			      p->scope.called.returns, inputs, p->filters[FILTER_BY_FETCH],
			      p->more != NULL))
		return -1;
	if (!p->traced.n && !*p->traced.never)
		return 0;
	p->ways[p->hook.n_alternatives++] = (struct alternative){
		.probes = p->traced.probes, .n_probes = p->traced.n, .no_compat = true,
		.never = *p->traced.never ? p->traced.never : NULL, .family = "syscalls",
	};
	return 0;
}

/* Adds what has the texts behind the pointers of a system call's record. */
static int add_entered(struct lang_probe *p)
{
	if (p->patterns.n != 1 || p->more || p->whole)
		return 0;
	if (entered_find(&p->scope, &p->entered))
		return -1;
	for (int i = 0; i < ENTERED_WAYS; i++)
		if (p->entered.inputs[i])
			p->ways[p->hook.n_alternatives++] = (struct alternative){
				.probes = &p->entered.probes[i], .n_probes = 1,
				.targets = FOR_RING, .no_compat = true,
			};
	return 0;
}

/* Adds samples, which are of no function. */
static void add_samples(struct lang_probe *p)
{
	p->place = (struct probe){
		.kind = p->period ? PROBE_COUNTER : PROBE_SAMPLE, .name = p->sampled,
		.period = p->period, .watch = p->watch, .inputs = "function=0",
	};
	p->ways[p->hook.n_alternatives++] = (struct alternative){
		.probes = &p->place, .n_probes = 1, .inputs = p->inputs,
	};
}

/* Adds what only BPF programs get. `why`: the reason for the others. */
static void add_for_bpf(struct lang_probe *p, enum probe_kind kind, const char *name,
			const char *why)
{
	p->place = (struct probe){ .kind = kind, .name = name, .inputs = "function=0",
				   .named = true };
	p->ways[p->hook.n_alternatives++] = (struct alternative){
		.probes = &p->place, .n_probes = 1, .inputs = p->inputs, .targets = FOR_BPF,
	};
	p->ways[p->hook.n_alternatives++] = (struct alternative){ .targets = FOR_RING,
								  .never = why };
}

/* Adds a probe behind the function's beginning. Only kprobes and uprobes can be there. */
static void add_place(struct lang_probe *p)
{
	const struct hook *hook = p->patterns.hook;

	for (unsigned int i = 0; i < hook->n_alternatives; i++) {
		struct alternative *way = &p->ways[p->hook.n_alternatives];

		*way = hook->alternatives[i];
		if (way->n_probes && way->probes->kind != PROBE_KPROBE &&
		    way->probes->kind != PROBE_UPROBE)
			continue;
		if (way->n_probes) {
			p->place = way->probes[0];
			p->place.offset = p->offset;
			way->probes = &p->place;
		}
		way->inputs = p->inputs;
		p->hook.n_alternatives++;
	}
}

/* Adds a typed tracepoint, if the arguments tell all fields that are read. */
static void add_typed(struct lang_probe *p)
{
	static const enum feature whole = FEATURE_RAW_WHOLE;

	if (!p->without_record || !p->scope.event.tracepoint || p->patterns.n != 1 || p->more)
		return;
	p->place = (struct probe){ .kind = PROBE_TYPED, .name = p->patterns.names[0],
				   .inputs = "function=0", .named = true };
	for (unsigned int i = 0; i < TYPED_WAYS; i++) {
		bool preempted;

		p->typed_inputs[i] = typed_fields(&p->scope, p->patterns.names[0], i, &preempted);
		if (!p->typed_inputs[i])
			return;
		p->ways[p->hook.n_alternatives++] = (struct alternative){
			.probes = &p->place, .n_probes = 1, .inputs = p->typed_inputs[i],
			.targets = FOR_BPF, .spare = true, .feature = preempted ? &whole : NULL,
		};
	}
}

/* Inputs that a program asks for beside those of its expressions. */
static const char *more_inputs(const struct lang_probe *p)
{
	for (unsigned int i = 0; i < p->scope.needs.n_inputs; i++)
		if (p->scope.needs.inputs[i].made)
			return NOT_OF_RECORDS;
	return "";
}

/* Returns true for a function by its type, which must be alone there, as a typed tracepoint. */
static bool is_typed(const struct alternative *way)
{
	return way->n_probes && (way->probes->kind == PROBE_FENTRY ||
				 way->probes->kind == PROBE_FEXIT);
}

/* Adds the pattern's alternatives. One without inputs serves only if no input is wanted. */
static void add_patterns(struct lang_probe *p)
{
	const struct hook *hook = p->patterns.hook;

	add_typed(p);
	for (unsigned int i = 0; i < hook->n_alternatives; i++) {
		struct alternative *way = &p->ways[p->hook.n_alternatives];

		*way = hook->alternatives[i];
		if (way->probes && way->probes->kind == PROBE_TRACED && *p->inputs)
			continue;
		if (is_typed(way) && (!p->without_record || p->more))
			continue;
		/* `more` needs the stack pointer, which means nothing here at returns. */
		if (p->more && way->probes && (way->probes->kind == PROBE_KMULTI ||
					       way->probes->kind == PROBE_KRETMULTI))
			continue;
		way->inputs = p->inputs;
		p->hook.n_alternatives++;
	}
}

/* Limits the probe to the engines of `targets`. `why`: the reason for the others. */
static void serve_only(struct lang_probe *p, uint8_t targets, uint8_t others, const char *why)
{
	for (unsigned int i = 0; i < p->hook.n_alternatives; i++)
		if (p->ways[i].targets != others)
			p->ways[i].targets = targets;
	p->ways[p->hook.n_alternatives++] = (struct alternative){
		.targets = others, .never = why,
	};
}

/* Returns true if the probe depends on C's types. A USDT probe has types of its own. */
static bool reads_types(const struct lang_probe *p)
{
	if (p->scope.called.n_parameters || p->scope.needs.sized)
		return true;
	for (unsigned int i = 0; i < p->scope.needs.n_inputs; i++)
		if (!p->scope.needs.inputs[i].identity)
			return !p->scope.event.usdt;
	return p->more != NULL;
}

int probe_hook(struct lang_probe *p, const char *name)
{
	char *inputs;
	int result;
	struct error why;

	if (p->several_words && reads_types(p)) {
		p->scope.called.name = NULL;	/* this function may be left out */
		p->left_out = true;
		if (patterns_keep(p->kernel, &p->patterns, p->scope.word, &why))
			return -1;
	}
	inputs = inputs_text(&p->scope.needs);
	if (!inputs || asprintf(&p->inputs, "%s%s%s", inputs, more_inputs(p),
				p->more ? p->more : "") < 0)
		p->inputs = NULL;
	if (!p->inputs) {
		free(inputs);
		return -1;
	}
	for (int i = 0; i < 2; i++)
		p->filters[i] = ring_filter(p->filter, &p->scope, i);
	p->hook = (struct hook){ .name = name, .what = "the probe of the question",
				 .alternatives = p->ways };
	if (p->sampled)
		add_samples(p);
	else if (p->raw)
		add_for_bpf(p, PROBE_RAW, p->raw, "only BPF programs get the arguments of a raw "
			    "tracepoint: a tracepoint's fields are in its record");
	else if (p->iterator)
		add_for_bpf(p, PROBE_ITER, p->iterator, "only BPF programs run for the items of "
			    "the kernel's iterators; tasks, files and mappings of /proc are for "
			    "all engines");
	else if (p->call)
		add_syscall(p);
	else if (p->offset)
		add_place(p);
	else
		add_patterns(p);
	for (unsigned int i = 0; i < p->hook.n_alternatives; i++)
		p->ways[i].filter = p->filters[FILTER_BY_INPUT];
	result = add_traced_calls(p, inputs);
	free(inputs);
	if (result || add_entered(p))
		return -1;
	p->patterns.hook = &p->hook;	/* patterns_traced() counts its events */
	/*
	 * Before 4.20 a number that can't be read is 0 in a ring's record. Since then its bytes are
	 * those that were in the ring's memory before, and the record does not tell.
	 */
	p->zeros = inputs_may_fail(&p->scope.needs) && !p->scope.needs.follows &&
		   kernel_has(p->kernel, FEATURE_FETCH_ZERO);
	if ((inputs_may_fail(&p->scope.needs) && !p->zeros) || p->scope.needs.bpf_only)
		serve_only(p, FOR_BPF, FOR_RING, p->scope.needs.why);
	else if (p->whole)
		serve_only(p, FOR_RING, FOR_BPF, "its own text is made of its whole record, which "
			   "BPF programs do not hand over; give it a format");
	return 0;
}
