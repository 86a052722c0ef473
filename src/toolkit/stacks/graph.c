// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/stacks/graph.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/lib/flame/flame.h"
#include "src/run/options/common.h"
#include "src/toolkit/picture.h"

struct graph {
	struct picture *file;
	struct flame *flame;
	struct flame_look look;
	bool off_cpu;
	char *command, host[65];
};

static int graph_open(struct run *r, void **state, struct error *err)
{
	struct graph *g;

	if (!common_of(r->options)->flame)
		return 0;
	*state = g = calloc(1, sizeof(*g));
	if (!g)
		return fail(err, "out of memory");
	g->flame = flame_new();
	g->command = picture_command(r);
	if (!g->flame || !g->command)
		return fail(err, "out of memory");
	g->off_cpu = r->tool->stacks && r->tool->stacks->off_cpu;
	g->look = (struct flame_look){
		.inverted = common_of(r->options)->inverted,
		.title = g->command, .width = FLAME_WIDTH, .narrowest = FLAME_NARROWEST,
		.subtitle = gethostname(g->host, sizeof(g->host) - 1) ? NULL : g->host,
		.unit = r->tool->stacks ? r->tool->stacks->values[0].unit : "samples",
	};
	g->file = picture_open(r->tool->name, "flame", common_of(r->options)->flame, err);
	return g->file ? 0 : -1;
}

/* libc.so.6, libfoo-1.2.so */
static bool is_library(const char *module)
{
	const char *at = module ? strstr(module, ".so") : NULL;

	return at && (!at[3] || at[3] == '.');
}

static enum flame_kind kind_of(const struct graph *g, const struct stack_frame *f)
{
	static const enum flame_kind kinds[] = {
		[FRAME_KERNEL] = FLAME_KERNEL, [FRAME_USER] = FLAME_USER,
		[FRAME_JIT] = FLAME_JIT, [FRAME_MARK] = FLAME_MARK,
	};

	if (g->off_cpu && f->kind != FRAME_MARK)
		return FLAME_OFF_CPU;
	return f->kind == FRAME_USER && is_library(f->module) ? FLAME_LIBRARY : kinds[f->kind];
}

/* As in folded stacks, a function without a name is shown as its file or module. */
static void put_frame(const struct graph *g, struct flame_frame *to, const struct stack_frame *f,
		      char *room, size_t size)
{
	enum flame_kind kind = kind_of(g, f);
	const char *name = f->name;

	if (!name && f->module) {
		text_cut(room, size, "[%s]", f->module);
		name = room;
	} else if (!name) {
		name = "[unknown]";
		kind = FLAME_MARK;
	}
	*to = (struct flame_frame){ name, strlen(name), kind };
}

#define MODULE_MOST 128			/* bytes of a file's name that are shown */

static struct flame_frame text_frame(const struct text *t)
{
	return (struct flame_frame){ t->s ? t->s : "-", t->s ? t->length : 1, FLAME_MARK };
}

/* As in folded stacks, the waker's newest function follows the sleeper's newest function. */
int graph_add(struct run *r, const struct stack_shown *shown, struct error *err)
{
	const struct stack_shown *w = shown->waker, *first = w && !shown->kernel ? w : shown;
	const unsigned int n = 4 + shown->n_user + shown->n_kernel +
			       (w ? w->n_user + w->n_kernel : 0);
	struct flame_frame frames[n];
	char room[n][MODULE_MOST];
	struct graph *g = run_listener_state(r, &graph_listener);
	unsigned int at = 0;

	if (!g)
		return 0;
	if (!r->tool->stacks)
		g->look.unit = shown->values[0].unit;
	if (shown->grouped)
		frames[at++] = text_frame(&shown->group);
	frames[at++] = text_frame(&first->comm);
	for (unsigned int i = first->n_user; i-- > 0; at++)
		put_frame(g, &frames[at], &first->user[i], room[at], MODULE_MOST);
	for (unsigned int i = first->n_kernel; i-- > 0; at++)
		put_frame(g, &frames[at], &first->kernel[i], room[at], MODULE_MOST);
	if (w == first) {
		frames[at++] = text_frame(&shown->comm);
	} else if (w) {
		frames[at++] = (struct flame_frame){ "--", 2, FLAME_MARK };
		for (unsigned int i = 0; i < w->n_kernel; i++, at++)
			put_frame(g, &frames[at], &w->kernel[i], room[at], MODULE_MOST);
		for (unsigned int i = 0; i < w->n_user; i++, at++)
			put_frame(g, &frames[at], &w->user[i], room[at], MODULE_MOST);
		frames[at++] = text_frame(&w->comm);
	}
	return flame_add(g->flame, FLAME_NEW, frames, at, shown->values[0].value, err);
}

static int draw(FILE *file, void *graph, struct error *err)
{
	struct graph *g = graph;

	return flame_svg(file, g->flame, &g->look, err);
}

static int graph_end(struct run *r, struct error *err)
{
	struct graph *g = run_listener_state(r, &graph_listener);

	return picture_save(g->file, draw, g, err);
}

static void graph_free(void *state)
{
	struct graph *g = state;

	flame_free(g->flame);
	picture_close(g->file);
	free(g->command);
	free(g);
}

const struct run_listener graph_listener = {
	.open = graph_open, .end = graph_end, .free = graph_free,
};
