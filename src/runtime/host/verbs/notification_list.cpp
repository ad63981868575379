#include "runtime/host/verbs/notification_list.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kManager = "Current Notification Manager state";
constexpr std::string_view kListHeading = "Notification List:";
// What every release prints below the list, also where there is none.
constexpr std::string_view kBelowList = "notification listeners";
constexpr std::size_t kInList = 4;  // blanks before what belongs to the list
constexpr std::string_view kRecordHead = "NotificationRecord(0x";

struct DumpLine {
  std::size_t indent = 0;
  std::string_view text{};  // without the indent
  std::string_view whole{};
};

DumpLine take_dump_line(std::string_view* rest) {
  const std::size_t end = std::min(rest->find('\n'), rest->size());
  const std::string_view line = trimmed_end(rest->substr(0, end), "\r");
  rest->remove_prefix(std::min(end + 1, rest->size()));
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  return {indent, line.substr(indent), line};
}

// What stands between `from` and the next `to`; nullopt where one of them is missing.
std::optional<std::string_view> text_between(std::string_view text, std::string_view from,
                                             std::string_view to) {
  const auto at = text.find(from);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + from.size());
  const auto end = text.find(to);
  return end == text.npos ? std::nullopt : std::optional(text.substr(0, end));
}

// 0x22, or names since Android 14: ONGOING_EVENT is 2, NO_CLEAR is 32.
bool keeps(std::string_view flags) {
  constexpr unsigned kOngoingOrNoClear = 0x22;
  flags = flags.substr(0, flags.find_first_of(" ),"));
  if (flags.starts_with("0x")) {
    return (whole_number<std::uint32_t>(flags.substr(2), 16).value_or(0) & kOngoingOrNoClear) != 0;
  }
  return flags.contains("ONGOING_EVENT") || flags.contains("NO_CLEAR");
}

// NotificationRecord(0x0d3: pkg=a.b user=UserHandle{0} id=7 tag=null importance=3 key=0|...: ...
std::optional<Notification> read_head(std::string_view line) {
  const auto package = text_between(line, ": pkg=", " user=");
  if (!package || package->empty()) return std::nullopt;
  Notification found{.package = std::string(*package)};
  found.id =
      whole_number<std::int64_t>(text_between(line, " id=", " tag=").value_or("")).value_or(0);
  const auto tag = text_between(line, " tag=", " importance=").value_or("");
  if (tag != "null") found.tag = tag.substr(0, kMostNotificationText);
  found.importance =
      whole_number<std::int64_t>(text_between(line, " importance=", " key=").value_or(""));
  found.key = text_between(line, " key=", ": Notification(").value_or("");
  const auto flags = line.find(" flags=");
  if (flags != line.npos) found.ongoing = keeps(line.substr(flags + 7));
  return found;
}

std::string cut(std::string_view text) {
  std::size_t size = std::min(text.size(), kMostNotificationText);
  constexpr unsigned kContinuation = 0x80;
  while (size > 0 && size < text.size() &&
         (static_cast<unsigned char>(text[size]) & 0xc0U) == kContinuation) {
    --size;
  }
  return std::string(text.substr(0, size));
}

class RecordReader {
 public:
  void read(const DumpLine& line) {
    if (in_extras_) return read_extra(line);
    if (line.text == "extras={") {
      in_extras_ = true;
      key_indent_ = 0;
      extras_indent_ = line.indent;
    } else if (line.text.starts_with("key=") && !knows_key_) {
      found_.key = line.text.substr(4, kMostNotificationText);
      knows_key_ = true;
    } else if (line.text.starts_with("flags=")) {
      found_.ongoing = found_.ongoing || keeps(line.text.substr(6));
    } else if (line.text.starts_with('[')) {
      read_action(line.text);
    }
  }

  // Whether the next line may begin another record or end the list: it is no part of a text.
  [[nodiscard]] bool is_between() const { return !in_extras_; }

  explicit RecordReader(Notification head) : found_(std::move(head)) {}

  Notification take() {
    end_value();
    return std::move(found_);
  }

