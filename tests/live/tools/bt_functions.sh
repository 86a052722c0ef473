# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# bt: each function of the language gives the same value in BEGIN, in an interval, in END and in a probe of each engine, or is
# refused by its name. A unit test compares the names here with the tables of functions.
. "${0%/*}/../lib.sh"

# ntohs() and so on: the machines that run this are little-endian.
# NAME ; FORMAT ; EXPRESSION ; its value. @one is 1, @text is "abcdef", @m has one entry: nothing is known when the script is read.
functions() {
	sed 's/  *;  */;/g' <<-'FUNCTIONS'
	bswap ; %x ; bswap((uint16)(@one + 0x1233)) ; 3412
	bswap ; %x ; bswap((uint32)(@one + 0x12345677)) ; 78563412
	bswap ; %lx ; bswap((uint64)(@one + 0x1122334455667787)) ; 8877665544332211
	bswap ; %x ; bswap((uint8)(@one + 0x41)) ; 42
	strncmp ; %d ; strncmp(@text, "abx", 2) ; 0
	strncmp ; %d ; strncmp(@text, "abx", 3) != 0 ; 1
	kptr ; %lx ; (uint64)kptr(@one + 4095) ; 1000
	uptr ; %lx ; (uint64)uptr(@one + 4095) ; 1000
	memcmp ; %d ; memcmp(@text, "abd", 3) ; -1
	memcmp ; %d ; memcmp(@text, "abd", 2) ; 0
	memcmp ; %d ; memcmp(@text, "abb", 3) ; 1
	strlen ; %d ; strlen(@text) ; 6
	strcontains ; %d ; strcontains(@text, "cd") ; 1
	strcontains ; %d ; strcontains(@text, "cx") ; 0
	strstr ; %d ; strstr(@text, "cd") ; 2
	strstr ; %d ; strstr(@text, "cx") ; -1
	strerror ; %s ; strerror(@one + 1) ; No such file or directory
	syscall_name ; %s ; syscall_name(@one + 99999) ; 100000
	ntohs ; %x ; ntohs((uint16)(@one + 0x1233)) ; 3412
	ntohl ; %x ; ntohl((uint32)(@one + 0x12345677)) ; 78563412
	htons ; %x ; htons((uint16)(@one + 0x1233)) ; 3412
	htonl ; %x ; htonl((uint32)(@one + 0x12345677)) ; 78563412
	signal_name ; %s ; signal_name(@one + 8) ; Killed
	strftime ; %s ; strftime("%%", nsecs + @one) ; %
	ksym ; %s ; ksym(@one) ; 0x1
	pton ; %s ; ntop(pton("127.0.0.1")) ; 127.0.0.1
	ntop ; %s ; ntop(2, (uint32)(@one + 0x100007e)) ; 127.0.0.1
	is_err ; %d ; is_err(kptr(-@one)) ; 1
	is_err ; %d ; is_err(kptr(@one)) ; 0
	is_ptr ; %d ; is_ptr((uint8 *)@one) ; 1
	is_str ; %d ; is_str(@text) ; 1
	is_array ; %d ; is_array(@one) ; 0
	is_integer ; %d ; is_integer(@one) ; 1
	is_unsigned_integer ; %d ; is_unsigned_integer((uint32)@one) ; 1
	is_literal ; %d ; is_literal("a") ; 1
	sizeof ; %d ; sizeof(uint16) ; 2
	offsetof ; %d ; offsetof(struct pair, b) ; 4
	container_of ; %lx ; (uint64)container_of((uint32 *)(@one + 4099), struct pair, b) ; 1000
	len ; %d ; len(@m) ; 1
	has_key ; %d ; has_key(@m, @one) ; 1
	has_key ; %d ; has_key(@m, @one + 1) ; 0
	rand ; %d ; rand % 1 == 0 ; 1
	elapsed ; %d ; elapsed + @one > 0 ; 1
	a text ; %d ; @text == "abcdef" ; 1
	a choice ; %d ; @one ? 5 : 6 ; 5
	a quotient ; %ld ; -100 / (@one + 2) ; -33
	a remainder ; %ld ; -100 % (@one + 2) ; -1
	a shift ; %lx ; (int64)-8 >> @one ; fffffffffffffffc
	a shift ; %lx ; (uint64)-8 >> @one ; 7ffffffffffffffc
	a cast ; %ld ; (int8)(@one + 254) ; -1
	a cast ; %ld ; (uint8)(@one + 255) ; 0
	operators ; %lx ; ~@one ^ -@one | !@one ; 1
	FUNCTIONS
}

