#!/bin/sh
# Runs in a fresh root of Debian as root: installs our packages, uses them, upgrades them while a daemon runs, purges
# them; then the same with the tarball, where there is one. Prints a line a check: `ok: NAME` or
# `FAIL: packages.NAME: why`.
#   usage: inside.sh VERSION NEWER_PACKAGE_VERSION FOLDER      FOLDER/*.deb, FOLDER/newer/*.deb, FOLDER/*.tar.gz
version=$1 newer=$2 folder=$3
export HOME=/tmp/home XDG_RUNTIME_DIR=/tmp/run
mkdir -p "$HOME" /tmp/run /tmp/serve /run/lock
chmod 700 /tmp/run
cd /tmp || exit 1
sim=''
end() { [ -z "$sim" ] || kill "$sim"; clawperator daemon stop >/dev/null 2>&1; }
trap end EXIT

ok() { echo "ok: $1"; }
fail() { echo "FAIL: packages.$1: $2" | tr '\n' ' '; echo; }
# check NAME COMMAND...: it has to succeed.
check() {
  name=$1
  shift
  if said=$("$@" 2>&1); then ok "$name"; else fail "$name" "$* ended with $?: $said"; fi
}
# holds NAME WANTED COMMAND...: what it prints has to contain WANTED.
holds() {
  name=$1 wanted=$2
  shift 2
  said=$("$@" 2>&1)
  case $said in
    *"$wanted"*) ok "$name" ;;
    *) fail "$name" "$* lacks $wanted: $said" ;;
  esac
}
lacks() {
  name=$1 unwanted=$2
  shift 2
  said=$("$@" 2>&1)
  case $said in
    *"$unwanted"*) fail "$name" "$* has $unwanted: $said" ;;
    *) ok "$name" ;;
  esac
}
everything() {
  find / -xdev \( -path /tmp -o -path /proc -o -path /dev -o -path "$HERE" \) -prune -o \
    \( -path '/var/lib/dpkg/*' -o -path /var/log/dpkg.log \) -o -print | LC_ALL=C sort
}

[ -e /usr/bin/awk ] || ln -s mawk /usr/bin/awk  # no script of a package made it

everything >/tmp/before
check install dpkg -i "$folder"/clawperator_*.deb "$folder"/clawperator-simdroid_*.deb
holds version "$version" clawperator --version
lacks recommended '"found":false' clawperator version --json
check man_page gzip -t /usr/share/man/man1/clawperator.1.gz
holds example_skills com.android.settings.open-row clawperator skills list
holds agent_skills '"clawperator"' clawperator agent-skills list
holds no_new_skill_there REGISTRY_READ_FAILED clawperator skills new com.example.mine
lacks files_untouched '?' dpkg --verify clawperator

begin_simulated_phone() {
  clawperator sim --listen 127.0.0.1:0 >/tmp/sim 2>/tmp/sim_errors &
  sim=$!
  for _ in $(seq 100); do
    [ -s /tmp/sim ] && break
    sleep 0.1
  done
  address=$(sed 's/.*"address":"\([^"]*\)".*/\1/' /tmp/sim)
}
begin_simulated_phone
use() { clawperator --device "$address" "$@"; }
check connect clawperator connect "$address"
holds devices "$address" clawperator devices
the_loop() {
  check "$1.close" use close com.android.settings
  check "$1.open" use open com.android.settings
  holds "$1.look" 'Search settings' use snapshot --format compact
  check "$1.click" use click --text 'Search settings'
  check "$1.type" use type wifi --role textfield
  check "$1.verified" use wait --text 'Wi-Fi calling'
  check "$1.picture" use screenshot --path /tmp/screen.png
}
the_loop first

