// SPDX-License-Identifier: GPL-2.0
#include "insns/lower/helpers.h"

#include <stddef.h>

#include "compat/kernel/kernel.h"
#include "insns/verifier/check.h"

#define ENTRIES	(1 << MAP_HASH | 1 << MAP_ARRAY | 1 << MAP_PERCPU_ARRAY | 1 << MAP_WALKED)
#define HASHES	(1 << MAP_HASH)
#define OUTPUTS	(1 << MAP_OUTPUT)
#define STACKS	(1 << MAP_STACKS)
#define CGROUPS	(1 << MAP_CGROUP)
#define V(major, minor) KERNEL_VERSION_OF(major, minor)

/*
 * Kernels: the first version in which programs of the type have the helper. It may be later than
 * the helper itself (programs on kprobes got get_smp_processor_id in 4.4).
 */
static const struct helper helpers[] = {
	{ BPF_FUNC_map_lookup_elem, "map_lookup_elem", { ARG_MAP, ARG_KEY },
	  ENTRIES, RESULT_VALUE, V(4, 1), V(4, 7), HELPER_ALL },
	{ BPF_FUNC_map_update_elem, "map_update_elem", { ARG_MAP, ARG_KEY, ARG_VALUE, ARG_NUMBER },
	  ENTRIES, RESULT_NUMBER, V(4, 1), V(4, 7), HELPER_ALL },
	{ BPF_FUNC_map_delete_elem, "map_delete_elem", { ARG_MAP, ARG_KEY },
	  HASHES, RESULT_NUMBER, V(4, 1), V(4, 7), HELPER_ALL },
	{ BPF_FUNC_probe_read, "probe_read", { ARG_WRITE, ARG_SIZE, ARG_ADDRESS },
	  0, RESULT_NUMBER, V(4, 1), V(4, 7), HELPER_NO },
	{ BPF_FUNC_ktime_get_ns, "ktime_get_ns", { ARG_NONE },
	  0, RESULT_NUMBER, V(4, 1), V(4, 7), HELPER_ALL },
	{ BPF_FUNC_get_smp_processor_id, "get_smp_processor_id", { ARG_NONE },
	  0, RESULT_NUMBER, V(4, 4), V(4, 7), HELPER_ALL },
	{ BPF_FUNC_get_current_pid_tgid, "get_current_pid_tgid", { ARG_NONE },
	  0, RESULT_NUMBER, V(4, 2), V(4, 7), HELPER_ALL },
	{ BPF_FUNC_get_current_uid_gid, "get_current_uid_gid", { ARG_NONE },
	  0, RESULT_NUMBER, V(4, 2), V(4, 7), HELPER_NO },
	{ BPF_FUNC_get_current_comm, "get_current_comm", { ARG_WRITE, ARG_SIZE },
	  0, RESULT_NUMBER, V(4, 2), V(4, 7), HELPER_ALL },
	{ BPF_FUNC_get_current_task, "get_current_task", { ARG_NONE },
	  0, RESULT_NUMBER, V(4, 8), V(4, 8), HELPER_NO },
	{ BPF_FUNC_get_prandom_u32, "get_prandom_u32", { ARG_NONE },
	  0, RESULT_NUMBER, V(4, 10), V(4, 10), HELPER_ALL },
	{ BPF_FUNC_get_numa_node_id, "get_numa_node_id", { ARG_NONE },
	  0, RESULT_NUMBER, V(4, 10), V(4, 10), HELPER_OWN },
	{ BPF_FUNC_ktime_get_boot_ns, "ktime_get_boot_ns", { ARG_NONE },
	  0, RESULT_NUMBER, V(5, 8), V(5, 8), HELPER_OWN },
	{ BPF_FUNC_ktime_get_tai_ns, "ktime_get_tai_ns", { ARG_NONE },
	  0, RESULT_NUMBER, V(6, 1), V(6, 1), HELPER_OWN },
	{ BPF_FUNC_jiffies64, "jiffies64", { ARG_NONE },
	  0, RESULT_NUMBER, V(5, 9), V(5, 9), HELPER_NO },
	{ BPF_FUNC_send_signal, "send_signal", { ARG_NUMBER },
	  0, RESULT_NUMBER, V(5, 3), V(5, 3), HELPER_NO },
	{ BPF_FUNC_current_task_under_cgroup, "current_task_under_cgroup", { ARG_MAP, ARG_NUMBER },
	  CGROUPS, RESULT_NUMBER, V(4, 9), V(4, 9), HELPER_NO },
	{ BPF_FUNC_get_current_cgroup_id, "get_current_cgroup_id", { ARG_NONE },
	  0, RESULT_NUMBER, V(4, 18), V(4, 18), HELPER_NO },
	{ BPF_FUNC_perf_event_output, "perf_event_output",
	  { ARG_CONTEXT, ARG_MAP, ARG_NUMBER, ARG_READ, ARG_SIZE },
	  OUTPUTS, RESULT_NUMBER, V(4, 4), V(4, 7), HELPER_NO },
	{ BPF_FUNC_get_stackid, "get_stackid", { ARG_CONTEXT, ARG_MAP, ARG_NUMBER },
	  STACKS, RESULT_NUMBER, V(4, 6), V(4, 7), HELPER_NO },
	{ BPF_FUNC_probe_read_str, "probe_read_str", { ARG_WRITE, ARG_SIZE, ARG_ADDRESS },
	  0, RESULT_NUMBER, V(4, 11), V(4, 11), HELPER_NO },
	{ BPF_FUNC_probe_read_user, "probe_read_user", { ARG_WRITE, ARG_SIZE, ARG_ADDRESS },
	  0, RESULT_NUMBER, V(5, 5), V(5, 5), HELPER_NO },
	{ BPF_FUNC_probe_read_kernel, "probe_read_kernel", { ARG_WRITE, ARG_SIZE, ARG_ADDRESS },
	  0, RESULT_NUMBER, V(5, 5), V(5, 5), HELPER_NO },
	{ BPF_FUNC_probe_read_user_str, "probe_read_user_str", { ARG_WRITE, ARG_SIZE, ARG_ADDRESS },
	  0, RESULT_NUMBER, V(5, 5), V(5, 5), HELPER_NO },
	{ BPF_FUNC_probe_read_kernel_str, "probe_read_kernel_str",
	  { ARG_WRITE, ARG_SIZE, ARG_ADDRESS },
	  0, RESULT_NUMBER, V(5, 5), V(5, 5), HELPER_NO },
	{ BPF_FUNC_get_ns_current_pid_tgid, "get_ns_current_pid_tgid",
	  { ARG_NUMBER, ARG_NUMBER, ARG_WRITE, ARG_SIZE },
	  0, RESULT_NUMBER, V(5, 7), V(5, 7), HELPER_NO },
	{ BPF_FUNC_get_attach_cookie, "get_attach_cookie", { ARG_CONTEXT },
	  0, RESULT_NUMBER, V(5, 15), V(5, 15), HELPER_NO },
	{ BPF_FUNC_get_current_task_btf, "get_current_task_btf", { ARG_NONE },
	  0, RESULT_TASK, V(5, 11), V(5, 11), HELPER_NO },
	{ BPF_FUNC_task_pt_regs, "task_pt_regs", { ARG_TASK },
	  0, RESULT_REGISTERS, V(5, 15), V(5, 15), HELPER_NO },
	{ HELPER_LOOP, "loop", { ARG_NUMBER, ARG_FUNCTION, ARG_FRAME, ARG_NUMBER },
	  0, RESULT_NUMBER, V(5, 17), V(5, 17), HELPER_NO },
	/* of iterators only */
	{ BPF_FUNC_seq_write, "seq_write", { ARG_ADDRESS, ARG_READ, ARG_SIZE },
	  0, RESULT_NUMBER, 0, 0, HELPER_NO },
	{ BPF_FUNC_d_path, "d_path", { ARG_ADDRESS, ARG_WRITE, ARG_SIZE },
	  0, RESULT_NUMBER, 0, 0, HELPER_NO },
	{ BPF_FUNC_ringbuf_output, "ringbuf_output", { ARG_MAP, ARG_READ, ARG_SIZE, ARG_NUMBER },
	  OUTPUTS, RESULT_NUMBER, V(5, 8), V(5, 8), HELPER_NO },
	{ BPF_FUNC_ringbuf_query, "ringbuf_query", { ARG_MAP, ARG_NUMBER },
	  OUTPUTS, RESULT_NUMBER, V(5, 8), V(5, 8), HELPER_NO },
	{ RING_STRING_LOC, "string_loc", { ARG_DATA_LOC, ARG_NUMBER },
	  0, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_STRING_ARRAY, "string_array", { ARG_RECORD, ARG_SIZE },
	  0, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_STRING_PART, "string_part", { ARG_NUMBER }, 0, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_STRING_PIECES, "string_pieces", { ARG_RECORD, ARG_SIZE, ARG_WORD, ARG_WORD },
	  0, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_ROW_ENDS, "row_ends", { ARG_RECORD, ARG_SIZE, ARG_WORD, ARG_WORD },
	  0, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_READ_STRING, "read_string", { ARG_WRITE, ARG_SIZE, ARG_NUMBER },
	  0, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_OUTPUT, "output", { ARG_MAP, ARG_READ, ARG_SIZE },
	  OUTPUTS, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_STACK, "stack", { ARG_MAP, ARG_NUMBER }, STACKS, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_COUNT_FULL, "count_full", { ARG_NONE }, 0, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_COUNT_UNKNOWN, "count_unknown", { ARG_NONE }, 0, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_IN_SCOPE, "in_scope", { ARG_NONE }, 0, RESULT_NUMBER, 0, 0, HELPER_ALL },
	{ RING_READ_KERNEL, "read_kernel", { ARG_WRITE, ARG_SIZE, ARG_ADDRESS },
	  0, RESULT_NUMBER, 0, 0, HELPER_OWN },
	{ RING_READ_KERNEL_TEXT, "read_kernel_text", { ARG_WRITE, ARG_SIZE, ARG_ADDRESS },
	  0, RESULT_NUMBER, 0, 0, HELPER_OWN },
	{ RING_SEARCH, "search", { ARG_READ, ARG_SIZE, ARG_READ, ARG_SIZE },
	  0, RESULT_NUMBER, 0, 0, HELPER_OWN },
};

const struct helper *helper_by_number(int32_t number)
{
	for (unsigned int i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (helpers[i].number == number)
			return &helpers[i];
	return NULL;
}

bool helper_in(struct kernel *k, int32_t number)
{
	const struct helper *h = helper_by_number(number);

	return h && h->kprobe && kernel_version_code(k) >> 8 >= h->kprobe;
}
