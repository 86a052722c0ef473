# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# dbslower and dbstat: queries of a program with PostgreSQL's probes and MySQL's function, and of a PostgreSQL and a
# MariaDB of one's own, with the times that these log.
. "${0%/*}/../lib.sh"

# rows ID WANTED: each query of the workload w, with all that is known of it, and how long it took.
rows() {
	fields "$TMP/s.out" pid kind statement failed query >"$TMP/rows" || fail "json-$1" "$(tail -n 1 "$TMP/rows")"
	sed -n 's/^row	//p' "$TMP/w.said" >"$TMP/wanted"
	same "rows-$1" "$TMP/wanted" "$TMP/rows"
	fields "$TMP/s.out" lat_ms | awk '$1 < 4 || $1 > 1000' >"$TMP/times"
	equal "times-$1" 0 "$(wc -l <"$TMP/times")"
	equal "lost-$1" 0 "$(reported "$TMP/s.out" lost)"
}

for b in $ENGINES; do
	for kind in postgres mysql; do
		load w "$WORK" $kind 3
		start_or_skip rows-$kind-$b "$(absences $b)" s dbslower $kind -x "$WORK" -m 3 -p "$(pid w)" --json --backend $b || {
			go w
			continue
		}
		go w
		stop s && equal ends-$kind-$b 0 "$STATUS"
		rows $kind-$b
	done
	load w "$WORK" mysql 1
	if start_or_skip text-$b "$(absences $b)" s mysqld_qslower "$(pid w)" 2.5 -x "$WORK" --backend $b; then
		go w
		stop s
		sed "s/^[0-9]\.[0-9]* */TIME /; s/ $(pid w) *[0-9]*\.[0-9]* / PID MS /" "$TMP/s.out" >"$TMP/got"
		cat >"$TMP/wanted" <<-END
			Tracing database queries slower than 2.500 ms... Hit Ctrl-C to end.
			TIME(s)        PID           MS QUERY
			TIME PID MS select 1
			TIME PID MS (prepare) select 1
			TIME PID MS (statement 257)
			TIME PID MS select 1
			TIME PID MS (fetch) (statement 70001)
		END
		same text-$b "$TMP/wanted" "$TMP/got"
	else
		go w
	fi
	load w "$WORK" postgres 5
	if start_or_skip histogram-$b "$(absences $b)" s dbstat postgres -u -x "$WORK" -p "$(pid w)" --json --backend $b; then
		go w
		stop s
		# Four of a round take 4 ms, and one no time.
		equal histogram-$b 25 "$(counted "$TMP/s.out")"
		equal slots-$b 20 "$(slots "$TMP/s.out" | awk '$2 >= 4000 { n += $3 } END { print n + 0 }')"
	else
		go w
	fi
done

# ---- PostgreSQL: its own log of statements and times ----

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
as_postgres() { su postgres -s /bin/sh -c "cd '$TMP/pg' && $*"; }
stop_servers() {
	[ ! -e "$TMP/pg/data/postmaster.pid" ] || as_postgres "'$bin/pg_ctl' -D '$TMP/pg/data' -m immediate stop" >/dev/null 2>&1
	[ ! -s "$TMP/my/pid" ] || kill "$(cat "$TMP/my/pid")" && wait_for 20 [ ! -e "$TMP/my/pid" ]
}
cleanup_hook() { stop_servers; }

postgres_begins() {
	chmod 711 "$TMP" && mkdir "$TMP/pg" && chown postgres "$TMP/pg" &&
		as_postgres "'$bin/initdb' -N -D data -A trust" >"$TMP/pg.log" 2>&1 &&
		as_postgres "'$bin/pg_ctl' -D data -w -t 60 -l log -o \"-c log_min_duration_statement=0 -c log_line_prefix= -c listen_addresses= -c unix_socket_directories='$TMP/pg' -c fsync=off\" start" >>"$TMP/pg.log" 2>&1
}
ask() { psql -q -h "$TMP/pg" -U postgres -d postgres "$@" >/dev/null 2>&1; }

# "MS TEXT" of statements and executions.
logged() {
	sed -n 's/^LOG:  duration: \([0-9.]*\) ms  \(statement\|execute [^:]*\): \(.*\)/\1 \3/p' "$TMP/pg/log"
}
if [ -z "$bin" ] || ! command -v psql >/dev/null || ! id postgres >/dev/null 2>&1; then
	skip postgres "PostgreSQL is not installed"
elif ! postgres_begins; then
	skip postgres "PostgreSQL does not start here: $(tail -n 1 "$TMP/pg.log")"
