#include "simdroid/userland/commands/exception.hpp"

namespace simdroid {

// Android 11 names the verb, 8 to 10 do not, and before a program of its own catches it.
Task<int> throw_exception(Process* process, JavaException thrown) {
  constexpr int kNamesVerb = 30;
  constexpr int kInService = 26;
  const int sdk = process->phone->sdk();
  const std::string what = "java.lang." + std::string(thrown.type) + ": " + thrown.text;
  if (sdk < kInService) {
    const bool security = thrown.type == "SecurityException";
    co_return co_await give_up(
        process, std::string(security ? "Operation not allowed: " : "Bad argument: ") + what + "\n",
        1);
  }
  const std::string stack = what +
                            "\n\tat android.os.ShellCommand.exec(ShellCommand.java:38)\n"
                            "\tat android.os.Binder.shellCommand(Binder.java:1092)\n";
  if (sdk >= kNamesVerb) {
    co_return co_await give_up(
        process, "\nException occurred while executing '" + thrown.verb + "':\n" + stack, 255);
  }
  if (thrown.type == "SecurityException") {
    co_return co_await give_up(process, "Security exception: " + thrown.text + "\n\n" + stack, 255);
  }
  co_return co_await give_up(process, "\nException occurred while executing:\n" + stack, 255);
}

Task<int> refuse_shell(Process* process, std::string verb, std::string text) {
  co_return co_await throw_exception(process,
                                     {std::move(verb), "SecurityException", std::move(text)});
}

}  // namespace simdroid
