#include <algorithm>
#include <cstdio>

#include "base/number.hpp"
#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

std::string mode_text(std::uint32_t mode) {
  std::string text = (mode & kTypeMask) == kDirectory    ? "d"
                     : (mode & kTypeMask) == kSymlink    ? "l"
                     : (mode & kTypeMask) == kCharDevice ? "c"
                                                         : "-";
  constexpr std::string_view kBits = "rwxrwxrwx";
  for (std::size_t i = 0; i < kBits.size(); ++i) text += mode & (0400u >> i) ? kBits[i] : '-';
  return text;
}

std::string user_name(std::uint32_t uid) {
  return uid == 0           ? "root"
         : uid == 1000      ? "system"
         : uid == kShellUid ? "shell"
                            : std::to_string(uid);
}

std::string minute_text(std::int64_t mtime) {
  const std::chrono::sys_seconds time{std::chrono::seconds(mtime)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()));
  return text;
}

Task<int> failed(Process* process, std::string name, std::errc error) {
  co_return co_await give_up(process,
                             process->arg(0) + ": " + name + ": " + error_text(error) + "\n");
}

Task<int> copy_stream(Process* process) {
  const Io io = process->io;
  Bytes chunk(64 * 1024);
  while (true) {
    const auto size = co_await io.in->read_some(chunk);
    if (!size) co_return 0;
    CO_TRY_VOID(co_await io.out->write_all(ByteView(chunk).first(*size)));
  }
}

Task<int> run_cat(Process* process) {
  CO_TRY(const Options options, parse_options(*process, ""));
  if (options.names.empty()) co_return co_await copy_stream(process);
  int status = 0;
  for (const std::string& name : options.names) {
    if (name == "-") {
      CO_TRY(status, co_await copy_stream(process));
      continue;
    }
    const auto content = process->phone->files.read(process->path(name));
    if (!content) {
      CO_TRY(status, co_await failed(process, name, content.error()));
      continue;
    }
    CO_TRY_VOID(co_await print(process, std::string(*content)));
  }
  co_return status;
}

std::string list_line(const Process& process, const DirectoryEntry& entry, const std::string& path,
                      const Options& options) {
  if (!options.has('l')) return entry.name + "\n";
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, " %u %-5s %-5s %8llu ", entry.stat.links,
                user_name(entry.stat.uid).c_str(), user_name(entry.stat.gid).c_str(),
                static_cast<unsigned long long>(entry.stat.size));
  std::string line =
      mode_text(entry.stat.mode) + numbers + minute_text(entry.stat.mtime) + " " + entry.name;
  if (const auto target = process.phone->files.read_link(path)) line += " -> " + *target;
  return line + "\n";
}

