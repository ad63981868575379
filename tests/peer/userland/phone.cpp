// The stub userland of the real adbd: one small program under the names am, cmd, pm, logcat, ...
// It acts like a phone with the Operator app as far as clawperator looks:
//
//   am broadcast --es payload JSON   appends the hierarchy and the result envelope to the log
//   logcat [-B|-v FORMAT] [-T TIME]  prints the log and follows it
//   screencap [-p]                   copies a prepared picture
//
//   pm, settings, dumpsys package    packages.hpp
//
// PHONE_STATE is a folder: `log` (binary entries as `logcat -B` prints them), and, if the test puts
// them there, `hierarchy.xml`, `screen.png` and `screen.raw`.

#include <poll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "packages.hpp"

namespace {

constexpr std::size_t kLoggerChunk = 4000;  // the app's logger splits longer lines
constexpr off_t kLogBuffer = 256 << 10;     // as logd's; the log starts anew when it is full
constexpr int kAppPid = 4242;

struct EntryHeader {
  std::uint16_t size, header_size;
  std::int32_t pid;
  std::uint32_t tid, sec, nsec, log_id, uid;
};
static_assert(sizeof(EntryHeader) == 28);

void append_entry(std::string& log, std::string_view tag, std::string_view message) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::string payload(1, '\x03');  // priority: debug
  payload.append(tag).push_back('\0');
  payload.append(message).push_back('\0');
  const EntryHeader header{static_cast<std::uint16_t>(payload.size()),
                           sizeof(EntryHeader),
                           kAppPid,
                           kAppPid,
                           static_cast<std::uint32_t>(now.tv_sec),
                           static_cast<std::uint32_t>(now.tv_nsec),
                           0,
                           10099};
  log.append(reinterpret_cast<const char*>(&header), sizeof(header)).append(payload);
}

// As the app's logger does: whole if short, else line by line in pieces of 4000.
void append_message(std::string& log, std::string_view tag, std::string_view message) {
  if (message.size() < kLoggerChunk) return append_entry(log, tag, message);
  while (!message.empty()) {
    const std::size_t line = std::min(message.find('\n'), message.size());
    for (std::size_t at = 0; at < line; at += kLoggerChunk) {
      append_entry(log, tag, message.substr(at, std::min(kLoggerChunk, line - at)));
    }
    message.remove_prefix(std::min(line + 1, message.size()));
  }
}

int append_to_log(const std::string& entries) {
  const int fd = ::open(state_path("log").c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return 1;
  ::flock(fd, LOCK_EX);
  if (size_of(fd) > kLogBuffer && ::ftruncate(fd, 0) != 0) return 1;
  const bool done = write_all(fd, entries);
  ::close(fd);
  return done ? 0 : 1;
}

std::string member(std::string_view json, std::string_view name) {
  const std::string key = "\"" + std::string(name) + "\":\"";
  const std::size_t at = json.find(key);
  if (at == std::string_view::npos) return {};
  json.remove_prefix(at + key.size());
  return std::string(json.substr(0, json.find('"')));
}

// The payload is the host's own compact JSON, whose actions begin {"id":"...","type":"...".
std::string run_actions(std::string_view payload, std::string& log) {
  std::string steps;
  const std::string_view start = "{\"id\":\"";
  for (std::size_t at = payload.find(start); at != std::string_view::npos;
       at = payload.find(start, at + 1)) {
    const std::string type = member(payload.substr(at), "type");
    std::string data = "{}";
    if (type == "snapshot_ui") {
      append_message(log, "D/E", "[TaskScope] UI Hierarchy:\n" + read_state("hierarchy.xml"));
      data = R"({"actual_format":"hierarchy_xml"})";
    }
    if (type == "take_screenshot") data = R"({"error":"UNSUPPORTED_RUNTIME_SCREENSHOT"})";
    const bool done = type != "take_screenshot";
    steps += (steps.empty() ? "" : ",") + std::string(R"({"id":")") +
             member(payload.substr(at), "id") + R"(","actionType":")" + type + R"(","success":)" +
             (done ? "true" : "false") + ",\"data\":" + data + "}";
  }
  return steps;
}

