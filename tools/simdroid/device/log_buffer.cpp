#include "simdroid/device/log_buffer.hpp"

namespace simdroid {
namespace {

// logd's size of an entry beside its text.
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
    case LogBufferId::events: return "events";
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
  if (filter_ && !filter_(entry)) return;
  if (folding_ && hold_back(entry)) return;
  push(std::move(entry));
  changed_.notify_all();
}

void LogBuffer::push(LogEntry entry) {
  bytes_ += cost(entry);
  entries_.push_back(std::move(entry));
  make_room();
}

void LogBuffer::make_room() {
  while (bytes_ > capacity_ && entries_.size() > 1) {
    drop_oldest();
    ++lost_;
  }
}

void LogBuffer::set_capacity(std::size_t capacity) {
  capacity_ = capacity;
  make_room();
}

void LogBuffer::set_folding(bool on) {
  folding_ = on;
  repeats_.clear();
}

// True for a repetition, which waits for a different line.
bool LogBuffer::hold_back(const LogEntry& entry) {
  const auto known = repeats_.find(entry.buffer);
  if (known == repeats_.end()) {
    repeats_[entry.buffer] = {entry, 0};
    return false;
  }
  Repeats& repeats = known->second;
  const auto same = [](const LogEntry& a, const LogEntry& b) {
    return a.pid == b.pid && a.tid == b.tid && a.uid == b.uid && a.priority == b.priority &&
           a.tag == b.tag && a.message == b.message;
  };
  if (same(repeats.last, entry)) {
    repeats.last = entry;
    ++repeats.held;
    return true;
  }
  release(&repeats);
  repeats = {entry, 0};
  return false;
}

void LogBuffer::release(Repeats* repeats) {
  if (repeats->held == 0) return;
  const int folded = repeats->held - 1;
  if (folded > 0) {
    LogEntry chatty = repeats->last;
    chatty.tag = "chatty";
    chatty.priority = LogPriority::info;
    chatty.message = "uid=" + std::to_string(chatty.uid) + " identical " + std::to_string(folded) +
                     (folded == 1 ? " line" : " lines");
    push(std::move(chatty));
  }
  push(repeats->last);
}

void LogBuffer::clear() {
  while (!entries_.empty()) drop_oldest();
}

void LogBuffer::drop_oldest() {
  bytes_ -= cost(entries_.front());
  entries_.pop_front();
  ++first_;
}

}  // namespace simdroid
