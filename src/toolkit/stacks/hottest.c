// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/stacks/hottest.h"

#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "compat/base/hash_bytes.h"
#include "compat/base/hash_index.h"
#include "src/lib/output/records.h"
#include "src/lib/output/terminal.h"
#include "src/run/options/common.h"
#include "src/toolkit/stacks/stacks.h"

/* Lines of the tallest window that is supported, and lines of a table in a file. */
#define FUNCTIONS_MOST 240
#define STACKS_MOST 120
#define FUNCTIONS_FILE 20
#define STACKS_FILE 10
#define AROUND 4			/* lines: status, heads, an empty line, heads */
#define HEIGHT_LEAST 6
#define STACK_SHOWN_MOST 4000		/* bytes of a stack's line */

/* A function while an interval is added up. The names belong to the interval's stacks. */
struct function {
	const char *name, *module;
	uint64_t address;		/* if it is shown by its address (--addresses); else 0 */
	uint64_t place;			/* --annotate: the address's offset, plus 1; else 0 */
	enum frame_kind kind;
	uint64_t self, total;
	uint32_t seen;			/* the last stack that it was in: it is counted once */
};

/* A function or stack as it is shown. */
struct line {
	uint64_t self, total;
	char *text;
};

struct hottest {
	bool live;			/* on the alternate screen; false: table below table */
	bool on;			/* hottest_begin() was called, hottest_end() was not */
	bool failed;			/* out of memory */
	bool objects;			/* for machines: no table, an object for each function */
	/* the function whose addresses are shown, instead of all functions; NULL: none */
	const char *annotated;
	/* the interval that is being added up */
	struct function *functions;
	unsigned int n_functions;
	struct hash_index places;	/* of the functions: index + 1 */
	struct hash_seed seed;
	uint32_t stacks;
	uint64_t sum;
	struct line coming[STACKS_MOST];
	unsigned int n_coming;
	/* the interval that is shown */
	struct line function_lines[FUNCTIONS_MOST], stack_lines[STACKS_MOST];
	unsigned int n_function_lines, n_stack_lines;
	uint64_t shown_sum, lost, lost_before;
	const char *unit;
	int64_t clock, length;
};

static int hottest_open(struct run *r, void **state, struct error *err)
{
	struct hottest *h;

	if (!r->tool->stacks || !common_of(r->options)->top_given)
		return 0;
	*state = h = calloc(1, sizeof(*h));
	if (!h)
		return fail(err, "out of memory");
	h->seed = hash_seed();
	h->objects = !options_format(r->options)->people;
	h->live = !h->objects && isatty(STDOUT_FILENO) && terminal_moves(getenv("TERM"));
	h->unit = r->tool->stacks->values[0].unit;
	h->annotated = common_of(r->options)->annotate;
	return 0;
}

/* ---- adding up ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static uint32_t hash_text(const struct hash_seed *seed, const char *s)
{
	return s ? hash_bytes(seed, s, strlen(s)) : 0;
}

static uint32_t hash_function(const struct hash_seed *seed, const struct function *f)
{
	const uint64_t words[] = {
		f->address, f->place, f->kind,
		(uint64_t)hash_text(seed, f->name) << 32 | hash_text(seed, f->module),
	};

	return hash_bytes(seed, words, sizeof(words));
}

static struct function *find_function(struct hottest *h, const struct function *f, uint32_t hash)
{
	for (uint32_t at = hash, number; (number = hash_index_next(&h->places, hash, &at));) {
		struct function *other = &h->functions[number - 1];

		if (other->address == f->address && other->kind == f->kind &&
		    other->place == f->place && same_text(other->name, f->name) &&
		    same_text(other->module, f->module))
			return other;
	}
	return NULL;
}

/* Finds or adds the function of a frame. Returns NULL if there is no memory. */
static struct function *function_of(struct hottest *h, const struct stack_frame *frame,
				    const struct stack_style *style)
{
	const bool bare = style->addresses && frame->kind != FRAME_MARK;
	const bool own = h->annotated && frame->name && !strcmp(frame->name, h->annotated);
	const struct function f = {
		.name = bare ? NULL : frame->name, .module = frame->module, .kind = frame->kind,
		.address = bare ? frame->address : 0,
		.place = own ? frame->offset + 1 : 0,
	};
	const uint32_t hash = hash_function(&h->seed, &f);
	struct function *known = find_function(h, &f, hash);

	if (known)
		return known;
	if (hash_index_room(&h->places) ||
	    array_room(&h->functions, h->n_functions, sizeof(*h->functions)))
		return NULL;
	h->functions[h->n_functions++] = f;
	hash_index_put(&h->places, hash, h->n_functions);
	return &h->functions[h->n_functions - 1];
}

