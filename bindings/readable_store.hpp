#pragma once

#include <filesystem>
#include <mutex>

#include <pybind11/pybind11.h>

#include "results/store/store.hpp"

namespace schedrig {

/// A store open for reading, which Python's threads take in turns.
class ReadableStore {
public:
  /// Throws as Store does.
  explicit ReadableStore(const std::filesystem::path& path) : store_(path, Store::Access::read) {}

  const std::filesystem::path& path() const noexcept { return store_.path(); }

  /// What `query` makes of the store, with the GIL released meanwhile.
  template <typename Query>
  auto ask(const Query& query) const {
    const pybind11::gil_scoped_release released;
    const std::lock_guard turn(mutex_);
    return query(store_);
  }

private:
  Store store_;
  mutable std::mutex mutex_;
};

} // namespace schedrig
