// What the figures were taken on: without it they mean nothing to another reader.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dt::bench {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// Name and value: kernel, processor, the tools compared with.
Facts machine_facts(const std::string& dtrace);

/// How many tasks want a CPU, over the last minute.
double load();

/// What everybody else takes of the machine's CPUs from now on.
class Others {
public:
    Others();
    /// CPUs, on average; this process and the children it has waited for are not counted.
    double cpus() const;

private:
    double begin_s_ = 0, busy_s_ = 0, own_s_ = 0;
};

/// What a table says first if others took that many CPUs while it was taken: its ratios are of figures that were taken
/// in turns, but they are less sure. Empty on a machine that had little else to do.
std::string busy_line(double others);

/// The commit of a source tree, with "-dirty" behind it where files differ; "unknown" where git does not tell.
std::string commit_of(const std::string& tree);
/// The words behind each other.
std::string command_of(std::string command, const std::vector<std::string>& words);

} // namespace dt::bench
