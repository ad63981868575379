#include <charconv>

#include "base/bytes.hpp"
#include "simdroid/adbd/service.hpp"
#include "simdroid/device/phone_files.hpp"
#include "simdroid/ui/draw.hpp"

namespace simdroid {
namespace {

std::uint64_t to_size(std::string_view text) {
  std::uint64_t size = 0;
  std::from_chars(text.data(), text.data() + text.size(), size);
  return size;
}

std::string reply_text(const ServiceCall& call) {
  if (call.name == "root") return "adbd cannot run as root in production builds\n";
  if (call.name == "unroot") return "adbd not running as root\n";
  if (call.name == "usb") return "restarting in USB mode\n";
  if (call.name != "tcpip") return "Not running as root. Try \"adb root\" first.\n";
  const std::uint64_t port = to_size(call.argument);
  if (port == 0 || port > 65535) return "invalid port " + call.argument + "\n";
  return "restarting in TCP mode port: " + std::to_string(port) + "\n";
}

// Version 2 of the header, for RGBA: little-endian words; for each colour its first bit and its
// number of bits. Blue really precedes green.
Bytes framebuffer_header(const Frame& frame) {
  const auto width = static_cast<std::uint32_t>(frame.width);
  const auto height = static_cast<std::uint32_t>(frame.height);
  constexpr std::uint32_t kVersion = 2, kBits = 32, kColorspace = 0;
  Bytes header;
  for (const std::uint32_t word :
       {kVersion, kBits, kColorspace, width * height * 4, width, height, 0u, 8u,  // red
        16u, 8u,                                                                  // blue
        8u, 8u,                                                                   // green
        24u, 8u}) {                                                               // alpha
    append_le(header, word);
  }
  return header;
}

}  // namespace

asio::awaitable<void> serve_framebuffer(ServiceCall call) {
  Phone* phone = call.phone();
  co_await phone->spend(phone->costs.capture);
  const Frame frame = draw_screen(phone->ui());
  const Bytes header = framebuffer_header(frame);
  if (!co_await call.stream->write_all(header)) co_return;
  co_await call.stream->write_all(frame.bytes());
}

asio::awaitable<void> serve_text(ServiceCall call) {
  const std::string text = reply_text(call);
  co_await call.stream->write_all(as_bytes(text));
}

// reboot: and reconnect: the link ends. After a reboot there is a new boot id; the rest is
// unchanged.
asio::awaitable<void> serve_reboot(ServiceCall call) {
  call.phone()->counters.add(call.name);
  if (call.name == "reconnect") co_await call.stream->write_all(as_bytes("done"));
  if (call.name == "reboot") install_boot_id(call.phone());
  // The bytes that were written before must still reach the host.
  co_await sleep_for(std::chrono::milliseconds(5));
  call.connection->transport->close();
}

// No app is debuggable: jdwp ends at once, the trackers send an empty list and stay open.
asio::awaitable<void> serve_tracker(ServiceCall call) {
  if (call.name == "jdwp") co_return;
  if (!co_await call.stream->write_all(as_bytes("0000"))) co_return;
  Bytes buffer(1024);
  while (co_await call.stream->read_some(buffer)) {
  }
}

}  // namespace simdroid
