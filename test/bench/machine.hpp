// Description of the machine, which readers need to interpret the figures.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dt::bench {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// Returns facts about the machine, each with its name: date, kernel, processor, number of CPUs, and versions of the
/// compared tools.
Facts machine_facts(const std::string& dtrace);

/// Returns the average number of runnable tasks over the last minute.
double load();

/// Measures the CPU time of other processes from now on.
class Others {
public:
    Others();
    /// Returns the average number of CPUs that other processes use: without this process and the children that it has
    /// waited for.
    double cpus() const;

private:
    double begin_s_ = 0, busy_s_ = 0, own_s_ = 0;
};

/// Returns a warning for the head of a table if other processes used enough CPUs (`others`) to disturb the measurement;
/// otherwise an empty string. Ratios stay meaningful because the compared programs alternate, but they are less
/// certain.
std::string busy_line(double others);

/// Returns the commit of a source tree, with "-dirty" appended if files differ; "unknown" without git.
std::string commit_of(const std::string& tree);
/// Returns the text of a command line: the command followed by the words.
std::string command_of(std::string command, const std::vector<std::string>& words);

} // namespace dt::bench
