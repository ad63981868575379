#!/bin/busybox sh
# Not a test: our program, without a server, and the real adb with its own take turns, each on a
# real adbd of its own. One line a run: `sample ROW WHO {"wall_us":...}`. rig.rounds=N on the
# kernel's command line. Between adb's turns its server is stopped and its phone unplugged: a waiting
# read keeps the simulated controller busy, which would slow our turn.
rounds=$(sed -n 's/.*rig.rounds=\([0-9]*\).*/\1/p' /proc/cmdline)
adbd-up RIG0001 || exit 1
adbd-up RIG0002 second || exit 1
dd if=/dev/urandom of=/device/tmp/random bs=1M count=64 2>/dev/null
cp /test/bin/bench_floor /device/bin/
export ADB_LIBUSB=0
gadget unplug adb

tools=/usr/lib/android-sdk/platform-tools
claw="clawperator adb -s RIG0002"
ours() {
  row=$1
  shift
  sleep 1 # whatever the turn before left to do
  echo "sample $row ours $(ANDROID_ADB_SERVER_PORT=9 bench_floor measure "$@")"
}
theirs() {
  row=$1
  shift
  gadget plug adb
  gadget wait RIG0001
  adb --one-device RIG0001 start-server >/dev/null 2>&1
  adb wait-for-device
  sleep 1
  echo "sample $row theirs $(chroot /device /bin/env HOME=/root PATH=$tools:/bin bench_floor measure "$@")"
  adb kill-server
  gadget unplug adb
}
# The same words for both; ours sees the phone's files in /device.
both() {
  row=$1 first=$2
  for who in $first $([ $first = ours ] && echo theirs || echo ours); do
    case $row.$who in
      shell.ours) ours shell $claw shell true ;;
      shell.theirs) theirs shell adb shell true ;;
      source.ours) ours source $claw exec-out cat /tmp/random ;;
      source.theirs) theirs source adb exec-out cat /tmp/random ;;
      sink.ours) ours sink /bin/sh -c "$claw exec-in 'cat >/dev/null' </device/tmp/random" ;;
      sink.theirs) theirs sink /bin/sh -c "adb exec-in 'cat >/dev/null' </tmp/random" ;;
      push.ours) ours push $claw push /device/tmp/random /tmp/ours ;;
      push.theirs) theirs push adb push /tmp/random /tmp/theirs ;;
      pull.ours) ours pull $claw pull /tmp/random /device/tmp/our-copy ;;
      pull.theirs) theirs pull adb pull /tmp/random /tmp/their-copy ;;
    esac
    rm -f /device/tmp/*-copy
  done
}
first=ours
while [ $rounds -gt 0 ]; do
  for row in shell source sink push pull; do both $row $first; done
  first=$([ $first = ours ] && echo theirs || echo ours)
  rounds=$((rounds - 1))
done
