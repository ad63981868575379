# Writes OUTPUT, where it changes, with the commit of SOURCE: COMMIT where it is given, else git's, else what an archive
# of git names; see build_facts.cmake.
set(commit "${COMMIT}")
if(NOT commit AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --verify HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD ERROR_QUIET RESULT_VARIABLE changed)
  if(NOT status EQUAL 0)
    set(commit "")
  elseif(changed)
    string(APPEND commit "-changed")
  endif()
endif()
if(NOT commit)
  file(STRINGS ${SOURCE}/cmake/commit.txt commit LIMIT_COUNT 1 REGEX "^[0-9a-f]+$")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#include "cli/version.hpp"

std::string_view clawperator::cli::commit_text() { return "@commit@"; }
]])
