// SPDX-License-Identifier: GPL-2.0
/*
 * load FILE.o: loads and attaches what clang made of a .bpf.c, says so, and empties its map
 * `events`, if it has one, until SIGINT comes. Its variable `self` becomes the process's id.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	stop = number;
}

/*
 * As anyone does who shows records, all of it is read: the memory a CPU has read costs the program
 * on another CPU that writes there next.
 */
static int keep(void *arg, void *record, size_t size)
{
	static char kept[4096];

	(void)arg;
	memcpy(kept, record, size < sizeof(kept) ? size : sizeof(kept));
	__asm__ volatile("" : : "r"(kept) : "memory");
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
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct ring_buffer *ring = NULL;
	struct epoll_event woken;
	struct bpf_program *p;
	struct bpf_map *m;

	if (!o)
		return die("usage: load FILE.o");
	bpf_object__for_each_map(m, o) {
		size_t size;
		uint32_t *self = strstr(bpf_map__name(m), ".rodata") ?
			(uint32_t *)bpf_map__initial_value(m, &size) : NULL;

		if (self)
			*self = (uint32_t)getpid();
	}
	if (bpf_object__load(o))
		return die(argv[1]);
	m = bpf_object__find_map_by_name(o, "events");
	if (m)
		ring = ring_buffer__new(bpf_map__fd(m), keep, NULL, NULL);
	bpf_object__for_each_program(p, o)
		if (!bpf_program__attach(p))
			return die(bpf_program__name(p));
	sigaction(SIGINT, &(struct sigaction){ .sa_handler = on_signal }, NULL);
	puts("attached");
	fflush(stdout);
	if (m)		/* by edges, as sonde does: else it would wake up for each record */
		epoll_ctl(epoll, EPOLL_CTL_ADD, bpf_map__fd(m),
			  &(struct epoll_event){ .events = EPOLLIN | EPOLLET });
	while (!stop) {
		epoll_wait(epoll, &woken, 1, 100);
		if (ring)
			ring_buffer__consume(ring);
	}
	return 0;
}
