#!/bin/sh
# Builds the smallest image a sandbox can work in, for the tests of the `exec` transport: a static busybox and nothing
# else. No registry: the program is Debian's package busybox-static. Needs apt, dpkg-deb and a running engine.
#
#   images/build-busybox.sh <tag>
set -eu

tag=${1:?Usage: build-busybox.sh <tag>}
engine=${CAISSON_ENGINE_CLI:-docker}

root=$(mktemp -d "${TMPDIR:-/tmp}/caisson-busybox.XXXXXX")
trap 'rm -rf "$root"' EXIT
trap 'exit 130' INT TERM

cd "$root"
apt-get download busybox-static >log 2>&1 || {
  tail -n 3 log >&2
  printf 'Cannot download the package busybox-static. Run: apt-get update\n' >&2
  exit 1
}
dpkg-deb -x busybox-static_*.deb package
mkdir -p image/bin image/etc image/home/agent image/tmp image/workspace image/proc image/sys image/dev
cp package/bin/busybox image/bin/busybox
for name in $(image/bin/busybox --list); do [ "$name" = busybox ] || ln -s busybox "image/bin/$name"; done
chmod 1777 image/tmp
# Debian's busybox lacks this one.
cat >image/bin/printenv <<'END'
#!/bin/sh
for name in "$@"; do eval "printf '%s\n' \"\$$name\""; done
END
chmod 755 image/bin/printenv
printf 'root:x:0:0:root:/root:/bin/sh\n' >image/etc/passwd
tar -C image -cf - . | "$engine" import --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' - "$tag" >/dev/null
