// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/functions/stacked.h"

#include <stdlib.h>
#include <string.h>

#include "src/lib/output/records.h"
#include "src/toolkit/stacks/stacks.h"

static struct text folded(const struct stack_frame *frames, unsigned int n,
			  const struct stack_style *style)
{
	char *text = stack_folded(frames, n, style);

	return (struct text){ .s = text, .length = text ? (uint32_t)strlen(text) : 0 };
}

void stacked_show(struct run *r, const struct record *record, const void *row, struct stacked *s)
{
	const struct stack_style style = stacks_style(run_options(r));
	const struct record_field *comm = layout_field(record->layout, "comm");
	struct record_stacks stacks;
	struct error err = { };
	struct stack_shown shown = { .style = &style };

	if (record_stacks_read(r, record, &stacks, &err)) {
		run_fail(r, &err);
		return;
	}
	shown.kernel = stacks.frames;
	shown.n_kernel = stacks.n_kernel;
	shown.user = stacks.frames + stacks.n_kernel;
	shown.n_user = stacks.n_user;
	shown.comm = comm_text((const char *)record->bytes + comm->offset);
	s->kernel = s->user = (struct text){ };
	if (output_for_machines(run_output(r))) {
		s->kernel = folded(shown.kernel, shown.n_kernel, &style);
		s->user = folded(shown.user, shown.n_user, &style);
	}
	output_row(run_output(r), row);
	if (shown.n_kernel || shown.n_user)
		output_frames(run_output(r), &shown);
	free((char *)s->kernel.s);
	free((char *)s->user.s);
	free(stacks.frames);
}
