// The native half of tools/bench --name warm: requests to `clawperator serve` over one connection,
// and beside them the floor, the bare wire exchange with the same phone over a link that is open
// (broadcast, then the log's line; or a screen capture). Both stay warm; nothing is parsed twice.
//
//   bench_warm pairs WHAT HTTP_PORT ADDRESS ROUNDS       they take turns; prints
//                                                        {"ours_us":[...],"floor_us":[...]}
//   bench_warm load ours|floor WHAT HTTP_PORT SECONDS ADDRESS...   a thread for each phone, as fast
//                                                        as it goes; prints the microseconds of
//                                                        each
//   bench_warm start COMMAND [ARG]...                    until its first line on stderr; prints
//                                                        {"us":N} and ends it
//
// WHAT: click, snapshot, both (by turns), png, jpeg (floor: the raw frame), raw (floor alone).

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::uint32_t kConnect = 0x4e584e43, kOpen = 0x4e45504f, kOkay = 0x59414b4f,
                        kClose = 0x45534c43, kWrite = 0x45545257;
constexpr std::uint32_t kVersion = 0x01000001, kLargest = 1 << 20;
constexpr std::uint32_t kLog = 1;  // the local id of the log's stream

long now_us() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "bench_warm: %s\n", why.c_str());
  std::exit(1);
}

int dial(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    die("cannot connect to port " + std::to_string(port));
  return fd;
}

void send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(fd, bytes.data(), bytes.size());
    if (sent <= 0) die("the connection is gone");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void receive(int fd, char* into, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(fd, into, size);
    if (got <= 0) die("the connection is gone");
    into += got;
    size -= static_cast<std::size_t>(got);
  }
}

int port_of(std::string_view address) {
  return std::atoi(std::string(address.substr(address.rfind(':') + 1)).c_str());
}

std::string execution(const std::string& id, std::string_view action) {
  return R"({"commandId":")" + id + R"(","taskId":")" + id +
         R"(","source":"bench","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[)" +
         std::string(action) + "]}";
}

std::string_view action_of(std::string_view what) {
  if (what == "snapshot") return R"({"id":"a","type":"snapshot_ui"})";
  return R"({"id":"a","type":"click","params":{"coordinate":{"x":540,"y":5}}})";
}

// The floor: adb's packets over one TCP link, blocking, nothing kept.
class Wire {
 public:
  explicit Wire(int port) : fd_(dial(port)) {
    send(kConnect, kVersion, kLargest, "host::features=shell_v2,cmd,abb,abb_exec");
    while (next() != kConnect) {
    }
    open(kLog, "shell,v2,raw:logcat -B -b main -T \"$EPOCHREALTIME\"");
  }

  // Until the log has the result of this execution.
  void execute(const std::string& id, std::string_view action) {
    std::string service = "abb:activity";
    for (const std::string_view word :
         {"broadcast", "-a", "app.clawperator.operator.ACTION_AGENT_COMMAND", "-p",
          "com.clawperator.operator", "--es", "payload"})
      (service += '\0') += word;
    (service += '\0') += execution(id, action);
    for (const std::string_view word : {"--receiver-foreground", "--include-stopped-packages"})
      (service += '\0') += word;
    const std::string wanted = R"([Clawperator-Result] {"commandId":")" + id + '"';
    std::string tail;
    open(++last_, service);
    for (bool found = false; !found;) {
      if (next() != kWrite || to_ != kLog) continue;
      tail += payload_;
      found = tail.find(wanted) != std::string::npos;
      if (tail.size() > wanted.size()) tail.erase(0, tail.size() - wanted.size());
    }
  }

  // All that a command prints; its size.
  std::size_t capture(std::string_view command) {
    std::size_t size = 0;
    open(++last_, "shell,v2,raw:" + std::string(command));
    for (;;) {
      const std::uint32_t kind = next();
      if (to_ != last_) continue;
      if (kind == kWrite) size += payload_.size();
      if (kind == kClose) return size;
    }
  }

 private:
  void send(std::uint32_t kind, std::uint32_t one, std::uint32_t other, std::string_view payload) {
    const std::uint32_t header[] = {
        kind, one, other, static_cast<std::uint32_t>(payload.size()), 0, kind ^ 0xffffffff};
    std::string bytes(reinterpret_cast<const char*>(header), sizeof(header));
    send_all(fd_, bytes.append(payload));
  }

  void open(std::uint32_t local, const std::string& service) {
    send(kOpen, local, 0, std::string_view(service.c_str(), service.size() + 1));
  }

  // The kind of the next packet; what was written is acknowledged.
  std::uint32_t next() {
    std::uint32_t header[6];
    receive(fd_, reinterpret_cast<char*>(header), sizeof(header));
    payload_.resize(header[3]);
    receive(fd_, payload_.data(), payload_.size());
    to_ = header[2];
    if (header[0] == kWrite) send(kOkay, header[2], header[1], "");
    return header[0];
  }

  int fd_;
  std::uint32_t last_ = kLog;
  std::uint32_t to_ = 0;
  std::string payload_;
};

// Requests over one connection; an answer of another status ends the bench.
class Http {
 public:
  explicit Http(int port) : fd_(dial(port)) {}

  std::size_t get(const std::string& path) { return ask("GET " + path, ""); }
  std::size_t post(const std::string& path, const std::string& body) {
    return ask("POST " + path, body);
  }

