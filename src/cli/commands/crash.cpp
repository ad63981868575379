// The last crash of an app, by the phone's own log.
#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/people.hpp"
#include "cli/target_argument.hpp"
#include "runtime/host/verbs/crashes.hpp"

namespace clawperator::cli {
namespace {

std::string crash_for_people(const std::string& package, const CrashReport& report) {
  if (!report.last) return package + " has not crashed, as far back as the log reaches.\n";
  const Crash& last = *report.last;
  std::string text = std::string(kind_name(last.kind)) + " crash of " + last.process + ", pid " +
                     std::to_string(last.pid) + "\n" + last.exception +
                     (last.exception.empty() ? "" : ": ") + last.message + "\n";
  for (const std::string& line : last.trace) text += "  " + line + "\n";
  return printable(text);
}

Result<Answer> run_crash(const Invocation& invocation) {
  TRY(const std::string package, package_argument(invocation.arguments, "crash <package>"));
  TRY(const auto found,
      do_on_device<CrashReport>(invocation.globals, "crash",
                                [package](auto* device) { return read_crashes(device, package); }));
  const CrashReport& report = found.value;
  JsonObject json = verb_answer(found.device_id);
  json.text("package", package).number("crashes", report.crashes).number("anrs", report.anrs);
  if (report.last) {
    json.object("last", to_json(*report.last));
    if (report.ago_ms) json.number("agoMs", *report.ago_ms);
  } else {
    json.null("last");
  }
  Answer answer{json.str(), {}, {}, 0};
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = crash_for_people(package, report);
  }
  return answer;
}

}  // namespace

constinit const Command kCrash = {"crash",
                                  "",
                                  "<package>",
                                  "Tell the last crash of an app",
                                  "As far back as the phone's log reaches: am_crash and am_anr of "
                                  "its events, and the trace of its\n"
                                  "buffer for crashes. \"last\":null where there is none. Nothing "
                                  "is cleared. On Android 7 to 16.",
                                  "crash com.example.app\n"
                                  "crash com.example.app --output pretty\n",
                                  Reach::device,
                                  {},
                                  run_crash,
                                  {},
                                  1};

}  // namespace clawperator::cli
