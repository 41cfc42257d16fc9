// The set of processes that the kernel keeps for -x follow, as the session sees it.
#pragma once

#include <sys/types.h>

#include <map>
#include <vector>

namespace dt {

class LoadedMaps;

class Followed {
public:
    /// Of a loaded object; without -x follow there is no set, and nobody is in it.
    void open(const LoadedMaps& maps);

    /// Puts the processes of -c and -p into it: what they fork from now on is followed.
    void begin(const std::vector<pid_t>& processes);

    bool contains(pid_t pid) const;
    /// Those that are there because of others, each with the process of -c or -p that it comes from.
    std::map<pid_t, pid_t> followers() const;

private:
    int map_ = -1;
};

} // namespace dt
