// Features of the oldest supported kernel (Linux 5.10), for tests that compile for it on a newer kernel.
#pragma once

#include "dcompiler/interface/world.hpp"

namespace dt::test {

/// Returns the features that Linux 5.10 has.
inline Features oldest_features()
{
    Features features;
    features.hash_no_prealloc = false;
    features.task_pt_regs = features.fetching_atomics = features.bpf_loop = features.task_storage = false;
    features.attach_cookie = features.current_task_btf = features.func_ip = features.memory_parameters = false;
    features.long_keys = false;
    return features;
}

} // namespace dt::test
