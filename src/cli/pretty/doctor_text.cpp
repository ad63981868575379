#include "cli/pretty/doctor_text.hpp"

#include <algorithm>

#include "cli/pretty/pretty_printer.hpp"

namespace clawperator::cli {
namespace {

struct Mark {
  std::string_view text;
  std::string_view colour;
};
constexpr std::array<Mark, 3> kMarks{
    {{"[OK]  ", "\x1b[32m"}, {"[WARN]", "\x1b[33m"}, {"[FAIL]", "\x1b[31m"}}};
constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::string_view kBelow = "         ";  // below a check's summary

class Writer {
 public:
  explicit Writer(Colour colour) : colour_(colour) {}

  void line(std::string_view text) { text_ += std::string(text) + "\n"; }
  // Foreign text stays indented: so do the lines after its line breaks.
  void below(std::string_view label, const std::string& value) {
    std::string text = printable(value);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += kBelow.size()) {
      text.insert(at + 1, kBelow);
    }
    line(std::string(kBelow) + std::string(label) + text);
  }
  void marked(CheckStatus status, const std::string& text) {
    const Mark& mark = kMarks[static_cast<std::size_t>(status)];
    const bool plain = colour_ == Colour::none;
    text_ +=
        plain ? std::string(mark.text) : std::string(mark.colour).append(mark.text).append(kPlain);
    line("  " + printable_name(text));
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  Colour colour_;
  std::string text_;
};

void write_advice(Writer& out, const Check& check) {
  if (check.code) out.below("", std::string((*check.code)->published) + " (" + check.id + ")");
  if (!check.detail.empty()) out.below("", check.detail);
  if (check.fix) {
    out.below("Fix: ", check.fix->title);
    for (const FixStep& step : check.fix->steps) {
      out.below(step.kind == FixStep::Kind::shell ? "  $ " : "  - ", step.value);
    }
    if (!check.fix->help_topic.empty()) out.below("Help: ", help_command(check.fix->help_topic));
  }
  if (check.guidance) {
    out.below("On the device, open ", check.guidance->screen + ":");
    for (const std::string& step : check.guidance->steps) out.below("  - ", step);
  }
}

void write_check(Writer& out, const Check& check) {
  out.marked(check.status, check.summary);
  if (check.status != CheckStatus::pass) write_advice(out, check);
}

bool passed(const Check& check) { return check.status == CheckStatus::pass; }

void write_checks(Writer& out, const Report& report, ShownChecks detail) {
  out.line("\nCritical checks:");
  for (const Check& check : report.checks) {
    if (is_critical(check.id)) write_check(out, check);
  }
  std::size_t unlisted = 0;
  bool headed = false;
  for (const Check& check : report.checks) {
    if (is_critical(check.id)) continue;
    if (passed(check) && detail == ShownChecks::needed) {
      ++unlisted;
      continue;
    }
    if (!std::exchange(headed, true)) out.line("\nAdvisory checks:");
    write_check(out, check);
  }
  if (unlisted > 0) out.line("\nAdditional passed checks: " + std::to_string(unlisted));
}

void write_repairs(Writer& out, const Report& report) {
  if (report.repairs.empty()) return;
  out.line("\nRepairs:");
  for (const Repair& repair : report.repairs) {
    out.marked(repair.ok() ? CheckStatus::pass : CheckStatus::fail, repair.action);
    out.below("before: ", repair.before.summary);
    out.below("after:  ", repair.after.summary);
    if (repair.error) out.below("error:  ", repair.error->message());
  }
}

void write_verdict(Writer& out, const Report& report) {
  out.line("");
  if (!critical_ok(report)) {
    out.marked(CheckStatus::fail, "Not ready: a critical check failed.");
  } else if (!std::ranges::all_of(report.checks, passed)) {
    out.marked(CheckStatus::warn, "No critical check failed, but there are warnings.");
  } else {
    out.marked(CheckStatus::pass, "Everything is ready.");
  }
}

}  // namespace

std::string doctor_for_people(const Report& report, Colour colour, ShownChecks detail) {
  Writer out(colour);
  out.line("Clawperator doctor");
  out.line("  Device:            " + printable_name(report.device_id.value_or("none")));
  out.line("  Operator package:  " + printable_name(report.operator_package));
  write_checks(out, report, detail);
  write_repairs(out, report);
  write_verdict(out, report);
  const auto actions = next_actions(report);
  if (!actions.empty()) out.line("\nNext actions:");
  for (const std::string& action : actions) out.line("  - " + printable_name(action));
  return out.take();
}

}  // namespace clawperator::cli
