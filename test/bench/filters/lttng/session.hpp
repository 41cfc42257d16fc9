// Session of LTTng's user-space tracer: a separate session daemon, and the program that it traces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

/// Runs the daemon and the program as user "nobody" with a new folder as LTTNG_HOME, separate from other LTTng sessions
/// on the machine. The destructor ends both.
class Lttng {
public:
    /// `newest` is a folder with a newer LTTng that test/newest fetched; empty: the installed LTTng.
    explicit Lttng(std::filesystem::path newest = {});
    ~Lttng();
    Lttng(const Lttng&) = delete;
    Lttng& operator=(const Lttng&) = delete;

    /// Returns the reason why LTTng is not usable, or an empty string.
    const std::string& problem() const { return problem_; }
    const std::string& version() const { return version_; }

    /// Creates a tracing session with the tracepoint for `shape` (a filter and its events) but does not start it. Adds
    /// the filter if `filtered` is true. If `written` is true, LTTng writes the trace to the folder trace(), else it
    /// keeps the trace in memory.
    bool prepare(const Shape& shape, bool filtered, bool written);
    bool start();
    /// Ends the tracing session; LTTng writes its remaining output first.
    bool destroy();
    std::filesystem::path trace() const { return home_ / "trace"; }

    /// Sends a line to the traced program and returns its answer.
    std::string ask(const std::string& line);

private:
    bool command(std::vector<std::string> words);
    pid_t begin(const std::vector<std::string>& words, int in, int out) const;
    bool begin_all();
    std::string own(const char* program) const;
    std::string with_newest(const std::string& program) const;

    std::filesystem::path newest_;
    std::string problem_, version_;
    std::filesystem::path home_;
    pid_t daemon_ = -1, program_ = -1;
    int to_program_ = -1, from_program_ = -1;
};

} // namespace dt::bench::filters
