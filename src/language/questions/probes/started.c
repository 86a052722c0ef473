// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/probes/started.h"

#include "src/language/types/members.h"
#include "src/run/tool.h"

void probe_started(const struct run *r, const struct lang_probe *p)
{
	if (p->left_out)
		run_note(r, "%s() of 32-bit programs is left out, because they have other types: "
			    "name their file (-v shows it) in a probe of its own",
			 probe_function(p, 0));
	if (!p->call)
		patterns_traced(r, &p->patterns);
}

void probe_files(const struct run *r, const struct types *t)
{
	const struct lines *files = types_not_read(t);

	for (unsigned int i = 0; i < files->n; i++)
		run_note(r, "-I %s is not read: type information (BTF) has its declarations, but "
			 "for macros", files->list[i]);
}

void probe_zeros(const struct run *r, const struct lang_probe *p, bool *zeros)
{
	if (!p->zeros || *zeros || run_plan(r)->target != TARGET_RING)
		return;
	*zeros = true;
	run_note(r, "numbers in memory that can't be read are 0 here: before 4.20 only BPF "
		 "programs are told");
}
