#include "suite/profile/symbols.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <span>
#include <stdexcept>

#include <boost/test/unit_test.hpp>
#include <dlfcn.h>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/tests/temporary_folder.hpp"
#include "suite/profile/address_spaces.hpp"
#include "suite/profile/sampling.hpp"
#include "suite/profile/tests/written_elf.hpp"

using namespace schedrig;

namespace {

std::string name_at(const SymbolTable& table, std::uint64_t address) {
  const auto* symbol = table.at(address);
  return symbol ? symbol->name : "nothing";
}

std::string name_at_offset(const ElfSymbols& elf, std::uint64_t offset) {
  const auto* symbol = elf.at_offset(offset);
  return symbol ? symbol->name : "nothing";
}

ElfSymbols elf_symbols(const WrittenElf& elf) {
  const auto bytes = elf.bytes();
  return ElfSymbols::of_memory(std::as_bytes(std::span(bytes)));
}

constexpr const char* kallsyms = "0000000000000000 A fixed_percpu_data\n"
                                 "ffffffff81000000 T _stext\n"
                                 "ffffffff81000000 T startup_64\n"
                                 "ffffffff81000100 t schedule_tail\n"
                                 "ffffffff81000200 D jiffies\n"
                                 "ffffffff81000300 W weak_one\n"
                                 "ffffffffc0000000 t ext4_readdir\t[ext4]\n"
                                 "broken line\n";

/// A root with what /proc shows of the kernel, and a folder for files.
struct Files : TemporaryFolder {
  std::string put_elf(const std::string& name, const WrittenElf& elf) {
    put(name, elf.bytes());
    return (path() / name).native();
  }
  Symbols symbols{path()};
};

} // namespace

BOOST_AUTO_TEST_SUITE(symbols)

