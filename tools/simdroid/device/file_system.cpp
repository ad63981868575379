#include "simdroid/device/file_system.hpp"

#include <algorithm>

namespace simdroid {
namespace {

constexpr int kMaxLinks = 8;
constexpr std::size_t kBlock = 4096;

std::vector<std::string_view> components(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) parts.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

std::unexpected<std::errc> no(std::errc error) { return std::unexpected(error); }

}  // namespace

struct FileSystem::Node {
  FileStat stat;
  std::string content;  // or the target of a link
  std::map<std::string, std::unique_ptr<Node>, std::less<>> children;

  [[nodiscard]] bool may_write() const {
    return (stat.uid == kShellUid && (stat.mode & 0200)) || (stat.mode & 0002);
  }
  [[nodiscard]] bool may_read() const {
    return (stat.uid == kShellUid && (stat.mode & 0400)) || (stat.mode & 0004);
  }
  [[nodiscard]] FileStat full_stat() const {
    FileStat full = stat;
    full.size = stat.is(kDirectory) ? kBlock : content.size();
    full.links = stat.is(kDirectory) ? 2 : 1;
    return full;
  }
};

std::string error_text(std::errc error) { return std::make_error_code(error).message(); }

std::string absolute_path(std::string_view directory, std::string_view path) {
  const std::string joined =
      path.starts_with('/') ? std::string(path) : std::string(directory) + "/" + std::string(path);
  std::vector<std::string_view> kept;
  for (const std::string_view part : components(joined)) {
    if (part == ".") continue;
    if (part != "..") {
      kept.push_back(part);
    } else if (!kept.empty()) {
      kept.pop_back();
    }
  }
  std::string result;
  for (const std::string_view part : kept) result.append("/").append(part);
  return result.empty() ? "/" : result;
}

FileSystem::FileSystem(const PhoneClock* clock, std::uint64_t capacity)
    : clock_(clock), root_(std::make_unique<Node>()), capacity_(capacity) {
  root_->stat.mode = kDirectory | 0755;
  root_->stat.inode = 1;
  root_->stat.mtime = seconds_now();
}

FileSystem::~FileSystem() = default;

std::int64_t FileSystem::seconds_now() const {
  return std::chrono::floor<std::chrono::seconds>(clock_->now()).time_since_epoch().count();
}

FsResult<FileSystem::Place> FileSystem::place(std::string_view path, FollowLinks follow,
                                              int depth) const {
  if (path.empty()) return no(std::errc::no_such_file_or_directory);
  if (path.size() > kMaxPath) return no(std::errc::filename_too_long);
  if (depth > kMaxLinks) return no(std::errc::too_many_symbolic_link_levels);
  const std::string absolute = absolute_path("/", path);
  const auto parts = components(absolute);
  Place here{root_.get(), "", root_.get()};
  std::string walked;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (here.node == nullptr) return no(std::errc::no_such_file_or_directory);
    if (!here.node->stat.is(kDirectory)) return no(std::errc::not_a_directory);
    if (parts[i].size() > kMaxName) return no(std::errc::filename_too_long);
    const auto child = here.node->children.find(parts[i]);
    const bool last = i + 1 == parts.size();
    here = Place{here.node, std::string(parts[i]),
                 child == here.node->children.end() ? nullptr : child->second.get()};
    const bool link = here.node != nullptr && here.node->stat.is(kSymlink);
    if (!link || (last && follow == FollowLinks::no)) {
      walked.append("/").append(parts[i]);
      continue;
    }
    std::string target = absolute_path(walked.empty() ? "/" : walked, here.node->content);
    for (std::size_t rest = i + 1; rest < parts.size(); ++rest) {
      target.append("/").append(parts[rest]);
    }
    return place(target, follow, depth + 1);
  }
  return here;
}

FsResult<FileSystem::Node*> FileSystem::find(std::string_view path, FollowLinks follow) const {
  const auto where = place(path, follow);
  if (!where) return no(where.error());
  if (where->node == nullptr) return no(std::errc::no_such_file_or_directory);
  return where->node;
}

FsResult<FileSystem::Place> FileSystem::writable_place(std::string_view path,
                                                       FollowLinks follow) const {
  auto where = place(path, follow);
  if (!where) return where;
  const bool new_entry = where->node == nullptr;
  if (new_entry ? !where->directory->may_write() : !where->node->may_write()) {
    return no(std::errc::permission_denied);
  }
  return where;
}

