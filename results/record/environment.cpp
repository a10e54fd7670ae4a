#include "results/record/environment.hpp"

#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "results/record/text_file.hpp"

namespace schedrig {
namespace {

namespace fs = std::filesystem;

/// The entries of `folder` whose names begin with `prefix`; none where it cannot be listed.
std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix = "") {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with(prefix))
      found.push_back(entry->path());
  return found;
}

std::string listed(const std::set<std::string>& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

/// What stands in brackets in "always [madvise] never" or "none voluntary (full)"; all of it
/// without.
std::string chosen(const std::string& choices) {
  const auto open = choices.find_first_of("[(");
  const auto close = choices.find_first_of("])");
  return open < close && close != std::string::npos ? choices.substr(open + 1, close - open - 1)
                                                    : choices;
}

/// One of the sysfs switches that hold 0 or 1.
std::string on_or_off(const std::string& text, std::string_view on) {
  return text == on ? "on" : text == "0" || text == "1" ? "off" : text;
}

class Reader {
public:
  explicit Reader(const fs::path& root) : root_(root), cpu_(root / "sys/devices/system/cpu") {}

  Environment read() && {
    read_kernel();
    read_cpus();
    read_frequency();
    read_scheduler();
    read_hypervisor();
    return std::move(facts_);
  }

private:
  void keep(const std::string& fact, const fs::path& file) {
    if (auto text = file_text(file))
      facts_[fact] = *text;
  }

  void read_kernel() {
    keep("cmdline", root_ / "proc/cmdline");
    keep("tainted", root_ / "proc/sys/kernel/tainted");
    keep("nmi_watchdog", root_ / "proc/sys/kernel/nmi_watchdog");
    keep("aslr", root_ / "proc/sys/kernel/randomize_va_space");
    keep("perf_event_paranoid", root_ / "proc/sys/kernel/perf_event_paranoid");
    keep("clocksource", root_ / "sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (const auto choices = file_text(root_ / "sys/kernel/mm/transparent_hugepage/enabled"))
      facts_["thp"] = chosen(*choices);
    if (const auto uptime = file_text(root_ / "proc/uptime"))
      facts_["uptime"] = uptime->substr(0, uptime->find_first_of(". "));
  }

  void read_cpus() {
    for (const fs::path& file : entries(cpu_ / "vulnerabilities"))
      keep("mitigation." + file.filename().string(), file);
    keep("cpu.online", cpu_ / "online");
    keep("cpu.isolated", cpu_ / "isolated");
    keep("cpu.nohz_full", cpu_ / "nohz_full");
    keep("smt", cpu_ / "smt/control");

    const auto cpuinfo = file_text(root_ / "proc/cpuinfo");
    if (!cpuinfo)
      return;
    std::set<std::string> models, microcodes; // a hybrid or half-updated machine has several
    int count = 0;
    std::istringstream lines(*cpuinfo);
    for (std::string line; std::getline(lines, line);) {
      const std::string_view key = stripped(std::string_view(line).substr(0, line.find(':')));
      const auto colon = line.find(':');
      const std::string value(
          colon == std::string::npos ? "" : stripped(std::string_view(line).substr(colon + 1)));
      if (key == "processor")
        ++count;
      else if (key == "model name")
        models.insert(value);
      else if (key == "microcode")
        microcodes.insert(value);
      else if (key == "flags" && (" " + value + " ").find(" hypervisor ") != std::string::npos)
        virtual_ = true;
    }
    if (!models.empty())
      facts_["cpu.model"] = listed(models);
    if (!microcodes.empty())
      facts_["cpu.microcode"] = listed(microcodes);
    if (count > 0)
      facts_["cpu.count"] = std::to_string(count);
    hypervisor_known_ = count > 0;
  }

  void read_frequency() {
    std::set<std::string> governors, drivers;
    for (const fs::path& policy : entries(cpu_ / "cpufreq", "policy")) {
      if (auto governor = file_text(policy / "scaling_governor"))
        governors.insert(*governor);
      if (auto driver = file_text(policy / "scaling_driver"))
        drivers.insert(*driver);
    }
    if (!governors.empty())
      facts_["governor"] = listed(governors);
    if (!drivers.empty())
      facts_["scaling_driver"] = listed(drivers);
    if (const auto no_turbo = file_text(cpu_ / "intel_pstate/no_turbo"))
      facts_["turbo"] = on_or_off(*no_turbo, "0");
    else if (const auto boost = file_text(cpu_ / "cpufreq/boost"))
      facts_["turbo"] = on_or_off(*boost, "1");
  }

  void read_scheduler() {
    for (const fs::path& file : entries(root_ / "proc/sys/kernel", "sched_"))
      keep("sysctl.kernel." + file.filename().string(), file);
    for (const fs::path& file : entries(root_ / "sys/kernel/debug/sched")) {
      const std::string name = file.filename().string();
      if (name == "debug") // every run queue of the moment, not a setting
        continue;
      keep("sched." + name, file);
    }
    if (const auto preempt = facts_.find("sched.preempt"); preempt != facts_.end())
      preempt->second = chosen(preempt->second);
  }

  void read_hypervisor() {
    std::vector<std::string> told;
    if (const auto type = file_text(root_ / "sys/hypervisor/type")) {
      told.push_back(*type);
      virtual_ = hypervisor_known_ = true;
    }
    for (const char* name : {"sys_vendor", "product_name"})
      if (const auto text = file_text(root_ / "sys/class/dmi/id" / name))
        told.push_back(*text);
    if (virtual_)
      facts_["hypervisor"] = told.empty() ? "unnamed" : fmt::format("{}", fmt::join(told, " "));
    else if (hypervisor_known_)
      facts_["hypervisor"] = "none";
  }

  const fs::path root_, cpu_;
  Environment facts_;
  bool virtual_ = false;
  bool hypervisor_known_ = false; // without cpuinfo "none" would be a guess
};

} // namespace

Environment read_environment(const fs::path& root) {
  return Reader(root).read();
}

} // namespace schedrig
