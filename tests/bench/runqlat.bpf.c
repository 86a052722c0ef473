// SPDX-License-Identifier: GPL-2.0
/*
 * The logic of insns/programs/runqlat.c as a person writes it in C for clang: the same maps, slots
 * and counts.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* In prev_state, since 6.14; the workload has next to no preemption. */
#define PREEMPTED 0x100
#define DYING 0x70
#define SLOTS 496

struct wakeup {
	__u64 common;
	char comm[16];
	__s32 pid, prio, target_cpu;
};

struct sched_switch {
	__u64 common;
	char prev_comm[16];
	__s32 prev_pid, prev_prio;
	__s64 prev_state;
	char next_comm[16];
	__s32 next_pid, next_prio;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 32768);
	__type(key, __u32);
	__type(value, __u64);
} start SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SLOTS);
	__type(key, __u32);
	__type(value, __u64);
} hist SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} full SEC(".maps");

static __always_inline void put(__u32 pid, __u64 now)
{
	__u64 *n = bpf_map_lookup_elem(&start, &pid);
	__u32 zero = 0;

	if (n) {
		*n = now;
		return;
	}
	if (!bpf_map_update_elem(&start, &pid, &now, BPF_ANY))
		return;
	n = bpf_map_lookup_elem(&full, &zero);
	if (n)
		__sync_fetch_and_add(n, 1);
}

/* Every power of two from 8 on is cut into 8. */
static __always_inline __u32 slot_of(__u64 value)
{
	__u32 slot = 0;

	if (value >> 35) {
		value >>= 32;
		slot += 8 * 32;
	}
#define STEP(K) if (value >= 8 << (K)) { value >>= (K); slot += 8 * (K); }
	STEP(16) STEP(8) STEP(4) STEP(2) STEP(1)
	return slot + (__u32)value;
}

SEC("tracepoint/sched/sched_wakeup")
int on_wakeup(struct wakeup *ctx)
{
	put((__u32)ctx->pid, bpf_ktime_get_ns());
	return 1;
}

SEC("tracepoint/sched/sched_wakeup_new")
int on_wakeup_new(struct wakeup *ctx)
{
	put((__u32)ctx->pid, bpf_ktime_get_ns());
	return 1;
}

SEC("tracepoint/sched/sched_switch")
int on_switch(struct sched_switch *ctx)
{
	__u32 prev = (__u32)ctx->prev_pid, next = (__u32)ctx->next_pid, slot;
	__u64 now = 0, began, *t, *n;

	if (prev && !(ctx->prev_state & (PREEMPTED - 1)))
		put(prev, now = bpf_ktime_get_ns());
	else if (prev && ctx->prev_state & DYING)
		bpf_map_delete_elem(&start, &prev);
	if (!next)
		return 1;
	t = bpf_map_lookup_elem(&start, &next);
	if (!t)
		return 1;
	began = *t;
	*t = 0;
	if (!began)
		return 1;
	if (!now)
		now = bpf_ktime_get_ns();
	if (began > now)
		return 1;
	slot = slot_of((now - began) / 1000);
	n = bpf_map_lookup_elem(&hist, &slot);
	if (n)
		__sync_fetch_and_add(n, 1);
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
