#include "cli/adb/adb_command.hpp"

#include "base/number.hpp"

namespace clawperator::cli {
namespace {

class LineReader {
 public:
  LineReader(std::span<const std::string> argv, TargetOptions target) : argv_(argv) {
    line_.context.target = std::move(target);
  }

  Result<AdbLine> run(const GetEnvironment& environment) {
    while (at_ < argv_.size() && argv_[at_].starts_with('-')) TRY_VOID(take_option());
    if (at_ < argv_.size()) line_.subcommand = argv_[at_++];
    line_.arguments.assign(argv_.begin() + static_cast<std::ptrdiff_t>(at_), argv_.end());
    choose_serial(environment);
    TRY_VOID(choose_server(environment));
    return std::move(line_);
  }

 private:
  TargetOptions& target() { return line_.context.target; }

  Result<void> take_option() {
    const std::string_view word = argv_[at_];
    if (word == "-d" || word == "-e") {
      target().reachable = word == "-d" ? Reachable::usb : Reachable::local;
      return skip();
    }
    if (word == "-a" || word == "--exit-on-write-error") return skip();
    if (word == "-h" || word == "--help" || word == "--version") return take_long_subcommand();
    if (word == "--one-device") {
      return fail(errc::usage, "--one-device is not offered: no server is run here");
    }
    const auto kind = word.substr(0, 2);
    if (kind == "-s" || kind == "-t" || kind == "-H" || kind == "-P" || kind == "-L") {
      TRY(const std::string value, take_value());
      return apply(kind[1], value);
    }
    return fail(errc::usage, "unknown command " + std::string(word));
  }

  Result<void> skip() {
    ++at_;
    return {};
  }

  Result<void> take_long_subcommand() {
    line_.subcommand = argv_[at_] == "--version" ? "version" : "help";
    at_ = argv_.size();
    return {};
  }

  Result<std::string> take_value() {
    const std::string& word = argv_[at_++];
    if (word.size() > 2) return word.substr(2);
    if (at_ == argv_.size()) return fail(errc::usage, word + " requires an argument");
    return argv_[at_++];
  }

  Result<void> apply(char option, const std::string& value) {
    switch (option) {
      case 's': return set_serial(value);
      case 't': return set_transport_id(value);
      case 'H': host_ = value; return {};
      case 'P': return set_port(value);
      default: socket_ = value; return {};
    }
  }

  // An empty value, as in `-s "$SERIAL"` with an unset variable, selects no device; ANDROID_SERIAL
  // is not used either.
  Result<void> set_serial(const std::string& value) {
    target().device.reset();
    if (!value.empty()) target().device = value;
    serial_is_said_ = true;
    return {};
  }

  // Transport ids begin at 1; 0 and an empty value mean no -t.
  Result<void> set_transport_id(const std::string& value) {
    const auto id = value.empty() ? 0 : whole_number<std::uint64_t>(value);
    if (!id) return fail(errc::usage, "invalid transport id");
    target().transport_id.reset();
    if (*id != 0) target().transport_id = id;
    return {};
  }

  Result<void> set_port(const std::string& value) {
    const auto port = whole_number<std::uint16_t>(value);
    if (!port || *port == 0) {
      return fail(errc::usage,
                  "$ANDROID_ADB_SERVER_PORT must be a positive number less than 65535: "
                  "got \"" +
                      value + "\"");
    }
    port_ = value;
    return {};
  }

  void choose_serial(const GetEnvironment& environment) {
    target().honour_android_serial = false;
    const bool chosen = serial_is_said_ || target().device || target().transport_id ||
                        target().reachable != Reachable::any;
    if (!chosen) target().device = environment("ANDROID_SERIAL");
  }

  // With only one of -H and -P the other half comes from the environment.
  Result<void> choose_server(const GetEnvironment& environment) {
    if (socket_ && (host_ || port_)) {
      return fail(errc::usage, "-L is incompatible with -H or -P");
    }
    if (socket_) target().adb_server = *socket_;
    if (!host_ && !port_) return {};
    auto host = host_ ? host_ : environment("ANDROID_ADB_SERVER_ADDRESS");
    const auto port = port_ ? port_ : environment("ANDROID_ADB_SERVER_PORT");
    if (host && host->contains(':') && !host->starts_with('[')) host = "[" + *host + "]";
    target().adb_server = "tcp:" + host.value_or("127.0.0.1") + ":" + port.value_or("5037");
    return {};
  }

  std::span<const std::string> argv_;
  std::size_t at_ = 0;
  AdbLine line_;
  bool serial_is_said_ = false;
  std::optional<std::string> host_, port_, socket_;
};

}  // namespace

Result<AdbLine> read_adb_line(std::span<const std::string> argv, TargetOptions target,
                              const GetEnvironment& environment) {
  return LineReader(argv, std::move(target)).run(environment);
}

}  // namespace clawperator::cli