 private:
  std::size_t ask(const std::string& start, const std::string& body) {
    std::string request = start + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    if (const char* token = std::getenv("CLAWPERATOR_TOKEN"))
      request += "Authorization: Bearer " + std::string(token) + "\r\n";
    if (!body.empty())
      request +=
          "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
          "\r\n";
    send_all(fd_, request + "\r\n" + body);
    std::string answer;
    char chunk[1 << 16];
    std::size_t head = std::string::npos;
    while (head == std::string::npos) {
      const ssize_t got = ::read(fd_, chunk, sizeof(chunk));
      if (got <= 0) die("no answer to " + start);
      answer.append(chunk, static_cast<std::size_t>(got));
      head = answer.find("\r\n\r\n");
    }
    const std::size_t at = answer.find("Content-Length: ");
    if (!answer.starts_with("HTTP/1.1 200") || at > head) die(start + ": " + answer.substr(0, 600));
    const auto size = static_cast<std::size_t>(std::atol(answer.c_str() + at + 16));
    std::size_t have = answer.size() - head - 4;
    if (answer.find(R"("status":"failed")") != std::string::npos)
      die(start + ": " + answer.substr(0, 600));
    for (; have < size;) {
      const ssize_t got = ::read(fd_, chunk, std::min(sizeof(chunk), size - have));
      if (got <= 0) die("half an answer to " + start);
      have += static_cast<std::size_t>(got);
    }
    return size;
  }

  int fd_;
};

std::string named(std::string_view prefix, std::string_view address, int number) {
  return std::string(prefix) + "-" + std::to_string(port_of(address)) + "-" +
         std::to_string(::getpid()) + "-" + std::to_string(number);
}

void ours(Http& http, std::string_view what, const std::string& address, int number) {
  const std::string device = "/devices/" + address + "/screenshot.";
  if (what == "png") http.get(device + "png");
  if (what == "jpeg") http.get(device + "jpg");
  if (what == "snapshot") http.post("/snapshot", R"({"deviceId":")" + address + "\"}");
  if (what == "click")
    http.post("/execute", R"({"deviceId":")" + address + R"(","execution":)" +
                              execution(named("ours", address, number), action_of(what)) + "}");
}

void floor_of(Wire& wire, std::string_view what, const std::string& address, int number) {
  if (what == "png") {
    wire.capture("screencap -p");
  } else if (what == "jpeg" || what == "raw") {
    wire.capture("screencap");
  } else {
    wire.execute(named("floor", address, number), action_of(what));
  }
}

void print(const char* name, const std::vector<long>& values) {
  std::printf("\"%s\":[", name);
  for (std::size_t i = 0; i < values.size(); ++i) std::printf("%s%ld", i ? "," : "", values[i]);
  std::printf("]");
}

int pairs(std::string_view what, int port, const std::string& address, int rounds) {
  constexpr int kWarmUp = 5;
  Http http(port);
  Wire wire(port_of(address));
  std::vector<long> times[2];
  for (int round = -kWarmUp; round < rounds; ++round) {
    for (int turn = 0; turn < 2; ++turn) {
      const int who = (round & 1) ^ turn;
      if (who == 0 && what == "raw") continue;
      const long began = now_us();
      if (who == 0) {
        ours(http, what, address, round + kWarmUp);
      } else {
        floor_of(wire, what, address, round + kWarmUp);
      }
      if (round >= 0) times[who].push_back(now_us() - began);
    }
  }
  std::printf("{");
  print("ours_us", times[0]);
  std::printf(",");
  print("floor_us", times[1]);
  std::printf("}\n");
  return 0;
}

int load(bool is_floor, std::string_view asked, int port, int seconds, char** addresses,
         int count) {
  std::vector<std::vector<long>> times(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  const long end = now_us() + seconds * 1000000L;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      const std::string address = addresses[i];
      std::vector<long>& mine = times[static_cast<std::size_t>(i)];
      const auto run = [&](auto&& one) {
        for (int number = 0; now_us() < end; ++number) {
          const std::string_view what = asked != "both" ? asked : number % 2 ? "snapshot" : "click";
          const long began = now_us();
          one(number, what);
          mine.push_back(now_us() - began);
        }
      };
      if (is_floor) {
        Wire wire(port_of(address));
        run([&](int number, std::string_view what) { floor_of(wire, what, address, number); });
      } else {
        Http http(port);
        run([&](int number, std::string_view what) { ours(http, what, address, number); });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<long> all;
  for (const auto& mine : times) all.insert(all.end(), mine.begin(), mine.end());
  std::printf("{");
  print("us", all);
  std::printf("}\n");
  return 0;
}

int start(char** command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) die("no pipe");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  const long began = now_us();
  pid_t child = 0;
  if (::posix_spawnp(&child, command[0], &actions, nullptr, command, environ) != 0) return 127;
  ::close(ends[1]);
  char letter = 0;
  while (::read(ends[0], &letter, 1) == 1 && letter != '\n') {
  }
  const long ended = now_us();
  ::kill(child, SIGTERM);
  int status = 0;
  ::waitpid(child, &status, 0);
  std::printf("{\"us\":%ld}\n", ended - began);
  return letter == '\n' ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "pairs" && argc == 6)
    return pairs(argv[2], std::atoi(argv[3]), argv[4], std::atoi(argv[5]));
  if (verb == "load" && argc > 6)
    return load(std::string_view(argv[2]) == "floor", argv[3], std::atoi(argv[4]),
                std::atoi(argv[5]), argv + 6, argc - 6);
  if (verb == "start" && argc > 2) return start(argv + 2);
  std::fputs(
      "usage: bench_warm pairs WHAT HTTP_PORT ADDRESS ROUNDS | load ours|floor WHAT HTTP_PORT "
      "SECONDS ADDRESS... |"
      " start COMMAND...\n",
      stderr);
  return 2;
}
