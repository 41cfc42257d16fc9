// A bit of everything that tools look for, some hundred times a second: files, memory, threads and locks, connections,
// signals.
#pragma once

#include <string>
#include <thread>

namespace dt::bench {

class MixedLoad {
public:
    /// Files are made in `folder`. Until it is destroyed.
    explicit MixedLoad(const std::string& folder);

private:
    std::jthread thread_;
};

/// In a guest: puts a module into the kernel and takes it out; switches a CPU off and on. False where that does not go.
bool load_and_unload(const std::string& module);
bool switch_off_and_on(int cpu);

} // namespace dt::bench
