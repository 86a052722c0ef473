// SPDX-License-Identifier: GPL-2.0
/*
 * Records that are missing. The kernel tells them in a ring, with the next record that has room
 * (LOST). perf 6.1 and later ask the kernel at the end how many each event lost in all, and write
 * that without a time (LOST_SAMPLES): those that were told, and those behind a ring's last record.
 */
#include <linux/perf_event.h>

#include "compat/recordings/perf/perf_data.h"

#define BY_A_FILTER (1U << 15)	/* misc: samples that perf was told to leave out */

/* The CPU of each id: u64 number, id, index, CPU, thread. -1 is any CPU. */
int perf_losses_index(struct recording *r, struct perf_record *record, struct error *err)
{
	uint64_t n = cursor_u64(&record->body);

	while (n-- && !record->body.broken) {
		const uint64_t id = cursor_u64(&record->body);
		struct perf_id *known = hash_find(&perf_data_of(r)->ids, &id, sizeof(id));
		uint64_t cpu;

		cursor_u64(&record->body);
		cpu = cursor_u64(&record->body);
		cursor_u64(&record->body);
		if (known && cpu < CPUS_MOST)
			known->cpu = (uint32_t)cpu;
	}
	return record->body.broken ? recording_fails(r, "its list of ids is cut short", err) : 0;
}

static int take(struct recording *r, struct perf_record *record, struct perf_sample *s,
		struct recorded *to, struct error *err)
{
	to->kind = RECORDED_LOST;
	to->lost.count = cursor_u64(&record->body);
	return !record->body.broken && perf_sample_end(r, record, s) ? 0 :
	       recording_fails(r, "a note of losses can't be read", err);
}

/* The id of the event, and the number of its records that are missing. */
int perf_losses_read(struct recording *r, struct perf_record *record, struct recorded *to,
		     struct error *err)
{
	struct perf_sample s;

	cursor_u64(&record->body);
	if (take(r, record, &s, to, err) || perf_record_on_cpu(r, &s, to, err) < 0)
		return -1;
	r->changes.lost = true;
	perf_data_of(r)->cpus[s.cpu].told += to->lost.count;
	return 1;
}

/* With a time it is the kernel's, of a counter whose buffer was full. */
int perf_losses_counted(struct recording *r, struct perf_record *record, struct recorded *to,
			struct error *err)
{
	struct perf_data *p = perf_data_of(r);
	const struct perf_id *known;
	struct perf_sample s;
	uint32_t cpu = 0;

	if (take(r, record, &s, to, err))
		return -1;
	if (s.time)
		return perf_record_on_cpu(r, &s, to, err);
	if (record->misc & BY_A_FILTER)
		return 0;
	known = hash_find(&p->ids, &s.id, sizeof(s.id));
	if (known && s.attr->sample_type & PERF_SAMPLE_CPU && known->cpu < r->cpus)
		cpu = known->cpu;
	p->cpus[cpu].counted += to->lost.count;
	return 0;
}

/* Where the CPU is unknown all are counted on the first, and told elsewhere: the sum is right. */
int perf_losses_rest(struct recording *r, struct recorded *to)
{
	struct perf_data *p = perf_data_of(r);
	uint64_t told = 0, counted = 0;

	for (uint32_t i = 0; i < r->cpus; i++) {
		told += p->cpus[i].told;
		counted += p->cpus[i].counted;
	}
	for (uint32_t i = 0; i < r->cpus && counted > told; i++) {
		struct perf_cpu *cpu = &p->cpus[i];
		uint64_t n = cpu->counted - cpu->told;

		if (cpu->counted <= cpu->told)
			continue;
		n = n < counted - told ? n : counted - told;
		*to = (struct recorded){ .kind = RECORDED_LOST, .cpu = i, .time = p->newest,
					 .lost = { .from = cpu->seen, .count = n } };
		cpu->told += n;
		return 1;
	}
	return 0;
}
