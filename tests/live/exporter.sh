# SPDX-License-Identifier: GPL-2.0
#
# For tests of `sonde export`, which set PORT: the exporter's own port on 127.0.0.1.

crlf=$(printf '\r\n_') && crlf=${crlf%_}

# page: the metrics of now, into $TMP/page.
page() {
	"$WORK" asks $PORT "GET /metrics HTTP/1.0$crlf$crlf" 2>"$TMP/page.why" | tr -d '\r' >"$TMP/page"
}
# values_are LINES...: all these samples are in the page of now.
values_are() {
	page
	for line; do
		grep -qxF "$line" "$TMP/page" || return 1
	done
}
# exports WORDS...: starts it, as `e`, with these words behind `sonde export`.
exports() {
	"$WORK" signals "$SONDE" export "$@" >"$TMP/e.out" 2>"$TMP/e.err" </dev/null &
	pid_e=$!
	running="$running $!"
}
