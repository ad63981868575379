#include <ctime>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

constexpr std::string_view kDefaultFormat = "%a %b %e %H:%M:%S UTC %Y";

// strftime in UTC, plus %N, %3N and the like, which a toybox older than Android 9's does not
// support: it prints the letter.
std::string format_date(WallTime time, std::string_view format, int sdk) {
  constexpr int kNanosSince = 28;
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const auto nanos = std::to_string(1'000'000'000 + (time - whole).count()).substr(1);
  std::string pattern;
  for (std::size_t i = 0; i < format.size(); ++i) {
    const std::string_view rest = format.substr(i);
    if (rest.starts_with("%%")) {
      pattern += "%%";
      ++i;
    } else if (rest.starts_with("%N")) {
      pattern += sdk < kNanosSince ? "N" : nanos;
      ++i;
    } else if (rest.size() > 2 && rest[0] == '%' && rest[1] >= '1' && rest[1] <= '9' &&
               rest[2] == 'N') {
      pattern += nanos.substr(0, static_cast<std::size_t>(rest[1] - '0'));
      i += 2;
    } else if (rest.starts_with("%Z")) {
      pattern += "UTC";
      ++i;
    } else if (rest.starts_with("%s")) {
      pattern += std::to_string(whole.time_since_epoch().count());
      ++i;
    } else {
      pattern += format[i];
    }
  }
  const std::time_t seconds = whole.time_since_epoch().count();
  std::tm broken{};
  ::gmtime_r(&seconds, &broken);
  std::string text(pattern.size() * 4 + 256, '\0');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text.resize(std::strftime(text.data(), text.size(), pattern.c_str(), &broken));
#pragma GCC diagnostic pop
  return text;
}

Task<int> run_date(Process* process) {
  std::string format(kDefaultFormat);
  for (std::size_t i = 1; i < process->count(); ++i) {
    const std::string& arg = process->arg(i);
    if (arg.starts_with('+')) {
      format = arg.substr(1);
    } else if (arg != "-u") {
      co_return co_await give_up(process, "date: cannot set date: Operation not permitted\n");
    }
  }
  CO_TRY_VOID(co_await print(
      process, format_date(process->phone->clock.now(), format, process->phone->sdk()) + "\n"));
  co_return 0;
}

constexpr CommandEntry kDateCommands[] = {{"date", run_date}};

}  // namespace

std::span<const CommandEntry> date_commands() { return kDateCommands; }

}  // namespace simdroid
