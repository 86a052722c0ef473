// SPDX-License-Identifier: GPL-2.0
/* The store of symbols, asked about this process and children whose every mapping is known. */
#include "src/lib/symbols/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/lib/symbols/jit.h"
#include "src/lib/symbols/maps.h"
#include "tests/unit/helpers/temporary.h"

Suite *suite_symbols(void);

__attribute__((noinline)) static int one_of_ours(int n)
{
	return n * 3 + getpid();
}

static struct symbols *store(bool mangled)
{
	struct symbols *s = symbols_new(&(struct symbols_setup){ .mangled = mangled });

	ck_assert_ptr_nonnull(s);
	return s;
}

static void is_named(const struct symbol *y, enum symbol_kind kind, const char *name,
		     const char *module, uint64_t offset)
{
	ck_assert_msg(y->name && !strcmp(y->name, name), "%s",
		      y->name ? y->name : "unknown");
	ck_assert_int_eq(y->kind, kind);
	ck_assert_str_eq(y->module, module);
	ck_assert_int_eq(y->offset, offset);
}

/* What is mapped now: this program, its libraries, the vDSO, and nothing. */
START_TEST(own)
{
	struct symbols *s = store(false);
	const uint32_t pid = (uint32_t)getpid();
	const uint64_t at = (uint64_t)(uintptr_t)one_of_ours;
	struct symbol y;

	ck_assert_int_eq(one_of_ours(1), 3 + getpid());
	symbols_user(s, pid, SYMBOLS_NOW, at, false, &y);
	ck_assert(y.kind == SYMBOL_UNKNOWN && !y.name && !y.module);
	symbols_seed(s, _i ? NULL : &pid, 1, 1000);
	symbols_user(s, pid, SYMBOLS_NOW, at, false, &y);
	is_named(&y, SYMBOL_USER, "one_of_ours", "run-unit", 0);
	symbols_user(s, pid, 5, at + 3, false, &y);
	is_named(&y, SYMBOL_USER, "one_of_ours", "run-unit", 3);
	/* a call that does not return: behind it is another function */
	symbols_user(s, pid, 5, at, true, &y);
	ck_assert(!y.name || strcmp(y.name, "one_of_ours"));
	symbols_user(s, pid, 5, at + 1, true, &y);
	is_named(&y, SYMBOL_USER, "one_of_ours", "run-unit", 1);
	symbols_user(s, pid, SYMBOLS_NOW, (uint64_t)(uintptr_t)&y, false, &y);
	ck_assert(y.kind == SYMBOL_UNKNOWN && !y.name && !y.module);
	/* of other processes some may be such as can't be read */
	ck_assert_msg(!_i || !symbols_lacks(s), "%s", symbols_lacks(s));
	symbols_free(s);
}
END_TEST

static void copy_maps(struct symbols *s, pid_t pid, uint64_t time)
{
	char path[64], line[1024];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		struct maps_line m = { };
		const char *file;

		if (maps_parse(line, &m, &file))
			symbols_mapped(s, &(struct symbols_mapping){
				.pid = (uint32_t)pid, .time = time, .start = m.start,
				.length = m.end - m.start, .offset = m.offset,
				.major = m.key.major, .minor = m.key.minor, .inode = m.key.inode,
				.code = true, .path = *file ? file : "//anon",
			});
	}
	fclose(f);
}

/* A program that tells where its function is, and waits. */
static const char program[] =
	"#include <stdio.h>\n"
	"#include <unistd.h>\n"
	"namespace deep { struct thing { static int work(int n); }; }\n"
	"__attribute__((noinline)) int deep::thing::work(int n) { return n + getpid(); }\n"
	"int main() { printf(\"%p\\n\", (void *)deep::thing::work); fflush(stdout); "
	"return deep::thing::work(pause()); }\n";

static pid_t start(const char *folder, const char *how, uint64_t *address)
{
	char command[512], line[64] = "";
	int ends[2];
	pid_t pid;
	ssize_t n;

	write_text(folder, "prog.cc", program);
	snprintf(command, sizeof(command), "cd %s && g++ %s -o prog prog.cc >log 2>&1", folder,
		 how);
	if (system(command))
		return 0;
	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		snprintf(command, sizeof(command), "%s/prog", folder);
		dup2(ends[1], 1);
		execl(command, command, (char *)NULL);
		_exit(1);
	}
	close(ends[1]);
	n = read(ends[0], line, sizeof(line) - 1);
	close(ends[0]);
	ck_assert_int_gt(n, 0);
	*address = strtoull(line, NULL, 16);
	return pid;
}

/* It ended, and its file was removed, before anybody asked. */
static const char *const compiled[] = { "-O1", "-O1 -no-pie", "-O1 -static" };

