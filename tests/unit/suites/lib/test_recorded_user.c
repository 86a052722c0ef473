// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of user space in recordings: mappings in the order of time, and names of the recording
 * itself and of files with the right build id.
 */
#include <elf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/strbuf.h"
#include "compat/recordings/perf/perf_write.h"
#include "compat/recordings/recording_changes.h"
#include "compat/recordings/recording_internal.h"
#include "compat/recordings/recording_symbols.h"
#include "src/lib/symbols/readers/elf_symbols.h"
#include "src/lib/symbols/symbols.h"
#include "tests/unit/helpers/recordings/perf_user.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_recorded_user(void);

#define TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

static const struct perf_form forms[] = {
	{ "file", .sample_type = TYPE, .attrs = 1 },
	{ "foreign file", .swapped = true, .sample_type = TYPE, .attrs = 1 },
	{ "stream", true, .sample_type = TYPE, .attrs = 1 },
	{ "foreign stream", true, true, .sample_type = TYPE | PERF_SAMPLE_IDENTIFIER, .attrs = 2 },
};

struct user {
	struct recording *recording;
	struct symbols *symbols;
	char *path;
};

static void map(struct user *u, const struct recorded_change *c)
{
	symbols_mapped(u->symbols, &(struct symbols_mapping){
		.pid = c->pid, .time = c->time, .start = c->start, .length = c->length,
		.offset = c->offset, .major = c->major, .minor = c->minor, .inode = c->inode,
		.generation = c->generation, .code = c->code, .path = c->text,
		.build_id = c->identified ? c->build_id : NULL,
	});
}

/* As it is read: what comes is handed out up to `until`. */
static struct user begin(const struct perf_form *form, const char *symfs, uint64_t until)
{
	const struct recorded_change *c;
	struct user u = { };
	struct recorded rec;
	struct perf_file f;

	perf_file_make(&f, form);
	u.path = perf_file_write(&f, f.size);
	perf_file_free(&f);
	u.recording = recording_open(u.path, NULL, NULL);
	recording_follow(u.recording);
	while (recording_next(u.recording, &rec, NULL) > 0)
		continue;
	u.symbols = symbols_new(&(struct symbols_setup){
		.foreign = true, .elsewhere = true, .recording = u.recording, .symfs = symfs,
	});
	while ((c = recording_change(u.recording, until)))
		if (c->kind == CHANGE_MAP)
			map(&u, c);
	return u;
}

static void end(struct user *u)
{
	symbols_free(u->symbols);
	recording_close(u->recording);
	unlink(u->path);
	free(u->path);
}

static const char *name_of(struct user *u, uint64_t address)
{
	struct symbol y;

	symbols_user(u->symbols, 7, 100, address, false, &y);
	return y.name ? y.name : "";
}

/* A file names them; a stream has no such section, but the mappings and one build id. */
START_TEST(the_recording_has_names)
{
	const bool named = !forms[_i].piped;
	struct user u = begin(&forms[_i], "/nowhere", UINT64_MAX);
	struct symbol y;

	ck_assert_str_eq(name_of(&u, PERF_USER_A + 0x100), named ? "function_a" : "");
	ck_assert_str_eq(name_of(&u, PERF_USER_B + 0x1ff), named ? "function_b" : "");
	ck_assert_str_eq(name_of(&u, PERF_USER_B + 0x200), "");
	ck_assert_str_eq(name_of(&u, PERF_USER_C + 0x100), named ? "function_c" : "");
	ck_assert_str_eq(name_of(&u, PERF_USER_B + 0xff), "");
	symbols_user(u.symbols, 7, 100, PERF_USER_B + 0x200, true, &y);
	ck_assert(named ? y.name && y.offset == 0x100 : !y.name && !strcmp(y.module, "b"));
	symbols_kernel(u.symbols, PERF_FILE_KERNEL + 0x2010, false, &y);
	ck_assert_str_eq(y.name ? y.name : "", named ? "function_k" : "");
	symbols_kernel(u.symbols, 0xffffffffc0000010ULL, false, &y);
	ck_assert_str_eq(y.name ? y.module : "", named ? "module" : "");
	ck_assert(!symbols_files_lack(u.symbols) == named);
	end(&u);
}
END_TEST

