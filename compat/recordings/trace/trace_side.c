// SPDX-License-Identifier: GPL-2.0
#include "compat/recordings/trace/trace_side.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/recordings/recorded_probes.h"
#include "compat/recordings/trace/trace_data.h"

void trace_side_wall(struct strbuf *to, int64_t wall, int64_t clock)
{
	strbuf_addf(to, "wall %lld %lld\n", (long long)wall, (long long)clock);
}

void trace_side_unread(struct strbuf *to, unsigned int cpu, uint64_t n)
{
	strbuf_addf(to, "unread %u %llu\n", cpu, (unsigned long long)n);
}

void trace_side_parent(struct strbuf *to, uint32_t pid, uint32_t ppid, uint64_t began)
{
	strbuf_addf(to, "parent %u %u %llu\n", pid, ppid, (unsigned long long)began);
}

void trace_side_task(struct strbuf *to, uint32_t tid, uint32_t pid, const char *name)
{
	strbuf_addf(to, "task %u %u ", tid, pid);
	recorded_word(to, name, '\n');
}

int trace_side_keep(struct recording *r, uint16_t option, const void *bytes, size_t n,
		    struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	char **to = option == TRACE_OPTION_SIDE ? &t->side : &t->probes;

	if (*to)
		return 0;
	/* A NUL would end the text, and what is behind it is nobody's. */
	*to = strndup(n ? bytes : "", n);
	return *to ? 0 : fail(err, "out of memory");
}

/* Reads "NUMBER NUMBER" up to the end of the line. Returns false if it is something else. */
static bool two_numbers(const char *at, uint64_t most, uint64_t *a, uint64_t *b)
{
	return scan_number(&at, most, a) && scan_text(&at, " ") &&
	       scan_number(&at, INT64_MAX, b) && *at == '\n';
}

static int read_line(struct recording *r, const char *line, struct error *err)
{
	uint64_t a, b;

	if (scan_text(&line, "wall ")) {
		if (!two_numbers(line, INT64_MAX, &a, &b))
			return trace_fails(r, "its time of day can't be read", err);
		wall_note(&r->wall, (int64_t)b, (int64_t)a);
	} else if (scan_text(&line, "unread ")) {
		if (!two_numbers(line, CPUS_MOST, &a, &b))
			return trace_fails(r, "a count of lost events can't be read", err);
		trace_losses_add(trace_data_of(r), (uint32_t)a, b);
	}
	return 0;
}

int trace_side_read(struct recording *r, struct error *err)
{
	struct trace_data *t = trace_data_of(r);
	const size_t head = strlen(TRACE_SIDE_HEAD);

	if (t->probes && recorded_probes_read(r, t->probes, strlen(t->probes), err))
		return -1;
	if (!t->side)
		return 0;
	if (strncmp(t->side, TRACE_SIDE_HEAD, head))
		return fail(err, "%s is of another version of sonde: read it with the sonde that "
				 "recorded it", r->bytes.path);
	t->tasks = t->side + head;
	for (const char *line = t->tasks; *line; line = strchr(line, '\n') + 1) {
		if (!strchr(line, '\n'))
			return trace_fails(r, "its list of tasks is cut short", err);
		if (read_line(r, line, err))
			return -1;
	}
	return 0;
}

static bool read_parent(const char *line, struct recorded *to)
{
	uint64_t pid, ppid, began;

	if (!scan_text(&line, "parent ") || !scan_number(&line, INT32_MAX, &pid) ||
	    !scan_text(&line, " ") || !scan_number(&line, INT32_MAX, &ppid) ||
	    !scan_text(&line, " ") || !scan_number(&line, INT64_MAX, &began) || *line != '\n')
		return false;
	*to = (struct recorded){
		.kind = RECORDED_NEW, .tid = (uint32_t)pid, .pid = (uint32_t)pid,
		.made = { (uint32_t)ppid, began },
	};
	return true;
}

/* A line that can't be a task's is passed over: it says nothing wrong. */
static bool read_task(const char *line, struct recorded *to)
{
	uint64_t tid, pid;
	char name[4 * sizeof(to->name.comm)];

	if (!scan_text(&line, "task ") || !scan_number(&line, INT32_MAX, &tid) ||
	    !scan_text(&line, " ") || !scan_number(&line, INT32_MAX, &pid) ||
	    !scan_text(&line, " ") || !scan_until(&line, "\n", name, sizeof(name)))
		return false;
	recorded_word_back(name);
	*to = (struct recorded){
		.kind = RECORDED_NAME, .tid = (uint32_t)tid, .pid = (uint32_t)pid,
	};
	text_cut(to->name.comm, sizeof(to->name.comm), "%s", name);
	return true;
}

bool trace_side_next(struct recording *r, struct recorded *to)
{
	struct trace_data *t = trace_data_of(r);

	while (t->tasks && *t->tasks) {
		const char *line = t->tasks;

		t->tasks = strchr(line, '\n') + 1;
		if (read_task(line, to) || read_parent(line, to))
			return true;
	}
	t->tasks = NULL;
	return false;
}
