// SPDX-License-Identifier: GPL-2.0
// Functions of C++ that call each other in a known way: turns of three parts and one of the CPU.
#include <cstdlib>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#define CALLED __attribute__((noinline, noclone))
// Turns of one length may keep step with a profiler, which then sees one part only. 100000 on average.
#define VARIED(turn) (50000 + (turn) % 101 * 1000)

namespace shop {

// Functions that call nobody get a frame if they ask where it is.
template <class T> struct Till {
	T total;

	CALLED void add(T n)
	{
		for (T i = 0; i < n; i++)
			__asm__ volatile("" :: "r"(__builtin_frame_address(0)) : "memory");
		total += n;
	}
};

struct Counter {
	virtual ~Counter() {}
	virtual void serve(const std::string &name, int n) const = 0;
};

namespace {

struct Quick : Counter {
	CALLED void serve(const std::string &name, int n) const override
	{
		Till<long> often = { (long)name.size() };
		Till<int> seldom = { 0 };

		often.add(3L * n);
		seldom.add(n);
		__asm__ volatile("" ::: "memory");
	}
};

}

CALLED void run(const Counter &counter, int turns)
{
	while (turns--)
		counter.serve("x", VARIED(turns));
}

}

// -w FILE TURNS: waits for the file, and says so by a folder, as the other workload.
int main(int argc, char **argv)
{
	const std::string file = argc > 3 ? argv[2] : "";

	if (argc < 4 || mkdir((file + ".ready").c_str(), 0700))
		return 2;
	while (access(file.c_str(), F_OK))
		usleep(10000);
	shop::run(shop::Quick(), atoi(argv[3]));
	return rmdir((file + ".ready").c_str());
}
