#!/bin/busybox sh
# The simulated phone on the cable, and what it can do wrong there.
. /bin/checks
phone-up FAKE0001 adb; ok $? "the phone is a USB device"
usb_probe FAKE0001 adb commands sizes unplug pull-down port-reset forbid reconnects || failed=1
prints "snapshot" '"transport":"usb","serial":"FAKE0001"' clawperator --route snapshot
prints "screenshot" '"success":true' clawperator screenshot --path /tmp/screen.png
prints "click" '"success":true' clawperator click --coordinate 540 5

clawperator devices --watch >/tmp/watch &
watcher=$!
told() {  # told EVENTS: within 20 s these have come, and no others
  tries=0
  until [ "$(sed -n 's/.*"event":"\(added\|removed\)".*/\1/p' /tmp/watch | tr '\n' ' ')" = "$1" ]; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || return 1
    usleep 100000
  done
}
told "added "
gadget unplug adb
gadget wait-gone FAKE0001
told "added removed "
gadget plug adb
gadget wait FAKE0001
told "added removed added "
told_all=$?
kill $watcher
[ $told_all -eq 0 ]
ok $? "devices --watch tells of unplug and replug" "$(cat /tmp/watch)"

phone-up FAKE0001 adb stale=3
usb_probe FAKE0001 adb returns commands || failed=1
for after in 4 14; do
  phone-up FAKE0001 adb stall-after=$after
  usb_probe FAKE0001 adb stalls || failed=1
done
for after in 11 60; do
  phone-up FAKE0001 adb vanish-after=$after
  usb_probe FAKE0001 adb dies || failed=1
done
exit $failed
