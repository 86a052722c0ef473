// SPDX-License-Identifier: GPL-2.0
/* The section with the probes, for the resolver that reads the recording. */
#include "src/commands/record/record_section.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backends/kinds/kinds.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/array.h"
#include "compat/base/hash.h"
#include "compat/binaries/binaries.h"
#include "compat/kernel/keep.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/types/offsets.h"
#include "compat/user/elf_build_id.h"
#include "src/run/run.h"

/* A file of user space: several tools have it open. */
struct identity {
	dev_t dev;
	ino_t ino;
};

struct writing {
	const char *group;
	const struct arch *arch;
	struct strbuf lines;		/* some are there several times */
	struct identity *binaries;	/* by number */
	unsigned int n_binaries;
};

static void add_build_id(const struct binary *b, struct strbuf *to)
{
	uint8_t id[BUILD_ID];

	if (elf_build_id(binary_fd(b), id)) {
		strbuf_addf(to, "-");
		return;
	}
	for (unsigned int i = 0; i < sizeof(id); i++)
		strbuf_addf(to, "%02x", id[i]);
}

/* The number of a file, which gets its line when it is first asked for. */
static unsigned int number_of(struct writing *w, const struct binary *b)
{
	struct stat st = { };
	unsigned int i = 0;

	fstat(binary_fd(b), &st);
	while (i < w->n_binaries &&
	       (w->binaries[i].dev != st.st_dev || w->binaries[i].ino != st.st_ino))
		i++;
	if (i < w->n_binaries)
		return i;
	if (array_room(&w->binaries, w->n_binaries, sizeof(*w->binaries))) {
		w->lines.cut = true;
		return 0;
	}
	w->binaries[w->n_binaries++] = (struct identity){ st.st_dev, st.st_ino };
	strbuf_addf(&w->lines, "binary %u ", (unsigned int)(b->abi - w->arch->abis));
	add_build_id(b, &w->lines);
	strbuf_addf(&w->lines, " ");
	recorded_word(&w->lines, b->path, '\n');
	return i;
}

/* `name`: what was looked for; `mark` before it: what the user named, and not the hook table. */
static void add_place(struct writing *w, const char *mark, const char *name, const struct place *p)
{
	const unsigned int binary = number_of(w, p->binary);
	struct strbuf *to = &w->lines;

	strbuf_addf(to, "place %u %llu %llu %s", binary, (unsigned long long)p->address,
		    (unsigned long long)p->semaphore, mark);
	recorded_word(to, name, ' ');
	if (p->provider && !strchr(p->symbol, ':')) {
		recorded_word(to, p->provider, ':');
		recorded_word(to, p->symbol, ' ');
	} else {
		recorded_word(to, p->symbol, ' ');
	}
	strbuf_addf(to, "%s%s\n", p->arguments ? "=" : "", p->arguments ? p->arguments : "");
}

static void add_found(void *arg, const char *name, const struct place *p)
{
	add_place(arg, "", name, p);
}

static void add_probe(struct writing *w, const struct event *e)
{
	const unsigned int binary = e->binary ? number_of(w, e->binary) : 0;
	char name[64];
	struct strbuf *to = &w->lines;

	if (e->place && binary_library(e->binary))
		add_place(w, "=", binary_library(e->binary), e->place);
	strbuf_addf(to, "probe %s %s:%s %u %llu ", recorded_kind(e->kind), w->group,
		    probes_name(e, name, sizeof(name)), e->group,
		    (unsigned long long)e->address);
	if (e->binary)
		strbuf_addf(to, "%u ", binary);
	else
		strbuf_addf(to, "- ");
	recorded_word(to, e->name, ' ');
	strbuf_addf(to, "%s\n", e->layout->fetch ? e->layout->fetch : "");
}

static void add_plan(struct writing *w, const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct event *e = plan->attachments[i].event;

		if (!event_ops(e)->definition || e->refused)
			continue;
		if (!e->binary) {
			strbuf_addf(&w->lines, "function ");
			recorded_word(&w->lines, e->name, '\n');
		}
		add_probe(w, e);
	}
}

/* Several tools ask the same of their kernel. */
static void add_once(struct hash *seen, const char *line, size_t n, struct strbuf *to)
{
	char *known = hash_find(seen, line, n);

	if (known)
		return;
	to->cut |= !hash_add(seen, line, n);
	strbuf_add(to, line, n);
}

void record_section(const char *group, const struct record_events *events, struct strbuf *to)
{
	struct writing w = { .group = group };
	struct hash seen = { .value_size = 1 };

	for (unsigned int i = 0; i < events->n_runs; i++) {
		w.arch = kernel_arch(events->runs[i]->kernel);
		kernel_learned(events->runs[i]->kernel, &w.lines);
		offsets_learned(events->runs[i]->kernel, &w.lines);
		kernel_each_place(events->runs[i]->kernel, add_found, &w);
		add_plan(&w, &events->runs[i]->plan.plan);
	}
	strbuf_addf(to, PROBES_HEAD);
	for (const char *line = w.lines.s; line && *line && !w.lines.cut;) {
		const size_t n = strcspn(line, "\n") + 1;

		add_once(&seen, line, n, to);
		line += n;
	}
	to->cut |= w.lines.cut;
	hash_clear(&seen);
	free(w.lines.s);
	free(w.binaries);
}
