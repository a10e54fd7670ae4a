#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

namespace schedrig {

/// A store that cannot be opened, read or written: why, as an errno, a path and a sentence.
///
/// `what()` is the sentence alone: "old.schedrig is locked by another program". The errno is
/// ENOENT (no such store, or no such thing in it), EINVAL (not a schedrig store, of a newer schema
/// version, or a record that no store may hold), EROFS or EACCES (may not be written, or read),
/// ENOSPC (the disk is full), EBUSY (locked by another program for longer than the busy timeout),
/// EIO (the disk failed, or the store is damaged), or what open(2) said. Python sees
/// OSError(errno, sentence, path).
class StoreError : public std::system_error {
public:
  StoreError(int error, const std::filesystem::path& path, const std::string& sentence);

  int error() const noexcept { return code().value(); }                 ///< errno, above 0
  const std::filesystem::path& path() const noexcept { return *path_; } ///< the store
  const char* what() const noexcept override { return sentence_->c_str(); }

private:
  // Shared, so that copying the exception cannot throw.
  std::shared_ptr<const std::filesystem::path> path_;
  std::shared_ptr<const std::string> sentence_;
};

} // namespace schedrig
