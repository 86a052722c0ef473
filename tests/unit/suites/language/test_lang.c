// SPDX-License-Identifier: GPL-2.0
/*
 * The language of questions: expressions, over the records of an event, and the mistakes that it
 * tells. A blank in a question is a tab here, because blanks are between words of the command.
 */
#include <string.h>

#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

/* A value of a function's event whose arguments are a0, a1 ... in the order they are named. */
#define HEAD(MESSAGE) \
	"{\"pid\":null,\"tid\":7,\"comm\":null,\"func\":\"vfs_read\"," \
	"\"message\":\"" MESSAGE "\","
#define VALUE(EXPRESSION, INPUTS, TEXT) \
	JSON(EXPRESSION, "trace vfs_read\t\"%lld\"," EXPRESSION, \
	     "1000 0 7 p:vfs_read " INPUTS "\n", HEAD(TEXT) "\"value1\":" TEXT "}\n")
#define FILTERED(EXPRESSION, INPUTS, N, ...) \
	JSON(EXPRESSION, "trace vfs_read\t(" EXPRESSION ")\t\"x\"", \
	     "1000 0 7 p:vfs_read " INPUTS "\n", N, __VA_ARGS__)
#define PASSES "{\"pid\":null,\"tid\":7,\"comm\":null,\"func\":\"vfs_read\",\"message\":\"x\"}\n"

static const struct program_row values_rows[] = {
	VALUE("arg1", "a0=5", "5"),
	VALUE("arg1", "a0=18446744073709551615", "-1"),
	VALUE("(int)arg1", "a0=4294967295", "-1"),
	VALUE("(unsigned\tint)arg1", "a0=18446744073709551615", "4294967295"),
	VALUE("(u8)arg1", "a0=511", "255"),
	VALUE("(s8)arg1", "a0=511", "-1"),
	VALUE("(bool)arg1", "a0=256", "1"),
	/* An argument that is a bool has one byte of its register. */
	JSON("bool\tb", "trace vfs_read(bool\tb)\t\"%lld\",b", "1000 0 7 p:vfs_read a0=256\n",
	     HEAD("0") "\"value1\":0}\n"),
	VALUE("arg1+arg2*2", "a0=5 a1=7", "19"),
	VALUE("(arg1+arg2)*2", "a0=5 a1=7", "24"),
	VALUE("arg1-arg2-1", "a0=5 a1=7", "-3"),
	VALUE("(int)arg1/2", "a0=4294967289", "-3"),
	VALUE("(int)arg1%2", "a0=4294967289", "-1"),
	VALUE("(int)arg1/(int)arg2", "a0=7 a1=4294967294", "-3"),
	VALUE("(int)arg1%(int)arg2", "a0=7 a1=4294967294", "1"),
	VALUE("arg1/3", "a0=18446744073709551615", "6148914691236517205"),
	VALUE("(int)arg1>>1", "a0=4294967288", "-4"),
	VALUE("(u32)arg1>>1", "a0=4294967288", "2147483644"),
	VALUE("1<<arg1", "a0=31", "-2147483648"),
	VALUE("1LL<<arg1", "a0=40", "1099511627776"),
	VALUE("(u32)arg1*(u32)arg1", "a0=65536", "0"),
	VALUE("(u32)arg1*(u64)arg1", "a0=65536", "4294967296"),
	VALUE("arg1&0xf0|arg2^1", "a0=255 a1=2", "243"),
	VALUE("~arg1", "a0=0", "-1"),
	VALUE("-(int)arg1", "a0=5", "-5"),
	VALUE("!arg1", "a0=0", "1"),
	VALUE("arg1>arg2", "a0=18446744073709551615 a1=1", "1"),
	VALUE("(long)arg1>(long)arg2", "a0=18446744073709551615 a1=1", "0"),
	VALUE("(int)arg1<(u32)arg2", "a0=18446744073709551615 a1=1", "0"),
	VALUE("arg1&&arg2", "a0=5 a1=0", "0"),
	VALUE("arg1||arg2", "a0=5 a1=0", "1"),
	VALUE("arg1?arg2:arg3", "a0=5 a1=8 a2=9", "8"),
	VALUE("arg1?arg2:arg3", "a0=0 a1=8 a2=9", "9"),
	VALUE("arg1==1?10:arg1==2?20:30", "a0=2", "20"),
	VALUE("sizeof(u32)+sizeof(long)", "", "12"),
	VALUE("sizeof(int[5])+sizeof(char*[2][3])+sizeof(\"abc\")", "", "72"),
	VALUE("\"abc\"[1]+1[\"abc\"]+\"abc\"[3]", "", "196"),
	VALUE("(u32*)arg1-(u32*)arg2", "a0=40 a1=48", "-2"),
	VALUE("(char*)arg1-(char*)arg2", "a0=40 a1=48", "-8"),
	VALUE("&((u32*)arg1)[3]-(u32*)arg1", "a0=40", "3"),
	VALUE("offsetof(struct\tpollfd,events)", "", "4"),
	VALUE("(u32)arg1<0", "a0=5", "0"),
	VALUE("sizeof(int)>=0", "", "1"),
	VALUE("'a'+'\\n'", "", "107"),
	VALUE("0x10+010", "", "24"),
	VALUE("0x100000000+arg1", "a0=1", "4294967297"),
	VALUE("((((arg1+1)*(arg2+2))+((arg1+3)*(arg2+4)))*(((arg1+5)*(arg2+6))+((arg1+7)*"
	      "(arg2+8))))", "a0=1 a1=2", "4096"),
	FILTERED("arg1==5", "a0=5", PASSES),
	FILTERED("arg1==5", "a0=6", ""),
	FILTERED("(int)arg1<0", "a0=4294967295", PASSES),
	FILTERED("arg1/arg2", "a0=6 a1=0", ""),
	FILTERED("STRCMP(\"abc\",arg1)", "a0=\"abcdef\"", PASSES),
	FILTERED("STRCMP(\"abc\",arg1)", "a0=\"abd\"", ""),
	FILTERED("STRCMP(\"abcdefghij\",arg1)", "a0=\"abcdefghi\"", ""),
	FILTERED("!STRCMP(\"abc\",arg1)&&$tid==7", "a0=\"x\"", PASSES),
	FILTERED("STRCMP(\"abc\",arg1)", "a0=fault", "", .strings = 1),
};

