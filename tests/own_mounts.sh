# SPDX-License-Identifier: GPL-2.0
#
# For scripts that make mounts: they are the script's alone, and go with it. own_mounts DIR ARGS... runs the script again,
# as `SCRIPT --inside DIR ARGS...`, where nobody else sees what it mounts; when that ends, however it does, its processes
# are ended and DIR is removed. It does not return.
own_mounts() {
	dir=$1
	pid=
	finish() {
		[ -z "$pid" ] || kill -TERM "-$pid" 2>/dev/null
		[ -z "$pid" ] || wait "$pid"
		rm -rf --one-file-system "$dir"
	}
	trap finish EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	setsid unshare --mount --propagation private sh "$0" --inside "$@" &
	pid=$!
	wait "$pid"
	status=$?
	pid=
	exit $status
}