FsResult<FileStat> FileSystem::stat(std::string_view path, FollowLinks follow) const {
  const auto node = find(path, follow);
  if (!node) return no(node.error());
  return (*node)->full_stat();
}

FsResult<std::vector<DirectoryEntry>> FileSystem::list(std::string_view path) const {
  const auto node = find(path, FollowLinks::yes);
  if (!node) return no(node.error());
  if (!(*node)->stat.is(kDirectory)) return no(std::errc::not_a_directory);
  if (!(*node)->may_read()) return no(std::errc::permission_denied);
  std::vector<DirectoryEntry> entries;
  for (const auto& [name, child] : (*node)->children) entries.push_back({name, child->full_stat()});
  return entries;
}

FsResult<std::string_view> FileSystem::read(std::string_view path) const {
  const auto node = find(path, FollowLinks::yes);
  if (!node) return no(node.error());
  if ((*node)->stat.is(kDirectory)) return no(std::errc::is_a_directory);
  if (!(*node)->may_read()) return no(std::errc::permission_denied);
  return std::string_view((*node)->content);
}

FsResult<std::string> FileSystem::read_link(std::string_view path) const {
  const auto node = find(path, FollowLinks::no);
  if (!node) return no(node.error());
  if (!(*node)->stat.is(kSymlink)) return no(std::errc::invalid_argument);
  return (*node)->content;
}

FileSystem::Node* FileSystem::add(Node* directory, const std::string& name, std::uint32_t mode) {
  auto node = std::make_unique<Node>();
  node->stat.mode = mode;
  node->stat.inode = next_inode_++;
  node->stat.uid = kShellUid;
  node->stat.gid = kShellUid;
  node->stat.mtime = seconds_now();
  Node* added = node.get();
  directory->children[name] = std::move(node);
  directory->stat.mtime = added->stat.mtime;
  bytes_ += kBlock;
  return added;
}

FsResult<void> FileSystem::create(std::string_view path, std::uint32_t permissions) {
  const auto where = writable_place(path, FollowLinks::yes);
  if (!where) return no(where.error());
  Node* node = where->node;
  if (node != nullptr && node->stat.is(kDirectory)) return no(std::errc::is_a_directory);
  if (node == nullptr) {
    if (bytes_ + kBlock > capacity_) return no(std::errc::no_space_on_device);
    node = add(where->directory, where->name, kRegular | (permissions & 0777));
  }
  bytes_ -= node->content.size();
  node->content.clear();
  node->stat.mtime = seconds_now();
  return {};
}

FsResult<void> FileSystem::append(std::string_view path, std::string_view bytes) {
  const auto where = writable_place(path, FollowLinks::yes);
  if (!where) return no(where.error());
  if (where->node == nullptr) return no(std::errc::no_such_file_or_directory);
  Node* node = where->node;
  if (node->stat.is(kDirectory)) return no(std::errc::is_a_directory);
  if (node->stat.is(kCharDevice)) return {};
  if (bytes_ + bytes.size() > capacity_) return no(std::errc::no_space_on_device);
  node->content.append(bytes);
  node->stat.mtime = seconds_now();
  bytes_ += bytes.size();
  return {};
}

FsResult<void> FileSystem::set_mtime(std::string_view path, std::int64_t mtime) {
  const auto node = find(path, FollowLinks::no);
  if (!node) return no(node.error());
  (*node)->stat.mtime = mtime;
  return {};
}

FsResult<void> FileSystem::set_permissions(std::string_view path, std::uint32_t permissions) {
  const auto node = find(path, FollowLinks::yes);
  if (!node) return no(node.error());
  if ((*node)->stat.uid != kShellUid) return no(std::errc::operation_not_permitted);
  (*node)->stat.mode = ((*node)->stat.mode & kTypeMask) | (permissions & 07777);
  return {};
}

