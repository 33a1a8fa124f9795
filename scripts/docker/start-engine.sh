#!/bin/sh
# Starts a Docker engine where none answers, for CI: installs it from Debian's packages if it is missing, with the C
# compiler that the tests of compiled packages use.
# Prints the process id of an engine that it started, and nothing when one was there. Needs root.
set -eu

log=${CAISSON_ENGINE_LOG:-/tmp/caisson-dockerd.log}

if ! command -v cc >/dev/null; then
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends gcc libc6-dev; } >&2 ||
    echo "No C compiler could be installed: the test of a compiled package will fail" >&2
fi
docker version >/dev/null 2>&1 && exit 0
if ! command -v dockerd >/dev/null || ! command -v debootstrap >/dev/null; then
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    docker.io debootstrap iptables ca-certificates; } >&2
fi
# Containers may have as many open files as the engine's own limit allows.
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
nohup dockerd >"$log" 2>&1 &
pid=$!
waited=0
until docker version >/dev/null 2>&1; do
  kill -0 "$pid" 2>/dev/null || { tail -n 20 "$log" >&2; echo "The engine ended while it started; its log is $log" >&2; exit 1; }
  [ "$waited" -lt 60 ] || { echo "The engine does not answer after 60 s; its log is $log" >&2; exit 1; }
  waited=$((waited + 1))
  sleep 1
done
echo "$pid"
