#!/usr/bin/env python3
"""Faults that must not get through: forty small changes of the source, each with the narrowest test that has to catch
it.

    tools/house/mutations.py --check            each still has its one place in the source; takes no time
    tools/house/mutations.py --list
    tools/house/mutations.py [NAME...]          builds and runs; needs root, build/release and build/asan

Each one is made in an overlay over this folder, in a mount namespace of its own: the tree and its build folders stay as
they are. There the test runs twice: before the change it has to pass, with the change it has to fail. A mutation that
survives is a test that is missing. CI does not run this; run it when code moves, and move the row along."""
import argparse
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 1800  # of a build, of a test: only what hangs takes so long


@dataclasses.dataclass(frozen=True)
class Test:
    target: str  # what ninja builds
    build: str
    words: tuple

    def __str__(self):
        return " ".join(self.words)


def unit(program, cases):
    """A comma separates cases for Catch2."""
    return Test(program, "build/asan", (f"build/asan/tests/{program}", cases.replace(",", "\\,")))


def contract(only):
    return Test("clawperator", "build/release",
                (sys.executable, "tests/contract/run.py", "build/release/clawperator", "--only", only))


@dataclasses.dataclass(frozen=True)
class Mutation:
    name: str
    file: str  # below src
    old: str
    new: str
    test: Test

    @property
    def path(self):
        return ROOT / "src" / self.file

    def apply(self):
        text = self.path.read_text(encoding="utf-8")
        self.path.write_text(text.replace(self.old, self.new), encoding="utf-8")