static const struct program_row texts_rows[] = {
	JSON("a text", "trace do_sys_openat2\t\"open\t%s\",arg2",
	     "task 7 5 a\n1000 0 7 p:do_sys_openat2 a0=\"/etc/passwd\"\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"do_sys_openat2\",\"message\":"
	     "\"open\\t/etc/passwd\",\"value1\":\"/etc/passwd\"}\n"),
	JSON("a text that can't be read", "trace do_sys_openat2\t\"%s\",arg2",
	     "task 7 5 a\n1000 0 7 p:do_sys_openat2 a0=fault\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"do_sys_openat2\",\"message\":"
	     "\"(fault)\",\"value1\":null}\n", .strings = 1),
	JSON("a text that is cut", "trace -Z 4 do_sys_openat2\t\"%s|\",arg2",
	     "task 7 5 a\n1000 0 7 p:do_sys_openat2 a0=\"abcdef\"\n"
	     "1001 0 7 p:do_sys_openat2 a0=\"abcd\"\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"do_sys_openat2\",\"message\":"
	     "\"abcd...|\",\"value1\":\"abcd\",\"value1_cut\":true}\n"
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"do_sys_openat2\",\"message\":"
	     "\"abcd|\",\"value1\":\"abcd\"}\n"),
	TEXT("widths, and several questions",
	     "trace -C vfs_read\t\"%5d|%-5u|%#x|%c|%p|%6s|%%\",arg1,arg1,arg1,arg1,arg1,$comm "
	     "r:vfs_read\t\"%d\",retval",
	     "task 7 5 ab\n1000 0 7 p:vfs_read a0=65\n1001 1 7 r:vfs_read a0=4294967294\n",
	     "CPU PID     TID     COMM            FUNC             -\n"
	     "0   5       7       ab              vfs_read         "
	     "   65|65   |0x41|A|0x41|    ab|%\n"
	     "1   5       7       ab              vfs_read         -2\n"),
	TEXT("lengths", "trace vfs_read\t\"%hhd|%hu|%ld|%lld|%jd|%zd|%td|%qd|%tx\",arg1,arg1,arg1,"
	     "arg1,arg1,arg1,arg1,arg1,arg1",
	     "task 7 5 ab\n1000 0 7 p:vfs_read a0=18446744073709486079\n",
	     "PID     TID     COMM            FUNC             -\n"
	     "5       7       ab              vfs_read         "
	     "-1|65535|-65537|-65537|-65537|-65537|-65537|-65537|fffffffffffeffff\n"),
	TEXT("files of symbols, which are not needed", "trace -s a,b vfs_read",
	     "task 7 5 ab\n1000 0 7 p:vfs_read\n",
	     "PID     TID     COMM            FUNC\n"
	     "5       7       ab              vfs_read\n"),
	TEXT("without a format", "trace vfs_read", "task 7 5 ab\n1000 0 7 p:vfs_read\n",
	     "PID     TID     COMM            FUNC\n"
	     "5       7       ab              vfs_read\n"),
	JSON("a tracepoint's fields",
	     "trace t:block:block_rq_issue\t(args->nr_sector==7)\t\"%s\t%d\","
	     "args->comm,args->bytes",
	     "task 7 5 a\n1000 0 7 block:block_rq_issue a0=7 a1=\"work\" a2=120\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"block_rq_issue\",\"message\":"
	     "\"work\\t120\",\"value1\":\"work\",\"value2\":120}\n"),
	JSON("a tracepoint's own text, which has a name of somebody's in it",
	     "trace t:sched:sched_switch",
	     "task 7 5 a\n1000 0 7 sched:sched_switch x "
	     "3a01000007000000611b00000000000000000000000000000700000078000000"
	     "0001000000000000620000000000000000000000000000000800000064000000\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"sched_switch\",\"message\":"
	     "\"prev_comm=a\\u001b prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=b "
	     "next_pid=8 next_prio=100\"}\n"),
	JSON("a system call by an old name", "trace SyS_read(int\tfd,char*b,size_t\tn)\t(n>20000)"
	     "\t\"%d\t%lu\",fd,n",
	     "task 7 5 a\n1000 0 7 p:__x64_sys_read a0=20001 a1=18446744073709551615\n"
	     "1001 0 7 p:__x64_sys_read a0=20000 a1=3\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"SyS_read\",\"message\":"
	     "\"-1\\t20001\",\"value1\":-1,\"value2\":20001}\n"),
	JSON("a message that is wanted", "trace -f b vfs_read\t\"%c\",arg1",
	     "task 7 5 a\n1000 0 7 p:vfs_read a0=97\n1001 0 7 p:vfs_read a0=98\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"vfs_read\",\"message\":\"b\","
	     "\"value1\":98}\n"),
	JSON("no more than two", "trace -M 2 vfs_read",
	     "task 7 5 a\n1000 0 7 p:vfs_read\n1001 0 7 p:vfs_read\n1002 0 7 p:vfs_read\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"vfs_read\"}\n"
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"vfs_read\"}\n"),
	JSON("arguments on the stack", "trace vfs_read\t(arg7==8)\t\"%d\t%d\",arg7,arg12",
	     "task 7 5 a\n1000 0 7 p:vfs_read a0=8 a1=4294967295\n1001 0 7 p:vfs_read a0=9 a1=2\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"vfs_read\",\"message\":\"8\\t-1\","
	     "\"value1\":8,\"value2\":-1}\n"),
	JSON("a place within a function", "trace vfs_read+0x1f\t\"%d\",$tid",
	     "task 7 5 a\n1000 0 7 p:vfs_read\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"vfs_read+0x1f\",\"message\":\"7\","
	     "\"value1\":7}\n"),
	TEXT("rows that are alike", "trace -A -M 4 vfs_read\t\"%d\",arg1",
	     "task 7 5 a\n1000 0 7 p:vfs_read a0=1\n1001 0 7 p:vfs_read a0=2\n"
	     "1002 1 7 p:vfs_read a0=2\n1003 0 7 p:vfs_read a0=3\n1004 0 7 p:vfs_read a0=3\n",
	     "PID     TID     COMM            FUNC             -\n"
	     "5       7       a               vfs_read         2\n-->COUNT 2\n\n"
	     "5       7       a               vfs_read         1\n-->COUNT 1\n\n"
	     "5       7       a               vfs_read         3\n-->COUNT 1\n\n"),
	JSON("the same for machines", "trace -A -M 2 vfs_read\t\"%s\t%d\",$comm,arg1",
	     "task 7 5 a\n1000 0 7 p:vfs_read a1=1\n1001 0 7 p:vfs_read a1=1\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"vfs_read\",\"message\":\"a\\t1\","
	     "\"count\":2,\"value1\":\"a\",\"value2\":1}\n"),
	JSON("of user space", "trace r:bash:readline\t\"%s\",retval",
	     "task 7 5 a\n1000 0 7 r:readline a0=\"ls\"\n",
	     "{\"pid\":5,\"tid\":7,\"comm\":\"a\",\"func\":\"readline\",\"message\":\"ls\","
	     "\"value1\":\"ls\"}\n"),
};

