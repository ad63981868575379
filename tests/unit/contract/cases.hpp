#pragma once
// Reads the tables of tests/contract/cases; their README says what the members mean.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cases {

using Json = nlohmann::ordered_json;

struct Row {
  std::string id;
  std::string input;  // payload text
  Json expect;
};

std::vector<Row> load(const std::string& file);

}  // namespace cases
