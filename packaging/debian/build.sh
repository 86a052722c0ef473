#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# build.sh DIR ARCH: what `make deb` does: installs sonde, which is built for ARCH (Debian's name), into DIR/deb, and packs
# DIR/sonde_VERSION_ARCH.deb. It needs dpkg, and neither root nor debhelper. The same input makes the same bytes: times
# come from $SOURCE_DATE_EPOCH, or else from the changelog. $DEBFULLNAME and $DEBEMAIL name another maintainer.
set -eu
dir=$1 arch=$2
here=$(dirname "$0")
root=$dir/deb
export LC_ALL=C TZ=UTC
umask 022
command -v dpkg-deb >/dev/null || { echo "make deb: dpkg-deb is missing: a .deb is made on Debian and its kin" >&2; exit 1; }

version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$here/changelog")
maintainer=$(sed -n 's/^ -- \(.*>\).*/\1/p' "$here/changelog" | head -n 1)
[ -z "${DEBEMAIL:-}" ] || maintainer="${DEBFULLNAME:-sonde maintainers} <$DEBEMAIL>"
[ "$version" = "$VERSION" ] || {
	echo "make deb: $here/changelog is about version $version, the Makefile makes $VERSION" >&2
	exit 1
}
: "${SOURCE_DATE_EPOCH:=$(date -d "$(sed -n 's/^ -- .*>  //p' "$here/changelog" | head -n 1)" +%s)}"
export SOURCE_DATE_EPOCH

rm -rf "$root"
${MAKE:-make} install DESTDIR="$root" PREFIX=/usr bindir=/usr/bin linkdir=/usr/lib/sonde/bin manext=8sonde \
	sysconfdir=/etc unitdir=/lib/systemd/system datadir=/usr/share mandir=/usr/share/man docdir=/usr/share/doc/sonde zshdir=/usr/share/zsh/vendor-completions >"$dir/deb.log"
doc=$root/usr/share/doc/sonde
rm "$doc/LICENSE"
install -m 644 "$here/copyright" "$here/README.Debian" "$doc"
install -m 644 "$here/changelog" "$doc/changelog"
install -D -m 644 "$here/lintian-overrides" "$root/usr/share/lintian/overrides/sonde"
find "$root/usr/share/man" -type f -exec gzip -9n {} +
gzip -9n "$doc/changelog"

# The libraries that are in the binary, as far as they are this machine's packages.
sources=
if [ "$arch" = "$(dpkg --print-architecture)" ]; then
	sources=$(dpkg-query -W -f '${source:Package} (= ${source:Version})\n' libc6-dev $(awk '/^[a-z]/ { print $3 }' "$here/../../tests/libraries") \
		2>/dev/null | paste -sd, | sed 's/,/, /g')
fi
mkdir "$root/DEBIAN"
sed "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@MAINTAINER@/$maintainer/; s/@SIZE@/$(du -sk --apparent-size "$root/usr" | cut -f1)/
	s/@SOURCES@/$sources/; /^Built-Using: \$/d" "$here/control" >"$root/DEBIAN/control"
echo /etc/sonde/export.conf >"$root/DEBIAN/conffiles"
(cd "$root" && find usr lib -type f | sort | xargs md5sum) >"$root/DEBIAN/md5sums"
dpkg-deb --root-owner-group -Zxz --build "$root" "$dir/sonde_${version}_$arch.deb" >>"$dir/deb.log"
echo "  DEB     $dir/sonde_${version}_$arch.deb"
