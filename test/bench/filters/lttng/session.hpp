// LTTng's user-space tracer, the real one: a session daemon of our own, and the program that it traces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

/// Everything runs as "nobody" below a new folder (LTTNG_HOME), beside whatever else of LTTng there is on the machine,
/// and ends with this object.
class Lttng {
public:
    /// `newest`: a folder made by test/newest, whose LTTng is used; empty: the machine's.
    explicit Lttng(std::filesystem::path newest = {});
    ~Lttng();
    Lttng(const Lttng&) = delete;
    Lttng& operator=(const Lttng&) = delete;

    /// Why it cannot be used; empty: it can.
    const std::string& problem() const { return problem_; }
    const std::string& version() const { return version_; }

    /// A new session, in memory only or written to trace(), with the shape's tracepoint, filtered or not. Not started.
    bool prepare(const Shape& shape, bool filtered, bool written);
    bool start();
    /// The session is gone, and what it should write is written.
    bool destroy();
    std::filesystem::path trace() const { return home_ / "trace"; }

    /// What the program answers to a line.
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
