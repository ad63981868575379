#!/usr/bin/env bash
# The same calls as a shell script makes them: each answer goes to a file that is named after it, with its exit code.
set -uo pipefail
bin="${CLAWPERATOR_BIN:-clawperator}"
device="$1"
folder="$2"
package="${CLAWPERATOR_OPERATOR_PACKAGE:-com.clawperator.operator}"
plan='{"commandId":"sh","taskId":"sh","source":"public","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"snap","type":"snapshot"}]}'

keep() {
  local name="$1"
  shift
  "$@" >"$folder/$name.out" 2>"$folder/$name.err"
  echo $? >"$folder/$name.code"
}

printf '%s' "$plan" >"$folder/plan.json"
keep open "$bin" open com.android.settings --device "$device"
keep file "$bin" exec "$folder/plan.json" --device "$device" --operator-package "$package"
keep inline "$bin" exec --device "$device" --operator-package "$package" --execution "$plan" --timeout-ms 20000 --json
keep inline-fails "$bin" exec --device "$device" --operator-package org.example.absent --execution "$plan" --json
keep globals-first "$bin" --timeout-ms 20000 --no-daemon snapshot --device "$device" --operator-package "$package" --json
keep snapshot "$bin" snapshot --device "$device"
keep screenshot "$bin" screenshot --device "$device" --operator-package "$package" --path "$folder/screen.png" --json
keep tap "$bin" click --coordinate 540 1200 --device "$device" --operator-package "$package" --json
keep close "$bin" close com.android.settings --device "$device"
keep adb adb -s "$device" shell input keyevent 66
keep inner "$bin" skills run org.public.inner --device "$device" --timeout 300000 --state on --mode heat --fan-level high
