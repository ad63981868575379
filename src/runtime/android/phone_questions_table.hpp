#pragma once
// The questions of a phone report, as data. Pure.

#include "base/prelude.hpp"

namespace clawperator {

// The part of an answer that is kept.
enum class Kept {
  text,    // all of it, redacted
  lines,   // the lines that name one of `words`, redacted
  shape,   // size, times and end; and stderr
  header,  // the first 16 bytes
};

inline constexpr std::chrono::milliseconds kPhoneAnswers(3000);  // as a rule within this

struct PhoneQuestion {
  std::string_view id;     // "log.from_epoch"
  std::string_view about;  // for the person: what of the phone this shows
  std::string service;     // adb's name for it
  Kept kept = Kept::text;
  std::chrono::milliseconds limit = kPhoneAnswers;
  std::vector<std::string_view> words{};
};

enum class Consent { none, settings };

// `settings`: also one setting of our own, put, read and deleted.
std::vector<PhoneQuestion> phone_questions(const std::string& operator_package, Consent consent);

}  // namespace clawperator
