// The set of processes that the kernel maintains for -x follow.
#pragma once

#include <sys/types.h>

#include <map>
#include <vector>

namespace dt {

class LoadedMaps;

class Followed {
public:
    /// Opens the set of a loaded object. Without -x follow the set is always empty.
    void open(const LoadedMaps& maps);

    /// Adds the processes of -c and -p. Their later children are followed too.
    void begin(const std::vector<pid_t>& processes);

    bool contains(pid_t pid) const;
    /// Returns the followed children, each with the process of -c or -p from which it descends.
    std::map<pid_t, pid_t> followers() const;

private:
    int map_ = -1;
};

} // namespace dt
