#include "suite/counting/libpfm.hpp"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>

#include <perfmon/pfmlib_perf_event.h>

namespace schedrig {
namespace {

// libpfm4 promises nothing about threads; its answers take microseconds.
std::mutex one_at_a_time;

int initialized() {
  static const int result = pfm_initialize();
  return result;
}

Event::Kind kind_of(std::uint32_t type) {
  switch (type) {
  case PERF_TYPE_SOFTWARE:
    return Event::Kind::software;
  case PERF_TYPE_TRACEPOINT:
    return Event::Kind::tracepoint;
  default:
    return Event::Kind::hardware;
  }
}

std::string pmu_name(int event) {
  pfm_event_info_t info{};
  info.size = sizeof info;
  pfm_pmu_info_t pmu{};
  pmu.size = sizeof pmu;
  if (pfm_get_event_info(event, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS ||
      pfm_get_pmu_info(info.pmu, &pmu) != PFM_SUCCESS)
    return {};
  return pmu.name;
}

std::string text_of(const char* text) {
  return text ? text : "";
}

/// Calls `take` with each event of each PMU that libpfm4 finds here, raw codes left out.
template <typename Take>
void for_each_event(Take take) {
  if (initialized() != PFM_SUCCESS)
    return;
  for (int number = 0; number < PFM_PMU_MAX; ++number) {
    pfm_pmu_info_t pmu{};
    pmu.size = sizeof pmu;
    // The numbers have gaps, and most PMUs are other machines'.
    if (pfm_get_pmu_info(static_cast<pfm_pmu_t>(number), &pmu) != PFM_SUCCESS || !pmu.is_present)
      continue;
    if (std::string_view(pmu.name) == "perf_raw")
      continue;
    for (int event = pmu.first_event; event != -1; event = pfm_get_event_next(event)) {
      pfm_event_info_t info{};
      info.size = sizeof info;
      if (pfm_get_event_info(event, PFM_OS_PERF_EVENT_EXT, &info) == PFM_SUCCESS)
        take(pmu, info);
    }
  }
}

bool is_plain_counting(const perf_event_attr& attributes, const pfm_perf_encode_arg_t& encoded) {
  return attributes.sample_period == 0 && attributes.precise_ip == 0 && attributes.pinned == 0 &&
         attributes.exclusive == 0 && attributes.exclude_host == 0 && encoded.cpu == -1 &&
         !(attributes.exclude_user && attributes.exclude_kernel);
}

} // namespace

LibpfmAnswer ask_libpfm(const std::string& name) {
  const std::lock_guard lock(one_at_a_time);
  if (const int result = initialized(); result != PFM_SUCCESS)
    return {{}, pfm_strerror(result)};

  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  char* full_name = nullptr;
  pfm_perf_encode_arg_t encoded{};
  encoded.attr = &attributes;
  encoded.fstr = &full_name;
  encoded.size = sizeof encoded;
  const int result =
      pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &encoded);
  const std::unique_ptr<char, decltype(&std::free)> owner(full_name, &std::free);
  if (result != PFM_SUCCESS)
    return {{}, pfm_strerror(result)};

  Event event;
  event.full_name = full_name ? full_name : name;
  event.kind = kind_of(attributes.type);
  event.pmu = event.kind == Event::Kind::software ? "software" : pmu_name(encoded.idx);
  event.type = attributes.type;
  event.config = attributes.config;
  event.config1 = attributes.config1;
  event.config2 = attributes.config2;
  event.exclude_user = attributes.exclude_user;
  event.exclude_kernel = attributes.exclude_kernel;
  if (event.pmu == "perf_raw")
    return {{}, "raw codes are not taken: an event has a name"};
  if (!is_plain_counting(attributes, encoded))
    return {{}, "only the modifiers :u and :k are taken beside those of the event itself"};
  return {event, {}};
}

std::vector<std::string> libpfm_names() {
  const std::lock_guard lock(one_at_a_time);
  std::vector<std::string> names;
  for_each_event([&](const pfm_pmu_info_t&, const pfm_event_info_t& event) {
    names.emplace_back(event.name);
  });
  return names;
}

std::vector<LibpfmEvent> libpfm_events() {
  const std::lock_guard lock(one_at_a_time);
  std::vector<LibpfmEvent> events;
  for_each_event([&](const pfm_pmu_info_t& pmu, const pfm_event_info_t& event) {
    if (std::string_view(pmu.name) == "perf")
      return;
    LibpfmEvent listed{pmu.name, event.name, text_of(event.desc), {}};
    for (int number = 0; number < event.nattrs; ++number) {
      pfm_event_attr_info_t attribute{};
      attribute.size = sizeof attribute;
      if (pfm_get_event_attr_info(event.idx, number, PFM_OS_PERF_EVENT_EXT, &attribute) ==
              PFM_SUCCESS &&
          attribute.type == PFM_ATTR_UMASK)
        listed.umasks.push_back({text_of(attribute.name), text_of(attribute.desc)});
    }
    events.push_back(std::move(listed));
  });
  return events;
}

} // namespace schedrig