START_TEST(ended)
{
	char *folder = temporary(), path[256];
	struct symbols *s = store(_i == 1), *late = store(false);
	const char *name = _i == 1 ? "_ZN4deep5thing4workEi" : "deep::thing::work";
	struct symbol y, again;
	uint64_t address;
	pid_t pid = start(folder, compiled[_i], &address);

	if (!pid)
		goto out;			/* no compiler for C++ */
	symbols_forked(s, 1, (uint32_t)pid, 10);
	symbols_executed(s, (uint32_t)pid, 20);
	copy_maps(s, pid, 30);
	copy_maps(late, pid, 30);
	symbols_settle(s);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	symbols_exited(s, (uint32_t)pid, 40);
	snprintf(path, sizeof(path), "%s/prog", folder);
	unlink(path);
	symbols_user(s, (uint32_t)pid, 35, address + 1, false, &y);
	is_named(&y, SYMBOL_USER, name, "prog", 1);
	symbols_user(s, (uint32_t)pid, 15, address + 1, false, &y);
	ck_assert_int_eq(y.kind, SYMBOL_UNKNOWN);
	/* not opened in time: the file is known, and where in it, but no name */
	symbols_user(late, (uint32_t)pid, 35, address + 1, false, &y);
	ck_assert_ptr_null(y.name);
	ck_assert_int_eq(y.kind, SYMBOL_USER);
	ck_assert_str_eq(y.module, "prog");
	/* another process has the same file: strings are the same, and stay */
	symbols_user(s, (uint32_t)pid, 35, address + 1, false, &y);
	symbols_forget(s, 1000);
	symbols_user(s, (uint32_t)pid, 35, address + 1, false, &again);
	ck_assert_int_eq(again.kind, SYMBOL_UNKNOWN);
	ck_assert_str_eq(y.name, name);
out:
	symbols_free(s);
	symbols_free(late);
	remove_all(folder);
}
END_TEST

/* Another file has taken the path of the one that was mapped: nothing of it is believed. */
START_TEST(replaced)
{
	char *folder = temporary(), path[256], other[1024];
	struct symbols *s = store(false);
	struct symbol y;
	struct stat st;

	snprintf(path, sizeof(path), "%s/lib", folder);
	snprintf(other, sizeof(other), "cp /proc/%d/exe %s/new && mv %s/new %s", getpid(), folder,
		 folder, path);
	write_text(folder, "lib", "the file that was mapped");
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(system(other), 0);
	symbols_mapped(s, &(struct symbols_mapping){
		.pid = (uint32_t)getpid(), .time = 1, .start = 0x10000, .length = 0x1000000,
		.inode = st.st_ino, .code = true, .path = path,
	});
	for (uint64_t at = 0x10000; at < 0x1010000; at += 0x1001) {
		symbols_user(s, (uint32_t)getpid(), 2, at, false, &y);
		ck_assert_ptr_null(y.name);
		ck_assert_str_eq(y.module, "lib");
		ck_assert_int_eq(y.offset, at - 0x10000);
	}
	symbols_free(s);
	remove_all(folder);
}
END_TEST

/* A part of the code was copied to other pages: it has the names that it had. */
START_TEST(copied)
{
	struct symbols *s = store(false);
	const uint32_t pid = (uint32_t)getpid();
	const uint64_t at = (uint64_t)(uintptr_t)one_of_ours;
	const uint64_t page = (at + 1) & ~0xfffULL;	/* what is asked for may be on the next */
	struct symbol y;

	symbols_seed(s, &pid, 1, 1);
	symbols_mapped(s, &(struct symbols_mapping){
		.pid = pid, .time = 10, .start = page, .length = 0x1000, .code = true,
		.path = "//anon",
	});
	symbols_user(s, pid, 20, at + 1, false, &y);
	is_named(&y, SYMBOL_USER, "one_of_ours", "run-unit", 1);
	/* the code before it is gone, too: nobody knows what this is */
	symbols_mapped(s, &(struct symbols_mapping){
		.pid = pid, .time = 30, .start = page - 0x1000, .length = 0x1000, .code = false,
		.path = "/tmp/data",
	});
	symbols_user(s, pid, 40, at + 1, false, &y);
	ck_assert_ptr_null(y.name);
	symbols_user(s, pid, 20, at + 1, false, &y);
	ck_assert_ptr_nonnull(y.name);
	symbols_free(s);
}
END_TEST

enum jit_file {
	JIT_GOOD, JIT_LATE, JIT_MEMFD, JIT_LINK, JIT_OTHERS, JIT_STALE, JIT_NONE, JIT_FOLDER,
	JIT_FILES,
};

