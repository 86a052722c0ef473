// SPDX-License-Identifier: GPL-2.0
/*
 * This thread's own namespaces. The thread enters a new namespace of host names, which makes a new
 * struct nsproxy, and returns to its old namespace at the end. Nothing else changes for the thread.
 */
#include "backends/offsets/find_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NSPROXY_BYTES 64
#define MNTNS_BYTES 128

static const char switches[] = "switch_task_namespaces";

static int renew(void *arg, struct error *err)
{
	(void)arg;
	if (unshare(CLONE_NEWUTS))
		return fail_with(err, errno, "unshare(2): %m");
	return find_renice(0, err);
}

/* The struct nsproxy is made first. The task has it when its nice value is set. */
static int look_at(struct kernel *k, struct specimen samples[2], struct error *err)
{
	struct tap *t = tap_new(k, err);
	int made = t ? tap_add(t, switches, 2, -1, NSPROXY_BYTES, err) : -1;
	int task = made < 0 ? -1 : tap_add(t, "set_user_nice", 1, -1, TASK_BYTES, err);
	int result = task < 0 ? -1 : 0;

	for (int i = 0; i < 2 && !result; i++) {
		const struct memory *m;

		result = tap_fire(t, renew, NULL, err);
		if (result)
			break;
		m = tap_memory(t, made);
		result = find_keep(&samples[i], DUMP_NSPROXY, m, m->base, err);
		specimen_know_number(&samples[i], kernel_arch(k), KNOWN_NSPROXY, m->base,
				     kernel_arch(k)->word);
		m = tap_memory(t, task);
		if (!result)
			result = find_keep(&samples[i], DUMP_TASK, m, m->base, err);
	}
	tap_free(t);
	return result;
}

/* One of the pointers in struct nsproxy is to the mount namespace, which has its number. */
static int look_behind(struct kernel *k, uint32_t number, struct specimen samples[2],
		       struct error *err)
{
	const struct arch *a = kernel_arch(k);
	const struct memory *nsproxy = &samples[0].dumps[DUMP_NSPROXY];
	int pieces[NSPROXY_BYTES / 4], result = 0;
	struct tap *t = tap_new(k, err);

	for (uint32_t at = 0; t && at < NSPROXY_BYTES; at += a->word) {
		pieces[at / 4] = memory_pointer(nsproxy, a, at) ?
				 tap_add(t, switches, 2, (int32_t)at, MNTNS_BYTES, err) : -1;
	}
	result = t ? tap_fire(t, renew, NULL, err) : -1;
	for (uint32_t at = 0; !result && at < NSPROXY_BYTES; at += a->word) {
		const struct memory *m = pieces[at / 4] < 0 ? NULL : tap_memory(t, pieces[at / 4]);

		if (!m || !m->size || !memory_has(m, a, number, 4))
			continue;
		for (int i = 0; i < 2 && !result; i++) {
			specimen_know_number(&samples[i], a, KNOWN_MNTNS,
					     memory_pointer(nsproxy, a, at), a->word);
			specimen_know_number(&samples[i], a, KNOWN_MNTNS_NUMBER, number, 4);
			result = find_keep(&samples[i], DUMP_MNTNS, m, m->base, err);
		}
		break;
	}
	tap_free(t);
	return result;
}

int find_nsproxy(struct kernel *k, struct specimen samples[2], struct error *err)
{
	int own = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC), result;
	struct stat st;

	if (own < 0 || stat("/proc/self/ns/mnt", &st)) {
		result = fail_with(err, errno, "/proc/self/ns: %m");
	} else {
		result = look_at(k, samples, err);
		if (!result)
			result = look_behind(k, (uint32_t)st.st_ino, samples, err);
		if (setns(own, CLONE_NEWUTS))
			result = fail_with(err, errno, "setns(2): %m");
	}
	if (own >= 0)
		close(own);
	return result;
}
