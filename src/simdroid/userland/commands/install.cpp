#include <algorithm>
#include <charconv>

#include "simdroid/device/package_file.hpp"
#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kMaxPackage = 512 << 20;
constexpr std::string_view kSessionRefused =
    "INSTALL_FAILED_USER_RESTRICTED: the simulated device installs no sessions";

std::optional<std::uint64_t> announced_size(Process* process) {
  for (std::size_t i = 1; i + 1 < process->count(); ++i) {
    if (process->arg(i) != "-S") continue;
    const std::string& text = process->arg(i + 1);
    std::uint64_t size = 0;
    std::from_chars(text.data(), text.data() + text.size(), size);
    return size;
  }
  return std::nullopt;
}

bool has_flag(Process* process, std::string_view flag) {
  return std::ranges::find(process->args, flag) != process->args.end();
}

// What comes before the input's end, at most `size` bytes; kept only where it is wanted.
Task<std::string> read_input(Process* process, std::uint64_t size, bool wanted) {
  std::string bytes;
  Bytes chunk(64 * 1024);
  while (size > 0) {
    const auto room = std::span(chunk).first(std::min<std::uint64_t>(chunk.size(), size));
    const auto got = co_await process->io.in->read_some(room);
    if (!got) break;
    if (wanted) bytes += adbproto::as_text(ByteView(chunk).first(*got));
    size -= *got;
  }
  co_return bytes;
}

Task<std::string> read_package(Process* process) {
  const auto size = announced_size(process);
  if (!size) {
    const auto bytes = process->phone->files.read(process->path(process->args.back()));
    if (bytes) co_return std::string(*bytes);
    co_return fail(Errc::refused, "INSTALL_FAILED_INVALID_URI: no such file");
  }
  if (*size > kMaxPackage) {
    CO_TRY([[maybe_unused]] const auto dropped, co_await read_input(process, *size, false));
    co_return fail(Errc::refused, "INSTALL_FAILED_INSUFFICIENT_STORAGE: too large");
  }
  CO_TRY(std::string bytes, co_await read_input(process, *size, true));
  if (bytes.size() == *size) co_return bytes;
  co_return fail(Errc::refused, "INSTALL_FAILED_INVALID_APK: " + std::to_string(*size) +
                                    " bytes were announced, " + std::to_string(bytes.size()) +
                                    " came");
}

Result<void> take(Phone* phone, const PackageFile& file, bool may_downgrade) {
  const Faults& faults = phone->faults;
  if (faults.active(Fault::install_refused)) {
    return fail(Errc::refused, faults.text(Fault::install_refused));
  }
  const Package* old = phone->packages->find(file.name);
  if (old != nullptr && old->version_code > file.version_code && !may_downgrade) {
    return fail(Errc::refused,
                "INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update "
                "version code " +
                    std::to_string(file.version_code) + " is older than current " +
                    std::to_string(old->version_code));
  }
  phone->operators.kill(file.name);
  phone->packages->install(file.name, file.version_name, file.version_code);
  phone->ui().install(file.name);
  return ok();
}

Task<void> install(Process* process) {
  if (process->arg(1) != "install") {
    const bool has_data = process->arg(1) == "install-write";
    const auto size = has_data ? announced_size(process).value_or(0) : 0;
    CO_TRY([[maybe_unused]] const auto dropped, co_await read_input(process, size, false));
    co_return fail(Errc::refused, std::string(kSessionRefused));
  }
  CO_TRY(const std::string bytes, co_await read_package(process));
  CO_TRY(const PackageFile file, read_package_file(bytes));
  co_return take(process->phone, file, has_flag(process, "-d"));
}

}  // namespace

Task<int> run_install(Process* process) {
  process->phone->counters.add("install");
  const auto done = co_await install(process);
  const std::string verdict =
      done ? "Success\n" : "Failure [" + std::string(done.error().message()) + "]\n";
  CO_TRY_VOID(co_await print(process, verdict));
  co_return done ? 0 : 1;
}

}  // namespace simdroid
