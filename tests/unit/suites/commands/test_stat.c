// SPDX-License-Identifier: GPL-2.0
/* sonde stat: events by name, what counts mean, and what is printed of them, to the byte. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands/stat/names.h"
#include "src/commands/stat/pmu.h"
#include "src/commands/stat/report.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_stat(void);

/* ---- events ---- */

/* A PMU's files: all of a folder, named PMU/FILE. */
static const struct { const char *folder, *file, *text; } plain_machine[] = {
	{ "cpu", "type", "4\n" },
	{ "cpu/format", "event", "config:0-7,32-35\n" },
	{ "cpu/format", "umask", "config:8-15\n" },
	{ "cpu/format", "edge", "config:18\n" },
	{ "cpu/format", "ldlat", "config1:0-15\n" },
	{ "cpu/format", "odd", "config9:0-15\n" },
	{ "cpu/events", "mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
	{ "cpu/events", "open", "event=1,umask=?\n" },
	{ "msr", "type", "10\n" },
	{ "msr/format", "event", "config:0-63\n" },
	{ "msr/events", "tsc", "event=0x00\n" },
	{ "power", "type", "12\n" },
	{ "power", "cpumask", "0,4\n" },
	{ "power/format", "event", "config:0-7\n" },
	{ "power/events", "energy-pkg", "event=0x02\n" },
	{ "power/events", "energy-pkg.scale", "2.3283064365386962890625e-10\n" },
	{ "power/events", "energy-pkg.unit", "Joules\n" },
	{ "uncore_imc_0", "type", "14\n" },
	{ "uncore_imc_0/format", "event", "config:0-7\n" },
	{ "uncore_imc_1", "type", "15\n" },
	{ "uncore_imc_1/format", "event", "config:0-7\n" },
};
static const struct { const char *folder, *file, *text; } hybrid_machine[] = {
	{ "cpu_core", "type", "4\n" },
	{ "cpu_core", "cpus", "0-7\n" },
	{ "cpu_core/format", "event", "config:0-7\n" },
	{ "cpu_atom", "type", "11\n" },
	{ "cpu_atom", "cpus", "8-11\n" },
	{ "cpu_atom/format", "event", "config:0-7\n" },
};

static char *folder_of(bool hybrid)
{
	char *dir = temporary();
	int n = hybrid ? COUNT_OF(hybrid_machine) : COUNT_OF(plain_machine);

	for (int i = 0; i < n; i++) {
		const char *folder = hybrid ? hybrid_machine[i].folder : plain_machine[i].folder;
		const char *file = hybrid ? hybrid_machine[i].file : plain_machine[i].file;
		char path[256];

		snprintf(path, sizeof(path), "%s", folder);
		if (!strchr(path, '/') && !strcmp(file, "type")) {
			make_dir(dir, path);
			snprintf(path, sizeof(path), "%s/format", folder);
			make_dir(dir, path);
			snprintf(path, sizeof(path), "%s/events", folder);
			make_dir(dir, path);
		}
		snprintf(path, sizeof(path), "%s/%s", folder, file);
		write_text(dir, path, hybrid ? hybrid_machine[i].text : plain_machine[i].text);
	}
	return dir;
}

/* An event a line: name, type, config, what else is set. */
static char *events_text(const struct stat_events *events)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (unsigned int i = 0; i < events->n; i++) {
		const struct stat_event *e = &events->list[i];

		fprintf(f, "%s%s %u:", i ? "\n" : "", e->name, e->attr.type);
		/* Numbers of tracepoints are the kernel's. */
		fprintf(f, e->attr.type == PERF_TYPE_TRACEPOINT && e->attr.config ? "ID" : "%llx",
			(unsigned long long)e->attr.config);
		if (e->attr.config1)
			fprintf(f, " config1=%llx", (unsigned long long)e->attr.config1);
		fprintf(f, "%s%s%s%s%s", e->attr.exclude_user ? " -u" : "",
			e->attr.exclude_kernel ? " -k" : "", e->attr.exclude_hv ? " -h" : "",
			e->attr.exclude_guest ? " -G" : "", e->attr.exclude_host ? " -H" : "");
		fprintf(f, e->attr.precise_ip ? " p%d" : "", e->attr.precise_ip);
		fprintf(f, e->group ? " {%u}" : "", e->group);
		fprintf(f, e->cpus ? " on %s" : "", e->cpus);
		fprintf(f, e->scale > 0 ? " x%g %s" : "", e->scale, e->unit);
		fprintf(f, "%s%s", e->clock ? " ns" : "", e->hardware ? " hw" : "");
	}
	fclose(f);
	return text;
}

