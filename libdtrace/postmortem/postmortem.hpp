// Recovery of trace data from a kernel crash dump (docs/decisions/57-postmortem.md). For each flight recorder
// (bufpolicy=ring) it prints the records that are still in the buffers, and the aggregations, as the tracer would have
// printed them.
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

/// One trace and the amount of data found.
struct FoundTrace {
    std::string program;                          ///< name of the program, for example "script reads.d"
    uint64_t process = 0;                         ///< pid of its tracer
    std::size_t cpus = 0;                         ///< CPUs with a buffer
    uint64_t former = 0;                          ///< records that the tracer had read
    uint64_t waiting = 0;                         ///< records that the tracer had not read
    uint64_t torn = 0;                            ///< records that were being written
    uint64_t undecided = 0;                       ///< records of speculations that were neither committed nor discarded
    uint64_t missing_pages = 0;                   ///< pages of buffers that are not in the dump
    std::vector<std::string> unread_aggregations; ///< names of incomplete aggregations ("@name")
};

class Postmortem {
public:
    /// Opens a dump, which must outlive this object. The error says which kernel data is missing.
    static Result<Postmortem> open(KernelDump& dump);

    Postmortem(Postmortem&&) noexcept;
    ~Postmortem();

    /// traces() returns the number of traces whose description is in the dump; damaged() returns errors of descriptions
    /// that could not be read.
    std::size_t traces() const;
    const std::vector<std::string>& damaged() const;

    /// Prints the trace with this index.
    Result<FoundTrace> print(std::size_t trace, Options options, Output& output);

private:
    struct Impl;
    explicit Postmortem(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace dt::postmortem
