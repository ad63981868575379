#include "simdroid/device/log_buffer.hpp"

namespace simdroid {
namespace {

// What logd accounts for an entry besides its text.
constexpr std::size_t kEntryOverhead = 28;

std::size_t cost(const LogEntry& entry) {
  return kEntryOverhead + entry.tag.size() + entry.message.size();
}

}  // namespace

char letter(LogPriority priority) {
  constexpr char kLetters[] = "??VDIWEFS";
  return kLetters[static_cast<std::size_t>(priority)];
}

const char* name(LogBufferId id) {
  switch (id) {
    case LogBufferId::main: return "main";
    case LogBufferId::system: return "system";
    case LogBufferId::crash: return "crash";
  }
  return "main";
}

void LogBuffer::append(LogEntry entry) {
  constexpr std::size_t kMaxTag = 256;
  if (entry.tag.size() > kMaxTag) entry.tag.resize(kMaxTag);
  const std::size_t room = kMaxPayload - 3 - entry.tag.size();
  if (entry.message.size() > room) entry.message.resize(room);
  bytes_ += cost(entry);
  entries_.push_back(std::move(entry));
  while (bytes_ > capacity_ && entries_.size() > 1) {
    drop_oldest();
    ++lost_;
  }
  changed_.notify_all();
}

void LogBuffer::clear() {
  ++clear_count_;
  while (!entries_.empty()) drop_oldest();
}

void LogBuffer::drop_oldest() {
  bytes_ -= cost(entries_.front());
  entries_.pop_front();
  ++first_;
}

}  // namespace simdroid