static const struct {
	const char *list, *events;
	bool hybrid;
} parsed[] = {
	{ "cycles", "cycles 0:0 hw" },
	{ "cpu-cycles,instructions", "cpu-cycles 0:0 hw\ninstructions 0:1 hw" },
	{ "branch-instructions:u", "branch-instructions:u 0:4 -k -h hw" },
	{ "cycles:k", "cycles:k 0:0 -u -h hw" },
	{ "cycles:uk", "cycles:uk 0:0 -h hw" },
	{ "cycles:G", "cycles:G 0:0 -H hw" },
	{ "cycles:ppu", "cycles:ppu 0:0 -k -h p2 hw" },
	{ "task-clock,cs,faults:u", "task-clock 1:1 ns\ncs 1:3\nfaults:u 1:2 -k -h" },
	{ "L1-dcache-load-misses", "L1-dcache-load-misses 3:10000 hw" },
	{ "L1-dcache-loads", "L1-dcache-loads 3:0 hw" },
	{ "L1-dcache-stores", "L1-dcache-stores 3:100 hw" },
	{ "LLC-store-misses,LLC-prefetches",
	  "LLC-store-misses 3:10102 hw\nLLC-prefetches 3:202 hw" },
	{ "dTLB-load-misses:k", "dTLB-load-misses:k 3:10003 -u -h hw" },
	{ "iTLB-loads,branch-load-misses,node-loads",
	  "iTLB-loads 3:4 hw\nbranch-load-misses 3:10005 hw\nnode-loads 3:6 hw" },
	{ "L1-icache-misses", "L1-icache-misses 3:10001 hw" },
	{ "r1a8", "r1a8 4:1a8 hw" },
	{ "r1a8:u", "r1a8:u 4:1a8 -k -h hw" },
	{ "cpu/event=0x3c,umask=1/", "cpu/event=0x3c,umask=1/ 4:13c hw" },
	{ "cpu/event=0x13c,edge/u", "cpu/event=0x13c,edge/u 4:10004003c -k -h hw" },
	{ "cpu/mem-loads/", "cpu/mem-loads/ 4:1cd config1=3 hw" },
	{ "cpu/mem-loads,ldlat=50/", "cpu/mem-loads,ldlat=50/ 4:1cd config1=32 hw" },
	{ "cpu/open,umask=7/", "cpu/open,umask=7/ 4:701 hw" },
	{ "cpu/cycles/,cpu/L1-dcache-loads/k",
	  "cpu/cycles/ 0:0 hw\ncpu/L1-dcache-loads/k 3:0 -u -h hw" },
	{ "cpu/config=0x1234,name=mine/", "mine 4:1234 hw" },
	{ "cpu/config=1,name=/u", "cpu/config=1,name=/u 4:1 -k -h hw" },
	{ "cpu/config=1,name=,edge/", "cpu/config=1,name=,edge/ 4:40001 hw" },
	{ "cpu/r1a8/", "cpu/r1a8/ 4:1a8 hw" },
	{ "msr/tsc/", "msr/tsc/ 10:0" },
	{ "tsc", "msr/tsc/ 10:0" },
	{ "mem-loads:u", "cpu/mem-loads/u 4:1cd config1=3 -k -h hw" },
	{ "power/energy-pkg/", "power/energy-pkg/ 12:2 on 0,4 x2.32831e-10 Joules" },
	{ "uncore_imc/event=3/", "uncore_imc_0/event=3/ 14:3\nuncore_imc_1/event=3/ 15:3" },
	{ "uncore_imc_*/event=3/", "uncore_imc_0/event=3/ 14:3\nuncore_imc_1/event=3/ 15:3" },
	{ "{cycles,instructions:u}:k,cs",
	  "cycles:k 0:0 -u -h {1} hw\ninstructions:u:k 0:1 -u -h {1} hw\ncs 1:3" },
	{ "{cs,faults},{cycles}", "cs 1:3 {1}\nfaults 1:2 {1}\ncycles 0:0 {2} hw" },
	{ "sched:sched_process_exit", "sched:sched_process_exit 2:ID" },
	{ "sched:sched_process_exit:k", "sched:sched_process_exit:k 2:ID -u -h" },
	{ "cycles", "cpu_atom/cycles/ 0:b00000000 on 8-11 hw\n"
		    "cpu_core/cycles/ 0:400000000 on 0-7 hw", true },
	{ "r1a8:u", "cpu_atom/r1a8/u 11:1a8 -k -h on 8-11 hw\n"
		    "cpu_core/r1a8/u 4:1a8 -k -h on 0-7 hw", true },
	{ "cpu_core/cycles/", "cpu_core/cycles/ 0:400000000 on 0-7 hw", true },
	{ "cpu_atom/event=1/", "cpu_atom/event=1/ 11:1 on 8-11 hw", true },
	{ "cs", "cs 1:3", true },
};

