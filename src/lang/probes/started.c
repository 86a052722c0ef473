// SPDX-License-Identifier: GPL-2.0
#include "src/lang/probes/started.h"

#include "src/run.h"

void probe_started(const struct run *r, const struct lang_probe *p)
{
	if (*p->renamed)
		run_note(r, "%s", p->renamed);
	if (!p->call)
		patterns_traced(r, &p->patterns);
}

void probe_zeros(const struct run *r, const struct lang_probe *p, bool *zeros)
{
	if (!p->zeros || *zeros || r->plan.plan.target != TARGET_RING)
		return;
	*zeros = true;
	run_note(r, "numbers in memory that can't be read are 0 here: before 4.20 only BPF "
		 "programs are told");
}
