// One run of this program by itself, whose lines are handed on as they come, and which ends when it has said or taken
// enough.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dt::cmd {

struct CallLimits {
    std::chrono::milliseconds time{};
    uint64_t rows = 0;  ///< lines of standard output
    uint64_t bytes = 0; ///< of them
};

struct CallEnd {
    int status = 0;       ///< as a shell has it
    const char* cut = ""; ///< which limit ended it: "time", "rows", "bytes"; empty: none
    std::string failed;   ///< why it was not started
};

/// Calls /proc/self/exe with these words. At the end of its time it is asked to end (SIGTERM), and what it prints then
/// is handed on as well; at another limit nothing more is. `output`, `error`: a line each, without its end.
CallEnd call_self(const std::vector<std::string>& words, const CallLimits& limits,
                  const std::function<void(std::string_view line)>& output,
                  const std::function<void(std::string_view line)>& error);

} // namespace dt::cmd
