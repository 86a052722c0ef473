// SPDX-License-Identifier: GPL-2.0
/*
 * load FILE.o: loads and attaches what clang made of a .bpf.c, says so, and empties its map `events`, if it has one,
 * until SIGINT comes. Its variable `self` becomes the process's id.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	stop = number;
}

static int ignore(void *arg, void *record, size_t size)
{
	(void)arg;
	(void)record;
	(void)size;
	return 0;
}

static int die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	struct bpf_object *o = argc == 2 ? bpf_object__open_file(argv[1], NULL) : NULL;
	struct ring_buffer *ring = NULL;
	struct bpf_program *p;
	struct bpf_map *m;

	if (!o)
		return die("usage: load FILE.o");
	bpf_object__for_each_map(m, o) {
		size_t size;
		uint32_t *self = strstr(bpf_map__name(m), ".rodata") ? (uint32_t *)bpf_map__initial_value(m, &size) : NULL;

		if (self)
			*self = (uint32_t)getpid();
	}
	if (bpf_object__load(o))
		return die(argv[1]);
	m = bpf_object__find_map_by_name(o, "events");
	if (m)
		ring = ring_buffer__new(bpf_map__fd(m), ignore, NULL, NULL);
	bpf_object__for_each_program(p, o)
		if (!bpf_program__attach(p))
			return die(bpf_program__name(p));
	sigaction(SIGINT, &(struct sigaction){ .sa_handler = on_signal }, NULL);
	puts("attached");
	fflush(stdout);
	while (!stop) {
		usleep(10000);
		if (ring)
			ring_buffer__consume(ring);
	}
	return 0;
}
