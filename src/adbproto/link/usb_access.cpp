#include "adbproto/link/usb_access.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace adbproto {
namespace {

// Called from more than one thread.
std::string user_name() {
  std::array<char, 4096> text{};
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(::geteuid(), &entry, text.data(), text.size(), &found);
  return found != nullptr ? found->pw_name : std::to_string(::geteuid());
}

std::string group_name(gid_t id) {
  std::array<char, 16384> text{};
  group entry{};
  group* found = nullptr;
  ::getgrgid_r(id, &entry, text.data(), text.size(), &found);
  return found != nullptr ? found->gr_name : std::to_string(id);
}

std::string group_names() {
  std::vector<gid_t> ids(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
  ids.resize(
      static_cast<std::size_t>(std::max(0, ::getgroups(static_cast<int>(ids.size()), ids.data()))));
  if (std::ranges::find(ids, ::getegid()) == ids.end()) ids.push_back(::getegid());
  std::string names;
  for (const gid_t id : ids) names += (names.empty() ? "" : ", ") + group_name(id);
  return names;
}

// The entries of a folder that are called by a number; none where it cannot be read.
std::vector<std::string> numbers_in(const std::string& folder) {
  std::vector<std::string> numbers;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::string name = at->path().filename();
    if (std::ranges::all_of(name, is_digit)) numbers.push_back(std::move(name));
  }
  return numbers;
}

bool has_open(const std::string& process, const struct stat& node) {
  const std::string folder = process + "/fd";
  return std::ranges::any_of(numbers_in(folder), [&](const std::string& fd) {
    struct stat open{};
    return ::stat((folder + "/" + fd).c_str(), &open) == 0 && open.st_ino == node.st_ino &&
           open.st_dev == node.st_dev;
  });
}

std::string process_name(const std::string& process) {
  std::string name;
  std::getline(std::ifstream(process + "/comm"), name);
  return name.empty() ? "a program" : name;
}

bool is_this_program(const std::string& process) {
  struct stat other{};
  struct stat own{};
  return ::stat((process + "/exe").c_str(), &other) == 0 && ::stat("/proc/self/exe", &own) == 0 &&
         other.st_ino == own.st_ino && other.st_dev == own.st_dev;
}

}  // namespace

std::string explain_no_access(const std::string& node, std::uint16_t vendor_id, int why) {
  struct stat status{};
  if (why == ENOENT || ::stat(node.c_str(), &status) != 0) {
    return node + " does not exist; in a container, pass /dev/bus/usb into it";
  }
  if (why != EACCES && why != EPERM) return "cannot open " + node + ": " + std::strerror(why);
  char rule[160];
  std::snprintf(rule, sizeof rule,
                R"(SUBSYSTEM=="usb", ATTR{idVendor}=="%04x", MODE="0660", GROUP="plugdev", )"
                R"(TAG+="uaccess")",
                vendor_id);
  char mode[16];
  std::snprintf(mode, sizeof mode, "%04o", status.st_mode & 07777u);
  const std::string user = user_name();
  return "no permission for " + node + " (" + mode + ", group " + group_name(status.st_gid) +
         "; you are " + user + " in " + group_names() +
         "): put this line into /etc/udev/rules.d/51-android.rules: " + rule +
         "; then run: sudo usermod -aG plugdev " + user +
         " && sudo udevadm control --reload-rules; log in again and replug the phone";
}

UsbHolder find_usb_holder(const std::string& node) {
  struct stat status{};
  if (::stat(node.c_str(), &status) != 0) return {0, "another program"};
  UsbHolder holder{0, "another user's program (an adb server?)"};
  for (const std::string& number : numbers_in("/proc")) {
    const int pid = std::atoi(number.c_str());
    const std::string process = "/proc/" + number;
    if (!has_open(process, status)) continue;
    const bool is_us = pid == ::getpid();
    const std::string name = process_name(process) + " (pid " + number + ")";
    holder = {pid, is_us ? "this process" : name, !is_us && is_this_program(process)};
    if (!is_us) break;  // others before us: while we try, it is open here as well
  }
  return holder;
}

bool still_holds(const UsbHolder& holder, const std::string& node) {
  struct stat status{};
  if (holder.pid == 0 || ::stat(node.c_str(), &status) != 0) return true;
  return has_open("/proc/" + std::to_string(holder.pid), status);
}

}  // namespace adbproto
