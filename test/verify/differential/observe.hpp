// What a compiled program was seen to do, in the evaluator's terms, wherever it ran.
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

/// The message of an observation that is not complete: something was counted as lost.
inline constexpr const char* kEventsLost = "events were lost";

/// One place where compiled programs run. Errors say why the program could not run to its end.
class Runner {
public:
    virtual ~Runner() = default;
    virtual const char* name() const = 0;

    /// Loads the object and runs its only program once.
    virtual Result<void> run(const Object& object, std::size_t context_words) = 0;

    /// Samples of the last run, in order.
    virtual const std::vector<Bytes>& samples() const = 0;

    /// Calls `visit` with each key of a map and its values, one a CPU.
    virtual Result<void> entries(
        const std::string& map,
        const std::function<void(const Bytes& key, const std::vector<Bytes>& values)>& visit) = 0;
};

/// They run in bpf-runtime/vm, one for each executor that there is on this processor; they need nothing.
std::vector<std::unique_ptr<Runner>> user_runners();
/// Runs by BPF_PROG_TEST_RUN; empty when this process may not.
std::unique_ptr<Runner> kernel_runner();

/// Runs the object and reads back what it did. `clauses` is how many clauses the program has.
Result<Outcome> observe(Runner& runner, const Object& object, std::size_t clauses);

/// The first difference, told to a person; empty when there is none.
std::optional<std::string> difference(const Outcome& expected, const Outcome& seen);

} // namespace dt::differential
