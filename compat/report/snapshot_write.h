/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SNAPSHOT_WRITE_H
#define SONDE_SNAPSHOT_WRITE_H

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/*
 * Writes a kernel's facts to the folder `dir`, for kernel_snapshot(). The folder is made, or must
 * be empty. Features are tried as thoroughly as the user's rights allow. Returns -1 and sets err on
 * failure. No addresses are written, no host names, and no names of users' probes, programs or
 * keys:
 *
 *	uname, version-code		as `uname -a` with the node called "host";
 *					LINUX_VERSION_CODE
 *	features			each feature's answer and reason
 *	bpf-check			BPF map types, program types and helpers that were tried
 *	tracefs-path, tracefs-README, available_events, available_tracers, trace_clock
 *	formats/SYSTEM/EVENT/format	of the systems tools ask for, and the system calls
 *	kallsyms-names.gz		type and name of each function
 *	pmu, pmu-formats		perf's event sources
 *	cmdline-limits			sysctls that matter to a tracer
 *	config.gz			the configuration without its texts
 *	filesystems			/proc/filesystems
 */
int snapshot_write(struct kernel *k, const char *dir, struct error *err);

#endif
