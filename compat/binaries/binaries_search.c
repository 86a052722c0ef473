// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the files of a library: where programs look for it, and files with its name that processes
 * have mapped. Somebody may have made all of them to keep sonde busy. So a process of its own
 * searches, and there are limits.
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/binaries/binaries_looker.h"
#include "compat/user/guard.h"

enum said { SAID_LOOKS, SAID_FOUND, SAID_LEFT_OUT, SAID_LIMIT };

/* A message of the process to sonde: the path that it looks at now, or the result for that path. */
struct message {
	enum said said;
	struct elf_kind kind;
	struct identity own, mapped;
	char text[GUARD_MESSAGE / 2];		/* a path; behind its NUL, why it is left out */
};

bool looker_late(const struct looker *l)
{
	return monotonic_ms() > l->end;
}

/* ---- messages ---- */

static void say(const struct looker *l, struct message *m, int fd, const char *path,
		const char *why)
{
	struct strbuf first = strbuf_over(m->text, sizeof(m->text) / 2), second;

	strbuf_addf(&first, "%s", path);
	second = strbuf_over(m->text + first.n + 1, sizeof(m->text) - first.n - 1);
	strbuf_addf(&second, "%s", why);
	guard_send(l->to, m, offsetof(struct message, text) + first.n + second.n + 2, fd);
}

void looker_leaves_out(const struct looker *l, const char *path, const char *why)
{
	say(l, &(struct message){ SAID_LEFT_OUT }, -1, path, why);
}

void looker_limit(const struct looker *l, const char *what)
{
	say(l, &(struct message){ SAID_LIMIT }, -1, what, "");
}

bool looker_looks_at(const struct looker *l, const char *path)
{
	for (unsigned int i = 0; i < l->n_hung; i++)
		if (!strcmp(l->hung[i], path))
			return false;
	say(l, &(struct message){ SAID_LOOKS }, -1, path, "");
	return true;
}

/* ---- one file ---- */

bool identity_same(const struct identity *a, const struct identity *b)
{
	return a->dev == b->dev && a->ino == b->ino;
}

static bool is_known(const struct looker *l, const struct identity *own)
{
	for (unsigned int i = 0; i < l->kept; i++)
		if (identity_same(&l->own[i], own))
			return true;
	for (const struct file *f = l->s->files; f; f = f->next)
		if (f->library == l->s->library && identity_same(&f->own, own))
			return true;
	return false;
}

void looker_considers(struct looker *l, int fd, const char *path, const struct identity *mapped)
{
	struct message m = { SAID_FOUND };
	struct error err = { };
	struct stat st;

	if (fstat(fd, &st) || elf_kind_of(fd, &m.kind, &err)) {
		/* Linker scripts have such names, too. */
		if (mapped)
			looker_leaves_out(l, path, err.text);
		return;
	}
	m.own = (struct identity){ st.st_dev, st.st_ino };
	if (is_known(l, &m.own))
		return;
	if (!binary_abi(l->s->k, &m.kind)) {
		fail(&err, "a program or library of %u bits and machine %u, which can't be probed "
			   "on this kernel", m.kind.word * 8U, m.kind.machine);
		if (mapped)
			looker_leaves_out(l, path, err.text);
		return;
	}
	if (mapped)
		m.mapped = *mapped;
	l->own[l->kept++] = m.own;
	say(l, &m, fd, path, "");
}

bool looker_full(const struct looker *l)
{
	unsigned int n = l->kept;

	for (const struct file *f = l->s->files; f; f = f->next)
		n += f->library == l->s->library;
	return n >= FILES_MOST;
}

static bool matches(const char *pattern, const char *name, size_t length)
{
	const char *star = strchr(pattern, '*');
	size_t head = star ? (size_t)(star - pattern) : strlen(pattern),
		tail = star ? strlen(star + 1) : 0;

	return (star ? length >= head + tail : length == head) && !memcmp(name, pattern, head) &&
	       !memcmp(name + length - tail, star ? star + 1 : "", tail);
}

bool library_has_file(const struct library *l, const char *name, size_t length)
{
	for (unsigned int i = 0; i < LIBRARY_FILES && l->files[i]; i++)
		if (matches(l->files[i], name, length))
			return true;
	return false;
}

static void look(void *arg, int to)
{
	struct looker *l = arg;
	const struct search *s = l->s;
	char pid[16];

	l->to = to;
	l->candidates = calloc(2 * CANDIDATES_MOST, sizeof(*l->candidates));
	if (!l->candidates)
		_exit(ENOMEM);
	for (unsigned int i = 0; i < s->n_processes; i++) {
		snprintf(pid, sizeof(pid), "%u", s->processes[i]);
		looker_scan_process(l, pid);
	}
	/* If a wanted process has mapped the library, no other file is wanted. */
	if (l->n_candidates || !strcmp(s->library->name, USER_ANY_FILE)) {
		looker_try_candidates(l);
		return;
	}
	/*
	 * A process that has sonde's root may also map a file that other processes mapped at an
	 * unusual place.
	 */
	if (s->n_processes) {
		if (!looker_scan_roots(l))
			return;
	} else {
		looker_scan_folders(l);
	}
	looker_scan_processes(l);
	looker_try_candidates(l);
}

static void take(void *arg, const void *message, size_t size, int fd)
{
	struct looker *l = arg;
	struct search *s = l->s;
	const struct message *m = message;

	if (size <= offsetof(struct message, text))
		return;
	switch (m->said) {
	case SAID_LOOKS:
		text_cut(l->now, sizeof(l->now), "%.*s", PATH_MAX, m->text);
		break;
	case SAID_FOUND:
		s->found(s, fd, m->text, &m->kind, &m->own, m->mapped.ino ? &m->mapped : NULL);
		return;
	case SAID_LEFT_OUT:
		lines_add(s->left_out, "%s is not probed: %s", m->text,
			  m->text + strlen(m->text) + 1);
		break;
	case SAID_LIMIT:
		lines_add(s->limits, "%s", m->text);
		break;
	}
}

/*
 * On some kernels (riscv64, 6.12) a page fault of the process is handled again and again, for
 * seconds. No server is asked for the mappings of processes, so they are tried once more before
 * they are given up. The second try takes no time from other paths.
 */
static bool try_again(struct looker *l)
{
	l->again = !l->again && !strncmp(l->now, "/proc/", strlen("/proc/"));
	if (l->again)
		l->end += SILENCE_MS;
	return l->again;
}

int search_files(struct search *s, struct error *err)
{
	struct looker l = { .s = s, .root = -1, .end = monotonic_ms() + SECONDS_MOST * 1000 };
	const struct guarded g = { .work = look, .take = take, .arg = &l, .opens = true,
				   .stop = s->stop, .ms = SILENCE_MS };
	enum guard_end end;

	/* Which machine the kernel runs on is found out here: the process may not ask. */
	kernel_arch(s->k);
	do {
		end = guard_run(&g);
		if (end != GUARD_HANGS)
			break;
		if (try_again(&l))
			continue;
		lines_add(s->limits, "%s: it can't be read within %d s", l.now, SILENCE_MS / 1000);
		l.hung[l.n_hung++] = strdup(l.now);
	} while (l.again || (l.n_hung < HANGS_MOST && l.hung[l.n_hung - 1]));
	for (unsigned int i = 0; i < l.n_hung; i++)
		free(l.hung[i]);
	if (end == GUARD_STOPPED)
		return fail(err, "interrupted");
	return end == GUARD_FAILED ? fail_with(err, errno,
					       "can't make a process that looks for files: %m") : 0;
}
