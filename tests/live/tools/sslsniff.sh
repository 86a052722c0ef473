# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# sslsniff: each call of real libraries that moves bytes over TLS is one row with their number, and with --data its text:
# OpenSSL by SSL_read() (openssl) and SSL_read_ex() (python3), GnuTLS (wget).
. "${0%/*}/../lib.sh"

cert=$TMP/cert.pem
if ! openssl req -x509 -newkey rsa:2048 -nodes -keyout "$TMP/key.pem" -out "$cert" -days 2 -subj /CN=localhost 2>/dev/null; then
	skip openssl "no openssl on this machine to speak TLS with"
	exit
fi
port=7671
# Each client asks once for a page of 26 bytes. The client is OpenSSL with SSL_read and SSL_write.
cat >"$TMP/ask.sh" <<'ASK'
{ printf 'GET /\033[31m HTTP/1.0\r\n\r\n'; sleep 1; } | openssl s_client -connect 127.0.0.1:$1 -quiet 2>/dev/null
ASK
cat >"$TMP/ask.py" <<'ASK'
import socket, ssl, sys
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
s = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1]))))
s.sendall(b"GET /py\0thon\r\n" + b"x" * (int(sys.argv[2]) - 18) + b"\r\n\r\n")
while s.recv(4096):
    pass
ASK
printf 'HTTP/1.0 200 ok\r\n\r\nan answer\n' >"$TMP/answer"
serve() {
	(cd "$TMP" && exec openssl s_server -accept $port -cert cert.pem -key key.pem -HTTP -quiet -naccept "$1") >"$TMP/server" 2>&1 </dev/null &
	server=$!
	running="$running $server"
	wait_for 10 listens
}
listens() { grep -q "0*0:$(printf %04X $port) .* 0A " /proc/net/tcp /proc/net/tcp6 2>/dev/null; }
has_python() { python3 -c 'import ssl' 2>/dev/null; }
has_gnutls() { wget --version 2>/dev/null | grep -q 'ssl/gnutls'; }
# rows FILE PATTERN: func call len, of tasks of this name.
rows() { fields "$1" comm func call len | awk -F '\t' -v OFS='\t' -v comm="$2" '$1 == comm { print $2, $3, $4 }'; }

for b in $ENGINES; do
	serve 4
	start_or_skip rows-$b "$(absences $b)" s sslsniff --backend $b --json || { kill "$server"; continue; }
	start o sslsniff --backend $b --json -o
	start h sslsniff --backend $b --json --handshake -c python3
	start t sslsniff --backend $b -x -c openssl
	if [ $b = bpf ]; then
		start d sslsniff --backend $b --json --data
		start x sslsniff --backend $b --hexdump -c openssl
		start m sslsniff --backend $b --data --max-buffer-size 300 -c python3
		start n sslsniff --backend $b --json --data -c python3
	else
		refused data-$b 'only BPF' sslsniff --data --backend $b
	fi
	sh "$TMP/ask.sh" $port >/dev/null
	! has_python || python3 "$TMP/ask.py" $port 1504
	! has_python || python3 "$TMP/ask.py" $port 10000
	! has_gnutls || wget -q --no-check-certificate -O /dev/null https://127.0.0.1:$port/answer
	sleep 1
	for id in s o h t; do
		stop $id
		equal ends-$id-$b 0 "$STATUS"
	done
	kill "$server" 2>/dev/null
	wait "$server" 2>/dev/null
	lossless lost-$b $b "$TMP/s.out"

	# The server of openssl goes around SSL_read().
	rows "$TMP/s.out" openssl >"$TMP/got"
	equal client-writes-$b 1 "$(grep -c "^WRITE/SEND	SSL_write	23$" "$TMP/got")"
	contains client-reads-$b "$TMP/got" "^READ/RECV	SSL_read	[0-9]+$"
	equal none-without-$b 0 "$(rows "$TMP/o.out" openssl | wc -l)"
	contains text-head-$b "$TMP/t.out" '^FUNC         TIME\(s\)      COMM             PID     UID     TID     LEN    LAT\(ms\)$'
	contains text-row-$b "$TMP/t.out" '^WRITE/SEND   [0-9.]+ +openssl          [0-9]+ +[-0-9]+ +[0-9]+ +23     [0-9]+\.[0-9]{3}$'
	contains said-$b "$TMP/s.err" 'TLS of their own are not seen'
	if has_python; then
		rows "$TMP/s.out" python3 >"$TMP/got"
		n=1504 times=1
		equal handshakes-$b 2 "$(rows "$TMP/h.out" python3 | grep -c ^HANDSHAKE)"
		[ $b = bpf ] || n=- times=2
		equal python-writes-$b $times "$(grep -c "^WRITE/SEND	SSL_write_ex	$n$" "$TMP/got")"
	else
		skip python-$b "no python3 with ssl"
	fi
	if has_gnutls; then
		rows "$TMP/s.out" wget >"$TMP/got"
		contains gnutls-writes-$b "$TMP/got" '^WRITE/SEND	gnutls_record_send	[0-9]+$'
		contains gnutls-reads-$b "$TMP/got" '^READ/RECV	gnutls_record_recv	[0-9]+$'
		rows "$TMP/o.out" wget >"$TMP/others"
		same gnutls-alone-$b "$TMP/got" "$TMP/others"
	else
		skip gnutls-$b "no wget that uses GnuTLS"
	fi
	[ $b = bpf ] || continue
	stop d
	stop x
	stop m
	stop n
	fields "$TMP/d.out" comm func data >"$TMP/got"
	contains data-write "$TMP/got" '^openssl	WRITE/SEND	GET\\x20/\\x1b\[31m\\x20HTTP/1.0\\x0d\\x0a\\x0d\\x0a$'
	contains data-read "$TMP/got" '^openssl	READ/RECV	HTTP/1.0\\x20200\\x20ok\\x0d\\x0a'
	contains hexdump "$TMP/x.out" '^  0000  47 45 54 20 2f 1b 5b 33 31 6d 20 48 54 54 50 2f  GET /\.\[31m HTTP/$'
	if has_python; then
		contains cut "$TMP/m.out" '^----- END DATA \(TRUNCATED, 1204 bytes lost\) -----$'
		contains nul "$TMP/m.out" '^  GET /py\\x00thon$'
		# All of a text where programs have loops: 8192 bytes.
		most=8192
		"$SONDE" sslsniff --data --max-buffer-size 1025 --dump >/dev/null 2>"$TMP/loops" || most=1024
		[ $most = 8192 ] || contains no-loops "$TMP/loops" "have no loops .since 5.3.: ask for 1024 bytes or less"
		for n in 1504 10000; do
			equal long-$n $((n > most ? most : n)) "$(fields "$TMP/n.out" func len data |
				awk -F '\t' -v n=$n '$1 == "WRITE/SEND" && $2 == n { gsub(/\\x[0-9a-f][0-9a-f]/, "."); print length($3) }')"
		done
		equal bytes 286 "$(grep -o 'x*$' "$TMP/m.out" | awk 'length > 100 { print length; exit }')"
	fi
done
expect no-such-library sh -c '! "$0" sslsniff --extra-lib what:/x 2>"$1" && grep -q "names no library" "$1"' "$SONDE" "$TMP/misuse"
expect no-such-file sh -c '! "$0" sslsniff --extra-lib openssl:/nosuch 2>"$1" && grep -q "opened" "$1"' "$SONDE" "$TMP/misuse"
for wrong in '-o -g -n' '--max-buffer-size 0' '--max-buffer-size 8193' 'rest'; do
	# shellcheck disable=SC2086
	"$SONDE" sslsniff $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
