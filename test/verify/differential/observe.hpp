// Reads the results of a compiled program from its maps and records, in the form in which evaluate.hpp computes them.
// Works for every environment in which the program can run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "test/verify/differential/evaluate.hpp"

namespace dt::differential {

using Bytes = std::vector<uint8_t>;

/// Error message for a run in which something was counted as lost, so that its results are incomplete.
inline constexpr const char* kEventsLost = "events were lost";

/// An environment in which compiled programs run, such as the kernel. Its functions return an error if the program
/// could not run to its end.
class Runner {
public:
    virtual ~Runner() = default;
    virtual const char* name() const = 0;

    /// Loads the object and runs its only program once.
    virtual Result<void> run(const Object& object, std::size_t context_words) = 0;

    /// Returns the samples (records of firings) of the last run, in order.
    virtual const std::vector<Bytes>& samples() const = 0;

    /// Calls `visit` with each key of a map and its values, one per CPU.
    virtual Result<void> entries(
        const std::string& map,
        const std::function<void(const Bytes& key, const std::vector<Bytes>& values)>& visit) = 0;
};

/// Returns an environment for each executor of the virtual machine (engine/vm) that this processor supports. They need
/// no privileges.
std::vector<std::unique_ptr<Runner>> user_runners();
/// Returns the kernel as environment, which uses BPF_PROG_TEST_RUN; null if this process may not load programs.
std::unique_ptr<Runner> kernel_runner();

/// Runs the object in an environment and reads its results. `clauses` is the program's number of clauses.
Result<Outcome> observe(Runner& runner, const Object& object, std::size_t clauses);

/// Returns the first difference between two results as text, or nothing if they are equal.
std::optional<std::string> difference(const Outcome& expected, const Outcome& seen);

} // namespace dt::differential
