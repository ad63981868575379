#pragma once
// Matchers of one field.

#include <string>
#include <utility>

#include "runtime/ui/refs.hpp"

namespace clawperator::test {

inline NodeMatcher with_text(std::string text) {
  NodeMatcher matcher;
  matcher.text_equals = std::move(text);
  return matcher;
}

inline NodeMatcher with_id(std::string id) {
  NodeMatcher matcher;
  matcher.resource_id = std::move(id);
  return matcher;
}

inline NodeMatcher with_role(std::string role) {
  NodeMatcher matcher;
  matcher.role = std::move(role);
  return matcher;
}

}  // namespace clawperator::test