static struct kernel *a_kernel(void)
{
	struct error err;
	struct kernel *k = kernel_snapshot(KERNELS "/6.1", &err);

	ck_assert_msg(k != NULL, "%s", err.text);
	return k;
}

START_TEST(events)
{
	char *dir = folder_of(parsed[_i].hybrid), *got;
	struct stat_source from = { a_kernel(), dir };
	struct stat_events list = { };
	struct error err = { };

	ck_assert_msg(!stat_parse(&from, parsed[_i].list, &list, &err), "%s: %s", parsed[_i].list,
		      err.text);
	got = events_text(&list);
	ck_assert_str_eq(got, parsed[_i].events);
	free(got);
	stat_events_free(&list);
	kernel_free(from.kernel);
	remove_all(dir);
}
END_TEST

static const struct { const char *list, *error; } mistakes[] = {
	{ "", "an event is missing before \"\"" },
	{ "cs,", "an event is missing before \"\"" },
	{ "cs,,faults", "an event is missing before \",faults\"" },
	{ "page-fault", "there is no event \"page-fault\"; did you mean page-faults?" },
	{ "L1-dcache-foo", "there is no event \"L1-dcache-foo\"" },
	{ "iTLB-stores", "there is no event \"iTLB-stores\"" },
	{ "r1a8g", "there is no event \"r1a8g\"" },
	{ "cycles:x", "there is no modifier \"x\"" },
	{ "cycles:", "modifiers are missing at the end of \"cycles:\"" },
	{ "{cs,faults", "a } is missing at the end of the group" },
	{ "cs}", "a comma is missing before \"}\"" },
	{ "cpu/event=1", "cpu/event=1: a / is missing at the end" },
	{ "cpu//", "cpu//: terms are missing" },
	{ "cpu/event=x/", "cpu/event=x/: the value is a number, as 60 or 0x3c" },
	{ "cpu/event=0x1000/",
	  "cpu/event/: 0x1000 has more bits than it takes (config:0-7,32-35)" },
	{ "cpu/odd=1/", "cpu/odd/: its bits are \"config9:0-15\", which sonde does not know" },
	{ "cpu/nosuch/", "cpu has no event and no term \"nosuch\"" },
	{ "cpu/open/", "cpu/umask/: it needs a value, umask=N" },
	{ "nosuch/event=1/", "this machine has no PMU \"nosuch\"" },
	{ "sched:nosuch", "this kernel has no tracepoint sched:nosuch" },
};

START_TEST(wrong_events)
{
	char *dir = folder_of(false);
	struct stat_source from = { a_kernel(), dir };
	struct stat_events list = { };
	struct error err = { };

	ck_assert_int_eq(stat_parse(&from, mistakes[_i].list, &list, &err), -1);
	ck_assert_msg(!strncmp(err.text, mistakes[_i].error, strlen(mistakes[_i].error)),
		      "%s: %s", mistakes[_i].list, err.text);
	stat_events_free(&list);
	kernel_free(from.kernel);
	remove_all(dir);
}
END_TEST

static const struct { const char *text; double scale; bool wrong; } scales[] = {
	{ "1", 1 }, { "0.5\n", 0.5 }, { "1e3", 1000 }, { "1.5e-3\n", 0.0015 },
	{ "2.3283064365386962890625e-10", 1.0 / 4294967296.0 },
	{ "", 0, true }, { "x", 0, true }, { "1e", 0, true }, { "1 2", 0, true }, { ".", 0, true },
};

