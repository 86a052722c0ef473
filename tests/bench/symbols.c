// SPDX-License-Identifier: GPL-2.0
/*
 * symbols: what names of addresses cost. Each is measured in a process of its own; prints
 *
 *	first_ms, first_kb	the running kernel's kallsyms: CPU time and memory until the
 *				name of vfs_read is there
 *	all_ms, all_kb		the same, to the last of its symbols
 *	made_ms, made_kb	a file as a kernel with 200,000 symbols of code would have it, all
 *				of it: without what the kernel takes to make its lines
 *	million_kb		memory of a million
 *	seed_ms			CPU time to read what all processes have mapped, and to open
 *				the files
 *	stacks_ms, stacks_kb	10,000 different stacks, named and printed, folded: of 16
 *				addresses of the kernel and 16 of the shell's or the C library's
 *				code, no two alike
 *
 * CPU time is this process's and that of those it had read files.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/lib/output/output.h"
#include "src/lib/symbols/maps.h"
#include "src/lib/symbols/symbols.h"

#define STACKS 10000
#define DEPTH 16			/* of each half */

struct cost {
	double ms;
	long kb;
};

static double ms_of(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)u.ru_utime.tv_sec * 1e3 + (double)u.ru_utime.tv_usec / 1e3 +
		(double)u.ru_stime.tv_sec * 1e3 + (double)u.ru_stime.tv_usec / 1e3;
}

static struct cost cost_now(void)
{
	struct cost c = { ms_of(RUSAGE_SELF) + ms_of(RUSAGE_CHILDREN), 0 };
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fscanf(f, "%*d %ld", &pages) == 1)
		c.kb = pages * sysconf(_SC_PAGESIZE) / 1024;
	if (f)
		fclose(f);
	return c;
}

static struct symbols *store(const char *kallsyms)
{
	struct symbols *s = symbols_new(&(struct symbols_setup){
		.kallsyms = kallsyms, .modules = kallsyms ? "/dev/null" : NULL,
	});

	if (!s)
		exit(1);
	return s;
}

/* ---- kallsyms ---- */

/* Names like the running kernel's, each once: the n-th has what it has of the n-th symbol there. */
static void make_kallsyms(const char *path, unsigned int n)
{
	FILE *from = fopen("/proc/kallsyms", "r"), *to = fopen(path, "w");
	char line[1024], name[512], type;
	unsigned long long address = 0xffffffff81000000;

	if (!from || !to)
		exit(1);
	for (unsigned int i = 0, turn = 0; i < n;) {
		if (!fgets(line, sizeof(line), from)) {
			rewind(from);
			turn++;
			continue;
		}
		if (sscanf(line, "%*x %c %511s", &type, name) < 2 || !strchr("tTwW", type) ||
		    name[0] == '$' || !strcmp(name, "_etext") || !strcmp(name, "_einittext"))
			continue;
		fprintf(to, "%016llx %c %s", address, type, name);
		if (turn)
			fprintf(to, "_%x", turn);
		fputc('\n', to);
		address += 16 + i * 7 % 600;
		i++;
	}
	fclose(from);
	fclose(to);
}

static uint64_t address_of(const char *path, const char *symbol)
{
	unsigned long long address = 0, found = 0;
	char line[1024], name[512], type;
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %c %511s", &address, &type, name) == 3 &&
		    strchr("tTwW", type) && (!symbol || !strcmp(name, symbol)))
			found = address;
	if (f)
		fclose(f);
	return found;
}

static void measure_kallsyms(const char *path, const char *symbol, const char *ms, const char *kb)
{
	const uint64_t address = address_of(path ? path : "/proc/kallsyms", symbol);
	struct cost before = cost_now(), after;
	struct symbols *s = store(path);
	struct symbol y;

	symbols_kernel(s, address, false, &y);
	after = cost_now();
	if (!y.name)
		exit(1);
	if (ms)
		printf("%s %.1f\n", ms, after.ms - before.ms);
	printf("%s %ld\n", kb, after.kb - before.kb);
	symbols_free(s);
}

/* ---- addresses ---- */

