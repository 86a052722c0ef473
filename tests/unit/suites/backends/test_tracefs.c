// SPDX-License-Identifier: GPL-2.0
/* What sonde makes in tracefs, and what it leaves there or takes away. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/tracefs/detach.h"
#include "backends/tracefs/tracefs.h"
#include "backends/tracefs/locks.h"
#include "compat/base/clock.h"
#include "compat/kernel/doubt.h"
#include "compat/kernel/kernel_internal.h"
#include "compat/probing/probe.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#define FIELD_ROW(NAME, TYPE, OFFSET, SIZE, ...) { .name = NAME, .type = TYPE, .offset = OFFSET, \
						   .size = SIZE, __VA_ARGS__ }

static struct field fields[] = {
	FIELD_ROW("common_type", "unsigned short", 0, 2),
	FIELD_ROW("common_flags", "unsigned char", 2, 1),
	FIELD_ROW("common_preempt_count", "unsigned char", 3, 1),
	FIELD_ROW("common_pid", "int", 4, 4, .is_signed = true),
	FIELD_ROW("__probe_ip", "unsigned long", 8, 8),
	FIELD_ROW("fd", "s32", 16, 4, .is_signed = true),
	FIELD_ROW("path", "char", 20, 4, .is_array = true, .is_data_loc = true),
	FIELD_ROW("addr0", "u64", 24, 8),
	FIELD_ROW("addr1", "u64", 32, 8),
	FIELD_ROW("mac", "u8", 40, 6, .is_array = true),
	FIELD_ROW("low", "u32", 48, 4),
	FIELD_ROW("high", "u32", 52, 4),
};
static const struct format probe_format = { .n_fields = LENGTH(fields), .fields = fields };

#define RECORD(NAME, KIND, OFFSET, SIZE) \
	{ .name = NAME, .kind = INPUT_##KIND, .place = PLACE_RECORD, .offset = OFFSET, \
	  .size = SIZE }

static const struct {
	struct input input;
	int result;
} inputs[] = {
	{ RECORD("fd", NUMBER, 16, 4), 0 },
	{ RECORD("fd", NUMBER, 20, 4), -1 },
	{ RECORD("fd", NUMBER, 16, 8), -1 },
	{ RECORD("fd", NUMBER, 16, 2), -1 },
	{ RECORD("fd", NUMBER, 16, 0), -1 },
	{ RECORD("other", NUMBER, 16, 2), -1 },
	{ RECORD("other", NUMBER, 17, 1), -1 },
	{ RECORD("beyond", NUMBER, 56, 4), -1 },
	{ RECORD("hole", BYTES, 46, 4), -1 },
	{ RECORD("low", NUMBER, 48, 8), -1 },
	{ RECORD("low", NUMBER, 52, 4), -1 },	/* that is `high` */
	{ RECORD("tid", NUMBER, 4, 4), 0 },
	{ RECORD("addr", BYTES, 24, 16), 0 },
	{ RECORD("addr", BYTES, 32, 16), -1 },
	{ RECORD("addr", BYTES, 28, 8), -1 },
	{ RECORD("addr", BYTES, 16, 16), -1 },	/* over the data_loc */
	{ RECORD("mac", BYTES, 40, 6), 0 },
	{ RECORD("mac", BYTES, 40, 8), -1 },
	{ RECORD("mac[2]", NUMBER, 42, 1), 0 },
	{ RECORD("mac", STRING, 40, 6), 0 },
	{ { .name = "path", .kind = INPUT_STRING, .place = PLACE_DATA_LOC, .offset = 20 }, 0 },
	{ { .name = "path", .kind = INPUT_STRING, .place = PLACE_DATA_LOC, .offset = 16 }, -1 },
	{ { .name = "fd", .kind = INPUT_STRING, .place = PLACE_DATA_LOC, .offset = 16 }, -1 },
	{ { .name = "di", .kind = INPUT_NUMBER, .place = PLACE_REGISTER, .offset = 112, .size = 8 },
	  0 },
	{ { .name = "one", .kind = INPUT_NUMBER, .place = PLACE_CONSTANT, .value = 1 }, 0 },
};

