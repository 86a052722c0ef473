// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs that run a command as a careless parent would: with system calls that a filter refuses, as
 * containers have it, or with signals that are ignored or blocked.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "../work.h"

static const struct {
	const char *name;
	int number;
} calls[] = {
	{ "bpf", SYS_bpf }, { "perf_event_open", SYS_perf_event_open }, { "mount", SYS_mount },
	{ "wait4", SYS_wait4 },
#ifdef SYS_setsockopt
	{ "setsockopt", SYS_setsockopt },
#endif
}, errors[] = {
	{ "EPERM", EPERM }, { "ENOSYS", ENOSYS }, { "ECHILD", ECHILD },
};

static int refuse(int call, int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int job_refuse(int argc, char **argv)
{
	int error = 0;

	(void)argc;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(errors[i].name, argv[1]))
			error = errors[i].number;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strstr(argv[2], calls[i].name) && (!error || refuse(calls[i].number, error))) {
			fputs("work: this kernel can't refuse calls\n", stderr);
			return 77;
		}
	execvp(argv[3], argv + 3);
	die(argv[3]);
}

static int job_child_signal(int argc, char **argv)
{
	sigset_t set;

	(void)argc;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	if (!strcmp(argv[1], "blocked"))
		sigprocmask(SIG_BLOCK, &set, NULL);
	else
		signal(SIGCHLD, SIG_IGN);
	execvp(argv[2], argv + 2);
	die(argv[2]);
}

const struct job refuse_jobs[] = {
	{ "refuses", "ERRNO CALL,... COMMAND...", 3, job_refuse,
	  "runs a command for which these system calls fail" },
	{ "child-signal", "blocked|ignored COMMAND...", 2, job_child_signal,
	  "runs a command with SIGCHLD like that" },
	{ 0 }
};
