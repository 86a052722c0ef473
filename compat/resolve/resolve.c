// SPDX-License-Identifier: GPL-2.0
/*
 * From the demands of programs to events of this kernel. Families and alternatives are tried in the
 * order of the hook table.
 */
#include "compat/resolve/resolve.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/kernel/doubt.h"
#include "compat/kinds/find.h"
#include "compat/kinds/syscall.h"
#include "compat/resolve/build_event.h"
#include "compat/resolve/bypass.h"
#include "compat/resolve/identity.h"
#include "compat/resolve/recorded.h"

struct resolver {
	struct kernel *k;
	enum target target;
	const struct demand *demands;
	unsigned int n;
	struct resolution *out;
	/* functions that calls may bypass serve too; the reason for the last such function */
	bool doubtful;
	struct error doubt;
	/* kinds serve too of which the kernel may skip events */
	bool skipped;
};

/* Returns true if the hooks are of one group: if the words before their dots are equal. */
static bool same_group(const struct hook *a, const struct hook *b)
{
	size_t n = strcspn(a->name, ".");

	return a == b || (n == strcspn(b->name, ".") && !memcmp(a->name, b->name, n));
}

/* Removes the events of an alternative or a family that does not serve. */
static void take_back(struct resolution *out, unsigned int n)
{
	while (out->n > n)
		free(out->events[--out->n].event);
}

static int add_event(struct resolution *out, unsigned int demand, const char *hook,
		     struct event *event, unsigned int n_parts)
{
	if (array_room(&out->events, out->n, sizeof(*out->events))) {
		free(event);
		return -1;
	}
	out->events[out->n++] = (struct resolved){
		.demand = demand, .hook = hook, .event = event, .n_parts = n_parts,
	};
	return 0;
}

/*
 * Returns true if the demand has an input of the current task. If another task acts, it means
 * nothing.
 */
static bool asks_who(const struct demand *d)
{
	for (unsigned int i = 0; i < d->n_inputs; i++) {
		const struct identity *id = identity_named(d->inputs[i].name);

		if (id && id->of_task)
			return true;
	}
	return false;
}

/* Adds the events of one probe. For a probe of user space adds the events of one place. */
static int add_probe(struct resolver *r, unsigned int number, const struct alternative *a,
		     const struct probe *p, const struct place *place, struct refusal *refusal)
{
	struct event *events[LAYOUT_INPUTS];
	const char *hook = r->demands[number].hook->name;
	int n = build_events(r->k, r->target, a, p, &r->demands[number], place, r->skipped,
			     &r->out->layouts, events, LAYOUT_INPUTS, refusal);

	if (n > 0 && recorded_has(r->k, events, n, hook, refusal)) {
		while (n)
			free(events[--n]);
		return -1;
	}
	for (int i = 0; i < n; i++)
		if (add_event(r->out, number, hook, events[i],
			      i == n - 1 ? (unsigned int)n - 1 : 0))
			return not_served(refusal, NULL, "out of memory");
	return n < 0 ? -1 : 0;
}

/*
 * Adds a probe of user space at all its places. Places that can't be probed are left out. If an
 * optional probe has places, but none that can be probed, the alternative is incomplete.
 */
static int add_places(struct resolver *r, unsigned int number, const struct alternative *a,
		      const struct probe *p, struct refusal *refusal)
{
	const struct place *places;
	struct refusal why = { };
	int n = probe_finder(p)->places(r->k, r->target, p, &r->demands[number], &places, &why);
	int added = 0;

	for (int i = 0; i < n; i++)
		added += !add_probe(r, number, a, p, &places[i], &why);
	if (added)
		return 0;
	if (n > 0 && p->optional)
		r->doubt = why.why;
	/* If several functions are missing, the reason is that of the first function. */
	if (refusal && !*refusal->why.text)
		*refusal = why;
	return -1;
}

/* Returns -1 and the reason if calls bypass the function, or may do so and that is not accepted. */
static int check_bypass(struct resolver *r, const struct demand *d, const struct probe *p,
			struct refusal *refusal)
{
	struct error why = { };
	enum bypass bypass = kernel_bypass(r->k, p, &why);

	if (bypass == BYPASS_NONE)
		return 0;
	if (bypass == BYPASS_MAYBE && r->doubtful) {
		r->doubt = why;
		return 0;
	}
	return not_served(refusal, d->hook->name, "%s", why.text);
}

