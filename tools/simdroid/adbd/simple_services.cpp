#include <charconv>

#include "adbproto/wire/framebuffer.hpp"
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

}  // namespace

asio::awaitable<void> serve_framebuffer(ServiceCall call) {
  Phone* phone = call.phone();
  co_await phone->spend(phone->costs.capture);
  const Frame frame = draw_screen(phone->ui());
  const auto header =
      framebuffer_header(PixelFormat::rgba_8888, static_cast<std::uint32_t>(frame.width),
                         static_cast<std::uint32_t>(frame.height));
  if (!header) co_return;
  const Bytes head = encode_framebuffer_header(*header);
  if (!co_await call.stream->write_all(head)) co_return;
  co_await call.stream->write_all(frame.bytes());
}

asio::awaitable<void> serve_sink(ServiceCall call) {
  std::uint64_t left = to_size(call.argument);
  Bytes buffer(64 * 1024);
  while (left > 0) {
    const auto size = co_await call.stream->read_some(buffer);
    if (!size) co_return;
    left -= std::min<std::uint64_t>(left, *size);
  }
}

asio::awaitable<void> serve_source(ServiceCall call) {
  std::uint64_t left = to_size(call.argument);
  const Bytes zeros(64 * 1024);
  while (left > 0) {
    const ByteView piece = ByteView(zeros).first(std::min<std::uint64_t>(left, zeros.size()));
    if (!co_await call.stream->write_all(piece)) co_return;
    left -= piece.size();
  }
}

asio::awaitable<void> serve_text(ServiceCall call) {
  const std::string text = reply_text(call);
  co_await call.stream->write_all(as_bytes(text));
}

// reboot: and reconnect: the link goes; a reboot is a new boot id, the rest stays as it is.
asio::awaitable<void> serve_reboot(ServiceCall call) {
  call.phone()->counters.add(call.name);
  if (call.name == "reconnect") co_await call.stream->write_all(as_bytes("done"));
  if (call.name == "reboot") install_boot_id(call.phone());
  // What was written before must reach the host.
  co_await sleep_for(std::chrono::milliseconds(5));
  call.connection->transport->close();
}

// No app is debuggable: jdwp ends at once, the trackers say so and stay open.
asio::awaitable<void> serve_tracker(ServiceCall call) {
  if (call.name == "jdwp") co_return;
  if (!co_await call.stream->write_all(as_bytes("0000"))) co_return;
  Bytes buffer(1024);
  while (co_await call.stream->read_some(buffer)) {
  }
}

}  // namespace simdroid
