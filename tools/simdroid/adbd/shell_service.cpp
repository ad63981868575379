#include <cstdio>
#include <cstdlib>

#include "simdroid/adbd/service.hpp"
#include "simdroid/adbd/shell_streams.hpp"
#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/shell.hpp"

namespace simdroid {
namespace {

constexpr int kBrokenPipe = 141;
constexpr int kKilled = 137;
constexpr int kStatusOfAbb = 1;

bool has_option(std::string_view options, std::string_view wanted) {
  while (!options.empty()) {
    const std::string_view word = options.substr(0, options.find(','));
    if (word == wanted) return true;
    options.remove_prefix(std::min(word.size() + 1, options.size()));
  }
  return false;
}

ShellMode mode_of(const ServiceCall& call) {
  if (call.name == "abb") return {.framed = true};
  if (call.name != "shell") return {};
  const bool interactive = call.argument.empty();
  const bool understood = call.connection->features.has("shell_v2");
  if (!understood || !has_option(call.options, "v2")) return {.terminal = interactive};
  const bool terminal =
      interactive ? !has_option(call.options, "raw") : has_option(call.options, "pty");
  return {.framed = true, .terminal = terminal};
}

// adbd passes the words to its helper after four hex digits of their length: the last digit of a
// longer number becomes part of the words.
std::string handed_to_abb(const std::string& text) {
  constexpr std::size_t kMost = 0xffff;
  if (text.size() <= kMost) return text;
  char digits[20];
  std::snprintf(digits, sizeof digits, "%04zx", text.size());
  const std::size_t length = std::strtoul(std::string(digits, 4).c_str(), nullptr, 16);
  return (std::string(digits + 4) + text).substr(0, length);
}

// The arguments of abb: are separated by NULs; empty ones are lost.
std::vector<std::string> split_arguments(const std::string& given) {
  const std::string handed = handed_to_abb(given);
  std::string_view text = handed;
  std::vector<std::string> args;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    if (end > 0) args.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return args;
}

// The shell of a terminal: prompts, and ^C ends the running command.
Task<int> interact(Shell* shell, ShellStreams* streams) {
  using namespace base::parallel;
  const auto input = std::make_shared<PushbackInput>(streams->io().in);
  Io io = streams->io();
  io.in = input;
  std::string pending;
  while (!shell->exited()) {
    const std::string prompt =
        pending.empty() ? shell->variable("HOSTNAME") + ":" + shell->directory() + " $ " : "> ";
    CO_TRY_VOID(co_await io.err->write_all(as_bytes(prompt)));
    auto typed = co_await (input->read_line() || streams->interrupted().wait());
    if (typed.index() == 1) {
      pending.clear();
      continue;
    }
    CO_TRY(const auto line, std::get<0>(std::move(typed)));
    if (!line) break;
    pending += *line;
    if (!is_complete(pending)) continue;
    co_await (shell->run_text(std::exchange(pending, {}), io) || streams->interrupted().wait());
    shell->forget_abandoned();
  }
  co_return shell->last_status();
}

Task<int> run(const ServiceCall* call, Shell* shell, ShellStreams* streams) {
  Phone* phone = call->phone();
  if (call->name.starts_with("abb")) {
    Process process{phone, split_arguments(call->argument), streams->io(), shell};
    co_await phone->spend(phone->costs.cmd_service);
    CO_TRY([[maybe_unused]] const int lost, co_await run_service(&process));
    // adbd runs abb in its own process, so there is no child with a status.
    co_return kStatusOfAbb;
  }
  co_await phone->spend(phone->costs.shell_start);
  if (!call->argument.empty()) co_return co_await shell->run_text(call->argument, streams->io());
  if (mode_of(*call).terminal) co_return co_await interact(shell, streams);
  const auto input = std::make_shared<PushbackInput>(streams->io().in);
  co_return co_await shell->run_input(input, streams->io());
}

// Listed by `ps` during its lifetime; `kill` raises `killed`.
class RegisteredProcess {
 public:
  RegisteredProcess(const ServiceCall& call, std::shared_ptr<Signal> killed)
      : phone_(call.phone()) {
    pid_ = phone_->processes.add({"shell", "sh -c " + call.argument.substr(0, 64),
                                  [killed = std::move(killed)] { killed->notify_all(); }});
  }
  ~RegisteredProcess() { phone_->processes.remove(pid_); }
  RegisteredProcess(const RegisteredProcess&) = delete;
  RegisteredProcess& operator=(const RegisteredProcess&) = delete;
  [[nodiscard]] int pid() const { return pid_; }

 private:
  Phone* phone_;
  int pid_ = 0;
};

asio::awaitable<void> send_hostile_length(std::shared_ptr<ByteStream> stream) {
  Bytes header{std::byte{1}};
  append_le(header, std::uint32_t{0xffffffff});
  append(header, as_bytes("not that much"));
  co_await stream->write_all(header);
}

}  // namespace

asio::awaitable<void> serve_shell(ServiceCall call) {
  Phone* phone = call.phone();
  const ShellMode mode = mode_of(call);
  // The control command works with every fault.
  const bool control = call.argument.starts_with("simctl");
  const Faults& faults = phone->faults;
  if (mode.framed && !control && faults.active(Fault::shell_hostile_length)) {
    co_await send_hostile_length(call.stream);
    co_return;
  }
  ShellStreams streams(phone->executor, call.stream, mode);
  const auto killed = std::make_shared<Signal>(phone->executor);
  const RegisteredProcess registered(call, killed);
  Shell shell(phone);
  shell.set_pid(registered.pid());

  using namespace base::parallel;
  auto ended = co_await (run(&call, &shell, &streams) || streams.feed() || killed->wait());
  if (ended.index() == 1) co_return;
  int status = kKilled;
  if (ended.index() == 0) status = std::get<0>(ended).value_or(kBrokenPipe);
  if (!control && faults.active(Fault::shell_no_exit)) co_return;
  co_await streams.finish(status);
}

}  // namespace simdroid