/* Counts the functions of a stack. A function that calls itself is counted once. */
static void add_frames(struct hottest *h, const struct stack_frame *frames, unsigned int n,
		       const struct stack_shown *s, bool *newest)
{
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = function_of(h, &frames[i], s->style);

		if (!f) {
			h->failed = true;
			return;
		}
		if (f->seen != h->stacks)
			f->total += s->values[0].value;
		f->seen = h->stacks;
		if (*newest)
			f->self += s->values[0].value;
		*newest = false;
	}
}

/* Writes the name as in folded stacks; `where`: with its file or module. */
static void write_frame(FILE *file, const struct stack_frame *frame,
			const struct stack_style *style, bool where)
{
	char *name = stack_folded(frame, 1, style);

	fputs(name ? name : "?", file);
	free(name);
	if (style->offsets)
		fprintf(file, "+0x%llx", (unsigned long long)frame->offset);
	if (where && frame->module && frame->name)
		fprintf(file, " [%s]", frame->module);
}

static void write_frames(FILE *file, const struct stack_frame *frames, unsigned int n,
			 const struct stack_style *style, bool *newest)
{
	for (unsigned int i = 0; i < n && ftell(file) < STACK_SHOWN_MOST; i++) {
		fputs(!*newest ? " < " : ftell(file) ? ": " : "", file);
		*newest = false;
		write_frame(file, &frames[i], style, false);
	}
}

static void write_task(FILE *file, const struct stack_shown *s)
{
	if (s->comm.s)
		fwrite(s->comm.s, 1, s->comm.length, file);
	else
		fputc('-', file);
	if (s->tid || s->pid != NOTHING)
		fprintf(file, " (%lld)", (long long)(s->tid ? s->tid : s->pid));
}

/* The line of a stack: the task and its functions, the newest first; then its waker's. */
static char *stack_text(const struct stack_shown *s)
{
	bool newest = true;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		return NULL;
	/* A stack of several tasks has no name and no id. */
	if (s->comm.s || s->tid || s->pid != NOTHING)
		write_task(file, s);
	write_frames(file, s->kernel, s->n_kernel, s->style, &newest);
	write_frames(file, s->user, s->n_user, s->style, &newest);
	if (s->waker) {
		fputs(", woken by ", file);
		newest = true;
		write_task(file, s->waker);
		write_frames(file, s->waker->kernel, s->waker->n_kernel, s->style, &newest);
		write_frames(file, s->waker->user, s->waker->n_user, s->style, &newest);
	}
	if (fclose(file)) {
		free(text);
		return NULL;
	}
	return text;
}

void hottest_add(struct run *r, const struct stack_shown *s, unsigned int left)
{
	const uint64_t value = s->values[0].value;
	struct hottest *h = run_listener_state(r, &hottest_listener);
	bool newest = true;

	h->stacks++;
	h->sum += value;
	add_frames(h, s->kernel, s->n_kernel, s, &newest);
	add_frames(h, s->user, s->n_user, s, &newest);
	if (s->waker) {
		add_frames(h, s->waker->kernel, s->waker->n_kernel, s, &newest);
		add_frames(h, s->waker->user, s->waker->n_user, s, &newest);
	}
	if (left >= STACKS_MOST || h->annotated || h->objects)
		return;
	h->coming[h->n_coming].total = value;
	h->coming[h->n_coming].text = stack_text(s);
	if (!h->coming[h->n_coming].text)
		h->failed = true;
	else
		h->n_coming++;
}

