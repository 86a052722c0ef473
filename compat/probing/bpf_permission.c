// SPDX-License-Identifier: GPL-2.0
#include "compat/probing/bpf_permission.h"

#include <string.h>
#include <unistd.h>

#include "compat/kernel/kernel.h"

const char *bpf_not_permitted(struct kernel *k)
{
	const char *lockdown = kernel_text(k, "/sys/kernel/security/lockdown");
	const char *unprivileged = kernel_text(k, "/proc/sys/kernel/unprivileged_bpf_disabled");

	if (lockdown && strstr(lockdown, "[confidentiality]"))
		return "the kernel is locked down (confidentiality): BPF may not read kernel "
		       "memory;\n"
		       "only booting with another setting (lockdown=) lifts that";
	if (geteuid() && unprivileged && *unprivileged != '0')
		return "kernel.unprivileged_bpf_disabled is set, and tracing requires more rights "
		       "anyway:\n"
		       "run sonde as root, or with CAP_BPF and CAP_PERFMON (before 5.8: "
		       "CAP_SYS_ADMIN)";
	if (geteuid())
		return "run sonde as root, or with CAP_BPF and CAP_PERFMON (before 5.8: "
		       "CAP_SYS_ADMIN)";
	return "either root has no CAP_BPF and CAP_PERFMON here (kernels before 5.8: "
	       "CAP_SYS_ADMIN),\n"
	       "or a container's seccomp filter forbids bpf(2),\n"
	       "or, up to Linux 5.10, RLIMIT_MEMLOCK is too low and can't be raised (ulimit -l "
	       "unlimited)";
}
