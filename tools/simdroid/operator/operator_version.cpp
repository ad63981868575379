#include "simdroid/operator/operator_version.hpp"

#include <algorithm>
#include <array>

#include "base/number.hpp"

namespace simdroid {
namespace {

constexpr std::array kNames{
    OperatorNames{"com.clawperator.operator", "com.clawperator.operator.dev",
                  "app.clawperator.operator.ACTION_AGENT_COMMAND", "clawperator", "Clawperator"},
    OperatorNames{"com.androperator.operator", "com.androperator.operator.dev",
                  "app.androperator.operator.ACTION_AGENT_COMMAND", "androperator",
                  "Androperator"}};
constexpr OperatorVersion kRenamed{1, 0, 0};

struct Since {
  OperatorVersion version;
  bool Capabilities::* capability;
};

constexpr std::array kSince{
    Since{{0, 7, 0}, &Capabilities::device_state},
    Since{{0, 7, 0}, &Capabilities::clears_text},
    Since{{0, 9, 2}, &Capabilities::open_app_waits},
    Since{{0, 9, 3}, &Capabilities::tagged_hierarchy},
    Since{{0, 9, 3}, &Capabilities::readable_tags},
    Since{{0, 9, 4}, &Capabilities::snapshot_name},
    Since{{0, 10, 0}, &Capabilities::pieces},
    Since{{0, 10, 0}, &Capabilities::typed_failures},
    Since{{0, 10, 0}, &Capabilities::receipts},
    Since{{0, 10, 0}, &Capabilities::strict_matchers},
    Since{{0, 10, 0}, &Capabilities::node_visibility},
    Since{{0, 12, 3}, &Capabilities::hierarchy_in_result},
    Since{{0, 12, 4}, &Capabilities::reports_submission},
};

}  // namespace

std::string OperatorNames::service() const {
  return std::string(classes) + ".operator.accessibilityservice.OperatorAccessibilityService";
}

std::string OperatorNames::activity() const {
  return std::string(classes) + ".activity.MainActivity";
}

std::string OperatorNames::line(std::string_view kind, std::string_view rest) const {
  std::string text = "[";
  ((text += log) += '-') += kind;
  (text += "] ") += rest;
  return text;
}

std::span<const OperatorNames> operator_names() { return kNames; }

const OperatorNames* names_of_package(std::string_view package) {
  for (const OperatorNames& names : kNames) {
    if (package == names.package || package == names.variant) return &names;
  }
  return nullptr;
}

std::span<const std::string_view> operator_packages() {
  static constexpr std::array kPackages{kNames[0].package, kNames[0].variant, kNames[1].package,
                                        kNames[1].variant};
  return kPackages;
}

std::optional<OperatorVersion> parse_operator_version(std::string_view text) {
  if (text.ends_with("-d")) text.remove_suffix(2);
  std::array<int, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t dot = text.find('.');
    if ((dot == std::string_view::npos) != (i + 1 == numbers.size())) return std::nullopt;
    const auto number = base::whole_number<std::uint8_t>(text.substr(0, dot));
    if (!number) return std::nullopt;
    numbers[i] = *number;
    text.remove_prefix(std::min(text.size(), dot == std::string_view::npos ? dot : dot + 1));
  }
  return OperatorVersion{numbers[0], numbers[1], numbers[2]};
}

int operator_version_code(std::string_view version_name) {
  const auto version = parse_operator_version(version_name);
  if (!version) return 1;
  return version->major * 10'000'000 + version->minor * 100'000 + version->patch * 1000 + 900;
}

Capabilities capabilities_of(std::string_view version_name) {
  auto version = parse_operator_version(version_name);
  if (!version) version = parse_operator_version(kDefaultOperator);
  Capabilities capabilities;
  for (const Since& since : kSince) capabilities.*since.capability = *version >= since.version;
  return capabilities;
}

std::vector<OperatorBuild> operator_builds(std::string_view list) {
  std::vector<OperatorBuild> builds;
  if (list == "none") return builds;
  for (bool more = true; more;) {
    const std::size_t comma = list.find(',');
    const std::string version(list.substr(0, comma));
    more = comma != std::string_view::npos;
    if (more) list.remove_prefix(comma + 1);
    const auto known = parse_operator_version(version);
    const OperatorNames* names = &kNames[known && *known >= kRenamed ? 1 : 0];
    std::erase_if(builds, [&](const OperatorBuild& build) { return build.names == names; });
    builds.push_back({names, version});
  }
  return builds;
}

}  // namespace simdroid
