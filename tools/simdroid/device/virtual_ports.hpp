#pragma once
// The phone's listening sockets, by adb's socket specs ("tcp:8080"): `reverse:forward` binds them,
// and `nc` on the phone and a host's `tcp:` service connect to them.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/async/byte_stream.hpp"
#include "simdroid/device/prelude.hpp"

namespace simdroid {

class VirtualPorts {
 public:
  // Connects to the listener; fails with errc::refused.
  using Opener = std::function<Task<ByteStreamPtr>()>;
  struct Binding {
    std::string target;  // where the other side leads, as `reverse --list` shows it
    const void* owner = nullptr;
    Opener opener;
  };
  static constexpr std::size_t kMaxBindings = 256;

  void bind(std::string spec, Binding binding) { bindings_[std::move(spec)] = std::move(binding); }
  bool unbind(std::string_view spec) {
    const auto at = bindings_.find(spec);
    if (at == bindings_.end()) return false;
    bindings_.erase(at);
    return true;
  }
  // The ports of an owner end with it.
  void unbind_all(const void* owner) {
    std::erase_if(bindings_, [owner](const auto& entry) { return entry.second.owner == owner; });
  }
  [[nodiscard]] const Binding* find(std::string_view spec) const {
    const auto at = bindings_.find(spec);
    return at == bindings_.end() ? nullptr : &at->second;
  }
  [[nodiscard]] const std::map<std::string, Binding, std::less<>>& all() const { return bindings_; }

 private:
  std::map<std::string, Binding, std::less<>> bindings_;
};

}  // namespace simdroid
