// SPDX-License-Identifier: GPL-2.0
/* Scripts in bpftrace's language: the exact message about each mistake. */
#include <string.h>

#include "src/bt/bt.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

#define FAULT(PROGRAM, PLACE, MESSAGE, MARKS) \
	{ PROGRAM, "stdin:" PLACE ": ERROR: " MESSAGE "\n" PROGRAM "\n" MARKS }

static const struct {
	const char *program, *says;
} mistakes[] = {
	FAULT("BEGIN { print($x) }", "1:15-17", "$x has no value yet: nothing before this assigns "
	      "one", "              ~~"),
	FAULT("BEGIN { prinf(1) }", "1:9-14", "there is no statement `prinf`; did you mean printf?",
	      "        ~~~~~"),
	FAULT("BEGIN { print(kaddr(\"x\")) }", "1:21-24", "addresses of the kernel are of this "
	      "machine's only, and the script is for a snapshot", "                    ~~~"),
	FAULT("iter:task { print(ctx->task->prio) }", "1:24-28", "the types of this iterator "
	      "are unknown: --btf FILE tells them", "                       ~~~~"),
	FAULT("iter:task_vma { print(ctx->fd) }", "1:28-30", "/proc, which iter reads here, does "
	      "not tell ctx.fd; it tells task.pid, task.tgid, task.comm, task.group_leader.pid, "
	      "task.group_leader.tgid, task.real_parent.tgid, task.flags, "
	      "task.signal.nr_threads, task.rt_priority, task.policy, task.nvcsw, task.nivcsw, "
	      "vma.vm_start, vma.vm_end; the kernel's own iterator tells all, where it has one "
	      "(by its BTF)", "                           ~~"),
	FAULT("iter:task { print(arg1); print(ctx->task->prio) }", "1:19-23", "only functions have "
	      "arguments: a kprobe or uprobe", "                  ~~~~"),
	FAULT("iter:task { print(path(ctx->mm->f_path)) }", "1:29-31", "the types of this iterator "
	      "are unknown: --btf FILE tells them", "                            ~~"),
	FAULT("iter:task { print(path(ctx->mm, 8)) }", "1:33-34", "path() takes no length here: a "
	      "path has 200 characters at most", "                                ~"),
	FAULT("iter:task { print(path(pid)); print(ctx->mm) }", "1:24-27", "path() takes a path of "
	      "ctx: path(ctx->file->f_path), path(ctx->vma->vm_file->f_path)",
	      "                       ~~~"),
	FAULT("iter:task_file { print(path(ctx->fd)) }", "1:24-28", "/proc, which iter reads here, "
	      "does not tell the path ctx.fd; it tells file.f_path", "                       ~~~~"),
	FAULT("iter:task_vma { print(path(pid)) }", "1:28-31", "path() takes a path of ctx: "
	      "path(ctx->file->f_path), path(ctx->vma->vm_file->f_path)",
	      "                           ~~~"),
	FAULT("it:tasks { }", "1:1-3", "there is no iterator `tasks`; did you mean iter:task?",
	      "~~"),
	FAULT("it:sockets { }", "1:1-3", "No matches for iter sockets: the kernel's type "
	      "information has no such iterator (the snapshot does not have its arguments); `sonde "
	      "bt -l 'iter:*'` shows all", "~~"),
	FAULT("it { }", "1:1-3", "this probe is written as iter:task; `sonde bt -l 'iter:*'` shows "
	      "all", "~~"),
	FAULT("iter:task:/sys/fs/bpf/x { }", "1:1-5", "sonde pins no iterators: iter prints the "
	      "items at the time of the run", "~~~~"),
	FAULT("k:vfs_read { print(path(arg0)) }", "1:20-24", "only iter:task_file and "
	      "iter:task_vma have path() here: elsewhere str() shows the name of a dentry",
	      "                   ~~~~"),
	FAULT("k:vfs_read { print(ctx->task) }", "1:20-23", "ctx is not in sonde's language yet: "
	      "arguments are arg0 to arg9", "                   ~~~"),
	FAULT("k:vfs_read { print(uaddr(\"x\")) }", "1:20-25", "only probes in a file of user "
	      "space have its symbols: a uprobe", "                   ~~~~~"),
	FAULT("t:alarmtimer:alarmtimer_start { print(args.now) }", "1:44-47", "the fields of "
	      "alarmtimer:alarmtimer_start are unknown: its format is not readable in tracefs, or "
	      "not in the snapshot", "                                           ~~~"),
	FAULT("BEGIN { print(buf(1, 2)) }", "1:15-18", "BEGIN, END, interval and iter have no "
	      "memory to read: they are sonde's own", "              ~~~"),
	FAULT("k:vfs_read { print(buf(arg1)) }", "1:20-23", "buf() takes an address and a number "
	      "of bytes: buf(arg1, arg2)", "                   ~~~"),
	FAULT("k:vfs_read { printf(\"%r\", arg1) }", "1:27-31", "%r prints bytes: buf(ADDRESS, "
	      "LENGTH)", "                          ~~~~"),
	FAULT("BEGIN { print(strlen(5)) }", "1:22-23", "this is a number, and a string belongs "
						       "here",
	      "                     ~"),
	FAULT("BEGIN { $a = 1; $b = &$a; }", "1:22-23", "variables have no addresses here: take "
	      "the variable itself; memory has some, as in &POINTER->MEMBER",
	      "                     ~"),
	FAULT("BEGIN { $a = (n=1,); print(&$a.n); }", "1:28-29", "variables have no addresses "
	      "here: take the variable itself; memory has some, as in &POINTER->MEMBER",
	      "                           ~"),
	FAULT("BEGIN { @a = 1; print(&@a); }", "1:23-24", "maps have no addresses here: functions "
	      "of maps take the map itself, as has_key(@x, KEY)", "                      ~"),
	FAULT("import \"/proc/version\"; BEGIN { }", "1:8-23", "a script imports FILE.bt, FILE.h "
	      "or a folder of these: sonde does not compile C for BPF (.bpf.c), and a macro can "
	      "replace its functions", "       ~~~~~~~~~~~~~~~"),
	FAULT("import \"/nosuch.bt\"; BEGIN { }", "1:8-20", "/nosuch.bt can't be imported: No "
	      "such file or directory", "       ~~~~~~~~~~~~"),
	FAULT("import 5; BEGIN { }", "1:1-7", "import \"FILE.bt\"; comes before macros, maps and "
	      "probes", "~~~~~~"),
	FAULT("import \"\"; BEGIN { }", "1:1-7", "a file is imported as import \"FILE.bt\";",
	      "~~~~~~"),
	FAULT("BEGIN { } import \"a.bt\";", "1:11-17", "import \"FILE.bt\"; comes before macros, "
	      "maps and probes", "          ~~~~~~"),
	FAULT("BEGIN { print(@t.c); @t = 5; }", "1:18-19", "this has no type that has members: a "
	      "cast gives one, ((struct NAME *)VALUE)->MEMBER", "                 ~"),
	FAULT("BEGIN { $t = (a=1, 2) }", "1:20-21", "all values of a record have names: (a=1, b=2)",
	      "                   ~"),
	FAULT("BEGIN { $t = (a=1, a=2) }", "1:20-21", "this record has a a already",
	      "                   ~"),
	FAULT("BEGIN { $t = (a=1, b=2); print($t.c) }", "1:35-36", "this record has no c; it has "
	      "a, b", "                                  ~"),
	FAULT("BEGIN { $t = (1, 2); print($t.c) }", "1:31-32", "parts of a tuple have numbers: .0, "
	      ".1", "                              ~"),
	FAULT("BEGIN { $t = (a=1, b=2); $t.a = 2; }", "1:31-32", "only whole variables and entries "
	      "of maps get values", "                              ~"),
	FAULT("BEGIN { $t = (a=1, b=2); $t = (a=1, c=2); }", "1:26-28", "$t has other parts "
	      "elsewhere", "                         ~~"),
	FAULT("BEGIN { @t = (a=1, b=2); @t = (b=1, a=2); }", "1:26-28", "a value of @t has other "
	      "parts elsewhere", "                         ~~"),
	FAULT("BEGIN { @t[(a=1, b=2)] = 1; @t[1, 2] = 1; }", "1:32-33", "part 1 of the key of @t "
	      "is in other brackets elsewhere", "                               ~"),
	FAULT("BEGIN { $t = (1, 2); print($t[pid]) }", "1:30-31", "a part of a tuple has a number "
	      "that the script tells", "                             ~"),
	FAULT("BEGIN { print(strstr(comm, pid)) }", "1:28-31", "this is a number, and a "
	      "string belongs here", "                           ~~~"),
	FAULT("BEGIN { print(pton(\"::x\")) }", "1:20-25", "pton() takes an address of IPv4 or "
	      "IPv6: \"127.0.0.1\", \"::1\"",
	      "                   ~~~~~"),
	FAULT("BEGIN { print(nsecs(bot)) }", "1:21-24", "nsecs() takes one of these words: "
	      "monotonic, boot, tai, sw_tai", "                    ~~~"),
	FAULT("BEGIN { print(uid(5)) }", "1:19-20", "uid() takes no arguments here",
	      "                  ~"),
	FAULT("k:vfs_read { print(str(arg1, -1)) }", "1:30-31", "a length is never below 0",
	      "                             ~"),
	FAULT("watchpoint:5:3:w { }", "1:1-11", "this probe is written as watchpoint:ADDRESS:"
	      "LENGTH:ACCESSES: 1, 2, 4 or 8 bytes, and r, w, rw or x", "~~~~~~~~~~"),
	FAULT("watchpoint:5:4:w { }", "1:1-11", "the address of a watchpoint is a multiple of its "
	      "length", "~~~~~~~~~~"),
	FAULT("watchpoint:8:4:wx { }", "1:1-11", "this probe is written as watchpoint:ADDRESS:"
	      "LENGTH:ACCESSES: 1, 2, 4 or 8 bytes, and r, w, rw or x", "~~~~~~~~~~"),
	FAULT("BEGIN { print(pcomm) }", "1:15-20", "BEGIN, END, interval and iter have no pcomm: "
	      "they are sonde's own", "              ~~~~~"),
	FAULT("software:page-fault:1 { }", "1:1-9", "there is no software event `page-fault`; did "
	      "you mean page-faults?", "~~~~~~~~"),
	FAULT("hardware:cycles:x { }", "1:1-9", "this probe is written as hardware:EVENT:COUNT",
	      "~~~~~~~~"),
	FAULT("rawtracepoint:nosuch { }", "1:1-14", "No matches for rawtracepoint nosuch: there "
	      "is no such tracepoint; `sonde bt -l 't:*:*'` shows all", "~~~~~~~~~~~~~"),
	FAULT("self:signal:SIGUSR2 { }", "1:1-5", "this probe is written as self:signal:SIGUSR1",
	      "~~~~"),
	FAULT("BEGIN { system(\"ls\") }", "1:9-15", "system() runs commands as root: "
	      "--unsafe allows it", "        ~~~~~~"),
	FAULT("BEGIN { signal(9) }", "1:9-15", "signal() disturbs programs that are traced: "
	      "--unsafe allows it", "        ~~~~~~"),
	FAULT("BEGIN { override(1) }", "1:9-17", "override() is not in sonde's language: sonde "
	      "changes no results of functions: the kernel's fault injection "
	      "(/sys/kernel/debug/fail_function) does", "        ~~~~~~~~"),
	FAULT("k:vfs_read { join(arg0, 1) }", "1:25-26", "the string between the parts belongs "
	      "here: "
	      "join(args.argv, \" \")", "                        ~"),
	FAULT("BEGIN { print(1) print(2) }", "1:18-23", "';' is missing before this",
	      "                 ~~~~~"),
	FAULT("BEGIN { print(1)", "1:17-18", "'}' is missing: the script ends within a block",
	      "                ~"),
	FAULT("BEGIN", "1:6-7", "'{' is missing here: statements are between { and }", "     ~"),
	FAULT("BEGIN { print(pidd) }", "1:15-19", "there is no `pidd`; did you mean pid?",
	      "              ~~~~"),
	FAULT("BEGIN { print(kstack) }", "1:15-21", "BEGIN, END, interval and iter have no kstack: "
	      "they are sonde's own", "              ~~~~~~"),
	FAULT("BEGIN { print(strftime(\"%G\", 1)) }", "1:24-28", "strftime() has %H %M %S %T %X "
	      "%R %F %Y %y %m %b %d %s %f %Z here; a % is %%", "                       ~~~~"),
	FAULT("k:vfs_read { print(ksym(1) == \"a\") }", "1:20-24", "ksym(ADDRESS) can be shown "
	      "and be a key, not compared: compare the numbers that it is made of",
	      "                   ~~~~"),
	FAULT("BEGIN { print(username == \"a\") }", "1:15-23", "username can be shown and be a "
	      "key, not compared: compare the numbers that it is made of",
	      "              ~~~~~~~~"),
	FAULT("BEGIN { print(ntop(1) == \"a\") }", "1:15-19", "ntop() can be shown and be a key, "
	      "not compared: compare the numbers that it is made of", "              ~~~~"),
	FAULT("BEGIN { print(macaddr(1)) }", "1:23-24", "macaddr() takes an array of 6 bytes",
	      "                      ~"),
	FAULT("BEGIN { @a = ntop(1); @a = \"x\"; }", "1:23-25", "a value of @a is a string here, "
	      "and ntop() elsewhere", "                      ~~"),
	FAULT("BEGIN { print(ksym(1) + 1) }", "1:23-24", "strings can be compared with == and != "
	      "only", "                      ~"),
	FAULT("BEGIN { @a = strerror(1); @a = ksym(1); }", "1:27-29", "a value of @a is "
	      "ksym(ADDRESS) here, and strerror(NUMBER) elsewhere", "                          ~~"),
	FAULT("BEGIN { print(strncmp(comm, 5, 1)) }", "1:29-30", "this is a number, and a "
	      "string belongs here", "                            ~"),
	FAULT("BEGIN { print(usym(1)) }", "1:15-19", "BEGIN, END, interval and iter have no usym: "
	      "they are sonde's own", "              ~~~~"),
	FAULT("k:vfs_read { $x = kstack; print($x == 1) }", "1:33-35", "a stack can be shown and "
	      "be a key, not compared: compare the numbers that it is made of",
	      "                                ~~"),
	FAULT("k:vfs_read { @ = hist(len(kstack)) }", "1:27-33", "this is the length of a "
	      "stack, known when it is shown, and a number belongs here",
	      "                          ~~~~~~"),
	FAULT("k:vfs_read { print(len(kstack) > 1) }", "1:24-30", "how long a stack is becomes "
	      "known when it is shown: print the length with %d or print(), or take it as the key "
	      "of an aggregation", "                       ~~~~~~"),
	FAULT("k:vfs_read { @[ustack]++ }", "1:16-22", "a stack is the key of an aggregation, not "
	      "of @, which is looked up: @[kstack] = count()", "               ~~~~~~"),
	FAULT("k:vfs_read { @[kstack] = count(); @[kstack(2)] = count() }", "1:37-43",
	      "part 1 of the key of @ is another stack here than elsewhere: give it a map of its "
	      "own", "                                    ~~~~~~"),
	FAULT("k:vfs_read { print(kstack(0)) }", "1:27-28", "kstack and ustack take a form "
	      "(bpftrace, perf or raw), and how many functions they show, up to 127: kstack(perf, "
	      "5)", "                          ~"),
	FAULT("k:vfs_read { @ = sum(ustack + 1) }", "1:22-28", "ustack is a stack: print it with "
	      "%s or print(), or take it as the key of an aggregation",
	      "                     ~~~~~~"),
	FAULT("kprobe:vfs_read { unroll (100) { unroll (100) { @[comm]++; } } }",
	      "1:1-7", "this action has more than 16000 instructions, which a program can't have: "
	      "take two probes, or fewer iterations", "~~~~~~"),
	FAULT("k:vfs_read { @x[1] = 1; for ($kv : @x) { print(pid); } }", "1:48-51", "sonde runs "
	      "this loop, behind the event: it has the values of the map, and none of the event",
	      "                                               ~~~"),
	FAULT("k:vfs_read { $x = arg0; @x[1] = 1; for ($kv : @x) { print($x); } }", "1:59-61",
	      "sonde runs this loop, behind the event: it has the values of the map, and none of "
	      "the event", "                                                          ~~"),
	FAULT("k:vfs_read { @x[1] = 1; for ($kv : @x) { @n++; } }", "1:42-44", "sonde runs this "
	      "loop, behind the event: it can print, and change only variables declared in it",
	      "                                         ~~"),
	FAULT("k:vfs_read { @x[1] = 1; for ($kv : @x) { print(arg0); } }", "1:48-52", "sonde "
	      "runs this loop, behind the event: it has the values of the map, and none of the "
	      "event",
	      "                                               ~~~~"),
	FAULT("BEGIN { @x = 1; for ($kv : @x) { } }", "1:28-30", "@x has no keys to go through",
	      "                           ~~"),
	FAULT("BEGIN { @x[1] = hist(1); for ($kv : @x) { } }", "1:37-39",
	      "for goes through maps of "
	      "numbers and strings: print(@x) shows this one",
	      "                                    ~~"),
	FAULT("BEGIN { $t = (1, 2); $t = ($t.1, 3); }", "1:22-24", "a tuple is not made of its own "
	      "parts: keep them in variables before", "                     ~~"),
	FAULT("BEGIN { $t = (1, 2); $t = (1, 2, 3); }", "1:22-24", "$t has other parts elsewhere",
	      "                     ~~"),
	FAULT("BEGIN { $t = (1, 2, 3); $t = (1, 2); }", "1:25-27", "$t has other parts elsewhere",
	      "                        ~~"),
	FAULT("BEGIN { $t = (1, 2); $t = ((1, 2), 2); }", "1:22-24", "$t has other parts elsewhere",
	      "                     ~~"),
	FAULT("BEGIN { $t = (1, \"a\"); $t = (1, 2); }", "1:24-26", "$t.1 is a number here, and a "
	      "string elsewhere", "                       ~~"),
	FAULT("BEGIN { $t = (1, 2); $t = 1; }", "1:22-24", "$t is a number here, and a tuple "
	      "elsewhere", "                     ~~"),
	FAULT("BEGIN { $t = 1; $t = (1, 2); }", "1:17-19", "$t is a tuple here, and a number "
	      "elsewhere", "                ~~"),
	FAULT("BEGIN { $t.0 = 1; }", "1:9-11", "parts of a tuple get no values of their own: "
	      "assign the whole tuple", "        ~~"),
	FAULT("BEGIN { printf(\"%s\", (1, 2)); }", "1:22-23", "only print() shows a tuple: show "
	      "its parts", "                     ~"),
	FAULT("BEGIN { if ((1, 2)) { } }", "1:13-14", "this is a tuple, and a number belongs here",
	      "            ~"),
	FAULT("BEGIN { print(-(1, 2)); }", "1:16-17", "this is no number", "               ~"),
	FAULT("BEGIN { @x[(1, 2), 3] = 1; @x[1, 2, 3] = 2; }", "1:31-32", "part 1 of the key of @x "
	      "is in other brackets elsewhere", "                              ~"),
	FAULT("BEGIN { @x[(1, 2, 3, 4), (5, 6, 7, 8, 9)] = 1; }", "1:26-27", "a tuple has 8 parts "
	      "at most here", "                         ~"),
	FAULT("BEGIN { $x = { @y++; } }", "1:14-15", "this block has no value: it ends with one, "
	      "as { "
	      "$x = pid; $x + 1 }", "             ~"),
	FAULT("BEGIN { $x = { exit(); 1 } }", "1:14-15", "a block that has a value does not leave"
	      " the "
	      "action: exit() and return belong to statements", "             ~"),
	FAULT("BEGIN { $x = print(1); }", "1:14-19", "this is a statement, and has no value",
	      "             ~~~~~"),
	FAULT("BEGIN { let $x = 1; let $x = 2; }", "1:25-27", "this block has a $x already",
	      "                        ~~"),
	FAULT("BEGIN { @x = (1, 2); @x = (1, 2, 3); }", "1:22-24", "a value of @x has other parts "
	      "elsewhere", "                     ~~"),
	FAULT("BEGIN { @x = (1, 2); @x = (1, \"a\"); }", "1:22-24", "part 2 of a value of @x is a "
	      "string here, and a number elsewhere", "                     ~~"),
	FAULT("BEGIN { print(buf(\"ab\", 4)); }", "1:15-18", "this string has 3 bytes, with its NUL"
	      ", and "
	      "buf() 64 at most", "              ~~~"),
	FAULT("BEGIN { $x = (int8[8])1; print($x[8]); }", "1:34-35", "the index 8 is out of bound"
	      "s for "
	      "array of size 8", "                                 ~"),
	FAULT("BEGIN { $x = (int8[8])1; print($x[pid]); }", "1:34-35", "an element of an array th"
	      "at is "
	      "kept has an index that the script tells", "                                 ~"),
	FAULT("BEGIN { $x = (int8[3])pid; }", "1:14-15", "this has 8 bytes, and the array 3",
	      "             ~"),
	FAULT("BEGIN { @x = (1, 2); print(@x.2); }", "1:30-31", "this tuple has no part 2",
	      "                             ~"),
	FAULT("BEGIN { @ = (((((((((1,),),),),),),),),); }", "1:13-14", "this is nested too deeply",
	      "            ~"),
	FAULT("BEGIN { print((1, 2) < (1, 3)); }", "1:22-23", "tuples can be compared with == and"
	      " != "
	      "only", "                     ~"),
	FAULT("BEGIN { unroll (101) { } }", "1:17-20", "unroll maximum value is 100",
	      "                ~~~"),
	FAULT("BEGIN { if (1) { break; } }", "1:18-23", "only for and while have break and "
	      "continue", "                 ~~~~~"),
	FAULT("BEGIN { for ($i : 1) { } }", "1:20-21", "a range or a map belongs here: for ($i : "
	      "0..10) or for ($kv : @map)", "                   ~"),
	FAULT("BEGIN { for (@x : 1..2) { } }", "1:14-16", "a variable belongs here: for ($i : "
	      "0..10)", "             ~~"),
	FAULT("BEGIN { @x[1] = 1; for ($kv : @x) { } print($kv.2); }", "1:45-48", "$kv.2 has no "
	      "value yet: nothing before this assigns one",
	      "                                            ~~~"),
	FAULT("BEGIN { @a = count(); @a = 1; }", "1:23-25", "@a holds count() already: give values "
	      "a map of their own", "                      ~~"),
	FAULT("kprobe:vfs_read { print(@a + 1); } BEGIN { @a = max(1); }", "1:25-27", "@a holds "
	      "max(), which BEGIN, END, interval and iter can read, and probes can't: each CPU has "
	      "its own", "                        ~~"),
	FAULT("BEGIN { @a = hist(1); print(@a + 1); }", "1:29-31", "an entry of @a is hist(), and "
	      "no number: print(@a) shows it", "                            ~~"),
	FAULT("kprobe:vfs_read { @a++; } interval:s:1 { @a += 2; @a *= 2; }",
	      "1:51-53", "@a is changed by probes at the same time, and BEGIN, END, interval and "
	      "iter change it in two steps, which would lose changes: assign a value, or take "
	      "another map", "                                                  ~~"),
	FAULT("kprobe:vfs_read { @a = 1; print(len(@a)); }", "1:33-36", "call to len() expects a "
	      "map with explicit keys (non-scalar map)",
	      "                                ~~~"),
	FAULT("kprobe:vfs_read { @a[1] = avg(1); print(len(@a)); }", "1:41-44", "only BEGIN, END, "
	      "interval and iter can ask for the length of @a: its entries have parts that sonde "
	      "puts together", "                                        ~~~"),
	FAULT("kprobe:vfs_read { print(len(@a)); } interval:s:1 { @a[1] = 1; }", "1:52-54",
	      "a probe asks for the length of this map, which is counted where probes, BEGIN and "
	      "END change it: ask for it in interval, or change the map in a probe",
	      "                                                   ~~"),
	FAULT("kprobe:vfs_read { @a[1] = 1; print(len(@a)); zero(@a); }", "1:46-50",
	      "a probe asks for the length of this map, which is counted where probes, BEGIN and "
	      "END change it: ask for it in interval, or change the map in a probe",
	      "                                             ~~~~"),
	FAULT("kprobe:vfs_read { @a[kstack] = count(); print(@a[kstack] + 1); }", "1:47-49",
	      "a stack is the key of an aggregation, not of @a, which is looked up",
	      "                                              ~~"),
	FAULT("BEGIN { @a[1] = 1; print(len(@a[1])); }", "1:26-29", "this is a number, and len() "
	      "takes a map or a stack", "                         ~~~"),
	FAULT("k:vfs_read { print(memcmp(comm, \"a\", 17)); }", "1:27-31", "memcmp() compares 17 "
	      "bytes, and this has 16", "                          ~~~~"),
	FAULT("BEGIN { print(memcmp(1, \"a\", 1)); }", "1:22-23", "this is a number, and memcmp() "
	      "compares strings, arrays and buf()", "                     ~"),
	FAULT("BEGIN { print(memcmp(comm, \"a\", 0)); }", "1:33-34", "memcmp() compares as many "
	      "bytes as a number says that the script tells, up to 200: memcmp($a, $b, 4)",
	      "                                ~"),
	FAULT("BEGIN { exit(comm); }", "1:14-18", "this is a string: %s prints it",
	      "             ~~~~"),
	FAULT("BEGIN { @a = count(); @a = sum(1); }", "1:28-31", "@a holds count() already: give "
	      "sum() a map of its own", "                           ~~~"),
	FAULT("BEGIN { @a[1] = 1; @a = 1; }", "1:20-22", "@a has 0 parts in its key here, and 1 "
	      "elsewhere", "                   ~~"),
	FAULT("BEGIN { @a[1] = 1; @a[comm] = 1; }", "1:23-27", "part 1 of the key of @a is a "
	      "string here, and a number elsewhere", "                      ~~~~"),
	FAULT("BEGIN { print(@a); }", "1:15-17", "nothing is ever put into @a",
	      "              ~~"),
	FAULT("BEGIN { @ = lhist(1, 5, 2, 1); }", "1:13-18", "lhist(VALUE, MIN, MAX, STEP): MIN is "
	      "below MAX, and a STEP is between them", "            ~~~~~"),
	FAULT("BEGIN { $a = comm; print($a[99]); }", "1:28-29", "a character of this string is "
	      "at a number that is known, from 0 to 15", "                           ~"),
	FAULT("BEGIN { @ = hist(1, 4); }", "1:21-22", "hist(VALUE, K) has 2^K rows for each power "
	      "of two, and K is 0 to 3", "                    ~"),
	FAULT("BEGIN { @ = hist(1, 2); @ = hist(1); }", "1:29-33", "@ has other rows elsewhere: "
	      "give these a map of their own", "                            ~~~~"),
	FAULT("BEGIN { printf(\"%d\"); }", "1:17-18", "there is no value for this conversion",
	      "                ~"),
	FAULT("BEGIN { printf(\"a\", 1); }", "1:19-20", "the format has no conversion for more "
	      "values", "                  ~"),
	FAULT("BEGIN { printf(\"%d\", comm); }", "1:22-26", "this is a string: %s prints it",
	      "                     ~~~~"),
	FAULT("BEGIN { $x = comm; $x = 1; }", "1:20-22", "$x is a number here, and a string "
	      "elsewhere", "                   ~~"),
	FAULT("BEGIN { @x = 1; @y = @x; @x = \"a\"; }", "1:26-28", "a value of @x is a string "
	      "here, and a number elsewhere", "                         ~~"),
	FAULT("BEGIN { $x = comm; print($x + 1); }", "1:29-30", "strings can be compared with == "
	      "and "
	      "!= only", "                            ~"),
	FAULT("BEGIN { $x = comm; print($x == 1); }", "1:32-33", "this is a number: str() makes a "
	      "string of an address", "                               ~"),
	FAULT("BEGIN { @x = sum(comm); }", "1:18-22", "this is a string, and a number belongs here",
	      "                 ~~~~"),
	FAULT("BEGIN { print(1 ? comm : 2); }", "1:17-18", "the first value is a string, and the "
	      "other one a number", "                ~"),
	FAULT("kprobe:vfs_read { $x = kstack; $x = kstack(3); }", "1:32-34", "$x is a stack here, "
	      "and a stack elsewhere", "                               ~~"),
	FAULT("BEGIN { let $a; $a = @x; @y[$a] = @x; }", "1:22-24", "nothing is ever put into @x",
	      "                     ~~"),
	FAULT("BEGIN { @x = @y; }", "1:9-11", "nothing is ever put into @x", "        ~~"),
	FAULT("BEGIN { print(probe == comm); }", "1:21-23", "probe and func are compared with "
	      "strings in quotes, or with themselves", "                    ~~"),
	FAULT("BEGIN { print(arg0) }", "1:15-19", "only functions have arguments: a kprobe or "
	      "uprobe", "              ~~~~"),
	FAULT("k:vfs_read { print(arg10) }", "1:20-25", "arguments of functions are arg0 to arg9",
	      "                   ~~~~~"),
	FAULT("struct a { int x[4]; } k:vfs_read { print(((struct a *)arg0).x[4]) }", "1:63-64",
	      "the index 4 is out of bounds for array of size 4", "                  "
	      "                                            ~"),
	FAULT("k:vfs_read { print(sizeof((1, ksym(arg0)))) }", "1:31-35", "this is ksym(ADDRESS), "
	      "which has no size: numbers, strings, structs, arrays and tuples of them have one",
	      "                              ~~~~"),
	FAULT("BEGIN { print(args.x) }", "1:20-21", "only tracepoints and functions of the "
	      "kernel have args, one at a time; arguments of others are arg0, arg1 ...",
	      "                   ~"),
	FAULT("BEGIN { print('a') }", "1:15-18", "there are no characters in quotes: write the "
	      "number, or a string in \"...\"", "              ~~~"),
	FAULT("interval:s:0 { }", "1:1-9", "this probe is written as interval:s:1, interval:ms:100 "
	      "or interval:hz:10", "~~~~~~~~"),
	FAULT("usdt:a:b { }", "1:1-5", "No matches for usdt a:b: a snapshot has no files, "
	      "for a", "~~~~"),
	FAULT("usdt:a { }", "1:1-5", "this probe is written as usdt:FILE:PROBE", "~~~~"),
	FAULT("k:ext4:vfs_read { }", "1:1-2", "vfs_read is a function of vmlinux, not of ext4",
	      "~"),
	FAULT("f:vfs_read { print(args.fil) }", "1:25-28", "the arguments of vfs_read() have no "
	      "names here, without type information (BTF): they are arg0, arg1 ...",
	      "                        ~~~"),
	FAULT("fr:vfs_read { print(args.file) }", "1:26-30", "the arguments of vfs_read() have no "
	      "names here, without type information (BTF): they are arg0, arg1 ...",
	      "                         ~~~~"),
	FAULT("kr:vfs_read { print(args.file) }", "1:26-30", "a return has no args: keep them in "
	      "a map when the function begins", "                         ~~~~"),
	FAULT("fr:vfs_read { print(retval) }", "1:21-27", "the type of this result is unknown "
	      "here: take kretprobe and (int32)retval, or another type",
	      "                    ~~~~~~"),
	FAULT("k:vfs_* { print(args.x) }", "1:22-23", "the arguments of vfs_caches_init() have no "
	      "names here, without type information (BTF): they are arg0, arg1 ...",
	      "                     ~"),
	FAULT("kprob:vfs_read { }", "1:1-6", "there is no probe `kprob`; did you mean kprobe?",
	      "~~~~~"),
	FAULT("kprobe:vfs_raed { }", "1:1-7", "No matches for kprobe vfs_raed: no function "
	      "of the kernel matches 'vfs_raed'; "
	      "did you mean 'vfs_read'?", "~~~~~~"),
	FAULT("macro m(a) { a } BEGIN { print(m(1, 2)) }", "1:37-38", "m has 1 argument",
	      "                                    ~"),
	FAULT("macro m(a) { a } BEGIN { print(m) }", "1:32-33", "m has 1 argument",
	      "                               ~"),
	FAULT("macro m($a) { $a } BEGIN { print(m(1)) }", "1:36-37",
	      "m wants a variable here, for its $a", "                                   ~"),
	FAULT("macro m(@a) { @a } BEGIN { print(m(@a[1])) }", "1:36-38", "m wants a map without a "
	      "key here, for its @a", "                                   ~~"),
	FAULT("macro m(a) { @b = a; } BEGIN { m(1); }", "1:14-16", "a macro knows the maps of its "
	      "arguments only: m(..., @b)", "             ~~"),
	FAULT("macro m { m } BEGIN { m }", "1:11-12", "m is nested too deeply: does it contain "
	      "itself?", "          ~"),
	FAULT("macro m { $a = 1; } BEGIN { m; print($a) }", "1:38-40", "$a has no value yet: "
	      "nothing before this assigns one", "                                     ~~"),
	FAULT("macro m { print(nosuch) } BEGIN { m }", "1:17-23", "there is no `nosuch` here",
	      "                ~~~~~~"),
	FAULT("macro m(a) { a } BEGIN { print(m(typeof(1))) }", "1:34-40", "a type is no value",
	      "                                 ~~~~~~"),
	FAULT("macro m(a, b) { a } BEGIN { print(m(1,)) }", "1:39-40", "an argument of m is "
	      "missing here", "                                      ~"),
	{ "macro d(x) { (x) + (x) } BEGIN { print(d(d(d(d(d(d(d(d(d(d(d(d(d(1)))))))))))))); }",
	  "ERROR: with its macros the script has more than 65535 characters" },
	FAULT("macro 1 { }", "1:7-8", "a macro is written as macro NAME(PARAMETER, ...) { ... }",
	      "      ~"),
	FAULT("macro m { } macro m { }", "1:13-18", "there is a macro or fn m already",
	      "            ~~~~~"),
	FAULT("fn f($x : int8) : int8 { if ($x) { return 1; } return 2; }", "1:36-42",
	      "return is the last statement of a function here: give a variable its value before, "
	      "as in $r = 1; if (...) { $r = 2; } return $r;",
	      "                                   ~~~~~~"),
	FAULT("fn f($x) : int8 { }", "1:8-9", "a function is written as fn NAME($PARAMETER : TYPE, "
	      "...) : TYPE { ... }", "       ~"),
	FAULT("fn f($x : ) : int8 { }", "1:11-12", "a type is missing here", "          ~"),
	FAULT("fn f() : void { return 1; }", "1:17-23", "a function that is void returns no value",
	      "                ~~~~~~"),
	FAULT("fn f() : int8 { return; }", "1:17-23", "a value is missing here",
	      "                ~~~~~~"),
	FAULT("fn f() : int8 { $a = 1; }", "1:25-26", "`return VALUE;` is missing here",
	      "                        ~"),
	FAULT("fn f() : int8 { return f(); } BEGIN { f(); }", "1:24-25",
	      "f is nested too deeply: does it contain itself?", "                       ~"),
	FAULT("fn f($x : int8) : int8 { return $x; } BEGIN { f(\"a\"); print(f(1)); }", "1:47-48",
	      "$x__1 is a string here, and a number elsewhere",
	      "                                              ~"),
	FAULT("macro m {", "1:10-11", "'}' is missing: the script ends within a macro",
	      "         ~"),
	{ "#define F(x) x\nBEGIN { print(F(1)) }", "stdin:2:15-16: ERROR: F is a macro of C's "
	  "with arguments: write it as `macro NAME(argument) { VALUE }`\nBEGIN { print(F(1)) }\n"
	  "              ~" },
	{ "#define A B\n#define B A\nBEGIN { print(A) }", "stdin:3:15-16: ERROR: macros are "
	  "nested too deeply\nBEGIN { print(A) }\n              ~" },
	FAULT("BEGIN { print(getopt(1)) }", "1:15-21", "an option is read as getopt(\"NAME\", "
	      "DEFAULT, \"DESCRIPTION\"); the default is true, false, a number or a string in "
	      "quotes",
	      "              ~~~~~~"),
	FAULT("config = { max_map_kyes = 1 }", "1:12-24", "there is no setting `max_map_kyes`; "
	      "did you mean max_map_keys?", "           ~~~~~~~~~~~~"),
	FAULT("config = { xyz = 1 }", "1:12-15", "xyz: not a known configuration option; options "
	      "with an effect here: max_strlen, max_map_keys, compat, max_cat_bytes, "
	      "missing_probes, print_maps_on_exit and stack_mode",
	      "           ~~~"),
	FAULT("config = { missing_probes = 1 }", "1:29-30", "missing_probes is error, warn or "
	      "ignore", "                            ~"),
	FAULT("config = { stack_mode = names }", "1:25-30", "stack_mode is bpftrace, perf or raw",
	      "                        ~~~~~"),
	FAULT("config = { max_map_keys = -1 }", "1:27-28", "the setting's value belongs here",
	      "                          ~"),
	FAULT("let @a = table(1);", "1:10-15", "a map is declared as let @NAME = hash(ENTRIES); "
	      "also lruhash, percpuhash and percpulruhash", "         ~~~~~"),
	FAULT("let @a = hash(0);", "1:15-16", "the largest number of entries belongs here",
	      "              ~"),
	FAULT("kprobe:vfs_raed, kprobe:vfs_raed { }", "1:1-7", "No matches for kprobe vfs_raed: "
	      "no function of the kernel matches 'vfs_raed'; did you mean 'vfs_read'?", "~~~~~~"),
	FAULT("config = { missing_probes = error } kprobe:vfs_read, kprobe:vfs_raed { }",
	      "1:54-60", "No matches for kprobe vfs_raed: no function of the kernel matches "
	      "'vfs_raed'; did you mean 'vfs_read'?",
	      "                                                     ~~~~~~"),
	FAULT("BEGIN { } struct a { int b; };", "1:11-17", "C declarations come before all else",
	      "          ~~~~~~"),
	FAULT("struct a { int b c; } BEGIN { }", "1:18-19", "';' is missing here",
	      "                 ~"),
	{ "\n#include \"/\"\nBEGIN { }", "stdin:2:10-13: ERROR: a file is not included from a "
	  "script: import \"/\"; or -I / reads its declarations\n#include \"/\"\n         ~~~" },
	{ "#define N 5\nBEGIN { print(N + M) }", "stdin:2:19-20: ERROR: there is no `M` here\n"
	  "BEGIN { print(N + M) }\n                  ~" },
	{ "#ifndef BPFTRACE_HAVE_BTF\n#include <net/sock.h>\n#endif\nkprobe:vfs_read { "
	  "print(((struct nothing *)arg0)->a) }", "stdin:4:26-27: ERROR: members of struct nothing "
	  "are not known: this kernel has no BTF; -I FILE.h with its declaration tells them, or "
	  "--btf FILE\nkprobe:vfs_read { print(((struct nothing *)arg0)->a) }\n"
	  "                         ~" },
	FAULT("t:tcp:tcp_retransmit_skb { print(args.saddr[4]) }", "1:44-45",
	      "the index 4 is out of bounds for array of size 4",
	      "                                           ~"),
	FAULT("t:tcp:tcp_retransmit_skb { print(args.saddr[args.sport]) }", "1:44-45",
	      "an element of saddr has an index that is a number, from 0 to 3",
	      "                                           ~"),
	FAULT("BEGIN { $n = 1; print(((typeof($n)[2])0x200000001)[1]) }", "1:24-25",
	      "this has 8 bytes, and the array 16", "                       ~"),
	FAULT("BEGIN { $x = 1; print($x->y) }", "1:27-28", "this has no type that has members: a "
	      "cast gives one, ((struct NAME *)VALUE)->MEMBER", "                          ~"),
	FAULT("kprobe:vfs_read { $x = (struct a *)arg0; $x = (struct b *)arg0; }", "1:47-48",
	      "$x holds struct a *, and this is struct b *: take another name, or a cast",
	      "                                              ~"),
	FAULT("kprobe:vfs_read { @x = (u8 *)arg0; @x = (u16 *)arg0; }", "1:41-42",
	      "@x holds unsigned char *, and this is unsigned short *: take another name, or a "
	      "cast", "                                        ~"),
	FAULT("BEGIN { printf(\"%f\", 1); }", "1:17-18", "a format has %d %u %x %o %c %s %p, with "
	      "hh, h, l, ll, j, z and t; a % is %%", "                ~"),
	FAULT("kprobe:vfs_read { @ = 1; } BEGIN { @ |= 1; }", "1:36-37", "@ is changed by probes "
	      "at the same time, and BEGIN, END, interval and iter change it in two steps, which "
	      "would lose changes: assign a value, or take another map",
	      "                                   ~"),
	FAULT("", "1:1-2", "the script has no probes: PROBE { STATEMENTS }", "~"),
};