/* ---- the lines that are shown ---- */

static void free_lines(struct line *lines, unsigned int *n)
{
	while (*n)
		free(lines[--*n].text);
}

static int hotter(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	if (x->address != y->address)
		return x->address > y->address ? 1 : -1;
	if (x->place != y->place)
		return x->place > y->place ? 1 : -1;
	return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

static char *function_text(const struct function *f, const struct stack_style *style)
{
	const struct stack_frame frame = {
		.kind = f->kind, .name = f->name, .module = f->module, .address = f->address,
		.offset = f->place ? f->place - 1 : 0,
	};
	struct stack_style shown = *style;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		return NULL;
	shown.offsets = f->place || style->offsets;
	write_frame(file, &frame, &shown, true);
	if (fclose(file)) {
		free(text);
		return NULL;
	}
	return text;
}

static void sort_functions(struct hottest *h)
{
	if (h->n_functions)
		qsort(h->functions, h->n_functions, sizeof(*h->functions), hotter);
}

static void take_functions(struct hottest *h, const struct stack_style *style)
{
	free_lines(h->function_lines, &h->n_function_lines);
	sort_functions(h);
	for (unsigned int i = 0; i < h->n_functions && h->n_function_lines < FUNCTIONS_MOST; i++) {
		struct line line = { h->functions[i].self, h->functions[i].total, NULL };

		if (h->annotated && !h->functions[i].place)
			continue;
		line.text = function_text(&h->functions[i], style);
		if (line.text)
			h->function_lines[h->n_function_lines++] = line;
		else
			h->failed = true;
	}
}

static struct text known_text(const char *s)
{
	return s ? text_of(s, strlen(s)) : (struct text){ };
}

#define NUMBER 24

static struct text number_text(char to[NUMBER], uint64_t number)
{
	struct text t;

	snprintf(to, NUMBER, "%llu", (unsigned long long)number);
	t = text_of(to, NUMBER);
	t.is_number = true;
	return t;
}

/* An object for each function of the interval, the hottest first. */
static void put_objects(struct run *r, struct hottest *h)
{
	static const char *const kinds[] = {
		[FRAME_KERNEL] = "kernel", [FRAME_USER] = "user", [FRAME_JIT] = "jit",
		[FRAME_MARK] = "mark",
	};
	char clock[NUMBER], all[NUMBER], self[NUMBER], total[NUMBER], offset[NUMBER];

	sort_functions(h);
	for (unsigned int i = 0; i < h->n_functions; i++) {
		const struct function *f = &h->functions[i];
		const struct output_member members[] = {
			{ "clock_ns", number_text(clock, (uint64_t)run_interval_clock(r)) },
			{ "function", known_text(f->name) },
			{ "module", known_text(f->module) },
			{ "kind", known_text(kinds[f->kind]) },
			{ "self", number_text(self, f->self) },
			{ "total", number_text(total, f->total) },
			{ "all", number_text(all, h->sum) },
			{ "unit", known_text(h->unit) },
			{ "offset", number_text(offset, f->place - 1) },
		};
		unsigned int n = sizeof(members) / sizeof(members[0]);

		if (f->place || !h->annotated)
			output_members(r->output, "top", members, f->place ? n : n - 1);
	}
}

/* The stacks with the largest values came last. */
static void take_stacks(struct hottest *h)
{
	free_lines(h->stack_lines, &h->n_stack_lines);
	while (h->n_coming)
		h->stack_lines[h->n_stack_lines++] = h->coming[--h->n_coming];
}

/* Writes a line of escaped text, cut at `width` columns. */
static void put_line(FILE *file, const char *s, unsigned int width, bool live)
{
	unsigned int used = 0;

	while (*s) {
		size_t n = 1;

		while ((s[n] & 0xc0) == 0x80)
			n++;
		used += *s == '\\' ? 1 : escape_width(s, n);
		if (used > width)
			break;
		fwrite(s, 1, n, file);
		s += n;
	}
	fputs(live ? "\033[K\r\n" : "\n", file);
}

struct page {
	const struct hottest *h;
	FILE *file;
	unsigned int width;
	bool live;
};

__attribute__((format(printf, 3, 4)))
static void put_row(const struct page *p, const char *text, const char *format, ...)
{
	char *line = NULL;
	size_t size;
	FILE *file = open_memstream(&line, &size);
	va_list args;

	if (!file)
		return;
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	escape_text(file, text, strlen(text));
	if (!fclose(file))
		put_line(p->file, line, p->width, p->live);
	free(line);
}

static double share(const struct page *p, uint64_t n)
{
	return p->h->shown_sum ? 100.0 * (double)n / (double)p->h->shown_sum : 0;
}

static void put_functions(const struct page *p, unsigned int n)
{
	put_row(p, "FUNCTION", "%7s %7s %11s %11s  ", "SELF%", "TOTAL%", "SELF", "TOTAL");
	for (unsigned int i = 0; i < p->h->n_function_lines && i < n; i++) {
		const struct line *l = &p->h->function_lines[i];

		put_row(p, l->text, "%6.1f%% %6.1f%% %11llu %11llu  ", share(p, l->self),
			share(p, l->total), (unsigned long long)l->self,
			(unsigned long long)l->total);
	}
}

static void put_stacks(const struct page *p, unsigned int n)
{
	put_row(p, "STACK", "%7s %11s  ", "SHARE", "TOTAL");
	for (unsigned int i = 0; i < p->h->n_stack_lines && i < n; i++) {
		const struct line *l = &p->h->stack_lines[i];

		put_row(p, l->text, "%6.1f%% %11llu  ", share(p, l->total),
			(unsigned long long)l->total);
	}
}

static void put_status(struct run *r, const struct page *p)
{
	const struct hottest *h = p->h;
	char lost[48] = "";

	if (h->lost)
		snprintf(lost, sizeof(lost), "  ! lost %llu", (unsigned long long)h->lost);
	put_row(p, p->live ? isatty(STDIN_FILENO) ? "  (q and Enter: quit)" :
		"  (Ctrl-C: quit)" : "", "%s  %s  %llu %s in %.1f s%s", r->tool->name,
		run_local(r, h->clock).time, (unsigned long long)h->shown_sum, h->unit,
		(double)h->length / NS_PER_SECOND, lost);
}

/* Stacks get a third of the window, and the lines that functions do not need. */
static void put_page(struct run *r, const struct page *p, unsigned int height)
{
	const struct hottest *h = p->h;
	unsigned int lines = height > AROUND + 1 ? height - AROUND - 1 : 1, stacks = lines / 3;

	if (h->annotated) {
		put_status(r, p);
		put_functions(p, height > 3 ? height - 3 : 1);
		return;
	}
	if (lines - stacks > h->n_function_lines)
		stacks = lines - h->n_function_lines;
	put_status(r, p);
	put_functions(p, lines - stacks);
	put_row(p, "", "%s", "");
	put_stacks(p, stacks);
}

/* Writes the picture at once: half a picture on a terminal flickers. */
static void show(struct run *r, bool live)
{
	unsigned int width = UINT32_MAX, height = 0;
	struct hottest *h = run_listener_state(r, &hottest_listener);
	char *picture = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&picture, &size);
	struct page p = { h, file, width, live };

	if (!file)
		return;
	if (h->live)
		terminal_size(STDOUT_FILENO, &p.width, &height);
	if (live)
		fputs("\033[H", file);
	if (live && height < HEIGHT_LEAST) {
		put_status(r, &p);
	} else if (h->live) {
		put_page(r, &p, height);
	} else {
		put_status(r, &p);
		put_functions(&p, FUNCTIONS_FILE);
		if (!h->annotated) {
			put_row(&p, "", "%s", "");
			put_stacks(&p, STACKS_FILE);
		}
		put_row(&p, "", "%s", "");
	}
	if (live)
		fputs("\033[J", file);
	if (!fclose(file))
		output_picture(r->output, picture, size);
	free(picture);
}

