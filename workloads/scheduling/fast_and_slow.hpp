#pragma once

#include "workloads/catalogue.hpp"

namespace schedrig {

/// One task that computes all the time, among others that do little and sleep.
///
/// Stands for a service in a container with a quota: one busy thread, and a pool of threads that
/// wake often and do next to nothing, on every CPU. Each of these takes a slice of the group's
/// quota to its CPU and uses a hundredth of it. A kernel that lets what is left of such slices
/// expire throttles the group although it has used less than its quota, and the fast task is the
/// one that pays. A better scheduler delivers the whole quota and gives the fast task what the slow
/// ones leave. It says nothing of how fast a wakeup is; without a limit the fast task simply has a
/// CPU.
///
/// The first task is the fast one. Each other does a round (10,000 dependent steps, about 15 us)
/// and sleeps for 10 ms. All begin together and end when the time has passed; the rounds and the
/// CPU time of each are reported.
WorkloadEntry fast_and_slow();

} // namespace schedrig
