#pragma once
// Which Operator app an execution uses: the named one, the one seen before in this boot, or the one
// that is found. Pure.

#include "runtime/device/memory.hpp"
#include "runtime/engine/preflight.hpp"

namespace clawperator {

class OperatorChoice {
 public:
  explicit OperatorChoice(NamedOperator named = std::nullopt) : named_(std::move(named)) {}

  [[nodiscard]] const NamedOperator& named() const { return named_; }

  // The package that a command may be sent to without a query: the named one, else the one that was
  // chosen when this was remembered. nullopt: none.
  [[nodiscard]] NamedOperator remembered(const DeviceMemory& memory) const;
  void use(NamedOperator package) { package_ = std::move(package); }

  void found(Result<FoundApps> apps) { found_ = std::move(apps); }
  [[nodiscard]] bool is_answered() const { return found_.has_value(); }
  // Required: is_answered(). For the package of the broadcast, once that is decided.
  [[nodiscard]] Result<std::vector<std::string>> judged(const CommandChannel& channel,
                                                        const std::string& device_id) const;
  // The app that the found packages would select.
  [[nodiscard]] PackageCheck found_one() const;
  // The broadcast's own package, as it was found.
  [[nodiscard]] PackageCheck used_one(const DeviceMemory& memory) const;
  // True only after a clear answer of the package manager; without one it is unknown.
  [[nodiscard]] bool is_missing(const DeviceMemory& memory) const;

  // The package of the broadcast, or the expected one before that is decided.
  [[nodiscard]] std::string package(const DeviceMemory& memory) const;
  // From the package manager, else as it was remembered.
  [[nodiscard]] std::optional<OperatorVersion> version(const DeviceMemory& memory) const;
  // A remembered choice that was used although there are two now. It stands for this command alone:
  // note() forgets it.
  [[nodiscard]] std::vector<std::string> rival_warnings(const std::string& device_id) const;
  // Writes the findings into the memory; does nothing where there was no answer.
  void note(DeviceMemory* memory) const;

 private:
  [[nodiscard]] const FoundApps* apps() const { return found_ && *found_ ? &**found_ : nullptr; }

  NamedOperator named_;
  NamedOperator package_;                   // decided
  std::optional<Result<FoundApps>> found_;  // absent: not answered yet
};

}  // namespace clawperator
