#!/bin/busybox sh
# Two phones at once: the real adbd and the simulated one.
. /bin/checks
adbd-up RIG0001; ok $? "adbd is a USB device"
phone-up FAKE0002 second; ok $? "the simulated phone is another"
usb_probe RIG0001,FAKE0002 - both || failed=1
prints "adb shell on the one" '^hello$' clawperator adb -s RIG0001 shell echo hello
prints "and on the other" '^FAKE0002$' clawperator adb -s FAKE0002 shell getprop ro.serialno
prints "none chosen" 'more than one device' clawperator adb shell true
gadget unplug adb
gadget wait-gone RIG0001
prints "the only one left" '^FAKE0002$' clawperator adb shell getprop ro.serialno
exit $failed
