// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_symbols SECONDS [SEED]: gives the readers of symbols what nobody made: programs as the
 * compiler here makes them, with all that is read of one (tables, notes, the linkage table,
 * .gnu_debugdata, .gnu_debuglink), maps of JITs, kallsyms and /proc/modules, lines of
 * /proc/PID/maps, packed bytes and mangled names: cut, spliced, and with numbers put where headers
 * and tables say where things are. Meant for a build with ASan and UBSan: whatever it finds ends
 * the process. More than a second of CPU time for one input is an error, and so is more memory than
 * sonde gives to processes that read files. The same seed makes the same input.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "src/lib/symbols/demangle.h"
#include "src/lib/symbols/kernel_symbols.h"
#include "src/lib/symbols/maps.h"
#include "src/lib/symbols/readers/elf_symbols.h"
#include "src/lib/symbols/readers/load.h"
#include "src/lib/symbols/readers/xz.h"
#include "tests/fuzz/random.h"

#define SIZE		(1 << 20)	/* of an input, at most */
#define CHANGES		12
#define TOO_LONG_MS	1000
#define UNPACKED	(16u << 20)
#define MEMORY_KB	(512 << 10)	/* of all, with what the sanitizers need */

/* Memory that was given back is soon used again; and what asks for too much gets none. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=16:max_allocation_size_mb=128:allocator_may_return_null=1";
}

/* Seeds are bytes of a file; names are made of words. */
enum { PROGRAM, STRIPPED, JIT, PACKED, KALLSYMS, MODULES, MAPS, SEEDS, NAME = SEEDS, KINDS };

/* What each seed is made of, in a folder of its own. */
static const char *const makes[SEEDS] = {
	[PROGRAM] = "gcc -Os -g0 -o out p.c",
	[STRIPPED] = "gcc -Os -g0 -Wl,--build-id -o full p.c && "
		     "objcopy --only-keep-debug full d && xz -k d && strip -o out full && "
		     "objcopy --add-section .gnu_debugdata=d.xz --add-gnu-debuglink=d out",
	[JIT] = "for i in $(seq 1 300); do echo \"$(printf %x $((i * 4096))) 200 f$i\"; done >out",
	[PACKED] = "head -c 60000 full >part; xz -c part >out",
	[KALLSYMS] = "for i in $(seq 1 300); do "
		     "printf '%016x t f%d%s\\n' $((i * 4096)) $i "
		     "\"$([ $i -lt 200 ] || printf '\\t[m%d]' $((i / 40)))\"; done >out",
	[MODULES] = "for i in $(seq 1 9); do printf 'm%d 65536 2 m1,m2, Live 0x%016x (OE)\\n' $i "
		    "$((i * 40 * 4096)); done >out",
	[MAPS] = "cat /proc/self/maps >out",
};

static const char *const names[] = {
	"_ZNSt6vectorIiSaIiEE9push_backERKi", "_ZZ4mainENKUlvE_clEv", "_ZN3fooC1Ev",
	"_Z1fI1aIiiEE1bIS0_S0_E", "_ZN1AIXadL_Z1fvEEE1gEv", "_Z1fDpT_", "_ZTV3foo",
	"_ZNKSt8functionIFviEEclEi", "_Z1fIJiEEvDpT_",
	"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "_RNvCs1234_7mycrate3foo",
	"_RINvNtC3std3mem8align_ofdE", "_RNCNvC1a1fs_0B3_",
	"_RNvXs_C7mycrateINtB4_3FooyE3new", "_RIC1aTB2_B2_E",
};
#define NAMES (sizeof(names) / sizeof(names[0]))

struct fuzz {
	uint64_t state;
	uint8_t *seeds[SEEDS];
	size_t sizes[SEEDS];
	uint8_t bytes[SIZE];
	size_t n;
	uint64_t inputs, symbols, readable, slowest_us;
};

static uint64_t next(struct fuzz *f)
{
	return random_next(&f->state);
}

static uint64_t below(struct fuzz *f, uint64_t n)
{
	return next(f) % n;
}

static uint64_t number(struct fuzz *f)
{
	static const uint64_t edges[] = {
		0, 1, 2, 3, 4, 7, 8, 16, 24, 40, 64, 0xff, 0x100, 0xfff, 0x1000, 0x7fff, 0xffff,
		SIZE, SIZE - 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, INT64_MAX,
		1ULL << 63, UINT64_MAX, UINT64_MAX - 7,
	};

	return next(f) & 1 ? edges[below(f, sizeof(edges) / sizeof(edges[0]))] : below(f, SIZE);
}

