#!/bin/busybox sh
# The real adbd on the cable: our library, our command line, and the real adb's server beside it.
. /bin/checks
adbd-up RIG0001; ok $? "adbd is a USB device"
usb_probe RIG0001 adb commands sizes unplug pull-down port-reset forbid reconnects || failed=1

prints "devices lists it" '"serial":"RIG0001","state":"device","transport":"usb"' clawperator devices
prints "adb devices lists it" '^RIG0001.device$' clawperator adb devices
prints "adb shell" '^hello$' clawperator adb shell echo hello
clawperator adb shell 'exit 7'
[ $? = 7 ]; ok $? "adb shell hands on the exit code"
dd if=/dev/urandom of=/device/tmp/sent bs=100000 count=50 2>/dev/null
check "adb push" clawperator adb push /device/tmp/sent /tmp/there
check "adb pull" clawperator adb pull /tmp/there /tmp/back
cmp -s /device/tmp/sent /tmp/back
ok $? "what was pushed and pulled is the same"

# An ordinary user, before and after a udev rule.
prints "no permission says which rule helps" 'ATTR{idVendor}=="18d1"' su shell -c 'clawperator adb shell true'
echo 'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="18d1", MODE="0666"' >/lib/udev/rules.d/70-rig.rules
udevadm control --reload
udevadm trigger -s usb
udevadm settle -t 5
prints "with the rule it works" '^hello$' su shell -c 'clawperator adb shell echo hello'

# The cable goes in the middle of a transfer: no hang, no half file.
dd if=/dev/zero of=/device/tmp/big bs=1M count=64 2>/dev/null
(usleep 700000; gadget unplug adb) &
try clawperator adb pull /tmp/big /tmp/half
[ $? = 1 ]; ok $? "a pull that loses its phone fails" "$(cat /tmp/out)"
[ ! -e /tmp/half ]; ok $? "and leaves no half file"
rm /device/tmp/big
(usleep 500000; gadget plug adb) &
check "adb wait-for-device" clawperator adb wait-for-device

# Somebody else's adb server holds the phone.
adb start-server >/dev/null 2>&1
check "the real adb" adb wait-for-device
prints "busy says who" '"code":"USB_INTERFACE_BUSY".*adb (pid' clawperator --transport usb snapshot
prints "auto takes that server" '"transport":"server"' clawperator devices
prints "and so does adb shell" '^hello$' clawperator adb shell echo hello
adb kill-server
check "the server is gone" gadget wait RIG0001
prints "back to USB" '^hello$' clawperator adb shell echo hello
exit $failed
