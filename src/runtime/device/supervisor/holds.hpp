#pragma once
// Holds that stand for as long as their owner lives: a coroutine that is cancelled leaves none
// behind.

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "adbproto/link/signal.hpp"

namespace clawperator {

// Keeps a name in a set, so that nobody else begins the same work.
class NameHold {
 public:
  NameHold(std::set<std::string>* in, std::string name) : in_(in), name_(std::move(name)) {
    in_->insert(name_);
  }
  ~NameHold() { in_->erase(name_); }
  NameHold(const NameHold&) = delete;
  NameHold& operator=(const NameHold&) = delete;

 private:
  std::set<std::string>* in_;
  std::string name_;
};

// Counts one more, and wakes whoever waits for the last one to leave.
class CountHold {
 public:
  CountHold(std::size_t* count, adbproto::Signal* left) : count_(count), left_(left) { ++*count_; }
  ~CountHold() {
    --*count_;
    left_->notify_all();
  }
  CountHold(const CountHold&) = delete;
  CountHold& operator=(const CountHold&) = delete;

 private:
  std::size_t* count_;
  adbproto::Signal* left_;
};

}  // namespace clawperator
