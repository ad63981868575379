#!/bin/busybox sh
# The rig itself: the real adb, with both of its USB back ends, on the real adbd.
. /bin/checks
adbd-up RIG0001; ok $? "adbd is a USB device"
for ADB_LIBUSB in 0 1; do
  export ADB_LIBUSB
  adb start-server >/dev/null 2>&1
  check "real adb $ADB_LIBUSB: finds the device" adb wait-for-device
  prints "real adb $ADB_LIBUSB: shell" '^hello$' adb shell echo hello
  gadget unplug adb
  usleep 300000
  gadget plug adb
  since_boot replugging; gadget wait RIG0001; since_boot replugged
  check "real adb $ADB_LIBUSB: finds it again" adb wait-for-device
  prints "real adb $ADB_LIBUSB: shell after unplug and replug" '^hello$' adb shell echo hello
  adb kill-server
done
exit $failed
