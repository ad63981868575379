#pragma once
// The stub phone's package manager.
//
//   pm install[-create|-write|-commit|-abandon] ...
//                        takes the announced bytes; a package that begins with "BAD" is refused at
//                        its end, one with "EARLY" at once; `next_package` becomes installed
//   pm list packages [-3] [--user N] [PART], pm list users, pm path, dumpsys package, pm grant, pm
//   revoke, pm clear, pm uninstall, pm resolve-activity
//
// Files of PHONE_STATE: `installs` gets a line per install command: its words, and size and
// checksum of what it was given. `packages` has a line "NAME VERSION CODE" per package; without it
// there are Settings and the Operator. `changes` gets every grant and revocation. `grant_refusal`:
// why pm grant fails.

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "state.hpp"

namespace {

struct Package {
  std::size_t size = 0;
  std::uint32_t sum = 0;
  std::string beginning;

  void take(std::string_view bytes) {
    size += bytes.size();
    for (const char c : bytes) sum = sum * 31 + static_cast<unsigned char>(c);
    if (beginning.size() < 8) beginning.append(bytes.substr(0, 8 - beginning.size()));
  }
};

Package read_package(int fd, std::size_t announced) {
  Package package;
  std::vector<char> buffer(64 << 10);
  while (package.size < announced && !package.beginning.starts_with("EARLY")) {
    const ssize_t got =
        ::read(fd, buffer.data(), std::min(buffer.size(), announced - package.size));
    if (got <= 0) break;
    package.take({buffer.data(), static_cast<std::size_t>(got)});
  }
  return package;
}

// The stream's bytes, or those of the file that was pushed before.
Package package_of(const Arguments& arguments) {
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] == "-S")
      return read_package(STDIN_FILENO, std::strtoul(arguments[i + 1].c_str(), nullptr, 10));
  }
  const int fd = ::open(arguments.back().c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const Package package = read_package(fd, static_cast<std::size_t>(size_of(fd)));
  ::close(fd);
  return package;
}

int install(const Arguments& arguments) {
  const std::string& verb = arguments[0];
  Package package;
  if (verb == "install" || verb == "install-write") package = package_of(arguments);
  append_state("installs", joined(arguments) + std::to_string(package.size) + " " +
                               std::to_string(package.sum));
  if (package.beginning.starts_with("BAD") || package.beginning.starts_with("EARLY")) {
    print("Failure [INSTALL_FAILED_INVALID_APK: a test of the stub]\n");
    return 1;
  }
  if (verb == "install-create") return print("Success: created install session [4711]\n");
  if (const std::string next = read_state("next_package"); !next.empty() && verb == "install") {
    append_state("packages", next);
  }
  return print("Success\n");
}

struct Installed {
  std::string name, version, code;
};

std::vector<Installed> installed_packages() {
  std::string text = read_state("packages");
  if (text.empty() && !has_state("packages")) {
    text = "com.android.settings 14 34\ncom.clawperator.operator 0.5.3 503900\n";
  }
  std::vector<Installed> packages;
  std::istringstream lines(text);
  for (Installed one; lines >> one.name >> one.version >> one.code;) packages.push_back(one);
  return packages;
}

void print_packages(bool added_only, const std::string& part) {
  for (const Installed& package : installed_packages()) {
    if (added_only && package.name.starts_with("com.android.")) continue;
    if (package.name.find(part) != std::string::npos) print("package:" + package.name + "\n");
  }
}

// A command that names no user gets user 0 up to Android 12, and from 13 on all users, whose first
// one that shell may not touch ends it; Android 16 complains of that one and goes on. Android reads
// nothing behind PART: an option there has no effect, which is refused here so that it shows.
int list_packages(const Arguments& arguments) {
  bool named = false, added_only = false;
  int user = 0;
  std::string part;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (!part.empty()) return complain("Error: words behind the filter\n", 1);
    if (option == "--user" && i + 1 < arguments.size()) {
      named = arguments[++i] != "all";
      // Up to Android 10 `current` is a user of its own, who has nothing.
      if (arguments[i] == "current" && sdk() < 30) return 0;
      user = arguments[i] == "current" ? current_user() : std::atoi(arguments[i].c_str());
    } else if (option == "-3") {
      added_only = true;
    } else if (!option.starts_with('-')) {
      part = option;
    } else if (option != "-f" && option != "-U" && option != "--show-versioncode") {
      return complain("Error: Unknown option: " + option + "\n", 1);
    }
  }
  std::vector<User> asked = {{user, is_forbidden(user)}};
  if (!named) asked = sdk() < 33 ? std::vector<User>{{}} : users();
  for (const User& each : asked) {
    if (each.forbidden && sdk() < 36) return forbid("list", each.number);
    if (each.forbidden) forbid("list", each.number);
  }
  print_packages(added_only, part);
  return 0;
}

bool is_installed(const std::string& name) {
  for (const Installed& package : installed_packages()) {
    if (package.name == name) return true;
  }
  return false;
}

int grant(Arguments arguments) {
  const int user = take_user(arguments);
  const std::string refusal = read_state("grant_refusal");
  std::string problem = refusal;
  if (arguments.size() < 3 || !is_installed(arguments[1])) problem = "Unknown package\n";
  if (!problem.empty()) return throw_to_shell("grant", problem);
  if (is_forbidden(user)) return forbid("grant", user);
  append_state("changes", joined(arguments));
  return 0;
}

int uninstall(const Arguments& arguments) {
  if (arguments.back() == "com.clawperator.operator") return print("Success\n");
  if (arguments.back() == "throws")
    return throw_to_shell("uninstall", "java.lang.IllegalStateException");
  print("Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
  return 1;
}

int list_users() {
  std::string text = "Users:\n";
  for (const User& each : users()) {
    text += "\tUserInfo{" + std::to_string(each.number) + ":Owner:4c13} running\n";
  }
  return print(text);
}

int resolve(const std::string& name) {
  if (!is_installed(name)) return print("No activity found\n");
  return print("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n" +
               name + "/.Main\n");
}

int pm(const Arguments& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments[0];
  if (verb == "resolve-activity") return resolve(arguments.back());
  if (verb.starts_with("install")) return install(arguments);
  if (verb == "uninstall") return uninstall(arguments);
  if (verb == "grant" || verb == "revoke") return grant(arguments);
  if (verb == "clear") return print("Success\n");
  if (verb == "list" && arguments.size() > 1 && arguments[1] == "users") return list_users();
  if (verb == "list" && arguments.size() > 1 && arguments[1] == "packages") {
    return list_packages(arguments);
  }
  if (verb != "path" || arguments.size() < 2) return 0;
  return is_installed(arguments[1]) ? print("package:/data/app/" + arguments[1] + "/base.apk\n")
                                    : 1;
}

int dumpsys_package(const Arguments& arguments) {
  if (arguments.size() < 2) return 0;
  for (const Installed& package : installed_packages()) {
    if (package.name != arguments[1]) continue;
    return print("Packages:\n  Package [" + package.name +
                 "] (1a2b3c):\n    versionCode=" + package.code +
                 " minSdk=26 targetSdk=34\n    versionName=" + package.version + "\n");
  }
  return print("Unable to find package: " + arguments[1] + "\n");
}

}  // namespace
