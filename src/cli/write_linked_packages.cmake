# Writes OUTPUT, the packages that FILES belong to and their versions, as C++; see build_facts.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/dpkg_owners.cmake)
dpkg_owners(packages "${FILES}")
set(rows "")
if(packages)
  execute_process(COMMAND dpkg-query -W -f "    LinkedPackage{\"\${Package}\", \"\${Version}\"},\n" ${packages}
    OUTPUT_VARIABLE rows COMMAND_ERROR_IS_FATAL ANY)
endif()
list(LENGTH packages count)
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#include "cli/libraries.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array<LinkedPackage, @count@> kLinked{
@rows@};

}  // namespace

std::span<const LinkedPackage> linked_packages() { return kLinked; }

}  // namespace clawperator::cli
]])