static void make_map(enum jit_file kind, const char *path, uint64_t code)
{
	const struct timespec hour_ago = { .tv_sec = time(NULL) - 3600 };
	char text[64], target[128];

	snprintf(text, sizeof(text), "%" PRIx64 " 10 compiled\n", code);
	snprintf(target, sizeof(target), "%s.target", path);
	unlink(target);
	if (kind == JIT_FOLDER) {
		mkdir(path, 0700);
	} else if (kind == JIT_LINK) {
		write_text("/tmp", strrchr(target, '/') + 1, text);
		ck_assert_int_eq(symlink(target, path), 0);
	} else if (kind != JIT_NONE) {
		write_text("/tmp", strrchr(path, '/') + 1, text);
		if (kind == JIT_OTHERS)
			ck_assert_int_eq(chown(path, 12345, 12345), 0);
		if (kind == JIT_STALE)
			ck_assert_int_eq(utimensat(AT_FDCWD, path, (struct timespec[]){ hour_ago,
						   hour_ago }, 0), 0);
	}
}

static uint8_t *map_code(bool memfd)
{
	const int fd = memfd ? memfd_create("code/of a JIT", MFD_CLOEXEC) : -1;
	uint8_t *code;

	ck_assert(!memfd || (fd >= 0 && !ftruncate(fd, 4096)));
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
		    memfd ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
	ck_assert(code != MAP_FAILED);
	if (memfd)
		close(fd);
	return code;
}

/*
 * What a process compiled itself: only its own file counts, not that of an earlier process with its
 * id, and it may come late.
 */
START_TEST(jit)
{
	struct symbols *s = store(false);
	const uint32_t pid = (uint32_t)getpid();
	const bool good = _i == JIT_GOOD || _i == JIT_LATE || _i == JIT_MEMFD;
	char path[64], target[128];
	const char *lacks;
	struct symbol y;
	uint8_t *code = map_code(_i == JIT_MEMFD);
	const uint64_t at = (uint64_t)(uintptr_t)code;

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	snprintf(target, sizeof(target), "%s.target", path);
	if (_i == JIT_OTHERS && getuid())
		goto out;
	if (_i != JIT_LATE)
		make_map(_i, path, at);
	symbols_seed(s, &pid, 1, 1);
	if (_i == JIT_LATE) {
		make_map(_i, path, at);
		usleep(150000);		/* it is looked for ten times a second */
	}
	symbols_user(s, pid, 2, at + 4, false, &y);
	ck_assert_int_eq(y.kind, SYMBOL_JIT);
	if (_i == JIT_MEMFD)
		ck_assert_str_eq(y.module, "memfd:code/of a JIT");
	if (good)
		ck_assert_str_eq(y.name, "compiled");
	else
		ck_assert_ptr_null(y.name);
	lacks = symbols_lacks(s);
	ck_assert_int_eq(lacks && strstr(lacks, "older than the process"), _i == JIT_STALE);
	symbols_user(s, pid, 2, at + 16, false, &y);
	ck_assert_ptr_null(y.name);
	if (good) {
		char more[64];

		snprintf(more, sizeof(more), "%" PRIx64 " 10 more\n", at + 16);
		append_to("/tmp", strrchr(path, '/') + 1, more, strlen(more));
		usleep(1100000);
		symbols_user(s, pid, 2, at + 16, false, &y);
		ck_assert_str_eq(y.name, "more");
	}
out:
	unlink(path);
	rmdir(path);
	unlink(target);
	munmap(code, 4096);
	symbols_free(s);
}
END_TEST

#define CROWD 300
#define NOBODY (1U << 30)	/* more than any process id */

/*
 * Processes without a file never push one out that has a file, also if that is gone by now. If all
 * have one, that is said of the others.
 */
/* Files that are gone are no news; of the errors of the moment one is told. */
START_TEST(lacks_of_the_moment)
{
	struct lacks lacks = { };

	lacks_add(&lacks, ENOENT, "/a: no such thing");
	lacks_add(&lacks, 0, "/Too many open files: it is cut off");
	ck_assert_ptr_null(lines_text(&lacks.unread));
	lacks_add(&lacks, EMFILE, "/b: no room");
	lacks_add(&lacks, EIO, "/c: broken");
	ck_assert_str_eq(lines_text(&lacks.unread), "/b: no room");
	ck_assert_uint_eq(lacks.all.n, 4);
	lacks_free(&lacks);
}
END_TEST

