// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts in bpftrace's language: their output of canned records. A blank in a script is a tab
 * here, because blanks are between words of the command.
 */
#include "tests/unit/rows/program_rows.h"
#include "tests/unit/unit.h"

#define CALLS(...) "task 7 5 cat\n" __VA_ARGS__
/* A call of vfs_read() with the argument a0. */
#define CALL(TIME, A0) #TIME " 0 7 p:vfs_read a0=" #A0 "\n"
#define STACKED(TIME, VALUE) \
	#TIME " 0 7 p:vfs_read" VALUE " kernel_stack=0xa,0xb user_stack=0x1,0x2\n"
#define SCRIPT(WHAT, PROGRAM, RECORDS, PRINTS, ...) \
	TEXT(WHAT, "bt -q -e " PROGRAM, RECORDS, PRINTS, __VA_ARGS__)
#define NO_VALUES "1000 0 7 p:vfs_read\n"
/* One value of one call; one that does not need the call's argument. */
#define VALUE(EXPRESSION, A0, PRINTED) \
	SCRIPT(EXPRESSION, "k:vfs_read{print(" EXPRESSION ")}", CALLS(CALL(1000, A0)), \
	       PRINTED "\n\n\n")

#define ALONE(EXPRESSION, PRINTED) \
	SCRIPT(EXPRESSION, "k:vfs_read{print(" EXPRESSION ")}", CALLS(NO_VALUES), \
	       PRINTED "\n\n\n")

#define D5 "%d-%d-%d-%d-%d-"
#define X20 "xxxxxxxxxxxxxxxxxxxx"
#define X100 X20 X20 X20 X20 X20
#define X600 X100 X100 X100 X100 X100 X100

