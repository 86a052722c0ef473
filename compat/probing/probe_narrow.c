// SPDX-License-Identifier: GPL-2.0
/*
 * Tries whether probes damage 32-bit programs on a 64-bit x86 kernel. At a probe the kernel does
 * work for the program: it puts its own address onto the program's stack for a return probe, it
 * pushes the return address of a `call`, and since 4.15 the register of a `push`. Before 5.3 it
 * takes the width of a word from a function that knows the width in system calls only, and writes 8
 * bytes: the function's first argument is lost, and since 4.6 the program crashes or spins. Some
 * vendors and stable kernels took the fix. So sonde probes a program of its own, and no other
 * program.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/perf_event.h"
#include "compat/base/text.h"
#include "compat/probing/probe.h"

#define ADDRESS		0x08048000
#define SPARED		7		/* exit status of the program; damaged: 1 */
#define NO_PROGRAM	3		/* of the child: the kernel runs no 32-bit programs */
#define NOT_RUN		4		/* of the child: it may not run this program */
#define SPIN_SECONDS	1		/* of CPU time */
#define WAIT_MS		10000		/* on a busy machine; after that the answer is unknown */

#define MEMFD_EXEC	0x10U		/* MFD_EXEC (6.3): without it the kernel's log complains */
#define FILE_NAME	"sonde-32"

/*
 * The program itself checks the word below its return address, and its stack pointer. It handles
 * SIGSEGV: otherwise each crash would be in the kernel's log, and reach programs that collect core
 * dumps. CALL, BAD and FUNCTION are offsets in its code.
 */
#define CALL		0x15
#define BAD		0x29
#define FUNCTION	0x35

static const struct image {
	Elf32_Ehdr head;
	Elf32_Phdr load, stack;
	unsigned char code[0x3a];
} image = {
	.head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_386, .e_version = EV_CURRENT,
		.e_entry = ADDRESS + offsetof(struct image, code),
		.e_phoff = offsetof(struct image, load), .e_ehsize = sizeof(Elf32_Ehdr),
		.e_phentsize = sizeof(Elf32_Phdr), .e_phnum = 2,
	},
	.load = {
		.p_type = PT_LOAD, .p_vaddr = ADDRESS, .p_paddr = ADDRESS,
		.p_filesz = sizeof(struct image), .p_memsz = sizeof(struct image),
		.p_flags = PF_R | PF_X, .p_align = 0x1000,
	},
	.stack = { .p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W, .p_align = 16 },
	.code = {
		0xb8, 48, 0, 0, 0,			/* mov $48,%eax		signal */
		0xbb, SIGSEGV, 0, 0, 0,			/* mov $SIGSEGV,%ebx */
		0xb9, offsetof(struct image, code) + BAD, ADDRESS >> 8 & 0xff, ADDRESS >> 16 & 0xff,
		ADDRESS >> 24,				/* mov $BAD,%ecx */
		0xcd, 0x80,				/* int $0x80 */
		0x89, 0xe6,				/* mov %esp,%esi */
		0x6a, 0x01,				/* push $1 */
		0xe8, FUNCTION - 0x1a, 0, 0, 0,		/* CALL: call FUNCTION */
		0x58,					/* pop %eax */
		0x48,					/* dec %eax */
		0x75, BAD - 0x1e,			/* jne BAD */
		0x39, 0xe6,				/* cmp %esp,%esi */
		0x75, BAD - 0x22,			/* jne BAD */
		0xbb, SPARED, 0, 0, 0,			/* mov $SPARED,%ebx */
		0xeb, 0x2e - 0x29,			/* jmp out */
		0xbb, 1, 0, 0, 0,			/* BAD: mov $1,%ebx */
		0xb8, 1, 0, 0, 0,			/* out: mov $1,%eax	exit */
		0xcd, 0x80,				/* int $0x80 */
		0x55,					/* FUNCTION: push %ebp */
		0x89, 0xe5,				/* mov %esp,%ebp */
		0x5d,					/* pop %ebp */
		0xc3,					/* ret */
	},
};

/* The probes of a trial: each must be hit. */
struct try_probe {
	char type;
	unsigned char at;		/* offset in the code; type 0: no more probes */
};

#define PROBES 2

static const struct try_probe pushes[PROBES] = { { 'p', FUNCTION } };
static const struct try_probe returns[PROBES] = { { 'r', FUNCTION }, { 'p', CALL } };

static bool fill(int fd)
{
	return fd >= 0 && write(fd, &image, sizeof(image)) == sizeof(image);
}

/*
 * Makes the file in a folder, and removes its name. It is opened again for reading only: the kernel
 * runs no file that is open for writing.
 */
static int make_named(const char *folder)
{
	char path[PATH_MAX];
	int fd = -1, made;

	if (snprintf(path, sizeof(path), "%s/" FILE_NAME "-XXXXXX", folder) >= (int)sizeof(path))
		return -1;
	made = mkostemp(path, O_CLOEXEC);
	if (made < 0)
		return -1;
	unlink(path);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", made);
	if (fill(made) && !fchmod(made, 0700))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	close(made);
	return fd;
}

/*
 * Returns the file of the program; -1: there is none. A file in memory keeps no mount busy while it
 * is probed. Before 3.17 a file in memory always has a name, and before 3.16 files of tmpfs take no
 * probes.
 */
