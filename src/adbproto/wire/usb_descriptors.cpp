#include "adbproto/wire/usb_descriptors.hpp"

namespace adbproto {
namespace {

enum class Kind : std::uint8_t { device = 1, configuration = 2, interface = 4, endpoint = 5 };

constexpr std::size_t kDeviceSize = 18;
constexpr std::size_t kConfigurationSize = 9;
constexpr std::size_t kInterfaceSize = 9;
constexpr std::size_t kEndpointSize = 7;

constexpr std::uint8_t kClassHub = 0x09;
constexpr std::uint8_t kDirectionIn = 0x80;
constexpr std::uint8_t kBulk = 2;
constexpr std::uint16_t kPacketSizeBits = 0x7ff;

std::uint8_t byte_at(ByteView bytes, std::size_t at) {
  return std::to_integer<std::uint8_t>(bytes[at]);
}

bool is_adb_interface(ByteView interface) {
  const unsigned triple = static_cast<unsigned>(byte_at(interface, 5)) << 16 |
                          static_cast<unsigned>(byte_at(interface, 6)) << 8 | byte_at(interface, 7);
  const bool is_alternate = byte_at(interface, 3) != 0;
  return !is_alternate && (triple == 0xff4201 || triple == 0xdc0201);
}

class Walk {
 public:
  explicit Walk(std::vector<UsbInterface>* found) : found_(found) {}

  void on_descriptor(Kind kind, ByteView bytes) {
    if (kind == Kind::configuration || kind == Kind::interface) finish_interface();
    if (kind == Kind::configuration && bytes.size() >= kConfigurationSize) {
      configuration_ = byte_at(bytes, 5);
    }
    if (kind == Kind::interface && bytes.size() >= kInterfaceSize && is_adb_interface(bytes)) {
      open_ = UsbInterface{.configuration = configuration_, .number = byte_at(bytes, 2)};
    }
    if (kind == Kind::endpoint && bytes.size() >= kEndpointSize && open_) on_endpoint(bytes);
  }

  void finish_interface() {
    if (open_ && open_->in_packet_size != 0 && open_->out_packet_size != 0) {
      found_->push_back(*open_);
    }
    open_.reset();
  }

 private:
  // Only the first bulk endpoint of each direction counts.
  void on_endpoint(ByteView bytes) {
    const std::uint8_t address = byte_at(bytes, 2);
    if ((byte_at(bytes, 3) & 3) != kBulk) return;
    const bool is_in = (address & kDirectionIn) != 0;
    auto& size = is_in ? open_->in_packet_size : open_->out_packet_size;
    if (size != 0) return;
    size = load_le<std::uint16_t>(&bytes[4]) & kPacketSizeBits;
    (is_in ? open_->in_endpoint : open_->out_endpoint) = address;
  }

  std::vector<UsbInterface>* found_;
  std::uint8_t configuration_ = 0;
  std::optional<UsbInterface> open_;
};

}  // namespace

Result<UsbDescriptors> parse_usb_descriptors(ByteView bytes) {
  if (bytes.size() > kMaxUsbDescriptors) return fail(errc::limit, "usb descriptors above 64 KiB");
  const bool has_device = bytes.size() >= kDeviceSize && byte_at(bytes, 0) == kDeviceSize &&
                          Kind{byte_at(bytes, 1)} == Kind::device;
  if (!has_device) return fail(errc::protocol, "no usb device descriptor");
  UsbDescriptors result{.vendor_id = load_le<std::uint16_t>(&bytes[8]),
                        .product_id = load_le<std::uint16_t>(&bytes[10])};
  const std::uint8_t device_class = byte_at(bytes, 4);
  if (device_class == kClassHub) return result;  // every other class may be a composite phone
  Walk walk(&result.interfaces);
  for (ByteView left = bytes.subspan(kDeviceSize); left.size() >= 2;) {
    const std::size_t size = byte_at(left, 0);
    if (size < 2 || size > left.size()) break;
    walk.on_descriptor(Kind{byte_at(left, 1)}, left.first(size));
    left = left.subspan(size);
  }
  walk.finish_interface();
  return result;
}

}  // namespace adbproto
