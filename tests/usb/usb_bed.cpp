// A USB bus with simulated phones on it, for other programs.
// usage: umockdev-wrapper usb_bed [PHONE...] -- COMMAND [ARGUMENT...]   exits with its status
//        umockdev-wrapper usb_bed [PHONE...]
//   PHONE   SERIAL[@NAME][/PACKET], such as MOCK0001@1-2.3/1024; one MOCK0001 without any
// Without a command it prints the folder of the bus: other programs see the phones with that in
// UMOCKDEV_DIR and libumockdev-preload.so.0 in LD_PRELOAD. Then it obeys lines of its input, each
// answered with `ok`: `unplug N`, `plug N`, `mute N`, `speak N`; N counts from 0. Ends with the
// input.

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "usb_phone.hpp"

namespace {

using adbproto::testing::MockBus;
using adbproto::testing::MockIdentity;
using adbproto::testing::UsbPhone;
using Phones = std::vector<std::unique_ptr<UsbPhone>>;

MockIdentity parse_phone(std::string_view text, std::size_t index) {
  MockIdentity identity;
  identity.name = "1-" + std::to_string(index + 1);
  if (const auto slash = text.find('/'); slash != text.npos) {
    const auto size = text.substr(slash + 1);
    std::from_chars(size.data(), size.data() + size.size(), identity.packet_size);
    text = text.substr(0, slash);
  }
  if (const auto at = text.find('@'); at != text.npos) {
    identity.name = text.substr(at + 1);
    text = text.substr(0, at);
  }
  identity.serial = text;
  return identity;
}

std::unique_ptr<UsbPhone> make_phone(MockBus* bus, const MockIdentity& identity) {
  simdroid::SimOptions options;
  options.operator_version = "0.5.3";
  if (!identity.serial.empty()) options.serial = identity.serial;
  return std::make_unique<UsbPhone>(bus, identity, options);
}

int run_child(char** command) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execvp(command[0], command);
    std::perror(command[0]);
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const char* obey(const std::string& line, const Phones& phones) {
  std::istringstream words(line);
  std::string verb;
  std::size_t index = 0;
  if (!(words >> verb >> index) || index >= phones.size()) return "what?";
  UsbPhone& phone = *phones[index];
  if (verb == "unplug") return phone.unplug(), "ok";
  if (verb == "plug") return phone.plug(), "ok";
  if (verb == "mute") return phone.set_mute(true), "ok";
  if (verb == "speak") return phone.set_mute(false), "ok";
  return "what?";
}

int run(int count, char** arguments) {
  MockBus bus;
  Phones phones;
  int at = 1;
  for (; at < count && std::string_view(arguments[at]) != "--"; ++at) {
    phones.push_back(make_phone(&bus, parse_phone(arguments[at], phones.size())));
  }
  if (phones.empty()) phones.push_back(make_phone(&bus, {}));
  if (at + 1 < count) return run_child(arguments + at + 1);
  std::cout << bus.root() << "\n" << std::flush;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << obey(line, phones) << "\n" << std::flush;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "usb_bed: %s\n", error.what());
    return 77;
  }
}
