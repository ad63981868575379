#include "adbproto/link/loopback.hpp"

#include <arpa/inet.h>

#include <string>

namespace adbproto {

bool is_loopback(std::string_view host) {
  if (host == "localhost") return true;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string name(host);
  in_addr four{};
  if (::inet_pton(AF_INET, name.c_str(), &four) == 1) return name.starts_with("127.");
  in6_addr six{};
  return ::inet_pton(AF_INET6, name.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

}  // namespace adbproto