/* Adds the events of one alternative. Returns -1 and the reason if it does not serve. */
static int try_alternative(struct resolver *r, unsigned int number, const struct alternative *a,
			   struct refusal *refusal)
{
	const struct demand *d = &r->demands[number];
	unsigned int before = r->out->n, served = 0;
	bool user = false, no_compat = a->no_compat;

	r->doubt.text[0] = '\0';
	if (a->foreign && asks_who(d))
		return not_served(refusal, d->hook->name,
			      "the current task there is not the one that acts");
	for (const struct probe *p = a->probes; p < a->probes + a->n_probes; p++) {
		unsigned int own = r->out->n;

		user = probe_finder(p)->places;
		if (!(user ? add_places(r, number, a, p, refusal) :
			     add_probe(r, number, a, p, NULL, refusal) ||
			     check_bypass(r, d, p, refusal))) {
			served++;
			continue;
		}
		take_back(r->out, p->optional ? own : before);
		if (!p->optional)
			return -1;
		/*
		 * A call that 64-bit tasks can't make either is not missed (execveat before 3.19).
		 */
		if (probe_finder(p)->compat && !p->same && kernel_has_syscall(r->k, p->name))
			no_compat = true;
	}
	if (served) {
		for (unsigned int i = before; i < r->out->n; i++)
			r->out->events[i].requests = a->requests;
		r->out->no_compat |= no_compat && kernel_has_compat_tasks(r->k);
		return 0;
	}
	/* A probe of user space, or of a function that the user named, has set its own reason. */
	if (user || a->probes[0].named)
		return -1;
	return not_served(refusal, d->hook->name, "this kernel has none of its probes");
}

static bool same_lack(const struct lack *a, const struct lack *b)
{
	return !strcmp(a->hook, b->hook) && !strcmp(a->input, b->input) && !a->doubt == !b->doubt &&
	       (!a->doubt || !strcmp(a->doubt, b->doubt));
}

/* Adds a lack unless the resolution has it. If there is no memory, the lack is left out. */
static void add_lack(struct resolution *out, const struct lack *lack)
{
	for (unsigned int i = 0; i < out->n_lacks; i++)
		if (same_lack(&out->lacks[i], lack))
			return;
	if (array_room(&out->lacks, out->n_lacks, sizeof(*out->lacks)))
		return;
	out->lacks[out->n_lacks] = *lack;
	if (lack->doubt && !(out->lacks[out->n_lacks].doubt = strdup(lack->doubt)))
		return;
	out->n_lacks++;
}

/* As take_back(), for lacks. */
static void forget_lacks(struct resolution *out, unsigned int n)
{
	while (out->n_lacks > n)
		free(out->lacks[--out->n_lacks].doubt);
}

/* Adds a lack for each optional input that no event of this demand has. */
static void add_missing_inputs(struct resolver *r, unsigned int from, const struct demand *d)
{
	for (unsigned int i = 0; i < d->n_inputs; i++) {
		const char *name = d->inputs[i].name;
		size_t n = strlen(name);
		bool found = false;

		if (!input_optional(name))
			continue;
		for (unsigned int j = from; j < r->out->n; j++)
			found |= event_input(r->out->events[j].event, name) != NULL;
		if (!found) {
			struct lack lack = { .hook = d->hook->name };

			text_cut(lack.input, sizeof(lack.input), "%.*s", (int)n - 1, name);
			add_lack(r->out, &lack);
		}
	}
}

static bool in_family(const struct alternative *a, const char *family)
{
	return !a->family || !family || !strcmp(a->family, family);
}

static bool for_target(const struct resolver *r, const struct alternative *a)
{
	return !a->targets || a->targets & (r->target == TARGET_BPF ? FOR_BPF : FOR_RING);
}

/*
 * Reading all functions takes longer than anything else: it is done only if functions can be
 * probed.
 */
static bool has_needs(const struct resolver *r, const struct alternative *a)
{
	return !a->needs || !kernel_function_probed(r->k, r->target) ||
	       kernel_function(r->k, a->needs);
}

static bool misses_calls(const struct resolver *r, const struct alternative *a)
{
	return a->until && kernel_has_syscall(r->k, a->until);
}

/* Returns true if the kernel has the feature that the row needs beside its probes. */
static bool has_feature(const struct resolver *r, const struct alternative *a)
{
	return !a->feature || kernel_has(r->k, *a->feature);
}

static void say_lacked(const struct resolver *r, const struct hook *h, enum feature f,
		       struct refusal *refusal)
{
	struct feature_reason why = kernel_feature_reason(r->k, f);
	char words[FEATURE_REASON];

