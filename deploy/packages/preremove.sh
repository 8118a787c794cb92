#!/bin/sh
# Stops hermes before its program goes. $1 says whether it goes for good: "remove" of dpkg, 0 of rpm.
set -e

case "$1" in
remove | 0)
  if [ -d /run/systemd/system ]; then
    systemctl disable --now hermes.service
  fi
  ;;
esac
