// SPDX-License-Identifier: GPL-2.0
/* ctx and path() of iter probes: what is known of each item (run/items.h). */
#include <stdio.h>
#include <string.h>

#include "src/bt/parse.h"
#include "src/bt/run/items.h"
#include "src/lang/types/types.h"

#define NAME 64

/* Returns true if n is ctx->MEMBER->MEMBER, or ctx itself. */
static bool is_ctx(struct binder *b, const struct node *n)
{
	while (n->kind == NODE_MEMBER && n->a)
		n = n->a;
	return n->kind == NODE_NAME && is_name(b, n, "ctx");
}

/* "MEMBER.MEMBER", as the table has them; `to` has NAME bytes. */
static void name_member(struct binder *b, const struct node *n, char *to)
{
	size_t length;

	if (n->a->kind == NODE_MEMBER)
		name_member(b, n->a, to);
	length = strlen(to);
	snprintf(to + length, NAME - length, "%s%.*s", length ? "." : "", n->length,
		 name_of(b, n));
}

static int unknown(struct binder *b, const struct node *n, unsigned int walk, bool path,
		   const char *name)
{
	const struct bt_member *m;
	char list[300] = "";

	for (unsigned int i = 0; (m = bt_member_row(i)); i++)
		if (m->walks & 1 << walk && m->is_path == path)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				 *list ? ", " : "", m->name);
	return WRONG(b, n, "/proc, which iter reads here, does not tell %s%s%s; it tells %s",
		     path ? "the path " : "", *name ? "ctx." : "", *name ? name : "an address",
		     *list ? list : "no paths of tasks");
}

/* Makes n, a member of ctx, the value of this item; `path`: for path(). */
static int bind(struct binder *b, struct node *n, const struct node *member, bool path)
{
	const unsigned int walk = bt_of(b->t)->now->walk,
			   most = path ? BT_STRLEN_MOST : BT_COMM;
	const struct bt_shape shape = {
		.kind = BT_TEXT, .size = path ? BT_TEXT_MOST : BT_COMM, .shown = (uint16_t)most,
		.foreign = true,
	};
	const struct bt_member *m;
	char name[NAME] = "";
	unsigned int i = 0;

	if (member->kind == NODE_MEMBER)
		name_member(b, member, name);
	while ((m = bt_member_row(i)) && (strcmp(m->name, name) || !(m->walks & 1 << walk) ||
					  m->is_path != path))
		i++;
	if (!m)
		return unknown(b, n, walk, path, name);
	n->kind = NODE_CALL;
	n->function = &bt_of_item;
	n->value = i;
	n->a = n->b = NULL;
	n->faults = true;
	n->type = c_integer(m->size, m->is_signed);
	if (m->text)
		bt_type_text(n, &shape);
	return 0;
}

int bt_bind_item(struct binder *b, struct node *n)
{
	if (bt_of(b->t)->now->when != BT_WALKED || !is_ctx(b, n))
		return 0;
	return bind(b, n, n, false) ? -1 : 1;
}

const struct function bt_of_item = { .name = "ctx", .infer = bt_bound };

/* path(ctx->file->f_path); the address of the path is meant as well. */
static int path(struct binder *b, struct node **at)
{
	struct node *n = *at;
	const struct node *of = n->a;

	if (of->kind == NODE_UNARY && of->op == '&')
		of = of->a;
	if (bt_of(b->t)->now->when != BT_WALKED)
		return WRONG(b, n, "only iter:task_file and iter:task_vma have path() here: "
			     "elsewhere str() shows the name of a dentry");
	if (n->b)
		return WRONG(b, n->b, "path() takes no length here: a path has %d letters at most",
			     BT_STRLEN_MOST);
	return is_ctx(b, of) ? bind(b, n, of, true) :
	       WRONG(b, n->a, "path() takes a path of ctx: path(ctx->file->f_path), "
		     "path(ctx->vma->vm_file->f_path)");
}

const struct function bt_item_functions[] = {
	{ "path", "path(PATH)", { ARGUMENT_VALUE, ARGUMENT_VALUE }, path, NULL, .least = 1 },
	{ }
};
