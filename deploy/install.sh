#!/bin/sh
# Installs the newest release of hermes, or another one:
#
#   curl -fsSL https://ADDRESS-OF-THIS-REPOSITORY/releases/latest/download/install.sh | sh
#   VERSION=1.2.3 sh install.sh
#
# Root gets /usr/local/bin/hermes, everybody else ~/.local/bin/hermes; PREFIX is another place than /usr/local or ~/.local. The archive
# is held against the release's checksums.txt, and nothing is installed if it does not fit. Both come from the same place: that finds
# damage, and no release that somebody has taken over (docs/start.md says how to verify its signature). Nothing is started and no
# other file is touched but the program, its man pages and the completion for bash. RELEASES is another place for the archives.
set -eu
umask 022 # whoever installs may have one that lets everybody write, or only root read

main() {
  releases=${RELEASES:-https://ADDRESS-OF-THIS-REPOSITORY/releases}
  from=$releases/latest/download
  if [ -n "${VERSION:-}" ]; then from=$releases/download/v${VERSION#v}; fi
  if [ "$(id -u)" = 0 ]; then prefix=${PREFIX:-/usr/local}; else prefix=${PREFIX:-$HOME/.local}; fi

  system=$(system)
  processor=$(processor)
  archive=hermes_${system}_$processor.tar.gz
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 1' INT TERM

  get "$from/checksums.txt" "$folder/checksums.txt"
  get "$from/$archive" "$folder/$archive"
  verify "$folder" "$archive"
  tar -xzf "$folder/$archive" -C "$folder"
  place "$folder" "$prefix"
}

system() {
  case "$(uname -s)" in
  Linux) echo linux ;;
  Darwin) echo darwin ;;
  FreeBSD) echo freebsd ;;
  *) fail "there is no release for $(uname -s); docs/start.md has other ways" ;;
  esac
}

processor() {
  case "$(uname -m)" in
  x86_64 | amd64) echo amd64 ;;
  aarch64 | arm64) echo arm64 ;;
  armv7* | armv8l) echo armv7 ;;
  *) fail "there is no release for the processor $(uname -m); docs/start.md has other ways" ;;
  esac
}

# get ADDRESS FILE: from an address with https nothing leads to one without. wget cannot be told that.
get() {
  only='=https'
  case "$1" in https://*) ;; *) only='all' ;; esac
  if command -v curl >/dev/null; then
    curl --proto "$only" --tlsv1.2 -fsSL -o "$2" "$1" || fail "$1 cannot be fetched"
  elif command -v wget >/dev/null; then
    wget -qO "$2" "$1" || fail "$1 cannot be fetched"
  else
    fail "neither curl nor wget is there"
  fi
}

# verify FOLDER ARCHIVE
verify() {
  want=$(awk -v name="$2" '$2 == name || $2 == "*" name { print $1 }' "$1/checksums.txt")
  if [ -z "$want" ]; then fail "checksums.txt does not have $2; nothing was installed"; fi
  if command -v sha256sum >/dev/null; then
    got=$(sha256sum "$1/$2")
  elif command -v shasum >/dev/null; then
    got=$(shasum -a 256 "$1/$2")
  elif command -v sha256 >/dev/null; then
    got=$(sha256 -q "$1/$2")
  else
    fail "there is no program that computes SHA-256 (sha256sum, shasum or sha256); nothing was installed"
  fi
  if [ "${got%% *}" != "$want" ]; then
    fail "the checksum of $2 is ${got%% *}, and the release says $want; nothing was installed"
  fi
}

# place FOLDER PREFIX: a program that runs goes on with the file that it has open.
place() {
  mkdir -p "$2/bin" "$2/share/man/man1" "$2/share/bash-completion/completions"
  chmod 755 "$1/hermes"
  "$1/hermes" version >/dev/null || fail "the program does not start here; nothing was installed"
  cp "$1/hermes" "$2/bin/.hermes.new"
  mv -f "$2/bin/.hermes.new" "$2/bin/hermes"
  cp "$1"/man/*.1 "$2/share/man/man1/"
  cp "$1/completion/hermes.bash" "$2/share/bash-completion/completions/hermes"

  echo "installed $2/bin/hermes: $("$2/bin/hermes" version)"
  echo "its checksum is that of the release; man pages are in $2/share/man/man1, the completion in $2/share/bash-completion"
  case ":$PATH:" in
  *":$2/bin:"*) ;;
  *) echo "$2/bin is not in your PATH; put it there, or say $2/bin/hermes" ;;
  esac
  echo "next: hermes setup. A hermes that runs already needs a restart."
}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

main # in one piece: a script that was fetched in part does nothing
