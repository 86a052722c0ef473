// SPDX-License-Identifier: GPL-2.0
/* The passes of a script, from its text to its programs. */
#include "src/bt/passes.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/bt/bind/bind.h"
#include "src/bt/preamble/preamble.h"
#include "src/bt/show/table.h"
#include "src/lib/output/sink.h"

#define TEXT_SIZE 64			/* bytes of a text that are read */
#define CAT_BYTES 10240			/* of a file that cat() shows */

static int import(struct bt *b, struct error *err)
{
	return bt_imports(b, b->source.file, b->source.text, err);
}

/* Settings, macros, declarations of maps. */
static int items(struct bt *b, struct error *err)
{
	if (bt_items(b, err) || bt_environment(b, err))
		return -1;
	b->old |= b->settings.compat == BT_0_23;
	b->script.text_size = (unsigned int)(b->settings.max_strlen < BT_STRLEN_MOST ?
					     b->settings.max_strlen : BT_STRLEN_MOST);
	return 0;
}

/* The script's text, with blanks where something was taken out. */
static void print_text(FILE *to, const struct bt *b)
{
	fputs(b->source.text, to);
	fputc('\n', to);
}

static const struct {
	const char *name;
	int (*run)(struct bt *b, struct error *err);
	void (*print)(FILE *to, const struct bt *b);	/* what the pass leaves behind */
} passes[] = {
	{ "import", import, print_text },
	{ "declare", bt_declarations, print_text },
	{ "expand", bt_expand, print_text },
	{ "items", items, print_text },
	{ "parse", bt_parse, bt_print_read },
	{ "attach", bt_find_probes, bt_print_read },
	{ "types", bt_types, bt_print_bound },
	{ "results", bt_count_in_values, bt_print_bound },
	{ "lengths", bt_check_lengths, bt_print_bound },
	{ "maps", bt_make_maps, bt_print_bound },
	{ "emit", bt_make_programs, bt_print_bound },
};
#define PASSES (sizeof(passes) / sizeof(passes[0]))

const char *bt_pass(size_t i)
{
	return i < PASSES ? passes[i].name : NULL;
}

int bt_make(struct bt *b, const char *name, const char *text, struct error *err)
{
	b->builtins = &bt_builtins;
	b->script.functions = bt_functions;
	b->script.may_be_long = true;
	b->settings = (struct bt_settings){ .max_strlen = TEXT_SIZE, .print_maps_on_exit = true,
					    .max_cat_bytes = CAT_BYTES };
	b->source = (struct source){ .file = name, .text = text };
	for (size_t i = 0; i < PASSES; i++) {
		if (passes[i].run(b, err))
			return -1;
		if (b->shown_passes & 1U << i)
			passes[i].print(sink_out(), b);
	}
	return 0;
}

void bt_free(struct bt *b)
{
	while (b->probes) {
		struct bt_probe *p = b->probes;

		b->probes = p->next;
		free(p);
	}
	while (b->maps) {
		struct bt_map *m = b->maps;

		b->maps = m->next;
		bt_table_free(m->table);
		free(m);
	}
	bt_programs_free(b);
	bt_statements_free(b);
	syntax_free(b);
	free(b->orders);
	for (unsigned int i = 0; i < b->n_names; i++) {
		free(b->names[i].probe);
		free(b->names[i].function);
	}
	free(b->names);
	free(b->macros);
	free(b->pieces);
	lines_free(&b->warnings);
	lines_free(&b->options);
	free(b->formats);
	free(b->words);
	script_free(&b->script);
}
