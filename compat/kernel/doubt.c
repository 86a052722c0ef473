// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/doubt.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "compat/kernel/kernel_internal.h"

static const int passing[] = { EMFILE, ENFILE, ENOMEM, EIO, EINTR, EAGAIN, ENOBUFS };

bool error_passes(int error)
{
	for (unsigned int i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
		if (error == passing[i])
			return true;
	return false;
}

void kernel_doubt(struct kernel *k, const char *what, int error)
{
	const bool no_proc = error == ENOENT && !strncmp(what, "/proc/", 6) &&
			     access("/proc/self/stat", F_OK) && errno == ENOENT;

	if (*k->doubt.text || !kernel_live(k))
		return;
	if (no_proc)
		fail(&k->doubt, "/proc is not mounted");
	/* Of tracefs only a file that is there has permissions. */
	else if (error_passes(error) || ((error == EACCES || error == EPERM) &&
					 !strncmp(what, "tracefs:", 8)))
		fail_with(&k->doubt, error, "%.100s: %m", what);
}

bool kernel_doubted(const struct kernel *k, struct error *err)
{
	if (*k->doubt.text)
		*err = k->doubt;
	return *k->doubt.text;
}

int kernel_lacks(const struct kernel *k, struct error *err, const char *format, ...)
{
	char text[sizeof(err->text)];
	va_list args;

	if (*k->doubt.text)
		return fail_with(err, k->doubt.number, "sonde could not examine this kernel: %s",
				 k->doubt.text);
	va_start(args, format);
	text_vcut(text, sizeof(text), format, args);
	va_end(args);
	return fail(err, "%s", text);
}

bool kernel_unknown(struct kernel *k, enum feature f)
{
	kernel_feature(k, f);
	return k->verdicts[f].unknown;
}

void verdict_error(struct verdict *v, int error)
{
	v->error = error;
	v->unknown = v->answer == NO && error_passes(error);
}

void kernel_set_says(struct kernel *k, FILE *says)
{
	k->says = says;
}

FILE *kernel_says(const struct kernel *k)
{
	return k->says;
}