START_TEST(what_lacks_is_told)
{
	struct user u = begin(&forms[2], NULL, UINT64_MAX);
	const char *lack;

	name_of(&u, PERF_USER_A + 0x100);
	name_of(&u, PERF_USER_B + 0x100);
	lack = symbols_files_lack(u.symbols);
	ck_assert_ptr_nonnull(lack);
	ck_assert_msg(strstr(lack, "no build id of /bin/a: "), "%s", lack);
	ck_assert_msg(strstr(lack, "this machine has not the same /bin/b: "),
		      "%s", lack);
	end(&u);
}
END_TEST

/* Changes that recording_add_change() gets, in this order, are handed out by time. */
START_TEST(changes_come_by_time)
{
	static const uint64_t times[] = { 0, 50, 20, 0, 20, 40 };
	static const uint64_t wanted[] = { 0, 3, 2, 4 };
	struct recording *r = calloc(1, sizeof(*r));
	const struct recorded_change *c;

	for (unsigned int i = 0; i < COUNT_OF(times); i++)
		recording_add_change(r, &(struct recorded_change){
			.time = times[i], .pid = i, .text = i % 2 ? "odd" : "even",
		});
	for (unsigned int i = 0; i < COUNT_OF(wanted); i++) {
		c = recording_change(r, 30);
		ck_assert_ptr_nonnull(c);
		ck_assert_uint_eq(c->pid, wanted[i]);
		ck_assert_str_eq(c->text, wanted[i] % 2 ? "odd" : "even");
	}
	ck_assert_ptr_null(recording_change(r, 30));
	recording_add_change(r, &(struct recorded_change){ .time = 45, .pid = 6 });
	ck_assert_uint_eq(recording_change(r, UINT64_MAX)->pid, 5);
	ck_assert_uint_eq(recording_change(r, UINT64_MAX)->pid, 6);
	ck_assert_uint_eq(recording_change(r, UINT64_MAX)->pid, 1);
	ck_assert_ptr_null(recording_change(r, UINT64_MAX));
	recording_free_changes(r);
	free(r);
}
END_TEST

/* Many more than are kept at a time. */
START_TEST(changes_that_were_taken_are_dropped)
{
	struct recording *r = calloc(1, sizeof(*r));
	uint64_t next = 0;

	for (uint64_t i = 0; i < 100000; i++) {
		recording_add_change(r, &(struct recorded_change){ .time = i });
		while (i % 100 == 99 && next + 50 < i)
			ck_assert_uint_eq(recording_change(r, i)->time, next++);
		ck_assert_uint_le(r->changes.n, 4096);
	}
	recording_free_changes(r);
	free(r);
}
END_TEST

static void map_at(struct user *u, uint32_t pid, uint64_t time, uint64_t start, const char *path)
{
	uint8_t id[BUILD_ID];

	memset(id, 0xa0 + 0x10 * (path[5] - 'a'), sizeof(id));
	symbols_mapped(u->symbols, &(struct symbols_mapping){
		.pid = pid, .time = time, .start = start, .length = 0x2000,
		.offset = PERF_USER_OFFSET, .code = true, .path = path, .build_id = id,
	});
}

static const char *name_at(struct user *u, uint32_t pid, uint64_t time, uint64_t address)
{
	struct symbol y;

	symbols_user(u->symbols, pid, time, address, false, &y);
	return y.name ? y.name : "";
}

START_TEST(each_time_has_its_mappings)
{
	struct user u = begin(&forms[0], "/nowhere", 0);

	/* A part of /bin/a is replaced; a child has what its parent had; an exec ends it */
	map_at(&u, 7, 200, PERF_USER_A - 0x1000, "/bin/d");
	symbols_forked(u.symbols, 7, 9, 300);
	map_at(&u, 7, 400, PERF_USER_A, "/bin/b");
	symbols_executed(u.symbols, 7, 500);
	symbols_exited(u.symbols, 9, 600);
	ck_assert_str_eq(name_at(&u, 7, 100, PERF_USER_A + 0x100), "function_a");
	ck_assert_str_eq(name_at(&u, 7, 300, PERF_USER_A - 0xf00), "function_d");
	ck_assert_str_eq(name_at(&u, 7, 300, PERF_USER_A + 0x100), "");
	ck_assert_str_eq(name_at(&u, 7, 400, PERF_USER_A + 0x100), "function_b");
	ck_assert_str_eq(name_at(&u, 9, 400, PERF_USER_A - 0xf00), "function_d");
	ck_assert_str_eq(name_at(&u, 9, 400, PERF_USER_B + 0x100), "function_b");
	ck_assert_str_eq(name_at(&u, 7, 499, PERF_USER_B + 0x100), "function_b");
	ck_assert_str_eq(name_at(&u, 7, 500, PERF_USER_B + 0x100), "");
	end(&u);
}
END_TEST