static int make_file(void)
{
	int fd = (int)syscall(SYS_memfd_create, FILE_NAME, 1 /* MFD_CLOEXEC */ | MEMFD_EXEC);
	const char *const folders[] = { getenv("TMPDIR") ?: "/tmp", "/var/tmp", "/tmp", NULL };

	if (fd < 0 && errno == EINVAL)
		fd = (int)syscall(SYS_memfd_create, FILE_NAME, 1);
	if (fd < 0 && errno == ENOSYS) {
		for (const char *const *folder = folders; fd < 0 && *folder; folder++)
			fd = make_named(*folder);
		return fd;
	}
	if (!fill(fd) && fd >= 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* The child waits for a byte, because probes are made for its process, and becomes the program. */
static _Noreturn void become(int file, int from)
{
	const char *const arguments[] = { FILE_NAME, NULL }, *const environment[] = { NULL };
	char path[32], word;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);	/* signals of the terminal are not for it */
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	setrlimit(RLIMIT_CPU, &(struct rlimit){ SPIN_SECONDS, SPIN_SECONDS });
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	if (read(from, &word, 1) == 1)
		execve(path, (char *const *)arguments, (char *const *)environment);
	_exit(errno == ENOEXEC ? NO_PROGRAM : NOT_RUN);
}

#define EVENTS "uprobe_events"
#define NAME_SIZE 16

static const char *name_of(unsigned int n, char *name)
{
	snprintf(name, NAME_SIZE, "narrow%u", n);
	return name;
}

/* A counter of this probe's hits in the child, from its exec on. Returns -1 if it can't be made. */
static int open_probe(struct kernel *k, unsigned int n, const struct try_probe *p, int file,
		      pid_t child)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .disabled = 1,
					.enable_on_exec = 1 };
	char path[PATH_MAX], line[128], name[NAME_SIZE];

	probe_forget(k, EVENTS, name_of(n, name));
	text_all(path, sizeof(path), "%s/" EVENTS, kernel_tracefs(k));
	text_all(line, sizeof(line), "%c:sonde_try/%s /proc/self/fd/%d:0x%zx\n", p->type, name,
		 file, offsetof(struct image, code) + p->at);
	if (file_write(path, line))
		return -1;
	text_all(path, sizeof(path), "%s/events/sonde_try/%s/id", kernel_tracefs(k), name);
	if (!file_line(path, line, sizeof(line)))
		return -1;
	attr.config = strtoul(line, NULL, 10);
	return perf_event_open(&attr, child, ANY_CPU);
}

/*
 * Returns the child's status, as waitpid(2) does; -1 if it did not end in time, or if sonde must
 * end.
 */
static int wait_for(struct kernel *k, pid_t child)
{
	int64_t until = monotonic_ms() + WAIT_MS;
	int status = -1;
	pid_t got;

	while (!(got = waitpid(child, &status, WNOHANG)) && monotonic_ms() < until &&
	       !kernel_stopped(k, NULL))
		pause_ms(1);
	if (got != child) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		status = -1;
	}
	return status;
}

struct hits {
	bool any, all;			/* any probe, all probes */
};

/* Runs the child with its probes. If a probe can't be made, the child never runs the program. */
static int run_probed(struct kernel *k, const struct try_probe *probes, int file, pid_t child,
		      int to, struct hits *hits)
{
	int fds[PROBES] = { -1, -1 }, status;
	char name[NAME_SIZE];
	unsigned int n = 0;
	uint64_t count;

	while (n < PROBES && probes[n].type &&
	       (fds[n] = open_probe(k, n, &probes[n], file, child)) >= 0)
		n++;
	hits->all = n == PROBES || !probes[n].type;
	if (!hits->all || write(to, "", 1) != 1)
		kill(child, SIGKILL);
	status = wait_for(k, child);
	for (unsigned int i = 0; i < PROBES; i++) {
		if (fds[i] >= 0) {
			if (read(fds[i], &count, sizeof(count)) == sizeof(count) && count)
				hits->any = true;
			else
				hits->all = false;
			close(fds[i]);
		}
		probe_forget(k, EVENTS, name_of(i, name));
	}
	return status;
}

static int try_program(struct kernel *k, const struct try_probe *probes, int file,
		       struct hits *hits)
{
	int gate[2], status = -1;
	pid_t child;

	if (pipe2(gate, O_CLOEXEC))
		return -1;
	child = fork();
	if (!child) {
		close(gate[1]);
		become(file, gate[0]);
	}
	if (child > 0)
		status = run_probed(k, probes, file, child, gate[1], hits);
	close(gate[0]);
	close(gate[1]);
	return status;
}

void probe_narrow(struct kernel *k, enum feature f, struct verdict *v)
{
	int file, lock, status;
	struct hits hits = { };

	feature_by_version(k, f, v);
	if (!kernel_arch(k)->abis[1].stacks_at_risk)
		return;
	file = make_file();
	if (file < 0)
		return;
	lock = probe_lock_take(k);
	status = try_program(k, f == FEATURE_UPROBE_32 ? pushes : returns, file, &hits);
	probe_lock_end(lock);
	close(file);
	if (status < 0)
		return;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_PROGRAM)
		verdict_set(v, EXPECTED, "32-bit programs can't be executed here");
	else if (WIFEXITED(status) && WEXITSTATUS(status) == SPARED && hits.all)
		verdict_set(v, YES, "%s", "");
	else if (hits.any && (!WIFEXITED(status) || WEXITSTATUS(status) == 1))
		verdict_set(v, NO, "one of sonde's own was damaged; fixed in 5.3");
}
