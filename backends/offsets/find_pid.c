// SPDX-License-Identifier: GPL-2.0
/*
 * Two children: one is in sonde's own pid namespace, which is the initial one; the other is in a
 * new namespace below it. For signal 0 the kernel sends nothing, but looks the process up by its
 * struct pid.
 */
#include "backends/offsets/find_internal.h"
#include "compat/tasks/namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PID_BYTES 192
#define PIDNS_BYTES 3072

static const char looks_up[] = "pid_task";

/* Makes a child that waits until the other end of `hold` is closed. */
static pid_t make_child(unsigned long flags, const int hold[2])
{
	const bool second = arch_own()->flags_second;
	char byte;
	pid_t pid;

	flags |= SIGCHLD;
	pid = (pid_t)syscall(SYS_clone, second ? 0 : flags, second ? flags : 0, 0, 0, 0);
	if (pid)
		return pid;
	close(hold[1]);
	while (read(hold[0], &byte, 1) < 0 && errno == EINTR)
		;
	_exit(0);
}

/* Kills the child at once: a detacher may still have the pipe's other end open (detach.h). */
static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static int touch(void *arg, struct error *err)
{
	pid_t pid = *(pid_t *)arg;

	if (find_renice(pid, err))
		return -1;
	return kill(pid, 0) ? fail_with(err, errno, "kill(2): %m") : 0;
}

static int look_at(struct kernel *k, const pid_t pids[2], struct specimen samples[2],
		   struct error *err)
{
	const struct arch *a = kernel_arch(k);
	struct tap *t = tap_new(k, err);
	int task = t ? tap_add(t, "set_user_nice", 1, -1, TASK_BYTES, err) : -1;
	int numbers = task < 0 ? -1 : tap_add(t, looks_up, 1, -1, PID_BYTES, err);
	int result = numbers < 0 ? -1 : 0;

	for (int i = 0; i < 2 && !result; i++) {
		pid_t pid = pids[i];
		const struct memory *m;

		result = tap_fire(t, touch, &pid, err);
		if (result)
			break;
		m = tap_memory(t, numbers);
		result = find_keep(&samples[i], DUMP_PID, m, m->base, err);
		specimen_know_number(&samples[i], a, KNOWN_PID, m->base, a->word);
		specimen_know_number(&samples[i], a, KNOWN_TGID, (uint64_t)pid, 4);
		specimen_know_number(&samples[i], a, KNOWN_LEVEL, (uint64_t)i, 4);
		m = tap_memory(t, task);
		if (!result)
			result = find_keep(&samples[i], DUMP_TASK, m, m->base, err);
	}
	tap_free(t);
	return result;
}

/* The offset of the first number in struct pid; -1: unknown. */
static int32_t first_number(const struct arch *a, const struct specimen samples[2])
{
	struct error why;

	for (const struct member *m = members; m->path; m++)
		if (m->object == OBJECT_PID && m->dump == DUMP_PID && m->known == KNOWN_TGID)
			return find_member(m, a, samples, &why);
	return -1;
}

/* Behind each number is a pointer to its namespace, and before 4.15 two pointers more. */
static int look_behind(struct kernel *k, const pid_t pids[2], struct specimen samples[2],
		       struct error *err)
{
	const struct arch *a = kernel_arch(k);
	const int32_t first = first_number(a, samples);
	const uint32_t next = (uint32_t)first + 2 * a->word,
		       entry = memory_number(&samples[1].dumps[DUMP_PID], a, next) == 1 ? 2 : 4;
	int result = first < 0 ? fail(err, "a process's number is nowhere in its struct") : 0;

	for (uint32_t i = 0; i < 2 && !result; i++) {
		struct tap *t = tap_new(k, err);
		pid_t pid = pids[i];
		const int32_t via = first + (int32_t)((i * entry + 1) * a->word);
		int piece = t ? tap_add(t, looks_up, 1, via, PIDNS_BYTES, err) : -1;
		char path[48];
		struct stat st;

		result = piece < 0 || tap_fire(t, touch, &pid, err) ? -1 : 0;
		if (!result)
			result = find_keep(&samples[i], DUMP_PIDNS, tap_memory(t, piece), 0, err);
		snprintf(path, sizeof(path), "/proc/%d/ns/pid", pid);
		if (!result && !stat(path, &st))
			specimen_know_number(&samples[i], a, KNOWN_PIDNS_NUMBER, st.st_ino, 4);
		tap_free(t);
	}
	return result;
}

int find_pid(struct kernel *k, struct specimen samples[2], struct error *err)
{
	int hold[2], result = -1;
	pid_t pids[2];

	if (!kernel_has(k, FEATURE_ROOT_PIDNS))
		return namespace_not_initial(k, "", err);
	if (pipe2(hold, O_CLOEXEC))
		return fail_with(err, errno, "pipe(2): %m");
	pids[0] = make_child(0, hold);
	pids[1] = make_child(CLONE_NEWPID, hold);
	if (pids[0] < 0 || pids[1] < 0)
		fail_with(err, errno, "can't make a process in a pid namespace: %m");
	else
		result = look_at(k, pids, samples, err);
	if (!result)
		result = look_behind(k, pids, samples, err);
	close(hold[1]);
	close(hold[0]);
	for (int i = 0; i < 2; i++)
		if (pids[i] > 0)
			end(pids[i]);
	return result;
}