#define ROW(COUNT, EVENT, VALUES) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"spec\":\"s\",\"count\":" COUNT \
	",\"event\":\"" EVENT "\"" VALUES "}\n"
#define SUMS(COUNT, EVENT, SUMS, VALUES) \
	"{\"time\":\"1970-01-01T00:00:00.000000Z\",\"spec\":\"s\",\"count\":" COUNT \
	",\"event\":\"" EVENT "\"," SUMS VALUES "}\n"
#define HIST(UNIT, SLOTS) \
	"{\"histogram\":\"distribution\",\"unit\":\"" UNIT \
	"\",\"time\":\"1970-01-01T00:00:00.000000Z\",\"spec\":\"s\",\"slots\":[" SLOTS "]}\n"
#define SLOT(LOW, HIGH, N)	"{\"low\":" LOW ",\"high\":" HIGH ",\"count\":" N "}"

static const struct program_row argdist_rows[] = {
	JSON("by one value", "argdist -C p::vfs_read(int\tfd):int:fd#s",
	     "1000 0 7 p:vfs_read a0=3\n1001 0 7 p:vfs_read a0=4294967295\n"
	     "1002 0 7 p:vfs_read a0=3\n",
	     ROW("1", "fd = -1", ",\"value1\":-1") ROW("2", "fd = 3", ",\"value1\":3")),
	JSON("by two values and a filter",
	     "argdist -C p::vfs_read(int\tfd,u64\tn):u64,bool:fd/2,n>8:fd>0#s",
	     "1000 0 7 p:vfs_read a0=3 a1=9\n1001 0 7 p:vfs_read a0=3 a1=8\n"
	     "1002 0 7 p:vfs_read a0=0 a1=8\n1003 0 7 p:vfs_read a0=1 a1=2\n",
	     ROW("1", "fd/2 = 0, n>8 = 0", ",\"value1\":0,\"value2\":0")
	     ROW("1", "fd/2 = 1, n>8 = 0", ",\"value1\":1,\"value2\":0")
	     ROW("1", "fd/2 = 1, n>8 = 1", ",\"value1\":1,\"value2\":1")),
	JSON("texts", "argdist -C r:c:gets():char*:(char*)$retval#s",
	     "1000 0 7 r:gets a0=\"ab\"\n1001 0 7 r:gets a0=\"abc\"\n1002 0 7 r:gets a0=\"ab\"\n"
	     "1003 0 7 r:gets a0=fault\n",
	     ROW("1", "(char*)$retval = abc", ",\"value1\":\"abc\"")
	     ROW("1", "(char*)$retval = (fault)", ",\"value1\":null")
	     ROW("2", "(char*)$retval = ab", ",\"value1\":\"ab\""), .strings = 1),
	JSON("how often", "argdist -C p::vfs_read()#s",
	     "1000 0 7 p:vfs_read\n1001 0 7 p:vfs_read\n", ROW("2", "total calls", "")),
	JSON("what is returned", "argdist -C r::vfs_read()#s",
	     "1000 0 7 r:vfs_read a0=4294967294\n",
	     ROW("1", "retval = -2", ",\"value1\":-2")),
	JSON("the largest", "argdist -T 1 -C p::vfs_read(int\tfd):int:fd#s",
	     "1000 0 7 p:vfs_read a0=3\n1001 0 7 p:vfs_read a0=4\n1002 0 7 p:vfs_read a0=3\n",
	     ROW("2", "fd = 3", ",\"value1\":3")),
	JSON("a histogram", "argdist -H p::vfs_read(int\tfd):int:fd*2#s",
	     "1000 0 7 p:vfs_read a0=3\n1001 0 7 p:vfs_read a0=50\n1002 0 7 p:vfs_read a0=3\n"
	     "1003 0 7 p:vfs_read a0=4294967295\n",
	     HIST("fd*2", SLOT("6", "6", "2") "," SLOT("96", "103", "1"))),
	JSON("how long calls take, within each other",
	     "argdist -C r::vfs_read():u64,int:$latency/10,$retval:$latency>3#s",
	     "task 7 5 a\ntask 8 5 b\n"
	     "1000 0 7 p:vfs_read sp=96\n1002 0 7 p:vfs_read sp=64\n"
	     "1005 0 7 r:vfs_read sp=72 a0=1\n1040 0 7 r:vfs_read sp=104 a0=2\n"
	     "1050 0 7 r:vfs_read sp=104 a0=3\n1060 0 8 p:vfs_read sp=200\n"
	     "1061 0 7 r:vfs_read sp=208 a0=3\n1080 0 8 r:vfs_read sp=208 a0=4\n",
	     ROW("1", "$latency/10 = 4, $retval = 2", ",\"value1\":4,\"value2\":2")),
	JSON("what calls were handed, within each other",
	     "argdist -C r::vfs_read(u64\ta,int\tb):u64,int,u64:$entry(a)+$retval,$entry(b),"
	     "$latency:$entry(b)!=-9#s",
	     "task 7 5 a\ntask 8 5 b\n"
	     "1000 0 7 p:vfs_read sp=96 a0=10 a1=4294967295\n"
	     "1002 0 7 p:vfs_read sp=64 a0=20 a1=2\n"
	     "1003 0 7 p:vfs_read sp=32 a0=30 a1=4294967287\n"
	     "1004 0 7 r:vfs_read sp=40 a0=1\n"
	     "1005 0 7 r:vfs_read sp=72 a0=1\n1040 0 7 r:vfs_read sp=104 a0=2\n"
	     "1050 0 7 r:vfs_read sp=104 a0=3\n1060 0 8 p:vfs_read sp=200 a0=1 a1=1\n"
	     "1061 0 7 r:vfs_read sp=208 a0=3\n",
	     ROW("1", "$entry(a)+$retval = 12, $entry(b) = -1, $latency = 40",
		 ",\"value1\":12,\"value2\":-1,\"value3\":40")
	     ROW("1", "$entry(a)+$retval = 21, $entry(b) = 2, $latency = 3",
		 ",\"value1\":21,\"value2\":2,\"value3\":3")),
	JSON("bcc's names of the task", "argdist -C p::vfs_read():u32,char*:$PID,$COMM#s",
	     "task 7 5 a\n1000 0 7 p:vfs_read\n",
	     ROW("1", "$PID = 5, $COMM = a", ",\"value1\":5,\"value2\":\"a\"")),
	JSON("how long system calls take", "argdist -H r::sys_read():u64:$latency#s",
	     "task 7 5 a\n1000 0 7 p:__x64_sys_read sp=96\n1005 0 7 r:__x64_sys_read sp=104\n",
	     HIST("$latency", SLOT("5", "5", "1"))),
	JSON("sums", "argdist -A r::vfs_read()#s",
	     "1000 0 7 r:vfs_read a0=4294967294\n1001 1 7 r:vfs_read a0=7\n"
	     "1002 0 7 r:vfs_read a0=0\n1003 1 7 r:vfs_read a0=0\n",
	     SUMS("4", "total calls",
		  "\"average\":1.25,\"min\":-2,\"max\":7,\"total\":5", "")),
	JSON("sums by two values, one of which has none, and a value that has none",
	     "argdist -A p::vfs_read(u64\ta,u64\tb,u64\tc):u64,u64,int:6/a,b,b/c#s",
	     "1000 0 7 p:vfs_read a0=2 a1=1 a2=1\n1001 1 7 p:vfs_read a0=1 a1=1 a2=1\n"
	     "1002 2 7 p:vfs_read a0=0 a1=1 a2=1\n1003 3 7 p:vfs_read a0=3 a1=1 a2=0\n",
	     SUMS("1", "b = 1, b/c = (fault)",
		  "\"average\":2.00,\"min\":2,\"max\":2,\"total\":2",
		  ",\"value1\":1,\"value2\":null")
	     SUMS("2", "b = 1, b/c = 1",
		  "\"average\":4.50,\"min\":3,\"max\":6,\"total\":9",
		  ",\"value1\":1,\"value2\":1")),
	JSON("sums that take more than 64 bits", "argdist -A p::vfs_read(u64\ta):u64:a#s",
	     "1000 0 7 p:vfs_read a0=18446744073709551615\n"
	     "1001 1 7 p:vfs_read a0=18446744073709551615\n"
	     "1002 1 7 p:vfs_read a0=18446744073709551612\n",
	     SUMS("3", "total calls",
		  "\"average\":18446744073709551614.00,\"min\":18446744073709551612,"
		  "\"max\":18446744073709551615,\"total\":55340232221128654842", "")),
	TEXT("sums for people", "argdist -T 1 -A p::vfs_read(int\ta,int\tb):int,int:a,b#s",
	     "1000 0 7 p:vfs_read a0=3 a1=1\n1001 1 7 p:vfs_read a0=4294967295 a1=1\n"
	     "1002 1 7 p:vfs_read a0=9 a1=2\n",
	     "[00:00:00]\ns\n"
	     "    COUNT      AVERAGE        MIN        MAX        TOTAL          EVENT\n"
	     "    2          1.00           -1         3          2              b = 1\n"),
	JSON("several specs of one probe, of which one has no value",
	     "argdist -C p::vfs_read(u64\ta,u64\tb):u64,u64:a/b,a:a>1#s "
	     "-H p::vfs_read(u64\ta,u64\tb):u64:a/b:a>1#s "
	     "-H p::vfs_read(u64\ta,u64\tb):u64:b+1:\ta>1\t#s",
	     "1000 0 7 p:vfs_read a0=9 a1=3\n1001 0 7 p:vfs_read a0=2 a1=0\n"
	     "1002 0 7 p:vfs_read a0=1 a1=1\n",
	     ROW("1", "a/b = 3, a = 9", ",\"value1\":3,\"value2\":9")
	     ROW("1", "a/b = (fault), a = 2", ",\"value1\":null,\"value2\":2")
	     HIST("a/b", SLOT("3", "3", "1"))
	     HIST("b+1", SLOT("1", "1", "1") "," SLOT("4", "4", "1"))),
	JSON("a count and a histogram",
	     "argdist -C t:block:block_rq_issue():u32:args->bytes#s "
	     "-H t:block:block_rq_issue():u32:args->bytes#s",
	     "1000 0 7 block:block_rq_issue a0=5\n",
	     ROW("1", "args->bytes = 5", ",\"value1\":5") HIST("args->bytes", SLOT("5", "5", "1"))),
};

