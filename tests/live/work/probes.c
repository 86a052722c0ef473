// SPDX-License-Identifier: GPL-2.0
/*
 * Statically defined probes (USDT) of our own, as <sys/sdt.h> makes them, which is not everywhere:
 * a nop, and a note that says where it is, and where its arguments are by the compiler's choice.
 */
#include <sys/wait.h>
#include <time.h>

#include "work.h"

#if __SIZEOF_POINTER__ == 8
#define ADDRESS ".8byte "
#else
#define ADDRESS ".4byte "
#endif

/* Where an argument may be; on powerpc the number of a register and a number look the same. */
#if defined(__arm__)
#define WHERE "g"
#elif defined(__powerpc__)
#define WHERE "nZr"
#else
#define WHERE "nor"
#endif
#ifdef __powerpc__
#define OPERAND(N) "%n[size" #N "]@%I[value" #N "]%[value" #N "]"
#else
#define OPERAND(N) "%n[size" #N "]@%[value" #N "]"
#endif

/* %n shows a constant's negative. */
#define IS_SIGNED(X) ((__typeof__(X))-1 < (__typeof__(X))1)
#define SIZE(X) (IS_SIGNED(X) ? (int)sizeof(X) : -(int)sizeof(X))
#define VALUE(N, X) [size##N] "n" (SIZE(X)), [value##N] WHERE (X)

#define PROBE(NAME, SEMAPHORE, ARGUMENTS, ...) \
	__asm__ volatile( \
		"990:	nop\n" \
		"	.pushsection .note.stapsdt,\"\",%%note\n" \
		"	.balign 4\n" \
		"	.4byte 992f-991f, 994f-993f, 3\n" \
		"991:	.asciz \"stapsdt\"\n" \
		"992:	.balign 4\n" \
		"993:	" ADDRESS "990b\n" \
		"	" ADDRESS "0\n" \
		"	" ADDRESS SEMAPHORE "\n" \
		"	.asciz \"sonde_work\"\n" \
		"	.asciz \"" NAME "\"\n" \
		"	.asciz \"" ARGUMENTS "\"\n" \
		"994:	.balign 4\n" \
		"	.popsection\n" \
		: : __VA_ARGS__)

/* How many trace the probe `heard`: whoever does adds one. */
__attribute__((section(".probes"), used)) unsigned short sonde_work_heard;

#define HIDE(X) __asm__ volatile("" : "+r"(X))

/* At two places, whose arguments are elsewhere. */
static __attribute__((noinline)) void beat(int round, const char *text, int64_t value)
{
	int zero = 0;

	PROBE("beat", "0", OPERAND(1) " " OPERAND(2) " " OPERAND(3),
	      VALUE(1, round), VALUE(2, (uintptr_t)text), VALUE(3, value));
	HIDE(zero);
	PROBE("beat", "0", OPERAND(1) " " OPERAND(2) " " OPERAND(3),
	      VALUE(1, -7), VALUE(2, (uintptr_t)(text + zero + 1)),
	      VALUE(3, (uint8_t)(round + 250)));
}

/* A number in an array, which machines find by two registers if they can. */
static __attribute__((noinline)) void pick(const int *numbers, size_t i)
{
	HIDE(numbers);
	HIDE(i);
	PROBE("pick", "0", "%n[size1]@%[value1]", [size1] "n" (SIZE(*numbers)),
	      [value1] "m" (numbers[i]));
}

static long heard;

static __attribute__((noinline)) void listen(int round)
{
	volatile unsigned short *count = &sonde_work_heard;

	if (!*count)
		return;
	heard++;
	PROBE("heard", "sonde_work_heard", OPERAND(1), VALUE(1, round));
}

/* probes N: each round calls two places of beat, one of pick, and heard if that is traced. */
static int job_probes(int argc, char **argv)
{
	static const int numbers[4] = { -1, 20, -300, 4000 };
	long n = number(argv[1]);
	char text[32];

	(void)argc;
	for (int i = 1; i <= n; i++) {
		snprintf(text, sizeof(text), "round-%d", i);
		say("beat\t%d\t%s\t%d\n", i, text, i * -3);
		beat(i, text, i * -3);
		say("beat\t%d\t%s\t%d\n", -7, text + 1, (uint8_t)(i + 250));
		pick(numbers, (size_t)i % 4);
		listen(i);
	}
	say("heard\t%ld\n", heard);
	return 0;
}

/* listens SECONDS: for how many rounds of 20 ms somebody traced heard, and for how many not. */
static int job_listens(int argc, char **argv)
{
	long rounds = number(argv[1]) * 50;

	(void)argc;
	for (int i = 1; i <= rounds; i++) {
		listen(i);
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	}
	say("heard\t%ld\t%ld\t%u\n", heard, rounds - heard, sonde_work_heard);
	return 0;
}

const struct job probes_jobs[] = {
	{ "probes", "N", 1, job_probes,
	  "beat, its arguments, for each hit of that probe; at the end how often heard was" },
	{ "listens", "SECONDS", 1, job_listens,
	  "rounds that were heard, those that were not, and by how many in the end" },
	{ 0 }
};
