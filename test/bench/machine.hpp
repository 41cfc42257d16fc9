// Describes the machine of a measurement, which readers need to interpret the results.
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

/// Measures how much CPU time other processes use while this object exists.
class Others {
public:
    Others();
    /// Returns the average number of CPUs that other processes used. Excludes this process and the child processes that
    /// it has waited for.
    double cpus() const;

private:
    double begin_s_ = 0, busy_s_ = 0, own_s_ = 0;
};

/// Returns a warning to print above a table if other processes used so many CPUs (`others`) that they disturbed the
/// measurement; else an empty string. Ratios remain valid, because the compared programs alternate, but they are less
/// certain.
std::string busy_line(double others);

/// Returns the commit of a source tree, with "-dirty" appended if files differ; "unknown" without git.
std::string commit_of(const std::string& tree);
/// Returns the text of a command line: the command followed by the words.
std::string command_of(std::string command, const std::vector<std::string>& words);

} // namespace dt::bench
