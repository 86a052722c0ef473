// SPDX-License-Identifier: GPL-2.0
#include "src/run/plan_dump.h"

#include "insns/lower/disasm.h"

static void dump_event(FILE *out, const struct event *e)
{
	fprintf(out, "%s%s%s%s%s\n", e->system, *e->system ? ":" : "", e->name,
		e->layout->fetch ? " " : "", e->layout->fetch ? e->layout->fetch : "");
}

/* The parts of an event, and the event. */
static void dump_attachment(FILE *out, const struct attachment *a)
{
	for (const struct attachment *part = attachment_parts(a); part <= a; part++)
		dump_event(out, part->event);
}

static void dump_program(FILE *out, const struct plan *p, const struct plan_program *program)
{
	fputc('\n', out);
	for (unsigned int i = 0; i < p->n_attachments; i++)
		if (p->attachments[i].program == program)
			dump_attachment(out, &p->attachments[i]);
	dump(out, program->program, &program->code, p->maps);
}

void plan_dump(FILE *out, const struct plan *p)
{
	for (unsigned int i = 0; i < p->n_maps; i++)
		fprintf(out, "map %s: key %u, value %u, entries %u\n", p->maps[i].name,
			p->maps[i].key_size, p->maps[i].value_size, p->maps[i].entries);
	for (unsigned int i = 0; i < p->n_programs; i++)
		dump_program(out, p, &p->programs[i]);
}
