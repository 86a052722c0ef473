// SPDX-License-Identifier: GPL-2.0
/*
 * Names of 1000 addresses in processes of all kinds, as nm(1) has them in the file that was run:
 * where it lies at another place than it was linked for, in another mount namespace, in a root of
 * its own, without its symbols, or no more at all.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/lib/symbols/maps.h"
#include "src/lib/symbols/symbols.h"
#include "tests/unit/helpers/nm.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_symbols_processes(void);

#define ADDRESSES 1000

/* Says where one of its functions is, and waits. Most of the others are filled with nothing. */
static const char source[] =
	"#include <stdio.h>\n"
	"#include <unistd.h>\n"
	"#ifndef SIZE\n"
	"#define SIZE \"100\"\n"
	"#endif\n"
	"asm(\".text\\n.macro F\\n.globl filled\\\\@\\n.type filled\\\\@, %function\\n\"\n"
	"    \"filled\\\\@: .zero \" SIZE \"\\n.size filled\\\\@, \" SIZE \"\\n.endm\\n\"\n"
	"    \".rept 2000\\nF\\n.endr\\n\");\n"
	"__attribute__((noinline)) int known(int n) { return n + getpid(); }\n"
	"int main(void) { printf(\"%llx\\n\", (unsigned long long)(unsigned long)known);\n"
	"fflush(stdout); return known(pause()); }\n";

/* What is done before it is run, in a process of its own, and what before anybody asks. */
enum place { AS_IT_IS, DELETED, REPLACED, NAMESPACE, OVERLAY, ROOT };

static const struct {
	const char *name, *make;	/* `prog` is run, and `full` has all symbols */
	enum place place;
	bool optional;			/* what makes it may not be there */
	bool by_path;			/* the debug file is found beside the program's path */
} kinds[] = {
	{ "position independent", "gcc -fPIE -pie -o prog prog.c && cp prog full" },
	{ "at fixed addresses", "gcc -fno-pie -no-pie -o prog prog.c && cp prog full" },
	{ "static", "gcc -static -o prog prog.c && cp prog full" },
	{ "static, position independent", "gcc -static-pie -o prog prog.c && cp prog full",
	  .optional = true },
	{ "32 bits", "sh $OLDPWD/tests/cc32.sh native -static -o prog prog.c && cp prog full",
	  .optional = true },
	{ "60 MB of code", "gcc -DSIZE='\"30000\"' -o prog prog.c && cp prog full" },
	{ "deleted", "gcc -o prog prog.c && cp prog full", DELETED },
	{ "replaced", "gcc -o prog prog.c && cp prog full", REPLACED },
	{ "in another mount namespace", "gcc -o prog prog.c && cp prog full", NAMESPACE },
	{ "in a container", "gcc -o prog prog.c && cp prog full", OVERLAY },
	{ "in a root of its own, with a debug file there",
	  "gcc -static -Wl,--build-id=0x123456789a -o full prog.c && strip -o prog full && "
	  "mkdir -p usr/lib/debug/.build-id/12 && "
	  "objcopy --only-keep-debug full usr/lib/debug/.build-id/12/3456789a.debug", ROOT },
	{ "in another mount namespace, with a debug file there",
	  "gcc -Wl,--build-id=none -o full prog.c && "
	  "objcopy --only-keep-debug full prog.debug && strip -o prog full && "
	  "objcopy --add-gnu-debuglink=prog.debug prog", NAMESPACE, .by_path = true },
};

static bool make(const char *folder, const char *how)
{
	char command[1024];

	write_text(folder, "prog.c", source);
	snprintf(command, sizeof(command), "cd %s && { %s; } >log 2>&1", folder, how);
	return system(command) == 0;
}

/* The files are below `folder`/m there, and nowhere else. */
static bool hide_files(const char *folder, bool overlay)
{
	char command[1024], options[512], at[256];

	snprintf(at, sizeof(at), "%s/m", folder);
	snprintf(options, sizeof(options), "xino=on,lowerdir=%s/lower,upperdir=%s/up/files,"
		 "workdir=%s/up/work", folder, folder, folder);
	snprintf(command, sizeof(command), "cp %s/prog* %s/%s", folder, folder,
		 overlay ? "lower" : "m");
	if (mkdir(at, 0755) || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return false;
	if (!overlay)
		return !mount("tmpfs", at, "tmpfs", 0, NULL) && !system(command);
	make_dir(folder, "lower");
	make_dir(folder, "up");
	snprintf(at, sizeof(at), "%s/up", folder);
	if (mount("tmpfs", at, "tmpfs", 0, NULL) || system(command))
		return false;
	make_dir(folder, "up/files");
	make_dir(folder, "up/work");
	snprintf(at, sizeof(at), "%s/m", folder);
	return !mount("overlay", at, "overlay", 0, options);
}

static void be_program(const char *folder, enum place place, int to)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/prog", folder);
	if (place == NAMESPACE || place == OVERLAY) {
		if (!hide_files(folder, place == OVERLAY))
			_exit(1);
		snprintf(path, sizeof(path), "%s/m/prog", folder);
	} else if (place == ROOT) {
		if (chroot(folder) || chdir("/"))
			_exit(1);
		strcpy(path, "/prog");
	}
	dup2(to, 1);
	execl(path, path, (char *)NULL);
	_exit(1);
}

/* 0: this machine, or who runs this, can't do it. */
static pid_t start(const char *folder, enum place place, uint64_t *known)
{
	char line[64] = "";
	int ends[2];
	ssize_t n;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (!pid)
		be_program(folder, place, ends[1]);
	close(ends[1]);
	n = read(ends[0], line, sizeof(line) - 1);
	close(ends[0]);
	if (n <= 0) {
		waitpid(pid, NULL, 0);
		return 0;
	}
	*known = strtoull(line, NULL, 16);
	return pid;
}

