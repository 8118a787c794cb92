#!/bin/sh
# Makes the user that hermes runs as, and gives it the configuration. Nothing is started or enabled: hermes has no bot yet. A hermes
# that runs as a service of the machine is restarted with the new version; what is open stays open.
set -e

getent group hermes >/dev/null || groupadd --system hermes
getent passwd hermes >/dev/null ||
  useradd --system --gid hermes --home-dir /var/lib/hermes --no-create-home --shell /usr/sbin/nologin hermes

# What was given to another user on purpose stays so.
if [ "$(stat -c %U /etc/hermes)" = root ]; then
  chown hermes:hermes /etc/hermes
  chmod 700 /etc/hermes
fi
if [ -e /etc/hermes/hermes.env ] && [ "$(stat -c %U /etc/hermes/hermes.env)" = root ]; then
  chown hermes:hermes /etc/hermes/hermes.env
fi
install -d -m 700 -o hermes -g hermes /var/lib/hermes

if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart hermes.service
fi
