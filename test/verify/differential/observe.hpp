// Reads the results of a compiled program in the form that the evaluator uses, for every environment in which the
// program can run.
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

/// Message of an incomplete observation, in which something was counted as lost.
inline constexpr const char* kEventsLost = "events were lost";

/// An environment in which compiled programs run, such as the kernel. Errors contain the reason why a program could not
/// run to its end.
class Runner {
public:
    virtual ~Runner() = default;
    virtual const char* name() const = 0;

    /// Loads the object and runs its only program once.
    virtual Result<void> run(const Object& object, std::size_t context_words) = 0;

    /// Samples of the last run, in order.
    virtual const std::vector<Bytes>& samples() const = 0;

    /// Calls `visit` with each key of a map and its values, one per CPU.
    virtual Result<void> entries(
        const std::string& map,
        const std::function<void(const Bytes& key, const std::vector<Bytes>& values)>& visit) = 0;
};

/// Returns runners in engine/vm, one per executor available on this processor. They need no privileges.
std::vector<std::unique_ptr<Runner>> user_runners();
/// Returns a runner that uses BPF_PROG_TEST_RUN, or null if this process may not load programs.
std::unique_ptr<Runner> kernel_runner();

/// Runs the object and reads its results. `clauses` is the program's number of clauses.
Result<Outcome> observe(Runner& runner, const Object& object, std::size_t clauses);

/// Returns the first difference as text for humans, or nothing.
std::optional<std::string> difference(const Outcome& expected, const Outcome& seen);

} // namespace dt::differential
