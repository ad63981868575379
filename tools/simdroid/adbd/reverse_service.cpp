#include <charconv>
#include <cstdio>

#include "simdroid/adbd/service.hpp"

namespace simdroid {
namespace {

constexpr int kFirstFreePort = 40000;

std::string with_length(std::string_view text) {
  char digits[8];
  std::snprintf(digits, sizeof digits, "%04zx", std::min<std::size_t>(text.size(), 0xffff));
  return digits + std::string(text.substr(0, 0xffff));
}

std::string failure(std::string_view text) { return "FAIL" + with_length(text); }

std::string free_port(const VirtualPorts& ports) {
  int port = kFirstFreePort;
  while (ports.find("tcp:" + std::to_string(port)) != nullptr) ++port;
  return std::to_string(port);
}

// [norebind:]<device spec>;<host spec>
std::string forward(const ServiceCall& call, std::string_view text) {
  constexpr std::string_view kNoRebind = "norebind:";
  VirtualPorts& ports = call.phone()->ports;
  const bool rebind = !text.starts_with(kNoRebind);
  if (!rebind) text.remove_prefix(kNoRebind.size());
  const std::size_t semicolon = text.find(';');
  if (semicolon == std::string_view::npos || semicolon == 0 || semicolon + 1 == text.size()) {
    return failure("bad forward: " + std::string(text));
  }
  std::string spec(text.substr(0, semicolon));
  const std::string target(text.substr(semicolon + 1));
  const bool is_tcp = spec.starts_with("tcp:");
  const bool bound = ports.find(spec) != nullptr;
  if (bound && !rebind) return failure("cannot rebind existing socket");
  if (ports.all().size() >= VirtualPorts::kMaxBindings)
    return failure("cannot bind listener: too many");
  if (spec == "tcp:0") spec = "tcp:" + free_port(ports);
  const std::weak_ptr<Connection> weak = call.connection;
  ports.bind(spec, {target, call.connection.get(), [weak, target]() -> Task<ByteStreamPtr> {
                      const auto alive = weak.lock();
                      if (!alive)
                        return []() -> Task<ByteStreamPtr> {
                          co_return fail(errc::refused, "Connection refused");
                        }();
                      return alive->transport->open(target);
                    }});
  return is_tcp && !bound ? "OKAY" + with_length(spec.substr(4)) : "OKAY";
}

std::string kill_forward(const ServiceCall& call, std::string_view spec) {
  if (call.phone()->ports.unbind(spec)) return "OKAY";
  return failure("listener '" + std::string(spec) + "' not found");
}

std::string list_forwards(const ServiceCall& call) {
  std::string lines;
  for (const auto& [spec, binding] : call.phone()->ports.all()) {
    lines += call.connection->name + " " + spec + " " + binding.target + "\n";
  }
  return with_length(lines);
}

std::string answer(const ServiceCall& call) {
  const std::string_view text = call.argument;
  if (text.starts_with("forward:")) return forward(call, text.substr(8));
  if (text.starts_with("killforward:")) return kill_forward(call, text.substr(12));
  if (text == "list-forward") return list_forwards(call);
  if (text != "killforward-all") return failure("unknown reverse service");
  call.phone()->ports.unbind_all(call.connection.get());
  return "OKAY";
}

asio::awaitable<void> pump(ByteStream* from, ByteStream* to) {
  Bytes buffer(64 * 1024);
  while (const auto size = co_await from->read_some(buffer)) {
    const auto written = co_await to->write_all(ByteView(buffer).first(*size));
    if (!written) co_return;
  }
}

}  // namespace

asio::awaitable<void> serve_reverse(ServiceCall call) {
  const std::string text = answer(call);
  co_await call.stream->write_all(as_bytes(text));
}

asio::awaitable<void> serve_port(ServiceCall call) {
  const auto* binding = call.phone()->ports.find(call.name + ":" + call.argument);
  if (binding == nullptr) co_return;
  const auto opener = binding->opener;
  const auto other = co_await opener();
  if (!other) co_return;
  using namespace base::parallel;
  co_await (pump(call.stream.get(), other->get()) || pump(other->get(), call.stream.get()));
}

}  // namespace simdroid