START_TEST(scale_files)
{
	double got = 0;

	ck_assert_int_eq(pmu_scale(scales[_i].text, &got), !scales[_i].wrong);
	if (!scales[_i].wrong)
		ck_assert(fabs(got - scales[_i].scale) < scales[_i].scale * 1e-12);
}
END_TEST

/* ---- what counts mean ---- */

static const struct {
	struct stat_reading r;
	struct stat_state state;
	int is;
	double value;
	bool scaled;
} scaled[] = {
	{ { 100, 1000, 1000 }, { 1 }, STAT_COUNTED, 100, false },
	{ { 0, 1000, 1000 }, { 1 }, STAT_COUNTED, 0, false },
	{ { 100, 1000, 250 }, { 1 }, STAT_COUNTED, 400, true },
	{ { 1, 3, 2 }, { 1 }, STAT_COUNTED, 1.5, true },
	{ { 0, 1000, 0 }, { 1 }, STAT_NOT_COUNTED, 0, false },
	{ { 0, 0, 0 }, { 1 }, STAT_NOT_COUNTED, 0, false },
	{ { 0, 0, 0 }, { 0, 2 }, STAT_NOT_SUPPORTED, 0, false },
	/* none of its places is counted */
	{ { 0, 0, 0 }, { 0, 0 }, STAT_NOT_COUNTED, 0, false },
};

START_TEST(scaling)
{
	const struct stat_event e = { .name = "e" };
	struct stat_count c = stat_scale(&e, &scaled[_i].state, &scaled[_i].r);

	ck_assert_int_eq((int)c.state, scaled[_i].is);
	ck_assert(fabs(c.value - scaled[_i].value) < 1e-9);
	ck_assert_int_eq(c.scaled, scaled[_i].scaled);
}
END_TEST

START_TEST(means)
{
	struct stat_mean m = { };

	mean_add(&m, 2);
	ck_assert(mean_error(&m) == 0 && mean_noise(&m) == 0);
	mean_add(&m, 4);
	mean_add(&m, 6);
	/* The variance is 4, its mean's 4 / 3. */
	ck_assert(fabs(m.mean - 4) < 1e-12);
	ck_assert(fabs(mean_error(&m) - 1.1547005383792515) < 1e-12);
	ck_assert(fabs(mean_noise(&m) - 28.867513459481287) < 1e-10);
}
END_TEST

/* Of three runs the event was counted in two, in one of them half of the time. */
START_TEST(repeats)
{
	const struct stat_count runs[] = {
		{ .value = 10, .enabled = 100, .running = 100 },
		{ .value = 30, .enabled = 100, .running = 50, .scaled = true },
		{ .state = STAT_NOT_COUNTED, .enabled = 100 },
		{ .value = 20, .enabled = 100, .running = 100 },
	};
	struct stat_repeats all = { };
	struct stat_count c;

	for (int i = 0; i < COUNT_OF(runs); i++) {
		c = runs[i];
		repeats_add(&all, &c);
		ck_assert_int_eq(c.state, STAT_COUNTED);
	}
	ck_assert(fabs(c.value - 20) < 1e-9 && c.noise > 0);
	ck_assert_int_eq((int)c.enabled, 100);
	ck_assert_int_eq((int)c.running, 62);
	ck_assert(c.scaled);
}
END_TEST

/* ---- what is printed ---- */

static const struct { double value, scale; const char *people, *programs; } texts[] = {
	{ 1234567, 0, "1,234,567", "1234567" },
	{ 1234567, 0.5, "617,283.50", "617283.500000" },
	{ 1e19, 1e10, "99,999,999,999,999,991,433,150,857,216.00",
	  "99999999999999991433150857216.000000" },
	{ 1.5, 1e60, "1.50e+60", "1.500000e+60" },
};

START_TEST(numbers)
{
	const struct stat_event e = { .scale = texts[_i].scale };
	const struct stat_count c = {
		.event = &e, .value = texts[_i].value, .exact = (uint64_t)texts[_i].value,
	};
	char text[COUNT_TEXT];

	count_text(&c, true, false, text);
	ck_assert_str_eq(text, texts[_i].people);
	count_text(&c, false, false, text);
	ck_assert_str_eq(text, texts[_i].programs);
}
END_TEST