/* Specs of one probe and filter are statements of one program: how many there are. */
static const struct {
	const char *command;
	unsigned int programs;
} joined[] = {
	{ "argdist -C p::vfs_read(u64\ta):u64:a -C p::vfs_read(u64\ta):u64:a/2", 1 },
	{ "argdist -C p::vfs_read(u64\ta):u64:a:a>2 -C p::vfs_read(u64\ta):u64:a/2:\ta>2\t#x", 1 },
	{ "argdist -C p::vfs_read(u64\ta):u64:a:a>2 -C p::vfs_read(u64\ta):u64:a:a>3", 2 },
	{ "argdist -C p::vfs_read(u64\ta):u64:a -C p::vfs_read(u64\ta):u64:a:a>3", 2 },
	{ "argdist -C p::vfs_read(u64\ta):u64:a -C p::vfs_read(u64\tb):u64:b", 2 },
	{ "argdist -C p::vfs_read() -C p::vfs_read(u64\tb):u64:b", 2 },
	{ "argdist -C p::vfs_read() -C p::vfs_write()", 2 },
	{ "argdist -C r::vfs_read() -H r::vfs_read()", 1 },
	{ "argdist -C r::vfs_read():u64:$latency -H r::vfs_read():u64:$latency", 4 },
	{ "argdist -C r::vfs_read() -H r::vfs_read():u64:$latency", 3 },
	/* A program has eight of them at most. */
	{ "argdist -C p::vfs_read() -C p::vfs_read() -C p::vfs_read() -C p::vfs_read() "
	  "-C p::vfs_read() -C p::vfs_read() -C p::vfs_read() -C p::vfs_read() "
	  "-C p::vfs_read()", 2 },
};

