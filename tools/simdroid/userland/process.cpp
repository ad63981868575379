#include "simdroid/userland/process.hpp"

#include "simdroid/userland/shell.hpp"

namespace simdroid {

const std::string& Process::arg(std::size_t index) const {
  static const std::string kNone;
  return index < args.size() ? args[index] : kNone;
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

}  // namespace simdroid
