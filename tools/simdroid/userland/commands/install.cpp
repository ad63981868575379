#include <algorithm>
#include <charconv>

#include "simdroid/device/package_file.hpp"
#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kMaxPackage = 512 << 20;

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

// The rest of the input, at most `size` bytes; kept only on request.
Task<std::string> read_input(Process* process, std::uint64_t size, bool wanted) {
  std::string bytes;
  Bytes chunk(64 * 1024);
  while (size > 0) {
    const auto room = std::span(chunk).first(std::min<std::uint64_t>(chunk.size(), size));
    const auto got = co_await process->io.in->read_some(room);
    if (!got) break;
    if (wanted) bytes += as_text(ByteView(chunk).first(*got));
    size -= *got;
  }
  co_return bytes;
}

Task<std::string> read_stream(Process* process, std::uint64_t size, std::size_t room) {
  if (size > room) {
    CO_TRY([[maybe_unused]] const auto dropped, co_await read_input(process, size, false));
    co_return fail(errc::refused, "INSTALL_FAILED_INSUFFICIENT_STORAGE: too large");
  }
  CO_TRY(std::string bytes, co_await read_input(process, size, true));
  if (bytes.size() == size) co_return bytes;
  co_return fail(errc::refused, "INSTALL_FAILED_INVALID_APK: " + std::to_string(size) +
                                    " bytes were announced, " + std::to_string(bytes.size()) +
                                    " came");
}

Task<std::string> read_package(Process* process) {
  if (const auto size = announced_size(process)) {
    co_return co_await read_stream(process, *size, kMaxPackage);
  }
  const auto bytes = process->phone->files.read(process->path(process->args.back()));
  if (bytes) co_return std::string(*bytes);
  co_return fail(errc::refused, "INSTALL_FAILED_INVALID_URI: no such file");
}

Result<void> take(Phone* phone, const PackageFile& file, bool may_downgrade) {
  const Faults& faults = phone->faults;
  if (faults.active(Fault::install_refused)) {
    return fail(errc::refused, faults.text(Fault::install_refused));
  }
  const Package* old = phone->packages->find(file.name);
  if (old != nullptr && old->version_code > file.version_code && !may_downgrade) {
    return fail(errc::refused,
                "INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update "
                "version code " +
                    std::to_string(file.version_code) + " is older than current " +
                    std::to_string(old->version_code));
  }
  phone->operators.kill(file.name);
  phone->accessibility.process_died(file.name);
  phone->packages->install(file.name, file.version_name, file.version_code);
  phone->ui().install(file.name);
  return ok();
}

Task<std::string> install(Process* process) {
  CO_TRY(const std::string bytes, co_await read_package(process));
  CO_TRY(const PackageFile file, read_package_file(bytes));
  CO_TRY_VOID(take(process->phone, file, has_flag(process, "-d")));
  co_return "Success";
}

// The argument at this place behind the verb, without "-S SIZE".
std::string word_at(Process* process, std::size_t place) {
  for (std::size_t i = 2; i < process->count(); ++i) {
    if (process->arg(i) == "-S") {
      ++i;
    } else if (place-- == 0) {
      return process->arg(i);
    }
  }
  return {};
}

struct OpenSession {
  int id = 0;
  InstallSession* session = nullptr;
};

Result<OpenSession> named_session(Process* process) {
  const std::string word = word_at(process, 0);
  OpenSession open;
  std::from_chars(word.data(), word.data() + word.size(), open.id);
  open.session = process->phone->install_sessions.find(open.id);
  if (open.session != nullptr) return open;
  return fail(errc::refused, "Caller has no access to session " + word);
}

Task<std::string> create_session(Process* process) {
  const bool may_downgrade = has_flag(process, "-d");
  const int id = process->phone->install_sessions.create({.may_downgrade = may_downgrade});
  if (id == 0) co_return fail(errc::refused, "Too many active sessions");
  co_return "Success: created install session [" + std::to_string(id) + "]";
}

Task<std::string> write_part(Process* process) {
  InstallSessions& sessions = process->phone->install_sessions;
  const std::size_t room = kMaxPackage - std::min(kMaxPackage, sessions.bytes());
  const auto size = announced_size(process).value_or(0);
  CO_TRY(std::string bytes, co_await read_stream(process, size, room));
  CO_TRY(const OpenSession open, named_session(process));
  open.session->parts[word_at(process, 1)] = std::move(bytes);
  co_return "Success: streamed " + std::to_string(size) + " bytes";
}

// Every part is a package of the same name.
Result<PackageFile> whole_package(const InstallSession& session) {
  std::optional<PackageFile> whole;
  for (const auto& [name, bytes] : session.parts) {
    TRY(PackageFile part, read_package_file(bytes));
    if (whole && part.name != whole->name) {
      return fail(errc::refused, "INSTALL_FAILED_INVALID_APK: " + name + " package " + part.name +
                                     " inconsistent with " + whole->name);
    }
    whole = std::move(part);
  }
  if (whole) return *std::move(whole);
  return fail(errc::refused, "INSTALL_FAILED_INVALID_APK: the session has no packages");
}

Task<std::string> commit_session(Process* process) {
  CO_TRY(const OpenSession open, named_session(process));
  const InstallSession session = std::move(*open.session);
  process->phone->install_sessions.end(open.id);
  CO_TRY(const PackageFile file, whole_package(session));
  CO_TRY_VOID(take(process->phone, file, session.may_downgrade));
  co_return "Success";
}

Task<std::string> abandon_session(Process* process) {
  CO_TRY(const OpenSession open, named_session(process));
  process->phone->install_sessions.end(open.id);
  co_return "Success";
}

Task<std::string> answer_of(Process* process) {
  const std::string& verb = process->arg(1);
  if (verb == "install-create") co_return co_await create_session(process);
  if (verb == "install-write") co_return co_await write_part(process);
  if (verb == "install-commit") co_return co_await commit_session(process);
  if (verb == "install-abandon") co_return co_await abandon_session(process);
  if (verb == "install") co_return co_await install(process);
  co_return fail(errc::refused, "the simulated device does not know " + verb);
}

}  // namespace

Task<int> run_install(Process* process) {
  process->phone->counters.add("install");
  const auto done = co_await answer_of(process);
  const std::string verdict =
      done ? *done + "\n" : "Failure [" + std::string(done.error().message()) + "]\n";
  CO_TRY_VOID(co_await print(process, verdict));
  co_return done ? 0 : 1;
}

}  // namespace simdroid