START_TEST(joins)
{
	struct trial t;
	unsigned int n = 0;

	ck_assert_msg(!trial_start(&t, joined[_i].command, trial_kernel("6.1")), "%s",
		      t.err.text);
	for (const struct program *p = t.run.programs->programs; p->hook; p++)
		n++;
	ck_assert_msg(n == joined[_i].programs, "%s: %u programs", joined[_i].command, n);
	trial_end(&t);
}
END_TEST

/* Mistakes: what is said, and where the caret is. */
static const struct {
	const char *question, *message, *caret;
} mistakes[] = {
	{ "vfs_read\t\"%d\"", "there is no value for this", "\n            ^" },
	{ "vfs_read\t\"%d\",", "the expression ends where a value belongs", NULL },
	{ "vfs_read\t\"%d\",arg1,arg2", "the format shows no more values", NULL },
	{ "vfs_read\t\"%d\",foo", "there is no `foo`", "\n                ^" },
	{ "vfs_read\t\"%d\",retval", "only a return has a value: r:vfs_read", NULL },
	{ "r:vfs_read\t\"%d\",arg1", "arguments are gone when the function returns", NULL },
	{ "vfs_read\t\"%d\",arg13", "arguments are arg1 to arg12", NULL },
	{ "sys_read\t\"%d\",arg7", "six arguments at most", NULL },
	{ "vfs_read\t\"%d\",args->x", "only tracepoints have args", NULL },
	{ "vfs_read\t\"%d\",$foo", "there is no $foo; there are $pid", NULL },
	{ "vfs_read\t\"%d\",$tgdi", "there is no $tgdi; did you mean $tgid?", NULL },
	{ "vfs_read\t(strcmp(\"a\",arg1))", "there is no function `strcmp`; did you mean STRCMP?",
	  "\n            ^" },
	{ "vfs_read\t\"%d\",ofsetof(struct\tpollfd,fd)", "did you mean offsetof?", NULL },
	{ "vfs_read\t\"%d\",1+foo(3)",
	  "there is no function `foo`; there are $entry, sizeof, offsetof, STRCMP", NULL },
	{ "vfs_read\t\"%d\",offsetof(foo,x)",
	  "offsetof(TYPE, MEMBER): no type is here that is known", NULL },
	{ "vfs_read\t(STRCMP(\"a\"))", "',' is missing here", NULL },
	{ "vfs_read\t\"%d\",$comm", "$comm is a string", NULL },
	{ "vfs_read\t\"%d\",1/0", "this divides by 0", NULL },
	{ "vfs_read\t\"%d\",1<<40", "C does not define a shift by 40 bits", NULL },
	{ "vfs_read\t(arg1<0)", "unsigned, never below 0", NULL },
	{ "r:vfs_read\t(retval<0)", "unsigned, never below 0", NULL },
	{ "vfs_read\t\"%d\",\"abc\"[4]", "from 0 to 3", NULL },
	{ "vfs_read\t\"%d\",\"abc\"[arg1]", "from 0 to 3", NULL },
	{ "vfs_read\t\"%d\",(u32*)arg1-(u64*)arg2", "point to different types", NULL },
	{ "vfs_read\t\"%d\",(u32*)arg1+(u32*)arg2", "subtracted from each other", NULL },
	{ "vfs_read\t\"%d\",offsetof(struct\tpollfd,x)", "has no x", NULL },
	{ "vfs_read\t\"%d\",offsetof(struct\tpollfd,fd->x)", "')' is missing", NULL },
	{ "vfs_read\t\"%lhd\",1", "a format has", NULL },
	{ "vfs_read\t(arg1", "the filter's ')' is missing", NULL },
	{ "vfs_read\t\"%d\",(arg1", "')' is missing here", NULL },
	{ "vfs_read\t\"%d\",arg1+", "the expression ends", NULL },
	{ "vfs_read\t\"%d\",arg1\targ2", "this belongs to nothing", NULL },
	{ "vfs_read\t\"%d\",1.5", "numbers are integers", NULL },
	{ "vfs_read\t\"%d\",0x", "has no digits", NULL },
	{ "vfs_read\t\"%d\",12ab", "can't go on with 'a'", NULL },
	{ "vfs_read\t\"%d\",99999999999999999999", "more than 64 bits", NULL },
	{ "vfs_read\t\"%y\",1", "a format has", NULL },
	{ "vfs_read\t\"%d", "does not end", NULL },
	{ "vfs_read\t\"\\q\"", "no escape of C", NULL },
	{ "vfs_read\t\"%s\",\"x\"", "this string is known already", NULL },
	{ "vfs_read\t\"%s\",(int)arg1", "no address of a string", NULL },
	{ "vfs_read\t\"%d\",*arg1", "this is no pointer", NULL },
	{ "vfs_read\t\"%d\",&arg1", "can't be taken", NULL },
	{ "vfs_read(struct\tfile*f)\t\"%d\",f->f_pos", "offset of file.f_pos is not known", NULL },
	{ "vfs_read(struct\tfoo*f)\t\"%d\",f->x", "members of struct foo are not known", NULL },
	{ "vfs_read\t\"%d\",sk->x", "`sk` has no type here: give a signature with the arguments "
	  "up to it, `vfs_read(struct NAME *sk)` if it is the first", NULL },
	{ "vfs_read\t\"%d\",$task->pid", "not among the members that are found", NULL },
	{ "vfs_read(struct\tfile*f)\t\"%d\",f.f_pos", "behind a pointer write ->", NULL },
	{ "vfs_read(struct\tfile*f)\t\"%d\",f->f_path->dentry", "write . before", NULL },
	{ "vfs_read(struct\tfile*f)\t\"%d\",f->f_path", "this is struct", NULL },
	{ "-I /none vfs_read", "/none: No such file", NULL },
	{ "--btf /dev/null vfs_read", "--btf /dev/null: this is no regular file", NULL },
	{ "--btf /proc/version vfs_read", "--btf /proc/version: the file is not type information",
	  NULL },
	{ "vfs_read\t\"%d\",arg1->x", "no type that has members", NULL },
	{ "vfs_read(struct\ttimespec*t)\t\"%d\",t->x", "has no x", NULL },
	{ "vfs_read(foo\tx)\t\"%d\",x", "no type that is known here", NULL },
	{ "vfs_read(int)\t\"%d\",1", "the parameter's name", NULL },
	{ "vfs_read+4x\t\"%d\",1", "an offset is a number", "\n          ^" },
	{ "vfs_read+4\t\"%d\",arg1", "other values than its arguments", NULL },
	{ "r:vfs_read+4", "only calls of functions have an offset", NULL },
	{ "vfs_r*+4", "an offset belongs to one function", NULL },
	{ "sys_read+4", "needs the function's own name", NULL },
	{ "-A vfs_read", "add -M N", NULL },
	{ "-A -M 2 -T vfs_read", "no two rows are alike", NULL },
	{ "-I linux/fs.h vfs_read", "-I linux/fs.h: there is no such file here, and this kernel "
	  "has no BTF", NULL },
	{ "vfs_read\t\"%d\",GFP_ATOMIC",
	  "no number `GFP_ATOMIC` is known: write it as digits", NULL },
	{ "vfs_read(struct\tfile*f,char*b)\t\"%d\",c", "there is no `c`; the signature has f, b",
	  NULL },
	{ "r:vfs_read\t\"%d\",sk->x", "a return has retval, and no arguments", NULL },
	{ "vfs_read+4\t\"%d\",sk->x", "no arguments are known", NULL },
	{ "vfs_*\t\"%d\",sk->x", "there is no `sk` here", NULL },
	{ "c:malloc\t\"%d\",ctx->x", "`c:malloc(struct NAME *ctx)` if it is the first", NULL },
	{ "-B vfs_read\t(STRCMP(\"{1,300}\",arg1))", "bytes are numbers up to 255", NULL },
	{ "-B vfs_read\t(STRCMP(\"{1,}\",arg1))", "bytes are numbers up to 255", NULL },
	{ "t:sched:sched_process_exit\t\"%d\",args->foo", "has no field foo", NULL },
	{ "t:sched:sched_process_exit\t\"%d\",args->comm", "a string, not a number", NULL },
	{ "t:sched:sched_process_exit\t\"%s\",args->prio", "no address of a string", NULL },
	{ "t:sched:sched_process_exit\t\"%S\",args->prio", "%S shows structs", NULL },
	{ "t:sched:sched_process_exit\t\"%d\",arg1", "fields, not arguments", NULL },
	{ "u:pthread:pthread_create", "a snapshot has no files", NULL },
	{ "u:pthread_create", "names no probe (USDT)", NULL },
	{ "@argdist -C p::vfs_read", "'(' is missing", NULL },
	{ "@argdist -C p::vfs_read():int", "the values are missing", NULL },
	{ "@argdist -C p::vfs_read():int,int:arg1", "there are 2 types", NULL },
	{ "@argdist -C p::vfs_read():foo:arg1", "no type of C", NULL },
	{ "@argdist -C p::vfs_read():int:arg1:arg2:arg3", "this belongs to nothing", NULL },
	{ "@argdist -A p::vfs_read()", "sums are of a value", NULL },
	{ "@argdist -A p::vfs_read(char*s):char*,int:s,1", "the first value is summed up", NULL },
	{ "@argdist --csv -A r::vfs_read() -C r::vfs_read()",
	  "with --csv, one of -C, -H and -A", NULL },
	{ "@argdist -H p::vfs_read()", "a histogram is of a value", NULL },
	{ "@argdist -H p::vfs_read():int,int:arg1,arg2", "a histogram is of one number", NULL },
	{ "@argdist -H p::vfs_read():u64:$entry(arg1)", "$entry is of argdist's returns", NULL },
	{ "@argdist -H r::vfs_read():u64:$entry(n)", "there is no `n`", NULL },
	{ "@argdist -H r::vfs_read():u64:$entry(retval)", "only a return has a value", NULL },
	{ "@argdist -C r::vfs_read():char*:$entry($comm)", "$COMM is the same", "\n  " },
	{ "@argdist -C r::vfs_read():char*:$entry(\"x\")", "this string is known", NULL },
	{ "vfs_read\t\"%d\",$entry(arg1)", "$entry is of argdist's returns", NULL },
	{ "@argdist -H p::vfs_read():u64:$latency", "only a return tells how long", NULL },
	{ "vfs_raed", "did you mean 'vfs_read'", NULL },
	{ "vfs_read\t(STRCMP(arg1,arg2))", "a string in quotes", NULL },
	{ "-Z 200 vfs_read\t\"%s%s%s\",arg1,arg2,arg3", "a program has 480", NULL },
};

START_TEST(mistake)
{
	struct trial t;
	char command[256];

	if (mistakes[_i].question[0] == '@')
		snprintf(command, sizeof(command), "%s", mistakes[_i].question + 1);
	else
		snprintf(command, sizeof(command), "trace %s", mistakes[_i].question);
	ck_assert_msg(trial_start(&t, command, trial_kernel("6.1")), "accepted: %s", command);
	ck_assert_msg(strstr(t.err.text, mistakes[_i].message) != NULL, "%s: %s", command,
		      t.err.text);
	ck_assert_msg(!mistakes[_i].caret || strstr(t.err.text, mistakes[_i].caret) != NULL,
		      "%s: %s", command, t.err.text);
	trial_end(&t);
}
END_TEST

#define TOOLS(TOOL) TOOL(values) TOOL(texts) TOOL(argdist)
TOOLS(ROWS_TEST)

Suite *suite_lang(void);
Suite *suite_lang(void)
{
	Suite *s = suite_create("lang");

	TOOLS(ROWS_ADD)
	add_tests(s, "joins", joins, COUNT_OF(joined));
	add_tests(s, "mistakes", mistake, COUNT_OF(mistakes));
	return s;
}