# NAME ; EXPRESSION ; what sonde's own events say, and what probes say that are no function's (-: they have it).
refusals() {
	sed 's/  *;  */;/g' <<-'REFUSALS'
	usym ; usym(@one) ; have no usym ; -
	buf ; buf(@one, 4) ; have no memory to read ; -
	str ; str(@text) ; is a string already ; is a string already
	macaddr ; macaddr(@one) ; takes an array of 6 bytes ; -
	path ; path(@one) ; only iter:task_file ; only iter:task_file
	reg ; reg("ip") ; only functions have registers ; only functions have registers
	uaddr ; uaddr("main") ; only probes in a file ; only probes in a file
	REFUSALS
}

# Values that are of this machine: a probe has what BEGIN has.
machine() {
	sed 's/  *;  */;/g' <<-'MACHINE'
	kaddr ; %lx ; kaddr("init_task")
	percpu_kaddr ; %lx ; percpu_kaddr("runqueues", 0)
	cgroupid ; %d ; cgroupid("CGROUP")
	cgroup_path ; %s ; cgroup_path(@one)
	ncpus ; %d ; ncpus
	MACHINE
}

begin='@one = 1; @text = "abcdef"; @m[7] = 1; @m[1] = 1; delete(@m[7]);'
end='clear(@one); clear(@text); clear(@m);'
declared='struct pair { uint32 a; uint32 b; };'

# show ROWS: statements that print a line for each row.
show() { awk -F';' '{ printf "printf(\"%s: %s\\n\", %s); ", $1, $2, $3 }' "$1"; }

functions >"$TMP/rows"
awk -F';' '{ printf "%s: %s\n", $1, $4 }' "$TMP/rows" >"$TMP/wanted"

# Those of this machine, one by one: what it refuses is left out.
machine | sed "s|CGROUP|$(cgroup2)|" >"$TMP/machine"
while read -r row; do
	echo "$row" >"$TMP/row"
	name=${row%%;*}
	if timeout $((20 * SLOW)) "$SONDE" bt -q -e "BEGIN { $begin $(show "$TMP/row") $end exit(); }" >"$TMP/out" 2>"$TMP/err"; then
		echo "$row" >>"$TMP/rows"
		head -n 1 "$TMP/out" >>"$TMP/wanted"
	else
		skip own-$name "$(head -n 1 "$TMP/err")"
	fi
done <"$TMP/machine"
statements=$(show "$TMP/rows")

# in_own NAME PROBES
in_own() {
	timeout $((20 * SLOW)) "$SONDE" bt -q -e "$declared $2" >"$TMP/out" 2>"$TMP/err"
	equal "$1-ends" 0 $? || notes "$TMP/err"
	grep . "$TMP/out" >"$TMP/got"
	same "$1" "$TMP/wanted" "$TMP/got"
}
in_own begin "BEGIN { $begin $statements $end exit(); }"
in_own interval "BEGIN { $begin } interval:ms:100 { $statements $end exit(); }"
in_own end "BEGIN { $begin } interval:ms:100 { exit(); } END { $statements $end }"

for b in $ENGINES; do
	has_event syscalls sys_enter_read || break
	# A program of an old kernel has room for few of them.
	split -l 20 "$TMP/rows" "$TMP/part."
	: >"$TMP/got"
	for part in "$TMP"/part.*; do
		start_or_skip probe-$b "$(absences $b)" s bt --backend $b -q -e \
			"$declared BEGIN { $begin } t:syscalls:sys_enter_read /args.count == 30029/ { $(show "$part") exit(); } END { $end }" || break
		dd if=/dev/zero of=/dev/null bs=30029 count=1 2>/dev/null
		await s && { equal probe-$b-ends 0 "$STATUS" || notes "$TMP/s.err"; }
		grep . "$TMP/s.out" >>"$TMP/got"
	done
	[ ! -s "$TMP/got" ] || same probe-$b "$TMP/wanted" "$TMP/got"
done

# refused NAME WORDS SCRIPT
refused() {
	timeout $((20 * SLOW)) "$SONDE" bt -q -e "$3" >"$TMP/out" 2>"$TMP/err"
	equal refused-$1-status 1 $?
	contains refused-$1 "$TMP/err" "$2"
}
refusals >"$TMP/refusals"
while IFS=';' read -r name expression own probe; do
	refused "own-$name" "$own" "BEGIN { $begin @[1] = count(); print(($expression, 1)); }"
	[ "$probe" = - ] || refused "probe-$name" "$probe" "BEGIN { $begin } t:syscalls:sys_enter_read { print(($expression, 1)); }"
done <"$TMP/refusals"
