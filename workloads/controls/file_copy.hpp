#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// One process that copies a file to another, a small buffer at a time.
///
/// Stands for programs that move data through the page cache: copying, archiving, logging. The
/// files are in memory unless a folder is named. It exercises read, write, the page cache and two
/// copies of each byte; of the scheduler it meets the tick, the charging of time to groups, and on
/// a disk's file system the kernel's own threads that write back. A better scheduler changes it
/// little, as long as those threads do not get into its way. It says nothing of wakeups, nor of
/// the disk's speed: nobody waits until the data is on it.
///
/// Three stages, as copy figures of old have them: write the file over and over, read it over and
/// over, copy it over and over. The first two last a fifteenth of the third each (2 s of 30), go at
/// least once through the file, and belong to the preparation: they fill the page cache, and their
/// rates are figures beside. The third is what is measured; the blocks of a copy that was under way
/// when the time was up count. The files have no name: none is left behind, whatever happens.
WorkloadEntry file_copy();

/// The sentence for a file that is not as long as it must be; nothing when it is.
std::optional<std::string> wrong_size(const std::string& file, std::int64_t size,
                                      std::int64_t promised);

} // namespace schedrig
