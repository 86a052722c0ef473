// SPDX-License-Identifier: GPL-2.0
/*
 * The logic of insns/programs/opensnoop.c as a person writes it in C for clang: the same maps,
 * record, reads and counts.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define PATH_READ 264
#define RING_BYTES (512 * 1024)

struct enter {
	__u64 common;
	__u64 number;
	__s64 dfd;
	const char *filename;
	__u64 flags, mode;
};

struct exit {
	__u64 common;
	__u64 number;
	__s64 ret;
};

struct start {
	__u64 flags;
	__u32 mode;
	__s32 dfd;
	const char *filename;
};

struct record {
	__u64 time, pid_tgid, flags;
	__u32 mode;
	__s32 dfd, ret;
	__u32 uid;
	char comm[16];
	__s64 path_length;
	char path[PATH_READ];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 10240);
	__type(key, __u32);
	__type(value, struct start);
} start SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RING_BYTES);
} events SEC(".maps");

enum { FAILED, FULL };
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

const volatile __u32 self;

static __always_inline void count(__u32 what)
{
	__u64 *n = bpf_map_lookup_elem(&counts, &what);

	if (n)
		__sync_fetch_and_add(n, 1);
}

SEC("tracepoint/syscalls/sys_enter_openat")
int on_enter(struct enter *ctx)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	__u32 tid = (__u32)pid_tgid;
	struct start s = { .flags = (__s32)ctx->flags, .mode = (__u16)ctx->mode,
			   .dfd = (__s32)ctx->dfd,
			   .filename = ctx->filename };

	if (pid_tgid >> 32 == self)
		return 1;
	if (bpf_map_update_elem(&start, &tid, &s, BPF_ANY))
		count(FULL);
	return 1;
}

SEC("tracepoint/syscalls/sys_exit_openat")
int on_exit(struct exit *ctx)
{
	struct record r;
	const char *filename;
	struct start *s;
	__u64 flags, waiting;
	__u32 tid;

	r.pid_tgid = bpf_get_current_pid_tgid();
	tid = (__u32)r.pid_tgid;
	s = bpf_map_lookup_elem(&start, &tid);
	if (!s)
		return 1;
	r.flags = s->flags;
	r.mode = s->mode;
	r.dfd = s->dfd;
	filename = s->filename;
	bpf_map_delete_elem(&start, &tid);
	r.ret = (__s32)ctx->ret;
	r.time = bpf_ktime_get_ns();
	r.uid = (__u32)bpf_get_current_uid_gid();
	bpf_get_current_comm(r.comm, sizeof(r.comm));
	r.path_length = bpf_probe_read_user_str(r.path, sizeof(r.path), filename);
	waiting = bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA);
	flags = waiting > RING_BYTES / 4 && waiting <= RING_BYTES / 4 + 4096 ? BPF_RB_FORCE_WAKEUP :
		BPF_RB_NO_WAKEUP;
	if (bpf_ringbuf_output(&events, &r, sizeof(r), flags))
		count(FAILED);
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