MUTATIONS = [
    # Whose answer it is.
    Mutation("answer-of-another-process", "runtime/engine/result_collector.cpp",
             "if (*pid_ == pid || envelope_) return ok();",
             "if (*pid_ == pid || envelope_ || pid > 0) return ok();",
             unit("unit_engine", "collector: another process that answers*")),
    Mutation("result-of-another-command", "runtime/engine/result_collector.cpp",
             "if (is_result && mark.command_id != dispatch_id_) return ok();",
             "if (is_result && !mark.command_id) return ok();",
             unit("unit_engine", "collector: foreign and broken results*")),
    Mutation("hierarchy-of-another-command", "runtime/engine/result_collector.cpp",
             "return writer.named ? *writer.named : running_;",
             "return writer.named ? true : running_;",
             unit("unit_engine", "collector: a hierarchy that names another command*")),
    Mutation("answer-to-another-plan", "runtime/contract/envelope.cpp", "if (envelope.task_id != execution.task_id) {",
             "if (envelope.task_id.empty()) {", contract("answers-other")),
    Mutation("answer-without-all-steps", "runtime/contract/envelope.cpp",
             "if (envelope.status == EnvelopeStatus::success && !is_whole) {",
             "if (envelope.status == EnvelopeStatus::failed && !is_whole) {",
             unit("unit_engine", "answers: an answer is ours*")),
    Mutation("envelope-limit-by-one", "runtime/contract/envelope.cpp",
             "if (text.size() > kMaxEnvelopeBytes) return malformed_envelope(kTooLongEnvelope);",
             "if (text.size() > kMaxEnvelopeBytes + 1) return malformed_envelope(kTooLongEnvelope);",
             unit("unit_contract", "envelope: one limit*")),
    Mutation("envelope-without-error-member", "runtime/contract/envelope.cpp",
             'if (find_member(*json, "error") == nullptr) return',
             'if (find_member(*json, "taskId") == nullptr) return',
             unit("unit_contract", "contract cases: every envelope row")),
    # Once, or not at all.
    Mutation("again-though-it-acts", "runtime/engine/execution_job.cpp",
             "std::ranges::all_of(request.execution.actions, clawperator::only_looks",
             "std::ranges::any_of(request.execution.actions, clawperator::only_looks",
             unit("loopback_engine", "snapshot: what does more than look*")),
    Mutation("lock-forgets-settling", "runtime/device/lock.cpp", "held_by_another || is_settling(holder)) {",
             "held_by_another) {",
             unit("unit_device", "lock: a settling device*")),
    Mutation("lock-follows-links", "base/system/file_lock.cpp", "O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK",
             "O_RDWR | O_CREAT | O_NONBLOCK",
             unit("unit_device", "lock: a link in its place*")),
    Mutation("lock-of-another-boot", "runtime/device/lock.cpp",
             'if (!boot_id.empty()) return serialno + "-" + boot_id;',
             "if (!boot_id.empty()) return serialno;", unit("unit_device", "lock: what it is named by*")),
    # Which phone.
    Mutation("known-phone-without-tls", "runtime/device/identity.cpp", "if (before.tls && !now.tls) return false;",
             "if (before.tls && !now.tls && now.serialno.empty()) return false;",
             unit("unit_device", "identity: who answers at a known address")),
    Mutation("phone-of-another-boot", "runtime/device/identity.cpp",
             "return !is_shared_serialno(now.serialno) || !is_comparable || before.boot_id == now.boot_id;",
             "return !is_shared_serialno(now.serialno) || is_comparable || before.boot_id == now.boot_id;",
             unit("unit_device", "identity: who answers after a reconnect")),
    Mutation("one-of-two-twins", "runtime/device/choice/choice.cpp", "if (names_one && same_route.size() > 1)",
             "if (names_one && same_route.size() > 2)",
             unit("unit_device", "choice: two phones with one serial*")),
    Mutation("one-of-several-phones", "runtime/device/choice/choice.cpp",
             "if (std::ranges::count_if(matching, holds) != 1) return std::nullopt;",
             "if (std::ranges::count_if(matching, holds) < 1) return std::nullopt;", unit("unit_device", "choice: *")),
    Mutation("look-at-another-phone", "runtime/act/look.cpp", "  stay_on(&request->how.target, result.device_id);\n",
             "",
             unit("unit_act", "perform: the n-th node*")),
    Mutation("several-phones-are-one", "runtime/device/resolver/transports.cpp",
             "first = std::unexpected(one.error());", "static_cast<void>(one.error());",
             unit("loopback_cli", "one resolver: *")),
    # Where the finger goes.
    Mutation("edge-of-the-screen", "runtime/engine/given_points.cpp", "static_cast<std::uint32_t>(at.x) < width",
             "static_cast<std::uint32_t>(at.x) <= width",
             unit("unit_engine", "given points: the screen's own edges")),
    Mutation("screen-that-turned", "runtime/engine/given_points.cpp", "(point.may_turn && lies_in",
             "(!point.may_turn && lies_in",
             unit("unit_engine", "given points: behind a step that may turn*")),
    Mutation("nth-by-one", "runtime/act/aim.cpp", "found[nth - 1]", "found[nth % found.size()]",
             unit("unit_act", "aim: the nth node*")),
    Mutation("one-more-than-fit", "runtime/act/aim.cpp", "if (nth >= 1 && nth <= found.size()) {",
             "if (nth >= 1 && !found.empty()) {",
             contract("conversations: acting")),
    Mutation("ref-that-several-fit", "runtime/act/ref.cpp",
             "  if (shown.is_unique) target.place = Selector{shown.matcher};",
             "  target.place = Selector{shown.matcher};", unit("unit_act", "ref: *")),
    Mutation("ref-of-any-device", "runtime/act/seen.cpp",
             "co_return seen->store.last_shown(question_of(target).serial);",
             "co_return seen->store.last_shown(std::nullopt);", unit("unit_act", "perform: a bare ref*")),
    # What acts, and what is answered.
    Mutation("backend-that-was-named", "runtime/act/execution.cpp", "if (named) return *named;",
             "if (named == Backend::shell) return *named;", contract("bytes: as the files say")),
    Mutation("backend-by-default", "runtime/act/execution.cpp", "(needs_no_app(action) && !shows_tree)",
             "(needs_no_app(action) && shows_tree)",
             contract("bytes: as the files say")),
    Mutation("time-of-a-key", "runtime/contract/action_phone.cpp", '"cli-action-press-key", 10000}',
             '"cli-action-press-key", 30000}', contract("bytes: as the files say")),
    Mutation("effect-swapped", "runtime/act/effect.cpp", 'return changed ? "changed" : "unchanged";',
             'return changed ? "unchanged" : "changed";',
             contract("conversations: acting")),
    Mutation("candidates-cut", "runtime/act/aim.cpp", "constexpr std::size_t kMost = 10;",
             "constexpr std::size_t kMost = 3;",
             contract("conversations: acting")),
    Mutation("miss-unexplained-over-http", "runtime/act/miss.cpp",
             "if (is_described || plan.actions[step].id == id) return {wanted, step};",
             "if (!envelope.error) return {wanted, step};", contract("conversations: failing")),
    # Secrets.
    Mutation("secret-too-short", "base/secrets.cpp", "constexpr std::size_t kShortest = 3;",
             "constexpr std::size_t kShortest = 1;",
             unit("unit_contract", "secrets: a short one*")),
    Mutation("secret-in-json", "base/secrets.cpp", "const bool stays = is_name(json, end) || ",
             "const bool stays = end > 0 || ",
             unit("unit_contract", "secrets: of a JSON text*")),
    Mutation("token-for-children", "base/system/child_environment.cpp", "return name != kNever && !is_set &&",
             "return name != kNever.substr(1) && !is_set &&",
             unit("unit_system", "child environment: the server's token*")),
    Mutation("folder-of-others", "runtime/device/runtime_folder.cpp", "constexpr mode_t kOthers = 077;",
             "constexpr mode_t kOthers = 007;",
             unit("unit_device", "runtime folder: *")),
    Mutation("token-not-compared", "runtime/http/access.cpp",
             "if (equal_in_constant_time(given, policy.token)) return std::nullopt;",
             "if (given.size() == policy.token.size() || equal_in_constant_time(given, policy.token)) return "
             "std::nullopt;", contract("access")),
    Mutation("file-beside-the-folder", "runtime/serve/client_files.cpp",
             "how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;",
             "how.resolve = 0;", unit("unit_serve", "client files: *")),
    # The protocol.
    Mutation("service-longer-than-a-packet", "adbproto/session/stream_table.cpp",
             "if (service.size() + 1 > options_.max_payload) {",
             "if (service.size() > options_.max_payload) {", unit("session", "streams: *")),
    Mutation("write-without-credit", "adbproto/session/stream_table.cpp",
             "at->second.state == State::open && at->second.credit > 0;",
             "at->second.state == State::open && at->second.credit >= 0;", unit("session", "streams: *")),
    Mutation("shell-packet-limit", "adbproto/wire/shell_packet.cpp", "if (remaining_ > kMaxShellPayload) {",
             "if (remaining_ >= kMaxShellPayload) {",
             unit("unit_wire", "shell packet: *")),
    Mutation("key-without-tls", "adbproto/session/handshake.cpp",
             "if (without_tls_ && is_plain && state_ != State::secured)",
             "if (without_tls_ && is_plain && state_ == State::secured)",
             unit("session", "stls, host: a device that is known by TLS*")),
    Mutation("echo-as-a-device", "adbproto/session/handshake.cpp", 'if (connection_state(peer) == "host") {',
             'if (connection_state(peer) == "guest") {',
             unit("session", "handshake: who is no device is refused")),
    Mutation("frame-limit", "runtime/daemon/frame.cpp", "if (length > most_) {", "if (length > most_ + 1) {",
             unit("unit_daemon", "frame: what is too long*")),
]


