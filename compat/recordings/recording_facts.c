// SPDX-License-Identifier: GPL-2.0
/* The facts of a kernel that a recording has of it. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kernel/facts.h"
#include "compat/kernel/keep.h"
#include "compat/recordings/recorded_side.h"
#include "compat/recordings/recording_internal.h"

struct kept_recording {
	struct recording *recording;
};

/* The recording stays: it is its opener's. */
static void forget(void *kept)
{
	(void)kept;
}

static const struct kernel_key key = { .size = sizeof(struct kept_recording), .end = forget };

struct recording *recording_of(const struct kernel *k)
{
	const struct kept_recording *kept = kernel_kept(k, &key);

	return kept->recording;
}

/* Records whose release is unknown can still be read: what goes by the version is absent. */
static bool recorded_identity(struct kernel *k, struct kernel_identity *to)
{
	const struct recording *r = recording_of(k);
	struct kernel *live = live_kernel(r);

	text_cut(to->release, sizeof(to->release), "%s", r->release);
	to->version_code = live ? kernel_version_code(live) : version_parse(r->release);
	to->arch = *r->machine ? arch_by_name(r->machine) : NULL;
	return true;
}

static char *recorded_tracefs(struct kernel *k)
{
	(void)k;
	return strdup("");
}

/* The list of events is that of the recording. */
static char *events_text(const struct recording *r, size_t *length)
{
	struct strbuf text = { };

	for (unsigned int i = 0; i < r->n_events; i++)
		if (r->events[i].name)
			strbuf_addf(&text, "%s\n", r->events[i].name);
	*length = text.n;
	return strbuf_take(&text);
}

static char *recorded_text(struct kernel *k, const char *path, size_t *length)
{
	const struct recording *r = recording_of(k);

	if (!strcmp(path, "tracefs:available_events"))
		return events_text(r, length);
	for (unsigned int i = 0; i < r->n_facts; i++)
		if (!strcmp(r->facts[i].path, path)) {
			char *text = malloc(r->facts[i].length + 1);

			if (text)
				memcpy(text, r->facts[i].text, r->facts[i].length + 1);
			*length = r->facts[i].length;
			return text;
		}
	/* Of tracefs only the formats of what is in the rings count. */
	return live_kernel(r) && *path == '/' ? kernel_read(live_kernel(r), path, length) : NULL;
}

/* The functions that were probed, and those that resolving found beside them. */
static int recorded_functions(struct kernel *k, symbol_fn each, void *arg)
{
	const struct recorded_side *side = recording_of(k)->side;

	for (unsigned int i = 0; side && i < side->n_functions; i++)
		each(arg, 't', side->functions[i], strlen(side->functions[i]));
	return side && side->n_probes ? 0 : -1;
}

/* What made the records is over: only what their programs rely on counts. */
static void recorded_feature(struct kernel *k, enum feature f, struct verdict *v)
{
	const struct recorded_side *side = recording_of(k)->side;
	const char *events;

	switch (f) {
	case FEATURE_TRACEFS:
		verdict_set(v, YES, "the recording has formats of events");
		return;
	case FEATURE_SYSCALLS:
		events = kernel_text(k, "tracefs:available_events");
		verdict_set(v, events && strstr(events, "syscalls:sys_enter_") ? YES : NO,
			    "the recording's events");
		return;
	default:
		if (side && side->known[f])
			verdict_set(v, side->has[f] ? YES : NO, "the recorded kernel");
		else if (f == FEATURE_KPROBES || f == FEATURE_UPROBES)
			verdict_set(v, NO, "the recording has no probes");
		else
			feature_by_version(k, f, v);
	}
}

struct kernel *recording_kernel(struct recording *r)
{
	struct kernel *k;
	struct kept_recording *kept;

	r->kernel = (struct facts){
		.recorder = &r->format->recorder,
		.identity = recorded_identity,
		.tracefs = recorded_tracefs,
		.text = recorded_text,
		.functions = recorded_functions,
		.feature = recorded_feature,
	};
	k = kernel_new(&r->kernel);
	kept = k ? kernel_keep(k, &key) : NULL;

	if (!kept) {
		kernel_free(k);
		return NULL;
	}
	kept->recording = r;
	return k;
}
