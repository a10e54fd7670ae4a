#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

#include <boost/test/unit_test.hpp>
#include <zlib.h>

#include "results/record/boot.hpp"
#include "results/record/digest.hpp"
#include "results/tests/temporary_folder.hpp"

namespace schedrig {
namespace {

using namespace std::string_literals;

std::string word(std::uint32_t value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string padded(std::string bytes) {
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

std::string note(const std::string& name, std::uint32_t type, const std::string& description) {
  return word(static_cast<std::uint32_t>(name.size())) +
         word(static_cast<std::uint32_t>(description.size())) + word(type) + padded(name) +
         padded(description);
}

const std::string gnu_note = note("GNU\0"s, 3, "\x85\xc7\xe4\xe2\x00\xff"s);

void gzip(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  gzFile file = gzopen(path.c_str(), "wb");
  BOOST_REQUIRE(file);
  BOOST_REQUIRE_EQUAL(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
                      static_cast<int>(text.size()));
  gzclose(file);
}

struct BareRoot : TemporaryFolder {
  BareRoot() { put("proc/sys/kernel/random/boot_id", "11111111-2222\n"); }
  Boot boot() const { return Boot::read(path()); }
  std::string fact(const std::string& name) const {
    const Boot read = boot();
    const auto found = read.environment.find(name);
    return found == read.environment.end() ? "(absent)" : found->second;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(record)

BOOST_AUTO_TEST_CASE(digests_as_sha256sum_does) {
  BOOST_TEST(sha256_hex("abc") ==
             "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

BOOST_AUTO_TEST_CASE(finds_the_build_id_among_other_notes) {
  BOOST_TEST(gnu_build_id(gnu_note) == "85c7e4e200ff");
  BOOST_TEST(gnu_build_id(note("Linux\0"s, 3, "no") + note("Xen\0"s, 0x13, "\1\2\3\4\5"s) +
                          note("GNU\0"s, 1, "abi!") + note("", 0, "") + gnu_note) ==
             "85c7e4e200ff");
}

BOOST_AUTO_TEST_CASE(finds_no_build_id_in_malformed_notes) {
  BOOST_TEST(gnu_build_id("") == "");
  BOOST_TEST(gnu_build_id(note("Linux\0"s, 3, "no")) == "");
  BOOST_TEST(gnu_build_id(word(0xffffffff) + word(0xffffffff) + word(3) + "GNU\0"s) == "");
  BOOST_TEST(gnu_build_id(word(4) + word(0xfffffffd) + word(3) + "GNU\0"s) == "");
  for (std::size_t size = 0; size < gnu_note.size() - 2; ++size) // its last 2 bytes are padding
    BOOST_TEST(gnu_build_id(std::string_view(gnu_note).substr(0, size)) == "");
  BOOST_TEST(gnu_build_id(std::string_view(gnu_note).substr(0, gnu_note.size() - 2)) ==
             "85c7e4e200ff");
}

BOOST_AUTO_TEST_CASE(reads_every_fact_of_a_full_machine) {
  const BareRoot root;
  root.put("sys/kernel/notes", gnu_note);
  root.put("proc/sys/kernel/osrelease", "6.18.44\n");
  root.put("proc/version", "Linux version 6.18.44 (me@here) #1 SMP PREEMPT_DYNAMIC\n");
  gzip(root.path() / "proc/config.gz", "CONFIG_SCHED_DEBUG=y\n");
  root.put("proc/sys/kernel/hostname", "lab1\n");
  root.put("etc/machine-id", "0123456789abcdef\n");
  root.put("sys/class/dmi/id/sys_vendor", "QEMU\n");
  root.put("sys/class/dmi/id/product_name", "Standard PC\n");
  root.put("proc/cmdline", "quiet isolcpus=1\n");
  root.put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Xeon: big\nmicrocode\t: 0x10\n"
                           "flags\t\t: fpu hypervisor sse\n\n"
                           "processor\t: 1\nmodel name\t: Xeon: big\nmicrocode\t: 0x11\n");
  root.put("sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI\n");
  root.put("sys/devices/system/cpu/online", "0-1\n");
  root.put("sys/devices/system/cpu/isolated", "1\n");
  root.put("sys/devices/system/cpu/nohz_full", "1\n");
  root.put("sys/devices/system/cpu/smt/control", "off\n");
  root.put("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
  root.put("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave\n");
  root.put("sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "intel_pstate\n");
  root.put("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  root.put("proc/sys/kernel/nmi_watchdog", "0\n");
  root.put("proc/sys/kernel/randomize_va_space", "2\n");
  root.put("proc/sys/kernel/perf_event_paranoid", "2\n");
  root.put("proc/sys/kernel/tainted", "0\n");
  root.put("proc/sys/kernel/sched_rt_runtime_us", "950000\n");
  root.put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  root.put("sys/kernel/debug/sched/features", "GENTLE_FAIR_SLEEPERS NO_HRTICK\n");
  root.put("sys/kernel/debug/sched/base_slice_ns", "2800000\n");
  root.put("sys/kernel/debug/sched/preempt", "none voluntary (full)\n");
  root.put("sys/kernel/debug/sched/debug", "Sched Debug Version: v0.11\n");
  root.put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  root.put("proc/uptime", "1094.76 2093.95\n");

  const Boot boot = root.boot();
  BOOST_TEST(boot.boot_id == "11111111-2222");
  BOOST_TEST(boot.kernel.build_id == "85c7e4e200ff");
  BOOST_TEST(boot.kernel.release == "6.18.44");
  BOOST_TEST(boot.kernel.version == "Linux version 6.18.44 (me@here) #1 SMP PREEMPT_DYNAMIC");
  BOOST_TEST(boot.kernel.config_digest == sha256_hex("CONFIG_SCHED_DEBUG=y\n"));
  BOOST_TEST(boot.host == "lab1");
  BOOST_TEST(boot.machine == sha256_hex("0123456789abcdef\nStandard PC").substr(0, 16));
  const Environment expected{
      {"cmdline", "quiet isolcpus=1"},
      {"cpu.model", "Xeon: big"},
      {"cpu.microcode", "0x10, 0x11"},
      {"cpu.count", "2"},
      {"cpu.online", "0-1"},
      {"cpu.isolated", "1"},
      {"cpu.nohz_full", "1"},
      {"mitigation.meltdown", "Mitigation: PTI"},
      {"governor", "performance, powersave"},
      {"scaling_driver", "intel_pstate"},
      {"turbo", "off"},
      {"smt", "off"},
      {"nmi_watchdog", "0"},
      {"aslr", "2"},
      {"perf_event_paranoid", "2"},
      {"tainted", "0"},
      {"sysctl.kernel.sched_rt_runtime_us", "950000"},
      {"thp", "madvise"},
      {"sched.features", "GENTLE_FAIR_SLEEPERS NO_HRTICK"},
      {"sched.base_slice_ns", "2800000"},
      {"sched.preempt", "full"},
      {"clocksource", "tsc"},
      {"hypervisor", "QEMU Standard PC"},
      {"uptime", "1094"},
  };
  for (const auto& [fact, value] : expected)
    BOOST_TEST(root.fact(fact) == value, fact << " is " << root.fact(fact));
  BOOST_TEST(boot.environment.size() == expected.size());
}

BOOST_AUTO_TEST_CASE(leaves_out_what_a_bare_machine_does_not_tell) {
  const Boot boot = BareRoot().boot();
  BOOST_TEST(boot.environment.empty());
  BOOST_TEST((boot.kernel == KernelBuild{}));
  BOOST_TEST(boot.host == "");
  BOOST_TEST(boot.machine.size() == 16U);
}

BOOST_AUTO_TEST_CASE(refuses_a_machine_without_a_boot_id) {
  const TemporaryFolder root;
  BOOST_CHECK_EXCEPTION(Boot::read(root.path()), std::system_error, [](const auto& error) {
    return error.code().value() == ENOENT &&
           std::string(error.what()).find("random/boot_id") != std::string::npos;
  });
  root.put("proc/sys/kernel/random/boot_id", "\n");
  BOOST_CHECK_EXCEPTION(Boot::read(root.path()), std::system_error,
                        [](const auto& error) { return error.code().value() == EINVAL; });
}

BOOST_AUTO_TEST_CASE(reads_the_boot_folders_config_where_proc_has_none_or_a_damaged_one) {
  const BareRoot root;
  root.put("proc/sys/kernel/osrelease", "6.1.0-17-amd64\n");
  root.put("boot/config-6.1.0-17-amd64", "CONFIG_X=y\n");
  BOOST_TEST(root.boot().kernel.config_digest == sha256_hex("CONFIG_X=y\n"));
  root.put("proc/config.gz", "\x1f\x8b not really");
  BOOST_TEST(root.boot().kernel.config_digest == sha256_hex("CONFIG_X=y\n"));
}

BOOST_AUTO_TEST_CASE(tells_turbo_by_either_driver) {
  const BareRoot root;
  root.put("sys/devices/system/cpu/cpufreq/boost", "1\n");
  BOOST_TEST(root.fact("turbo") == "on");
  root.put("sys/devices/system/cpu/cpufreq/boost", "0\n");
  BOOST_TEST(root.fact("turbo") == "off");
  root.put("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  BOOST_TEST(root.fact("turbo") == "on");
}

BOOST_AUTO_TEST_CASE(tells_bare_metal_from_a_virtual_machine) {
  const BareRoot root;
  BOOST_TEST(root.fact("hypervisor") == "(absent)");
  root.put("sys/class/dmi/id/sys_vendor", "Dell\n");
  root.put("proc/cpuinfo", "processor : 0\nflags : fpu hypervisors sse\n");
  BOOST_TEST(root.fact("hypervisor") == "none");
  root.put("proc/cpuinfo", "processor : 0\nflags : fpu hypervisor\n");
  BOOST_TEST(root.fact("hypervisor") == "Dell");
  root.put("sys/hypervisor/type", "xen\n");
  BOOST_TEST(root.fact("hypervisor") == "xen Dell");
}

BOOST_AUTO_TEST_CASE(reads_the_machine_it_runs_on) {
  const Boot boot = Boot::read();
  BOOST_TEST(boot.boot_id.size() == 36U);
  BOOST_TEST(!boot.kernel.release.empty());
  BOOST_TEST(boot.environment.contains("cpu.count"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace schedrig
