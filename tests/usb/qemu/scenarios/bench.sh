#!/bin/busybox sh
# Not a test: our program, without a server, and the real adb with its own take turns, each on a
# real adbd of its own. One line a run: `sample ROW WHO {"wall_us":...}`. rig.rounds=N on the
# kernel's command line.
rounds=$(sed -n 's/.*rig.rounds=\([0-9]*\).*/\1/p' /proc/cmdline)
adbd-up RIG0001 || exit 1
adbd-up RIG0002 second || exit 1
dd if=/dev/urandom of=/device/tmp/random bs=1M count=64 2>/dev/null
cp /test/bin/bench_floor /device/bin/
export ADB_LIBUSB=0
adb --one-device RIG0001 start-server >/dev/null 2>&1
adb wait-for-device

tools=/usr/lib/android-sdk/platform-tools
ours() {
  row=$1
  shift
  echo "sample $row ours $(ANDROID_ADB_SERVER_PORT=9 bench_floor measure "$@")"
}
theirs() {
  row=$1
  shift
  echo "sample $row theirs $(chroot /device /bin/env HOME=/root PATH=$tools:/bin bench_floor measure "$@")"
}
claw="clawperator adb -s RIG0002"
while [ $rounds -gt 0 ]; do
  ours shell $claw shell true
  theirs shell adb shell true
  ours source $claw exec-out cat /tmp/random
  theirs source adb exec-out cat /tmp/random
  ours sink /bin/sh -c "$claw exec-in 'cat >/dev/null' </device/tmp/random"
  theirs sink /bin/sh -c "adb exec-in 'cat >/dev/null' </tmp/random"
  ours push $claw push /device/tmp/random /tmp/ours
  theirs push adb push /tmp/random /tmp/theirs
  ours pull $claw pull /tmp/random /device/tmp/our-copy
  theirs pull adb pull /tmp/random /tmp/their-copy
  rounds=$((rounds - 1))
done
adb kill-server
