// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/flight/flight_internal.h"

#include <inttypes.h>
#include <unistd.h>

#include "src/lib/output/sink.h"

#define HEAD_BYTES (1U << 20)	/* formats, and names of tasks: an estimate from above */

static double seconds(uint64_t ns)
{
	return (double)ns / (double)NS_PER_SECOND;
}

/* What the file will not have. */
static void tell_less(const struct flight *f, const struct flight_rings *rings, uint64_t from)
{
	const uint64_t names = flight_names_since(f->names);

	if (from == rings->reach && from > f->began)
		fprintf(sink_err(), "sonde: record: the ring of CPU %u holds only %.3g s: larger "
				    "rings with --buffer-pages (now %u)\n", rings->shortest,
			seconds(rings->end - from), f->setup->pages);
	if (from > f->first)
		fprintf(sink_err(), "sonde: record: the file begins %.3g s behind the trigger: "
				    "events before it were overwritten\n",
			seconds(from - f->first));
	if (names > from)
		fprintf(sink_err(), "sonde: record: names of tasks are known only for the last "
				    "%.3g s\n", seconds(names < rings->end ? rings->end - names :
						       0));
}

static uint64_t bytes_of(const struct flight *f, const struct flight_rings *rings)
{
	uint64_t all = HEAD_BYTES;
	size_t log;

	for (unsigned int i = 0; i < rings->n; i++) {
		flight_names_log(f->names, i, &log);
		all += rings->list[i].size + log;
	}
	return all;
}

static int write_file(struct flight *f, const struct flight_rings *rings,
		      struct flight_written *w, uint64_t *bytes, struct error *err)
{
	struct perf_writer *writer = perf_writer_open(f->files.part, &f->head, err);
	int result;

	if (!writer)
		return -1;
	result = flight_write(rings, f->names, writer, w, err);
	*bytes = perf_writer_bytes(writer);
	return perf_writer_close(writer, result ? NULL : err) || result ? -1 : 0;
}

static int keep(struct flight *f, struct flight_rings *rings, struct error *err)
{
	const uint64_t last = f->setup->options->last_ns;
	struct flight_written w = { };
	unsigned int number;
	uint64_t bytes, to;

	rings->times = backward_times(&f->setup->events->list[0].attr);
	if (flight_rings_take(rings, f->recorder, f->began, err))
		return -1;
	flight_names_read(f);
	/* of the time before the first trigger: a file that comes late begins no later */
	to = f->first + FLIGHT_AFTER_NS < rings->end ? f->first + FLIGHT_AFTER_NS : rings->end;
	w.from = to > last ? to - last : 0;
	if (flight_names_pass(f->names, w.from > FLIGHT_EXIT_NS ? w.from - FLIGHT_EXIT_NS : 0, err))
		return -1;
	w.from = rings->reach > w.from ? rings->reach : w.from;
	w.to = rings->end;
	flight_files_room(&f->files, bytes_of(f, rings));
	if (write_file(f, rings, &w, &bytes, err) || flight_files_keep(&f->files, &number, err)) {
		unlink(f->files.part);
		return -1;
	}
	fprintf(sink_err(), "sonde: record: %s/" FLIGHT_NAME "%04u: %" PRIu64 " events of %.1f s, "
			    "%.1f MB, by %s\n", f->files.path, number, w.events,
		seconds(w.to - w.from), (double)bytes / 1e6, f->reason);
	if (f->asked > 1)
		fprintf(sink_err(), "sonde: record: %u more triggers until then are in this file\n",
			f->asked - 1);
	tell_less(f, rings, w.from);
	return 0;
}

void flight_keep(struct flight *f)
{
	struct flight_rings rings = { };
	struct error err = { };

	if (keep(f, &rings, &err)) {
		sink_complain("sonde: record: ", &err);
		fprintf(sink_err(), "sonde: record: no file was written, by %s\n", f->reason);
		f->failed++;
	} else {
		f->written++;
	}
	flight_rings_free(&rings);
	if (f->left_out)
		fprintf(sink_err(), "sonde: record: %u triggers before were left out: --every has "
				    "a longer time than --last\n", f->left_out);
	f->left_out = f->asked = 0;
	f->next = monotonic_ns() + f->setup->options->every_ns;
}