static void forget(struct hottest *h)
{
	h->n_functions = 0;
	h->sum = 0;
	h->stacks = 0;
	hash_index_clear(&h->places);
	free_lines(h->coming, &h->n_coming);
}

int hottest_show(struct run *r, struct error *err)
{
	const struct stack_style style = stacks_style(r->options);
	struct hottest *h = run_listener_state(r, &hottest_listener);

	if (h->objects && !h->failed) {
		put_objects(r, h);
		forget(h);
		return 0;
	}
	/* At the end of the run a short rest of an interval does not replace the last interval. */
	if (!h->failed && !(h->live && run_interval_length(r) < h->length / 2)) {
		take_functions(h, &style);
		take_stacks(h);
		h->shown_sum = h->sum;
		h->lost = run_newly_lost(r, &h->lost_before);
		h->clock = run_interval_clock(r);
		h->length = run_interval_length(r);
	}
	forget(h);
	if (h->failed)
		return fail(err, "out of memory");
	if (!h->live || h->on)
		show(r, h->live);
	return 0;
}

/* ---- the terminal ---- */

static void hottest_begin(struct run *r)
{
	struct hottest *h = run_listener_state(r, &hottest_listener);

	h->on = true;
	h->clock = clock_ns(CLOCK_REALTIME);
	if (h->live) {
		terminal_enter(STDOUT_FILENO);
		show(r, true);
	}
}

