// SPDX-License-Identifier: GPL-2.0
/* Jobs about what tasks are in: cgroups, namespaces, and BPF maps of their ids. */
#include <linux/bpf.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "work.h"

#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#define INTO_CGROUP 0x200000000ULL	/* 5.7 */

static int wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		die("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* A child that is in the cgroup from its first moment. */
static int job_born(int argc, char **argv)
{
	struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, size, tls,
			 set_tid, set_tid_size, cgroup;
	} clone3 = { .flags = INTO_CGROUP, .exit_signal = SIGCHLD };
	int dir = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long child;

	(void)argc;
	if (dir < 0)
		die(argv[1]);
	clone3.cgroup = (uint64_t)dir;
	child = syscall(SYS_clone3, &clone3, sizeof(clone3));
	if (child < 0)
		die("clone3");
	if (child)
		return wait_for((pid_t)child);
	execvp(argv[2], argv + 2);
	die(argv[2]);
}

/* A child in a pid namespace of its own, and a mount namespace. */
static int job_apart(int argc, char **argv)
{
	pid_t child;

	(void)argc;
	if (unshare(CLONE_NEWPID | CLONE_NEWNS))
		die("unshare");
	child = fork();
	if (child < 0)
		die("fork");
	if (child)
		return wait_for(child);
	execvp(argv[1], argv + 1);
	die(argv[1]);
}

/* A cgroup's id is its file handle; before 4.14 there is none, and the inode's number is the id. */
static int job_id(int argc, char **argv)
{
	union {
		struct file_handle handle;
		char bytes[sizeof(struct file_handle) + sizeof(uint64_t)];
	} h = { .handle.handle_bytes = sizeof(uint64_t) };
	unsigned long long id = 0;
	struct stat st;
	int mount;

	(void)argc;
	if (!name_to_handle_at(AT_FDCWD, argv[1], &h.handle, &mount, 0) &&
	    h.handle.handle_bytes == sizeof(id))
		memcpy(&id, h.handle.f_handle, sizeof(id));
	else if (!stat(argv[1], &st))
		id = st.st_ino;
	else
		die(argv[1]);
	say("%llu\n", id);
	return 0;
}

static long bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* A map of this type, key and value, pinned to the file. */
static int job_pin(int argc, char **argv)
{
	union bpf_attr attr = {
		.map_type = (uint32_t)number(argv[2]), .key_size = (uint32_t)number(argv[3]),
		.value_size = (uint32_t)number(argv[4]), .max_entries = 64,
	};
	long map = bpf(BPF_MAP_CREATE, &attr);

	(void)argc;
	if (map < 0)
		die("BPF_MAP_CREATE");
	memset(&attr, 0, sizeof(attr));
	attr.pathname = (uintptr_t)argv[1];
	attr.bpf_fd = (uint32_t)map;
	if (bpf(BPF_OBJ_PIN, &attr))
		die("BPF_OBJ_PIN");
	return 0;
}

/* Adds a key of 8 bytes to the map, or removes it. */
static int change(char **argv, int command)
{
	uint64_t key = strtoull(argv[2], NULL, 10), value = 0;
	union bpf_attr attr = { .pathname = (uintptr_t)argv[1] };
	long map = bpf(BPF_OBJ_GET, &attr);

	if (map < 0)
		die("BPF_OBJ_GET");
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)map;
	attr.key = (uintptr_t)&key;
	if (command == BPF_MAP_UPDATE_ELEM)
		attr.value = (uintptr_t)&value;
	if (bpf(command, &attr))
		die("bpf");
	return 0;
}

static int job_pinned(int argc, char **argv)
{
	(void)argc;
	return change(argv, BPF_MAP_UPDATE_ELEM);
}

static int job_unpinned(int argc, char **argv)
{
	(void)argc;
	return change(argv, BPF_MAP_DELETE_ELEM);
}

const struct job within_jobs[] = {
	{ "born", "CGROUP COMMAND...", 2, job_born,
	  "what the command does, a child that clone3(2) makes in the cgroup" },
	{ "apart", "COMMAND...", 1, job_apart,
	  "what the command does, a child in a pid and a mount namespace of its own" },
	{ "id", "CGROUP", 1, job_id, "the cgroup's id" },
	{ "pin", "FILE TYPE KEY VALUE", 4, job_pin,
	  "nothing; makes a BPF map with such sizes, and pins it to the file" },
	{ "pinned", "FILE ID", 2, job_pinned, "nothing; adds a key to the pinned map" },
	{ "unpinned", "FILE ID", 2, job_unpinned, "nothing; removes a key of the pinned map" },
	{ 0 }
};
