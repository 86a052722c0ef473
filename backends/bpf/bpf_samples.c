// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_samples.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "backends/bpf/bpf_attach.h"
#include "backends/rings/perf_ring.h"
#include "compat/base/cpus.h"
#include "compat/base/perf_event.h"
#include "compat/kinds/kinds.h"

/* The event is enabled after the program is attached; the kernel samples from then on. */
static int attach(int fd, int program)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) ?
	       -1 : 0;
}

static void close_fd(struct sampling *s, unsigned int cpu)
{
	if (s->fds[cpu] >= 0)
		close(s->fds[cpu]);
	s->fds[cpu] = -1;
}

static int open_cpu(void *arg, unsigned int cpu, struct error *err)
{
	struct sampling *s = arg;
	struct perf_event_attr attr = {
		.freq = !s->event->period,
		.sample_period = s->event->period ? s->event->period : s->event->frequency,
		.disabled = 1,
	};
	char title[BPF_EVENT_TITLE];
	int error;

	sampled_attr(s->event->by, s->event->address, s->event->frequency, &attr);
	s->fds[cpu] = perf_event_open(&attr, ANY_TASK, (int)cpu);
	if (s->fds[cpu] >= 0 && (s->program < 0 || !attach(s->fds[cpu], s->program)))
		return 0;
	error = errno;
	close_fd(s, cpu);
	return error == ENODEV ? 1 : perf_open_failed(error, bpf_event_title(s->event, title), err);
}

static int close_cpu(void *arg, unsigned int cpu, struct error *err)
{
	(void)err;
	close_fd(arg, cpu);
	return 0;
}

static const struct cpu_owner owner = { open_cpu, close_cpu, NULL };

int bpf_samples_open(struct bpf_samples *s, struct kernel *k, const struct event *event,
		     unsigned int attachment, FILE *verbose, struct error *err)
{
	unsigned int possible = cpu_list_limit(kernel_text(k, CPUS_POSSIBLE));
	struct sampling *of = &s->of[s->n_of];

	if (s->n_of == sizeof(s->of) / sizeof(s->of[0]))
		return fail(err, "too many sampling events");
	*of = (struct sampling){ .event = event, .attachment = attachment, .program = -1 };
	of->follow = (struct cpu_follow){
		.owner = &owner,
		.arg = of,
		.list = CPUS_ONLINE,
		.n = possible ? possible : (unsigned int)sysconf(_SC_NPROCESSORS_CONF),
		.name = "bpf: samples",
		.verbose = verbose,
	};
	of->fds = malloc(of->follow.n * sizeof(*of->fds));
	if (!of->fds)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < of->follow.n; i++)
		of->fds[i] = -1;
	s->n_of++;
	if (cpu_follow_begin(&of->follow, err))
		return -1;
	return of->follow.n_open ? 0 : fail(err, "no CPU can be sampled: none is online");
}

int bpf_samples_attach(struct bpf_samples *s, unsigned int attachment, int program)
{
	for (unsigned int i = 0; i < s->n_of; i++) {
		struct sampling *of = &s->of[i];

		if (of->attachment != attachment)
			continue;
		for (unsigned int cpu = 0; cpu < of->follow.n; cpu++)
			if (of->fds[cpu] >= 0 && attach(of->fds[cpu], program))
				return -1;
		of->program = program;
	}
	return 0;
}

void bpf_samples_follow(struct bpf_samples *s)
{
	struct error unopened;		/* a CPU that is not sampled counts as uncovered */

	for (unsigned int i = 0; i < s->n_of; i++)
		if (s->of[i].program >= 0)
			cpu_follow(&s->of[i].follow, &unopened);
}

void bpf_samples_stop(struct bpf_samples *s)
{
	for (unsigned int i = 0; i < s->n_of; i++)
		cpu_follow_stop(&s->of[i].follow);
}

uint64_t bpf_samples_uncovered(const struct bpf_samples *s)
{
	uint64_t uncovered = 0;

	for (unsigned int i = 0; i < s->n_of; i++)
		uncovered += s->of[i].follow.uncovered;
	return uncovered;
}

void bpf_samples_close(struct bpf_samples *s)
{
	for (unsigned int i = 0; i < s->n_of; i++) {
		for (unsigned int cpu = 0; cpu < s->of[i].follow.n; cpu++)
			close_fd(&s->of[i], cpu);
		free(s->of[i].fds);
		cpu_follow_free(&s->of[i].follow);
	}
}
