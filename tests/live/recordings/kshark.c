// SPDX-License-Identifier: GPL-2.0
/*
 * kshark FILE: the entries that KernelShark's library reads from a trace.dat, in the order that it
 * sorts them into: CPU, time in ns, pid, name of the task, event and text, tabs between. kshark.sh
 * builds and runs it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "libkshark.h"

static void print_text(char *text, char end)
{
	printf("%s%c", text ? text : "?", end);
	free(text);
}

static void print_entry(const struct kshark_entry *e)
{
	printf("%d\t%" PRId64 "\t%d\t", e->cpu, e->ts, kshark_get_pid(e));
	print_text(kshark_get_task(e), '\t');
	print_text(kshark_get_event_name(e), '\t');
	print_text(kshark_get_info(e), '\n');
}

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **entries = NULL;
	ssize_t n;
	int stream;

	if (argc != 2 || !kshark_instance(&context)) {
		fputs("kshark FILE\n", stderr);
		return 2;
	}
	stream = kshark_open(context, argv[1]);
	if (stream < 0) {
		fprintf(stderr, "kshark: libkshark can't open %s: %d\n", argv[1], stream);
		return 1;
	}
	n = kshark_load_entries(context, stream, &entries);
	if (n < 0) {
		fprintf(stderr, "kshark: libkshark can't load %s: %zd\n", argv[1], n);
		return 1;
	}
	for (ssize_t i = 0; i < n; i++)
		print_entry(entries[i]);
	for (ssize_t i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	kshark_free(context);
	if (fclose(stdout)) {
		perror("kshark: can't write");
		return 1;
	}
	return 0;
}
