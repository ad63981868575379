#include "simdroid/device/faults.hpp"

#include <algorithm>
#include <charconv>

namespace simdroid {
namespace {

const FaultRow* find_row(std::string_view name) {
  const auto table = fault_table();
  const auto row = std::ranges::find(table, name, &FaultRow::name);
  return row == table.end() ? nullptr : &*row;
}

std::unexpected<Error> unknown(std::string_view name) {
  return fail(errc::invalid_argument, "no such fault: " + std::string(name));
}

}  // namespace

Result<void> Faults::set(std::string_view name, std::string value) {
  const FaultRow* row = find_row(name);
  if (row == nullptr) return unknown(name);
  auto& values = active_[row->fault];
  const bool adds = row->fault == Fault::service_refused || row->fault == Fault::feature_off;
  if (!adds) values.clear();
  values.insert(value.empty() ? std::string(row->default_value) : std::move(value));
  return ok();
}

Result<void> Faults::clear(std::string_view name) {
  const FaultRow* row = find_row(name);
  if (row == nullptr) return unknown(name);
  active_.erase(row->fault);
  return ok();
}

std::int64_t Faults::number(Fault fault) const {
  const std::string& text = this->text(fault);
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::max<std::int64_t>(value, 0);
}

const std::set<std::string>& Faults::values(Fault fault) const {
  static const std::set<std::string> kNone;
  const auto at = active_.find(fault);
  return at == active_.end() ? kNone : at->second;
}

}  // namespace simdroid
