// hid: an input device of /dev/uhid as its report descriptor describes it. Touchscreens touch.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

using HidCommand = nlohmann::json;

struct TouchField {
  unsigned usage = 0;  // page << 16 | usage
  unsigned bit = 0, bits = 0;
  double most = 1;
};

constexpr unsigned kTipSwitch = 0x0d0042;
constexpr unsigned kAxisX = 0x010030;
constexpr unsigned kAxisY = 0x010031;

// The input fields of a report, by the short items of a HID descriptor.
std::vector<TouchField> read_descriptor(const std::vector<unsigned>& items) {
  std::vector<TouchField> fields;
  std::vector<unsigned> usages;
  unsigned page = 0, size = 0, count = 0, most = 0, bit = 0;
  for (std::size_t at = 0; at < items.size();) {
    const unsigned item = items[at] & 0xfcU;
    const unsigned length = (items[at] & 3U) == 3 ? 4 : items[at] & 3U;
    unsigned value = 0;
    for (unsigned i = 0; i < length && at + 1 + i < items.size(); ++i) {
      value |= items[at + 1 + i] << (8 * i);
    }
    at += 1 + length;
    if (item == 0x04) page = value;
    if (item == 0x08) usages.push_back(page << 16U | value);
    if (item == 0x24) most = value;
    if (item == 0x74) size = value;
    if (item == 0x94) count = value;
    if (item != 0x80 && item != 0xa0) continue;
    for (unsigned i = 0; item == 0x80 && i < std::min(count, 256U) && fields.size() < 256;
         ++i, bit += size) {
      if (i < usages.size() && (value & 1U) == 0)
        fields.push_back({usages[i], bit, size, double(most)});
    }
    usages.clear();
  }
  return fields;
}

double field_value(const std::vector<unsigned>& report, const TouchField& field) {
  unsigned value = 0;
  for (unsigned i = 0; i < field.bits && (field.bit + i) / 8 < report.size(); ++i) {
    value |= (report[(field.bit + i) / 8] >> (field.bit + i) % 8 & 1U) << i;
  }
  return value;
}

class VirtualTouch {
 public:
  explicit VirtualTouch(Phone* phone) : phone_(phone) {}
  ~VirtualTouch() { phone_->input_devices.erase(name_); }
  VirtualTouch(const VirtualTouch&) = delete;
  VirtualTouch& operator=(const VirtualTouch&) = delete;

  asio::awaitable<void> obey(const HidCommand* command) {
    const std::string verb = command->value("command", "");
    if (verb == "delay")
      co_await sleep_for(std::chrono::milliseconds(command->value("duration", 0)));
    if (verb == "report") touch(command->value("report", std::vector<unsigned>()));
    if (verb != "register") co_return;
    fields_ = read_descriptor(command->value("descriptor", std::vector<unsigned>()));
    name_ = command->value("name", "");
    if (!phone_->faults.active(Fault::touch_refused)) phone_->input_devices.insert(name_);
  }

 private:
  void touch(const std::vector<unsigned>& report) {
    std::vector<Point> fingers;
    bool down = false;
    double x = 0;
    for (const TouchField& field : fields_) {
      const double part = field_value(report, field) / field.most;
      if (field.usage == kTipSwitch) down = part > 0;
      if (field.usage == kAxisX) x = part;
      if (field.usage != kAxisY || !down) continue;
      const bool over = phone_->rotation() == 2;
      fingers.push_back(
          {static_cast<int>(std::lround((over ? 1 - x : x) * (kScreenWidth - 1))),
           static_cast<int>(std::lround((over ? 1 - part : part) * (kScreenHeight - 1)))});
    }
    if (fingers.size() == 2) {
      const double apart = std::hypot(fingers[1].x - fingers[0].x, fingers[1].y - fingers[0].y);
      if (first_ == 0) first_ = apart;
      last_ = apart;
      centre_ = {(fingers[0].x + fingers[1].x) / 2, (fingers[0].y + fingers[1].y) / 2};
    } else if (fingers.empty() && first_ > 0) {
      phone_->counters.add("pinch");
      phone_->ui().pinch(centre_, last_ / first_);
      first_ = 0;
    }
  }

  Phone* phone_;
  std::string name_;
  std::vector<TouchField> fields_;
  double first_ = 0, last_ = 0;
  Point centre_{};
};

// Commands as they come, each an object; no text in them has a brace.
Task<int> run_hid(Process* process) {
  Phone* phone = process->phone;
  if (process->arg(1) != "-") co_return co_await give_up(process, "Usage: hid [FILE]\n");
  VirtualTouch device(phone);
  std::string pending;
  Bytes buffer(64 * 1024);
  while (const auto size = co_await process->io.in->read_some(buffer)) {
    pending += as_text(ByteView(buffer).first(*size));
    for (std::size_t end = 0; (end = pending.find('}')) != std::string::npos;) {
      const HidCommand command = HidCommand::parse(pending.substr(0, end + 1), nullptr, false);
      pending.erase(0, end + 1);
      bool is_understood = command.is_object();
      try {
        if (is_understood) co_await device.obey(&command);
      } catch (const HidCommand::exception&) {
        is_understood = false;  // a member of another kind
      }
      if (!is_understood) co_return co_await give_up(process, "Error: HID injection failed.\n");
    }
  }
  co_return 0;
}

constexpr CommandEntry kHidCommands[] = {{"hid", run_hid, &Latencies::app_process}};

}  // namespace

std::span<const CommandEntry> hid_commands() { return kHidCommands; }

}  // namespace simdroid
