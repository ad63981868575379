#include "cli/manual/all_errors.hpp"

#include "adbproto/wire/errc.hpp"
#include "base/system/errc.hpp"
#include "cli/clients/errc.hpp"
#include "cli/grammar/errc.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/daemon/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/emulator/errc.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/image/errc.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/ui/errc.hpp"
#include "skills/agent/errc.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/hub/errc.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/rules/errc.hpp"
#include "skills/privacy/errc.hpp"

namespace clawperator::cli {
namespace {

constexpr ErrorList kRooms[] = {base::kBaseErrors, base::kSystemErrors, adbproto::kProtocolErrors,
                                kContractErrors,   kAndroidErrors,      kPictureErrors,
                                kScreenErrors,     kDeviceErrors,       kEngineErrors,
                                kServerErrors,     kHostErrors,         kEmulatorErrors,
                                kHttpErrors,       kSkillErrors,        kRecipeErrors,
                                kPrivacyErrors,    kAgentSkillErrors,   kArchiveErrors,
                                kHubErrors,        kCommandLineErrors,  kClientErrors};

}  // namespace

std::vector<const ErrorCode*> all_errors() {
  std::vector<const ErrorCode*> all;
  for (const ErrorList room : kRooms) all.insert(all.end(), room.begin(), room.end());
  return all;
}

}  // namespace clawperator::cli
