// SPDX-License-Identifier: GPL-2.0
#include "src/session/source.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "backends/offsets/find.h"
#include "backends/replay/replay.h"
#include "backends/tracefs/try.h"
#include "compat/probing/running.h"
#include "src/lib/output/sink.h"

struct kernel *source_running_kernel(void)
{
	struct kernel *k = kernel_running();

	if (k) {
		kernel_set_finder(k, find_offsets);
		kernel_set_trier(k, try_function);
	}
	return k;
}

/* The rings of this machine. Who looks again later has to know that nothing is there any more. */
static int open_live(struct source *s, const char *name, const volatile sig_atomic_t *stop,
		     struct error *err)
{
	s->live = kernel_running();
	if (!s->live)
		return fail(err, "out of memory");
	s->recording = recording_live(s->live, name, stop, err);
	if (s->recording && recording_taken(s->recording))
		fprintf(sink_err(), "sonde: the events were taken out of the rings of %s, as this "
				    "kernel gives them only so: the next reader does not find "
				    "them\n", name);
	return s->recording ? 0 : -1;
}

int source_open(struct source *s, const char *input, const char *snapshot,
		const volatile sig_atomic_t *stop, struct error *err)
{
	static const struct backend *const replay[] = { &backend_replay, NULL };

	*s = (struct source){ .backends = input ? replay : backends, .records = input };
	if (!input)
		return 0;
	if (!snapshot && recording_is_live(input))
		return open_live(s, input, stop, err);
	if (!snapshot) {
		s->recording = recording_open(input, stop, err);
		return s->recording ? 0 : -1;
	}
	if (recording_is(input) || recording_is_live(input))
		return fail(err, "--snapshot does not go with %s: a recording has the facts of its "
				 "kernel", input);
	return access(input, R_OK) ?
	       fail_with(err, errno, "can't read the records of %s: %m", input) : 0;
}

void source_close(struct source *s)
{
	recording_close(s->recording);
	kernel_free(s->live);
	s->recording = NULL;
	s->live = NULL;
}

struct kernel *source_kernel(const struct source *s, const char *snapshot, struct error *err)
{
	struct kernel *k;

	if (snapshot)
		return kernel_snapshot(snapshot, err);
	k = s->recording ? recording_kernel(s->recording) : source_running_kernel();
	if (!k)
		fail(err, "out of memory");
	return k;
}
