// SPDX-License-Identifier: GPL-2.0
/* Structs with known values, which a function is handed. */
#include "work.h"

#include "structs.h"

/* Nothing is known of it where it is called. */
__attribute__((noipa)) int take_sample(struct sample *s, long i);
__attribute__((noipa)) int take_sample(struct sample *s, long i)
{
	return s->row[i];
}

/* Arguments and a result that take two places of a machine of 32 bits. */
__attribute__((noipa)) long long take_wide(int a, unsigned int b, long long c, short d, long e);
__attribute__((noipa)) long long take_wide(int a, unsigned int b, long long c, short d, long e)
{
	return c + a + b + d + e;
}

static int job_structs(int argc, char **argv)
{
	const long n = number(argv[1]);
	struct inner inner = { -5, 0x1122334455667788 };
	struct sample second = {
		.color = BLUE, .name = "second", .row = { 20, 21, 22, 23 }, .a = 1, .s = -1,
	}, first = {
		.next = &second, .a = 5, .b = 300, .c = 777777, .tiny = -9, .s = -33,
		.color = GREEN,
		.name = { 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l' },
		.row = { 10, 11, 12, 65535 }, .grid = { { 1, 2, 3 }, { 4, -5, 6 } },
		.u.first = 0x1234, .u.second = 0x5678, .inner = { -7, 8 }, .outer = &inner,
		.list = { &first, &second, NULL },
		.packed = { 'x', 0x8877665544332211, 99999 }, .yes = true,
	};

	(void)argc;
	for (long i = 0; i < n; i++) {
		take_sample(&first, i % 3);
		take_wide(-7, 4000000000, 0x1122334455667788, -3, -i);
	}
	say("structs %d %ld %zu\n", getpid(), n, sizeof(struct sample));
	return 0;
}

const struct job structs_jobs[] = {
	{ "structs", "N", 1, job_structs, "structs PID CALLS SIZE: calls of take_sample" },
	{ 0 }
};
