#include "results/store/store_error.hpp"

namespace schedrig {

StoreError::StoreError(int error, const std::filesystem::path& path, const std::string& sentence)
    : std::system_error(error, std::generic_category(), sentence),
      path_(std::make_shared<std::filesystem::path>(path)),
      sentence_(std::make_shared<std::string>(sentence)) {}

} // namespace schedrig