 private:
  // [0] "Reply" -> PendingIntent{...}
  void read_action(std::string_view text) {
    const auto title = text_between(text, "] \"", "\" -> ");
    if (!title || found_.actions.size() >= kMostNotificationActions) return;
    found_.actions.push_back(cut(*title));
  }

  std::optional<std::string>* wanted(std::string_view name) {
    if (name == "android.title") return &found_.title;
    if (name == "android.text") return &found_.text;
    return name == "android.bigText" ? &found_.big_text : nullptr;
  }

  // android.title=String (A title
  // that goes on)
  void read_extra(const DumpLine& line) {
    if (key_indent_ == 0 && line.indent > extras_indent_) key_indent_ = line.indent;
    if (line.text == "}" && line.indent == extras_indent_) {
      end_value();
      in_extras_ = false;
      return;
    }
    const auto equals = line.text.find('=');
    const std::string_view name = line.text.substr(0, equals);
    const bool begins = equals != line.text.npos && line.indent == key_indent_ &&
                        name.find_first_of(" ()\"") == name.npos;
    if (!begins) {
      if (value_ != nullptr && pending_.size() <= kMostNotificationText) {
        pending_.append("\n").append(line.whole);
      }
      return;
    }
    end_value();
    const auto open = line.text.find(" (", equals);
    if (open == line.text.npos) return;
    value_ = wanted(name);
    if (value_ != nullptr) pending_ = line.text.substr(open + 2);
  }

  void end_value() {
    if (value_ == nullptr) return;
    std::string_view text = pending_;
    if (text.ends_with(')')) text.remove_suffix(1);
    *value_ = cut(text);
    value_ = nullptr;
  }

  Notification found_;
  bool knows_key_ = false;
  bool in_extras_ = false;
  std::size_t extras_indent_ = 0;
  std::size_t key_indent_ = 0;
  std::optional<std::string>* value_ = nullptr;  // the text that is being read
  std::string pending_;
};

bool is_heading(const DumpLine& line) { return line.indent == 2 && line.text == kListHeading; }

}  // namespace

std::optional<std::vector<Notification>> parse_notifications(std::string_view dumpsys) {
  const auto begin = dumpsys.find(kManager);
  if (begin == dumpsys.npos) return std::nullopt;
  std::string_view rest = dumpsys.substr(begin);
  bool is_listed = false;
  while (!rest.empty() && !is_listed) is_listed = is_heading(take_dump_line(&rest));
  if (!is_listed) {
    return dumpsys.contains(kBelowList) ? std::optional(std::vector<Notification>{}) : std::nullopt;
  }
  std::vector<Notification> all;
  std::optional<RecordReader> reader;
  std::size_t indent = 0;
  while (!rest.empty() && all.size() < kMostNotifications) {
    const DumpLine line = take_dump_line(&rest);
    const bool is_text = reader && !reader->is_between();
    if (!is_text && line.text.starts_with(kRecordHead) && (indent == 0 || line.indent == indent)) {
      if (reader) all.push_back(reader->take());
      reader.reset();
      indent = line.indent;
      if (auto head = read_head(line.text)) reader.emplace(*std::move(head));
    } else if (is_text || (reader && line.indent > indent)) {
      reader->read(line);
    } else if (line.indent < kInList) {
      break;  // the next section
    }
  }
  if (reader && all.size() < kMostNotifications) all.push_back(reader->take());
  return all;
}

std::string notifications_json(const std::vector<Notification>& notifications) {
  const auto text_or_null = [](JsonObject& json, std::string_view name,
                               const std::optional<std::string>& value) {
    if (value) {
      json.text(name, *value);
    } else {
      json.null(name);
    }
  };
  std::string list;
  for (const Notification& each : notifications) {
    JsonObject json;
    json.text("package", each.package);
    text_or_null(json, "title", each.title);
    text_or_null(json, "text", each.text);
    if (each.big_text && each.big_text != each.text) json.text("bigText", *each.big_text);
    json.text("key", each.key).number("id", each.id);
    if (!each.tag.empty()) json.text("tag", each.tag);
    if (each.importance) json.number("importance", *each.importance);
    json.boolean("ongoing", each.ongoing).strings("actions", each.actions);
    list += (list.empty() ? "" : ",") + json.str();
  }
  return "[" + list + "]";
}

}  // namespace clawperator