FsResult<void> FileSystem::make_directory(std::string_view path, MakeParents parents) {
  const std::string absolute = absolute_path("/", path);
  if (parents == MakeParents::yes) {
    if (stat(absolute, FollowLinks::yes).has_value()) return {};
    const std::size_t slash = absolute.rfind('/');
    if (slash > 0) {
      if (const auto made = make_directory(absolute.substr(0, slash), parents); !made) return made;
    }
  }
  const auto where = place(absolute, FollowLinks::yes);
  if (!where) return no(where.error());
  if (where->node != nullptr) return no(std::errc::file_exists);
  if (!where->directory->may_write()) return no(std::errc::permission_denied);
  if (bytes_ + kBlock > capacity_) return no(std::errc::no_space_on_device);
  add(where->directory, where->name, kDirectory | 0770);
  return {};
}

FsResult<void> FileSystem::make_link(std::string_view path, std::string_view target) {
  const auto where = place(path, FollowLinks::no);
  if (!where) return no(where.error());
  if (where->node != nullptr) return no(std::errc::file_exists);
  if (!where->directory->may_write()) return no(std::errc::permission_denied);
  if (bytes_ + kBlock + target.size() > capacity_) return no(std::errc::no_space_on_device);
  add(where->directory, where->name, kSymlink | 0777)->content = std::string(target);
  bytes_ += target.size();
  return {};
}

std::uint64_t FileSystem::erase(Node* directory, const std::string& name) {
  const auto child = directory->children.find(name);
  std::uint64_t freed = kBlock + child->second->content.size();
  while (!child->second->children.empty()) {
    freed += erase(child->second.get(), std::string(child->second->children.begin()->first));
  }
  directory->children.erase(child);
  return freed;
}

FsResult<void> FileSystem::remove(std::string_view path, RemoveTree tree) {
  const auto where = place(path, FollowLinks::no);
  if (!where) return no(where.error());
  if (where->node == nullptr) return no(std::errc::no_such_file_or_directory);
  if (where->node == root_.get() || !where->directory->may_write()) {
    return no(std::errc::permission_denied);
  }
  if (where->node->stat.is(kDirectory) && tree == RemoveTree::no) {
    return no(std::errc::is_a_directory);
  }
  bytes_ -= erase(where->directory, where->name);
  return {};
}

FsResult<void> FileSystem::rename(std::string_view from, std::string_view to) {
  const auto source = place(from, FollowLinks::no);
  if (!source) return no(source.error());
  if (source->node == nullptr) return no(std::errc::no_such_file_or_directory);
  auto target = place(to, FollowLinks::no);
  if (!target) return no(target.error());
  const std::string source_path = absolute_path("/", from);
  const std::string target_path = absolute_path("/", to);
  if (target_path == source_path) return {};
  if (target_path.starts_with(source_path + "/")) return no(std::errc::invalid_argument);
  if (!source->directory->may_write() || !target->directory->may_write()) {
    return no(std::errc::permission_denied);
  }
  if (target->node != nullptr) {
    if (target->node->stat.is(kDirectory)) return no(std::errc::is_a_directory);
    bytes_ -= erase(target->directory, target->name);
  }
  auto moved = source->directory->children.extract(source->name);
  moved.key() = target->name;
  target->directory->children.insert(std::move(moved));
  return {};
}

void FileSystem::install(std::string_view path, std::string content, std::uint32_t mode) {
  const std::string absolute = absolute_path("/", path);
  const std::size_t slash = absolute.rfind('/');
  if (!stat(absolute.substr(0, slash + 1), FollowLinks::yes).has_value()) {
    install_directory(absolute.substr(0, slash), 0, 0755);
  }
  const auto where = place(absolute, FollowLinks::no);
  if (!where) return;
  Node* node = where->node != nullptr ? where->node : add(where->directory, where->name, mode);
  node->stat.mode = mode;
  node->stat.uid = 0;
  node->stat.gid = 0;
  bytes_ += content.size();
  node->content = std::move(content);
}

void FileSystem::install_directory(std::string_view path, std::uint32_t uid,
                                   std::uint32_t permissions) {
  Node* node = root_.get();
  const std::string absolute = absolute_path("/", path);
  for (const std::string_view part : components(absolute)) {
    const auto child = node->children.find(part);
    if (child != node->children.end()) {
      node = child->second.get();
      continue;
    }
    node = add(node, std::string(part), kDirectory | 0755);
    node->stat.uid = 0;
    node->stat.gid = 0;
  }
  node->stat.uid = uid;
  node->stat.gid = uid;
  node->stat.mode = kDirectory | permissions;
}

}  // namespace simdroid