/* What matters is at both ends. */
static uint64_t place(struct fuzz *f)
{
	switch (below(f, 3)) {
	case 0:
		return below(f, f->n < 1024 ? f->n : 1024);
	case 1:
		return f->n - 1 - below(f, f->n < 4096 ? f->n : 4096);
	}
	return below(f, f->n);
}

static void change(struct fuzz *f)
{
	uint64_t value = number(f), width = 1u << below(f, 4), at = place(f);

	switch (below(f, 8)) {
	case 0:
		f->n = below(f, f->n) + 1;
		break;
	case 1:
		width = below(f, 256);
		value = below(f, f->n);
		if (at + width <= f->n && value + width <= f->n)
			memmove(f->bytes + at, f->bytes + value, width);
		break;
	case 2:
	case 3:
		f->bytes[at] ^= 1u << below(f, 8);
		break;
	default:
		at &= ~(width - 1);
		if (at + width <= f->n)
			memcpy(f->bytes + at, &value, width);
	}
}

static void make(struct fuzz *f, int seed)
{
	unsigned int changes = (unsigned int)below(f, CHANGES);

	f->n = f->sizes[seed];
	memcpy(f->bytes, f->seeds[seed], f->n);
	for (unsigned int i = 0; i < changes && f->n > 16; i++)
		change(f);
}

static uint64_t cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* Frees what was made. What the process that reads files would say is believed no more. */
static void check_table(struct fuzz *f, struct table_maker *m)
{
	uint64_t at, offset;
	struct table_taker taker = { };
	const char *name;
	struct table t;

	f->symbols += m->n;
	table_maker_free(m);
	table_take(&taker, f->bytes, f->n < 200 ? f->n : 168);
	table_take(&taker, f->bytes, f->n < 16384 ? f->n : 16384);
	if (table_taken(&taker, &t)) {
		at = number(f);
		if (table_find(&t, at, at & 1, &name, &offset) && strlen(name) > SIZE)
			abort();
		table_free(&t);
	}
}

static void write_file(struct fuzz *f, int fd)
{
	if (ftruncate(fd, 0) || pwrite(fd, f->bytes, f->n, 0) != (ssize_t)f->n)
		exit(2);
}

static void give_file(struct fuzz *f, int fd, int seed)
{
	struct elf_source source = { .fd = fd, .root = "/nonexistent", .path = "/usr/bin/x" };
	struct table_maker m = { };
	struct error err = { };

	write_file(f, fd);
	if (seed == JIT)
		load_perf_map(&m, &fd, &err);
	else
		elf_symbols(&m, &source, &err);
	check_table(f, &m);
	/* the same in memory, at any place */
	if (seed != JIT && f->n > 1)
		elf_image_symbols(&m, f->bytes + below(f, 2), f->n - 1, &err);
	check_table(f, &m);
}

/* One of both is as the kernel wrote it. */
static void give_kernel(struct fuzz *f, int kind, const int fds[2])
{
	const int other = kind == KALLSYMS ? MODULES : KALLSYMS;
	char paths[2][32], name[KERNEL_NAME];
	struct kernel_symbols *k;

	write_file(f, fds[kind == MODULES]);
	f->n = f->sizes[other];
	memcpy(f->bytes, f->seeds[other], f->n);
	write_file(f, fds[other == MODULES]);
	for (int i = 0; i < 2; i++)
		snprintf(paths[i], sizeof(paths[i]), "/proc/self/fd/%d", fds[i]);
	k = kernel_symbols_new(paths[0], paths[1]);
	for (int i = 0; k && i < 100; i++) {
		uint64_t start = 0, address = i % 2 ? number(f) : below(f, 400 * 4096);
		const char *module = NULL;

		if (!kernel_symbols_find(k, address, name, &start, &module))
			continue;
		f->symbols++;
		if (start > address || strlen(name) >= sizeof(name) || strlen(module) > SIZE)
			abort();
	}
	kernel_symbols_free(k);
}

/* Each line as it would be read, in memory that ends behind it. */
static void give_maps(struct fuzz *f)
{
	for (size_t at = 0, n; at < f->n; at += n + 1) {
		const char *newline = memchr(f->bytes + at, '\n', f->n - at), *path;
		struct maps_line m;
		char *line;

		n = newline ? (size_t)(newline - (char *)f->bytes) - at : f->n - at;
		line = strndup((char *)f->bytes + at, n);
		if (line && maps_parse(line, &m, &path) && strlen(path) > n)
			abort();
		free(line);
	}
}

static void give_packed(struct fuzz *f)
{
	size_t size = 0;
	uint8_t *out = xz_unpack(f->bytes, f->n, UNPACKED, &size);

	if (out && size > UNPACKED)
		abort();
	free(out);
}

