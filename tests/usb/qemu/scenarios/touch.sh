#!/bin/busybox sh
# The virtual touchscreen: the line that phones are given, and what Linux makes of its descriptor and reports.
. /bin/checks
mkdir -p /tmp/bin
ln -s /test/bin/touch_probe /tmp/bin/hid
printf '#!/bin/busybox sh\ncat /proc/bus/input/devices\n' >/tmp/bin/dumpsys
chmod 755 /tmp/bin/dumpsys
export PATH=/tmp/bin:$PATH

prints "the node may be written, the program is there" '^uhid$' sh -c '[ -w /dev/uhid ] && echo uhid; command -v hid || true'
touch_probe watch >/tmp/seen 2>&1 &
watcher=$!
touch_probe line >/tmp/line
timeout 60 sh /tmp/line >/tmp/said 2>&1
status=$?
[ $status = 0 ] && [ "$(cat /tmp/said)" = clawperator-fingers ]
ok $? "the line ends well and says that the fingers came" "status $status: $(cat /tmp/said)"
timeout 10 sh -c "while kill -0 $watcher 2>/dev/null; do usleep 100000; done"

expect() {  # expect NAME LINE
  grep -qx "$2" /tmp/seen
  ok $? "$1" "$(tr '\n' '|' </tmp/seen | tail -c 600)"
}
expect "Linux takes it for a touchscreen" 'direct 1'
expect "its whole range is x" 'x 0 to 32767'
expect "and y" 'y 0 to 32767'
expect "two fingers come at once" 'frame 0:100,200 1:30000,31000\.'
expect "they move, to the edge" 'frame 0:150,250 1:29000,32767\.'
expect "and to the other one" 'frame 0:0,300 1:28000,29000\.'
expect "they are lifted" 'frame\.'
expect "and the touchscreen is gone afterwards" 'gone'
[ "$(grep -c '^frame [^ ]*\.$' /tmp/seen)" = 0 ]
ok $? "never one finger alone" "$(grep frame /tmp/seen | tr '\n' '|')"
exit $failed