START_TEST(probe_inputs)
{
	struct input input = inputs[_i].input;
	struct layout layout = { .n_inputs = 1, .inputs = &input };
	struct event event = { .kind = EVENT_KPROBE, .name = "do_sys_open", .layout = &layout };

	ck_assert_msg(probes_check(&event, &probe_format, NULL) == inputs[_i].result, "row %d", _i);
}
END_TEST

static const struct {
	enum event_kind kind;
	const char *function;
	uint32_t probe;
	const char *name;
} names[] = {
	{ EVENT_KPROBE, "do_sys_open", 0x1234abcd, "p_do_sys_open_1234abcd" },
	{ EVENT_KRETPROBE, "do_sys_open", 1, "r_do_sys_open_00000001" },
	{ EVENT_KPROBE, "finish_task_switch.isra.0", 0, "p_finish_task_switch_isra_0_00000000" },
	{ EVENT_UPROBE, "readline", 2, "p_readline_00000002" },
	{ EVENT_URETPROBE, "std::vector<int>::size", 0, "r_std__vector_int___size_00000000" },
	{ EVENT_KPROBE, "a_function_with_a_name_that_is_very_much_too_long_for_it", 0,
	  "p_a_function_with_a_name_that_is_very_much_00000000" },
};

START_TEST(probe_names)
{
	struct event event = { .kind = names[_i].kind, .name = names[_i].function,
			       .probe = names[_i].probe };
	char name[64];

	ck_assert_str_eq(probes_name(&event, name, sizeof(name)), names[_i].name);
}
END_TEST

static int lock(const char *dir, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return tracefs_lock(path);
}

static bool exists(const char *dir, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return !access(path, F_OK);
}

/*
 * Folders instead of a tracefs, where what was written for a removal is at the beginning of the
 * list.
 */
START_TEST(sweep_takes_what_is_dead)
{
	char *dir = temporary(), text[4096];
	int group, instance;

	make_dir(dir, "instances");
	make_dir(dir, "instances/sonde-living");
	make_dir(dir, "instances/sonde-dead00");
	make_dir(dir, "instances/somebody");
	make_dir(dir, "events");
	make_dir(dir, "events/sonde_living");
	make_dir(dir, "events/sonde_dead00");
	group = lock(dir, "events/sonde_living");
	instance = lock(dir, "instances/sonde-living");
	ck_assert_int_ge(group, 0);
	ck_assert_int_ge(instance, 0);
	ck_assert_int_eq(lock(dir, "events/sonde_living"), -EWOULDBLOCK);
	write_text(dir, "kprobe_events",
		   "p:kprobes/theirs do_sys_open\nr10:sonde_dead00/r_two_12 do_sys_open a=%di\n"
		 "p:sonde_living/p_one do_sys_open\n");
	write_text(dir, "events/sonde_dead00/enable", "1");
	write_text(dir, "events/sonde_living/enable", "1");

	tracefs_sweep_at(dir, NULL);
	ck_assert(exists(dir, "instances/sonde-living"));
	ck_assert(exists(dir, "instances/somebody"));
	ck_assert(!exists(dir, "instances/sonde-dead00"));
	ck_assert_int_gt(tracefs_read(dir, "kprobe_events", text, sizeof(text)), 0);
	ck_assert_int_eq(strncmp(text, "-:sonde_dead00/r_two_12\n", 24), 0);
	ck_assert_int_gt(tracefs_read(dir, "events/sonde_dead00/enable", text, sizeof(text)), 0);
	ck_assert_str_eq(text, "0");
	ck_assert_int_gt(tracefs_read(dir, "events/sonde_living/enable", text, sizeof(text)), 0);
	ck_assert_str_eq(text, "1");

	close(instance);
	close(group);
	write_text(dir, "kprobe_events", "p:sonde_living/p_one do_sys_open a=%di\n");
	tracefs_sweep_at(dir, NULL);
	ck_assert(!exists(dir, "instances/sonde-living"));
	ck_assert_int_gt(tracefs_read(dir, "kprobe_events", text, sizeof(text)), 0);
	ck_assert_int_eq(strncmp(text, "-:sonde_living/p_one\n", 21), 0);
	remove_all(dir);
}
END_TEST

