#!/bin/sh
# Runs inside the new root, for every recipe alike: users, the virtual environment, mount points, and what must go.
set -eu

# Sessions run under a uid of their own; programs such as git, ssh and pip want a name for it.
uid=${CAISSON_FIRST_UID:-20000}
last=$((uid + ${CAISSON_UIDS:-2000} - 1))
getent group agent >/dev/null || groupadd --gid 20000 agent
while [ "$uid" -le "$last" ]; do
  printf 'agent%s:x:%s:20000:Caisson session:/home/agent:/bin/bash\n' "$uid" "$uid" >>/etc/passwd
  uid=$((uid + 1))
done

mkdir -p /workspace /home/agent
chmod 0755 /workspace /home/agent

python3 -m venv --system-site-packages /opt/venv
ln -sf python3 /opt/venv/bin/python
# pip installs here on a read-only root: setup mounts a writable copy of it in HOME.

printf '[safe]\n\tdirectory = *\n[user]\n\tname = Caisson agent\n\temail = agent@caisson.invalid\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n' >/etc/gitconfig

# Nothing here may gain privileges; the sandbox forbids it too.
find / -xdev -type f -perm /6000 -exec chmod a-s {} +

apt-get clean 2>/dev/null || true
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/debconf/*-old /var/log/*.log /var/log/apt /var/log/bootstrap.log
rm -rf /usr/share/doc/* /usr/share/man/* /usr/share/info/* /usr/share/lintian /usr/share/linda
find /usr/share/locale -mindepth 1 -maxdepth 1 ! -name 'en*' ! -name 'C*' -exec rm -rf {} +
find / -xdev -name __pycache__ -type d -prune -exec rm -rf {} +
: >/etc/machine-id
rm -f /etc/resolv.conf /etc/hostname
