#pragma once
// Stories for the collector: what a phone's log may hold while one command runs, made from a seed,
// and what of it is true. Written from what Android's logger, logd and logcat do.
//
//   Story story(seed);
//   for (const StoryEntry& entry : story.log) feed(entry);
//   story.snapshots[i].text is the screen of our i-th snapshot, story.envelope our result

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/json_text.hpp"
#include "support/timber.hpp"

namespace clawperator::testing {

struct StoryEntry {
  std::int32_t pid = 0;
  std::int32_t tid = 0;
  std::string tag;
  std::string message;
  int snapshot = -1;    // which of ours it belongs to
  bool result = false;  // of our result

  bool same_text(const StoryEntry& other) const {
    return pid == other.pid && tid == other.tid && tag == other.tag && message == other.message;
  }
};

struct TrueSnapshot {
  std::string text;
  bool claimed = false;  // another app wrote a broken result in our name
  bool damaged = false;  // entries of it were lost or doubled
  bool cut = false;
};

class Story {
 public:
  explicit Story(std::uint64_t seed) : random_(seed) {
    lines_ = chance(3);
    named_ = chance(4);
    damage_ = chance(2);
    tag_ = chance(3) ? "TaskScopeDefault" : "E";
    std::vector<std::vector<StoryEntry>> processes;
    processes.push_back(operator_process());
    const int others = below(4);
    for (int i = 0; i < others; ++i) processes.push_back(other_process(2000 + i));
    log = fold(interleave(std::move(processes)));
  }

  static constexpr std::string_view kId = "cmd-1";
  static constexpr std::int32_t kOperator = 1000;
  // Every node of a screen carries whose it is.
  static std::string mark_of_ours(int snapshot) {
    return "resource-id=\"ours-" + std::to_string(snapshot) + "\"";
  }
  static constexpr std::string_view kTheirs = "resource-id=\"theirs\"";

  std::vector<StoryEntry> log;
  std::vector<TrueSnapshot> snapshots;
  std::string envelope;  // JSON
  bool result_damaged = false;
  bool hole_in_result = false;  // a piece within it is missing: nothing in the log shows it
  bool claimed = false;         // another app wrote in our name
  bool damaged = false;         // some entry of the app was lost or doubled
  bool blank_lines_go = false;  // a text format prints no line for an empty entry

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  bool chance(int one_in) { return below(one_in) == 0; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[random_() % from.size()];
  }

  std::string other_id() {
    static const std::vector<std::string> kIds{"cmd-10", "cmd-",  "cmd-11", "xcmd-1",
                                               "cmd-1.", "CMD-1", "cmd-1_", "cmd-2"};
    return pick(kIds);
  }

  std::string words(int most) {
    static const std::vector<std::string> kWords{
        "a",
        "é",
        "界",
        "😀",
        " ",
        "\\",
        "[0] x",
        "}",
        "{\"commandId\":\"cmd-1\"}",
        "[Clawperator-Result] {\"commandId\":\"cmd-1\"}",
        "[TaskScope] UI Hierarchy:",
        "[Clawperator-Command] start commandId=cmd-1 taskId=t",
        "</hierarchy>",
        "\n",
        "\n\n\n\n",
        "\n[TaskScope] UI Hierarchy:\n",
        "\n[Clawperator-Command] start commandId=cmd-10 taskId=t\n",
        "\n[Clawperator-Result] {\"commandId\":\"cmd-1\",\n"};
    std::string text;
    for (int i = below(most + 1); i > 0; --i) text += pick(kWords);
    return text;
  }
  // Long lines hold no line break, so that the logger's cuts can be recognized.
  std::string text() {
    if (!chance(20)) return words(6);
    const std::string letter = chance(2) ? "x" : chance(2) ? "界" : "😀";
    std::string out;
    for (int i = 0, size = 900 + below(9000); i < size; ++i) out += letter;
    return out;
  }

