// Runs this program in a child process, passes its lines on as they arrive, and ends it at a limit.
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
    uint64_t rows = 0;  ///< maximum lines of standard output
    uint64_t bytes = 0; ///< maximum bytes of these lines
};

struct CallEnd {
    int status = 0;       ///< exit status in the shell's convention
    const char* cut = ""; ///< limit that ended it: "time", "rows" or "bytes"; empty: none
    std::string failed;   ///< reason for a failed start
};

/// Runs /proc/self/exe with these arguments. At the time limit it receives SIGTERM, and its further output is still
/// passed on; at other limits nothing more is. `output` and `error` receive one line each, without newline.
CallEnd call_self(const std::vector<std::string>& words, const CallLimits& limits,
                  const std::function<void(std::string_view line)>& output,
                  const std::function<void(std::string_view line)>& error);

} // namespace dt::cmd