/* Events of a run, and what was counted of each. */
struct counted {
	const char *name;
	uint32_t type;
	uint64_t config;
	struct stat_reading r;
	int error;
};
#define HW(N) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##N
#define SW(N) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##N
#define MS 1000000ULL

static const struct counted all[] = {
	{ "task-clock", SW(TASK_CLOCK), { 1234 * MS, 1234 * MS, 1234 * MS } },
	{ "page-faults", SW(PAGE_FAULTS), { 1234567, 1000, 1000 } },
	{ "context-switches", SW(CONTEXT_SWITCHES), { 0, 1000, 1000 } },
	{ "cycles", HW(CPU_CYCLES), { 2468 * MS, 1000, 1000 } },
	{ "instructions", HW(INSTRUCTIONS), { 1234 * MS, 1000, 500 } },
	{ "branches", HW(BRANCH_INSTRUCTIONS), { 1000000, 1000, 1000 } },
	{ "branch-misses", HW(BRANCH_MISSES), { 25000, 1000, 1000 } },
	{ "L1-dcache-loads", PERF_TYPE_HW_CACHE, STAT_CACHE(L1D, READ, ACCESS),
	  { 400, 1000, 1000 } },
	{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, STAT_CACHE(L1D, READ, MISS),
	  { 100, 1000, 1000 } },
	{ "bus-cycles", HW(BUS_CYCLES), { 0, 0, 0 }, 2 },
	{ "ref-cycles", HW(REF_CPU_CYCLES), { 0, 1000, 0 } },
	{ "power/energy-pkg/", 12, 2, { 1ULL << 33, 1000, 1000 } },
};

/* All of them in one go, by these options. */
static char *printed(const struct stat_options *o, int cpu)
{
	struct stat_event list[COUNT_OF(all)] = { };
	struct stat_count counts[COUNT_OF(all)];
	const struct stat_events events = { COUNT_OF(all), list, 0 };
	struct stat_ending end = { .command = true, .counted = true, .user_s = 1.2,
				   .system_s = 0.034, .status = 3 };
	struct stat_report r;
	struct error err = { };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (int i = 0; i < COUNT_OF(all); i++) {
		struct stat_state state = { .opened = !all[i].error, .error = all[i].error };

		list[i] = (struct stat_event){
			.name = (char *)all[i].name,
			.attr = { .type = all[i].type, .config = all[i].config },
			.clock = !i, .scale = all[i].type == 12 ? 1.0 / 4294967296.0 : 0,
		};
		snprintf(list[i].unit, sizeof(list[i].unit), all[i].type == 12 ? "Joules" : "");
		counts[i] = stat_scale(&list[i], &state, &all[i].r);
		if (o->runs > 1)
			counts[i].noise = 1.5;
	}
	ck_assert_int_eq(report_begin(&r, o, &events, f, &err), 0);
	report_title(&r, "make -j2");
	for (unsigned int i = 0; i < COUNT_OF(all); i++) {
		const struct stat_line line = {
			.counts = counts, .n = COUNT_OF(all), .i = i, .since_ns = 1000123456,
			.elapsed_ns = 2468e6, .cpu = cpu, .first = !i,
		};

		report_line(&r, &line);
	}
	mean_add(&end.elapsed_s, 2.468);
	if (o->runs > 1)
		mean_add(&end.elapsed_s, 2.468);
	report_end(&r, &end);
	report_flush(&r);
	report_free(&r);
	fclose(f);
	return text;
}

