#!/bin/busybox sh
# The simulated phone on the cable, and what it can do wrong there.
. /bin/checks
phone-up FAKE0001 adb; ok $? "the phone is a USB device"
usb_probe FAKE0001 adb commands sizes unplug pull-down port-reset forbid reconnects || failed=1
prints "snapshot" '"deviceId":"FAKE0001"' clawperator --transport usb snapshot
prints "screenshot" '"success":true' clawperator screenshot --path /tmp/screen.png
prints "click" '"success":true' clawperator click --coordinate 540 5
clawperator open com.android.settings >/dev/null
prints "a finger, and the screen after it" '"effect":"changed","proof":"pixels"' clawperator swipe 540 1800 540 600 --verify changed --snapshot
prints "by the phone's shell" '"backend":"shell"' clawperator --backend shell snapshot --output brief
prints "notifications" 'USB debugging connected' clawperator notifications list
prints "the shade" '"effect":"changed"' clawperator notifications open
prints "and away" '"effect":"changed"' clawperator notifications close
prints "a video" '"endedBy":"time"' clawperator record-video --seconds 1 --path /tmp/v.mp4
clawperator close com.android.settings >/dev/null
clawperator open com.android.settings >/dev/null
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"guest","version":"1"}}}' \
  '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tap","arguments":{"selector":{"id":"title"},"nth":3,"verify":"changed"}}}' >/tmp/asked
prints "a tool of mcp" 'matches' /bin/busybox sh -c 'clawperator mcp </tmp/asked'
prints "its tap" 'Pair new device' clawperator snapshot --output brief

clawperator devices --watch >/tmp/watch &
watcher=$!
await_events() {  # await_events EVENTS: within 20 s these have come, and no others
  tries=0
  until [ "$(sed -n 's/.*"event":"\(added\|removed\)".*/\1/p' /tmp/watch | tr '\n' ' ')" = "$1" ]; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || return 1
    usleep 100000
  done
}
await_events "added "
gadget unplug adb
gadget wait-gone FAKE0001
await_events "added removed "
gadget plug adb
gadget wait FAKE0001
await_events "added removed added "
all_came=$?
kill $watcher
[ $all_came -eq 0 ]
ok $? "devices --watch reports unplug and replug" "$(cat /tmp/watch)"

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
