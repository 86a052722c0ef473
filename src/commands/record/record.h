/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMAND_RECORD_H
#define SONDE_COMMAND_RECORD_H

#define RECORD_USAGE "[-o FILE] [-g] [--duration SECONDS] TOOL [OPTION...] [, TOOL...] | " \
	"-e EVENT,...|-F HZ|-s FILE [COMMAND...] | --last TIME [--when LINE] ..."

/* `sonde record`: writes events of this kernel into a perf.data. Returns the exit status. */
int record_main(int argc, char **argv);
/* The same; begun() is called once, when all events are on and before their first is written. */
int record_and_tell(int argc, char **argv, void (*begun)(void *arg), void *arg);

#endif