	feature_reason_words(&why, words, sizeof(words));
	lacks_feature(refusal, h->name, f, "it needs %s: %s", feature_name(f), words);
}

static bool may_serve(const struct resolver *r, const struct alternative *a, const char *family)
{
	return in_family(a, family) && for_target(r, a) && !a->never && has_needs(r, a) &&
	       has_feature(r, a) && !misses_calls(r, a);
}

/*
 * Returns true if an alternative of this family serves `hook`: alternatives with `with` need that.
 */
static bool companion(struct resolver *r, const char *hook, const char *family)
{
	struct error doubt = r->doubt;

	for (unsigned int i = 0; i < r->n; i++) {
		const struct hook *h = r->demands[i].hook;
		unsigned int before = r->out->n;

		if (strcmp(h->name, hook))
			continue;
		for (unsigned int j = 0; j < h->n_alternatives; j++)
			if (may_serve(r, &h->alternatives[j], family) &&
			    !try_alternative(r, i, &h->alternatives[j], NULL)) {
				take_back(r->out, before);
				r->doubt = doubt;
				return true;
			}
	}
	return false;
}

/* Adds a lack with the reason why the chosen alternative may be incomplete. */
static void add_doubt(struct resolver *r, const struct demand *d)
{
	if (*r->doubt.text)
		add_lack(r->out, &(struct lack){ .hook = d->hook->name, .doubt = r->doubt.text });
}

/* Keeps the reason why an alternative does not serve, unless another one's is to be told. */
static void refuse(const struct alternative *a, const struct refusal *refusal,
		   struct refusals *why)
{
	if (!a->spare)
		refusals_add(why, refusal);
}

static int serve_from(struct resolver *r, unsigned int number, const char *family,
		      struct refusals *why)
{
	const struct demand *d = &r->demands[number];
	const struct hook *h = d->hook;
	const struct alternative *end = h->alternatives + h->n_alternatives;
	unsigned int before = r->out->n;
	bool any = false;

	for (const struct alternative *a = h->alternatives; a < end; a++) {
		struct refusal refusal = { };

		if (!in_family(a, family) || !for_target(r, a))
			continue;
		any = true;
		if (a->never) {
			not_served(&refusal, NULL, "%s", a->never);
			refuse(a, &refusal, why);
			continue;
		}
		if (!has_needs(r, a)) {
			not_served(&refusal, h->name, kernel_recorded(r->k) ?
				   "the recording has no note of the function %s()" :
				   "this kernel has no %s()", a->needs);
			refuse(a, &refusal, why);
			continue;
		}
		if (!has_feature(r, a)) {
			say_lacked(r, h, *a->feature, &refusal);
			refuse(a, &refusal, why);
			continue;
		}
		if (try_alternative(r, number, a, &refusal)) {
			refuse(a, &refusal, why);
			continue;
		}
		if (misses_calls(r, a)) {
			take_back(r->out, before);
			not_served(&refusal, h->name,
				   "on kernels with %s(), %s() misses some calls", a->until,
				   a->probes[0].name);
			refuse(a, &refusal, why);
			continue;
		}
		if (a->with && !companion(r, a->with, family)) {
			take_back(r->out, before);
			not_served(&refusal, NULL, "%s needs %s, which this kernel does not have",
			       h->name, a->with);
			refuse(a, &refusal, why);
			continue;
		}
		add_missing_inputs(r, before, d);
		add_doubt(r, d);
		return 0;
	}
	if (!any && !family) {
		struct refusal refusal;

		not_served(&refusal, h->name, "only BPF can serve it");
		refusals_add(why, &refusal);
	}
	return -1;
}

/*
 * What an attempt to serve a group accepts. `all`: optional hooks are required, except spare ones,
 * and functions that calls may bypass do not serve. Otherwise these functions serve, but after all
 * other alternatives. `skipped`: as in struct resolver; also after the others.
 */
struct attempt {
	bool all, skipped;
};

static int serve(struct resolver *r, unsigned int number, const char *family,
		 struct attempt attempt, struct refusals *why)
{
	const struct demand *d = &r->demands[number];
	const bool all = attempt.all;

	for (int skipped = 0; skipped <= attempt.skipped; skipped++)
		for (int doubtful = 0; doubtful <= !all; doubtful++) {
			r->doubtful = doubtful;
			r->skipped = skipped;
			if (!serve_from(r, number, family, why))
				return 0;
		}
	if (d->optional && !d->spare)
		add_lack(r->out, &(struct lack){ .hook = d->hook->name });
	return d->optional && (!all || d->spare) ? 0 : -1;
}

