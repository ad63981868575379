// Whatever stands in the log beside our answer: the true one, an error, or none. Never another
// command's, another app's, an earlier one's, a part of ours.
//
// A story is the log of a phone while one dispatch is awaited: the app in any of its versions, what
// it had to do before and does behind, late answers of our own earlier dispatches with the same
// caller's id, task and plan, upstream's host with the caller's id, apps that play ours, a restart
// of the app, lines that are lost, doubled, torn, swapped.
//
//   CLAWPERATOR_STORIES=1000000 unit_engine "answers: *"   runs that many; 3000 otherwise

#include "runtime/engine/result_collector.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <random>

#include "runtime/contract/action_table.hpp"
#include "runtime/engine/post_process.hpp"
#include "support/result_records.hpp"
#include "support/timber.hpp"

using namespace clawperator;
using namespace clawperator::testing;

namespace {

constexpr std::string_view kCaller = "c1";
constexpr std::int32_t kApp = 1000;

struct Entry {
  std::int32_t pid = 0;
  std::string message;
};

struct AppVersion {
  bool in_records, xml_in_envelope, named, renamed;
};
constexpr AppVersion kVersions[] = {{false, false, false, false},
                                    {false, false, true, false},
                                    {true, false, true, false},
                                    {true, true, false, false},
                                    {true, true, false, true}};

class AnswerStory {
 public:
  explicit AnswerStory(std::uint64_t seed) : random_(seed), version_(kVersions[below(5)]) {
    plan.command_id = kCaller;
    plan.task_id = "t1";
    const int steps = 1 + below(3);
    for (int i = 0; i < steps; ++i) {
      constexpr ActionType kTypes[] = {ActionType::click, ActionType::snapshot_ui,
                                       ActionType::read_text};
      plan.actions.push_back(bare_action(kTypes[below(3)], "a" + std::to_string(i)));
    }
    dispatch = "d" + std::to_string(seed);
    write_log();
  }

  [[nodiscard]] std::string shown() const {
    std::string text;
    for (const Entry& entry : log) {
      text += std::to_string(entry.pid) + " " + entry.message.substr(0, 300) + "\n";
    }
    return text;
  }

  Execution plan;
  std::string dispatch;
  std::vector<Entry> log;
  std::vector<std::string> texts;  // the true one of each step
  bool fails = false;              // the app says so
  bool is_honest = true;           // nothing happened to our answer: it has to come

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  bool chance(int one_in) { return below(one_in) == 0; }

  std::string name() const { return version_.renamed ? "[Androperator-" : "[Clawperator-"; }
  std::string mark(std::string_view verb, std::string_view id) const {
    return name() + "Command] " + std::string(verb) + " commandId=" + std::string(id) +
           " taskId=t1";
  }
  static std::string screen(std::string_view text) {
    return "<hierarchy rotation=\"0\"><node index=\"0\" text=\"" + std::string(text) +
           "\" bounds=\"[0,0][1,1]\" /></hierarchy>";
  }

  // How a result may differ from what the plan has.
  enum class Twist { none, no_steps, one_less, one_more, other_id, other_type, other_task, torn };

  // `failed_at`: the step at which the app stopped; the plan's size where its time was over between
  // two steps.
  std::string result_json(std::string_view id, std::string_view owner, Twist twist,
                          std::optional<std::size_t> failed_at = {}) {
    std::string steps;
    auto count = plan.actions.size();
    if (twist == Twist::no_steps) count = 0;
    if (twist == Twist::one_less) --count;
    // Before 0.10 a plan that fails has no steps: all of its answer is one line, which has no
    // middle.
    if (failed_at) count = version_.in_records ? std::min(count, *failed_at + 1) : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Action& action = plan.actions[i];
      std::string_view type = action_name(action.type());
      if (twist == Twist::other_type && i == 0) type = "press_key";
      const bool other = twist == Twist::other_id && i + 1 == count;
      JsonObject data;
      const std::string text = step_text(owner, i);
      const bool is_snapshot = action.type() == ActionType::snapshot_ui;
      const bool done = i != failed_at;
      if (done && !is_snapshot) data.text("text", text);
      if (done && is_snapshot && version_.xml_in_envelope) data.text("text", screen(text));
      steps += JsonObject()
                   .text("id", other ? "b" : action.id)
                   .text("actionType", type)
                   .boolean("success", done)
                   .object("data", data)
                   .str() +
               ",";
    }
    if (twist == Twist::one_more) {
      steps += R"({"id":"z","actionType":"click","success":true},)";
    }
    if (!steps.empty()) steps.pop_back();
    JsonObject json;
    json.text("commandId", id).text("taskId", twist == Twist::other_task ? "t2" : "t1");
    json.text("status", failed_at ? "failed" : "success").json("stepResults", "[" + steps + "]");
    failed_at ? json.text("error", "it failed") : json.null("error");
    std::string text = json.str();
    if (twist == Twist::torn) {
      text.resize(text.size() - 1 - static_cast<std::size_t>(below(20)));
    }
    return text;
  }
  std::string step_text(std::string_view owner, std::size_t step) {
    return std::string(owner) + "-" + std::to_string(step) + padding_;
  }

