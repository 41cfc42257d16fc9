// Recovery of trace data from a kernel crash dump (docs/decisions/57-postmortem.md). For each flight recorder
// (bufpolicy=ring) it prints the records that are still in the buffers, and the aggregations, as the tracer would have
// printed them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/postmortem/dumped_kernel.hpp"

namespace dt {
class KernelSymbols; // forward declaration; kernel_symbols.hpp defines the class
}

namespace dt::postmortem {

/// A trace in the dump, and how much of its data the dump contains.
struct FoundTrace {
    std::string program;                          ///< name of the D program, for example "script reads.d"
    uint64_t process = 0;                         ///< process id of the trace's tracer
    std::size_t cpus = 0;                         ///< number of CPUs whose buffer is in the dump
    uint64_t former = 0;                          ///< number of samples that the tracer had already read
    uint64_t waiting = 0;                         ///< number of samples that the tracer had not read yet
    uint64_t torn = 0;                            ///< number of records that were only partly written
    uint64_t undecided = 0;                       ///< number of records of speculations that never ended
    uint64_t missing_pages = 0;                   ///< number of buffer pages that are not in the dump
    std::vector<std::string> unread_aggregations; ///< names of incomplete aggregations ("@name")
};

class Postmortem {
public:
    /// Opens a dump, which must outlive this object. The error says which kernel data is missing.
    static Result<Postmortem> open(KernelDump& dump);

    Postmortem(Postmortem&&) noexcept;
    ~Postmortem();

    /// traces() returns the number of traces whose description could be read from the dump. damaged() returns an error
    /// message for each description that could not be read.
    std::size_t traces() const;
    const std::vector<std::string>& damaged() const;

    /// Prints the records and aggregations of the trace with this index.
    Result<FoundTrace> print(std::size_t trace, Options options, Output& output);

private:
    struct Impl;
    explicit Postmortem(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Finds the records that a perf buffer still contains, including those that its reader has already consumed. A consumed
// record stays in the buffer until it is overwritten, so the buffer is a flight recorder at no additional cost. The
// position of the oldest record is not stored and must be determined by a search.

struct LastRecords {
    uint64_t first = 0;   ///< position of the oldest complete record, or the end of the data if no record is complete
    uint64_t former = 0;  ///< number of samples that the reader had consumed
    uint64_t waiting = 0; ///< number of samples that the reader had not consumed
    bool is_torn = false; ///< whether the last record was only partly written
};

struct RingPositions {
    uint64_t head = 0;     ///< position of the end of the written data
    uint64_t tail = 0;     ///< position of the end of the consumed data
    uint64_t reserved = 0; ///< position of the end of the reserved space, where a write may be in progress
};

/// Finds the records. `data` is the ring, whose size is a power of two; `statements` is the number of statements.
///
/// Finds the start of a record by following the lengths of records. A position counts as a start if its length leads to
/// another record, and so on to the end of the data, with increasing times. From a position inside a record, the
/// lengths lead to no record, or after a few steps to the start of a real one. Cost: one step per word.
LastRecords find_last_records(std::span<const uint8_t> data, const RingPositions& at, uint32_t statements);

} // namespace dt::postmortem
