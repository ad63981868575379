#include "cli/adb/forward_plan.hpp"

#include "base/number.hpp"
#include "runtime/contract/errc.hpp"

namespace clawperator::cli {
namespace {

using PlanKind = ForwardPlan::Kind;

constexpr std::string_view kSource = "source";

std::unexpected<Error> usage(std::string message) { return fail(errc::usage, std::move(message)); }

// Of tcp: specs adb looks at the port before it asks anybody; that there is no port of such a
// number its server says.
Result<void> check_port(std::string_view spec, std::string_view side, int least) {
  if (!spec.starts_with("tcp:")) return {};
  const auto digits = spec.substr(spec.rfind(':') + 1);
  const auto port = whole_number<int>(digits);
  if (port && *port >= least && *port <= 0xffff) return {};
  if (port && *port > 0xffff && side == kSource) {
    return usage("error: cannot bind listener: bad port number '" + std::string(digits) + "'");
  }
  return usage("error: Invalid " + std::string(side) + " port: '" + std::string(digits) + "'");
}

Result<ForwardPlan> add(std::span<const std::string> words, Rebind rebind) {
  TRY_VOID(check_port(words[0], kSource, 0));
  TRY_VOID(check_port(words[1], "destination", 1));
  // The pair is cut at its first semicolon, and '*' is the device's own.
  if (words[0].empty() || words[1].empty() || words[0].contains(';') || words[1][0] == '*') {
    return usage("error: bad forward: " + words[0] + ";" + words[1]);
  }
  return ForwardPlan{.kind = PlanKind::add, .from = words[0], .to = words[1], .rebind = rebind};
}

}  // namespace

Result<ForwardPlan> parse_forward(std::string_view name, std::span<const std::string> words) {
  if (words.empty()) return usage(std::string(name) + " requires an argument");
  const std::string& first = words[0];
  if (first == "--list" || first == "--remove-all") {
    if (words.size() != 1) return usage(first + " doesn't take any arguments");
    return ForwardPlan{.kind = first == "--list" ? PlanKind::list : PlanKind::remove_all};
  }
  if (first == "--remove") {
    if (words.size() != 2 || words[1].empty()) return usage("--remove requires an argument");
    return ForwardPlan{.kind = PlanKind::remove, .from = words[1]};
  }
  if (first == "--no-rebind") {
    if (words.size() != 3) return usage("--no-rebind takes two arguments");
    return add(words.subspan(1), Rebind::no);
  }
  if (words.size() != 2) return usage("forward takes two arguments");  // of reverse, too
  return add(words, Rebind::yes);
}

}  // namespace clawperator::cli
