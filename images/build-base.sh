#!/bin/sh
# Builds the default sandbox image with no image registry: Debian packages make the root, `docker import` makes the image.
# The mirror is the one this machine's apt already uses. Needs root, debootstrap and a running engine.
#
#   images/build-base.sh <tag> <path to a Node binary> [extra packages…]
#
# Files are given the time of SOURCE_DATE_EPOCH (default: 2025-01-01), so that the same packages give the same layer.
set -eu

tag=${1:?Usage: build-base.sh <tag> <node binary> [extra packages]}
node=${2:?Usage: build-base.sh <tag> <node binary> [extra packages]}
shift 2

here=$(cd "$(dirname "$0")" && pwd)
engine=${CAISSON_ENGINE_CLI:-docker}
suite=${CAISSON_DEBIAN_SUITE:-bookworm}
epoch=${SOURCE_DATE_EPOCH:-1735689600}

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "Cannot build the image as $(id -un): debootstrap needs root. Run it with sudo, or build Dockerfile.sandbox"
command -v debootstrap >/dev/null || fail "Cannot build the image: debootstrap is missing. Run: apt-get install debootstrap"
"$engine" version >/dev/null 2>&1 || fail "Cannot build the image: no engine answers. Start it, or set DOCKER_HOST"

mirror=${CAISSON_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
  awk -v suite="$suite" '$2 == suite && $3 == "main" { print $1; exit }')}
[ -n "$mirror" ] || fail "Cannot find a Debian mirror for '$suite' in this machine's apt configuration. Set CAISSON_DEBIAN_MIRROR"

packages=$(sed -e 's/#.*//' "$here/packages.txt" | tr -s '[:space:]' ',' | sed -e 's/^,//' -e 's/,$//')
for extra in "$@"; do packages="$packages,$extra"; done

root=$(mktemp -d "${TMPDIR:-/tmp}/caisson-image.XXXXXX")
trap 'rm -rf "$root"' EXIT
trap 'exit 130' INT TERM

say "1/4 Debian $suite packages (a few minutes)"
debootstrap --variant=minbase --include="$packages" "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
  { tail -n 20 "$root.log" >&2; fail "Cannot build the root: debootstrap failed, its log is $root.log"; }
rm -f "$root.log"

say "2/4 Node $("$node" --version)"
install -m 0755 "$node" "$root/usr/local/bin/node"
npm_package=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
if [ -f "$npm_package/bin/npm-cli.js" ]; then
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -rL "$npm_package" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
fi

say "3/4 Users, virtual environment, clean-up"
cp "$here/prepare-root.sh" "$root/prepare-root.sh"
chroot "$root" /bin/sh /prepare-root.sh
rm "$root/prepare-root.sh"

say "4/4 Import as $tag"
find "$root" -xdev -newermt "@$epoch" -exec touch -h -d "@$epoch" {} +
tar -C "$root" --sort=name --numeric-owner --one-file-system --exclude=./proc/* --exclude=./sys/* --exclude=./dev/* -cf - . |
  "$engine" import \
    --change 'ENV PATH=/opt/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
    --change 'ENV LANG=C.UTF-8' \
    --change 'WORKDIR /workspace' \
    --change 'LABEL caisson.image=1' \
    --message 'caisson images/build-base.sh' - "$tag" >/dev/null
say "Built $tag: $("$engine" image inspect --format '{{.Size}}' "$tag") bytes"
