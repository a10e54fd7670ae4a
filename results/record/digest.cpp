#include "results/record/digest.hpp"

#include <cstdint>

#include <sha2.h>

namespace schedrig {

std::string sha256_hex(std::string_view text) {
  char hex[SHA256_DIGEST_STRING_LENGTH];
  SHA256Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), hex);
  return hex;
}

} // namespace schedrig
