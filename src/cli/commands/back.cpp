#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {

namespace {

constexpr auto kBackOptions = join(kAfterwardsOptions, kVerifyOptions);

}  // namespace

Result<act::PressKey> ask_back(const Invocation&) { return act::PressKey{"back"}; }

constinit const Command kBack = {"back",
                                 "",
                                 "",
                                 "Press the back key",
                                 "",
                                 "back\n",
                                 Reach::device,
                                 kBackOptions,
                                 run_verb<ask_back>};

}  // namespace clawperator::cli