else
	for b in $ENGINES; do
		start_or_skip postgres-$b "$(absences $b)" s dbslower postgres -x "$bin/postgres" -m 0 --json --backend $b || continue
		before=$(logged | wc -l)
		ask -c 'select 1 as one, pg_sleep(0.02)' -c 'select 2/0' -c 'begin; select 3; commit'
		echo 'select 4, pg_sleep(0.03);' >"$TMP/pg/script"
		"$bin/pgbench" -n -M prepared -t 2 -f "$TMP/pg/script" -h "$TMP/pg" -U postgres postgres >/dev/null 2>&1
		sleep 0.2
		stop s && equal postgres-ends-$b 0 "$STATUS"
		fields "$TMP/s.out" query | sed 's/\\x20/ /g' | grep -v '2/0' >"$TMP/got"
		logged | tail -n +$((before + 1)) >"$TMP/log"
		cut -d ' ' -f 2- "$TMP/log" >"$TMP/wanted"
		same postgres-rows-$b "$TMP/wanted" "$TMP/got"
		equal postgres-failed-$b 1 "$(fields "$TMP/s.out" failed query | grep -c '^1.*2/0')"
		fields "$TMP/s.out" lat_ms failed | awk '!$2 { print $1 }' | paste -d ' ' - "$TMP/log" |
			awk -v slow="$SLOW" '$1 - $2 > 2 * slow || $2 - $1 > 2 * slow' >"$TMP/far"
		equal postgres-times-$b 0 "$(wc -l <"$TMP/far")"
	done
fi

# ---- MariaDB: its slow log ----

server=$(command -v mariadbd)
mariadb_begins() {
	chmod 711 "$TMP" && mkdir "$TMP/my" && chown mysql "$TMP/my" &&
		mariadb-install-db --no-defaults --user=mysql --datadir="$TMP/my/data" >"$TMP/my.log" 2>&1 || return 1
	"$server" --no-defaults --user=mysql --datadir="$TMP/my/data" --socket="$TMP/my/sock" --skip-networking \
		--pid-file="$TMP/my/pid" --slow-query-log=1 --long-query-time=0 --slow-query-log-file="$TMP/my/slow" \
		>>"$TMP/my.log" 2>&1 </dev/null &
	wait_for 60 mariadb --no-defaults -S "$TMP/my/sock" -e 'select 0' >/dev/null 2>&1
}
if [ -z "$server" ] || ! command -v mariadb-install-db >/dev/null || ! id mysql >/dev/null 2>&1; then
	skip mariadb "MariaDB is not installed"
elif ! mariadb_begins; then
	skip mariadb "MariaDB does not start here: $(tail -n 1 "$TMP/my.log")"
else
	for b in $ENGINES; do
		start_or_skip mariadb-$b "$(absences $b)" s dbslower mysql -x "$server" -p "$(cat "$TMP/my/pid")" -m 0 --json --backend $b || continue
		printf '%s\n' 'select 1 as one, sleep(0.02);' 'select 2;' "prepare s from 'select 3';" 'execute s;' |
			mariadb --no-defaults -S "$TMP/my/sock" >/dev/null 2>&1
		sleep 0.2
		stop s && equal mariadb-ends-$b 0 "$STATUS"
		fields "$TMP/s.out" query | sed 's/\\x20/ /g' >"$TMP/got"
		printf '%s\n' 'select 1 as one, sleep(0.02)' 'select 2' "prepare s from 'select 3'" 'execute s' >"$TMP/wanted"
		same mariadb-rows-$b "$TMP/wanted" "$TMP/got"
		sed -n 's/^# Query_time: \([0-9.]*\) .*/\1/p' "$TMP/my/slow" | tail -n 4 | awk '{ print $1 * 1000; exit }' >"$TMP/log"
		fields "$TMP/s.out" lat_ms | head -n 1 | paste -d ' ' - "$TMP/log" >"$TMP/both"
		equal mariadb-times-$b 0 "$(awk -v slow="$SLOW" '$1 - $2 > 2 * slow || $2 - $1 > 2 * slow' "$TMP/both" | wc -l)"
	done
fi
stop_servers

"$SONDE" dbslower oracle >"$TMP/out" 2>"$TMP/err"
equal misuse 2 $?
contains misuse-why "$TMP/err" 'takes mysql or postgres, not "oracle"'
"$SONDE" dbstat >"$TMP/out" 2>"$TMP/err"
equal nameless 2 $?
contains nameless-why "$TMP/err" 'it needs the name of a server'
"$SONDE" dbslower mysql -x "$(readlink -f /proc/$$/exe)" >"$TMP/out" 2>"$TMP/err"
equal no-function 1 $?
contains no-function-why "$TMP/err" 'has no function _Z16dispatch_command'
clean left
quiet kernel-log
