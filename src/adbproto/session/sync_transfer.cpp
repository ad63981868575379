#include "adbproto/session/sync_transfer.hpp"

#include <algorithm>
#include <cstdio>

namespace adbproto {
namespace {

// An adb server and a kernel together hold at most this much of a file that we have sent.
constexpr std::uint64_t kMostHeld = 32 << 20;
constexpr std::uint64_t kSlowestLink = 256 << 10;  // bytes in a second

}  // namespace

FileKind kind_of(std::uint32_t mode) {
  switch (mode & 0170000) {
    case 0: return FileKind::missing;
    case 0100000: return FileKind::regular;
    case 0040000: return FileKind::directory;
    case 0120000: return FileKind::link;
    case 0020000:
    case 0060000: return FileKind::device;
    default: return FileKind::other;
  }
}

std::string special_file_warning(std::string_view path, std::uint32_t mode) {
  char octal[16];
  std::snprintf(octal, sizeof octal, "0o%o", mode);
  return "skipping special file '" + std::string(path) + "' (mode = " + octal + ")";
}

std::string_view base_name(std::string_view path) {
  const std::size_t end = path.find_last_not_of('/');
  if (end == path.npos) return path.substr(0, 1);
  path = path.substr(0, end + 1);
  return path.substr(path.rfind('/') + 1);  // npos + 1 is the beginning
}

std::string join_path(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.empty() && path.back() != '/' && !name.empty()) path += '/';
  return path.append(name);
}

Result<std::string> local_name_of(std::string_view remote) {
  const std::string_view name = base_name(remote);
  if (name == ".." || name.find('\0') != name.npos) {
    return fail(errc::refused, "'" + std::string(remote) + "' has no name that is usable here");
  }
  return std::string(name == "/" || name == "." ? "" : name);
}

void RequestWindow::sent(std::uint64_t bytes) {
  sizes_.push_back(bytes);
  bytes_ += bytes;
}

void RequestWindow::answered() {
  bytes_ -= sizes_.front();
  sizes_.pop_front();
}

unsigned RequestWindow::drain_seconds() const {
  return static_cast<unsigned>(std::min(bytes_, kMostHeld) / kSlowestLink);
}

PullPlan::PullPlan(std::string remote_root, const SyncStat& stat) {
  add_folder(std::move(remote_root), "", stat, {});
}

void PullPlan::add_folder(std::string remote, std::string local, const SyncStat& stat,
                          std::vector<Identity> within) {
  within.emplace_back(stat.dev, stat.ino);
  folders_.push_back(local);
  pending_.push_back(
      {{Question::Kind::list, std::move(remote)}, std::move(local), std::move(within)});
}

void PullPlan::add_file(std::string remote, std::string local, const SyncStat& stat) {
  const FileKind kind = kind_of(stat.mode);
  if (kind != FileKind::regular && kind != FileKind::device) {
    warnings_.push_back(special_file_warning(remote, stat.mode));
    ++skipped_;
    return;
  }
  files_.push_back({std::move(remote), std::move(local), stat.size, stat.mtime, stat.mode});
}

std::vector<PullPlan::Question> PullPlan::questions(std::size_t limit) const {
  std::vector<Question> next;
  for (const Pending& each : pending_) {
    if (next.size() == limit) break;
    next.push_back(each.question);
  }
  return next;
}

Result<void> PullPlan::on_entry(const SyncEntry& entry) {
  if (entry.name == "." || entry.name == "..") return ok();
  TRY_VOID(check_sync_name(entry.name));
  if (++entries_ > kMaxEntries) return fail(errc::limit, "more files than can be pulled at once");
  const Pending& folder = pending_.front();
  std::string remote = join_path(folder.question.remote, entry.name);
  std::string local = join_path(folder.local, entry.name);
  if (remote.size() > kMaxSyncPath) return fail(errc::limit, "path is too long: " + remote);
  held_ += sizeof(Pending) + remote.size() + local.size() +
           (folder.within.size() + 1) * sizeof(Identity);
  if (held_ > kMaxHeld) {
    return fail(errc::limit, "the tree is too large: its names take more than 64 MiB");
  }
  if (folder.within.size() > kMaxDepth) {
    return fail(errc::limit, "the tree is too deep: more than 256 nested folders");
  }
  switch (kind_of(entry.stat.mode)) {
    case FileKind::directory:
      add_folder(std::move(remote), std::move(local), entry.stat, folder.within);
      break;
    case FileKind::link:
      pending_.push_back(
          {{Question::Kind::stat, std::move(remote)}, std::move(local), folder.within});
      break;
    default: add_file(std::move(remote), std::move(local), entry.stat);
  }
  return ok();
}

void PullPlan::on_list_end() { pending_.pop_front(); }

Result<void> PullPlan::on_stat(const SyncStat& stat) {
  Pending link = std::move(pending_.front());
  pending_.pop_front();
  if (stat.error != 0 || stat.mode == 0) {
    const auto why = sync_error_text(stat.error == 0 ? 2 : stat.error);
    warnings_.push_back("stat failed for path " + link.question.remote + ": " + std::string(why));
    return ok();
  }
  if (kind_of(stat.mode) != FileKind::directory) {
    add_file(std::move(link.question.remote), std::move(link.local), stat);
    return ok();
  }
  const Identity target(stat.dev, stat.ino);
  if (target != Identity{} && std::ranges::find(link.within, target) != link.within.end()) {
    warnings_.push_back("skipping '" + link.question.remote + "': it links to a folder it lies in");
    ++skipped_;
    return ok();
  }
  add_folder(std::move(link.question.remote), std::move(link.local), stat, std::move(link.within));
  return ok();
}

}  // namespace adbproto