/* What every tracefs has, and an instance of a sonde that has ended. */
static char *with_dead_instance(void)
{
	char *dir = temporary();

	write_text(dir, "README", "");
	make_dir(dir, "events");
	make_dir(dir, "instances");
	make_dir(dir, "instances/sonde-dead00");
	return dir;
}

START_TEST(one_sweeps_at_a_time)
{
	char *dir = with_dead_instance();
	int lock = removal_lock(dir);

	ck_assert_int_ge(lock, 0);
	ck_assert_int_eq(removal_lock(dir), -1);
	tracefs_sweep_all(dir, NULL, false);
	ck_assert(exists(dir, "instances/sonde-dead00"));
	close(lock);
	tracefs_sweep_all(dir, NULL, false);
	ck_assert(!exists(dir, "instances/sonde-dead00"));
	remove_all(dir);
}
END_TEST

/* A sonde that starts looks but once: who comes meanwhile to remove must not rely on it. */
START_TEST(who_starts_is_waited_for)
{
	char *dir = with_dead_instance();
	int one = removal_lock_shared(dir), two = removal_lock_shared(dir), status = -1;
	pid_t sweeper;

	ck_assert_int_ge(one, 0);
	ck_assert_int_ge(two, 0);
	sweeper = fork();
	if (!sweeper) {
		close(one);
		close(two);
		tracefs_sweep_all(dir, NULL, true);
		_exit(0);
	}
	close(one);
	pause_ms(100);
	ck_assert(exists(dir, "instances/sonde-dead00"));
	close(two);
	ck_assert_int_eq(waitpid(sweeper, &status, 0), sweeper);
	ck_assert_int_eq(status, 0);
	ck_assert(!exists(dir, "instances/sonde-dead00"));
	one = removal_lock(dir);
	ck_assert_int_ge(one, 0);
	ck_assert_int_eq(removal_lock_shared(dir), -1);
	close(one);
	remove_all(dir);
}
END_TEST

/* Who removes rests while a sonde starts, which must not wait for that. */
START_TEST(who_tries_does_not_wait_for_who_removes)
{
	char *dir = with_dead_instance();
	struct kernel k = { .tracefs_known = true, .tracefs = dir };
	int lock = removal_lock(dir), trying;

	ck_assert_int_ge(lock, 0);
	make_dir(dir, "options");
	trying = probe_lock_take(&k);
	ck_assert_int_ge(trying, 0);
	probe_lock_end(trying);
	close(lock);
	remove_all(dir);
}
END_TEST

