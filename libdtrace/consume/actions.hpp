// From an action to what is done when its record is reached, as builtins.def says.
#pragma once

#include "libdtrace/consume/decode.hpp"

namespace dt::consume {

/// What a record of the action is in a table: nothing, or a cell, or one for each argument of its format.
enum class Cells : uint8_t { None, Datum, Arguments, Memory, Object, Packet };

struct ActionHandler {
    RecordPlan::Run run = nullptr; ///< null: the action is over when its record is reached (raise(), …)
    std::size_t data = 0;          ///< fewest data that its record has
    std::size_t aggregations = 0;  ///< fewest aggregations
    bool ends_speculation = false;
    Cells cells = Cells::None;
};

const ActionHandler& handler(const Action& action);

/// Is a record shown as its D type has it? Then types are needed as long as something may be printed.
bool shows_types(const Schema& schema);

} // namespace dt::consume
