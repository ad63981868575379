#pragma once
// What a JSON value has to look like, as data, and the check of one against it: members that the
// shape does not name are left out of what comes back. The messages are those that the published
// validator gives. Pure.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/json_document.hpp"

namespace clawperator::skills {

struct Shape;

struct Field {
  std::string_view name;
  const Shape* shape;
  bool required = false;
};

struct Shape {
  enum class Kind : std::uint8_t {
    text,
    some_text,
    boolean,
    whole,
    any,
    choice,
    object,
    list,
    map_of_any,
    map_of_text,
    tagged
  };
  Kind kind{};
  std::span<const std::string_view> choices{};  // of a choice
  std::span<const Field> fields{};              // of an object
  const Shape* element = nullptr;               // of a list
  std::span<const Field> variants{};            // of tagged: by the value of `kind`
  bool nullable = false;
  bool keeps_unknown = false;  // members of an object that it does not name
};

// Appends to `issues`, each "path: message".
Json checked(const Json& value, const Shape& shape, std::vector<std::string>* issues);

}  // namespace clawperator::skills
