#include "simdroid/userland/process.hpp"

#include <algorithm>

#include "simdroid/userland/shell.hpp"

namespace simdroid {

const std::string& Process::arg(std::size_t index) const {
  static const std::string kNone;
  return index < args.size() ? args[index] : kNone;
}

std::vector<std::string> Process::args_from(std::size_t index) const {
  return {args.begin() + static_cast<std::ptrdiff_t>(std::min(index, args.size())), args.end()};
}

std::string Process::path(std::string_view name) const {
  return absolute_path(shell == nullptr ? "/" : shell->directory(), name);
}

Task<void> print(Process* process, std::string text) {
  const StreamPtr out = process->io.out;
  if (text.empty()) co_return ok();
  co_return co_await out->write_all(as_bytes(text));
}

Task<void> complain(Process* process, std::string text) {
  const StreamPtr err = process->io.err;
  co_return co_await err->write_all(as_bytes(text));
}

Task<int> give_up(Process* process, std::string text, int status) {
  CO_TRY_VOID(co_await complain(process, std::move(text)));
  co_return status;
}

std::unexpected<Error> not_known(const Process& process, std::string_view what) {
  return fail(errc::io,
              process.arg(0) + ": " + std::string(what) + ": not known to the simulated phone");
}

Result<Options> parse_options(const Process& process, std::string_view known) {
  Options result;
  bool only_names = false;
  for (std::size_t i = 1; i < process.count(); ++i) {
    const std::string& arg = process.arg(i);
    if (only_names || arg.size() < 2 || arg.front() != '-') {
      result.names.push_back(arg);
    } else if (arg == "--") {
      only_names = true;
    } else if (arg.find_first_not_of(known, 1) != std::string::npos) {
      return not_known(process, arg);
    } else {
      result.letters.append(arg, 1);
    }
  }
  return result;
}

}  // namespace simdroid
