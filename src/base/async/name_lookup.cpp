#include "base/async/name_lookup.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>

#include "base/async/abandonable.hpp"

namespace base {
namespace {

constinit Places lookups(32);

// If a name's servers do not answer, every caller looks it up, each time for as long as the system
// takes: such a name must not take all places. Lookups of one host with many ports wait for each
// other.
constexpr int kPlacesOfOneName = 4;
// The wait for a free place: lookups of silent names hold their places for long.
constexpr auto kLookupLimit = std::chrono::seconds(3);
// Small in comparison with a lookup by a name server.
constexpr auto kPollPause = std::chrono::milliseconds(10);

// One of a name's places, for the object's lifetime. The threads that hold places may outlive main,
// and so does the map.
class NamePlace {
 public:
  static std::shared_ptr<NamePlace> take(const std::string& host) {
    const std::lock_guard lock(mutex);
    int& taken = under_way()[host];
    if (taken == kPlacesOfOneName) return nullptr;
    ++taken;
    return std::make_shared<NamePlace>(host);
  }
  explicit NamePlace(std::string host) : host_(std::move(host)) {}
  ~NamePlace() {
    const std::lock_guard lock(mutex);
    const auto at = under_way().find(host_);
    if (--at->second == 0) under_way().erase(at);
  }
  NamePlace(const NamePlace&) = delete;
  NamePlace& operator=(const NamePlace&) = delete;

 private:
  static std::map<std::string, int>& under_way() {
    static auto* const kMap = new std::map<std::string, int>;
    return *kMap;
  }

  static inline constinit std::mutex mutex;
  std::string host_;
};

Error failure(const std::string& host, const std::string& why) {
  return {errc::io, "cannot resolve " + host + ": " + why};
}

asio::ip::address address_of(const addrinfo& entry) {
  if (entry.ai_family == AF_INET) {
    const auto* found = reinterpret_cast<const sockaddr_in*>(entry.ai_addr);
    return asio::ip::address_v4(ntohl(found->sin_addr.s_addr));
  }
  const auto* found = reinterpret_cast<const sockaddr_in6*>(entry.ai_addr);
  asio::ip::address_v6::bytes_type bytes{};
  std::memcpy(bytes.data(), &found->sin6_addr, bytes.size());
  return asio::ip::address_v6(bytes, found->sin6_scope_id);
}

}  // namespace

bool is_loopback(std::string_view host) {
  if (host == "localhost") return true;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string name(host);
  in_addr four{};
  if (::inet_pton(AF_INET, name.c_str(), &four) == 1) return name.starts_with("127.");
  in6_addr six{};
  return ::inet_pton(AF_INET6, name.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

Result<Addresses> look_up_by_system(const std::string& host) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int status = ::getaddrinfo(host.c_str(), nullptr, &wanted, &list);
  if (status == EAI_SYSTEM) {
    return std::unexpected(failure(host, std::generic_category().message(errno)));
  }
  if (status != 0) return std::unexpected(failure(host, ::gai_strerror(status)));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(list, ::freeaddrinfo);
  Addresses found;
  for (const addrinfo* entry = list; entry; entry = entry->ai_next) {
    if (entry->ai_family == AF_INET || entry->ai_family == AF_INET6) {
      found.push_back(address_of(*entry));
    }
  }
  return found;
}

namespace {

// errc::limit when there is no place.
Task<Addresses> try_look_up(std::string host, LookUpName look_up) {
  auto place = NamePlace::take(host);
  if (!place) {
    co_return fail(errc::limit, std::to_string(kPlacesOfOneName) + " lookups of it hang already");
  }
  co_return co_await run_abandonable(&lookups, [host, look_up = std::move(look_up),
                                                held = std::move(place)] { return look_up(host); });
}

}  // namespace

Task<Addresses> look_up_name(std::string host, LookUpName look_up) {
  const auto give_up = Clock::now() + kLookupLimit;
  for (;;) {
    auto found = co_await try_look_up(host, look_up);
    if (found && found->empty()) co_return std::unexpected(failure(host, "no address"));
    if (found || found.error().code() != errc::limit) co_return found;
    if (Clock::now() >= give_up) {
      co_return fail(errc::limit, failure(host, found.error().message()).message());
    }
    co_await sleep_for(kPollPause);
  }
}

}  // namespace base
