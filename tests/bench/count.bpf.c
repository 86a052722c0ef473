// SPDX-License-Identifier: GPL-2.0
/* The logic of count.c as a person writes it in C for clang. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct key {
	__u32 epoch, pad;
	char comm[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct key);
	__type(value, __u64);
} counts SEC(".maps");

enum { EPOCH, FULL };
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u64);
} state SEC(".maps");

SEC("tracepoint/syscalls/sys_enter_openat")
int on_open(void *ctx)
{
	__u32 epoch = EPOCH, full = FULL;
	__u64 one = 1, *n = bpf_map_lookup_elem(&state, &epoch);
	struct key key = { };

	if (n)
		key.epoch = (__u32)*n;
	bpf_get_current_comm(key.comm, sizeof(key.comm));
	n = bpf_map_lookup_elem(&counts, &key);
	if (!n) {
		if (!bpf_map_update_elem(&counts, &key, &one, BPF_NOEXIST))
			return 1;
		n = bpf_map_lookup_elem(&counts, &key);
	}
	if (!n)
		n = bpf_map_lookup_elem(&state, &full);
	if (n)
		__sync_fetch_and_add(n, 1);
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
