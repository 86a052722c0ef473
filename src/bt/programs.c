// SPDX-License-Identifier: GPL-2.0
/* The passes that make the maps of the engine, and the programs. */
#include <stdlib.h>
#include <string.h>

#include "compat/arch/arch.h"
#include "compat/base/array.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/bt/emit/own.h"
#include "src/bt/passes.h"
#include "src/bt/text/text.h"

/* Keeps a warning about a place of the script. */
static void warn_of(struct bt *b, size_t at, const char *what, const char *name)
{
	struct error why = { };

	BT_WRONG(b, at, &why, "%s%s", what, name);
	bt_warn(b, &why);
}

/* Maps that are declared and not used, and those of actions that no probe has. */
static void drop_unused(struct bt *b)
{
	struct bt_map **at = &b->maps;

	while (*at) {
		struct bt_map *m = *at;

		if (m->used || m->kind != BT_UNKNOWN || (m->named && !m->entries)) {
			at = &m->next;
			continue;
		}
		if (m->entries)
			warn_of(b, m->at, "Unused map: ", m->name);
		*at = m->next;
		free(m);
	}
}

/* Returns true if two probes may be at one place: fentry is where kprobe is. */
static bool is_same_place(const struct bt *b, const struct bt_probe *p, unsigned int name,
			  const struct bt_probe *other, unsigned int another)
{
	const char *x = strchr(b->names[name].probe, ':'),
		   *y = strchr(b->names[another].probe, ':');

	return p->on && other->on &&
	       p->on->probe.scope.called.returns == other->on->probe.scope.called.returns && x &&
	       y && !strcmp(x, y);
}

/*
 * Returns true if no other probe is on the same tracepoint or function: programs of different kinds
 * there would not run in the script's order.
 */
static bool is_alone(const struct bt *b, const struct bt_probe *p)
{
	for (const struct bt_probe *other = b->probes; other; other = other->next)
		for (unsigned int i = 0; other != p && i < other->n_names; i++)
			if (is_same_place(b, p, p->first_name, other, other->first_name + i))
				return false;
	return p->n_names == 1;
}

static int add_program(struct bt *b, struct bt_probe *p, struct error *err)
{
	struct script_probe *on = p->on;

	on->begin = bt_emit_begin;
	on->body = bt_emit;
	on->arg = p;
	if (p->n_variables)
		on->reserved = (unsigned int)-bt_variable_at(p, p->n_variables - 1);
	on->probe.filter = on->predicate;
	on->probe.without_record = is_alone(b, p);
	if (script_compile(&b->script, on))
		return fail(err, "out of memory");
	if (bt_check_size(b, p, &on->code, err))
		return -1;
	return script_add(&b->script, on) ? fail(err, "out of memory") : 0;
}

/* ---- events of sonde's own ---- */

static int compile_own(struct bt *b, struct bt_probe *p, const struct bt_statement *loop,
		   struct error *err)
{
	struct bt_action *a;
	struct code *c;

	if (array_room(&b->actions, b->n_actions, sizeof(*b->actions)))
		return fail(err, "out of memory");
	a = &b->actions[b->n_actions++];
	*a = (struct bt_action){ .probe = p, .loop = loop };
	c = &a->code;
	c->scope = &p->on->probe.scope;
	c->big_endian = kernel_arch(b->script.kernel)->big_endian;
	c->own = true;
	bt_emit_variables(c, p);
	if (!loop && p->on->predicate)
		code_condition(c, p->on->predicate, "out", p->on->predicate->faults ? "out" : NULL);
	if (loop)
		bt_emit_loop(c, loop);
	else
		bt_emit(c, p);
	return code_end(c) ? fail(err, "out of memory") : bt_check_size(b, p, c, err);
}

static int own_programs(struct bt *b, struct error *err)
{
	for (struct bt_probe *p = b->probes; p; p = p->next)
		if (p->when != BT_KERNEL && compile_own(b, p, NULL, err))
			return -1;
	for (unsigned int i = 0; i < b->n_orders; i++)
		if (b->orders[i]->kind == BT_LOOP &&
		    compile_own(b, (struct bt_probe *)(uintptr_t)b->orders[i]->loop->probe,
			    b->orders[i]->loop, err))
			return -1;
	return 0;
}

/* ---- passes ---- */

static bool names_map(const struct code *c, const struct bt_map *m)
{
	for (unsigned int i = 0; i < c->n; i++)
		if (c->insns[i].name && !strcmp(c->insns[i].name, m->name))
			return true;
	return false;
}

/* What a probe asks of a map may be known, as sizeof() and is_str(): no engine has such a map. */
static void settle_places(struct bt *b)
{
	for (struct bt_map *m = b->maps; m; m = m->next) {
		const struct bt_probe *p = b->probes;

		while (p && !(p->when == BT_KERNEL && names_map(&p->on->code, m)))
			p = p->next;
		m->in_kernel = p != NULL;
	}
}

int bt_make_maps(struct bt *b, struct error *err)
{
	drop_unused(b);
	return bt_add_maps(b, err);
}

int bt_make_programs(struct bt *b, struct error *err)
{
	for (struct bt_probe *p = b->probes; p; p = p->next)
		if (p->when == BT_KERNEL && add_program(b, p, err))
			return -1;
	if (own_programs(b, err))
		return -1;
	settle_places(b);
	return 0;
}

void bt_programs_free(struct bt *b)
{
	for (unsigned int i = 0; i < b->n_actions; i++)
		code_free(&b->actions[i].code);
	free(b->actions);
}
