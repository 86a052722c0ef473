/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROBE_COMMAND_H
#define SONDE_PROBE_COMMAND_H

#define PROBE_USAGE "[--add SPEC] [--force] [--list] [--json] [--del NAME] [--clean] [--dump] " \
	"[--snapshot DIR] [--without FEATURE,...]"

/* Runs `sonde probe`: dynamic probes that stay in the kernel. Returns the exit status. */
int probe_main(int argc, char **argv);

#endif
