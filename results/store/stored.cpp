#include "results/store/stored.hpp"

namespace schedrig {

void TrialCounts::add(const TrialRecord& trial) {
  if (trial.purpose == TrialRecord::Purpose::warm_up)
    ++warm_up;
  else if (trial.validity == TrialRecord::Validity::valid)
    ++valid;
  else if (trial.validity == TrialRecord::Validity::invalid)
    ++invalid;
  else
    ++failed;
}

} // namespace schedrig