int broadcast(const Arguments& arguments) {
  std::string payload;
  for (std::size_t i = 0; i + 2 < arguments.size(); ++i) {
    if (arguments[i] == "--es" && arguments[i + 1] == "payload") payload = arguments[i + 2];
  }
  std::string log;
  const std::string steps = run_actions(payload, log);
  append_message(log, "I/o",
                 R"([Clawperator-Result] {"commandId":")" + member(payload, "commandId") +
                     R"(","taskId":")" + member(payload, "taskId") +
                     R"(","status":"success","stepResults":[)" + steps + R"(],"error":null})");
  if (append_to_log(log) != 0) return 1;
  return print(
      "Broadcasting: Intent { act=app.clawperator.operator.ACTION_AGENT_COMMAND }\n"
      "Broadcast completed: result=0\n");
}

int am(const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "broadcast") return broadcast(arguments);
  return 0;
}

struct LogcatOptions {
  bool binary = false;
  bool dump = false;
  std::string format = "threadtime";
  double from = 0;       // seconds since the epoch
  std::size_t last = 0;  // with -T COUNT
  bool counted = false;
};

// "1700000000.123", "MM-DD hh:mm:ss.mmm" or "YYYY-MM-DD hh:mm:ss.mmm"; a bare number is a count.
void parse_start(const std::string& text, LogcatOptions& options) {
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    options.counted = true;
    options.last = std::strtoul(text.c_str(), nullptr, 10);
    return;
  }
  const std::time_t now = std::time(nullptr);
  std::tm fields = *std::localtime(&now);
  const char* rest = ::strptime(text.c_str(), "%Y-%m-%d %H:%M:%S", &fields);
  if (rest == nullptr) rest = ::strptime(text.c_str(), "%m-%d %H:%M:%S", &fields);
  options.from = rest == nullptr
                     ? std::strtod(text.c_str(), nullptr)
                     : static_cast<double>(std::mktime(&fields)) + std::strtod(rest, nullptr);
}

LogcatOptions parse_logcat(const Arguments& arguments) {
  LogcatOptions options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const std::string value = i + 1 < arguments.size() ? arguments[i + 1] : "";
    if (argument == "-B" || argument == "--binary") options.binary = true;
    if (argument == "-d") options.dump = true;
    if (argument == "-v") options.format = value;
    if (argument == "-T" || argument == "-t") parse_start(value, options);
  }
  return options;
}

std::string text_prefix(const EntryHeader& header, const char* tag, const std::string& format) {
  const std::time_t seconds = header.sec;
  char when[32];
  std::strftime(when, sizeof(when), "%m-%d %H:%M:%S", std::localtime(&seconds));
  char prefix[256];
  const unsigned millis = header.nsec / 1000000;
  if (format == "tag") {
    std::snprintf(prefix, sizeof(prefix), "D/%s: ", tag);
  } else if (format == "time") {
    std::snprintf(prefix, sizeof(prefix), "%s.%03u D/%s(%5d): ", when, millis, tag, header.pid);
  } else {
    std::snprintf(prefix, sizeof(prefix), "%s.%03u %5d %5u D %s: ", when, millis, header.pid,
                  header.tid, tag);
  }
  return prefix;
}

void append_text(std::string& out, const EntryHeader& header, std::string_view payload,
                 const std::string& format) {
  const std::string tag(payload.substr(1, payload.find('\0') - 1));
  std::string_view message = payload.substr(tag.size() + 2);
  message = message.substr(0, message.find('\0'));
  const std::string prefix = text_prefix(header, tag.c_str(), format);
  while (!message.empty()) {
    const std::size_t line = std::min(message.find('\n'), message.size());
    out.append(prefix).append(message.substr(0, line)).push_back('\n');
    message.remove_prefix(std::min(line + 1, message.size()));
  }
}

// Takes whole entries off the front of `pending`; what is older than the start is dropped.
std::string format_entries(std::string& pending, const LogcatOptions& options) {
  std::string out;
  std::size_t at = 0;
  EntryHeader header{};
  while (pending.size() - at >= sizeof(header)) {
    std::memcpy(&header, pending.data() + at, sizeof(header));
    const std::size_t size = sizeof(header) + header.size;
    if (pending.size() - at < size) break;
    const std::string_view entry = std::string_view(pending).substr(at, size);
    at += size;
    if (header.sec + header.nsec / 1e9 < options.from) continue;
    if (options.binary) {
      out.append(entry);
    } else {
      append_text(out, header, entry.substr(sizeof(header)), options.format);
    }
  }
  pending.erase(0, at);
  return out;
}

std::size_t start_of_last(const std::string& log, std::size_t count) {
  std::vector<std::size_t> starts;
  EntryHeader header{};
  for (std::size_t at = 0; at + sizeof(header) <= log.size(); at += sizeof(header) + header.size) {
    std::memcpy(&header, log.data() + at, sizeof(header));
    starts.push_back(at);
  }
  return count >= starts.size() ? 0 : starts[starts.size() - count];
}

