#include "adbproto/wire/usb_descriptors.hpp"

#include <catch2/catch.hpp>

#include "support/hex.hpp"
#include "support/print_result.hpp"

namespace adbproto::testing {
namespace {

// Class, product and vendor vary; all the rest is as phones have it.
const std::string kDevice = "12 01 0002 00 00 00 40 d118 e74e 0106 01 02 03 01 ";
const std::string kMisc = "12 01 0002 ef 02 01 40 d118 e74e 0106 01 02 03 01 ";
const std::string kVendor = "12 01 0002 ff ff ff 40 d118 e74e 0106 01 02 03 01 ";
const std::string kModem = "12 01 0002 02 00 00 40 d118 e74e 0106 01 02 03 01 ";
const std::string kHub = "12 01 0002 09 00 01 40 6b1d 0200 0106 03 02 01 01 ";
const std::string kConfiguration1 = "09 02 2000 01 01 04 80 01 ";
const std::string kConfiguration2 = "09 02 2000 01 02 04 80 01 ";
const std::string kAdb = "09 04 00 00 02 ff 42 01 05 ";
const std::string kAdb3 = "09 04 03 00 02 ff 42 01 05 ";
const std::string kAdbAlternate = "09 04 00 01 02 ff 42 01 05 ";
const std::string kDebugCable = "09 04 00 00 02 dc 02 01 05 ";
const std::string kMtp = "09 04 00 00 03 06 01 01 05 ";
const std::string kFastboot = "09 04 00 00 02 ff 42 03 05 ";
const std::string kBulkOut = "07 05 02 02 0002 00 ";
const std::string kBulkIn = "07 05 81 02 0002 00 ";
const std::string kBulkOut3 = "07 05 03 02 0002 00 ";
const std::string kBulkIn4 = "07 05 84 02 0002 00 ";
const std::string kSuperOut = "07 05 02 02 0004 00 ";
const std::string kSuperIn = "07 05 81 02 0004 00 ";
const std::string kCompanion = "06 30 0f 00 0000 ";
const std::string kInterrupt = "07 05 82 03 1c00 06 ";
const std::string kAssociation = "08 0b 00 02 06 01 01 00 ";
const std::string kEmpty = "00 00 ";

constexpr UsbInterface kPlain{.configuration = 1,
                              .number = 0,
                              .in_endpoint = 0x81,
                              .out_endpoint = 0x02,
                              .in_packet_size = 512,
                              .out_packet_size = 512};

UsbInterface with(UsbInterface base, std::uint8_t configuration, std::uint8_t number) {
  base.configuration = configuration;
  base.number = number;
  return base;
}

struct Row {
  std::string name;
  std::string hex;
  std::vector<UsbInterface> found;
};

const UsbInterface kSuper{1, 0, 0x81, 0x02, 1024, 1024};
const UsbInterface kComposite{1, 3, 0x84, 0x03, 512, 512};

TEST_CASE("usb descriptors: the adb interface is found", "[R28]") {
  const auto row = GENERATE(values<Row>({
      {"plain", kDevice + kConfiguration1 + kAdb + kBulkOut + kBulkIn, {kPlain}},
      {"a vendor's composite class",
       kVendor + kConfiguration1 + kAdb + kBulkOut + kBulkIn,
       {kPlain}},
      {"a communication class", kModem + kConfiguration1 + kAdb + kBulkOut + kBulkIn, {kPlain}},
      {"in before out", kDevice + kConfiguration1 + kAdb + kBulkIn + kBulkOut, {kPlain}},
      {"debug cable", kDevice + kConfiguration1 + kDebugCable + kBulkOut + kBulkIn, {kPlain}},
      {"composite with MTP and an association",
       kMisc + kConfiguration1 + kAssociation + kMtp + kBulkOut + kBulkIn + kInterrupt + kAdb3 +
           kBulkOut3 + kBulkIn4,
       {kComposite}},
      {"SuperSpeed companions",
       kDevice + kConfiguration1 + kAdb + kSuperOut + kCompanion + kSuperIn + kCompanion,
       {kSuper}},
      {"unknown descriptors between",
       kDevice + kConfiguration1 + "04 ee 0102 " + kAdb + "05 24 010203 " + kBulkOut + "02 ff " +
           kBulkIn,
       {kPlain}},
      {"an interrupt endpoint does not count",
       kDevice + kConfiguration1 + kAdb + kInterrupt + kBulkOut + kBulkIn,
       {kPlain}},
      {"two configurations",
       kDevice + kConfiguration1 + kAdb + kBulkOut + kBulkIn + kConfiguration2 + kAdb3 + kBulkOut +
           kBulkIn,
       {kPlain, with(kPlain, 2, 3)}},
      {"only in the second configuration",
       kDevice + kConfiguration1 + kMtp + kBulkOut + kBulkIn + kConfiguration2 + kAdb + kBulkOut +
           kBulkIn,
       {with(kPlain, 2, 0)}},
      {"the first bulk endpoint each way counts",
       kDevice + kConfiguration1 + kAdb + kBulkOut + kBulkIn + kBulkOut3 + kBulkIn4,
       {kPlain}},
      {"a lying total length of the configuration",
       kDevice + "09 02 ffff 01 01 04 80 01 " + kAdb + kBulkOut + kBulkIn,
       {kPlain}},
      {"an empty descriptor behind it",
       kDevice + kConfiguration1 + kAdb + kBulkOut + kBulkIn + kEmpty + kAdb3 + kBulkOut + kBulkIn,
       {kPlain}},
  }));
  INFO(row.name);
  const auto parsed = parse_usb_descriptors(from_hex(row.hex));
  REQUIRE(parsed);
  CHECK(parsed->vendor_id == 0x18d1);
  CHECK(parsed->product_id == 0x4ee7);
  CHECK(parsed->interfaces == row.found);
}

TEST_CASE("usb descriptors: what is no usable adb interface is left out") {
  const auto row = GENERATE(values<std::pair<std::string, std::string>>({
      {"no configuration", kDevice},
      {"MTP only", kDevice + kConfiguration1 + kMtp + kBulkOut + kBulkIn},
      {"fastboot", kDevice + kConfiguration1 + kFastboot + kBulkOut + kBulkIn},
      {"an alternate setting", kDevice + kConfiguration1 + kAdbAlternate + kBulkOut + kBulkIn},
      {"no bulk IN", kDevice + kConfiguration1 + kAdb + kBulkOut},
      {"no bulk OUT", kDevice + kConfiguration1 + kAdb + kBulkIn},
      {"endpoints of the next interface",
       kDevice + kConfiguration1 + kAdb + kMtp + kBulkOut + kBulkIn},
      {"a packet size of zero",
       kDevice + kConfiguration1 + kAdb + "07 05 02 02 0000 00 07 05 81 02 0000 00"},
      {"a hub by its class", kHub + kConfiguration1 + kAdb + kBulkOut + kBulkIn},
      {"an empty descriptor before it",
       kDevice + kConfiguration1 + kEmpty + kAdb + kBulkOut + kBulkIn},
      {"a descriptor of one byte",
       kDevice + kConfiguration1 + "01 04 " + kAdb + kBulkOut + kBulkIn},
      {"a descriptor longer than the rest",
       kDevice + kConfiguration1 + kAdb + kBulkOut + "ff 05 81"},
      {"an interface descriptor that is too short",
       kDevice + kConfiguration1 + "08 04 00 00 02 ff 42 01 " + kBulkOut + kBulkIn},
      {"endpoint descriptors that are too short",
       kDevice + kConfiguration1 + kAdb + "06 05 02 02 0002 06 05 81 02 0002"},
  }));
  INFO(row.first);
  const auto parsed = parse_usb_descriptors(from_hex(row.second));
  REQUIRE(parsed);
  CHECK(parsed->interfaces.empty());
}

TEST_CASE("usb descriptors: every cut loses the interface and breaks nothing") {
  const Bytes whole = from_hex(kDevice + kConfiguration1 + kAdb + kBulkOut + kBulkIn);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto parsed = parse_usb_descriptors(ByteView(whole).first(size));
    CAPTURE(size);
    if (size < 18) {
      CHECK(parsed.error().code() == errc::protocol);
    } else {
      CHECK(parsed.value().interfaces.empty());
    }
  }
}

TEST_CASE("usb descriptors: more than 64 KiB are refused") {
  CHECK(parse_usb_descriptors(Bytes(kMaxUsbDescriptors + 1)).error().code() == errc::limit);
}

}  // namespace
}  // namespace adbproto::testing
