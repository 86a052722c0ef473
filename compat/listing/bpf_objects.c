// SPDX-License-Identifier: GPL-2.0
#include "compat/listing/bpf_objects.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/bpf.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"

static const char *const program_types[] = {
	"unspec", "socket_filter", "kprobe", "sched_cls", "sched_act", "tracepoint", "xdp",
	"perf_event", "cgroup_skb", "cgroup_sock", "lwt_in", "lwt_out", "lwt_xmit", "sock_ops",
	"sk_skb", "cgroup_device", "sk_msg", "raw_tracepoint", "cgroup_sock_addr", "lwt_seg6local",
	"lirc_mode2", "sk_reuseport", "flow_dissector", "cgroup_sysctl", "raw_tracepoint_writable",
	"cgroup_sockopt", "tracing", "struct_ops", "ext", "lsm", "sk_lookup", "syscall",
	"netfilter",
};
static const char *const map_types[] = {
	"unspec", "hash", "array", "prog_array", "perf_event_array", "percpu_hash",
	"percpu_array", "stack_trace", "cgroup_array", "lru_hash", "lru_percpu_hash", "lpm_trie",
	"array_of_maps", "hash_of_maps", "devmap", "sockmap", "cpumap", "xskmap", "sockhash",
	"cgroup_storage", "reuseport_sockarray", "percpu_cgroup_storage", "queue", "stack",
	"sk_storage", "devmap_hash", "struct_ops", "ringbuf", "inode_storage", "task_storage",
	"bloom_filter", "user_ringbuf", "cgrp_storage", "arena",
};
static const char *const link_types[] = {
	"unspec", "raw_tracepoint", "tracing", "cgroup", "iter", "netns", "xdp", "perf_event",
	"kprobe_multi", "struct_ops", "netfilter", "tcx", "uprobe_multi", "netkit", "sockmap",
};

/* The beginnings of the kernel's structs (include/uapi/linux/bpf.h): older headers have less. */
struct program_info {
	uint32_t type, id;
	uint8_t tag[8];
	uint32_t lengths[2];
	uint64_t code[2], load_time;
	uint32_t uid, n_maps;
	uint64_t maps;
	char name[16];
	uint8_t other[112];
	uint64_t run_ns, runs;
};
_Static_assert(offsetof(struct program_info, run_ns) == 192, "as the kernel has it");
struct map_info {
	uint32_t type, id, key_size, value_size, entries, flags;
	char name[16];
};
struct link_info {
	uint32_t type, id, program;
};

static const struct {
	const char *link, *id;		/* the descriptor's link in /proc, a line of its fdinfo */
	const char *const *types;
	unsigned int n_types;
	int (*next)(uint32_t id, uint32_t *next);
	int (*open)(uint32_t id);
} kinds[BPF_KINDS] = {
	{ "anon_inode:bpf-prog", "prog_id:\t", program_types,
	  sizeof(program_types) / sizeof(program_types[0]), bpf_prog_get_next_id,
	  bpf_prog_get_fd_by_id },
	{ "anon_inode:bpf-map", "map_id:\t", map_types,
	  sizeof(map_types) / sizeof(map_types[0]), bpf_map_get_next_id, bpf_map_get_fd_by_id },
	{ "anon_inode:bpf_link", "link_id:\t", link_types,
	  sizeof(link_types) / sizeof(link_types[0]), bpf_link_get_next_id,
	  bpf_link_get_fd_by_id },
};

const char *bpf_type_name(enum bpf_kind kind, uint32_t type)
{
	return type < kinds[kind].n_types ? kinds[kind].types[type] : NULL;
}

/* The number behind `head` at the beginning of a line. Returns false if there is none. */
static bool number_of(const char *text, const char *head, uint64_t *number)
{
	for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (scan_text(&at, head))
			return scan_number(&at, UINT64_MAX, number);
	return false;
}

static void of_program(int fd, struct bpf_object *o)
{
	struct program_info info = { };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return;
	o->type = info.type;
	o->uid = info.uid;
	o->run_ns = info.run_ns;
	o->runs = info.runs;
	memcpy(o->name, info.name, sizeof(o->name));
}

static void of_map(int fd, struct bpf_object *o)
{
	struct map_info info = { };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return;
	o->type = info.type;
	o->key_size = info.key_size;
	o->value_size = info.value_size;
	o->entries = info.entries;
	memcpy(o->name, info.name, sizeof(o->name));
}

static void of_link(int fd, struct bpf_object *o)
{
	struct link_info info = { };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return;
	o->type = info.type;
	o->program = info.program;
}

static void describe(int fd, struct bpf_object *o)
{
	char path[64], text[1024];

	if (o->kind == BPF_KIND_PROGRAM)
		of_program(fd, o);
	else if (o->kind == BPF_KIND_MAP)
		of_map(fd, o);
	else
		of_link(fd, o);
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (file_read(path, text, sizeof(text)) >= 0)
		o->has_memory = number_of(text, "memlock:\t", &o->memory);
}