  void say(std::vector<Entry>& to, std::int32_t pid, std::string message) {
    to.push_back({pid, std::move(message)});
  }
  void write_result(std::vector<Entry>& to, std::int32_t pid, std::string_view id,
                    const std::string& json) {
    const std::string line = name() + "Result] " + json;
    const auto publication = [&](const char* event) {
      say(to, pid,
          name() + "Publication] {\"commandId\":\"" + std::string(id) +
              "\",\"taskId\":\"t1\",\"event\":\"" + event + "\"}");
    };
    if (version_.in_records) publication("started");
    if (!version_.in_records) {
      for (std::string& entry : timber_entries(line)) say(to, pid, std::move(entry));
      return;
    }
    for (std::string& entry : result_lines(line, id, "t1")) say(to, pid, std::move(entry));
    publication("writes_completed");
  }

  // One command as the app carries it out.
  std::vector<Entry> command(std::int32_t pid, std::string_view id, std::string_view owner,
                             Twist twist, bool failed = false) {
    std::vector<Entry> out;
    std::optional<std::size_t> failed_at;
    if (failed) failed_at = random_() % (plan.actions.size() + 1);
    if (chance(3)) say(out, pid, mark("queued", id));
    say(out, pid, mark("start", id));
    for (std::size_t i = 0; i < plan.actions.size(); ++i) {
      say(out, pid, mark("stage-start", id));
      const bool draws =
          plan.actions[i].type() == ActionType::snapshot_ui && !version_.xml_in_envelope;
      if (draws && (i != failed_at || chance(2))) {
        say(out, pid,
            (version_.named ? "[TaskScope] UI Hierarchy [commandId=" + std::string(id) + "]:\n"
                            : "[TaskScope] UI Hierarchy:\n") +
                screen(step_text(owner, i)));
      }
      if (i == failed_at) break;
      say(out, pid, mark("stage-success", id));
    }
    say(out, pid, mark(failed ? "failure" : "success", id));
    write_result(out, pid, id, result_json(id, owner, twist, failed_at));
    return out;
  }

  static void append(std::vector<Entry>& to, std::vector<Entry> more) {
    for (Entry& entry : more) to.push_back(std::move(entry));
  }

  // Losses, doubles, torn and swapped lines of the app.
  void damage(std::vector<Entry>& lines) {
    for (int i = below(4); i > 0 && !lines.empty(); --i) {
      const auto at = static_cast<std::ptrdiff_t>(random_() % lines.size());
      const auto here = lines.begin() + at;
      const bool is_record = here->message.find("Result-Chunk]") != std::string::npos;
      switch (below(4)) {
        case 0: lines.erase(here); break;
        case 1: lines.insert(here, Entry(*here)); break;
        case 2: here->message.resize(here->message.size() / 2); break;
        default:
          if (is_record && at + 1 < std::ssize(lines)) std::iter_swap(here, here + 1);
          break;
      }
    }
  }

  // Another app: it knows the caller's id, and ours only once the log holds it.
  std::vector<Entry> impostor(bool has_stream) {
    std::vector<Entry> out;
    const std::string id = has_stream && chance(2) ? dispatch : std::string(kCaller);
    const std::int32_t pid = 2000 + below(3);
    if (chance(2)) return command(pid, id, "forged", Twist::none);
    write_result(out, pid, id, result_json(id, "forged", Twist::none));
    return out;
  }

