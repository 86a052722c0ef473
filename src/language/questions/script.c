// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/script.h"

#include <stdlib.h>

#include "compat/arch/arch.h"
#include "compat/base/array.h"
#include "compat/base/text.h"
#include "src/language/types/members.h"

int script_begin(struct script *s, struct kernel *k, const char *include, const char *btf,
		 struct error *err)
{
	s->kernel = k;
	s->types = types_new(k);
	if (!s->types)
		return fail(err, "out of memory");
	return types_files(s->types, include, btf, err);
}

void script_free(struct script *s)
{
	while (s->probes) {
		struct script_probe *p = s->probes;

		s->probes = p->next;
		while (p->statements)
			script_drop_statement(p);
		probe_free(&p->probe);
		code_free(&p->code);
		free(p);
	}
	types_free(s->types);
	for (unsigned int i = 0; i < s->n_kept; i++)
		free(s->kept[i]);
	free(s->kept);
	free(s->programs);
	free(s->maps);
	*s = (struct script){ };
}

char *script_keep(struct script *s, char *text)
{
	if (!text || array_room(&s->kept, s->n_kept, sizeof(*s->kept))) {
		free(text);
		return NULL;
	}
	s->kept[s->n_kept++] = text;
	return text;
}

struct script_probe *script_probe(struct script *s, const char *text, const char *hook)
{
	struct script_probe *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	text_all(p->hook, sizeof(p->hook), "%s", hook);
	p->probe.tree.source.text = text;
	p->probe.tree.types = s->types;
	p->probe.tree.functions = s->functions;
	p->probe.scope.text_size = s->text_size;
	p->probe.scope.binary = s->binary;
	p->next = s->probes;
	s->probes = p;
	return p;
}

struct statement *script_statement(const struct script *s, struct script_probe *p,
				   const struct statement *statement)
{
	struct statement *new = calloc(1, sizeof(*new)), **end = &p->statements;

	if (!new)
		return NULL;
	while (*end)
		end = &(*end)->next;
	*new = *statement;
	statement_lay_out(new, s->text_size);
	return *end = new;
}

void script_drop_statement(struct script_probe *p)
{
	struct statement **last = &p->statements;

	while ((*last)->next)
		last = &(*last)->next;
	free(*last);
	*last = NULL;
}

/* Both arrays of a program set end with an empty row. */
int script_map(struct script *s, const struct map *m)
{
	struct map *more = realloc(s->maps, (s->n_maps + 2) * sizeof(*more));

	if (!more)
		return -1;
	s->maps = more;
	s->maps[s->n_maps++] = *m;
	s->maps[s->n_maps] = (struct map){ };
	s->set.maps = s->maps;
	return 0;
}

int script_compile(const struct script *s, struct script_probe *p)
{
	struct code *c = &p->code;
	unsigned int size = 0;
	int bottom;

	for (const struct statement *t = p->statements; t; t = t->next)
		size = t->size > size ? t->size : size;
	bottom = -(int)(size + p->reserved);
	code_free(c);
	typed_fields_mark(&p->probe.scope);
	c->scope = &p->probe.scope;
	c->big_endian = kernel_arch(s->kernel)->big_endian;
	code_room(c, (unsigned int)-bottom);
	p->begin(c, bottom, p->arg);
	if (p->predicate)
		code_condition(c, p->predicate, "out", p->predicate->faults ? "out" : NULL);
	for (const struct statement *t = p->statements; t; t = t->next)
		statement_add(c, t, bottom);
	if (p->body)
		p->body(c, p->arg);
	return code_end(c);
}

int script_add(struct script *s, struct script_probe *p)
{
	struct program *more = realloc(s->programs, (s->n_programs + 2) * sizeof(*more));

	if (!more)
		return -1;
	s->programs = more;
	s->set.programs = more;
	if (probe_hook(&p->probe, p->hook))
		return -1;
	s->programs[s->n_programs++] = (struct program){
		.hook = p->hook, .built = &p->probe.hook, .insns = p->code.insns,
		.n_insns = p->code.n, .file = s->file, .may_be_long = s->may_be_long,
		.frame = p->code.least,
	};
	s->programs[s->n_programs] = (struct program){ };
	return 0;
}