static const struct {
	struct stat_options options;
	int cpu;
	const char *text;
} outputs[] = {
	{ { }, -1,
	  "\n Performance counter stats for 'make -j2':\n\n"
	  "          1,234.00 msec   task-clock                #    0.500 CPUs utilized\n"
	  "         1,234,567        page-faults               #    1.000 M/sec\n"
	  "                 0        context-switches          #    0.000 /sec\n"
	  "     2,468,000,000        cycles                    #    2.000 GHz\n"
	  "     2,468,000,000        instructions              #    1.000 insn per cycle"
	  "              (50.00%)\n"
	  "         1,000,000        branches                  #  810.373 K/sec\n"
	  "            25,000        branch-misses             #    2.50% of all branches\n"
	  "               400        L1-dcache-loads           #  324.149 /sec\n"
	  "               100        L1-dcache-load-misses     #   25.00% of all L1-dcache "
	  "accesses\n"
	  "   <not supported>        bus-cycles\n"
	  "     <not counted>        ref-cycles\n"
	  "              2.00 Joules power/energy-pkg/\n"
	  "\n       2.468000000 seconds time elapsed\n"
	  "\n       1.200000000 seconds user\n       0.034000000 seconds sys\n\n" },
	{ { .interval_ms = 1000 }, -1,
	  "#           time             counts unit   events\n"
	  "     1.000123456           1,234.00 msec   task-clock                #    0.500 CPUs "
	  "utilized\n"
	  "     1.000123456          1,234,567        page-faults               #    1.000 M/sec\n"
	  "     1.000123456                  0        context-switches          #    0.000 /sec\n"
	  "     1.000123456      2,468,000,000        cycles                    #    2.000 GHz\n"
	  "     1.000123456      2,468,000,000        instructions              #    1.000 insn "
	  "per cycle              (50.00%)\n"
	  "     1.000123456          1,000,000        branches                  #  810.373 K/sec\n"
	  "     1.000123456             25,000        branch-misses             #    2.50% of all "
	  "branches\n"
	  "     1.000123456                400        L1-dcache-loads           #  324.149 /sec\n"
	  "     1.000123456                100        L1-dcache-load-misses     #   25.00% of all "
	  "L1-dcache accesses\n"
	  "     1.000123456    <not supported>        bus-cycles\n"
	  "     1.000123456      <not counted>        ref-cycles\n"
	  "     1.000123456               2.00 Joules power/energy-pkg/\n" },
	{ { .separator = ";", .interval_ms = 1000, .per_cpu = true }, 3,
	  "     1.000123456;CPU3;1234.000000;msec;task-clock;1234000000;100.00;0.500;CPUs "
	  "utilized\n"
	  "     1.000123456;CPU3;1234567;;page-faults;1000;100.00;1.000;M/sec\n"
	  "     1.000123456;CPU3;0;;context-switches;1000;100.00;0.000;/sec\n"
	  "     1.000123456;CPU3;2468000000;;cycles;1000;100.00;2.000;GHz\n"
	  "     1.000123456;CPU3;2468000000;;instructions;500;50.00;1.000;insn per cycle\n"
	  "     1.000123456;CPU3;1000000;;branches;1000;100.00;810.373;K/sec\n"
	  "     1.000123456;CPU3;25000;;branch-misses;1000;100.00;2.50;%of all branches\n"
	  "     1.000123456;CPU3;400;;L1-dcache-loads;1000;100.00;324.149;/sec\n"
	  "     1.000123456;CPU3;100;;L1-dcache-load-misses;1000;100.00;25.00;%of all L1-dcache "
	  "accesses\n"
	  "     1.000123456;CPU3;<not supported>;;bus-cycles;0;0.00;;\n"
	  "     1.000123456;CPU3;<not counted>;;ref-cycles;0;0.00;;\n"
	  "     1.000123456;CPU3;2.000000;Joules;power/energy-pkg/;1000;100.00;;\n" },
};

START_TEST(output)
{
	char *got = printed(&outputs[_i].options, outputs[_i].cpu);

	ck_assert_str_eq(got, outputs[_i].text);
	free(got);
}
END_TEST

static const struct {
	struct stat_options options;
	const char *line;
} lines_of[] = {
	{ { .format = OUTPUT_CSV },
	  "EVENT,COUNT,UNIT,STATUS,ENABLED(ns),RUNNING(ns),RUNNING(%),SHARE,SHARE_UNIT\n" },
	{ { .format = OUTPUT_CSV },
	  "\nbranch-misses,25000,,counted,1000,1000,100.00,2.500,% of all branches\n" },
	{ { .format = OUTPUT_CSV }, "\nbus-cycles,,,not supported,0,0,0.00,,\n" },
	{ { .format = OUTPUT_CSV, .per_cpu = true, .interval_ms = 5 },
	  "\n1.000123456,-1,ref-cycles,,,not counted,1000,0,0.00,,\n" },
	{ { .format = OUTPUT_JSON },
	  "{\"event\":\"instructions\",\"count\":2468000000,\"unit\":null,\"status\":\"counted\","
	  "\"enabled_ns\":1000,\"running_ns\":500,\"running_pct\":50.00,\"share\":1.000,"
	  "\"share_unit\":\"insn per cycle\"}\n" },
	{ { .format = OUTPUT_JSON },
	  "{\"event\":\"power/energy-pkg/\",\"count\":2.000000,\"unit\":\"Joules\"," },
	{ { .format = OUTPUT_JSON }, "{\"event\":\"bus-cycles\",\"count\":null,\"unit\":null,"
			    "\"status\":\"not supported\"," },
	{ { .format = OUTPUT_JSON }, "{\"end\":{\"tool\":\"stat\",\"elapsed_s\":2.468000000,"
			    "\"user_s\":1.200000,\"system_s\":0.034000,\"status\":3}}\n" },
	{ { .format = OUTPUT_JSON, .runs = 2 }, ",\"noise_pct\":1.50}\n" },
	{ { .runs = 2 }, " Performance counter stats for 'make -j2' (2 runs):\n" },
	{ { .runs = 2 }, "branches                  #  810.373 K/sec"
			 "                       ( +-  1.50% )\n" },
	{ { .runs = 2 }, "insn per cycle              ( +-  1.50% )  (50.00%)\n" },
	{ { .runs = 2 }, "\n           2.46800 +- 0.00000 seconds time elapsed  ( +-  0.00% )\n" },
};