/*
 * Returns true if the user typed a line that begins with q. The terminal's mode stays as it is, so
 * nothing must be restored, however sonde ends, and a key that is pressed by mistake does no harm.
 */
static bool quits(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	char line[256];

	return tcgetpgrp(STDIN_FILENO) == getpgrp() && poll(&in, 1, 0) == 1 &&
	       in.revents & POLLIN && read(STDIN_FILENO, line, sizeof(line)) > 0 &&
	       (*line == 'q' || *line == 'Q');
}

/* Looks whether the size of the window has changed, and whether the user wants to quit. */
static int hottest_poll(struct run *r, struct error *err)
{
	const struct hottest *h = run_listener_state(r, &hottest_listener);

	(void)err;
	if (!h->live || !h->on)
		return 0;
	if (terminal_changed())
		show(r, true);
	/* With --exec the input belongs to the command. */
	if (!option_command(r->options) && quits())
		run_end(r);
	return 0;
}

/* Restores the terminal, and prints the last picture on it. */
static int hottest_end(struct run *r, struct error *err)
{
	struct hottest *h = run_listener_state(r, &hottest_listener);

	(void)err;
	if (!h->on)
		return 0;
	h->on = false;
	if (h->live) {
		terminal_leave();
		show(r, false);
	}
	return 0;
}

static void hottest_free(void *state)
{
	struct hottest *h = state;

	free_lines(h->coming, &h->n_coming);
	free_lines(h->function_lines, &h->n_function_lines);
	free_lines(h->stack_lines, &h->n_stack_lines);
	free(h->functions);
	hash_index_free(&h->places);
	free(h);
}

/* The interval: --top=N, or the tool's own, or one second. */
static int64_t hottest_every(const struct run *r, int64_t ns)
{
	const int64_t top = common_of(r->options)->top * NS_PER_SECOND;

	return top ? top : ns ? ns : NS_PER_SECOND;
}

const struct run_listener hottest_listener = {
	.open = hottest_open, .every = hottest_every, .begin = hottest_begin,
	.poll = hottest_poll, .end = hottest_end, .free = hottest_free,
};