/* The names that the recording has are of one file. */
START_TEST(two_files_of_one_path_have_no_names)
{
	static const uint8_t id[BUILD_ID] = { 1 };
	struct user u = begin(&forms[0], "/nowhere", UINT64_MAX);

	ck_assert_str_eq(name_of(&u, PERF_USER_B + 0x100), "function_b");
	symbols_mapped(u.symbols, &(struct symbols_mapping){
		.pid = 8, .start = PERF_USER_B, .length = 0x2000, .offset = PERF_USER_OFFSET,
		.code = true, .path = "/bin/b", .build_id = id,
	});
	ck_assert_str_eq(name_of(&u, PERF_USER_B + 0x100), "");
	ck_assert_str_eq(name_of(&u, PERF_USER_A + 0x100), "function_a");
	end(&u);
}
END_TEST

struct code {
	uint64_t base;			/* where the program is, less its own addresses */
	ElfW(Phdr) header;
};

static int find_code(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct code *code = arg;

	(void)size;
	code->base = info->dlpi_addr;
	for (unsigned int i = 0; i < info->dlpi_phnum && !*info->dlpi_name; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X)
			code->header = info->dlpi_phdr[i];
	return !*info->dlpi_name;
}

__attribute__((noinline)) static int named_here(int n)
{
	return n + getppid();
}

/* This program, below a folder: by its path, or by its build id; or another one is there. */
static const struct {
	const char *folder;		/* "": by the build id */
	const char *end;
	bool other;			/* another build id was recorded */
	bool named;
} places[] = {
	{ "/bin", "/b", false, true }, { "/bin", "/b", true, false },
	{ "", "/elf", false, true }, { "", ".debug", false, true }, { "", "/elf", true, false },
};

/* Copies this program to that place. */
static void place(const char *root, const char *folder, const char *end, const uint8_t id[BUILD_ID])
{
	struct strbuf command = { };
	char path[512], own[256];
	struct strbuf b = strbuf_over(path, sizeof(path));
	const ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);

	ck_assert_int_gt(n, 0);
	own[n] = '\0';
	strbuf_addf(&b, "%s%s", root, folder);
	if (!*folder)
		strbuf_addf(&b, "/.build-id/%02x/", id[0]);
	for (unsigned int i = 1; !*folder && i < BUILD_ID; i++)
		strbuf_addf(&b, "%02x", id[i]);
	strbuf_addf(&b, "%s", end);
	strbuf_addf(&command, "mkdir -p '%s' && rmdir '%s' && cp '%s' '%s'", path, path, own, path);
	ck_assert_int_eq(system(command.s), 0);
	free(command.s);
}

START_TEST(only_the_same_file_names)
{
	char *folder = temporary();
	uint8_t id[BUILD_ID], recorded[BUILD_ID];
	const int fd = open("/proc/self/exe", O_RDONLY);
	struct user u = begin(&forms[2], folder, 0);
	struct code code = { };
	uint64_t address = (uint64_t)(uintptr_t)named_here;

	ck_assert_int_eq(symbols_build_id(fd, id), 0);
	close(fd);
	dl_iterate_phdr(find_code, &code);
	memcpy(recorded, id, sizeof(id));
	recorded[3] ^= places[_i].other;
	place(folder, places[_i].folder, places[_i].end, *places[_i].folder ? id : recorded);
	symbols_mapped(u.symbols, &(struct symbols_mapping){
		.pid = 7, .start = 0x7000000, .length = code.header.p_memsz,
		.offset = code.header.p_offset,
		.code = true, .path = "/bin/b", .build_id = recorded,
	});
	address = 0x7000000 + address - code.base - code.header.p_vaddr;
	ck_assert_int_eq(named_here(1), 1 + getppid());
	ck_assert_str_eq(name_of(&u, address), places[_i].named ? "named_here" : "");
	ck_assert(!symbols_files_lack(u.symbols) == places[_i].named);
	end(&u);
	remove_all(folder);
}
END_TEST

