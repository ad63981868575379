#pragma once
// Packages in several parts: a session holds them until it is committed or abandoned.

#include <map>
#include <string>

namespace simdroid {

struct InstallSession {
  bool may_downgrade = false;
  std::map<std::string, std::string> parts{};  // by name
};

class InstallSessions {
 public:
  static constexpr std::size_t kMost = 50;

  // Returns its id; 0 when there are too many sessions.
  int create(InstallSession session) {
    if (sessions_.size() == kMost) return 0;
    sessions_[++last_] = std::move(session);
    return last_;
  }
  // Null: there is no session with this id. Valid until it ends.
  [[nodiscard]] InstallSession* find(int id) {
    const auto at = sessions_.find(id);
    return at == sessions_.end() ? nullptr : &at->second;
  }
  void end(int id) { sessions_.erase(id); }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& [id, session] : sessions_) {
      for (const auto& [name, part] : session.parts) sum += part.size();
    }
    return sum;
  }

 private:
  std::map<int, InstallSession> sessions_;
  int last_ = 0;
};

}  // namespace simdroid
