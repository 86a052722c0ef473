/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WORK_H
#define SONDE_WORK_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/*
 * The workload of the live tests. Each job does a known number of things, and prints what a tracer
 * must see: a line for each event, with tabs between fields. The lines are printed when the job is
 * done, so printing is not traced. Byte strings are escaped: bytes outside 0x21 to 0x7e and the
 * backslash are \xHH, an empty one is \0.
 */
struct job {
	const char *name;
	const char *args;	/* for the usage text */
	int min_args;		/* number of required arguments */
	int (*run)(int argc, char **argv);	/* argv[0] is the job's name; the exit status */
	const char *prints;
};

extern const struct job file_jobs[], exec_jobs[], net_jobs[], load_jobs[], disk_jobs[], json_jobs[],
	samples_jobs[], terminal_jobs[], process_jobs[], stall_jobs[], user_jobs[], mount_jobs[],
		netem_jobs[],
	prompt_jobs[], chain_jobs[], frameless_jobs[], asleep_jobs[], heap_jobs[],
	probes_jobs[], structs_jobs[], within_jobs[], signals_jobs[],
	vm_jobs[], nodes_jobs[], uring_jobs[], inject_jobs[], refuse_jobs[],
	as_kernel_jobs[], asks_jobs[];

/* Adds to the lines that are printed at the end. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_bytes(const void *bytes, size_t size);
void say_comm(void);		/* the calling thread's name, and a tab */
/* Prints these lines. */
void print_said(void);

void die(const char *what) __attribute__((noreturn));	/* with errno's text */
long number(const char *text);	/* a number not below 0; otherwise dies */
long long cpu_us(void);		/* CPU time of this process */
pid_t thread_id(void);

#endif