def problems():
    for each in MUTATIONS:
        count = each.path.read_text(encoding="utf-8").count(each.old) if each.path.is_file() else 0
        if count != 1:
            yield f"{each.name}: its place is {count} times in src/{each.file}"
        if each.old == each.new:
            yield f"{each.name} changes nothing"
    names = [each.name for each in MUTATIONS]
    yield from (f"{name} is there twice" for name in sorted({name for name in names if names.count(name) > 1}))


# --- in the overlay -----------------------------------------------------------------------------

def done(*words):
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def passes(test):
    """Whether the test passes; None and the output where it could not be built or had nothing to run."""
    built = done("nice", "ninja", "-C", test.build, test.target)
    if built.returncode:
        return None, built.stdout[-2000:]
    ran = done(*test.words)
    output = ran.stdout + ran.stderr
    if "No test cases matched" in output or "\n0 passed, 0 failed" in output or "No tests ran" in output:
        return None, f"no test: {output[-500:]}"
    return ran.returncode == 0, output


def judge(mutation):
    """In the overlay: prints what became of it."""
    before, output = passes(mutation.test)
    if before is not True:
        print(f"NOT RUN: {mutation.name}: without the change the test does not pass: {output[-800:]}")
        return 2
    mutation.apply()
    after, output = passes(mutation.test)
    if after is None:
        print(f"NOT RUN: {mutation.name}: it does not build: {output[-800:]}")
        return 2
    print(f"{'SURVIVED' if after else 'caught'}: {mutation.name}: {mutation.test}")
    return 1 if after else 0


def in_overlay(mutation):
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        upper, work = pathlib.Path(folder) / "upper", pathlib.Path(folder) / "work"
        upper.mkdir()
        work.mkdir()
        mount = f"mount -t overlay overlay -o lowerdir={ROOT},upperdir={upper},workdir={work} {ROOT}"
        again = f"exec {sys.executable} {pathlib.Path(__file__).resolve()} --inside {mutation.name}"
        return subprocess.run(["unshare", "-m", "sh", "-c", f"{mount} && cd {ROOT} && {again}"], check=False).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    table = {each.name: each for each in MUTATIONS}
    if options.inside:
        return judge(table[options.inside])
    found = list(problems())
    for problem in found:
        print(problem)
    if found or options.check:
        return 1 if found else 0
    if options.list:
        for each in MUTATIONS:
            print(f"{each.name:32} src/{each.file:44} {each.test}")
        return 0
    if unknown := [name for name in options.names if name not in table]:
        sys.exit(f"there is no {', '.join(unknown)}")
    if os.geteuid() != 0:
        sys.exit("an overlay needs root")
    results = []
    for name in options.names or table:
        began = time.monotonic()
        results.append(in_overlay(table[name]))
        print(f"  {time.monotonic() - began:.0f} s", flush=True)
    print(
        f"{results.count(0)} caught, {results.count(1)} survived, {len(results) - results.count(0) - results.count(1)} "
        "not run")
    return 1 if any(results) else 0


if __name__ == "__main__":
    sys.exit(main())
