#include "results/record/boot.hpp"

#include <cerrno>
#include <system_error>

#include "results/record/digest.hpp"
#include "results/record/text_file.hpp"

namespace schedrig {

Boot Boot::read(const std::filesystem::path& root) {
  Boot boot;
  const auto boot_id_file = root / "proc/sys/kernel/random/boot_id";
  const std::string boot_id = file_bytes(boot_id_file);
  boot.boot_id = stripped(boot_id);
  if (boot.boot_id.empty())
    throw std::system_error(EINVAL, std::generic_category(), boot_id_file.string() + " is empty");
  boot.kernel = KernelBuild::read(root);
  boot.host = file_text(root / "proc/sys/kernel/hostname").value_or("");
  const auto machine_id = file_text(root / "etc/machine-id");
  const auto product = file_text(root / "sys/class/dmi/id/product_name");
  // Without either, the host's name is the last thing that could tell two machines apart.
  boot.machine =
      sha256_hex(machine_id || product ? machine_id.value_or("") + "\n" + product.value_or("")
                                       : "host " + boot.host)
          .substr(0, 16);
  boot.environment = read_environment(root);
  return boot;
}

} // namespace schedrig
