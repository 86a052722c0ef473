// SPDX-License-Identifier: GPL-2.0
/*
 * ctx and path() of iter probes: what /proc tells of each item (run/items.h), or the arguments of
 * the kernel's iterator.
 */
#include <stdio.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/types/iterators.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/bt/run/items.h"
#include "src/language/expressions/bind/binder.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

#define NAME 64
#define PATHS "path(ctx->file->f_path), path(ctx->vma->vm_file->f_path)"

/* Returns true if n is ctx->MEMBER->MEMBER, or ctx itself. */
static bool is_ctx(struct binder *b, const struct node *n)
{
	while (n->kind == NODE_MEMBER && n->a)
		n = n->a;
	return n->kind == NODE_NAME && is_name(b, n, "ctx");
}

/* Adds "MEMBER.MEMBER", as the table has them. */
static void name_member(struct binder *b, const struct node *n, struct strbuf *to)
{
	if (n->a->kind == NODE_MEMBER)
		name_member(b, n->a, to);
	strbuf_between(to, ".");
	strbuf_add(to, name_of(b, n), n->length);
}

/* The row of a member; NULL: /proc does not tell it. `number`: of the row. */
static const struct bt_member *row_of(const char *name, unsigned int walk, bool path,
				      unsigned int *number)
{
	const struct bt_member *m;
	unsigned int i = 0;

	while ((m = bt_member_row(i)) && (strcmp(m->name, name) || !(m->walks & 1 << walk) ||
					  m->is_path != path))
		i++;
	*number = i;
	return m;
}

static int unknown(struct binder *b, const struct node *n, unsigned int walk, bool path,
		   const char *name)
{
	const struct bt_member *m;
	char list[300];
	struct strbuf names = strbuf_over(list, sizeof(list));

	for (unsigned int i = 0; (m = bt_member_row(i)); i++)
		if (m->walks & 1 << walk && m->is_path == path) {
			strbuf_between(&names, ", ");
			strbuf_addf(&names, "%s", m->name);
		}
	return WRONG(b, n, "/proc, which iter reads here, does not tell %s%s%s; it tells %s%s",
		     path ? "the path " : "", *name ? "ctx." : "", *name ? name : "an address",
		     *list ? list : "no paths of tasks", path ? "" : "; the kernel's own "
		     "iterator tells all, where it has one (by its BTF)");
}

/* Makes n, a member of ctx, the value of this item; `path`: for path(). */
static int bind(struct binder *b, struct node *n, const struct node *member, bool path)
{
	const unsigned int walk = bt_of(b->t)->now->walk,
			   most = path ? BT_STRLEN_MOST : BT_COMM;
	const struct bt_shape shape = {
		.kind = BT_TEXT, .size = path ? BT_TEXT_MOST : BT_COMM,
		.text = { .foreign = true, .shown = (uint16_t)most, .exact = (uint16_t)most },
	};
	const struct bt_member *m;
	char name[NAME];
	struct strbuf text = strbuf_over(name, sizeof(name));
	unsigned int i;

	if (member->kind == NODE_MEMBER)
		name_member(b, member, &text);
	m = row_of(name, walk, path, &i);
	if (!m)
		return unknown(b, n, walk, path, name);
	bt_make_call(n, &bt_of_item, i);
	n->faults = true;
	n->type = c_integer(m->size, m->is_signed);
	if (m->text)
		bt_type_text(n, &shape);
	return 0;
}

/* ctx->NAME of the kernel's iterator: an argument, from which C's own members follow. */
static int bind_kernel(struct binder *b, struct node *n, const char *function)
{
	struct parameter list[PARAMETERS_MOST];
	struct c_type result;
	char names[200];
	struct strbuf all = strbuf_over(names, sizeof(names));
	const int most = types_function(b->t->types, function, list, &result);
	const bool member = n->kind == NODE_MEMBER;

	for (int i = 0; i < most; i++) {
		if (member && strlen(list[i].name) == n->length &&
		    !memcmp(list[i].name, name_of(b, n), n->length))
			return bind_argument(b, n, i + 1, &list[i].type) ? -1 : 1;
		strbuf_between(&all, ", ");
		strbuf_addf(&all, "ctx.%.*s", (int)sizeof(list[i].name) - 1, list[i].name);
	}
	if (most < 0)
		return WRONG(b, n, "the types of this iterator are unknown: --btf FILE tells them");
	return WRONG(b, n, "iter:%s has %s", function + strlen(ITERATOR_FUNCTION), names);
}

