#include "workloads/controls/file_copy.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "workloads/parts/extent.hpp"

namespace schedrig {

namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t blocks_a_look = 16;
constexpr double bytes_a_kilobyte = 1024;
constexpr std::string_view in_memory = "memory";

/// An open file without a name in `folder`.
Fd nameless_file(const std::string& folder) {
  if (folder == in_memory)
    return Fd(checked(::memfd_create("schedrig-file-copy", MFD_CLOEXEC), "memfd_create", "a file"));
  Fd file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file)
    return file;
  // What file systems answer that have none; EISDIR is a kernel's that does not know it.
  if (errno != EOPNOTSUPP && errno != EISDIR)
    throw OsError(errno, "open", folder);
  std::string name = folder + "/schedrig-file-copy-XXXXXX";
  file = Fd(checked(::mkostemp(name.data(), O_CLOEXEC), "mkostemp", name));
  checked(::unlink(name.c_str()), "unlink", name);
  return file;
}

void rewind(const Fd& file) {
  checked(::lseek(file.number(), 0, SEEK_SET), "lseek", "a file to be copied");
}

std::int64_t size_of(const Fd& file) {
  struct stat status {};
  checked(::fstat(file.number(), &status), "fstat", "a file to be copied");
  return status.st_size;
}

/// What one stage came to.
struct Stage {
  std::int64_t bytes = 0;
  nanoseconds elapsed{0};
  double kilobytes() const { return static_cast<double>(bytes) / bytes_a_kilobyte; }
  double rate() const { return kilobytes() / std::chrono::duration<double>(elapsed).count(); }
};

class FileCopy final : public Workload {
public:
  explicit FileCopy(const ParameterValues& values)
      : folder_(values.text("folder")), blocks_(values.count("blocks")),
        size_(values.count("buffer") * blocks_),
        extent_(values.count("files") * blocks_, std::chrono::seconds(values.count("seconds")),
                blocks_a_look),
        buffer_(static_cast<std::size_t>(values.count("buffer"))) {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    source_ = nameless_file(folder_);
    copy_ = nameless_file(folder_);
    for (std::size_t index = 0; index < buffer_.size(); ++index)
      buffer_[index] = static_cast<char>(index * 131 + 7);
    pattern_ = buffer_;

    written_ = preparing_stage([this](std::int64_t block) {
      if (block % blocks_ == 0)
        rewind(source_);
      write_block(source_, buffer_.size());
      return buffer_.size();
    });
    rewind(source_);
    read_ = preparing_stage([this](std::int64_t) { return read_block(nullptr); });
    rewind(source_);
    checked(::fdatasync(source_.number()), "fdatasync", folder_); // not while we copy
    stretch_.open();
  }

  void run() override {
    stretch_.begin();
    extent_.begin();
    for (std::int64_t block = 0; extent_.goes_on(block); ++block) {
      const auto size = read_block(&copy_);
      write_block(copy_, size);
      copied_.bytes += static_cast<std::int64_t>(size);
    }
    copied_.elapsed = extent_.elapsed();
    stretch_.end();
  }

  WorkReport finish() override {
    stretch_.close();
    auto report = report_of_one_task(*placement_, copied_.kilobytes(), copied_.elapsed, stretch_);
    for (const auto& [name, stage] :
         {std::pair("write_rate", written_), {"read_rate", read_}, {"copy_rate", copied_}})
      report.figures.push_back({name, "KB/s", stage.rate(), WorkFigure::Better::higher});

    if (auto wrong = wrong_size("the file", size_of(source_), size_))
      report.broken.push_back(*wrong);
    if (auto wrong = wrong_size("its copy", size_of(copy_), std::min(copied_.bytes, size_)))
      report.broken.push_back(*wrong);
    if (const auto at = first_wrong_byte())
      report.broken.push_back(
          fmt::format("the copy differs from the file in the block at {}", *at));
    return report;
  }

private:
  /// Goes on with `block`, which is told its number and tells how many bytes it moved, for its
  /// share of the time, and once through the file at least.
  template <typename Block>
  Stage preparing_stage(const Block& block) {
    Extent extent(extent_.units() > 0 ? blocks_ : 0, extent_.time() / 15, blocks_a_look);
    Stage stage;
    extent.begin();
    for (std::int64_t number = 0; number < blocks_ || extent.goes_on(number); ++number)
      stage.bytes += static_cast<std::int64_t>(block(number));
    stage.elapsed = extent.elapsed();
    return stage;
  }