static uint64_t address_of(const struct nm_symbol *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].name, name))
			return list[i].at;
	ck_abort_msg("nm does not know %s", name);
	return 0;
}

static void compare(struct symbols *s, pid_t pid, const char *folder, uint64_t known,
		    const char *kind)
{
	char full[256];
	struct nm_symbol *list;
	uint64_t bias;
	size_t n;

	snprintf(full, sizeof(full), "%s/full", folder);
	n = nm_symbols(full, &list);
	bias = known - address_of(list, n, "known");
	srand(1);
	for (int i = 0; i < ADDRESSES;) {
		const struct nm_symbol *k = &list[(size_t)rand() % n];
		const uint64_t in = k->size ? (uint64_t)rand() % k->size : 0;
		uint64_t begin;
		struct symbol y;

		if (!k->size)		/* a mark of the linker */
			continue;
		symbols_user(s, (uint32_t)pid, SYMBOLS_NOW, bias + k->at + in, false, &y);
		ck_assert_msg(y.name && nm_has(list, n, k->at + in, y.name, &begin),
			      "%s: %s+%" PRIu64 " is %s: %s", kind, k->name, in,
			      y.name ? y.name : "unknown",
			      symbols_lacks(s) ? symbols_lacks(s) : "nothing lacks");
		ck_assert_int_eq(y.kind, SYMBOL_USER);
		ck_assert_str_eq(y.module, "prog");
		ck_assert_uint_eq(y.offset, k->at + in - begin);
		i++;
	}
	free(list);
}

/* Where the vDSO is, or 0. */
static uint64_t vdso_of(pid_t pid)
{
	char path[64], line[512];
	unsigned long long at = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, "[vdso]"))
			at = strtoull(line, NULL, 16);
	if (f)
		fclose(f);
	return at;
}

/* The vDSO of a program with other words than sonde's is another one: it is read from there. */
static void find_vdso(struct symbols *s, pid_t pid)
{
	const uint64_t at = vdso_of(pid);
	int named = 0;

	for (uint64_t i = 0; at && i < 4096; i += 16) {
		struct symbol y;

		symbols_user(s, (uint32_t)pid, SYMBOLS_NOW, at + i, false, &y);
		ck_assert_int_eq(y.kind, SYMBOL_VDSO);
		ck_assert_str_eq(y.module, "[vdso]");
		named += y.name && strstr(y.name, "gettime");
	}
	ck_assert_msg(!at || named > 0, "the vDSO has no names: %s", symbols_lacks(s));
}

static void map_as_layer(void *arg, const struct maps_line *line)
{
	symbols_mapped(arg, &(struct symbols_mapping){
		.pid = line->pid, .time = 1, .start = line->start,
		.length = line->end - line->start, .offset = line->offset,
		.major = line->key.major, .minor = line->key.minor,
		.inode = line->key.inode & UINT64_MAX >> 8, .code = true, .path = line->path,
	});
}

/* Older kernels tell the inode that the layer has, which is not what stat(2) says. */
static void compare_layer(pid_t pid, const char *folder, uint64_t known)
{
	struct symbols *s = symbols_new(&(struct symbols_setup){ .mangled = true });
	struct lacks lacks = { };

	ck_assert_ptr_nonnull(s);
	maps_read(&(uint32_t){ (uint32_t)pid }, 1, NULL, map_as_layer, s, &lacks);
	compare(s, pid, folder, known, "a layer");
	symbols_free(s);
	lacks_free(&lacks);
}

/* Who has changed his root is told paths of other namespaces from a root that he can't know. */
static bool path_is_told(pid_t pid, const char *folder)
{
	char name[64], path[256], line[1024];
	bool told = false;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	snprintf(path, sizeof(path), " %s/m/prog\n", folder);
	f = fopen(name, "r");
	ck_assert_ptr_nonnull(f);
	while (!told && fgets(line, sizeof(line), f))
		told = strstr(line, path);
	fclose(f);
	return told;
}

START_TEST(names)
{
	char *folder = temporary(), path[256];
	struct symbols *s = symbols_new(&(struct symbols_setup){ .mangled = true });
	uint64_t known = 0;
	pid_t pid = 0;

	ck_assert_ptr_nonnull(s);
	if (make(folder, kinds[_i].make))
		pid = start(folder, kinds[_i].place, &known);
	else
		ck_assert_msg(kinds[_i].optional, "%s can't be made", kinds[_i].name);
	if (!pid) {
		ck_assert_msg(kinds[_i].optional || (kinds[_i].place >= NAMESPACE),
			      "%s can't be run", kinds[_i].name);
		goto out;
	}
	snprintf(path, sizeof(path), "%s/prog", folder);
	if (kinds[_i].place == DELETED || kinds[_i].place == REPLACED)
		unlink(path);
	if (kinds[_i].place == REPLACED)
		ck_assert(make(folder, "gcc -DSIZE='\"64\"' -o prog prog.c"));
	if (kinds[_i].by_path && !path_is_told(pid, folder))
		goto end;
	symbols_seed(s, &(uint32_t){ (uint32_t)pid }, 1, 1);
	compare(s, pid, folder, known, kinds[_i].name);
	find_vdso(s, pid);
	if (kinds[_i].place == OVERLAY)
		compare_layer(pid, folder, known);
end:
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
out:
	symbols_free(s);
	remove_all(folder);
}
END_TEST

Suite *suite_symbols_processes(void)
{
	Suite *s = suite_create("symbols_processes");

	add_tests(s, "names", names, (int)(sizeof(kinds) / sizeof(kinds[0])));
	return s;
}
