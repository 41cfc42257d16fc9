// Table that maps each action to its handler in the consumer. builtins.def lists the actions.
#pragma once

#include <string>

#include "base/result.hpp"
#include "libdtrace/records/decode.hpp"

namespace dt::consume {

/// Kind of cells that a record of the action adds to a table row: none, one cell of the given kind, or (Arguments) one
/// cell for each argument of the action's format.
enum class Cells : uint8_t { None, Datum, Arguments, Memory, Object, Packet };

struct ActionHandler {
    /// Handles a record of the action. Null if the BPF program has already completed the action (raise(), …).
    RecordPlan::Run run = nullptr;
    std::size_t data = 0;         ///< minimum number of data in a record of the action
    std::size_t aggregations = 0; ///< minimum number of aggregations in a record of the action
    bool ends_speculation = false;
    Cells cells = Cells::None;
};

const ActionHandler& handler(const Action& action);

/// Returns whether the schema contains print() records. They are printed with their D types, so the types must stay in
/// memory.
bool shows_types(const Schema& schema);

} // namespace dt::consume

// Runs the commands of the system() action.

namespace dt {

/// Runs a command with sh(1), waits for its end, and returns its status as wait(2) does. Unlike system(3) it does not
/// change the process's signal handling, so an interrupt is delivered while a command runs. `output` is the descriptor
/// for the command's standard output.
Result<int> run_system_command(const std::string& command, int output);

} // namespace dt