# What systemd would run, as a user of its own.
unit=/usr/lib/systemd/system/clawperator-serve.service
line() { sed -n "s#^$1=##p" $unit | sed 's#%S/clawperator#/tmp/serve#g'; }
as_serve='env -C /tmp/serve HOME=/tmp/serve XDG_RUNTIME_DIR=/tmp/serve setpriv --reuid 61234 --regid 61234 --clear-groups sh -c'
if chown 61234:61234 /tmp/serve 2>/dev/null; then
  # shellcheck disable=SC2086  # words
  check serve_token $as_serve "umask 077; $(line ExecStartPre)"
  holds serve_token_mode 600:61234 stat -c %a:%u /tmp/serve/token
  cp /tmp/serve/token /tmp/token
  # shellcheck disable=SC2086  # words
  check serve_token_again $as_serve "$(line ExecStartPre)"
  check serve_token_stays cmp /tmp/token /tmp/serve/token
  $as_serve "umask 077; exec $(line ExecStart) --port 0" >/tmp/serve_says 2>&1 &
  serve=$!
  for _ in $(seq 100); do
    grep -qs listening /tmp/serve_says && break
    sleep 0.1
  done
  port=$(sed -n 's#.*http://127.0.0.1:\([0-9]*\).*#\1#p' /tmp/serve_says)
  # shellcheck disable=SC2016  # for bash
  get() {
    bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$0" &&
      printf "GET /skills HTTP/1.1\r\nHost: 127.0.0.1:$0\r\nAuthorization: Bearer $1\r\nConnection: close\r\n\r\n" >&3 &&
      head -n 1 <&3' "$port" "$1"
  }
  holds serve_refuses ' 401 ' get 0123456789abcdef
  holds serve_answers ' 200 ' get "$(cat /tmp/token)"
  kill $serve
  wait $serve 2>/dev/null
else
  echo "SKIP: packages.serve: only root can have a user of its own"
fi

# What udev does with a phone that is plugged in: 1-2 has adb (interface ff, 42, 01), 1-3 is in its boot loader (fastboot:
# ff, 42, 03).
rule() {
  umockdev-run --device "$HERE/tests/packages/usb.umockdev" -- \
    udevadm test --action=add "/sys/devices/pci0000:00/0000:00:14.0/usb1/$1"
}
if command -v umockdev-run >/dev/null; then
  holds udev_tags_a_phone uaccess: rule 1-2  # Debian 13 tags it with `seat`, too
  holds udev_group 'GROUP 46' rule 1-2  # plugdev
  holds udev_reads_the_other ID_USB_INTERFACES=:ff4203: rule 1-3
  lacks udev_leaves_the_other uaccess: rule 1-3
  rm -rf /run/udev
else
  echo "SKIP: packages.udev: no mocked USB by qemu-user"
fi

check daemon_begins clawperator daemon start
pid=$(clawperator daemon status | sed 's/.*"pid":\([0-9]*\).*/\1/')
check upgrade dpkg -i "$folder"/newer/clawperator_*.deb
# shellcheck disable=SC2016  # for dpkg-query
holds upgraded "$newer" dpkg-query -W -f '${Version}' clawperator
case $(readlink "/proc/$pid/exe") in
  */qemu-*) check old_daemon_lives kill -0 "$pid" ;;
  *) holds old_daemon_lives '(deleted)' readlink "/proc/$pid/exe" ;;
esac
the_loop upgraded
check daemon_ends clawperator daemon stop
check daemon_begins_anew clawperator daemon start
the_loop anew
check daemon_ends_again clawperator daemon stop

mkdir -p /var/lib/private/clawperator
echo secret-of-the-unit >/var/lib/private/clawperator/token
check remove dpkg -r clawperator clawperator-simdroid
check state_stays test -e /var/lib/private/clawperator/token
check purge dpkg -P clawperator clawperator-simdroid
rmdir /var/lib/private 2>/dev/null
everything >/tmp/after
check without_a_trace diff /tmp/before /tmp/after

for tarball in "$folder"/*.tar.gz; do
  [ -e "$tarball" ] || continue
  kill $sim
  PATH=/usr/local/bin:$PATH
  check tarball_installs sh "$folder/install.sh" --no-skills --no-device "$tarball"
  holds tarball_version "$version" clawperator --version
  check tarball_daemon clawperator daemon start
  begin_simulated_phone
  check tarball_connects clawperator connect "$address"
  the_loop tarball
  check tarball_daemon_ends clawperator daemon stop
  check tarball_leaves sh "$folder/install.sh" --uninstall
  everything >/tmp/after
  check tarball_without_a_trace diff /tmp/before /tmp/after
done