START_TEST(mistake)
{
	struct kernel *k = trial_kernel("6.1");
	struct bt b = { };
	struct error err = { };

	ck_assert_int_eq(script_begin(&b.script, k, NULL, NULL, &err), 0);
	ck_assert_int_eq(bt_make(&b, "stdin", mistakes[_i].program, &err), -1);
	ck_assert_str_eq(err.text, mistakes[_i].says);
	bt_free(&b);
	kernel_free(k);
}
END_TEST

/* A name of 300 letters, as Rust's functions may have, is looked for as a whole. */
START_TEST(long_name)
{
	struct kernel *k = trial_kernel("6.1");
	struct bt b = { };
	struct error err = { };
	char program[400];

	snprintf(program, sizeof(program), "kprobe:%0300d_end { }", 0);
	ck_assert_int_eq(script_begin(&b.script, k, NULL, NULL, &err), 0);
	ck_assert_int_eq(bt_make(&b, "stdin", program, &err), -1);
	ck_assert_msg(strstr(err.text, "0_end'\nkprobe:0") != NULL, "%s", err.text);
	bt_free(&b);
	kernel_free(k);
}
END_TEST

Suite *suite_bt_mistakes(void);
Suite *suite_bt_mistakes(void)
{
	Suite *s = suite_create("bt_mistakes");

	add_tests(s, "mistakes", mistake, COUNT_OF(mistakes));
	add_tests(s, "long names", long_name, 1);
	return s;
}
