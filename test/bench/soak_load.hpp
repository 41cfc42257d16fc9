// Mixed load for all kinds of tools, some hundred operations per second: files, memory, threads and locks, connections,
// signals.
#pragma once

#include <string>
#include <thread>

namespace dt::bench {

class MixedLoad {
public:
    /// Makes the load until the destructor runs; creates its files in `folder`.
    explicit MixedLoad(const std::string& folder);

private:
    std::jthread thread_;
};

/// For guests only. The first function loads and unloads a kernel module; the second one switches a CPU off and on.
/// Both return false on failure.
bool load_and_unload(const std::string& module);
bool switch_off_and_on(int cpu);

} // namespace dt::bench
