#include <cstdlib>

#include "base/number.hpp"
#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/printf_format.hpp"
#include "simdroid/userland/shell.hpp"

namespace simdroid {
namespace {

constexpr int kNoProgram = 127;

// sh [-c SCRIPT [NAME [ARG...]]] [FILE [ARG...]]; without either the script comes from stdin.
Task<int> run_sh(Process* process) {
  Shell child = *process->shell;
  child.become_program();
  const bool inline_script = process->arg(1) == "-c";
  std::vector<std::string> rest = process->args_from(inline_script ? 2 : 1);
  if (!inline_script && process->arg(1).starts_with('-')) {
    co_return not_known(*process, process->arg(1));
  }
  if (rest.empty()) {
    if (inline_script) co_return co_await give_up(process, "sh: -c requires an argument\n");
    co_return co_await child.run_input(std::make_shared<PushbackInput>(process->io.in),
                                       process->io);
  }
  std::string script = rest.front();
  rest.erase(rest.begin());
  if (inline_script) {
    if (!rest.empty()) {
      child.set_name(rest.front());
      rest.erase(rest.begin());
    }
  } else {
    const auto content = process->phone->files.read(process->path(script));
    if (!content) {
      co_return co_await give_up(
          process, "sh: " + script + ": " + error_text(content.error()) + "\n", kNoProgram);
    }
    child.set_name(script);
    script = std::string(*content);
  }
  child.set_positional(std::move(rest));
  co_return co_await child.run_text(std::move(script), process->io);
}

Task<int> run_printf(Process* process) {
  const std::size_t format = process->arg(1) == "--" ? 2 : 1;
  if (process->count() <= format) co_return co_await give_up(process, "printf: Needs 1 argument\n");
  const auto text = format_printf(process->arg(format), process->args_from(format + 1));
  if (!text) co_return co_await give_up(process, "printf: " + text.error().message() + "\n");
  CO_TRY_VOID(co_await print(process, *text));
  co_return 0;
}

// env [NAME=VALUE...] [PROGRAM ARG...]
Task<int> run_env(Process* process) {
  std::size_t at = 1;
  if (process->arg(at).starts_with('-')) co_return not_known(*process, process->arg(at));
  for (; process->arg(at).contains('='); ++at) {
    const std::size_t equals = process->arg(at).find('=');
    process->shell->set_variable(process->arg(at).substr(0, equals),
                                 process->arg(at).substr(equals + 1));
    process->shell->export_variable(process->arg(at).substr(0, equals));
  }
  if (at < process->count()) {
    co_return co_await process->shell->run_arguments(process->args_from(at), process->io);
  }
  std::string text;
  for (const auto& [name, value] : process->shell->variables()) {
    if (process->shell->is_exported(name)) text += name + "=" + value + "\n";
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

// Seconds, or with a unit: 0.5, 2s, 1m.
std::optional<std::chrono::microseconds> parse_duration(const std::string& text) {
  char* unit = nullptr;
  double seconds = std::strtod(text.c_str(), &unit);
  if (unit == text.c_str() || !(seconds >= 0 && seconds < 1e6)) return std::nullopt;
  if (*unit == 'm') seconds *= 60;
  if (*unit == 'h') seconds *= 3600;
  return std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6));
}

Task<int> run_timeout(Process* process) {
  const auto limit = parse_duration(process->arg(1));
  if (!limit) co_return co_await give_up(process, "timeout: bad duration\n", 125);
  auto status =
      co_await with_deadline(process->shell->run_arguments(process->args_from(2), process->io),
                             std::chrono::ceil<std::chrono::milliseconds>(*limit), "program");
  constexpr int kTimedOut = 124;
  if (!status && status.error().code() == errc::deadline_exceeded) co_return kTimedOut;
  co_return status;
}

Task<int> run_sleep(Process* process) {
  const auto time = parse_duration(process->arg(1));
  if (!time) co_return co_await give_up(process, "sleep: bad time '" + process->arg(1) + "'\n");
  co_await sleep_for(*time);
  co_return 0;
}

Task<int> run_which(Process* process) {
  int status = process->count() > 1 ? 0 : 1;
  for (std::size_t i = 1; i < process->count(); ++i) {
    const CommandEntry* entry = find_command(process->arg(i), process->phone->faults);
    if (entry == nullptr) {
      status = 1;
      continue;
    }
    CO_TRY_VOID(co_await print(process, "/system/bin/" + std::string(entry->name) + "\n"));
  }
  co_return status;
}

// toybox --version
Task<int> run_toybox(Process* process) {
  if (process->arg(1) != "--version") {
    co_return co_await give_up(process, "toybox: Unknown command " + process->arg(1) + "\n",
                               kNoProgram);
  }
  const auto& release = android_release(process->phone->sdk());
  CO_TRY_VOID(co_await print(process, std::string(release.toybox) + "\n"));
  co_return 0;
}

Task<int> run_yes(Process* process) {
  if (process->count() > 2) co_return not_known(*process, process->arg(2));
  const std::string line = (process->count() > 1 ? process->arg(1) : "y") + "\n";
  constexpr std::size_t kBlock = 64 * 1024;
  std::string block;
  while (block.size() < kBlock) block += line;
  while (true) CO_TRY_VOID(co_await print(process, block));
}

// seq [FIRST [STEP]] LAST, whole numbers
Task<int> run_seq(Process* process) {
  std::vector<long long> numbers;
  for (const std::string& text : process->args_from(1)) {
    const auto number = whole_number<long long>(text);
    if (!number) co_return not_known(*process, text);
    numbers.push_back(*number);
  }
  if (numbers.empty() || numbers.size() > 3)
    co_return co_await give_up(process, "seq: Needs 1 argument\n");
  const long long first = numbers.size() > 1 ? numbers.front() : 1;
  const long long step = numbers.size() > 2 ? numbers[1] : 1;
  if (step == 0) co_return co_await give_up(process, "seq: zero step\n");
  constexpr std::size_t kSeqBatch = 32 * 1024;
  std::string text;
  for (__int128 at = first; step > 0 ? at <= numbers.back() : at >= numbers.back(); at += step) {
    text += std::to_string(static_cast<long long>(at)) + "\n";
    if (text.size() < kSeqBatch) continue;
    CO_TRY_VOID(co_await print(process, std::exchange(text, {})));
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<void> pump(ByteStream* from, ByteStream* to) {
  Bytes buffer(64 * 1024);
  while (const auto size = co_await from->read_some(buffer)) {
    CO_TRY_VOID(co_await to->write_all(ByteView(buffer).first(*size)));
  }
  co_return ok();
}

// nc HOST PORT: to a port of the phone, such as one that `reverse:forward` listens on. Ends when
// the other side does.
Task<int> run_nc(Process* process) {
  const auto* binding = process->phone->ports.find("tcp:" + process->arg(2));
  if (binding == nullptr) co_return co_await give_up(process, "nc: connect: Connection refused\n");
  const auto opener = binding->opener;
  const auto connected = co_await opener();
  if (!connected)
    co_return co_await give_up(process, "nc: connect: " + connected.error().message() + "\n");
  const auto upload = [](ByteStream* in, ByteStream* to) -> asio::awaitable<void> {
    co_await pump(in, to);
    co_await sleep_for(std::chrono::hours(24));
  };
  using namespace base::parallel;
  co_await (pump(connected->get(), process->io.out.get()) ||
            upload(process->io.in.get(), connected->get()));
  co_return 0;
}

constexpr CommandEntry kProgramCommands[] = {
    {"nc", run_nc},         {"sh", run_sh},         {"env", run_env}, {"timeout", run_timeout},
    {"which", run_which},   {"sleep", run_sleep},   {"yes", run_yes}, {"seq", run_seq},
    {"printf", run_printf}, {"toybox", run_toybox},
};

}  // namespace

std::span<const CommandEntry> program_commands() { return kProgramCommands; }

}  // namespace simdroid
