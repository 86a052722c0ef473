// SPDX-License-Identifier: GPL-2.0
/* Tools with tables that show stacks instead, if they are asked for. */
#include "src/run/options/common.h"
#include "src/toolkit/stacks/exports.h"
#include "src/toolkit/stacks/stacks.h"

bool stacks_instead(const struct options *o)
{
	return common_of(o)->stacks || common_of(o)->folded ||
		common_of(o)->flame != NULL || common_of(o)->top_given || exports_asked(o);
}

int stacks_refuse(const struct run *r, const char *const *others, struct error *err)
{
	const char *other = option_first(run_options(r), others);

	return !other ? 0 :
	       fail(err, "%s: --%s goes with tables, and stacks are shown (--stacks, --folded, "
		    "--flame, --top, --pprof, --speedscope, --perf-script)", run_name(r), other);
}
