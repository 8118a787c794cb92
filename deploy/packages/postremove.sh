#!/bin/sh
# Removing keeps the configuration in /etc/hermes, the database in /var/lib/hermes and the user hermes, whose they are, and says
# so. apt purge deletes them. rpm has no purge: docs/start.md has the lines.
set -e

if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
case "$1" in
remove | 0)
  echo "hermes: /etc/hermes, /var/lib/hermes and the user hermes were kept"
  ;;
purge)
  rm -rf /etc/hermes /var/lib/hermes
  if getent passwd hermes >/dev/null; then userdel hermes; fi
  if getent group hermes >/dev/null; then groupdel hermes; fi
  ;;
esac
