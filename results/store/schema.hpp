#pragma once

#include "results/store/database.hpp"

namespace schedrig {

/// The version of the store's schema that this program writes: the number of its steps.
int schema_version() noexcept;

/// Makes `database` a store of the first `version` steps, from an empty file or from an older
/// store, in one transaction: a failure leaves it as it was. Throws StoreError EINVAL, having
/// written nothing, when it is another program's or of a newer version.
void migrate(const Database& database, int version = schema_version());

/// Lets the queries of today work on an older store, without writing it: what it does not have yet
/// is empty. Throws StoreError EINVAL when it is empty, another program's, or of a newer version.
void read_as_current(const Database& database);

} // namespace schedrig
