// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/stacks/exports.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/lib/profiles/profile.h"
#include "src/run/options/common.h"
#include "src/toolkit/picture.h"

#define MODULE_MOST 128			/* bytes of a file's name that stand for a function */

static const struct export {
	const char *option;
	size_t path;			/* the member of the common options */
	int (*write)(FILE *file, const struct profile *p, struct error *err);
} exports[] = {
	{ "pprof", offsetof(struct common_options, pprof), profile_pprof },
	{ "speedscope", offsetof(struct common_options, speedscope), profile_speedscope },
	{ "perf-script", offsetof(struct common_options, perf_script), profile_perf_script },
};
#define EXPORTS (sizeof(exports) / sizeof(exports[0]))

struct exports {
	struct profile *profile;
	struct picture *files[EXPORTS];	/* NULL: it is not asked for */
	uint64_t began;			/* ns of the engine's clock */
};

/* The file that is asked for; NULL: none. */
static const char *path_of(const struct options *o, const struct export *f)
{
	const char *path;

	memcpy(&path, (const char *)common_of(o) + f->path, sizeof(path));
	return path;
}

bool exports_asked(const struct options *o)
{
	for (size_t i = 0; i < EXPORTS; i++)
		if (path_of(o, &exports[i]))
			return true;
	return false;
}

static int exports_open(struct run *r, void **state, struct error *err)
{
	struct exports *e;

	if (!exports_asked(r->options))
		return 0;
	*state = e = calloc(1, sizeof(*e));
	if (!e || !(e->profile = profile_new()))
		return fail(err, "out of memory");
	e->profile->name = r->tool->name;
	for (size_t i = 0; i < EXPORTS; i++) {
		const char *path = path_of(r->options, &exports[i]);

		if (path && !(e->files[i] = picture_open(r->tool->name, exports[i].option, path,
							 err)))
			return -1;
	}
	return 0;
}

/* A recording may not tell the time of day. */
static void exports_begin(struct run *r)
{
	struct exports *e = run_listener_state(r, &exports_listener);

	e->began = run_now(r);
	if (run_is_live(r) || r->time.wall.n)
		e->profile->began = run_wall_clock(r, e->began);
}

/* As in folded stacks, a function without a name is shown as its file or module. */
static struct profile_frame frame_of(const struct stack_frame *f, char room[MODULE_MOST])
{
	const char *module = f->module ? f->module : f->kind == FRAME_KERNEL ? "[kernel]" : NULL;

	if (!f->name && f->module)
		text_cut(room, MODULE_MOST, "[%s]", f->module);
	return (struct profile_frame){
		f->name ? f->name : f->module ? room : "[unknown]", module,
	};
}

/* Frames with the newest function first, and rooms for names that are made. */
struct frames {
	struct profile_frame *list;
	char (*rooms)[MODULE_MOST];
	uint32_t n;
};

static void put_frame(struct frames *to, const struct stack_frame *f)
{
	to->list[to->n] = frame_of(f, to->rooms[to->n]);
	to->n++;
}

static void put_name(struct frames *to, const char *name, size_t length)
{
	text_cut(to->rooms[to->n], MODULE_MOST, "%.*s", (int)length, name);
	to->list[to->n] = (struct profile_frame){ to->rooms[to->n], NULL };
	to->n++;
}

static void put_comm(struct frames *to, const struct text *comm)
{
	put_name(to, comm->s ? comm->s : "-", comm->s ? comm->length : 1);
}

static void put_stack(struct frames *to, const struct stack_shown *s)
{
	for (unsigned int i = 0; i < s->n_kernel; i++)
		put_frame(to, &s->kernel[i]);
	for (unsigned int i = 0; i < s->n_user; i++)
		put_frame(to, &s->user[i]);
}

/* A waker's newest function follows that of the sleeper, so here it comes last. */
static void put_waker(struct frames *to, const struct stack_shown *w)
{
	put_comm(to, &w->comm);
	for (unsigned int i = w->n_user; i-- > 0;)
		put_frame(to, &w->user[i]);
	for (unsigned int i = w->n_kernel; i-- > 0;)
		put_frame(to, &w->kernel[i]);
	put_name(to, "--", 2);
}

/* As a line of folded stacks has it, from its end on. */
static const struct stack_shown *put_all(struct frames *to, const struct stack_shown *shown)
{
	const struct stack_shown *w = shown->waker;

	if (w && !shown->kernel) {
		put_comm(to, &shown->comm);
		put_stack(to, w);
		return w;
	}
	if (w)
		put_waker(to, w);
	put_stack(to, shown);
	return shown;
}

int exports_add(struct run *r, const struct stack_shown *shown, struct error *err)
{
	struct exports *e = run_listener_state(r, &exports_listener);
	const struct stack_shown *w = shown->waker, *of;
	const uint32_t most = 2 + shown->n_kernel + shown->n_user +
			      (w ? w->n_kernel + w->n_user : 0);
	struct profile_frame list[most];
	char rooms[most][MODULE_MOST];
	struct frames frames = { .list = list, .rooms = rooms };
	uint64_t values[PROFILE_VALUES] = { };

	if (!e)
		return 0;
	for (unsigned int i = 0; i < shown->n_values && i < PROFILE_VALUES; i++) {
		e->profile->units[i] = shown->values[i].unit;
		values[i] = shown->values[i].value;
	}
	of = put_all(&frames, shown);
	return profile_add(e->profile, of->comm.s ? of->comm.s : "-",
			   of->comm.s ? of->comm.length : 1, of->pid, list, frames.n, values, err);
}

struct writing {
	const struct export *export;
	const struct profile *profile;
};

static int write_one(FILE *file, void *arg, struct error *err)
{
	const struct writing *w = arg;

	return w->export->write(file, w->profile, err);
}

static int exports_end(struct run *r, struct error *err)
{
	struct exports *e = run_listener_state(r, &exports_listener);
	int result = 0;

	e->profile->duration = run_now(r) - e->began;
	for (size_t i = 0; i < EXPORTS; i++) {
		struct writing w = { &exports[i], e->profile };

		if (e->files[i] && picture_save(e->files[i], write_one, &w, err))
			result = -1;
	}
	return result;
}

static void exports_free(void *state)
{
	struct exports *e = state;

	for (size_t i = 0; i < EXPORTS; i++)
		picture_close(e->files[i]);
	profile_free(e->profile);
	free(e);
}

const struct run_listener exports_listener = {
	.open = exports_open, .begin = exports_begin, .end = exports_end, .free = exports_free,
};