  static std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c == '&') out += "&amp;";
      if (c == '"') out += "&quot;";
      if (c == '<') out += "&lt;";
      if (c == '>') out += "&gt;";
      if (c != '&' && c != '"' && c != '<' && c != '>') out += c;
    }
    return out;
  }

  void node(std::string& out, const std::string& mark, int index, int depth, int& budget) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    out += indent + "<node index=\"" + std::to_string(index) + "\" text=\"" + escaped(text()) +
           "\" " + mark + " bounds=\"[0,0][9,9]\"";
    const int children = depth < 5 ? below(4) : 0;
    if (--budget < 0 || children == 0) {
      out += " />\n";
      return;
    }
    out += ">\n";
    for (int i = 0; i < children; ++i) node(out, mark, i, depth + 1, budget);
    out += indent + "</node>\n";
  }
  std::string screen(const std::string& mark) {
    std::string out = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n";
    out += "<hierarchy rotation=\"0\">\n";
    int budget = chance(5) ? 60 : 5;
    node(out, mark, 0, 1, budget);
    return out + "</hierarchy>\n";
  }

  // As the logger and the log daemon leave it; `cut`: whether anything went missing.
  std::vector<StoryEntry> entries_of(StoryEntry like, const std::string& message, bool& cut) {
    std::vector<StoryEntry> made;
    for (std::string entry : timber_entries(message)) {
      const std::size_t room = 4068 - 2 - like.tag.size();  // the last NUL goes first
      const std::size_t printed = lines_ ? room - 1 : room;
      if (entry.size() > room || (lines_ && entry.size() > printed)) {
        cut = cut || entry.size() > printed;
        entry.resize(printed);
      }
      if (!lines_) {
        like.message = entry;
        made.push_back(like);
        continue;
      }
      for (std::size_t at = 0; at < entry.size();) {
        const auto end = std::min(entry.find('\n', at), entry.size());
        like.message = entry.substr(at, end - at);
        made.push_back(like);
        at = end + 1;
      }
    }
    return made;
  }
  void say(std::vector<StoryEntry>& to, const StoryEntry& like, const std::string& message) {
    bool cut = false;
    for (StoryEntry& entry : entries_of(like, message, cut)) to.push_back(std::move(entry));
  }
  void note(std::vector<StoryEntry>& to, std::int32_t pid, const std::string& verb,
            std::string_view id) {
    say(to, {pid, pid + 2, "o", {}, -1, false},
        "[Clawperator-Command] " + verb + " commandId=" + std::string(id) + " taskId=task");
  }
  std::string hierarchy_mark(std::string_view id) {
    if (!named_) return "[TaskScope] UI Hierarchy:\n";
    return "[TaskScope] UI Hierarchy [commandId=" + std::string(id) + "]:\n";
  }

  std::string result_json(std::string_view id, int shots) {
    std::string steps;
    for (int i = 0; i < shots; ++i) {
      steps += R"({"id":"s)" + std::to_string(i) +
               R"(","actionType":"snapshot_ui","success":true,"data":{}},)";
    }
    const std::string read = chance(4) ? text() : words(5);
    return R"({"commandId":)" + quote_json(id) + R"(,"taskId":"task","status":"success",)" +
           R"("stepResults":[)" + steps +
           R"({"id":"r","actionType":"read_text","success":true,"data":{"text":)" +
           quote_json(read) + R"(}}],"error":null})";
  }

  std::vector<StoryEntry> foreign_command(std::int32_t pid, const std::string& id) {
    std::vector<StoryEntry> out;
    note(out, pid, "start", id);
    const int shots = below(3);
    for (int i = 0; i < shots; ++i) {
      note(out, pid, "stage-start", id);
      say(out, {pid, pid + 1, tag_, {}, -1, false},
          hierarchy_mark(id) + screen(std::string(kTheirs)));
      note(out, pid, "stage-success", id);
    }
    if (chance(2)) note(out, pid, "success", id);
    say(out, {pid, pid + 2, "o", {}, -1, false}, "[Clawperator-Result] " + result_json(id, shots));
    return out;
  }

  std::vector<StoryEntry> shot(int number) {
    TrueSnapshot truth{screen(mark_of_ours(number))};
    StoryEntry like{kOperator, kOperator + 1 + below(2), tag_, {}, number, false};
    auto out = entries_of(like, hierarchy_mark(kId) + truth.text, truth.cut);
    truth.text.pop_back();
    blank_lines_go = blank_lines_go || lines_;
    snapshots.push_back(truth);
    return out;
  }

  std::vector<StoryEntry> our_command() {
    std::vector<StoryEntry> out;
    note(out, kOperator, "start", kId);
    const int shots = below(4);
    for (int i = 0; i < shots; ++i) {
      note(out, kOperator, "stage-start", kId);
      for (StoryEntry& entry : shot(i)) out.push_back(std::move(entry));
      note(out, kOperator, "stage-success", kId);
    }
    if (chance(2)) note(out, kOperator, "success", kId);
    envelope = result_json(kId, shots);
    const StoryEntry like{kOperator, kOperator + 2, "o", {}, -1, true};
    for (StoryEntry& entry : entries_of(like, "[Clawperator-Result] " + envelope, result_damaged)) {
      out.push_back(std::move(entry));
    }
    return out;
  }

  void damage_entry(std::vector<StoryEntry>& log_of_app, std::size_t at) {
    damaged = true;
    StoryEntry& entry = log_of_app[at];
    if (entry.snapshot >= 0) snapshots[static_cast<std::size_t>(entry.snapshot)].damaged = true;
    if (entry.result) {
      const bool first = at == 0 || !log_of_app[at - 1].result;
      const bool last = at + 1 == log_of_app.size() || !log_of_app[at + 1].result;
      result_damaged = true;
      hole_in_result = hole_in_result || !(first || last);
    }
    if (chance(3)) {
      const StoryEntry twice = entry;
      hole_in_result = hole_in_result || entry.result;  // a piece that comes twice looks like text
      log_of_app.insert(log_of_app.begin() + static_cast<std::ptrdiff_t>(at), twice);
    } else {
      log_of_app.erase(log_of_app.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  // The app runs one command at a time; ours may find one under way and leave one behind.
  std::vector<StoryEntry> operator_process() {
    std::vector<StoryEntry> out;
    for (int i = below(3); i > 0; --i) {
      for (auto& entry : foreign_command(kOperator, other_id())) out.push_back(std::move(entry));
    }
    if (!out.empty() && chance(2)) {  // the log is followed from some instant on
      out.erase(out.begin(), out.begin() + below(static_cast<int>(out.size())));
    }
    for (StoryEntry& entry : our_command()) out.push_back(std::move(entry));
    if (chance(2)) {
      for (auto& entry : foreign_command(kOperator, other_id())) out.push_back(std::move(entry));
    }
    for (int i = damage_ ? 1 + below(3) : 0; i > 0 && !out.empty(); --i) {
      damage_entry(out, static_cast<std::size_t>(below(static_cast<int>(out.size()))));
    }
    return out;
  }

  // Another Operator, another app that shows our lines, an app that plays us.
  std::vector<StoryEntry> other_process(std::int32_t pid) {
    std::vector<StoryEntry> out;
    for (int i = below(4); i > 0; --i) {
      if (chance(2)) {
        for (auto& entry : foreign_command(pid, other_id())) out.push_back(std::move(entry));
        continue;
      }
      const StoryEntry like{pid, pid + below(2), pick<std::string>({"E", "o", "chatty", "App"}), {},
                            -1,  false};
      switch (below(6)) {
        case 0: say(out, like, text()); break;
        case 1: note(out, pid, "start", kId); break;
        case 2: say(out, like, hierarchy_mark(kId) + screen(std::string(kTheirs))); break;
        case 3: say(out, like, "[Clawperator-Result] " + words(4)); break;
        case 4: say(out, like, "uid=1 identical " + std::to_string(below(9)) + " lines"); break;
        default: say(out, like, "cmd-1 [Clawperator-Event] " + words(4)); break;
      }
    }
    for (const StoryEntry& entry : out) claimed = claimed || names_us(entry.message);
    return out;
  }

  static bool names_us(const std::string& message) {
    if (message.starts_with("[Clawperator-Result]")) {
      return message.find("{\"commandId\":\"cmd-1\"") != std::string::npos;
    }
    return message.starts_with("[Clawperator-Command] start commandId=cmd-1 ") ||
           message.starts_with("[TaskScope] UI Hierarchy [commandId=cmd-1]");
  }

  std::vector<StoryEntry> interleave(std::vector<std::vector<StoryEntry>> processes) {
    std::vector<StoryEntry> out;
    std::vector<std::size_t> next(processes.size(), 0);
    for (;;) {
      std::vector<std::size_t> left;
      for (std::size_t i = 0; i < processes.size(); ++i) {
        if (next[i] < processes[i].size()) left.push_back(i);
      }
      if (left.empty()) return out;
      const std::size_t from = pick(left);
      for (int run = 1 + below(8); run > 0 && next[from] < processes[from].size(); --run) {
        out.push_back(std::move(processes[from][next[from]++]));
      }
    }
  }

  // logd of Android 8 to 11; those never print one line per line here.
  std::vector<StoryEntry> fold(std::vector<StoryEntry> entries) {
    if (lines_ || chance(2)) return entries;
    std::vector<StoryEntry> out;
    for (std::size_t i = 0; i < entries.size();) {
      std::size_t end = i + 1;
      while (end < entries.size() && entries[end].same_text(entries[i])) ++end;
      out.push_back(entries[i]);
      if (end - i > 2) {
        StoryEntry chatty = entries[i];
        chatty.tag = "chatty";
        chatty.message = "uid=10099(u0_a99) worker identical " + std::to_string(end - i - 2) +
                         (end - i == 3 ? " line" : " lines");
        out.push_back(chatty);
      }
      if (end - i > 1) out.push_back(entries[end - 1]);
      i = end;
    }
    return out;
  }

  std::mt19937_64 random_;
  bool lines_ = false;   // one record per line
  bool named_ = false;   // hierarchies name their command
  bool damage_ = false;  // entries are lost or doubled
  std::string tag_;
};

}  // namespace clawperator::testing
