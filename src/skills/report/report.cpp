#include "skills/report/report.hpp"

#include "base/error_members.hpp"
#include "base/text.hpp"

namespace clawperator::report {
namespace {

JsonObject fault_json(const std::string& file, const Fault& fault) {
  return JsonObject()
      .text("code", fault.code->published)
      .text("file", file)
      .number("line", static_cast<std::int64_t>(fault.place.line))
      .number("column", static_cast<std::int64_t>(fault.place.column))
      .text("message", fault.message);
}

std::string shown_place(const std::string& file, TextPlace place) {
  // A name must not begin another line.
  return replaced(file, "\n", "?") + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column) + ": ";
}

JsonObject result_json(const FileFault& each, bool has_commit) {
  const auto& [code, place, message, found] = each.fault;
  // A code host knows the path alone.
  const auto path = has_commit ? each.file.find(':') + 1 : 0;
  const std::string suffix = has_commit ? " in commit " + each.file.substr(0, path - 1) : "";
  JsonObject region;
  region.number("startLine", static_cast<std::int64_t>(place.line))
      .number("startColumn", static_cast<std::int64_t>(place.column));
  JsonObject physical;
  physical
      .object("artifactLocation",
              JsonObject().text("uri", percent_encoded(each.file.substr(path), "/")))
      .object("region", region);
  const JsonObject location = JsonObject().object("physicalLocation", physical);
  return JsonObject()
      .text("ruleId", code->published)
      .text("level", "error")
      .object("message", JsonObject().text("text", message + suffix))
      .json("locations", "[" + location.str() + "]");
}

}  // namespace

void add_fault(const std::string& file, Fault fault, Report* report) {
  if (report->faults.size() < kMaxReported) {
    report->faults.push_back({file, std::move(fault)});
  } else {
    ++report->unlisted;
  }
}

void add_faults(const std::string& file, std::vector<Fault> faults, Report* report) {
  for (Fault& fault : faults) add_fault(file, std::move(fault), report);
}

std::string to_json(const Report& report) {
  JsonObject json;
  json.boolean("valid", report.faults.empty());
  json.number(report.counted, static_cast<std::int64_t>(report.count));
  json.json("faults", list_json(report.faults, [](const FileFault& each) {
              return fault_json(each.file, each.fault);
            }));
  if (report.unlisted > 0) json.number("unlisted", static_cast<std::int64_t>(report.unlisted));
  if (const auto [binary, large] = report.skipped; binary + large > 0) {
    json.object("skipped", JsonObject()
                               .number("binary", static_cast<std::int64_t>(binary))
                               .number("large", static_cast<std::int64_t>(large)));
  }
  return json.str();
}

std::string to_sarif(const Report& report, ErrorList rules, std::string_view program_version) {
  const std::string rules_json = list_json(rules, [](const ErrorCode* code) {
    return JsonObject()
        .text("id", code->published)
        .object("shortDescription", JsonObject().text("text", code->meaning));
  });
  JsonObject driver;
  driver.text("name", "clawperator").text("version", program_version).json("rules", rules_json);
  JsonObject run;
  run.object("tool", JsonObject().object("driver", driver))
      .text("columnKind", "unicodeCodePoints")
      .json("results", list_json(report.faults, [&report](const FileFault& each) {
              return result_json(each, report.has_commits);
            }));
  return JsonObject()
      .text("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      .text("version", "2.1.0")
      .json("runs", "[" + run.str() + "]")
      .str();
}

std::string to_text(const Report& report, Found found) {
  std::string text;
  for (const auto& [file, fault] : report.faults) {
    text +=
        shown_place(file, fault.place) + std::string(fault.code->published) + ": " + fault.message;
    if (found == Found::shown && !fault.found.empty()) text += ": " + fault.found;
    text += '\n';
  }
  text += std::string(report.counted) + ": " + std::to_string(report.count);
  const auto [binary, large] = report.skipped;
  if (binary > 0) text += ", skipped binary: " + std::to_string(binary);
  if (large > 0) text += ", skipped large: " + std::to_string(large);
  text += ", faults: " + std::to_string(report.faults.size() + report.unlisted) + "\n";
  return text;
}

Error error_of(const std::string& file, std::span<const Fault> faults) {
  const Fault& first = faults.front();
  const std::string all =
      list_json(faults, [&file](const Fault& fault) { return fault_json(file, fault); });
  const auto details = ErrorMembers()
                           .text("file", file)
                           .number("line", static_cast<std::int64_t>(first.place.line))
                           .number("column", static_cast<std::int64_t>(first.place.column))
                           .json("faults", all);
  return {first.code, shown_place(file, first.place) + first.message,
          ErrorMembers().object("details", details).str()};
}

}  // namespace clawperator::report
