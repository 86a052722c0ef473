// SPDX-License-Identifier: GPL-2.0
#include "src/commands/export/pages/nobody.h"

#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#define NOBODY 65534

void become_nobody(pid_t parent, enum confined who, bool (*kept)(void *arg, int fd), void *arg)
{
	/* Without root it has no rights from the beginning. */
	if (!geteuid() && (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
			   setresuid(NOBODY, NOBODY, NOBODY)))
		_exit(1);
	/* The change of users forgets it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	confine(who, kept, arg);
}