  std::vector<Entry> interleave(std::vector<std::vector<Entry>> sources) {
    std::vector<Entry> out;
    std::vector<std::size_t> next(sources.size(), 0);
    for (;;) {
      std::vector<std::size_t> left;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        if (next[i] < sources[i].size()) left.push_back(i);
      }
      if (left.empty()) return out;
      const std::size_t from = left[random_() % left.size()];
      for (int run = 1 + below(6); run > 0 && next[from] < sources[from].size(); --run) {
        out.push_back(std::move(sources[from][next[from]++]));
      }
    }
  }

  // Our own earlier dispatches, and upstream's host; the log may begin in the middle.
  std::vector<Entry> earlier_commands() {
    std::vector<Entry> out;
    for (int i = below(3); i > 0; --i) {
      const bool upstream = chance(3);
      const std::string id = upstream ? std::string(kCaller) : dispatch + "-" + std::to_string(i);
      append(out, command(kApp, id, "stale", Twist::none, chance(4)));
    }
    if (!out.empty() && chance(2)) {
      out.erase(out.begin(), out.begin() + below(static_cast<int>(out.size())));
    }
    return out;
  }

  // Ours, and what becomes of it; `reborn`: what the app says of it after a restart.
  std::vector<Entry> our_command(std::vector<Entry>& reborn) {
    constexpr Twist kTwists[] = {Twist::no_steps, Twist::one_less,   Twist::one_more,
                                 Twist::other_id, Twist::other_type, Twist::other_task,
                                 Twist::torn};
    fails = chance(5);
    const Twist twist = chance(4) ? kTwists[below(7)] : Twist::none;
    is_honest = twist == Twist::none;
    std::vector<Entry> out = command(kApp, dispatch, "true", twist, fails);
    for (std::size_t i = 0; i < plan.actions.size(); ++i) texts.push_back(step_text("true", i));
    if (chance(6)) {
      is_honest = false;
      out.resize(1 + random_() % out.size());
      if (chance(2)) reborn = command(kApp + 1, dispatch, "reborn", Twist::none);
    } else if (chance(2)) {
      is_honest = false;
      damage(out);
    }
    return out;
  }

  void write_log() {
    if (chance(3)) padding_ = std::string(static_cast<std::size_t>(1500 + below(3000)), 'x');
    log = earlier_commands();
    if (chance(2)) append(log, impostor(false));
    std::vector<Entry> behind;
    std::vector<std::vector<Entry>> sources{our_command(behind)};
    if (chance(3)) append(behind, command(kApp, "later", "late", Twist::none));
    if (chance(2)) sources.push_back(impostor(false));
    // One that reads the log learns our id from its first line, and answers in our name.
    auto& ours = sources[0];
    if (!ours.empty() && names_whole(ours.front().message, dispatch) && chance(3)) {
      log.push_back(ours.front());
      ours.erase(ours.begin());
      sources.push_back(impostor(true));
      is_honest = false;
    }
    append(log, interleave(std::move(sources)));
    append(log, std::move(behind));
  }

  std::mt19937_64 random_;
  AppVersion version_;
  std::string padding_;
};

struct Outcomes {
  std::uint64_t results = 0, failed_results = 0, errors = 0, none = 0, screens = 0;
};

// Each step that succeeded says what is true of it.
void check_steps(const AnswerStory& story, const Envelope& envelope, Outcomes& outcomes) {
  for (std::size_t i = 0; i < envelope.step_results.size(); ++i) {
    const StepResult& step = envelope.step_results[i];
    if (!step.success) continue;
    const std::string* text = find_data(step.data, "text");
    if (!text || !text->contains(story.texts.at(i))) {
      FAIL("step " << i << " is not ours\n" << story.shown());
    }
    outcomes.screens += step.action_type == "snapshot_ui" ? 1 : 0;
  }
}

void check_story(std::uint64_t seed, Outcomes& outcomes) {
  const AnswerStory story(seed);
  const auto snapshots = static_cast<std::size_t>(
      std::ranges::count(story.plan.actions, ActionType::snapshot_ui, &Action::type));
  ResultCollector collector(story.dispatch, snapshots);
  Result<void> added;
  for (const Entry& entry : story.log) {
    added = collector.add({entry.pid, entry.pid, "E", entry.message});
    if (!added || collector.envelope()) break;
  }
  if (added && collector.envelope()) added = match_plan(*collector.envelope(), story.plan);
  if (story.is_honest && (!added || !collector.envelope())) {
    FAIL("no answer, though all of it was there\n" << story.shown());
  }
  if (!added) {
    ++outcomes.errors;
    return;
  }
  if (!collector.envelope()) {
    ++outcomes.none;
    return;
  }
  Envelope envelope = collector.take_envelope();
  if (envelope.status != (story.fails ? EnvelopeStatus::failed : EnvelopeStatus::success)) {
    FAIL("another verdict than the app's\n" << story.shown());
  }
  ++(story.fails ? outcomes.failed_results : outcomes.results);
  auto paired = pair_snapshots(envelope, collector.take_hierarchies(), story.plan);
  attach_snapshots(envelope, story.plan, std::move(paired));
  check_steps(story, envelope, outcomes);
}

std::uint64_t stories() {
  const char* given = std::getenv("CLAWPERATOR_STORIES");
  return given ? std::strtoull(given, nullptr, 10) : 3000;
}

}  // namespace

TEST_CASE("answers: an answer is ours, or there is none", "[engine][S1]") {
  Outcomes outcomes;
  const std::uint64_t last = stories();
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    INFO("seed " << seed);
    check_story(seed, outcomes);
  }
  std::cout << "answers: seeds 1 to " << last << ": " << outcomes.results << " results, "
            << outcomes.failed_results << " failures of the app, " << outcomes.screens
            << " screens, " << outcomes.errors << " errors, " << outcomes.none
            << " without an answer, 0 wrong\n";
  // The stories are worth their name: each outcome comes often.
  CHECK(outcomes.results * 4 > last);
  CHECK(outcomes.failed_results * 20 > last);
  CHECK(outcomes.screens * 8 > last);
  CHECK(outcomes.errors * 8 > last);
  CHECK(outcomes.none * 30 > last);
}