  /// The next block of the file, from its beginning again when there is none; then `along` is taken
  /// to its beginning too.
  std::size_t read_block(const Fd* along) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto size =
          checked(::read(source_.number(), buffer_.data(), buffer_.size()), "read", folder_);
      if (size > 0)
        return static_cast<std::size_t>(size);
      rewind(source_);
      if (along)
        rewind(*along);
    }
    throw std::runtime_error("the file that is copied is empty");
  }

  void write_block(const Fd& file, std::size_t size) {
    for (std::size_t done = 0; done < size;) // a disk that gets full takes a part first
      done += static_cast<std::size_t>(
          checked(::write(file.number(), buffer_.data() + done, size - done), "write", folder_));
  }

  std::optional<std::int64_t> first_wrong_byte() {
    const auto size = size_of(copy_);
    for (std::int64_t at = 0; at < size;) {
      const auto in_block = static_cast<std::ptrdiff_t>(at % std::ssize(pattern_));
      const auto read = checked(::pread(copy_.number(), buffer_.data(),
                                        buffer_.size() - static_cast<std::size_t>(in_block), at),
                                "pread", folder_);
      if (read == 0 ||
          !std::equal(buffer_.begin(), buffer_.begin() + read, pattern_.begin() + in_block))
        return at;
      at += read;
    }
    return std::nullopt;
  }

  const std::string folder_;
  const std::int64_t blocks_, size_;
  Extent extent_; ///< in blocks
  std::vector<char> buffer_, pattern_;
  std::optional<Placement> placement_;
  Fd source_, copy_;
  Stage written_, read_, copied_;
  Stretch stretch_;
};

Needs needs_of_file_copy(const ParameterValues& values) {
  Needs needs;
  const auto bytes = 2 * values.count("buffer") * values.count("blocks");
  if (const auto folder = values.text("folder"); folder == in_memory) {
    needs.memory_bytes = bytes;
  } else {
    needs.folder = folder;
    needs.file_bytes = bytes;
  }
  const auto time = Extent::time_of(values, "files");
  needs.time = time + 2 * time / 15;
  return needs;
}

} // namespace

std::optional<std::string> wrong_size(const std::string& file, std::int64_t size,
                                      std::int64_t promised) {
  if (size == promised)
    return std::nullopt;
  return fmt::format("{} has {} bytes instead of {}", file, size, promised);
}

WorkloadEntry file_copy() {
  return {
      .name = "file-copy",
      .summary = "one process copies a file to another, a small buffer at a time",
      .work_unit = "KB",
      .parameters = {{"buffer", "B", "how much is read and written at a time",
                      Parameter::Count{1024, 1, 16 * 1024 * 1024}},
                     {"blocks", "1", "the file's length, in buffers",
                      Parameter::Count{2000, 1, 1'000'000}},
                     Extent::seconds(30, "files"),
                     Extent::units("files"),
                     {"folder", "", "where the files are",
                      Parameter::Text{std::string(in_memory), "a folder, or the word memory"}}},
      .positional = {"seconds"},
      .aliases = {{"file-copy-256", "buffer=256 blocks=500"},
                  {"file-copy-1024", "buffer=1024 blocks=2000"},
                  {"file-copy-4096", "buffer=4096 blocks=8000"}},
      .make = [](const ParameterValues& values) { return std::make_unique<FileCopy>(values); },
      .needs = needs_of_file_copy,
  };
}

} // namespace schedrig