Task<int> list_directory(Process* process, const Options* options, std::string name) {
  const std::string path = process->path(name);
  const auto entries = process->phone->files.list(path);
  if (!entries) co_return co_await failed(process, name, entries.error());
  std::string text;
  if (options->has('l')) text = "total " + std::to_string(entries->size() * 4) + "\n";
  for (const DirectoryEntry& entry : *entries) {
    if (entry.name.starts_with('.') && !options->has('a') && !options->has('A')) continue;
    text += list_line(*process, entry, path + "/" + entry.name, *options);
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> run_ls(Process* process) {
  CO_TRY(Options options, parse_options(*process, "1Aadl"));
  if (options.names.empty()) options.names.emplace_back(".");
  int status = 0;
  for (const std::string& name : options.names) {
    const std::string path = process->path(name);
    const bool itself = options.has('d') || (options.has('l') && !name.ends_with('/'));
    const auto stat = process->phone->files.stat(path, itself ? FollowLinks::no : FollowLinks::yes);
    if (!stat) {
      CO_TRY(status, co_await failed(process, name, stat.error()));
    } else if (stat->is(kDirectory) && !options.has('d')) {
      if (options.names.size() > 1) CO_TRY_VOID(co_await print(process, name + ":\n"));
      CO_TRY(const int listed, co_await list_directory(process, &options, name));
      status = std::max(status, listed);
    } else {
      CO_TRY_VOID(co_await print(process, list_line(*process, {name, *stat}, path, options)));
    }
  }
  co_return status;
}

Task<int> run_rm(Process* process) {
  CO_TRY(const Options options, parse_options(*process, "Rfr"));
  const bool tree = options.has('r') || options.has('R');
  int status = 0;
  for (const std::string& name : options.names) {
    const auto removed =
        process->phone->files.remove(process->path(name), tree ? RemoveTree::yes : RemoveTree::no);
    if (removed || (options.has('f') && removed.error() == std::errc::no_such_file_or_directory))
      continue;
    CO_TRY(status, co_await failed(process, name, removed.error()));
  }
  co_return status;
}

Task<int> run_rmdir(Process* process) {
  CO_TRY(const Options options, parse_options(*process, ""));
  for (const std::string& name : options.names) {
    const auto entries = process->phone->files.list(process->path(name));
    if (!entries) co_return co_await failed(process, name, entries.error());
    if (!entries->empty()) co_return co_await failed(process, name, std::errc::directory_not_empty);
    const auto removed = process->phone->files.remove(process->path(name), RemoveTree::yes);
    if (!removed) co_return co_await failed(process, name, removed.error());
  }
  co_return 0;
}

Task<int> run_mkdir(Process* process) {
  CO_TRY(const Options options, parse_options(*process, "p"));
  int status = 0;
  for (const std::string& name : options.names) {
    const auto made = process->phone->files.make_directory(
        process->path(name), options.has('p') ? MakeParents::yes : MakeParents::no);
    if (!made) {
      CO_TRY(status, co_await failed(process, name, made.error()));
    }
  }
  co_return status;
}

Task<int> run_touch(Process* process) {
  FileSystem& files = process->phone->files;
  CO_TRY(const Options options, parse_options(*process, ""));
  for (const std::string& name : options.names) {
    const std::string path = process->path(name);
    const auto now = std::chrono::floor<std::chrono::seconds>(process->phone->clock.now());
    const auto touched = files.stat(path, FollowLinks::yes)
                             ? files.set_mtime(path, now.time_since_epoch().count())
                             : files.create(path, 0660);
    if (!touched) co_return co_await failed(process, name, touched.error());
  }
  co_return 0;
}

// cp and mv, of files
Task<int> run_copy(Process* process) {
  CO_TRY(const Options options, parse_options(*process, process->arg(0) == "mv" ? "f" : ""));
  FileSystem& files = process->phone->files;
  if (options.names.size() != 2)
    co_return co_await give_up(process, process->arg(0) + ": Needs 2 arguments\n");
  const std::string from = process->path(options.names[0]);
  std::string to = process->path(options.names[1]);
  if (const auto stat = files.stat(to, FollowLinks::yes); stat && stat->is(kDirectory)) {
    to += from.substr(from.rfind('/'));
  }
  if (process->arg(0) == "mv") {
    const auto moved = files.rename(from, to);
    if (!moved) co_return co_await failed(process, options.names[0], moved.error());
    co_return 0;
  }
  const auto content = files.read(from);
  if (!content) co_return co_await failed(process, options.names[0], content.error());
  const std::string copy(*content);
  auto written = files.create(to, 0660);
  if (written) written = files.append(to, copy);
  if (!written) co_return co_await failed(process, options.names[1], written.error());
  co_return 0;
}

// chmod MODE FILE...; octal modes only.
Task<int> run_chmod(Process* process) {
  const std::string& mode = process->arg(1);
  const auto bits = whole_number<std::uint32_t>(mode, 8);
  if (!bits) co_return not_known(*process, mode);
  for (std::size_t i = 2; i < process->count(); ++i) {
    const auto changed =
        process->phone->files.set_permissions(process->path(process->arg(i)), *bits);
    if (!changed) co_return co_await failed(process, process->arg(i), changed.error());
  }
  co_return 0;
}

Result<std::string> stat_text(const FileStat& stat, const std::string& name,
                              std::string_view format) {
  std::string text;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      text += format[i];
      continue;
    }
    char octal[16];
    std::snprintf(octal, sizeof octal, "%o", stat.mode & 07777);
    switch (format[++i]) {
      case 's': text += std::to_string(stat.size); break;
      case 'a': text += octal; break;
      case 'n': text += name; break;
      case 'Y': text += std::to_string(stat.mtime); break;
      case 'F':
        text += stat.is(kDirectory) ? "directory"
                : stat.is(kSymlink) ? "symbolic link"
                                    : "regular file";
        break;
      default:
        return fail(errc::io,
                    "stat: %" + std::string(1, format[i]) + ": not known to the simulated phone");
    }
  }
  return text + "\n";
}

// stat -c FORMAT FILE...
Task<int> run_stat(Process* process) {
  if (process->arg(1) != "-c") co_return not_known(*process, "without -c");
  for (std::size_t i = 3; i < process->count(); ++i) {
    const auto stat = process->phone->files.stat(process->path(process->arg(i)), FollowLinks::no);
    if (!stat) co_return co_await failed(process, process->arg(i), stat.error());
    CO_TRY(const std::string text, stat_text(*stat, process->arg(i), process->arg(2)));
    CO_TRY_VOID(co_await print(process, text));
  }
  co_return 0;
}

Task<int> run_readlink(Process* process) {
  if (process->count() != 2) co_return not_known(*process, process->arg(1));
  const auto target = process->phone->files.read_link(process->path(process->arg(1)));
  if (!target) co_return 1;
  CO_TRY_VOID(co_await print(process, *target + "\n"));
  co_return 0;
}

constexpr CommandEntry kFilesCommands[] = {
    {"cat", run_cat},
    {"ls", run_ls},
    {"rm", run_rm},
    {"rmdir", run_rmdir},
    {"mkdir", run_mkdir},
    {"touch", run_touch},
    {"cp", run_copy},
    {"mv", run_copy},
    {"chmod", run_chmod},
    {"stat", run_stat},
    {"readlink", run_readlink},
};

}  // namespace

std::span<const CommandEntry> file_commands() { return kFilesCommands; }

}  // namespace simdroid
