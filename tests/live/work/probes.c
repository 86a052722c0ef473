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
	PROBE_OF("sonde_work", NAME, SEMAPHORE, ARGUMENTS, __VA_ARGS__)
#define PROBE_OF(PROVIDER, NAME, SEMAPHORE, ARGUMENTS, ...) \
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
		"	.asciz \"" PROVIDER "\"\n" \
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

/* Two providers have a probe of this name, one with as many arguments as a probe may have. */
static __attribute__((noinline)) void many(void)
{
	PROBE_OF("sonde_one", "many", "0",
		 OPERAND(1) " " OPERAND(2) " " OPERAND(2) " " OPERAND(2) " " OPERAND(2) " "
		 OPERAND(2) " " OPERAND(2) " " OPERAND(2) " " OPERAND(2) " " OPERAND(3) " "
		 OPERAND(4) " " OPERAND(5),
		 VALUE(1, 1), VALUE(2, 2), VALUE(3, 10), VALUE(4, 11), VALUE(5, 12));
	PROBE_OF("sonde_two", "many", "0", "", "i" (0));
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

/* Java's, as its compiler may make them: the arguments of pools are in memory. */
#define POOL_PROBE(NAME) \
	PROBE_OF("hotspot", NAME, "0", IN_MEMORY " " IN_MEMORY " " IN_MEMORY " " IN_MEMORY " " \
		 IN_MEMORY " " IN_MEMORY " " IN_MEMORY, \
		 [size1] "n" (SIZE(uintptr_t)), [value1] "m" (pool))
#define IN_MEMORY "%n[size1]@%[value1]"

/* collects: once, when it is told to go. */
static int job_collects(int argc, char **argv)
{
	volatile uintptr_t pool = 5;

	(void)argc;
	(void)argv;
	PROBE_OF("hotspot", "gc__begin", "0", OPERAND(1), VALUE(1, (uint8_t)1));
	POOL_PROBE("mem__pool__gc__begin");
	POOL_PROBE("mem__pool__gc__end");
	PROBE_OF("hotspot", "gc__end", "0", "", "i" (0));
	return 0;
}

/*
 * probes N: each round calls two places of beat, one of pick, both probes called many, and heard if
 * that is traced.
 */
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
		many();
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

/* ---- databases: the probes of PostgreSQL, and the function of MySQL, in both of its forms ---- */

#define TRACED(NAME) \
	__attribute__((section(".probes"), used)) unsigned short sonde_work_##NAME;
TRACED(told)
TRACED(begin)
TRACED(end)
TRACED(runs)
TRACED(ran)

#define BARE_PROBE(NAME, COUNT) \
	static __attribute__((noinline)) void query_##COUNT(void) \
	{ \
		if (*(volatile unsigned short *)&sonde_work_##COUNT) \
			PROBE_OF("postgresql", NAME, "sonde_work_" #COUNT, "", "i" (0)); \
	}
BARE_PROBE("query__start", begin)
BARE_PROBE("query__done", end)
BARE_PROBE("query__execute__start", runs)
BARE_PROBE("query__execute__done", ran)

static __attribute__((noinline)) void query_told(const char *text)
{
	if (*(volatile unsigned short *)&sonde_work_told)
		PROBE_OF("postgresql", "statement__status", "sonde_work_told", OPERAND(1),
			 VALUE(1, (uintptr_t)text));
}

static void rest(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static void query_row(const char *kind, const char *statement, const char *failed,
		      const char *text)
{
	say("row\t%d\t%s\t%s\t%s\t", getpid(), kind, statement, failed);
	say_bytes(text, strlen(text));
	say("\n");
}

/* As a text; prepared, with an execution in it; two that fail; one that is only planned. */
static void postgres_round(int i)
{
	char text[64];

	snprintf(text, sizeof(text), "select %d,\t'\\'", i);
	query_told(text);
	query_begin();
	query_runs();
	rest(4);
	query_ran();
	query_end();
	query_told(NULL);
	query_row("query", "-", "0", text);

	snprintf(text, sizeof(text), "select $1 -- %d", i);
	query_told(text);
	rest(4);
	query_told(text);
	query_runs();
	query_runs();
	query_ran();
	rest(4);
	query_ran();
	query_told(NULL);
	query_row("execute", "-", "0", text);

	for (int simple = 0; simple < 2; simple++) {
		snprintf(text, sizeof(text), "fails %d %d", i, simple);
		query_told(text);
		if (simple)
			query_begin();
		query_runs();
		rest(4);
		query_told(NULL);
		query_row(simple ? "query" : "execute", "-", "1", text);
	}
	query_told("planned");
	rest(4);
	query_told(NULL);
}

/* postgres N: rounds of queries of 4 ms, and one of no time. */
static int job_postgres(int argc, char **argv)
{
	long n = number(argv[1]);

	(void)argc;
	for (int i = 1; i <= n; i++) {
		postgres_round(i);
		query_told("fast");
		query_begin();
		query_end();
		query_told(NULL);
	}
	return 0;
}

struct com_data {
	const void *first;
};

int _Z16dispatch_command19enum_server_commandP3THDPcjb(int command, void *thread,
	const char *packet, unsigned int length, int blocking);
int _Z16dispatch_commandP3THDPK8COM_DATA19enum_server_command(void *thread,
	const struct com_data *data, int command);

__attribute__((noinline)) int _Z16dispatch_command19enum_server_commandP3THDPcjb(int command,
	void *thread, const char *packet, unsigned int length, int blocking)
{
	HIDE(command);
	HIDE(thread);
	HIDE(packet);
	HIDE(length);
	rest(command ? 4 : 0);
	return blocking;
}

__attribute__((noinline)) int _Z16dispatch_commandP3THDPK8COM_DATA19enum_server_command(
	void *thread, const struct com_data *data, int command)
{
	HIDE(thread);
	HIDE(data);
	rest(command ? 4 : 0);
	return command;
}
#define PACKET(COMMAND, BYTES, N) \
	_Z16dispatch_command19enum_server_commandP3THDPcjb(COMMAND, NULL, BYTES, N, 1)
#define DATA(COMMAND, FIRST) \
	_Z16dispatch_commandP3THDPK8COM_DATA19enum_server_command(NULL, \
		&(struct com_data){ FIRST }, COMMAND)

/* mysql N: rounds of commands of 4 ms, in both forms: a query, a ping, a statement. */
static int job_mysql(int argc, char **argv)
{
	long n = number(argv[1]);
	char text[64];

	(void)argc;
	for (int i = 1; i <= n; i++) {
		const char packet[] = { (char)i, 1, 0, 0, 9, 9, 9, 9 };
		char id[16];

		snprintf(text, sizeof(text), "select %d", i);
		PACKET(3, text, (unsigned int)strlen(text));
		query_row("query", "-", "-", text);
		PACKET(14, "", 0);
		PACKET(22, text, (unsigned int)strlen(text));
		query_row("prepare", "-", "-", text);
		PACKET(23, packet, sizeof(packet));
		snprintf(id, sizeof(id), "%d", 256 + i);
		query_row("execute", id, "-", "-");

		DATA(3, text);
		query_row("query", "-", "-", text);
		DATA(28, (void *)(uintptr_t)(70000 + i));
		snprintf(id, sizeof(id), "%d", 70000 + i);
		query_row("fetch", id, "-", "-");
	}
	return 0;
}

const struct job probes_jobs[] = {
	{ "postgres", "N", 1, job_postgres,
	  "row, process, kind, statement, failed, text, of each query of 4 ms" },
	{ "mysql", "N", 1, job_mysql, "the same" },
	{ "probes", "N", 1, job_probes,
	  "beat, its arguments, for each hit of that probe; at the end how often heard was" },
	{ "listens", "SECONDS", 1, job_listens,
	  "rounds that were heard, those that were not, and by how many in the end" },
	{ "collects", "", 0, job_collects, "nothing: a collection of Java with a pool" },
	{ 0 }
};
