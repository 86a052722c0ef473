// SPDX-License-Identifier: GPL-2.0
#include "compat/probing/random.h"

#include <fcntl.h>
#include <unistd.h>

#include "compat/base/clock.h"

uint64_t random_number(void)
{
	const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	uint64_t value = monotonic_ns() ^ (uint64_t)getpid() << 40, noise;

	if (fd >= 0) {
		if (read(fd, &noise, sizeof(noise)) == sizeof(noise))
			value ^= noise;
		close(fd);
	}
	value *= 0x9e3779b97f4a7c15;
	return value ^ value >> 32;
}
