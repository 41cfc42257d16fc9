// Mixed load for all kinds of tools, some hundred operations per second: files, memory, threads and locks, connections,
// signals.
#pragma once

#include <string>
#include <thread>

namespace dt::bench {

class MixedLoad {
public:
    /// Runs until destroyed; creates files in `folder`.
    explicit MixedLoad(const std::string& folder);

private:
    std::jthread thread_;
};

/// For guests: load and unload a kernel module; switch a CPU off and on. Return false on failure.
bool load_and_unload(const std::string& module);
bool switch_off_and_on(int cpu);

} // namespace dt::bench
