#pragma once
// A phone's answers, the file that holds them, and the readings of our own parsers. Pure: the same
// answers, the same readings.

#include "runtime/android/phone_questions_table.hpp"

namespace clawperator {

// How an answer came to its end.
enum class Ended {
  whole,    // the device closed it
  refused,  // the device opens no such service
  late,     // by our deadline
  endless,  // by our bound: there was more
  broken,   // the link broke, or the answer is invalid
};
std::string_view ended_name(Ended ended);

struct PhoneAnswer {
  std::string id{};
  std::string service{};
  Ended ended = Ended::broken;
  std::optional<int> status{};             // its exit status
  std::optional<std::int64_t> first_ms{};  // until its first byte
  std::int64_t end_ms = 0;
  std::uint64_t bytes = 0;  // on stdout, with the bytes that were not kept
  std::string out{};        // kept text; of Kept::header bytes in hexadecimal
  std::string err{};        // stderr, or why it was refused or broken

  bool operator==(const PhoneAnswer&) const = default;
};

struct PhoneReport {
  std::string program{};  // "clawperator 0.9.0"
  std::string route{};
  std::string operator_package{};
  std::vector<std::string> features{};
  std::uint64_t max_service_size = 0;
  bool settings_consented = false;
  std::vector<PhoneAnswer> answers{};

  [[nodiscard]] const PhoneAnswer* find(std::string_view id) const;
  bool operator==(const PhoneReport&) const = default;
};

// The report's file: {"schemaVersion":1,...,"readings":{..},"facts":{..},"answers":[..]}, indented.
std::string to_json(const PhoneReport& report);

struct Reading {
  std::string name{};   // "packages.any_user"
  std::string value{};  // a few words, of a fixed vocabulary where the answer allows it

  bool operator==(const Reading&) const = default;
};

std::vector<Reading> read_answers(const PhoneReport& report);
std::string reading_of(const PhoneReport& report, std::string_view name);  // empty: there is none

}  // namespace clawperator