int bpf_objects(enum bpf_kind kind, struct bpf_object **objects, struct error *err)
{
	uint32_t id = 0;
	size_t n = 0;
	int result;

	*objects = NULL;
	while (!(result = kinds[kind].next(id, &id))) {
		int fd = kinds[kind].open(id);

		if (fd < 0)
			continue;		/* it is gone */
		if (array_room(objects, n, sizeof(**objects))) {
			close(fd);
			return fail(err, "out of memory");
		}
		(*objects)[n] = (struct bpf_object){ .kind = kind, .id = id };
		describe(fd, &(*objects)[n++]);
		close(fd);
	}
	if (result == -ENOENT)
		return (int)n;
	return result == -EPERM ?
		fail(err, "no permission: it needs root, or CAP_SYS_ADMIN") :
		fail_with(err, -result, "this kernel does not tell which there are (since %s): %m",
			  kind == BPF_KIND_LINK ? "5.8" : "4.13");
}

/* By the kernel's enum bpf_task_fd_type. */
static const char *const event_types[] = {
	"raw_tracepoint", "tracepoint", "kprobe", "kretprobe", "uprobe", "uretprobe",
};
#define UPROBES 4			/* types from here on have a file */

/* Sets the program and the type of a perf event. Returns false if it has no program. */
static bool event_held(struct bpf_holder *h)
{
	uint32_t length = 0, type = 0;
	__u64 offset, address;

	if (bpf_task_fd_query((int)h->pid, (int)h->fd, 0, NULL, &length, &h->id, &type, &offset,
			      &address) || !h->id)
		return false;
	h->event = type < sizeof(event_types) / sizeof(event_types[0]) ? event_types[type] :
		   "event";
	return true;
}

void bpf_event_place(const struct bpf_holder *h, char *place, size_t size)
{
	uint32_t length = (uint32_t)size - 24, program, type;
	__u64 offset = 0, address = 0;
	struct strbuf more;
	size_t n;

	*place = '\0';
	if (bpf_task_fd_query((int)h->pid, (int)h->fd, 0, place, &length, &program, &type, &offset,
			      &address))
		return;
	n = strlen(place);
	more = strbuf_over(place + n, size - n);
	if (type >= UPROBES)
		strbuf_addf(&more, ":0x%llx", (unsigned long long)offset);
	else if (!n && address)
		strbuf_addf(&more, "0x%llx", (unsigned long long)address);
	else if (offset)
		strbuf_addf(&more, "+0x%llx", (unsigned long long)offset);
}

/* What a descriptor is, if it is an object of BPF. */
static bool held(uint32_t pid, const char *name, struct bpf_holder *h)
{
	char path[320], link[64], text[1024];
	const char *at = name;
	uint64_t number;

	text_all(path, sizeof(path), "/proc/%u/fd/%s", pid, name);
	if (file_link(AT_FDCWD, path, link, sizeof(link)) < 0 ||
	    !scan_number(&at, INT32_MAX, &number))
		return false;
	*h = (struct bpf_holder){ .pid = pid, .fd = (uint32_t)number };
	if (!strcmp(link, "anon_inode:[perf_event]"))
		return event_held(h);
	while (h->kind < BPF_KINDS && strcmp(link, kinds[h->kind].link))
		h->kind++;
	if (h->kind == BPF_KINDS)
		return false;
	text_all(path, sizeof(path), "/proc/%u/fdinfo/%s", pid, name);
	if (file_read(path, text, sizeof(text)) >= 0 &&
	    number_of(text, kinds[h->kind].id, &number))
		h->id = (uint32_t)number;
	return true;
}

static int of_process(uint32_t pid, struct bpf_holder **holders, size_t *n, unsigned int *denied)
{
	char path[32];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	dir = opendir(path);
	if (!dir) {
		*denied += errno == EACCES;	/* or it has ended */
		return 0;
	}
	while ((entry = readdir(dir))) {
		struct bpf_holder h;

		if (!held(pid, entry->d_name, &h))
			continue;
		if (array_room(holders, *n, sizeof(**holders))) {
			closedir(dir);
			return -1;
		}
		(*holders)[(*n)++] = h;
	}
	closedir(dir);
	return 0;
}

int bpf_holders(struct bpf_holder **holders, unsigned int *denied, struct error *err)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	size_t n = 0;

	*holders = NULL;
	*denied = 0;
	if (!dir)
		return fail_with(err, errno, "/proc can't be read: %m");
	while ((entry = readdir(dir))) {
		const char *at = entry->d_name;
		uint64_t pid;

		if (!scan_number(&at, INT32_MAX, &pid) || !scan_end(&at))
			continue;
		if (of_process((uint32_t)pid, holders, &n, denied)) {
			closedir(dir);
			return fail(err, "out of memory");
		}
	}
	closedir(dir);
	return (int)n;
}

int bpf_statistics(struct error *err)
{
	int fd = bpf_enable_stats(0);
	char line[8];

	if (fd >= 0)
		return fd;
	if (file_line("/proc/sys/kernel/bpf_stats_enabled", line, sizeof(line)) && *line == '1')
		return -1;
	fail(err, "%s", fd == -EPERM ? "no permission: it needs root, or CAP_SYS_ADMIN" :
	     "this kernel counts no runs of programs for a time (since 5.8); since 5.1 "
	     "`sysctl kernel.bpf_stats_enabled=1` makes it count");
	return -2;
}
