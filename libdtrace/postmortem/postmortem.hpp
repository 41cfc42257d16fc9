// What traces had recorded when their kernel ended, out of a dump of it (docs/decisions/57-postmortem.md): of each
// flight recorder (bufpolicy=ring) the records that its buffers still have, and its aggregations, printed as its tracer
// would have printed them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/postmortem/dumped_kernel.hpp"

namespace dt {
class KernelSymbols; // symbols_kernel.hpp
}

namespace dt::postmortem {

/// One trace, and what was found of it.
struct FoundTrace {
    std::string program;                          ///< "script reads.d"
    uint64_t process = 0;                         ///< its tracer
    std::size_t cpus = 0;                         ///< that had a buffer
    uint64_t former = 0;                          ///< records that the tracer had read
    uint64_t waiting = 0;                         ///< and those that it had not
    uint64_t torn = 0;                            ///< that were just being written
    uint64_t undecided = 0;                       ///< of speculations that nobody had committed or discarded
    uint64_t missing_pages = 0;                   ///< of buffers, that are not in the dump
    std::vector<std::string> unread_aggregations; ///< "@name"
};

class Postmortem {
public:
    /// `dump` must outlive this. An error says what of a kernel is missing in it.
    static Result<Postmortem> open(KernelDump& dump);

    Postmortem(Postmortem&&) noexcept;
    ~Postmortem();

    /// Those whose description is in the dump; `damaged` is told of one that cannot be understood.
    std::size_t traces() const;
    const std::vector<std::string>& damaged() const;

    /// Prints one of them.
    Result<FoundTrace> print(std::size_t trace, Options options, Output& output);

private:
    struct Impl;
    explicit Postmortem(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace dt::postmortem
