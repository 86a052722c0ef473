#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# web.sh start CPU DIR: a web server, nginx with one worker on that CPU. DIR has its files, its log, and `port`, its port.
# web.sh DIR: eight clients ask it for a second; prints "ns N", the time between two answers. A request is a connection:
# accept, open, read, send, a line of the log, close. The worker is root, as the folder is for root alone.
# web.sh stop DIR
set -u
die() { echo "web: error: $*" >&2; exit 1; }

start() {
	command -v nginx >/dev/null && command -v wrk >/dev/null || die "nginx or wrk is not installed"
	mkdir -p "$2/root" || exit
	head -c 1024 /dev/zero | tr '\0' x >"$2/root/page"
	for port in $(seq 18080 18099); do
		cat >"$2/nginx.conf" <<-CONF
		user root;
		worker_processes 1;
		pid $2/pid;
		error_log $2/errors;
		events { worker_connections 64; }
		http {
			access_log $2/log;
			server { listen 127.0.0.1:$port; root $2/root; }
		}
		CONF
		taskset -c "$1" nginx -p "$2" -c "$2/nginx.conf" >"$2/said" 2>&1 && echo "$port" >"$2/port" && return
	done
	die "nginx does not start: $(tail -n 1 "$2/said")"
}

ask() {
	wrk -t 1 -c 8 -d 1s -H 'Connection: close' "http://127.0.0.1:$(cat "$1/port")/page" >"$1/asked" || exit
	! grep -q 'errors\|Non-2xx' "$1/asked" || die "$(grep 'errors\|Non-2xx' "$1/asked")"
	awk '/^Requests\/sec/ { printf "ns %.0f\n", 1e9 / $2 }' "$1/asked"
	: >"$1/log"
}

case $1 in
start) start "$2" "$3" ;;
stop) kill "$(cat "$2/pid")" ;;
*) ask "$1" ;;
esac