START_TEST(sweep_rests_while_a_sonde_starts)
{
	char *dir = with_dead_instance(), path[PATH_MAX];
	int starting, status = -1;
	pid_t sweeper;

	snprintf(path, sizeof(path), "%s/events", dir);
	starting = open(path, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(flock(starting, LOCK_SH), 0);
	sweeper = fork();
	if (!sweeper) {
		tracefs_sweep_all(dir, NULL, true);
		_exit(0);
	}
	pause_ms(100);
	ck_assert(exists(dir, "instances/sonde-dead00"));
	/* The sweeper has inherited it, too. */
	start_unlock(starting);
	ck_assert_int_eq(waitpid(sweeper, &status, 0), sweeper);
	ck_assert_int_eq(status, 0);
	ck_assert(!exists(dir, "instances/sonde-dead00"));
	remove_all(dir);
}
END_TEST

static void ask_beginning(const char *dir, const char *list, const char *wanted)
{
	char text[256];

	ck_assert_int_gt(tracefs_read(dir, list, text, sizeof(text)), 0);
	text[strlen(wanted)] = '\0';
	ck_assert_str_eq(text, wanted);
}

/* If removing one may crash the kernel, only a process with the file open does. */
START_TEST(uprobes_of_others_stay)
{
	char *dir = with_dead_instance();
	const char *both = "p:sonde_dead00/p_one /proc/self/fd/3:0x10\n"
			   "p:sonde_dead01/p_two /proc/self/fd/4:0x20\n";
	const char *two = strchr(both, '\n') + 1;

	make_dir(dir, "events/sonde_dead00");
	make_dir(dir, "events/sonde_dead01");
	write_text(dir, "uprobe_events", both);
	write_text(dir, "kprobe_events", "p:sonde_dead00/p_three do_sys_open a=%di\n");
	ck_assert(tracefs_has_uprobes(dir, "sonde_dead01"));
	ck_assert(!tracefs_has_uprobes(dir, "sonde_dead02"));
	tracefs_sweep_at(dir, "");
	ask_beginning(dir, "uprobe_events", both);
	ask_beginning(dir, "kprobe_events", "-:sonde_dead00/p_three\n");
	tracefs_sweep_all(dir, "", false);
	ask_beginning(dir, "uprobe_events", both);
	tracefs_sweep_at(dir, "sonde_dead01");
	ask_beginning(dir, "uprobe_events", "-:sonde_dead01/p_two\n");
	write_text(dir, "uprobe_events", two);
	tracefs_sweep_at(dir, NULL);
	ask_beginning(dir, "uprobe_events", "-:sonde_dead01/p_two\n");
	remove_all(dir);
}
END_TEST

/* Who has the file waits for its lock, and does not go before: a fake list never gets shorter. */
START_TEST(who_has_files_waits_for_its_lock)
{
	char *dir = with_dead_instance();
	const char *list = "p:sonde_dead00/p_one /proc/self/fd/3:0x10\n";
	int lock = removal_lock(dir);
	pid_t sweeper;

	make_dir(dir, "events/sonde_dead00");
	write_text(dir, "uprobe_events", list);
	sweeper = fork();
	if (!sweeper) {
		close(lock);
		tracefs_sweep_all(dir, "sonde_dead00", false);
		_exit(0);
	}
	pause_ms(100);
	ck_assert_int_eq(waitpid(sweeper, NULL, WNOHANG), 0);
	ask_beginning(dir, "uprobe_events", list);
	write_text(dir, "uprobe_events", "");
	close(lock);
	ck_assert_int_eq(waitpid(sweeper, NULL, 0), sweeper);
	ck_assert(!exists(dir, "instances/sonde-dead00"));
	remove_all(dir);
}
END_TEST

/* Starts a process that takes a lock by `take` and is stopped with it. */
static pid_t stopped_with(int (*take)(const char *dir), const char *dir)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		take(dir);
		raise(SIGSTOP);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	ck_assert(WIFSTOPPED(status));
	return pid;
}

static void end_stopped(pid_t pid)
{
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

static int lock_events(const char *dir, int how)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/events", dir);
	return flock(open(path, O_RDONLY | O_DIRECTORY), how);
}

static int start(const char *dir)
{
	return lock_events(dir, LOCK_SH);
}

static int take_events(const char *dir)
{
	return lock_events(dir, LOCK_EX);
}

/* Whatever a stopped sonde has locked, others remove what is dead, in some seconds. */
START_TEST(who_is_stopped_stops_nobody)
{
	static int (*const locks[])(const char *) = {
		removal_lock, removal_lock_wait, removal_lock_shared, start
	};
	char *dir = with_dead_instance();
	pid_t pid = stopped_with(locks[_i], dir);
	const int64_t begin = monotonic_ms();

	tracefs_sweep_all(dir, NULL, true);
	ck_assert(!exists(dir, "instances/sonde-dead00"));
	ck_assert_int_lt(monotonic_ms() - begin, 4000);
	end_stopped(pid);
	remove_all(dir);
}
END_TEST