static const struct program_row bt_rows[] = {
	VALUE("arg0", 5, "5"),
	VALUE("arg0", 18446744073709551615, "-1"),
	VALUE("arg0*2+1", 5, "11"),
	VALUE("(uint8)arg0", 511, "255"),
	VALUE("(int32)arg0", 4294967295, "-1"),
	ALONE("1<<40", "1099511627776"),
	ALONE("-7/2", "-3"),
	VALUE("arg0/2", 18446744073709551609, "-3"),
	VALUE("arg0>>1", 18446744073709551608, "-4"),
	VALUE("arg0<3", 18446744073709551615, "true"),
	ALONE("1e6+1_000", "1001000"),
	ALONE("5ms", "5000000"),
	VALUE("arg0?7:8", 1, "7"),
	ALONE("pid+tid", "12"),
	ALONE("comm==\"cat\"", "true"),
	ALONE("comm==\"ca\"", "false"),
	ALONE("comm!=\"cats\"", "true"),
	ALONE("(comm==\"cat\")+1", "2"),
	ALONE("(true,!pid,1==1?false:true)", "(true, false, false)"),
	ALONE("pid?:7", "5"),
	ALONE("0?:7", "7"),
	ALONE("comm", "cat"),
	ALONE("probe", "kprobe:vfs_read"),
	ALONE("func", "vfs_read"),
	ALONE("\"a\"", "a"),
	SCRIPT("formats", "k:vfs_read{printf(\"%d|%5u|%-5d|%x|%ld|%s|%6s|%-6s|%s|%%\\n\",arg0,"
	       "arg0,arg0,arg0,arg0,comm,comm,comm,arg0)}",
	       CALLS(CALL(1000, 4294967295)),
	       "-1|4294967295|-1   |ffffffff|4294967295|cat|   cat|cat   |4294967295|%\n\n\n"),
	SCRIPT("a pointer that a loop moves, and one that it does not", "struct\ts{int\ta;}"
	       "k:vfs_read{$p=(struct\ts*)arg0;$q=(struct\ts*)arg0;$i=0;"
	       "while($i<2){printf(\"%d:%d\\n\",(int64)$p,(int64)$q);$p=(struct\ts*)7;$i++}}",
	       CALLS(CALL(1000, 5)), "5:5\n7:5\n\n\n"),
	SCRIPT("a pointer that a branch gives", "struct\ts{int\ta;}"
	       "k:vfs_read{if(arg0>5){$p=(struct\ts*)arg0}printf(\"%d\\n\",(int64)$p)}",
	       CALLS(CALL(1000, 5) CALL(1001, 6)), "0\n6\n\n\n"),
	SCRIPT("a pointer that the predicate gives", "struct\ts{int\ta;}"
	       "k:vfs_read\t/arg0<6||{$p=(struct\ts*)arg0;$p!=0}/{printf(\"%d\\n\",(int64)$p)}",
	       CALLS(CALL(1000, 5) CALL(1001, 6)), "0\n6\n\n\n"),
	SCRIPT("counts of numbers that the script tells",
	       "k:vfs_read{@[7]=count();@[2591]=count();@[-1]=count()}",
	       CALLS(NO_VALUES NO_VALUES),
	       "\n\n@[-1]: 2\n@[7]: 2\n@[2591]: 2\n"),
	SCRIPT("a long text of time()", "k:vfs_read{time(\"" X600 "%%\\n\")}", CALLS(NO_VALUES),
	       X600 "%\n\n\n"),
	SCRIPT("a name with a letter that moves the cursor", "k:vfs_read{printf(\"%s\\n\",comm)}",
	       "task 7 5 a\033\n" NO_VALUES, "a\\x1b\n\n\n"),
	SCRIPT("counts, which are sorted by value, then by key",
	       "k:vfs_read{@[arg0,comm]=count()}",
	       CALLS(CALL(1000, 2) CALL(1001, 9) CALL(1002, 2) CALL(1003, 1)),
	       "\n\n@[1, cat]: 1\n@[9, cat]: 1\n@[2, cat]: 2\n"),
	SCRIPT("functions of maps", "k:vfs_read{@a=sum(arg0);@b=min(arg0);@c=max(arg0);"
	       "@d=avg(arg0);@e=stats(arg0);@f=count()}",
	       CALLS(CALL(1000, 18446744073709551611) CALL(1001, 2)),
	       "\n\n@a: -3\n@b: -5\n@c: 2\n@d: -1\n"
	       "@e: { .count = 2, .average = -1, .total = -3 }\n@f: 2\n"),
	SCRIPT("a histogram", "k:vfs_read{@=hist(arg0)}",
	       CALLS(CALL(1000, 18446744073709551611) CALL(1001, 0) CALL(1002, 1) CALL(1003, 3)
		     CALL(1004, 3) CALL(1005, 1024)),
	       "\n\n@:\n"
	       "(..., 0)               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
	       "[0]                    1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
	       "[1]                    1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
	       "[2, 4)                 2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "[4, 8)                 0 |                                                    |\n"
	       "[8, 16)                0 |                                                    |\n"
	       "[16, 32)               0 |                                                    |\n"
	       "[32, 64)               0 |                                                    |\n"
	       "[64, 128)              0 |                                                    |\n"
	       "[128, 256)             0 |                                                    |\n"
	       "[256, 512)             0 |                                                    |\n"
	       "[512, 1K)              0 |                                                    |\n"
	       "[1K, 2K)               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
	       "\n"),
	SCRIPT("a linear histogram by key", "k:vfs_read{@h[comm]=lhist(arg0,0,30,10)}",
	       CALLS(CALL(1000, 18446744073709551611) CALL(1001, 9) CALL(1002, 20) CALL(1003, 30)),
	       "\n\n@h[cat]:\n"
	       "(..., 0)               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "[0, 10)                1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "[10, 20)               0 |                                                    |\n"
	       "[20, 30)               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "[30, ...)              1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "\n"),
	SCRIPT("several rows for each power of two", "k:vfs_read{@=hist(arg0,2)}",
	       CALLS(CALL(1000, 18446744073709551611) CALL(1001, 3) CALL(1002, 4) CALL(1003, 6)
		     CALL(1004, 8) CALL(1005, 9) CALL(1006, 10)),
	       "\n\n@:\n"
	       "(..., 0)               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
	       "[0]                    0 |                                                    |\n"
	       "[1]                    0 |                                                    |\n"
	       "[2]                    0 |                                                    |\n"
	       "[3]                    1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
	       "[4]                    1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
	       "[5]                    0 |                                                    |\n"
	       "[6]                    1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
	       "[7]                    0 |                                                    |\n"
	       "[8, 10)                2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "[10, 12)               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@                          |\n"
	       "\n"),
	SCRIPT("large rows", "k:vfs_read{@=hist(arg0,3)}", CALLS(CALL(1000, 1152) CALL(1001, 1279)),
	       "\n\n@:\n"
	       "[1152, 1280)           2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "\n"),
	SCRIPT("steps of one", "k:vfs_read{@=lhist(arg0,0,2,1)}", CALLS(CALL(1000, 1)),
	       "\n\n@:\n"
	       "[1]                    1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	       "\n"),
	SCRIPT("a map that is read", "k:vfs_read{if(@last[tid]){print(arg0-@last[tid]);"
	       "delete(@last,tid)}else{@last[tid]=arg0}}",
	       CALLS("1000 0 7 p:vfs_read a1=4\n1001 0 7 p:vfs_read a1=9\n"),
	       "5\n\n\n"),
	SCRIPT("steps, variables and conditions", "k:vfs_read{$x=arg0;$x++;$x*=2;@n++;@m-=$x;"
	       "if($x>10){@s[\"large\"]+=1}else\tif($x==4){@s[\"four\"]++}else{--@s[\"small\"]}}",
	       CALLS(CALL(1000, 9) CALL(1001, 1) CALL(1002, 0)),
	       "\n\n@m: -26\n@n: 3\n@s[small]: -1\n@s[four]: 1\n@s[large]: 1\n"),
	SCRIPT("the largest entries, divided", "k:vfs_read{@[arg0]=sum(arg0);if(arg0==30)"
	       "{print(@,2,10);clear(@)}}", CALLS(CALL(1000, 10) CALL(1001, 20) CALL(1002, 30)),
	       "@[20]: 2\n@[30]: 3\n\n\n"),
	SCRIPT("zero()", "k:vfs_read{@a[arg0]=count();@b=arg0;zero(@a);zero(@b)}",
	       CALLS(CALL(1000, 3)), "\n\n@a[3]: 0\n@b: 0\n"),
	SCRIPT("exit(): what comes later is not printed, and END is",
	       "k:vfs_read{print(arg0);if(arg0==2){exit()}}\tEND{print(\"end\")}",
	       CALLS(CALL(1000, 1) CALL(1001, 2) CALL(1002, 3)), "1\n2\nend\n\n\n"),
	SCRIPT("BEGIN comes first, comments and blanks",
	       "/*a*/BEGIN{@n=40;print(@n+2)}//b\nk:vfs_read\t/arg0==1/\t{@m=@n;;}",
	       CALLS(CALL(1000, 1) CALL(1001, 2)), "42\n\n\n@m: 40\n@n: 40\n"),
	SCRIPT("parameters", "BEGIN{printf(\"%d\t%d\t%s\t%d\\n\",$1,$3,str($2),$#)}\t"
	       "k:$2{@=count()} 0x10 vfs_read", CALLS(NO_VALUES),
	       "16\t0\tvfs_read\t2\n\n\n@: 1\n"),
	SCRIPT("parameters that are texts", "BEGIN{print(($1,$2,$3+1,$5));if($1==\"a\"){print($#)}}"
	       " a 1x 0x10 1", "", "(a, 1x, 17, 0)\n4\n\n\n"),
	SCRIPT("a division by 0 is counted", "k:vfs_read{print(7/arg0);@=hist(7/arg0)}",
	       CALLS(CALL(1000, 0)), "0\n\n\n"),
	SCRIPT("fields of a tracepoint", "t:block:block_rq_issue\t/args.nr_sector==7/"
	       "{printf(\"%s\t%d\\n\",args->comm,args.bytes);@[args.comm]=count()}",
	       "task 7 5 a\n1000 0 7 block:block_rq_issue a0=7 a1=\"work\" a2=120\n",
	       "work\t120\n\n\n@[work]: 1\n"),
	SCRIPT("a text of memory", "k:do_sys_openat2{printf(\"%s\\n\",str(arg1));"
	       "@[str(arg1)]=count()}",
	       "task 7 5 a\n1000 0 7 p:do_sys_openat2 a0=\"/etc/passwd\"\n",
	       "/etc/passwd\n\n\n@[/etc/passwd]: 1\n"),
	SCRIPT("texts are kept, and a later probe settles what a map holds",
	       "k:vfs_read{if(@t==\"\"){$a=@t}else{$a=@t;@n[@t]++}print($a)}\t"
	       "k:vfs_write{@t=arg0==1?comm:\"much-longer-than-a-name\"}",
	       CALLS(NO_VALUES "1001 0 7 p:vfs_write a0=1\n1002 0 7 p:vfs_read\n"
		     "1003 0 7 p:vfs_write a0=2\n1004 0 7 p:vfs_read\n"),
	       "\ncat\nmuch-longer-than-a-name\n\n\n"
	       "@n[cat]: 1\n@n[much-longer-than-a-name]: 1\n@t: much-longer-than-a-name\n"),
	SCRIPT("letters of the script's own texts are not escaped",
	       "k:vfs_read{$a=\"a\\tb\\n\";printf(\"%s%s\",$a,\"\\t.\\n\");@[$a]=count()}",
	       CALLS(NO_VALUES), "a\tb\n\t.\n\n\n@[a\tb\n]: 1\n"),
	SCRIPT("a text of memory is kept, is a key, and is compared",
	       "k:do_sys_openat2{$f=str(arg1);@f[tid]=$f;@n[$f]++;@n[str(arg1)]++;"
	       "if(@f[tid]==str(arg1)){@same++}if(@f[8]==$f){@other++}"
	       "printf(\"%s|%s|%12s\\n\",$f,@f[9],@f[tid]);delete(@f[tid])}",
	       "task 7 5 a\n1000 0 7 p:do_sys_openat2 a0=\"/etc/passwd\"\n",
	       "/etc/passwd|| /etc/passwd\n\n\n@n[/etc/passwd]: 2\n@same: 1\n"),
	SCRIPT("a text that is kept is cut as one that is printed",
	       "k:do_sys_openat2{@f=str(arg1);print(@f);print(str(arg1));@n[@f]=count()}",
	       "task 7 5 a\n1000 0 7 p:do_sys_openat2 a0=\"" X20 X20 X20 "12345678\"\n",
	       "@f: " X20 X20 X20 "1234..\n" X20 X20 X20 "1234..\n\n\n@f: " X20 X20 X20 "1234..\n"
	       "@n[" X20 X20 X20 "1234..]: 1\n"),
	SCRIPT("texts of sonde's own events",
	       "BEGIN{$c=0?\"x\":comm;@c=$c;@n[@c]=probe;print(@c!=\"\");@p=\"a\";clear(@c);"
	       "clear(@n)}\tk:vfs_read{@k=@p;@p=\"bc\";zero(@p)}\tEND{print(@k);print(@p)}",
	       CALLS(NO_VALUES), "true\n@k: a\n@p: \n\n\n@k: a\n@p: \n"),
	SCRIPT("results are read: by programs those that are counted or summed",
	       "k:vfs_read{@n=count();@s[arg0]=sum(arg0);if(@n>2){print(@s[2])}"
	       "if(has_key(@s,7)){delete(@s[7]);@k[1]=@n}printf(\"%d\\n\",@n*10)}",
	       CALLS(CALL(1000, 2) CALL(1001, 7) CALL(1002, 2)),
	       "10\n20\n4\n30\n\n\n@k[1]: 2\n@n: 3\n@s[2]: 4\n"),
	SCRIPT("results are read by sonde's own events",
	       "k:vfs_read{@n=count();@s[arg0]=sum(arg0);@l=min(arg0);@h=max(arg0);@a=avg(arg0);"
	       "@g[comm]=hist(arg0);@d[1]=count()}\tEND{printf(\"%d\t%d\t%d\t%d\t%d\t%d\\n\","
	       "@n,@s[-3],@l,@h,@a,@s[9]);if(@n==4&&has_key(@s,-3)&&!has_key(@s,9)){print(@s[4])}"
	       "print(len(@s));print(len(@g));delete(@s,4);delete(@d[1]);"
	       "clear(@g);print(len(@s));@n=count();print(@n+0);clear(@a);clear(@h);clear(@l)}",
	       CALLS(CALL(1000, 4) CALL(1001, 18446744073709551613) CALL(1002, 4) CALL(1003, 4)),
	       "4\t-3\t-3\t4\t2\t0\n12\n2\n1\n1\n5\n\n\n@n: 5\n@s[-3]: -3\n"),
	SCRIPT("entries that are there and those that are not, also of 0 and of no text",
	       "BEGIN{@a[1]=0;@t[\"x\"]=\"\";@x=0;printf(\"%d%d%d%d%d%d%d\\n\",has_key(@a,1),"
	       "has_key(@a,2),has_key(@t[\"x\"]),has_key(@t,comm),!@a[1],!!@x,len(@t));"
	       "delete(@x);delete(@t,\"x\")}\tk:vfs_read{print(has_key(@a,arg0));print(!@a[3]);"
	       "@t[\"y\"]=\"\";print(has_key(@t,\"y\"));delete(@t[\"y\"])}\tEND{exit(3)}",
	       CALLS(CALL(1000, 1) CALL(1001, 5)), "1010101\ntrue\ntrue\ntrue\nfalse\ntrue\ntrue"
	       "\n\n\n@a[1]: 0\n"),
	SCRIPT("lengths of maps in probes: entries that are made, and made again, and deleted",
	       "BEGIN{@a[70]=1;@a[71]=1;@a[71]=2;delete(@a[72])}k:vfs_read{print(len(@a));"
	       "@a[arg0]=1;@a[arg0]=2;@a[70]++;@n[comm,arg0]=count();@s[arg0]=sum(2);"
	       "@t[arg0]=(comm,1);printf(\"%d\t%d\t%d\t%d\n\",len(@a),len(@n),len(@s),len(@t));"
	       "delete(@t[9]);if(arg0==2){delete(@a,71);$x=delete(@a,2)+delete(@a,2);clear(@n)}"
	       "if(len(@a)>2){print(\"more\")}}END{print(len(@a));clear(@a);clear(@s);clear(@n);"
	       "clear(@t)}", CALLS(CALL(1000, 1) CALL(1001, 2) CALL(1002, 2) CALL(1003, 3)),
	       "2\n3\t1\t1\t1\nmore\n3\n4\t2\t2\t2\n2\n3\t1\t2\t2\n2\n3\t1\t3\t3\nmore\n"
	       "3\n\n\n"),
	SCRIPT("the order of bytes",
	       "k:vfs_read{$c=comm;print(memcmp($c,\"cat\",4));print(memcmp($c,\"cats\",3));"
	       "print(memcmp($c,\"cats\",4));print(memcmp(\"dog\",comm,1));"
	       "print(memcmp(comm,\"a\\xff\",12));print(memcmp((uint8[8])arg0,(uint8[8])3,8));"
	       "print(memcmp((uint8[8])arg0,(uint8[8])4,1)<0)}"
	       "BEGIN{print(memcmp(\"a\",\"a\\xff\",2));print(memcmp(\"b\",\"a\",1));"
	       "print(memcmp(buf(\"abc\"),\"abd\",2));print(memcmp(buf(\"abc\"),buf(\"abd\"),3))}",
	       CALLS("1000 0 7 p:vfs_read a1=3\n"),
	       "-1\n1\n0\n-1\n0\n0\n-1\n1\n1\n0\ntrue\n\n\n"),
	SCRIPT("without a command there is no process of it",
	       "BEGIN{printf(\"%d\t%d\\n\",cpid,has_cpid())}", "", "0\t0\n\n\n"),
	SCRIPT("loops of a probe: each turn is made",
	       "k:vfs_read{$n=0;unroll(3){$n+=arg0}print($n);for($i:-1..3){if($i==1){continue}"
	       "if($i==arg0){break}@[$i]++}for($i\t:\t0..2){for($j:0..20){if($j==$i+1){break}"
	       "unroll(2){@j[$i,$j]++}}}for($i:5..5){print(\"never\")}for($i:0..9){if(arg0==2)"
	       "{print($i);return}else{break}}print(\"end\");for($i:0..9){return}}",
	       CALLS(CALL(1000, 2) CALL(1001, 5)),
	       "6\n0\n15\nend\n\n\n@[2]: 1\n@[-1]: 2\n@[0]: 2\n@j[0, 0]: 4\n@j[1, 0]: 4\n"
	       "@j[1, 1]: 4\n"),
	SCRIPT("loops of sonde's own events",
	       "BEGIN{$i=0;while\t($i<5){$i++;if($i==2){continue}if($i==4){break}@w[$i]++}"
	       "for\t$k\t:\t0..$i{unroll(2){@f[$k]++}}while(1){for($x:0..9){if($x==3){break}"
	       "@x[$x]++}if(@x[1]==2){exit()}}}", "",
	       "\n\n@f[0]: 2\n@f[1]: 2\n@f[2]: 2\n@f[3]: 2\n@w[1]: 1\n@w[3]: 1\n@x[0]: 2\n"
	       "@x[1]: 2\n@x[2]: 2\n"),
	SCRIPT("loops of a probe whose turns the script does not tell",
	       "k:vfs_read{$n=arg0;while($n>0){$n--;if($n==2){continue}@w[$n]++}"
	       "for($i:1..arg0){@f[$i]++;if($i==@f[3]+3){break}}while(arg0==4){@once++;break}}",
	       CALLS(CALL(1000, 4) CALL(1001, 0)),
	       "\n\n@f[1]: 1\n@f[2]: 1\n@f[3]: 1\n@once: 1\n@w[0]: 1\n@w[1]: 1\n@w[3]: 1\n"),
	SCRIPT("a loop of a probe has any number of turns",
	       "k:vfs_read{$n=0;while($n<arg0){$n++}print($n);$m=0;for($i:0..arg0){$m++}print($m);"
	       "$s=0;for($i:0..3000){$s+=$i;@[$i%3]++}print($s);$z=0;for($x:-900..900){for($y:"
	       "0..$x){if($y==50){break}if($y%2==1){continue}$z++}}print($z)}",
	       CALLS(CALL(1000, 1000000) CALL(1001, 3)),
	       "1000000\n1000000\n4498500\n21875\n3\n3\n4498500\n21875\n\n\n"
	       "@[0]: 2000\n@[1]: 2000\n@[2]: 2000\n"),
	SCRIPT("the end of an action within loops",
	       "k:vfs_read{for($i:0..5000){while(1){if($i==arg0){@[$i]++;return}break}$j=0;"
	       "while($j<3){$j++;if($i==7&&$j==2){print($i);exit()}}}print(\"never\")}",
	       CALLS(CALL(1000, 4) CALL(1001, 4999)), "7\n\n\n@[4]: 1\n"),
	SCRIPT("statements within values",
	       "k:vfs_read{$x=1;print({$y=arg0;$y+$x});print($x+++$x);print(++$x);print($x--);"
	       "@n=5;print(@n++);print(--@n);$t=({$x++;($x,\"a\",comm)});print($t);"
	       "print(if(arg0==3){\"three\"}else\tif(arg0>3){\"more\"}else{$z=arg0;comm});"
	       "$p=(int32*)16;print($p++);print($p);arg0==3?printf(\"yes\\n\"):printf(\"no\\n\");"
	       "@k[{$x=7;$x}]=1;_=$x;print(arg0*(1+{@m++;2}))}",
	       CALLS(CALL(1000, 3) CALL(1001, 1)),
	       "4\n3\n3\n3\n5\n5\n(3, a, cat)\nthree\n0x10\n0x14\nyes\n9\n"
	       "2\n3\n3\n3\n5\n5\n(3, a, cat)\ncat\n0x10\n0x14\nno\n3\n\n\n@k[7]: 1\n@m: 2\n@n: 5"
	       "\n"),
	SCRIPT("the same in an event of sonde's own",
	       "BEGIN{$x=1;print({$y=2;$y+$x});print($x++);print(--$x);$t=({$x++;($x,\"a\")});"
	       "print($t);print(if($x==2){\"two\"}else{comm});$x==2?printf(\"yes\\n\"):print(1);"
	       "@n=5;print(@n++);print({@n++;@n})}", "",
	       "3\n1\n1\n(2, a)\ntwo\nyes\n5\n7\n\n\n@n: 7\n"),
	SCRIPT("delete() tells whether the entry was there",
	       "BEGIN{@a[1]=0;@b=count();$d=delete(@a,2);print($d);print(delete(@a[1]));"
	       "if(!delete(@a,1)){print(len(@a))}print(delete(@b))}"
	       "k:vfs_read{@k[arg0]=1;print(delete(@k,arg0));print(delete(@k,arg0))}",
	       CALLS(CALL(1000, 3)), "false\ntrue\n0\ntrue\ntrue\nfalse\n\n\n"),
	SCRIPT("tuples as values of maps",
	       "k:vfs_read{@v[arg0]=(arg0,comm,(arg0+1,\"in\"));$t=@v[arg0];print($t.2);"
	       "print(@v[arg0].2.0);if(@v[arg0]==(3,\"cat\",(4,\"in\"))){print(\"same\")}"
	       "if(@v[9]!=$t){print(@v[9])}@u=$t;@w[@v[arg0]]=1;print(arg0?$t:@u)}"
	       "BEGIN{@b=(1,\"x\");@b=(2,\"longer\");print(@b.1);"
	       "@c[1]=(true,(5,6));for($kv:@c){print($kv);print($kv.1.1.0)}@d[(1,2),3]=4;for($e:@"
	       "d){print($e);"
	       "print($e.0.0)}clear(@d)}",
	       CALLS(CALL(1000, 3)),
	       "longer\n(1, (true, (5, 6)))\n5\n(((1, 2), 3), 4)\n(1, 2)\n(4, in)\n4\nsame\n(0, ,"
	       " (0, ))\n(3, cat, (4, in))\n"
	       "\n\n@b: (2, longer)\n@c[1]: (true, (5, 6))\n@u: (3, cat, (4, in))\n"
	       "@v[3]: (3, cat, (4, in))\n@w[3, cat, (4, in)]: 1\n"),
	SCRIPT("structs and arrays are values",
	       "struct\ts{int\ta;int\tb}struct\tt{int\tn[2];}k:vfs_read{$s=*(struct\ts*)arg0;prin"
	       "t($s);"
	       "print($s.b);@m=$s;@k[$s,1]=@m.a;@t=(7,$s);$n=((struct\tt*)arg0).n;print($n);"
	       "print(@k[@m,1]+$n[1]);print(*(struct\tt*)arg0);if($s==@m){return\t1}print(0)}",
	       CALLS("1000 0 7 p:vfs_read a1=12884901890\n"),
	       "{ .a = 2, .b = 3 }\n3\n[2,3]\n5\n{ .n = [2,3] }\n\n\n"
	       "@k[{ .a = 2, .b = 3 }, 1]: 2\n@m: { .a = 2, .b = 3 }\n"
	       "@t: (7, { .a = 2, .b = 3 })\n", ON(V4_19)),
	SCRIPT("casts to arrays, and what is in them",
	       "BEGIN{$x=(uint8[8])0x0102;print($x[1]);print($x);print((int8[])\"hi\");"
	       "@a=(bool[2])(uint16)1;print((((int16[])-2),1));@b=1;"
	       "print(((int16[4])-2)[3]);print(@a==(bool[2])(uint16)257)}", "",
	       "1\n[2,1,0,0,0,0,0,0]\n[104,105,0]\n([-2,-1,-1,-1], 1)\n-1\nfalse\n\n\n"
	       "@a: [true,false]\n@b: 1\n"),
	TEXT("JSON of structs, tuples and addresses", "bt -q -f json -e struct\ts{int\ta[2];}BEGIN{"
	     "@t=(1,\"x\",(true,(int8[])\"a\"));@p=(int16*)50;print((1,@p));@e[1]=(2,3)}", "",
	     "{\"type\": \"value\", \"data\": [1,50]}\n"
	     "{\"type\": \"map\", \"data\": {\"@e\": {\"1\": [2,3]}}}\n"
	     "{\"type\": \"map\", \"data\": {\"@p\": 50}}\n"
	     "{\"type\": \"map\", \"data\": {\"@t\": [1,\"x\",[true,[97,0]]]}}\n"),
	SCRIPT("pointers in maps count elements",
	       "BEGIN{@d=4;@p=(int32*)50;@p+=6;@p--;print(@p);@p-=@d;++@p;print(@p)}"
	       "k:vfs_read{@q=(int16*)16;@q+=arg0;@q++}", CALLS(CALL(1000, 3)),
	       "@p: 0x46\n@p: 0x3a\n\n\n@d: 4\n@p: 0x3a\n@q: 0x18\n"),
	SCRIPT("a map without a key is shown before it has a value",
	       "BEGIN{print(@);print(@s);print(@k)}END{@=1;@s=stats(2);@k[1]=1}", "",
	       "@: 0\n@s: { .count = 0, .average = 0, .total = 0 }\n\n\n@: 1\n@k[1]: 1\n"
	       "@s: { .count = 1, .average = 2, .total = 2 }\n"),
	SCRIPT("bytes and first letters of texts in quotes",
	       "BEGIN{$a=buf(\"hi\",2);$b=pid?buf(\"bye\"):$a;@m[buf(\"k\",2)]=$b;print(($a,$b));"
	       "print($a==buf(\"hi\",2));print($a!=$b);$x=str(\"hello\",3);print($x);"
	       "printf(\"%r|%rx\\n\",buf(\"a\\tb\",3),buf(\"ab\",3))}"
	       "k:vfs_read{print(buf(\"in\",2));@k=buf(\"x\",1)}", CALLS(NO_VALUES),
	       "(hi, bye)\ntrue\ntrue\nhe\na\\x09b|\\x61\\x62\\x00\nin\n\n\n@k: x\n@m[k\\x00]: bye"
	       "\n"),
	SCRIPT("steps of own events and of probes",
	       "BEGIN{@n+=5;@n--;@k[1]++;@k[9]-=2;@c=count();@s=sum(4);print(@n++)}"
	       "k:vfs_read{@n++;@k[arg0]+=arg0;@c=count();@s=sum(arg0);"
	       "if(@c>2&&@s>1){print(len(@k))}}"
	       "interval:s:100{@k[7]++}END{@n-=3;++@k[2];@k[4]++}",
	       CALLS(CALL(1000, 1) CALL(2000, 2)),
	       "4\n3\n\n\n@c: 3\n@k[9]: -2\n@k[4]: 1\n@k[1]: 2\n@k[2]: 3\n@n: 4\n@s: 7\n"),
	SCRIPT("names of enums", "enum\te{A=3,B,C=-1};enum{ONE=1};BEGIN{@a[A,ONE]=B;$x=C;print($x);"
	       "print((A,ONE));printf(\"%d\t%s\t%-3s|\\n\",B,B,ONE);print((enum\te)4);print((enum"
	       "\te)9);"
	       "print(A+1);@m[A]=A;@m[7]=2;@t=(A,1)}", "",
	       "C\n(A, ONE)\n4\tB\tONE|\nB\n9\n4\n\n\n@a[A, ONE]: B\n@m[7]: 2\n@m[3]: 3\n@t: (A, "
	       "1)\n"),
	SCRIPT("variables of blocks", "k:vfs_read{$a=1;if(1){let\t$a=5;$a++;print($a);if(1){let\t"
	       "$a;"
	       "print($a);$a=9}print($a)}print($a);let\t$n:uint8=257;print($n);$n=300;print($n);"
	       "let\t$s:string=\"x\";let\t$u:typeof($n)=511;print($u);let\t$b:bool=7;print($b);"
	       "for($i:0..2){let\t$l;$l+=$i+1;print($l)}let\t$p:char*;print($p)}",
	       CALLS(NO_VALUES), "6\n0\n6\n1\n1\n44\n255\ntrue\n1\n2\n0x0\n\n\n"),
	SCRIPT("macros with statements that are values",
	       "macro\tinc($x){$x+=1;$x}macro\ttwice(v){$y=v;$y+$y}macro\tsum(@m){let\t$n=0;"
	       "for($kv:@m){$n+=$kv.1}$n}macro\tadd3(z){twice(z)+z}"
	       "BEGIN{$a=1;$b=inc($a);print(($a,$b));print(twice(inc($a))+1);@x[1]=5;@x[2]=6;"
	       "print(sum(@x));print(add3({$a++;1}));inc($a);print($a)}", "",
	       "(2, 2)\n7\n11\n3\n6\n\n\n@x[1]: 5\n@x[2]: 6\n"),
	SCRIPT("what parameters of macros are: types, formats, not members",
	       "macro\tsize(t){sizeof(t*)+sizeof(t)}macro\tsay(f,a){$t=(a,a+1);printf(f,$t.0,$t.1)}"
	       "macro\tb(b,$r){$r.b+b}macro\tall(do){do;do}macro\tstep($x){$x++}"
	       "BEGIN{print(size(typeof(uint16)));say(\"%d\t%d\\n\",2*3);$r=(b=7);print(b(1,$r));"
	       "$n=0;all(print(step($n)))}", "", "10\n6\t7\n8\n0\n1\n\n\n"),
	SCRIPT("functions are written instead of their calls",
	       "fn\ttwice($x:int64):int64{return\t$x*2}fn\tbig($a:uint64,$b:uint64):uint64{$r=$a;"
	       "if($b>$a){$r=$b}@calls++;return\t$r;}fn\tname():string{return\tcomm;}"
	       "fn\tlow($x:int64):uint8{return\t$x;}fn\ttell($s:string):void{print($s)}"
	       "k:vfs_read\t/twice(arg0)==6/{print(big(twice(arg0),5));print(low(arg0+256));"
	       "$r=9;big(1,$r);tell(name());print(twice($r+1)+$r);if(big(1,2)==2){print(\"y\")}}",
	       CALLS("1000 0 7 p:vfs_read a0=3\n"), "6\n3\ncat\n29\ny\n\n\n@calls: 3\n"),
	SCRIPT("loops over maps go in the order in which they are printed",
	       "END{for($kv:@n){printf(\"%s\t%d\\n\",$kv.0,$kv.1);delete(@n,$kv.0)}"
	       "for($e:@m){if($e.0.1==3){@c[$e.0.0]=$e.1;continue}print($e.1)}"
	       "for($t:@t){print($t.1);@u[$t.1]=$t.0}clear(@t);clear(@m)}\t"
	       "k:vfs_read{@n[comm]=count();@n[\"x\"]=count();@m[comm,arg0]=sum(arg0*2);"
	       "@t[arg0]=arg0==3?\"three\":comm}",
	       CALLS("1000 0 7 p:vfs_read a1=3\n1001 0 7 p:vfs_read a1=18446744073709551611\n"),
	       "cat\t2\nx\t2\n-10\ncat\nthree\n\n\n@c[cat]: 6\n@u[cat]: -5\n@u[three]: 3\n"),
	SCRIPT("tuples: printed, as keys, and in variables",
	       "k:vfs_read{print((1,\"a\",(arg0,comm)));@[(arg0,1)]=1;@[arg0,1]+=2;"
	       "@n[(1,2),comm]=4;"
	       "$t=(arg0,comm,(6,\"in\"));print($t);print($t.2);print($t.2.1);@k[$t]=7;"
	       "print(@k[arg0,\"cat\",(6,\"in\")]);if(has_key(@k,$t)){@c[$t.1,$t.0]=count()}"
	       "delete(@k,$t);$n=$t.0+1;$t=($n,\"dog\",(1,\"\"));print($t)}\t"
	       "BEGIN{@b[1,\"x\"]=2;@b[(2,\"y\")]=1;for($kv:@b){print($kv);@d[$kv.0]=$kv.1}"
	       "clear(@b);clear(@d)}", CALLS("1000 0 7 p:vfs_read a0=3\n"),
	       "((2, y), 1)\n((1, x), 2)\n(1, a, (3, cat))\n(3, cat, (6, in))\n(6, in)\n"
	       "in\n7\n(4, dog, (1, ))\n\n\n@[3, 1]: 3\n@c[cat, 3]: 1\n@n[(1, 2), cat]: 4\n"),
	SCRIPT("variables without a value", "k:vfs_read{let\t$a;let\t$b;$b=$a;print($b);@[$a]=1;"
	       "@[arg0]=$b}", CALLS(CALL(1000, 7)), "0\n\n\n@[7]: 0\n@[0]: 1\n"),
	SCRIPT("pointers keep what they point to", "k:vfs_read{$p=(char\t*)arg0;@p=$p+2;print(@p);"
	       "print(@p-$p);$p=(char\t*)1;print($p)}", CALLS(CALL(1000, 16)),
	       "@p: 0x12\n2\n0x1\n\n\n@p: 0x12\n"),
	SCRIPT("several functions", "k:vfs_read,k:vfs_w*{@[probe]=count();@f[func]=count()}",
	       CALLS("1000 0 7 p:vfs_write\n1001 0 7 p:vfs_read\n1002 0 7 p:vfs_write\n"),
	       "\n\n@[kprobe:vfs_read]: 1\n@[kprobe:vfs_write]: 2\n"
	       "@f[vfs_read]: 1\n@f[vfs_write]: 2\n"),
	SCRIPT("returns", "kr:vfs_read{@[func]=sum(retval)}",
	       CALLS("1000 0 7 r:vfs_read a0=5\n1001 0 7 r:vfs_read a0=6\n"),
	       "\n\n@[vfs_read]: 11\n"),
	SCRIPT("C declarations: macros, enumerators, sizes",
	       "#define\tN\t(2*M)\n#define\tM\t0x10\n#if\tM>100\n#error\n#endif\n"
	       "enum\te{A=3,B};struct\ts{char\ta;union{int\tb;long\tc;};int\td[3];}\n"
	       "BEGIN{printf(\"%d\t%d\t%d\t%d\t%d\\n\",N,B,sizeof(struct\ts),"
	       "offsetof(struct\ts,d),N==32&&A==3)}", "", "32\t4\t32\t16\t1\n\n\n"),
	SCRIPT("macros of headers", "BEGIN{printf(\"%d\t%d\t%d\t%x\t%d\\n\",AF_INET,AF_INET6,"
	       "TASK_RUNNING,S_IFMT,AT_FDCWD)}", "", "2\t10\t0\tf000\t-100\n\n\n"),
	SCRIPT("a field with the name of a builtin", "t:block:block_rq_issue{printf(\"%s\t%s\\n\","
	       "comm,args.comm)}", "task 7 5 a\n1000 0 7 block:block_rq_issue a1=\"work\"\n",
	       "a\twork\n\n\n"),
	SCRIPT("a member by a dot, and a member that is a text",
	       "struct\ts{int\ta;char\tb[8];struct\ts*c;}k:vfs_read{"
	       "printf(\"%d\t%s\\n\",((struct\ts*)arg0).a,((struct\ts*)arg0)->b)}",
	       CALLS("1000 0 7 p:vfs_read a0=5 a1=\"text\"\n"), "5\ttext\n\n\n", ON(V4_19)),
	SCRIPT("stacks are counted by what is shown of them", "k:vfs_read{@a[kstack(1),comm]="
	       "count();@b[ustack]=sum(arg0)}", CALLS(STACKED(1000, " a1=3") STACKED(1001, " a1=4")
	       "1002 0 7 p:vfs_read a1=5 kernel_stack=0xa user_stack=0x2\n"
	       "1003 0 7 p:vfs_read a1=6\n"),
	       "\n\n@a[\n, cat]: 1\n@a[\n        0xa\n, cat]: 3\n"
	       "@b[\n        0x2\n]: 5\n@b[\n]: 6\n@b[\n        0x1\n        0x2\n]: 7\n"),
	SCRIPT("a loop of a probe through a map", "k:vfs_read{@a[arg0,comm]=count();"
	       "@b[arg0]=arg0+1;if(arg0>2){for($kv:@a){$n=$kv.1*10;if($kv.0.0==2){continue}"
	       "printf(\"%d\\t%s\\t%d\\n\",$kv.0.0,$kv.0.1,$n);for($i:0..2){print($i)}}"
	       "for($e:@b){print($e);print(@b[$e.0])}clear(@a);clear(@b)}}",
	       CALLS(CALL(1000, 1) CALL(1001, 2) CALL(1002, 3)),
	       "1\tcat\t10\n0\n1\n3\tcat\t10\n0\n1\n(1, 2)\n2\n(2, 3)\n3\n(3, 4)\n4\n"
	       "\n\n"),
	SCRIPT("lengths of stacks", "k:vfs_read{printf(\"<%d|%-3d|%s>\n\",len(kstack),"
	       "len(kstack(1)),len(ustack));@[len(ustack)]=count()}",
	       CALLS(STACKED(1000, "") "1002 0 7 p:vfs_read kernel_stack=0xa,0xb,0xc "
		     "user_stack=0x2\n"),
	       "<2|1  |2>\n<3|1  |1>\n\n\n@[1]: 1\n@[2]: 1\n"),
	SCRIPT("lengths of stacks that are kept", "k:vfs_read{$s=ustack(1);@k[tid]=kstack;"
	       "@u=ustack;printf(\"%d\\t%d\\t%d\\n\",len($s),len(@k[tid]),len(@u));"
	       "@[len(@k[tid])]=count()}END{print(len(@u));print(len(@k));clear(@u);clear(@k)}",
	       CALLS(STACKED(1000, "")), "1\t2\t2\n2\n1\n\n\n@[2]: 1\n"),
	SCRIPT("stacks in all forms", "k:vfs_read{printf(\"<%s|%s|%s>\n\",kstack,ustack(perf,1),"
	       "kstack(2,raw));print(ustack());print(pid())}", CALLS(STACKED(1000, "")),
	       "<\n        0xa\n        0xb\n|\n\t1 0x1\n|\na\nb\n>\n"
	       "\n        0x1\n        0x2\n\n5\n\n\n"),
	SCRIPT("stacks are kept", "k:vfs_read{$s=kstack(1);@k[tid]=$s;@c[@k[tid]]=count();"
	       "print(@k[tid]);print(@k[9]);@u=ustack(raw);if(tid==9){$t=kstack}print($t)}",
	       CALLS(STACKED(1000, "")),
	       "\n        0xa\n\n\n\n\n\n\n\n@c[\n        0xa\n]: 1\n@k[7]: \n        0xa\n\n"
	       "@u: \n1\n2\n\n"),
	SCRIPT("settings and declarations of maps",
	       "config\t=\t{MAX_MAP_KEYS=2;BPFTRACE_PRINT_MAPS_ON_EXIT=true;log_size=\"x\"}"
	       "let\t@a=hash(3);let\t@unused=lruhash(1)\tlet\t@c=percpuhash(1);"
	       "BEGIN{@a[1]=1;@a[2]=1;@a[3]=1;@a[4]=1;"
	       "@b[1]=1;@b[2]=1;@b[3]=1;@b[2]=5;@c[1]=count();@c[2]=count();@c[1]=count()}",
	       "", "\n\n@a[1]: 1\n@a[2]: 1\n@a[3]: 1\n@b[1]: 1\n@b[2]: 5\n@c[1]: 2\n"),
	SCRIPT("no maps at the end, and probes that are not there",
	       "config={print_maps_on_exit=false;missing_probes=ignore;}BEGIN{@a=1}"
	       "k:vfs_raed,t:no:event\t/arg0/{if(1){print(1)}}k:vfs_read{print(2)}",
	       CALLS(NO_VALUES), "2\n\n\n"),
	SCRIPT("the form of stacks", "config={stack_mode=raw}k:vfs_read{printf(\"<%s|%s>\\n\","
	       "kstack,ustack(perf,1))}", CALLS(STACKED(1000, "")), "<\na\nb\n|\n\t1 0x1\n>\n\n\n"),
	SCRIPT("one probe of a list is there", "k:vfs_raed,k:vfs_read{print(2)}",
	       CALLS(NO_VALUES), "2\n\n\n"),
	ALONE("ntop(16777343)", "127.0.0.1"),
	ALONE("ntop(2,33554559)", "127.0.0.2"),
	ALONE("ntop(0,33554559)", ""),
	SCRIPT("addresses of fields, members, variables, maps and keys",
	       "t:tcp:tcp_retransmit_skb{"
	       "$a=ntop(args.saddr);@v[$a]=ntop(args.daddr_v6);printf(\"%9s|%s|%s\n\",$a,@v[$a],"
	       "@v[ntop(7)]);@c[ntop(args.saddr)]=count()}",
	       "task 7 5 a\n1000 0 7 tcp:tcp_retransmit_skb a0=x7f000001 "
	       "a1=x20010db8000000000000000000000001\n",
	       "127.0.0.1|2001:db8::1|\n\n\n@c[127.0.0.1]: 1\n@v[127.0.0.1]: 2001:db8::1\n"),
	SCRIPT("elements of arrays in a tracepoint's record",
	       "t:tcp:tcp_retransmit_skb{@[args.saddr[0],(int8)args.saddr[3]]=count();"
	       "if(args.saddr[0]==127){print(args.daddr_v6[15])}}",
	       "task 7 5 a\n1000 0 7 tcp:tcp_retransmit_skb a0=127 a1=200 a2=9\n",
	       "9\n\n\n@[127, -56]: 1\n"),
	SCRIPT("buffers: of fields, in all forms, as keys and values", "t:tcp:tcp_retransmit_skb{"
	       "$b=buf(args.saddr);printf(\"%r|%rx|%rh|%8rh|%s\\n\",$b,$b,$b,buf(args.saddr,2),"
	       "$b);"
	       "@[buf(args.saddr,3)]=count();@v=buf(args.daddr_v6,6)}",
	       "task 7 5 a\n1000 0 7 tcp:tcp_retransmit_skb a0=x7f412042 "
	       "a1=x20010db8000000000000000000000001\n",
	       "\\x7fA B|\\x7f\\x41\\x20\\x42|7f 41 20 42|   7f 41|\\x7fA B\n\n\n"
	       "@[\\x7fA ]: 1\n@v:  \\x01\\x0d\\xb8\\x00\\x00\n"),
	SCRIPT("letters of texts", "k:do_sys_openat2{$f=str(arg1);"
	       "printf(\"%d\t%d\t%d\t%d\t%d\t%d\n\","
	       "strlen($f),strlen(str(arg1)),strcontains($f,\"pass\"),strcontains($f,\"x\"),"
	       "strstr($f,\"wd\"),strstr($f,\"wdx\"));@[strlen(comm)]=count();"
	       "if(strcontains(comm,\"\")&&strstr(comm,\"a\")==0){print(strlen(\"four\"))}}"
	       "END{$t=\"abc\";printf(\"%d\t%d\t%d\\n\",strlen($t),strcontains($t,\"bc\"),"
	       "strstr($t,\"d\"))}",
	       "task 7 5 a\n1000 0 7 p:do_sys_openat2 a0=\"/etc/passwd\"\n",
	       "11\t11\t1\t0\t9\t-1\n4\n3\t1\t-1\n\n\n@[1]: 1\n"),
	SCRIPT("each of several tracepoints has its own args",
	       "t:block:block_rq_i*\t/args.nr_sector==7/{@[probe]=sum(args.bytes)}",
	       "task 7 5 a\n1000 0 7 block:block_rq_issue a0=7 a1=120\n"
	       "1001 0 7 block:block_rq_insert a0=7 a1=20\n"
	       "1002 0 7 block:block_rq_issue a0=7 a1=1\n",
	       "\n\n@[tracepoint:block:block_rq_insert]: 20\n"
	       "@[tracepoint:block:block_rq_issue]: 121\n"),
	SCRIPT("records: printed, in variables, keys and values",
	       "k:vfs_read{$r=(a=arg0,b=comm,c=(5,(d=tid,)));print($r);print($r.c.1.d+$r.a);"
	       "$r=(c=(arg0>2?1:2,(d=9,)),b=\"x\",a=1);printf(\"%s\t%d\t%d\n\",$r.b,$r.c.0,"
	       "$r->c[0]);"
	       "@v[tid]=(n=arg0,t=comm);print(@v[tid].t);@n[(k=arg0,l=comm),1]=count();"
	       "@m[(k=arg0,l=comm)]=(n=1,);print((z=1).z);print(@v[7]==(n=3,t=comm))}"
	       "END{for($kv:@m){print($kv.0);print($kv.0.l);print($kv.1.n)}}",
	       CALLS(CALL(1000, 3)),
	       "{ .a = 3, .b = cat, .c = (5, { .d = 7 }) }\n10\nx\t1\t1\ncat\n1\ntrue\n"
	       "{ .k = 3, .l = cat }\ncat\n1\n\n\n@m[{ .k = 3, .l = cat }]: { .n = 1 }\n"
	       "@n[{ .k = 3, .l = cat }, 1]: 1\n@v[7]: { .n = 3, .t = cat }\n"),
	SCRIPT("records and pointers that are read above where they are assigned",
	       "k:vfs_read\t/@r[tid].n/{$r=@r[tid];print($r.c);print(@r[tid].n);"
	       "for($kv:@r){print($kv.1.c)}}k:vfs_write{@r[tid]=(n=arg0,c=comm)}",
	       CALLS("1000 0 7 p:vfs_write a0=5\n1001 0 7 p:vfs_read\n"),
	       "cat\n5\ncat\n\n\n@r[7]: { .n = 5, .c = cat }\n"),
	SCRIPT("pointers to functions", "struct\ts{void(*f)(int);int(*g)(void);}k:vfs_read{"
	       "$w=(void*)0;$w=((struct\ts*)arg0)->g;print($w)}", CALLS(CALL(1000, 5)),
	       "0x5\n\n\n", ON("4.19")),
	SCRIPT("what is at an address of a variable",
	       "BEGIN{$a=(1,\"x\");@m[1]=7;print(*(&$a));print(*&@m[1]+1)}", "",
	       "(1, x)\n8\n\n\n@m[1]: 7\n"),
	TEXT("JSON of records", "bt -q -f json -e BEGIN{$v=(x=1,y=(2,3));print($v);"
	     "@a=(a=0,b=\"s\",c=$v);@k[(a=1,b=\"s\"),(2,3)]=1}", "",
	     "{\"type\": \"value\", \"data\": {\"x\": 1, \"y\": [2,3]}}\n"
	     "{\"type\": \"map\", \"data\": {\"@a\": {\"a\": 0, \"b\": \"s\", \"c\": "
	     "{\"x\": 1, \"y\": [2,3]}}}}\n"
	     "{\"type\": \"map\", \"data\": {\"@k\": {\"{.a=1,.b=s},(2,3)\": 1}}}\n"),
	SCRIPT("a field of an enum", "enum\tzone_type{ZONE_DMA,ZONE_DMA32=1};"
	       "t:compaction:mm_compaction_finished{print(args.idx);@[args.idx]=count();"
	       "printf(\"%d\t%s\t%d\\n\",args.idx,args.idx,args.order+args.idx)}",
	       "task 7 5 a\n1000 0 7 compaction:mm_compaction_finished a0=1 a1=3\n"
	       "1000 0 7 compaction:mm_compaction_finished a0=4 a1=3\n",
	       "ZONE_DMA32\n1\tZONE_DMA32\t4\n4\n4\t4\t7\n\n\n@[ZONE_DMA32]: 1\n@[4]: 1\n"),
	SCRIPT("a field by its newer name", "t:syscalls:sys_enter_kill{@[args.__syscall_nr,args.nr,"
	       "args.sig]=count()}", "task 7 5 a\n1000 0 7 syscalls:sys_enter_kill a0=62 a1=9\n",
	       "\n\n@[62, 62, 9]: 1\n", ON("4.4")),
	SCRIPT("a field by its older name", "t:syscalls:sys_enter_kill\t/args.nr==62/{"
	       "print(args.__syscall_nr)}", "task 7 5 a\n1000 0 7 syscalls:sys_enter_kill a0=62\n",
	       "62\n\n\n"),
	SCRIPT("letters by their numbers", "k:do_sys_openat2{$f=str(arg1);@t=$f;$t=@t;"
	       "printf(\"%d\t%c\t%c\t%d\n\",$f[0]==\"/\"[0],$f[1],$t[0],comm[2]);"
	       "if(str(arg1)[3]!=\"x\"[0]){print($f[63])}}"
	       "END{$t=\"abc\";print($t[1]==\"b\"[0])}",
	       "task 7 5 a\n1000 0 7 p:do_sys_openat2 a0=\"/etc/passwd\"\n",
	       "1\te\t/\t0\n0\ntrue\n\n\n@t: /etc/passwd\n"),
	SCRIPT("texts with a length", "k:do_sys_openat2{$n=strlen(comm)+3;printf(\"%s|%s|%s|%s\n\","
	       "str(arg1,5),str(arg1,$n),str(arg1,$n*9),str(arg1,64));@[str(arg1,$n+4)]++;"
	       "@same=str(arg1,$n)==\"/et\"}",
	       "task 7 5 a\n1000 0 7 p:do_sys_openat2 a1=\"/etc/passwd\"\n",
	       "/etc|/et|/etc/passwd|/etc/passwd\n\n\n@[/etc/pa]: 1\n@same: true\n"),
	ALONE("nsecs(monotonic)==nsecs&&pid(init)==pid&&tid(init)==tid()", "true"),
	ALONE("signal_name(9)", "Killed"),
	ALONE("signal_name(999)", "N/A"),
	ALONE("probetype", "kprobe"),
	ALONE("ntop(pton(\"::1\"))", "::1"),
	ALONE("ntop(10,pton(\"fe80::1\"))", "fe80::1"),
	ALONE("sizeof(((int8)1,(int64)1,(int8)1))", "24"),
	ALONE("sizeof((1,(1,(int32)1)))", "12"),
	ALONE("sizeof((1,\"abc\"))", "5"),
	ALONE("sizeof((a=(int8)1,b=(int16)2,c=\"abcd\",d=-129,e=-128,f=300))", "16"),
	ALONE("sizeof((1,comm,(int64)2))", "32"),
	ALONE("(sizeof(1),sizeof(300),sizeof(1==1),sizeof(pid),sizeof((uint8)1+1),sizeof(1+1))",
	      "(1, 2, 1, 4, 8, 1)"),
	ALONE("(sizeof(str(arg1)),sizeof(str(arg1,5)),sizeof(str(arg1,64)),sizeof(\"a\"))",
	      "(64, 6, 64, 2)"),
	SCRIPT("sizes of what is kept", "k:vfs_read{$n=1;$n=70000;"
	       "$t=\"a\";$t=\"abcdef\";$u=($n,$t);@t=(comm,\"ab\");"
	       "print((sizeof($n),sizeof($t),sizeof($u),sizeof(@t)));clear(@t)}",
	       CALLS(NO_VALUES), "(4, 7, 12, 19)\n\n\n"),
	SCRIPT("sizes of structs, which are not read", "struct\tf{int\tm;char\tc[3];long\tl[2];};"
	       "k:vfs_read{$f=(struct\tf*)arg0;print((sizeof(*$f),sizeof((1,*$f)),"
	       "sizeof(((int32)1,$f.l)),sizeof(($f.c,(int16)1)),sizeof((*$f,1))))}",
	       CALLS(CALL(1000, 0x1234)), "(24, 25, 24, 6, 25)\n\n\n"),
	SCRIPT("sizes of enumerators and macros", "enum\te{ONE=1};\n#define\tTWO\t2\n"
	       "BEGIN{print((sizeof(ONE),sizeof(TWO),sizeof((ONE,1))))}", "", "(8, 1, 16)\n\n\n"),
	SCRIPT("sizes of structs in BEGIN", "struct\tf{int\tm[2000];};BEGIN{print((sizeof((1,"
	       "*(struct\tf*)0)),sizeof(((int16)1,(*(struct\tf*)0).m))))}", "",
	       "(8001, 8004)\n\n\n"),
	ALONE("usermode", "0"),
	ALONE("strncmp(\"abcd\",\"abce\",3)", "0"),
	ALONE("strncmp(\"ab\",\"ab-procABCDEFGHI\",2)", "0"),
	SCRIPT("a literal longer than the one that it is compared with", "BEGIN{$x=pid;$y=7;"
	       "if(strncmp(\"ab\",\"ab-procABCDEFGHI\",2)==0){print(($x==pid,$y))}}", "",
	       "(true, 7)\n\n\n"),
	ALONE("strcontains(comm,comm)", "true"),
	ALONE("strstr(\"acat\",comm)", "1"),
	ALONE("probe==\"kprobe:vfs_read\"", "true"),
	ALONE("probe!=\"kprobe:vfs_read\"", "false"),
	ALONE("func==\"vfs_write\"", "false"),
	ALONE("strcontains(func,\"read\")", "true"),
	ALONE("probe==probe()", "true"),
	ALONE("sizeof(typeof(pid)*)", "8"),
	ALONE("(typeof(uint8))511", "255"),
	ALONE("pton(\"::1\")", "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]"),
	ALONE("rand<1<<32", "true"),
	ALONE("pton(\"127.0.0.1\")==16777343", "true"),
	VALUE("is_err(arg0)", 18446744073709551615, "true"),
	VALUE("is_err(arg0)", 4095, "false"),
	ALONE("is_str(comm)+2*is_ptr((char*)1)+4*is_integer(pid)+8*is_literal(7)+"
	      "16*is_array(pid)+32*is_unsigned_integer(pid)", "47"),
	SCRIPT("func beside ksym()", "BEGIN{@f[0]=ksym(0);@g=ksym(16)}k:vfs_read,k:vfs_write"
	       "{@f[arg0]=func;@n[@f[arg0]]=count();@n[ksym(0)]=count()}",
	       CALLS(CALL(1000, 5) "1001 0 7 p:vfs_write a0=6\n"),
	       "\n\n@f[0]: 0x0\n@f[5]: vfs_read\n@f[6]: vfs_write\n@g: 0x10\n@n[vfs_read]: 1\n"
	       "@n[vfs_write]: 1\n@n[0x0]: 2\n"),
	ALONE("strerror(2)", "No such file or directory"),
	ALONE("syscall_name(1000000)", "1000000"),
	ALONE("ksym(16)", "0x10"),
	ALONE("usym(16)", "0x10"),
	ALONE("strftime(\"%Y-%m\",nsecs)", "1970-01"),
	ALONE("strftime(\"%s|%f\",1234567)", "0|001234"),
	ALONE("strftime(\"%Z|\",nsecs)", "UTC|"),
	ALONE("bswap(0x1234)", "13330"),
	ALONE("bswap(0x1230+4)", "13330"),
	ALONE("bswap((uint16)1+2)", "216172782113783808"),
	ALONE("bswap((uint16)pid)", "1280"),
	ALONE("bswap(pid)", "83886080"),
	VALUE("bswap(arg0)", 1, "72057594037927936"),
	ALONE("ntohs(0x1234)", "13330"),
	ALONE("htons((uint16)pid)", "1280"),
	ALONE("ntohl(pid)", "83886080"),
	VALUE("ntohs(arg0)", 0x51234, "13330"),
	VALUE("htonl(arg0)", 0x7000000001, "16777216"),
	SCRIPT("the network's order in BEGIN", "BEGIN{$x=80;printf(\"%d|%d\\n\",ntohs($x),"
	       "htonl(1))}", "", "20480|16777216\n\n\n"),
	SCRIPT("a % that begins no conversion is a letter",
	       "BEGIN{printf(\"%d%|90%\t--timeout|%y|%%|5%\\n\",7)}", "",
	       "7%|90%\t--timeout|%y|%|5%\n\n\n"),
	SCRIPT("a text of which only the NUL is asked for",
	       "k:vfs_read{printf(\"<%s>\\n\",str(arg0,1))}", CALLS(NO_VALUES), "<>\n\n\n"),
	SCRIPT("names of more than 60 letters", "BEGIN{$" X20 X20 X20 "=4;@" X20 X20 X20 "=$"
	       X20 X20 X20 "}", "", "\n\n@" X20 X20 X20 ": 4\n"),
	SCRIPT("20 values of a format", "k:vfs_read{printf(\"" D5 D5 D5 D5 "\\n\",1,2,3,4,5,6,7,8,"
	       "9,arg0,1,2,3,4,5,6,7,8,9,0)}", CALLS(CALL(1000, 77)),
	       "1-2-3-4-5-6-7-8-9-77-1-2-3-4-5-6-7-8-9-0-\n\n\n"),
	ALONE("strftime(\"%b|%X\",nsecs)", "Jan|00:00:00"),
	ALONE("strncmp(comm,\"caught\",2)", "0"),
	ALONE("strncmp(comm,\"caught\",3)", "1"),
	ALONE("strncmp(\"cat\",comm,9)", "0"),
	ALONE("strncmp(comm,\"ca\",9)", "1"),
	SCRIPT("bswap() of a variable has the width of what was assigned",
	       "k:vfs_read{$x=(uint16)arg0;@a=$x;$x=bswap($x);printf(\"%x\t%x\t%x\n\",$x,"
	       "bswap(@a),bswap((uint32)arg0))}", CALLS(CALL(1000, 0x1234)),
	       "3412\t3412\t34120000\n\n\n@a: 4660\n"),
	SCRIPT("numbers shown as texts are keys and values", "k:vfs_read{@a[strerror(arg0)]++;"
	       "@b=strerror(arg0)}", CALLS(CALL(1000, 2) CALL(1001, 1) CALL(1002, 2)),
	       "\n\n@a[Operation not permitted]: 1\n@a[No such file or directory]: 2\n"
	       "@b: No such file or directory\n"),
	SCRIPT("functions in BEGIN", "BEGIN{printf(\"%s|%x|%d\\n\",strerror(1),"
	       "bswap((uint32)1),strncmp(comm,\"?\",1))}", "",
	       "Operation not permitted|1000000|1\n\n\n"),
	SCRIPT("macros: values, statements, names of their own",
	       "#define\tSUM\tpid+N\n#define\tN\t3\n#define\tT\t\"x,\t)\"\n"
	       "macro\tone{1}macro\ttwice(v){v+v}macro\ttell(what,$a,@b){$x=what;$a+=$x;@b++;"
	       "greet;print($x*2)}macro\tgreet(){print(T)}"
	       "k:vfs_read\t/twice(arg0)==SUM-twice(one)&&comm!=T/{$x=1;tell(twice($x)+1,$x,@m);"
	       "if\tone{print($x+SUM*one())}}",
	       CALLS("1000 0 7 p:vfs_read a0=3\n"), "x,\t)\n6\n12\n\n\n@m: 1\n"),
	TEXT("bpftrace's JSON", "bt -q -f json -e k:vfs_read{print(arg0);print(comm);"
	     "printf(\"%d\\n\",arg0);@a[comm,arg0]=count();@b=hist(arg0);@c=stats(arg0);"
	     "@d[arg0]=avg(arg0);@e=lhist(arg0,0,2,1);@f=comm}",
	     CALLS(CALL(1000, 1) CALL(1001, 4)),
	     "{\"type\": \"value\", \"data\": 1}\n{\"type\": \"value\", \"data\": \"cat\"}\n"
	     "{\"type\": \"printf\", \"data\": \"1\\n\"}\n"
	     "{\"type\": \"value\", \"data\": 4}\n{\"type\": \"value\", \"data\": \"cat\"}\n"
	     "{\"type\": \"printf\", \"data\": \"4\\n\"}\n"
	     "{\"type\": \"map\", \"data\": {\"@a\": {\"cat,1\": 1, \"cat,4\": 1}}}\n"
	     "{\"type\": \"hist\", \"data\": {\"@b\": [{\"min\": 1, \"max\": 1, \"count\": 1}, "
	     "{\"min\": 2, \"max\": 3, \"count\": 0}, {\"min\": 4, \"max\": 7, \"count\": 1}]}}\n"
	     "{\"type\": \"stats\", \"data\": {\"@c\": {\"count\": 2, \"average\": 2, "
	     "\"total\": 5}}}\n{\"type\": \"stats\", \"data\": {\"@d\": {\"1\": 1, \"4\": 4}}}\n"
	     "{\"type\": \"hist\", \"data\": {\"@e\": [{\"min\": 1, \"max\": 1, \"count\": 1}, "
	     "{\"min\": 2, \"count\": 1}]}}\n{\"type\": \"map\", \"data\": {\"@f\": \"cat\"}}\n"),
	JSON("for machines", "bt -q -e k:vfs_read{printf(\"%d\\n\",arg0);@a[comm,1]=count();"
	     "@b=hist(arg0)}", CALLS(CALL(1000, 5)),
	     "{\"type\":\"printf\",\"text\":\"5\\n\",\"map\":null,\"key\":null,\"value\":null,"
	     "\"low\":null,\"high\":null,\"count\":null}\n"
	     "{\"type\":\"map\",\"text\":null,\"map\":\"@a\",\"key\":\"cat, 1\",\"value\":1,"
	     "\"low\":null,\"high\":null,\"count\":null}\n"
	     "{\"type\":\"hist\",\"text\":null,\"map\":\"@b\",\"key\":null,\"value\":null,"
	     "\"low\":4,\"high\":7,\"count\":1}\n"),
};

#define BT_TOOLS(TOOL) TOOL(bt)
BT_TOOLS(ROWS_TEST)

Suite *suite_bt(void);
Suite *suite_bt(void)
{
	Suite *s = suite_create("bt");

	BT_TOOLS(ROWS_ADD)
	return s;
}