/* What sonde writes: a mapping of the beginning, and a section behind the records. */
START_TEST(what_is_written_is_read)
{
	static const uint64_t ids[] = { 1, 2 };
	static const char *const words[] = { "sonde", NULL };
	static const uint8_t id[BUILD_ID] = { 1, 2, 3 };
	struct kernel *k = trial_kernel("6.1");
	const struct perf_written event = {
		"", "cpu-clock", { .type = PERF_TYPE_SOFTWARE, .sample_id_all = 1,
				   .sample_type = TYPE | PERF_SAMPLE_IDENTIFIER }, ids, 2,
	};
	const struct perf_head head = {
		.kernel = k, .events = &event, .n_events = 1, .possible = 2, .online = 2,
		.command = (char *const *)words,
	};
	const struct perf_written_mapping maps[] = {
		{ 7, 0x1000, 0x3000, 0x1000, 8, 1, 4711, NULL, "/bin/c" },
		{ 7, 0x5000, 0x8000, 0, 0, 0, 0, id, "/bin/a" },
	};
	char *path = strdup("/tmp/sonde-unit.XXXXXX"), *text;
	const struct recorded_change *c;
	struct perf_file names = { .form = &forms[0] };
	struct perf_writer *w;
	struct recorded rec;
	struct recording *r;
	struct error err = { };
	uint64_t start;

	close(mkstemp(path));
	w = perf_writer_open(path, &head, NULL);
	for (unsigned int i = 0; i < COUNT_OF(maps); i++)
		ck_assert_int_eq(perf_writer_mapping(w, &maps[i], NULL), 0);
	perf_user_names(&names);
	ck_assert_int_eq(perf_writer_section(w, 201, "old", 3, NULL), 0);
	/* a recorder that is killed here leaves a whole file */
	text = perf_file_read(path);
	ck_assert_str_eq(text, "");
	free(text);
	ck_assert_int_eq(perf_writer_section(w, 132, names.bytes, names.size, NULL), 0);
	ck_assert_int_eq(perf_writer_close(w, &err), 0);
	r = recording_open(path, NULL, NULL);
	recording_follow(r);
	ck_assert_int_eq(recording_next(r, &rec, NULL), 0);
	ck_assert_uint_eq(recording_notes(r)->n, 0);
	for (unsigned int i = 0; i < COUNT_OF(maps); i++) {
		c = recording_change(r, 0);
		ck_assert(c && c->pid == 7 && c->start == maps[i].start && c->code);
		ck_assert_uint_eq(c->length, maps[i].end - maps[i].start);
		ck_assert_uint_eq(c->offset, maps[i].offset);
		ck_assert_uint_eq(c->inode, maps[i].inode);
		ck_assert_str_eq(c->text, maps[i].path);
		ck_assert(c->identified == (maps[i].build_id != NULL));
		ck_assert(!c->identified || !memcmp(c->build_id, id, sizeof(id)));
	}
	ck_assert_str_eq(recording_symbol(r, "/bin/a", 0x1180, &start), "function_a");
	ck_assert_uint_eq(start, 0x1100);
	recording_close(r);
	kernel_free(k);
	perf_file_free(&names);
	unlink(path);
	free(path);
}
END_TEST

Suite *suite_recorded_user(void)
{
	Suite *s = suite_create("recorded_user");

	add_tests(s, "names of the recording", the_recording_has_names, COUNT_OF(forms));
	add_tests(s, "what lacks", what_lacks_is_told, 1);
	add_tests(s, "order", changes_come_by_time, 1);
	add_tests(s, "memory", changes_that_were_taken_are_dropped, 1);
	add_tests(s, "times", each_time_has_its_mappings, 1);
	add_tests(s, "two files", two_files_of_one_path_have_no_names, 1);
	add_tests(s, "written", what_is_written_is_read, 1);
	add_tests(s, "files", only_the_same_file_names, COUNT_OF(places));
	return s;
}
