#include "runtime/android/input_commands.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace clawperator;

namespace {

// What a reader of HID descriptors that was written for this test alone makes of ours: the fields
// of a report, by their usage.
struct Field {
  unsigned usage = 0;  // page << 16 | usage; 0: constant
  unsigned bit = 0, bits = 0, most = 0;
};

std::vector<Field> fields_of(std::span<const std::uint8_t> descriptor) {
  std::vector<Field> fields;
  std::vector<unsigned> usages;
  unsigned page = 0, size = 0, count = 0, most = 0, bit = 0;
  int depth = 0;
  for (std::size_t at = 0; at < descriptor.size();) {
    const unsigned prefix = descriptor[at];
    const unsigned length = (prefix & 3U) == 3 ? 4 : prefix & 3U;
    unsigned value = 0;
    for (unsigned i = 0; i < length; ++i) value |= unsigned{descriptor[at + 1 + i]} << (8 * i);
    at += 1 + length;
    switch (prefix & 0xfcU) {
      case 0x04: page = value; break;
      case 0x08: usages.push_back(page << 16U | value); break;
      case 0x24: most = value; break;
      case 0x74: size = value; break;
      case 0x94: count = value; break;
      case 0xa0:
        ++depth;
        usages.clear();
        break;
      case 0xc0: --depth; break;
      case 0x80:
        for (unsigned i = 0; i < count; ++i, bit += size) {
          const bool is_constant = (value & 1U) != 0;
          fields.push_back(
              {is_constant ? 0 : usages.at(std::min<std::size_t>(i, usages.size() - 1)), bit, size,
               most});
        }
        usages.clear();
        break;
      default: break;
    }
  }
  CHECK(depth == 0);
  return fields;
}

unsigned value_at(const Bytes& report, const Field& field) {
  unsigned value = 0;
  for (unsigned i = 0; i < field.bits; ++i) {
    const unsigned bit = field.bit + i;
    value |= ((std::to_integer<unsigned>(report.at(bit / 8)) >> bit % 8) & 1U) << i;
  }
  return value;
}

constexpr unsigned kTip = 0x0d0042, kContact = 0x0d0051, kCount = 0x0d0054, kX = 0x010030,
                   kY = 0x010031;

}  // namespace

TEST_CASE("virtual touch: a report says what its descriptor promises", "[android]") {
  const auto fields = fields_of(touch_descriptor());
  const Bytes report = touch_report({TouchPoint{1, 0x1234}, TouchPoint{kTouchRange, 300}}, true);
  std::multimap<unsigned, unsigned> values;
  unsigned bits = 0;
  for (const Field& field : fields) {
    if (field.usage != 0) values.emplace(field.usage, value_at(report, field));
    bits = std::max(bits, field.bit + field.bits);
    if (field.usage == kX || field.usage == kY) CHECK(field.most == kTouchRange);
  }
  CHECK(bits == report.size() * 8);
  CHECK(values == std::multimap<unsigned, unsigned>{{kTip, 1},
                                                    {kTip, 1},
                                                    {kContact, 0},
                                                    {kContact, 1},
                                                    {kX, 1},
                                                    {kX, kTouchRange},
                                                    {kY, 0x1234},
                                                    {kY, 300},
                                                    {kCount, 2}});
  const Bytes lifted = touch_report({TouchPoint{1, 2}, TouchPoint{3, 4}}, false);
  for (const Field& field : fields) {
    if (field.usage == kTip) CHECK(value_at(lifted, field) == 0);
    if (field.usage == kCount) CHECK(value_at(lifted, field) == 2);
  }
}

TEST_CASE("virtual touch: the fingers come when Android lists the touchscreen", "[android]") {
  constexpr TouchFrame kFrame{TouchPoint{1, 2}, TouchPoint{3, 4}};
  const std::string line = virtual_touch_line(std::span(&kFrame, 1));
  const auto registered = line.find("\"register\"");
  const auto listed = line.find("dumpsys input | grep -q 'clawperator-touchscreen'");
  const auto down = line.find("[1,0,1,0,2,0,1,1,3,0,4,0,2]");
  const auto up = line.find("[0,0,1,0,2,0,0,1,3,0,4,0,2]");
  CHECK(registered < listed);
  CHECK(listed < down);
  CHECK(down < up);
  CHECK(line.ends_with("; fi; } | hid -"));
}