/* Serves all demands of one group from one family. */
static int serve_group(struct resolver *r, unsigned int first, const char *family,
		       struct attempt attempt, struct refusals *why)
{
	unsigned int before = r->out->n;

	for (unsigned int i = first; i < r->n; i++) {
		if (!same_group(r->demands[i].hook, r->demands[first].hook))
			continue;
		if (serve(r, i, family, attempt, why)) {
			take_back(r->out, before);
			return -1;
		}
	}
	return 0;
}

/* Lists the families of a group, in the order of the table. */
static unsigned int families_of(const struct resolver *r, unsigned int first,
				const char **families, unsigned int max)
{
	unsigned int n = 0;

	for (unsigned int i = first; i < r->n; i++) {
		const struct hook *h = r->demands[i].hook;

		if (!same_group(h, r->demands[first].hook))
			continue;
		for (unsigned int j = 0; j < h->n_alternatives; j++) {
			const char *family = h->alternatives[j].family;
			bool known = !family;

			for (unsigned int f = 0; f < n; f++)
				known |= family && !strcmp(families[f], family);
			if (!known && n < max)
				families[n++] = family;
		}
	}
	return n;
}

static bool may_skip(const struct resolver *r)
{
	return r->target == TARGET_BPF && kernel_has(r->k, FEATURE_BPF_FENTRY) &&
	       !kernel_has(r->k, FEATURE_FENTRY_WHOLE);
}

/*
 * In this order: a family that leaves out something comes after all families that leave out
 * nothing, and among these one whose events the kernel may skip comes last.
 */
static const struct attempt attempts[] = {
	{ .all = true },
	{ .all = true, .skipped = true },
	{ .all = false },
	{ .all = false, .skipped = true },
};

/* Makes one attempt, with each family; no family is one as well. */
static int attempt_group(struct resolver *r, unsigned int first, struct attempt attempt,
			 struct refusals *why)
{
	const char *families[8] = { NULL };
	const unsigned int n = families_of(r, first, families, 8);
	const unsigned int n_lacks = r->out->n_lacks;
	const bool no_compat = r->out->no_compat;

	if (attempt.skipped && !may_skip(r))
		return -1;
	for (unsigned int i = 0; i < (n ? n : 1); i++) {
		if (!serve_group(r, first, families[i], attempt, why))
			return 0;
		forget_lacks(r->out, n_lacks);
		r->out->no_compat = no_compat;
	}
	return -1;
}

static int resolve_group(struct resolver *r, unsigned int first, struct error *err)
{
	struct refusals why = { };

	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		if (!attempt_group(r, first, attempts[i], &why)) {
			refusals_free(&why);
			return 0;
		}
	r->out->refusals = why;
	if (why.n)
		refusals_words(&why, err);
	else
		kernel_lacks(r->k, err, "no alternative");
	return -1;
}

int resolve(struct kernel *k, enum target target, const struct demand *demands, unsigned int n,
	    struct resolution *out, struct error *err)
{
	struct resolver r = { .k = k, .target = target, .demands = demands, .n = n, .out = out };

	assert(demands || !n);
	memset(out, 0, sizeof(*out));
	for (unsigned int i = 0; i < n; i++) {
		bool done = false;

		for (unsigned int j = 0; j < i; j++)
			done |= same_group(demands[i].hook, demands[j].hook);
		if (!done && (kernel_stopped(k, err) || resolve_group(&r, i, err)))
			return -1;
	}
	return 0;
}

bool resolution_lacks(const struct resolution *resolution, const char *input)
{
	assert(strchr(input, '.'));
	for (unsigned int i = 0; i < resolution->n_lacks; i++) {
		const struct lack *l = &resolution->lacks[i];
		size_t n = strlen(l->hook);

		if (!l->doubt && !strncmp(l->hook, input, n) && input[n] == '.' &&
		    !strcmp(l->input, input + n + 1))
			return true;
	}
	return false;
}

void resolution_lack(struct resolution *resolution, const char *what)
{
	add_lack(resolution, &(struct lack){ .hook = what });
}

void resolution_free(struct resolution *resolution)
{
	take_back(resolution, 0);
	layouts_free(&resolution->layouts);
	free(resolution->events);
	forget_lacks(resolution, 0);
	free(resolution->lacks);
	refusals_free(&resolution->refusals);
	memset(resolution, 0, sizeof(*resolution));
}
