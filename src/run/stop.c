// SPDX-License-Identifier: GPL-2.0
#include "src/run/stop.h"

#include <stdbool.h>
#include <stddef.h>

#include "backends/vm/vm.h"
#include "src/lib/output/sink.h"

volatile sig_atomic_t stop_signal, stop_signals;

static void on_signal(int number)
{
	stop_signal = number;
	stop_signals++;
	sink_hurry();
	vm_hurry();
}

static bool is_ignored(int number)
{
	struct sigaction now;

	return !sigaction(number, NULL, &now) && now.sa_handler == SIG_IGN;
}

void stop_on_signals(void)
{
	/* Who makes a signal ignored may mean that sonde shall go on: nohup(1) does. */
	static const struct {
		int number;
		bool if_ignored;
	} signals[] = {
		{ SIGINT, true }, { SIGTERM, true }, { SIGHUP, false },
	};
	const struct sigaction action = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (signals[i].if_ignored || !is_ignored(signals[i].number))
			sigaction(signals[i].number, &action, NULL);
}