BOOST_AUTO_TEST_CASE(an_address_is_of_the_function_that_it_lies_in) {
  const SymbolTable table({{.start = 300, .bytes = 0, .name = "c"},
                           {.start = 100, .bytes = 50, .name = "a"},
                           {.start = 200, .bytes = 10, .name = "b"}});
  BOOST_TEST(name_at(table, 99) == "nothing");
  BOOST_TEST(name_at(table, 100) == "a");
  BOOST_TEST(name_at(table, 149) == "a");
  BOOST_TEST(name_at(table, 150) == "nothing");
  BOOST_TEST(name_at(table, 209) == "b");
  BOOST_TEST(name_at(table, 100'000) == "c");
  BOOST_TEST(name_at(SymbolTable(), 1) == "nothing");
}

BOOST_AUTO_TEST_CASE(of_several_names_for_one_place_the_one_that_people_know_is_kept) {
  const SymbolTable table({{.start = 1, .bytes = 9, .name = "__write", .global = true},
                           {.start = 1, .bytes = 20, .name = "write", .global = true},
                           {.start = 1, .bytes = 9, .name = "w", .global = false},
                           {.start = 50, .name = "b"},
                           {.start = 50, .name = "a"}});
  BOOST_TEST(table.size() == 2U);
  BOOST_TEST(name_at(table, 20) == "write");
  BOOST_TEST(name_at(table, 60) == "a");
}

BOOST_AUTO_TEST_CASE(reads_functions_of_the_kernel_and_its_modules_and_no_data) {
  const auto kernel = KernelSymbols::parse(kallsyms);
  BOOST_TEST(kernel.hidden == "");
  BOOST_TEST(kernel.table.size() == 4U);
  BOOST_TEST(name_at(kernel.table, 0xffffffff81000010) == "startup_64");
  BOOST_TEST(name_at(kernel.table, 0xffffffff81000210) == "schedule_tail");
  BOOST_TEST(kernel.table.at(0xffffffff81000310)->object == "[kernel]");
  BOOST_TEST(kernel.table.at(0xffffffffc0000001)->object == "[ext4]");
}

BOOST_FIXTURE_TEST_CASE(addresses_that_are_hidden_are_told_with_the_settings_and_the_remedy,
                        Files) {
  put("proc/kallsyms", "0000000000000000 T _stext\n0000000000000000 t schedule_tail\n");
  put("proc/sys/kernel/kptr_restrict", "1\n");
  put("proc/sys/kernel/perf_event_paranoid", "2\n");
  BOOST_TEST(symbols.notes().empty()); // nobody has asked yet
  BOOST_TEST(symbols.of_kernel(0xffffffff81000000).name == "[unknown]");
  BOOST_REQUIRE(symbols.notes().size() == 1U);
  const auto note = symbols.notes().front();
  BOOST_TEST(note.find("kernel.kptr_restrict is 1, kernel.perf_event_paranoid 2") != note.npos);
  BOOST_TEST(note.find("sysctl -w kernel.kptr_restrict=0") != note.npos);
}

BOOST_FIXTURE_TEST_CASE(a_kernel_without_kallsyms_is_told_too, Files) {
  BOOST_TEST(symbols.of_kernel(1).object == "[kernel]");
  BOOST_REQUIRE(symbols.notes().size() == 1U);
  BOOST_TEST(symbols.notes().front().find("kallsyms: No such file") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(finds_the_functions_of_a_file_by_their_place_in_it) {
  for (const std::uint64_t address : {0x401000, 0x1000, 0x2000}) {
    const auto elf =
        elf_symbols({.address = address,
                     .symtab = {{"main", address + 0x10, 0x20},
                                {"helper", address + 0x40, 0x10, STB_LOCAL},
                                {"table", address + 0x80, 0x10, STB_GLOBAL, STT_OBJECT},
                                {"chosen", address + 0x90, 0x10, STB_GLOBAL, STT_GNU_IFUNC}}});
    BOOST_TEST(name_at_offset(elf, 0x1010) == "main");
    BOOST_TEST(name_at_offset(elf, 0x102f) == "main");
    BOOST_TEST(name_at_offset(elf, 0x1030) == "nothing");
    BOOST_TEST(name_at_offset(elf, 0x1041) == "helper");
    BOOST_TEST(name_at_offset(elf, 0x1081) == "nothing");
    BOOST_TEST(name_at_offset(elf, 0x1091) == "chosen");
    BOOST_TEST(name_at_offset(elf, 0x10) == "nothing");
    BOOST_TEST(name_at_offset(elf, 0x9000) == "nothing");
  }
}

BOOST_AUTO_TEST_CASE(of_a_stripped_file_only_what_others_may_call_has_a_name) {
  BOOST_TEST(name_at_offset(elf_symbols({.dynsym = {{"exported", 0x401010, 0x10}}}), 0x1010) ==
             "exported");
  BOOST_TEST(elf_symbols({}).empty());
}

BOOST_FIXTURE_TEST_CASE(refuses_what_is_no_elf_file_or_is_not_there, Files) {
  put("text", "#!/bin/sh\n");
  BOOST_CHECK_THROW(ElfSymbols::of_file(path() / "text"), std::runtime_error);
  BOOST_CHECK_THROW(ElfSymbols::of_file(path() / "nowhere"), OsError);
  const std::string cut = WrittenElf{.symtab = {{"main", 0x401010, 0x20}}}.bytes().substr(0, 100);
  BOOST_TEST(name_at_offset(ElfSymbols::of_memory(std::as_bytes(std::span(cut))), 0x1010) ==
             "nothing");
}

BOOST_FIXTURE_TEST_CASE(names_what_has_a_name_and_tells_the_file_of_what_has_none, Files) {
  const auto file = put_elf("program", {.symtab = {{"_ZN4spin3hotEi", 0x401010, 0x20}}});
  const auto stripped = put_elf("stripped", {});
  const auto function = [&](const std::string& mapped, std::uint64_t offset) {
    const auto found = symbols.of_file(mapped, offset);
    BOOST_TEST((found.mode == SampledFunction::Mode::user));
    return found.name + " of " + found.object;
  };
  BOOST_TEST(function(file, 0x1011) == "spin::hot(int) of " + file);
  BOOST_TEST(function(file, 0x1001) == "[unknown] of " + file);
  BOOST_TEST(function(stripped, 0x1011) == "[unknown] of " + stripped);
  BOOST_TEST(function("/nowhere", 0x1011) == "[unknown] of /nowhere");
  BOOST_TEST(function(file + " (deleted)", 0x1011) == "[unknown] of " + file);
  BOOST_TEST(function("//anon", 0x1011) == "[unknown] of [anonymous]");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_was_replaced_is_read_again, Files) {
  const auto file = put_elf("program", {.symtab = {{"before", 0x401010, 0x20}}});
  BOOST_TEST(symbols.of_file(file, 0x1010).name == "before");
  put_elf("program", {.symtab = {{"after", 0x401010, 0x20}}});
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() +
                                             std::chrono::seconds(5));
  BOOST_TEST(symbols.of_file(file, 0x1010).name == "after");
}

BOOST_AUTO_TEST_CASE(names_this_very_program_and_the_vdso) {
  Symbols here;
  AddressSpaces spaces;
  for (const auto& record : mappings_of(::getpid(), read_whole("/proc/self/maps")))
    spaces.follow(record);
  const auto place = spaces.find(::getpid(), reinterpret_cast<std::uint64_t>(&demangled));
  BOOST_REQUIRE(place.has_value());
  const auto function = here.of_file(place->file, place->offset);
  BOOST_TEST(function.name.starts_with("schedrig::demangled("), function.name);

  if (void* const vdso = ::dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD)) {
    const auto time = reinterpret_cast<std::uint64_t>(::dlsym(vdso, "__vdso_time"));
    ::dlclose(vdso);
    BOOST_REQUIRE(time != 0U);
    const auto in_vdso = spaces.find(::getpid(), time);
    BOOST_REQUIRE(in_vdso.has_value());
    BOOST_TEST(here.of_file(in_vdso->file, in_vdso->offset).name == "time");
  }
}

BOOST_AUTO_TEST_CASE(leaves_a_name_that_only_looks_mangled) {
  BOOST_TEST(demangled("_Znot") == "_Znot");
  BOOST_TEST(demangled("main") == "main");
}

BOOST_FIXTURE_TEST_CASE(a_profile_counts_samples_by_function_with_what_was_mapped_then, Files) {
  put("proc/kallsyms", kallsyms);
  const auto one = put_elf("one", {.symtab = {{"hot", 0x401010, 0x20}}});
  const auto two = put_elf("two", {.symtab = {{"cold", 0x401010, 0x20}}});
  using Mode = PerfRecord::Mode;
  const pid_t gone = 4'194'304; // above every process's number
  const auto at = [](std::uint64_t time, pid_t process, auto what) {
    return PerfRecord{time, process, process, what};
  };
  Sampled sampled;
  sampled.lost = 3;
  sampled.records = {
      at(0, 7, PerfRecord::Mapping{0x5000, 0x1000, 0x1000, one}),
      at(1, 7, PerfRecord::Sample{0x5011, Mode::user}),
      at(2, 7, PerfRecord::Sample{0xffffffff81000110, Mode::kernel}),
      at(3, 8, PerfRecord::Fork{7}),
      at(4, 8, PerfRecord::Sample{0x5011, Mode::user}),
      at(5, 8, PerfRecord::Exec{}),
      at(6, 8, PerfRecord::Mapping{0x5000, 0x1000, 0x1000, two}),
      at(7, 8, PerfRecord::Sample{0x5011, Mode::user}),
      at(8, 7, PerfRecord::Sample{0x5012, Mode::user}),
      at(9, 0, PerfRecord::Sample{0xffffffff81000310, Mode::kernel}), // the idle task
      at(10, gone, PerfRecord::Sample{0x5012, Mode::user}),
      at(11, 7, PerfRecord::Sample{0x1, Mode::guest}),
  };
  const auto profile = profile_of(sampled, {Event::resolve("cpu-clock"), 1000}, symbols);
  BOOST_TEST(profile.event == "cpu-clock");
  BOOST_TEST(profile.period == 1000);
  BOOST_TEST(profile.samples == 7);
  BOOST_TEST(profile.lost == 3);
  std::map<std::string, std::int64_t> counts;
  for (const auto& [function, samples] : profile.functions)
    counts[function.name + " " + function.object] = samples;
  const std::map<std::string, std::int64_t> expected{{"hot " + one, 3},
                                                     {"cold " + two, 1},
                                                     {"schedule_tail [kernel]", 1},
                                                     {"[unknown] [other process]", 1},
                                                     {"[unknown] [guest]", 1}};
  BOOST_TEST((counts == expected));
  BOOST_TEST(profile.functions.front().function.name == "hot");
}

BOOST_AUTO_TEST_SUITE_END()