/* Inserts `part` once or many times. */
static void insert(struct fuzz *f, char *symbol, size_t size, const char *part)
{
	const size_t length = strlen(part);
	uint64_t times = below(f, 4) ? 1 : below(f, 40);
	size_t n = strlen(symbol), at = 2 + below(f, n - 1);

	for (; times && n + length < size && at <= n; times--) {
		memmove(symbol + at + length, symbol + at, n - at + 1);
		memcpy(symbol + at, part, length);
		n += length;
	}
}

static void give_name(struct fuzz *f)
{
	static const char set[] =
		"_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.$";
	char symbol[4096], part[64], readable[DEMANGLE_LENGTH];
	unsigned int changes = (unsigned int)below(f, 30);

	strcpy(symbol, names[below(f, NAMES)]);
	while (changes--) {
		const size_t n = strlen(symbol);
		const char *from = below(f, 2) ? symbol : names[below(f, NAMES)];

		switch (below(f, 4)) {
		case 0:
		case 1:
			snprintf(part, sizeof(part), "%.*s", (int)below(f, 16),
				 from + below(f, strlen(from)));
			insert(f, symbol, sizeof(symbol), part);
			break;
		case 2:
			symbol[2 + below(f, n < 4 ? 1 : n - 2)] =
				set[below(f, sizeof(set) - 1)];
			break;
		case 3:
			if (n > 8 && !below(f, 4))
				symbol[below(f, n - 4) + 4] = '\0';
		}
	}
	if (demangle(symbol, readable, sizeof(readable))) {
		f->readable++;
		if (strlen(readable) >= sizeof(readable))
			abort();
	}
}

static void give(struct fuzz *f, const int fds[2])
{
	const int kind = (int)below(f, KINDS);
	uint64_t begin, took;

	if (kind != NAME)
		make(f, kind);
	begin = cpu_us();
	switch (kind) {
	case PACKED:
		give_packed(f);
		break;
	case KALLSYMS:
	case MODULES:
		give_kernel(f, kind, fds);
		break;
	case MAPS:
		give_maps(f);
		break;
	case NAME:
		for (int i = 0; i < 50; i++)
			give_name(f);
		break;
	default:
		give_file(f, fds[0], kind);
	}
	took = cpu_us() - begin;
	f->inputs++;
	f->slowest_us = took > f->slowest_us ? took : f->slowest_us;
	if (took > TOO_LONG_MS * 1000)
		fprintf(stderr, "input %" PRIu64 " of kind %d took %" PRIu64 " ms\n", f->inputs,
			kind, took / 1000);
}

static void make_seeds(struct fuzz *f)
{
	char folder[] = "/tmp/sonde-fuzz-XXXXXX", command[1024];
	FILE *file;

	if (!mkdtemp(folder))
		exit(2);
	snprintf(command, sizeof(command), "%s/p.c", folder);
	file = fopen(command, "w");
	fputs("#include <stdio.h>\n#include <stdlib.h>\n"
	      "static int f(int n) { return n + rand(); }\nint g(int n) { return f(n) * 3; }\n"
	      "int main(int n, char **v) { puts(v[0]); return printf(\"%d\", g(n)); }\n", file);
	fclose(file);
	for (int i = 0; i < SEEDS; i++) {
		snprintf(command, sizeof(command), "cd %s && { %s; } && cat out", folder,
			 makes[i]);
		file = popen(command, "r");
		f->seeds[i] = malloc(SIZE);
		f->sizes[i] = file ? fread(f->seeds[i], 1, SIZE, file) : 0;
		if (!file || pclose(file) || !f->sizes[i]) {
			fprintf(stderr, "fuzz_symbols: can't make what it begins with: %s\n",
				makes[i]);
			exit(2);
		}
	}
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (system(command))
		exit(2);
}

int main(int argc, char **argv)
{
	static struct fuzz f;
	uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 10;
	time_t end = time(NULL) + (time_t)seconds;
	const int fds[2] = { memfd_create("a", MFD_CLOEXEC), memfd_create("b", MFD_CLOEXEC) };
	struct rusage used;

	f.state = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
	printf("fuzz_symbols: seed %" PRIu64 "\n", f.state);
	make_seeds(&f);
	while (time(NULL) < end)
		give(&f, fds);
	getrusage(RUSAGE_SELF, &used);
	printf("fuzz_symbols: %" PRIu64 " inputs, %" PRIu64 " symbols, %" PRIu64
	       " readable names, %" PRIu64 " ms and %ld MB at most\n", f.inputs, f.symbols,
	       f.readable, f.slowest_us / 1000, used.ru_maxrss >> 10);
	return f.slowest_us > TOO_LONG_MS * 1000 || used.ru_maxrss > MEMORY_KB ? 1 : 0;
}