START_TEST(output_lines)
{
	char *got = printed(&lines_of[_i].options, -1);

	ck_assert_msg(strstr(got, lines_of[_i].line) != NULL, "[%s] is not in\n%s",
		      lines_of[_i].line, got);
	free(got);
}
END_TEST

/* ---- the command line ---- */

static const struct { const char *line, *error; } command_lines[] = {
	{ "-a", NULL }, { "-aA -I100 --interval-count=3", NULL }, { "-p 1,2 sleep 1", NULL },
	{ "-ddd -e cs -e faults -- ls -l", NULL }, { "-r 3 -x, true", NULL },
	{ "ls -Q", NULL },
	{ "-a -p 1", "--pid and --all-cpus exclude each other" },
	{ "-A true", "--no-aggr goes with whole CPUs: add -a or -C" },
	{ "-r 3", "--repeat runs a COMMAND: add one" },
	{ "-r 3 -I 5 true", "--repeat and --interval-print exclude each other" },
	{ "-r 0 true", "--repeat takes a whole number from 1 to 100000, not \"0\"" },
	{ "--interval-count 3", "--interval-count counts intervals: add -I MS" },
	{ "-I", "-I: its value is missing, MS" },
	{ "-I 1s", "--interval-print takes a whole number from 1 to 4294967295, not \"1s\"" },
	{ "-C 1-", "--cpu takes numbers of CPUs, as 0-3,5, not \"1-\"" },
	{ "--json --csv", "--json, --csv and -x exclude each other" },
	{ "--csv -x,", "--json, --csv and -x exclude each other" },
	{ "--csv --csv -j", "--json, --csv and -x exclude each other" },
	{ "-j --json", NULL },
	{ "--json=1", "--json takes no value" },
	{ "-Q", "there is no option -Q" }, { "--nosuch=1", "there is no option --nosuch" },
};

START_TEST(command_line)
{
	char *line = strdup(command_lines[_i].line), *rest = line, *argv[16] = { "stat" };
	struct stat_options o = { };
	struct error err = { };
	int argc = 1, status;

	while (rest)
		argv[argc++] = strsep(&rest, " ");
	status = stat_options(argc, argv, &o, &err);
	ck_assert_str_eq(status ? err.text : "", command_lines[_i].error ?
			 command_lines[_i].error : "");
	stat_options_free(&o);
	free(line);
}
END_TEST

Suite *suite_stat(void)
{
	Suite *s = suite_create("stat");

	add_tests(s, "events", events, COUNT_OF(parsed));
	add_tests(s, "wrong_events", wrong_events, COUNT_OF(mistakes));
	add_tests(s, "scale_files", scale_files, COUNT_OF(scales));
	add_tests(s, "numbers", numbers, COUNT_OF(texts));
	add_tests(s, "scaling", scaling, COUNT_OF(scaled));
	add_tests(s, "means", means, 1);
	add_tests(s, "repeats", repeats, 1);
	add_tests(s, "output", output, COUNT_OF(outputs));
	add_tests(s, "output_lines", output_lines, COUNT_OF(lines_of));
	add_tests(s, "command_line", command_line, COUNT_OF(command_lines));
	return s;
}
