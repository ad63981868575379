// pm list packages [-f] [-3] [-s] [-U] [--show-versioncode] [--user N] [FILTER]
#include <charconv>

#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/commands/exception.hpp"

namespace simdroid {
namespace {

constexpr int kCodesSince = 26;
constexpr int kAllUsersSince = 33;
constexpr int kErrorsSince = 36;
constexpr int kUserCurrentSince = 30;

struct Listing {
  bool third_party = false, system = false, paths = false, uids = false, codes = false;
  std::optional<std::string> user;
  std::string filter;
  std::string unknown;  // an option that this release does not have
};

// The filter ends the options: later arguments are ignored.
Listing parse(Process* process) {
  Listing listing;
  for (std::size_t i = 3; i < process->count(); ++i) {
    const std::string& arg = process->arg(i);
    if (!arg.starts_with('-')) {
      listing.filter = arg;
      break;
    }
    if (process->phone->sdk() < kCodesSince && (arg == "-U" || arg == "--show-versioncode")) {
      listing.unknown = arg;
    }
    listing.third_party |= arg == "-3";
    listing.system |= arg == "-s";
    listing.paths |= arg == "-f";
    listing.uids |= arg == "-U";
    listing.codes |= arg == "--show-versioncode";
    if (arg == "--user") listing.user = process->arg(++i);
  }
  return listing;
}

int to_number(const std::string& text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string text_of(Process* process, const Listing& listing, int user) {
  std::string text;
  for (const Package* package : process->phone->packages->all()) {
    if ((listing.third_party && package->system) || (listing.system && !package->system)) continue;
    if (!package->name.contains(listing.filter)) continue;
    if (!package->system && user != current_user(*process->phone)) continue;
    text += "package:";
    if (listing.paths) text += package->apk_path() + "=";
    text += package->name;
    if (listing.codes) text += " versionCode:" + std::to_string(package->version_code);
    if (listing.uids) text += " uid:" + std::to_string(package->uid);
    text += "\n";
  }
  return text;
}

std::string no_access(int user) {
  return "Shell does not have permission to access user " + std::to_string(user);
}

// Every user in turn, user 0 first; the one that the shell may not touch ends it.
Task<int> list_all_users(Process* process, Listing listing) {
  const Phone& phone = *process->phone;
  std::string text = text_of(process, listing, 0);
  if (current_user(phone) != 0) text += text_of(process, listing, current_user(phone));
  const bool second = phone.faults.active(Fault::second_user);
  const auto user = second ? static_cast<int>(phone.faults.number(Fault::second_user)) : 0;
  if (second && phone.sdk() < kErrorsSince) {
    co_return co_await refuse_shell(process, "list", no_access(user));
  }
  if (second) {
    CO_TRY_VOID(co_await complain(process,
                                  "Error: java.lang.SecurityException: " + no_access(user) + "\n"));
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

}  // namespace

int current_user(const Phone& phone) {
  return phone.faults.active(Fault::current_user)
             ? static_cast<int>(phone.faults.number(Fault::current_user))
             : 0;
}

Task<int> list_packages(Process* process) {
  const Phone& phone = *process->phone;
  const Listing listing = parse(process);
  if (!listing.unknown.empty()) {
    CO_TRY_VOID(co_await print(process, "Error: Unknown option: " + listing.unknown + "\n"));
    co_return 255;
  }
  const bool all = listing.user ? *listing.user == "all" : phone.sdk() >= kAllUsersSince;
  if (all) co_return co_await list_all_users(process, listing);
  int user = listing.user ? to_number(*listing.user) : 0;
  if (listing.user == "current" || listing.user == "cur") {
    // Until Android 10 the number -2 is taken as a user's number, and no user has it.
    user = phone.sdk() >= kUserCurrentSince ? current_user(phone) : -2;
  } else if (user < 0) {
    co_return co_await give_up(process, "Error: Invalid user: " + *listing.user + "\n", 255);
  }
  if (phone.faults.active(Fault::second_user) && user == phone.faults.number(Fault::second_user)) {
    co_return co_await refuse_shell(process, "list", no_access(user));
  }
  if (user != 0 && user != current_user(phone)) co_return 0;
  CO_TRY_VOID(co_await print(process, text_of(process, listing, user)));
  co_return 0;
}

}  // namespace simdroid
