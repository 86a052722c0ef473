// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_samples.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "backends/bpf/bpf_attach.h"
#include "backends/perf/perf_ring.h"
#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "compat/base/perf_event.h"

#define CHECK_NS 1000000000

static int open_event(const struct event *event, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = event->frequency,
		.disabled = 1,
	};

	return perf_event_open(&attr, ANY_TASK, (int)cpu);
}

/* The entry of a CPU, made if there is none; NULL: no memory. */
static struct sampled *entry(struct bpf_samples *s, unsigned int attachment, unsigned int cpu)
{
	struct sampled *more;

	for (unsigned int i = 0; i < s->n; i++)
		if (s->list[i].attachment == attachment && s->list[i].cpu == cpu)
			return &s->list[i];
	if (array_room(&s->list, s->n, sizeof(*s->list)))
		return NULL;
	more = &s->list[s->n++];
	*more = (struct sampled){ attachment, cpu, { .fd = -1 } };
	return more;
}

int bpf_samples_open(struct bpf_samples *s, const struct event *event, unsigned int attachment,
		     struct error *err)
{
	char title[BPF_EVENT_TITLE], text[4096];
	unsigned int cpu, last, opened = 0;
	const char *online = text;

	if (file_read(CPUS_ONLINE, text, sizeof(text)) <= 0)
		return fail(err, "no CPU to sample: " CPUS_ONLINE " is not readable");
	if (s->n_of == sizeof(s->of) / sizeof(s->of[0]))
		return fail(err, "too many events that sample");
	s->of[s->n_of++] = (struct sampling){ event, attachment, -1 };
	s->checked = monotonic_ns();
	while (cpu_list_range(&online, &cpu, &last))
		for (; cpu <= last; cpu++) {
			struct sampled *e = entry(s, attachment, cpu);

			if (!e)
				return fail(err, "out of memory");
			e->event.fd = open_event(event, cpu);
			/* Of a CPU that goes while it is looked at there is nothing to sample. */
			if (e->event.fd < 0 && errno != ENODEV)
				return perf_open_failed(errno, bpf_event_title(event, title), err);
			opened += e->event.fd >= 0;
		}
	return opened ? 0 : fail(err, "no CPU to sample: none in " CPUS_ONLINE);
}

/* Samples are taken once their event is on. */
static int attach(struct sampled *e, int program)
{
	int fd = e->event.fd;

	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return -1;
	cpu_watch_begin(&e->event, fd);
	return 0;
}

int bpf_samples_attach(struct bpf_samples *s, unsigned int attachment, int program)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (s->list[i].attachment == attachment && s->list[i].event.fd >= 0 &&
		    attach(&s->list[i], program))
			return -1;
	for (unsigned int i = 0; i < s->n_of; i++)
		if (s->of[i].attachment == attachment)
			s->of[i].program = program;
	return 0;
}

static void say(FILE *verbose, const struct sampled *e)
{
	if (verbose)
		fprintf(verbose, "bpf: samples: CPU %u went %s\n", e->cpu,
			e->event.fd < 0 ? "offline" : "online");
}

/*
 * The events sample by the CPU's clock, and so tell themselves whether it was away: also shorter
 * than we look.
 */
static void close_dead(struct bpf_samples *s, FILE *verbose)
{
	for (unsigned int i = 0; i < s->n; i++) {
		struct sampled *e = &s->list[i];

		if (!cpu_watch_absence(&e->event))
			continue;
		cpu_watch_close(&e->event);
		say(verbose, e);
	}
}

static void open_new(struct bpf_samples *s, const struct sampling *of, const char *online,
		     uint64_t since,
		     FILE *verbose)
{
	unsigned int cpu, last;

	while (cpu_list_range(&online, &cpu, &last))
		for (; cpu <= last; cpu++) {
			struct sampled *e = entry(s, of->attachment, cpu);

			if (!e || e->event.fd >= 0)
				continue;
			e->event.fd = open_event(of->event, cpu);
			if (e->event.fd >= 0 && attach(e, of->program))
				cpu_watch_close(&e->event);
			s->uncovered += since;
			if (e->event.fd >= 0)
				say(verbose, e);
		}
}

void bpf_samples_follow(struct bpf_samples *s, FILE *verbose)
{
	uint64_t t = s->n_of ? monotonic_ns() : 0, since = t - s->checked;
	char online[4096];

	if (!s->n_of || since < CHECK_NS)
		return;
	s->checked = t;
	close_dead(s, verbose);
	if (file_read(CPUS_ONLINE, online, sizeof(online)) <= 0)
		return;
	for (unsigned int i = 0; i < s->n_of; i++)
		if (s->of[i].program >= 0)
			open_new(s, &s->of[i], online, since, verbose);
}

void bpf_samples_close(struct bpf_samples *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		cpu_watch_close(&s->list[i].event);
	free(s->list);
}