/* All rests of a sweep together are bounded, however many sondes start one after the other. */
START_TEST(rests_are_bounded)
{
	char *dir = with_dead_instance(), path[PATH_MAX];
	int64_t begin = monotonic_ms();
	int starting, ms = 300;

	snprintf(path, sizeof(path), "%s/events", dir);
	starting = open(path, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(flock(starting, LOCK_SH), 0);
	removal_rest(dir, &ms);
	ck_assert_int_ge(monotonic_ms() - begin, 250);
	ck_assert_int_le(ms, 0);
	begin = monotonic_ms();
	for (int i = 0; i < 100; i++)
		removal_rest(dir, &ms);
	ck_assert_int_lt(monotonic_ms() - begin, 500);
	start_unlock(starting);
	ms = 300;
	removal_rest(dir, &ms);
	ck_assert_int_eq(ms, 300);
	remove_all(dir);
}
END_TEST

static const struct facts as_live = { .live = true };

/* A sonde that starts and is asked to end does not remove what others left, and says so. */
START_TEST(start_does_not_sweep_for_ever)
{
	char *dir = with_dead_instance();
	struct kernel k = { .facts = &as_live, .tracefs_known = true, .tracefs = dir };
	static const volatile sig_atomic_t asked = 1;

	k.verdicts[FEATURE_UPROBE_MOUNT] = (struct verdict){ .known = true, .answer = YES };
	kernel_set_stop(&k, &asked);
	ck_assert(!tracefs_sweep(&k));
	ck_assert(exists(dir, "instances/sonde-dead00"));
	kernel_set_stop(&k, NULL);
	ck_assert(tracefs_sweep(&k));
	ck_assert(!exists(dir, "instances/sonde-dead00"));
	remove_all(dir);
}
END_TEST

static volatile sig_atomic_t stop;

static void on_alarm(int number)
{
	stop = number;
}

/* It names the process, goes on without its lock, and a signal ends the wait. */
START_TEST(waits_are_said_and_end)
{
	char *dir = with_dead_instance(), *said = NULL, wanted[100];
	const struct kernel of = { .tracefs_known = true, .tracefs = dir };
	pid_t pid = stopped_with(take_events, dir);
	struct kernel k = of;
	int64_t begin;
	size_t length;
	int fd;

	kernel_set_says(&k, open_memstream(&said, &length));
	snprintf(wanted, sizeof(wanted), "/events, which process %d (", pid);
	fd = start_lock(&k);
	ck_assert_int_ge(fd, 0);
	start_unlock(fd);
	fflush(kernel_says(&k));
	ck_assert_msg(strstr(said, wanted), "%s", said);
	ck_assert_msg(strstr(said, "that process is stopped"), "%s", said);
	ck_assert_msg(strstr(said, "going on without"), "%s", said);

	fclose(kernel_says(&k));
	kernel_set_says(&k, NULL);
	kernel_set_stop(&k, &stop);
	signal(SIGALRM, on_alarm);
	ualarm(200000, 0);
	begin = monotonic_ms();
	start_unlock(start_lock(&k));
	ck_assert_int_lt(monotonic_ms() - begin, 900);
	end_stopped(pid);
	free(said);
	remove_all(dir);
}
END_TEST

/* A process whose parent has ended does not wait for a pipe that nobody will close. */
START_TEST(detachers_do_not_wait_for_the_dead)
{
	const int64_t begin = monotonic_ms();
	int pipes[2];

	ck_assert_int_eq(pipe(pipes), 0);
	detacher_wait(pipes[0], getppid() + 1, 60000);
	ck_assert_int_lt(monotonic_ms() - begin, 500);
	detacher_wait(pipes[0], getppid(), 1000);
	ck_assert_int_lt(monotonic_ms() - begin, 5000);
	close(pipes[0]);
	close(pipes[1]);
}
END_TEST

/* A folder that is not empty can't be removed either. */
START_TEST(instance_in_use_is_silent)
{
	char *dir = with_dead_instance(), text[8];

	make_dir(dir, "instances/sonde-dead00/events");
	write_text(dir, "instances/sonde-dead00/tracing_on", "1");
	write_text(dir, "instances/sonde-dead00/events/enable", "X");
	write_text(dir, "instances/sonde-dead00/buffer_size_kb", "9");
	tracefs_sweep_at(dir, NULL);
	ck_assert_int_gt(tracefs_read(dir, "instances/sonde-dead00/tracing_on", text, 8), 0);
	ck_assert_str_eq(text, "0");
	ck_assert_int_gt(tracefs_read(dir, "instances/sonde-dead00/events/enable", text, 8), 0);
	ck_assert_str_eq(text, "0");
	ck_assert_int_gt(tracefs_read(dir, "instances/sonde-dead00/buffer_size_kb", text, 8), 0);
	ck_assert_str_eq(text, "1");
	remove_all(dir);
}
END_TEST

START_TEST(lock_of_a_folder_that_went)
{
	char *dir = temporary();

	ck_assert_int_eq(rmdir(dir), 0);
	ck_assert_int_eq(tracefs_lock(dir), -ENOENT);
	free(dir);
}
END_TEST

START_TEST(files)
{
	char *dir = temporary(), text[16], *all;

	write_text(dir, "file", "fifteen letters");
	ck_assert_int_eq(tracefs_read(dir, "file", text, 16), 15);
	ck_assert_str_eq(text, "fifteen letters");
	ck_assert_int_eq(tracefs_read(dir, "file", text, 15), -EFBIG);
	ck_assert_int_eq(tracefs_read(dir, "none", text, 16), -ENOENT);
	ck_assert_int_eq(tracefs_write(dir, "none", "1"), -ENOENT);
	/* does not cut the file: that would remove probes */
	ck_assert_int_eq(tracefs_write(dir, "file", "F"), 0);
	for (int i = 0; i < 1000; i++)
		append_to(dir, "long", "0123456789", 10);
	all = tracefs_text(dir, "file");
	ck_assert_str_eq(all, "Fifteen letters");
	free(all);
	all = tracefs_text(dir, "long");
	ck_assert_uint_eq(strlen(all), 10000);
	free(all);
	ck_assert_ptr_null(tracefs_text(dir, "none"));
	remove_all(dir);
}
END_TEST

Suite *suite_tracefs(void)
{
	Suite *s = suite_create("tracefs");
	TCase *c = tcase_create("tracefs");

	tcase_add_loop_test(c, probe_inputs, 0, LENGTH(inputs));
	tcase_add_loop_test(c, probe_names, 0, LENGTH(names));
	tcase_add_test(c, sweep_takes_what_is_dead);
	tcase_add_test(c, one_sweeps_at_a_time);
	tcase_add_test(c, who_starts_is_waited_for);
	tcase_add_test(c, who_tries_does_not_wait_for_who_removes);
	tcase_add_test(c, sweep_rests_while_a_sonde_starts);
	tcase_add_test(c, uprobes_of_others_stay);
	tcase_add_test(c, who_has_files_waits_for_its_lock);
	tcase_add_loop_test(c, who_is_stopped_stops_nobody, 0, 4);
	tcase_add_test(c, rests_are_bounded);
	tcase_add_test(c, start_does_not_sweep_for_ever);
	tcase_add_test(c, waits_are_said_and_end);
	tcase_add_test(c, detachers_do_not_wait_for_the_dead);
	tcase_add_test(c, instance_in_use_is_silent);
	tcase_add_test(c, lock_of_a_folder_that_went);
	tcase_add_test(c, files);
	suite_add_tcase(s, c);
	return s;
}
