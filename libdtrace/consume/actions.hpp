// What each action does when its record is reached: one table from the action's name to its function.
#pragma once

#include <string_view>

#include "libdtrace/consume/decode.hpp"

namespace dt::consume {

struct ActionHandler {
    std::string_view name;
    RecordPlan::Run run;
    std::size_t data;         ///< fewest data that its record has
    std::size_t aggregations; ///< fewest aggregations
    bool ends_speculation = false;
};

/// Null for actions that are over when their record is reached (raise(), copyout(), …).
const ActionHandler* find_handler(std::string_view action);

} // namespace dt::consume
