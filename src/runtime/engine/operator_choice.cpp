#include "runtime/engine/operator_choice.hpp"

namespace clawperator {

namespace {

bool is_usable(const PackageCheck& check) { return check.installed && check.rivals.empty(); }

}  // namespace

NamedOperator OperatorChoice::remembered(const DeviceMemory& memory) const {
  if (named_) return named_;
  if (!memory.operator_was_chosen || memory.operator_package.empty()) return std::nullopt;
  return memory.operator_package;
}

Result<std::vector<std::string>> OperatorChoice::judged(const CommandChannel& channel,
                                                        const std::string& device_id) const {
  return judge_operator(*found_, channel, package_ ? package_ : named_, device_id);
}

PackageCheck OperatorChoice::found_one() const {
  return choose_operator(apps() ? *apps() : FoundApps(), named_);
}

PackageCheck OperatorChoice::used_one(const DeviceMemory& memory) const {
  return choose_operator(apps() ? *apps() : FoundApps(), package(memory));
}

bool OperatorChoice::is_missing(const DeviceMemory& memory) const {
  return apps() && !used_one(memory).installed;
}

std::string OperatorChoice::package(const DeviceMemory& memory) const {
  if (package_) return *package_;
  return remembered(memory).value_or(std::string(kReleaseOperatorPackage));
}

std::optional<OperatorVersion> OperatorChoice::version(const DeviceMemory& memory) const {
  if (apps()) return used_one(memory).version;
  return package(memory) == memory.operator_package ? memory.operator_version : std::nullopt;
}

std::vector<std::string> OperatorChoice::rival_warnings(const std::string& device_id) const {
  if (named_ || !package_ || !apps()) return {};
  const PackageCheck check = found_one();
  if (check.rivals.empty()) return {};
  return {ambiguous_operator(check.rivals, device_id).message() + ". This command is for " +
          *package_ + "; the next one will not choose."};
}

void OperatorChoice::note(DeviceMemory* memory) const {
  if (!apps()) return;
  const PackageCheck check = found_one();
  const PackageCheck chosen = choose_operator(*apps(), std::nullopt);
  const bool usable = is_usable(check);
  memory->operator_package = usable ? check.package : "";
  memory->operator_version = usable ? check.version : std::nullopt;
  memory->operator_was_chosen = usable && is_usable(chosen) && chosen.package == check.package;
}

}  // namespace clawperator
