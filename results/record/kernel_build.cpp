#include "results/record/kernel_build.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <system_error>

#include <elf.h>
#include <zlib.h>

#include "results/record/digest.hpp"
#include "results/record/text_file.hpp"

namespace schedrig {
namespace {

/// Takes the next `size` bytes and their padding to four off `notes`; nothing when it is cut off.
std::optional<std::string_view> take_padded(std::string_view& notes, std::size_t size) {
  if (size > notes.size())
    return std::nullopt;
  const std::string_view taken = notes.substr(0, size);
  // The last note may end without its padding.
  notes.remove_prefix(std::min((size + 3) / 4 * 4, notes.size()));
  return taken;
}

std::string hex(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

/// The text of a gzip file; nothing where it cannot be read, is damaged or cut off.
std::optional<std::string> gunzipped(const std::filesystem::path& path) {
  std::string packed;
  try {
    packed = file_bytes(path);
  } catch (const std::system_error&) {
    return std::nullopt;
  }
  z_stream stream{};
  constexpr int gzip_only = 16;
  if (inflateInit2(&stream, gzip_only + MAX_WBITS) != Z_OK)
    return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  int state = Z_OK;
  while (state == Z_OK) {
    char chunk[16384];
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(chunk, sizeof chunk - stream.avail_out);
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END ? std::optional(text) : std::nullopt;
}

std::string digest_of_config(const std::filesystem::path& root, const std::string& release) {
  if (const auto config = gunzipped(root / "proc/config.gz"))
    return sha256_hex(*config);
  if (release.empty())
    return {};
  try {
    return sha256_hex(file_bytes(root / "boot" / ("config-" + release)));
  } catch (const std::system_error&) {
    return {};
  }
}

} // namespace

std::string gnu_build_id(std::string_view notes) {
  // A note is a header, a name and a description, the last two padded to four bytes.
  Elf64_Nhdr header;
  while (notes.size() >= sizeof header) {
    std::memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    const auto name = take_padded(notes, header.n_namesz);
    if (!name)
      return {};
    const auto description = take_padded(notes, header.n_descsz);
    if (!description)
      return {};
    if (header.n_type == NT_GNU_BUILD_ID && *name == std::string_view("GNU", 4))
      return hex(*description);
  }
  return {};
}

KernelBuild KernelBuild::read(const std::filesystem::path& root) {
  KernelBuild build;
  try {
    build.build_id = gnu_build_id(file_bytes(root / "sys/kernel/notes"));
  } catch (const std::system_error&) {
    // Kernels linked without --build-id have none, and containers may hide it.
  }
  build.release = file_text(root / "proc/sys/kernel/osrelease").value_or("");
  build.version = file_text(root / "proc/version").value_or("");
  build.config_digest = digest_of_config(root, build.release);
  return build;
}

} // namespace schedrig