START_TEST(jit_crowd)
{
	const struct history_life mine = { .pid = (uint32_t)getpid() };
	struct jits *j = jits_new(NULL);
	struct lacks lacks = { };
	const char *name, *said;
	uint64_t offset;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", mine.pid);
	make_map(JIT_GOOD, path, 0x1000);
	jits_see(j, &mine);
	jits_open(j);
	unlink(path);
	for (uint32_t i = 0; i < CROWD; i++)
		jits_see(j, &(struct history_life){ .pid = NOBODY + i });
	ck_assert(jits_find(j, &mine, 0x1004, &name, &offset, &lacks));
	ck_assert_str_eq(name, "compiled");
	ck_assert(!jits_find(j, &(struct history_life){ .pid = NOBODY }, 0x1004, &name, &offset,
			     &lacks));
	ck_assert_ptr_null(lines_text(&lacks.all));
	make_map(JIT_GOOD, path, 0x1000);
	for (uint32_t i = 1; i <= CROWD; i++)
		jits_see(j, &(struct history_life){ .pid = mine.pid, .from = i });
	ck_assert(!jits_find(j, &(struct history_life){ .pid = mine.pid, .from = CROWD }, 0x1004,
			     &name, &offset, &lacks));
	said = lines_text(&lacks.all);
	ck_assert(said && strstr(said, "more than 256 processes"));
	unlink(path);
	lacks_free(&lacks);
	jits_free(j);
}
END_TEST

static const char kallsyms[] = "ffffffff81000000 T _text\nffffffff81000100 T vfs_read\n"
	"ffffffff81000200 t _RNvCs1234_7mycrate3foo\nffffffff81000300 T _etext\n"
	"ffffffffc0001000 t of_module\t[ext4]\n";

START_TEST(kernel)
{
	char *folder = temporary(), path[256];
	struct symbols *s, *hidden;
	struct symbol y;

	snprintf(path, sizeof(path), "%s/kallsyms", folder);
	write_text(folder, "kallsyms", kallsyms);
	s = symbols_new(&(struct symbols_setup){ .kallsyms = path, .modules = "/dev/null" });
	symbols_kernel(s, 0xffffffff81000104, false, &y);
	is_named(&y, SYMBOL_KERNEL, "vfs_read", "kernel", 4);
	symbols_kernel(s, 0xffffffff81000200, true, &y);
	is_named(&y, SYMBOL_KERNEL, "vfs_read", "kernel", 0x100);
	symbols_kernel(s, 0xffffffff81000200, false, &y);
	is_named(&y, SYMBOL_KERNEL, "mycrate::foo", "kernel", 0);
	symbols_kernel(s, 0xffffffffc0001004, false, &y);
	is_named(&y, SYMBOL_KERNEL, "of_module", "ext4", 4);
	symbols_kernel(s, 0xffffffff81000310, false, &y);
	ck_assert(y.kind == SYMBOL_KERNEL && !y.name && !y.module);
	ck_assert_ptr_null(symbols_kernel_lack(s));
	symbols_free(s);
	hidden = symbols_new(&(struct symbols_setup){ .kallsyms = "/dev/null" });
	symbols_kernel(hidden, 0xffffffff81000104, false, &y);
	ck_assert_ptr_null(y.name);
	ck_assert_ptr_nonnull(symbols_kernel_lack(hidden));
	symbols_free(hidden);
	remove_all(folder);
}
END_TEST

/* Names are the same whether they were wanted before or not, and others are still found. */
START_TEST(wanted)
{
	const uint32_t pid = (uint32_t)getpid();
	const uint64_t ours = (uint64_t)(uintptr_t)one_of_ours & ~0xffffULL,
		libc = (uint64_t)(uintptr_t)strlen & ~0xffffULL;
	struct symbols *all = store(false), *few = store(false);

	symbols_seed(all, &pid, 1, 1);
	symbols_seed(few, &pid, 1, 1);
	for (uint64_t i = 0; i < 0x20000; i += 97) {
		symbols_want_user(few, pid, 2, 2, ours + i, i & 1);
		symbols_want_user(few, pid, 2, 2, libc + i, i & 1);
	}
	for (uint64_t i = 0; i < 0x20000; i += _i ? 97 : 89) {
		for (int j = 0; j < 2; j++) {
			const uint64_t at = (j ? libc : ours) + i;
			struct symbol a, b;

			symbols_user(all, pid, 2, at, i & 1, &a);
			symbols_user(few, pid, 2, at, i & 1, &b);
			a.name = a.name ? a.name : "unknown";
			b.name = b.name ? b.name : "unknown";
			ck_assert_str_eq(a.name, b.name);
			ck_assert(a.kind == b.kind && a.offset == b.offset);
		}
	}
	symbols_free(all);
	symbols_free(few);
}
END_TEST

Suite *suite_symbols(void)
{
	Suite *s = suite_create("symbols");

	add_tests(s, "own", own, 2);
	add_tests(s, "ended", ended, (int)(sizeof(compiled) / sizeof(compiled[0])));
	add_tests(s, "replaced", replaced, 1);
	add_tests(s, "copied", copied, 1);
	add_tests(s, "JIT", jit, JIT_FILES);
	add_tests(s, "JIT-crowd", jit_crowd, 1);
	add_tests(s, "lacks of the moment", lacks_of_the_moment, 1);
	add_tests(s, "kernel", kernel, 1);
	add_tests(s, "wanted", wanted, 2);
	return s;
}
