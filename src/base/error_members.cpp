#include "base/error_members.hpp"

#include <nlohmann/json.hpp>

#include "base/json_document.hpp"

namespace base {
namespace {

// This program writes the members itself; a list of issues has tens of KiB.
constexpr std::size_t kMaxMembers = 1 << 20;

// Joins the texts of two objects.
std::string joined(const std::string& first, const std::string& second) {
  if (first.size() <= 2) return second;
  return second.size() <= 2 ? first : first.substr(0, first.size() - 1) + "," + second.substr(1);
}

}  // namespace

std::string hint_and_details(std::string_view hint, const ErrorMembers& details) {
  return ErrorMembers().text("hint", hint).object("details", details).str();
}

std::unexpected<Error> fail_with(Errc code, std::string message, const ErrorMembers& details) {
  return fail(code, std::move(message), ErrorMembers().object("details", details).str());
}

Error with_members(const Error& error, const ErrorMembers& added) {
  return {error.code(), error.message(), joined(error.members(), added.str())};
}

Error with_details(const Error& error, const ErrorMembers& added) {
  const auto own = read_json(error.members(), kMaxMembers);
  const Json* details = own ? find_member(*own, "details") : nullptr;
  if (!details || !details->is_object()) {
    return with_members(error, ErrorMembers().object("details", added));
  }
  ErrorMembers members;
  for (const auto& [name, value] : own->items()) {
    const std::string text = write_json(value);
    members.json(name, &value == details ? joined(text, added.str()) : text);
  }
  return {error.code(), error.message(), members.str()};
}

std::string to_json(const Error& error) {
  JsonObject object;
  object.text("code", error.code()->published).text("message", error.message());
  return joined(object.str(), error.members());
}

}  // namespace base