int logcat(const Arguments& arguments) {
  if (std::find(arguments.begin(), arguments.end(), "-c") != arguments.end()) {
    return ::truncate(state_path("log").c_str(), 0) == 0 ? 0 : 1;
  }
  const LogcatOptions options = parse_logcat(arguments);
  const int log = ::open(state_path("log").c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
  const int watch = ::inotify_init1(IN_CLOEXEC);
  if (log < 0 || ::inotify_add_watch(watch, state_path("log").c_str(), IN_MODIFY) < 0) return 1;
  std::string pending;
  std::vector<char> chunk(1 << 16);
  for (bool first = true;; first = false) {
    if (size_of(log) < ::lseek(log, 0, SEEK_CUR)) ::lseek(log, 0, SEEK_SET);
    for (ssize_t got; (got = ::read(log, chunk.data(), chunk.size())) > 0;) {
      pending.append(chunk.data(), static_cast<std::size_t>(got));
    }
    if (first && options.counted) pending.erase(0, start_of_last(pending, options.last));
    if (!write_all(STDOUT_FILENO, format_entries(pending, options))) return 1;
    if (options.dump) return 0;
    pollfd wanted[] = {{watch, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
    if (::poll(wanted, 2, -1) < 0 || wanted[1].revents != 0) return 1;
    if (::read(watch, chunk.data(), chunk.size()) < 0) return 1;
  }
}

int screencap(const Arguments& arguments) {
  const bool png = std::find(arguments.begin(), arguments.end(), "-p") != arguments.end();
  const std::string picture = read_state(png ? "screen.png" : "screen.raw");
  return picture.empty() ? 1 : print(picture);
}

int getprop(const Arguments& arguments) {
  static const std::map<std::string, std::string, std::less<>> kProperties = {
      {"ro.build.version.sdk", "34"}, {"ro.build.version.release", "14"},
      {"ro.product.model", "Stub"},   {"ro.serialno", "STUB0001"},
      {"sys.boot_completed", "1"},    {"ro.product.manufacturer", "Stub"},
      {"dev.bootcomplete", "1"},      {"ro.boot.serialno", "STUB0001"}};
  std::string out;
  if (arguments.empty()) {
    for (const auto& [name, value] : kProperties) out += "[" + name + "]: [" + value + "]\n";
    return print(out);
  }
  const auto found = kProperties.find(arguments[0]);
  return print((found == kProperties.end() ? "" : found->second) + "\n");
}

int wm(const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "size") return print("Physical size: 1080x2400\n");
  if (!arguments.empty() && arguments[0] == "density") return print("Physical density: 420\n");
  return 0;
}

int nothing(const Arguments&) { return 0; }

int cmd(const Arguments& arguments) {
  static const std::map<std::string, int (*)(const Arguments&), std::less<>> kServices = {
      {"activity", am},
      {"package", pm},
      {"settings", settings},
      {"window", wm},
      {"input", nothing}};
  if (!arguments.empty() && arguments[0] == "-l") {
    return print(
        "Currently running services:\n  activity\n  input\n  package\n  settings\n  window\n");
  }
  const auto found = arguments.empty() ? kServices.end() : kServices.find(arguments[0]);
  if (found == kServices.end()) {
    std::fputs("cmd: Can't find service\n", stderr);
    return 20;
  }
  return found->second(Arguments(arguments.begin() + 1, arguments.end()));
}

}  // namespace

int main(int argc, char** argv) {
  static const std::map<std::string_view, int (*)(const Arguments&)> kPrograms = {
      {"am", am},
      {"cmd", cmd},
      {"dumpsys", dumpsys},
      {"getprop", getprop},
      {"input", nothing},
      {"logcat", logcat},
      {"monkey", nothing},
      {"pm", pm},
      {"screencap", screencap},
      {"settings", settings},
      {"svc", nothing},
      {"wm", wm}};
  const std::string_view path = argc > 0 ? argv[0] : "";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const Arguments arguments(argv + std::min(argc, 1), argv + argc);
  if (name == "phone") {  // the names to link it under
    for (const auto& [program, run] : kPrograms) print(std::string(program) + "\n");
    return 0;
  }
  const auto found = kPrograms.find(name);
  return found == kPrograms.end() ? 127 : found->second(arguments);
}
