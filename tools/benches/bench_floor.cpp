// The small native half of tools/bench: a stop watch, and the least that a client can do.
//
//   bench_floor measure COMMAND [ARG]...          runs it with its output thrown away and prints
//                                                 {"wall_us":N,"cpu_us":N,"max_rss_kib":N,"status":N}
//   bench_floor exchange PORT SERIAL SERVICE      one cold exchange with the adb server: connect,
//                                                 choose the device, open the service, read it out
//                                                 (SERIAL -: a service of the server itself)
//
// It is small on purpose: the peak memory of a child includes what its parent had when it forked.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

long now_us() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

long microseconds(const timeval& time) { return time.tv_sec * 1000000 + time.tv_usec; }

int measure(char** command) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const long began = now_us();
  pid_t child = 0;
  if (::posix_spawnp(&child, command[0], &actions, nullptr, command, environ) != 0) return 127;
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  const long ended = now_us();
  std::printf("{\"wall_us\":%ld,\"cpu_us\":%ld,\"max_rss_kib\":%ld,\"status\":%d}\n", ended - began,
              microseconds(usage.ru_utime) + microseconds(usage.ru_stime), usage.ru_maxrss,
              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}

void acknowledge_quickly(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof(on));
}

bool request(int fd, const char* service) {
  char frame[70000];
  const std::size_t size = std::strlen(service);
  if (size > 65535) return false;
  std::snprintf(frame, 5, "%04zx", size);
  std::memcpy(frame + 4, service, size);
  if (::write(fd, frame, size + 4) != static_cast<ssize_t>(size + 4)) return false;
  char answer[4];
  std::size_t got = 0;
  while (got < sizeof(answer)) {
    const ssize_t part = ::read(fd, answer + got, sizeof(answer) - got);
    if (part <= 0) return false;
    acknowledge_quickly(fd);
    got += static_cast<std::size_t>(part);
  }
  return std::memcmp(answer, "OKAY", 4) == 0;
}

int exchange(const char* port, const char* serial, const char* service) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<unsigned short>(std::atoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) return 1;
  char transport[512];
  std::snprintf(transport, sizeof(transport), "host:transport:%s", serial);
  if (std::strcmp(serial, "-") != 0 && !request(fd, transport)) return 1;
  if (!request(fd, service)) return 1;
  static char chunk[1 << 18];
  for (ssize_t got; (got = ::read(fd, chunk, sizeof(chunk))) > 0;) {
    acknowledge_quickly(fd);
    if (::write(STDOUT_FILENO, chunk, static_cast<std::size_t>(got)) != got) return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[1], "measure") == 0) return measure(argv + 2);
  if (argc == 5 && std::strcmp(argv[1], "exchange") == 0)
    return exchange(argv[2], argv[3], argv[4]);
  std::fputs("usage: bench_floor measure COMMAND [ARG]... | exchange PORT SERIAL SERVICE\n",
             stderr);
  return 2;
}