static void measure_seed(void)
{
	struct symbols *s = store(NULL);
	struct cost before = cost_now();

	symbols_seed(s, NULL, 0, 1);
	printf("seed_ms %.1f\n", cost_now().ms - before.ms);
	symbols_free(s);
}

struct range {
	uint64_t start, end;
};

/* The largest code that process `pid` has mapped from a file. */
static void widest(void *arg, const struct maps_line *line)
{
	struct range *r = arg;

	if (line->path[0] == '/' && line->end - line->start > r->end - r->start)
		*r = (struct range){ line->start, line->end };
}

static const struct output_source no_rows;

static void name_frames(struct symbols *s, struct stack_frame *kernel, struct stack_frame *user,
			uint32_t pid)
{
	struct symbol y;

	for (unsigned int i = 0; i < DEPTH; i++) {
		symbols_kernel(s, kernel[i].address, i > 0, &y);
		kernel[i] = (struct stack_frame){ FRAME_KERNEL, y.name, y.module,
						  kernel[i].address, y.offset };
		symbols_user(s, pid, SYMBOLS_NOW, user[i].address, i > 0, &y);
		user[i] = (struct stack_frame){ FRAME_USER, y.name, y.module, user[i].address,
						y.offset };
	}
}

static void measure_stacks(void)
{
	static const struct stack_style style = { .folded = true };
	const uint64_t from = address_of("/proc/kallsyms", "vfs_read");
	FILE *nobody = fopen("/dev/null", "w");
	struct stack_frame kernel[DEPTH], user[DEPTH];
	uint32_t pid = (uint32_t)getppid(), at = 0;
	struct lacks lacks = { };
	struct range r = { };
	struct cost before, after;
	struct symbols *s = store(NULL);
	struct output *o;
	int named = 0;

	maps_read(&pid, 1, NULL, widest, &r, &lacks);
	before = cost_now();
	o = output_new(nobody, formats, &no_rows);
	symbols_seed(s, &pid, 1, 1);
	for (unsigned int i = 0; i < STACKS; i++) {
		const struct stack_value value = { "samples", i };
		const struct stack_shown shown = {
			.name = "profile", .comm = { .s = "sh", .length = 2 }, .pid = pid,
			.clock_ns = NOTHING, .kernel = kernel, .user = user, .n_kernel = DEPTH,
			.n_user = DEPTH, .values = &value, .n_values = 1, .style = &style,
		};

		for (unsigned int j = 0; j < DEPTH; j++, at++) {
			kernel[j].address = from + 32ULL * at % (4 << 20);
			user[j].address = r.start + 16ULL * at % (r.end - r.start);
		}
		name_frames(s, kernel, user, pid);
		named += kernel[0].name && user[0].name;
		output_stack(o, &shown);
	}
	output_flush(o);
	after = cost_now();
	printf("stacks_ms %.1f\nstacks_kb %ld\nnamed %d\n", after.ms - before.ms,
	       after.kb - before.kb, named);
	output_free(o);
	symbols_free(s);
}

/* ---- each in a process of its own ---- */

static void run(const char *folder, int part)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/kallsyms", folder);
	switch (part) {
	case 0:
		measure_kallsyms(NULL, "vfs_read", "first_ms", "first_kb");
		break;
	case 1:
		measure_kallsyms(NULL, NULL, "all_ms", "all_kb");
		break;
	case 2:
		make_kallsyms(path, 200000);
		measure_kallsyms(path, NULL, "made_ms", "made_kb");
		break;
	case 3:
		make_kallsyms(path, 1000000);
		measure_kallsyms(path, NULL, NULL, "million_kb");
		break;
	case 4:
		measure_seed();
		break;
	case 5:
		measure_stacks();
	}
}

int main(void)
{
	char folder[] = "/tmp/sonde-bench-symbols-XXXXXX", command[64];
	int status = 0, failed = 0;

	if (!mkdtemp(folder))
		return 1;
	for (int part = 0; part < 6; part++) {
		fflush(stdout);
		if (!fork()) {
			run(folder, part);
			fflush(stdout);
			_exit(0);
		}
		wait(&status);
		failed |= status;
	}
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command) || failed;
}
