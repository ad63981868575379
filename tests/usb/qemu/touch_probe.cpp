// The virtual touchscreen on a real kernel. One program in two parts of a phone:
//
//   hid -              Android's own `hid`, as far as the line needs it: commands as JSON on stdin,
//                      a device of /dev/uhid. It has this name by a link.
//   touch_probe line   prints the line that a phone would be given
//   touch_probe watch  waits for the touchscreen among the kernel's input devices, and prints
//                      what it is and each frame of it: `frame 0:100,200 1:30000,31000`

#include <dirent.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uhid.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/android/input_commands.hpp"

using namespace clawperator;

namespace {

constexpr const char* kName = "clawperator-touchscreen";

int complain(const char* what) {
  std::printf("%s: %s\n", what, std::strerror(errno));
  return 1;
}

// --- hid

bool send(int fd, const uhid_event& event) { return ::write(fd, &event, sizeof event) > 0; }

int make_touchscreen(const nlohmann::json& command) {
  const int fd = ::open("/dev/uhid", O_RDWR | O_CLOEXEC);
  if (fd < 0) return fd;
  uhid_event event{};
  event.type = UHID_CREATE2;
  std::strncpy(reinterpret_cast<char*>(event.u.create2.name),
               command["name"].get<std::string>().c_str(), sizeof event.u.create2.name - 1);
  const auto descriptor = command["descriptor"].get<std::vector<unsigned char>>();
  std::memcpy(event.u.create2.rd_data, descriptor.data(), descriptor.size());
  event.u.create2.rd_size = static_cast<__u16>(descriptor.size());
  event.u.create2.bus = BUS_USB;
  event.u.create2.vendor = command["vid"].get<unsigned>();
  event.u.create2.product = command["pid"].get<unsigned>();
  return send(fd, event) ? fd : -1;
}

int obey(int* fd, const nlohmann::json& command) {
  const auto verb = command["command"].get<std::string>();
  if (verb == "register") {
    *fd = make_touchscreen(command);
    return *fd < 0 ? complain("/dev/uhid") : 0;
  }
  if (verb == "delay") return ::usleep(command["duration"].get<unsigned>() * 1000);
  const auto report = command["report"].get<std::vector<unsigned char>>();
  uhid_event event{};
  event.type = UHID_INPUT2;
  event.u.input2.size = static_cast<__u16>(report.size());
  std::memcpy(event.u.input2.data, report.data(), report.size());
  return send(*fd, event) ? 0 : complain("report");
}

int hid() {
  int fd = -1;
  int depth = 0;
  std::string object;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c == '{') ++depth;
    if (depth > 0) object += static_cast<char>(c);
    if (c != '}' || --depth > 0) continue;
    if (const int status = obey(&fd, nlohmann::json::parse(object))) return status;
    object.clear();
  }
  return fd < 0 ? 1 : ::close(fd);
}

// --- watch

int open_touchscreen() {
  for (int tries = 0; tries < 1000; ++tries) {
    for (int number = 0; number < 32; ++number) {
      const int fd = ::open(("/dev/input/event" + std::to_string(number)).c_str(), O_RDONLY);
      char name[128] = "";
      if (fd >= 0 && ::ioctl(fd, EVIOCGNAME(sizeof name), name) > 0 &&
          std::string(name).starts_with(kName)) {
        return fd;
      }
      if (fd >= 0) ::close(fd);
    }
    ::usleep(20000);
  }
  return -1;
}

void describe(int fd) {
  unsigned char properties[8] = {};
  ::ioctl(fd, EVIOCGPROP(sizeof properties), properties);
  std::printf("direct %d\n", (properties[0] >> INPUT_PROP_DIRECT) & 1);
  for (const auto& [axis, name] : std::map<int, const char*>{
           {ABS_MT_POSITION_X, "x"}, {ABS_MT_POSITION_Y, "y"}, {ABS_MT_SLOT, "slot"}}) {
    input_absinfo info{};
    ::ioctl(fd, EVIOCGABS(axis), &info);
    std::printf("%s %d to %d\n", name, info.minimum, info.maximum);
  }
  std::fflush(stdout);
}

struct Finger {
  int tracking = -1, x = 0, y = 0;
};

int watch() {
  const int fd = open_touchscreen();
  if (fd < 0) return complain("no touchscreen came");
  describe(fd);
  std::map<int, Finger> fingers;
  int slot = 0;
  input_event event{};
  while (::read(fd, &event, sizeof event) == sizeof event) {
    if (event.type == EV_ABS && event.code == ABS_MT_SLOT) slot = event.value;
    if (event.type == EV_ABS && event.code == ABS_MT_TRACKING_ID) {
      fingers[slot].tracking = event.value;
    }
    if (event.type == EV_ABS && event.code == ABS_MT_POSITION_X) fingers[slot].x = event.value;
    if (event.type == EV_ABS && event.code == ABS_MT_POSITION_Y) fingers[slot].y = event.value;
    if (event.type != EV_SYN || event.code != SYN_REPORT) continue;
    std::string frame = "frame";
    for (const auto& [number, finger] : fingers) {
      if (finger.tracking < 0) continue;
      frame += " " + std::to_string(number) + ":" + std::to_string(finger.x) + "," +
               std::to_string(finger.y);
    }
    std::printf("%s.\n", frame.c_str());
    std::fflush(stdout);
  }
  std::printf("gone\n");  // ENODEV
  return 0;
}

int line() {
  constexpr TouchFrame kFrames[] = {{TouchPoint{100, 200}, TouchPoint{30000, 31000}},
                                    {TouchPoint{150, 250}, TouchPoint{29000, kTouchRange}},
                                    {TouchPoint{0, 300}, TouchPoint{28000, 29000}}};
  std::printf("%s\n", virtual_touch_line(kFrames).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view path = argv[0];
  if (path.ends_with("/hid") || path == "hid") return hid();
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "watch") return watch();
  return verb == "line" ? line() : 2;
}