int bt_bind_item(struct binder *b, struct node *n)
{
	const struct bt_probe *p = bt_of(b->t)->now;
	const char *function = p->on->probe.iterator;

	if (!is_ctx(b, n) || !bt_goes_through(p))
		return 0;
	if (!function)
		return bind(b, n, n, false) ? -1 : 1;
	if (n->kind == NODE_MEMBER && n->a->kind == NODE_MEMBER)
		return 0;
	return p->aside ? WRONG(b, n, BT_ASIDE) : bind_kernel(b, n, function);
}

/* Returns true if n is the whole of ctx->MEMBER->MEMBER in the action. */
static bool is_whole(const struct syntax_action *a, const struct node *n)
{
	for (const struct node *outer = a->tree.nodes; outer; outer = outer->next)
		if (outer->kind == NODE_MEMBER && outer->a == n)
			return false;
	return true;
}

bool bt_asks_kernel(const struct bt_probe *of, unsigned int walk)
{
	const struct syntax_action *a = of->action;
	struct tree t = { .source = a->tree.source };
	struct binder b = { .t = &t };
	unsigned int row;

	for (const struct node *n = a->tree.nodes; n; n = n->next) {
		char name[NAME];
		struct strbuf text = strbuf_over(name, sizeof(name));

		if (n->kind != NODE_MEMBER || !is_ctx(&b, n) || !is_whole(a, n))
			continue;
		name_member(&b, n, &text);
		if (!row_of(name, walk, false, &row) && !row_of(name, walk, true, &row))
			return true;
	}
	return false;
}

const struct function bt_kernel_path = {
	.name = "path", .infer = bt_bound, .text = bt_emit_path,
};

/* path(ctx->file->f_path) of the kernel's iterator: an input, the address of the path. */
static int kernel_path(struct binder *b, struct node *n)
{
	const struct bt_shape shape = {
		.kind = BT_TEXT, .size = BT_TEXT_MOST,
		.text = { .foreign = true, .shown = BT_STRLEN_MOST, .exact = BT_STRLEN_MOST },
	};
	const unsigned int before = b->s->needs.n_inputs;
	struct lang_input in = { .type = ":c16" };
	struct node *at = n->a;
	int number;

	if (at->kind != NODE_UNARY || at->op != '&') {
		at = new_node(b, NODE_UNARY, n->a->at);
		if (!at)
			return -1;
		at->op = '&';
		at->a = n->a;
	}
	if (!is_ctx(b, at->a) || at->a->kind != NODE_MEMBER)
		return WRONG(b, n->a, "path() takes a path of ctx: " PATHS);
	if (bind_node(b, &at))
		return -1;
	if (at->type.pointers != 1 || at->type.base != C_STRUCT || strcmp(at->type.tag, "path") ||
	    !fetch_of(b, at, in.fetch, sizeof(in.fetch)))
		return WRONG(b, n->a, "this is no struct path, as " PATHS);
	b->s->needs.n_inputs = before;
	number = binder_input(b, n, in);
	if (number < 0)
		return -1;
	bt_make_call(n, &bt_kernel_path, (uint64_t)number);
	n->faults = true;
	bt_type_text(n, &shape);
	return 0;
}

/* path(ctx->file->f_path); the address of the path is meant as well. */
static int path(struct binder *b, struct node **at)
{
	struct node *n = *at;
	const struct node *of = n->a;

	if (of->kind == NODE_UNARY && of->op == '&')
		of = of->a;
	if (!n->b && bt_of(b->t)->now->on->probe.iterator)
		return kernel_path(b, n);
	if (!bt_goes_through(bt_of(b->t)->now))
		return WRONG(b, n, "only iter:task_file and iter:task_vma have path() here: "
			     "elsewhere str() shows the name of a dentry");
	if (n->b)
		return WRONG(b, n->b, "path() takes no length here: a path has %d characters at "
				      "most",
			     BT_STRLEN_MOST);
	return is_ctx(b, of) ? bind(b, n, of, true) :
	       WRONG(b, n->a, "path() takes a path of ctx: " PATHS);
}

const struct function bt_item_functions[] = {
	{ "path", "path(PATH)", { ARGUMENT_VALUE, ARGUMENT_VALUE }, path, NULL, .least = 1 },
	{ }
};
