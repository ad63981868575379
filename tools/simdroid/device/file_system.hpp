#pragma once
// The phone's files: a tree in memory, bounded, with links, modes and Linux's error numbers.
//
//   /sdcard -> /storage/emulated/0     /data/local/tmp     /proc, /system, ... (read-only)
//
// All operations run as the user `shell` (uid 2000): it may write if the node belongs to it or is
// writable for others.

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "simdroid/device/phone_clock.hpp"

namespace simdroid {

template <class T>
using FsResult = std::expected<T, std::errc>;

// strerror's text, as every tool on the phone prints it.
std::string error_text(std::errc error);

inline constexpr std::uint32_t kTypeMask = 0170000;
inline constexpr std::uint32_t kDirectory = 0040000;
inline constexpr std::uint32_t kRegular = 0100000;
inline constexpr std::uint32_t kSymlink = 0120000;
inline constexpr std::uint32_t kCharDevice = 0020000;
inline constexpr std::uint32_t kShellUid = 2000;

struct FileStat {
  std::uint32_t mode = 0;
  std::uint64_t inode = 0;
  std::uint32_t links = 1;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t size = 0;
  std::int64_t mtime = 0;  // seconds since 1970

  [[nodiscard]] bool is(std::uint32_t type) const { return (mode & kTypeMask) == type; }
};

struct DirectoryEntry {
  std::string name;
  FileStat stat;
};

enum class FollowLinks : std::uint8_t { yes, no };
enum class MakeParents : std::uint8_t { yes, no };
enum class RemoveTree : std::uint8_t { yes, no };

class FileSystem {
 public:
  static constexpr std::uint64_t kCapacity = 1024ull * 1024 * 1024;
  static constexpr std::size_t kMaxPath = 1024;
  static constexpr std::size_t kMaxName = 255;

  explicit FileSystem(const PhoneClock* clock, std::uint64_t capacity = kCapacity);
  ~FileSystem();
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;

  [[nodiscard]] FsResult<FileStat> stat(std::string_view path, FollowLinks follow) const;
  // Sorted by name; without "." and "..".
  [[nodiscard]] FsResult<std::vector<DirectoryEntry>> list(std::string_view path) const;
  // Valid until the next change of the tree.
  [[nodiscard]] FsResult<std::string_view> read(std::string_view path) const;
  [[nodiscard]] FsResult<std::string> read_link(std::string_view path) const;

  // Creates or truncates. Permission bits only; the type is a regular file.
  FsResult<void> create(std::string_view path, std::uint32_t permissions);
  FsResult<void> append(std::string_view path, std::string_view bytes);
  FsResult<void> set_mtime(std::string_view path, std::int64_t mtime);
  FsResult<void> set_permissions(std::string_view path, std::uint32_t permissions);
  FsResult<void> make_directory(std::string_view path, MakeParents parents);
  FsResult<void> make_link(std::string_view path, std::string_view target);
  FsResult<void> remove(std::string_view path, RemoveTree tree);
  FsResult<void> rename(std::string_view from, std::string_view to);

  // For the setup of the phone: creates parents, and checks no permissions.
  void install(std::string_view path, std::string content, std::uint32_t mode = kRegular | 0644);
  void install_directory(std::string_view path, std::uint32_t uid, std::uint32_t permissions);

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  struct Node;
  struct Place {  // the place of a path's last name, existing or not
    Node* directory = nullptr;
    std::string name;
    Node* node = nullptr;  // null: no such entry
  };
  [[nodiscard]] FsResult<Place> place(std::string_view path, FollowLinks follow,
                                      int depth = 0) const;
  [[nodiscard]] FsResult<Node*> find(std::string_view path, FollowLinks follow) const;
  [[nodiscard]] FsResult<Place> writable_place(std::string_view path, FollowLinks follow) const;
  Node* add(Node* directory, const std::string& name, std::uint32_t mode);
  std::uint64_t erase(Node* directory, const std::string& name);
  [[nodiscard]] std::int64_t seconds_now() const;

  const PhoneClock* clock_;
  std::unique_ptr<Node> root_;
  std::uint64_t capacity_;
  std::uint64_t bytes_ = 0;
  std::uint64_t next_inode_ = 2;
};

// "a/./b//../c" under `directory` -> "/x/a/c".
std::string absolute_path(std::string_view directory, std::string_view path);

}  // namespace simdroid
