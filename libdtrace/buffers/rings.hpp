// The principal buffers: one perf buffer per CPU, and one mmap ring per CPU if many samples arrive. The last part of
// the file chooses their sizes.
//
// A wakeup for each event costs the traced program 14 times as much as the event itself (docs/performance.md). So a
// buffer wakes its reader only when it contains much data, and the reader also polls at a bounded interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/buffers/mmap_ring.hpp"
#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/messages.hpp"

namespace dt {
class LoadedMaps;
}
struct perf_buffer;

namespace dt::consume {

/// The buffers of a run. Samples go to the perf buffers, which libbpf opens, until the mmap rings are open. Later the
/// perf buffers only take samples that do not fit into the mmap ring of their CPU.
class Rings {
public:
    Rings();
    ~Rings();

    /// Opens one perf buffer of `bytes` for each online CPU; the number of pages must be a power of two. Closes earlier
    /// buffers and discards their contents.
    Result<void> open(int map, std::size_t bytes);

    /// Opens buffers for CPUs that have come online; buffers of offline CPUs are still read. A CPU that comes online
    /// again gets a new buffer, because the kernel does not restore the old one.
    Result<void> follow_cpus(const std::vector<int>& online);

    /// Starts to open mmap rings for the online CPUs, at most once. Opens none if memory is short, or if bufsize is
    /// smaller than a ring.
    void open_mmap_rings(const LoadedMaps& maps);
    /// Returns whether a sample may become visible some time after its timestamp. This can happen with mmap rings and
    /// with the rings of user-space engines.
    bool has_mmap_rings() const { return !mmap_rings_.rings().empty() || !others_.empty(); }

    /// Adds a ring that a user-space engine writes instead of the kernel. The ring must outlive this object.
    void add_ring(Ring& ring)
    {
        others_.push_back(&ring);
        rings_.push_back(&ring);
    }

    /// Blocks until some buffer contains more data than its watermark, a signal arrives, or `timeout_ms` have passed. A
    /// negative timeout counts as 0.
    void wait(int timeout_ms);

    /// Returns a descriptor for the run loop's own poll(2). It becomes readable when a buffer passes its watermark, and
    /// stays readable until wait(). Returns -1 before open().
    int descriptor() const;

    const RingList& list() const { return rings_; }

    /// Returns the size of all buffers and mmap rings in bytes.
    uint64_t memory() const;

private:
    struct Close {
        void operator()(perf_buffer* buffer) const;
    };
    using Buffer = std::unique_ptr<perf_buffer, Close>;
    Result<void> add(std::vector<int> cpus);

    int epoll_ = -1;
    MmapRings mmap_rings_;
    bool mmap_rings_tried_ = false;
    /// Buffers of the CPUs that were online at open(), then of CPUs that came online later.
    std::vector<Buffer> buffers_;
    std::deque<PerfRing> perf_rings_;
    RingList rings_, others_;
    std::vector<int> cpus_; ///< online CPUs that have a buffer
    int map_ = -1;
    std::size_t bytes_ = 0;
};

/// Returns the CPUs that are online.
std::vector<int> online_cpus();

/// Returns `bytes`, rounded up to a number of pages that is a power of two.
std::size_t round_buffer_size(std::size_t bytes, std::size_t page_size);

} // namespace dt::consume

// Chooses the size of the principal buffers. It is the requested size if memory suffices, but always enough for one
// sample of the largest clause and for the records of END.

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

class PrincipalBuffers {
public:
    /// `schema` and `options` must outlive this object.
    PrincipalBuffers(const Schema& schema, const Options& options) : schema_(schema), options_(options) {}

    /// Opens the buffers to which the object's programs write; does nothing if the programs write no samples.
    /// `retained`: the flight recorder stores the samples, so the buffers need room only for the samples between two
    /// passes. `may_extend`: objects that are loaded later may also write to the buffers. `end_statements` and
    /// `error_statements` are the statements of END and ERROR. Calls `tell` with a note if the size was reduced.
    Result<void> open(const LoadedMaps& maps, bool retained, bool may_extend,
                      const std::vector<uint32_t>& end_statements, const std::vector<uint32_t>& error_statements,
                      const std::function<void(const output::Note&)>& tell);

    /// Enlarges the buffers if they are too small for END's records. The buffers must be empty. Call it before END
    /// runs.
    Result<void> make_room_for_end();

    /// Opens mmap rings, unless they would need too much of the machine's memory.
    void open_mmap_rings(const LoadedMaps& maps);

    Rings& rings() { return rings_; }
    const Rings& rings() const { return rings_; }

private:
    Result<void> open_rings(std::size_t size);
    Result<void> open_what_fits(std::size_t least, std::size_t size,
                                const std::function<void(const output::Note&)>& tell);
    bool runs_only_once() const;
    std::size_t room_for(const std::vector<uint32_t>& statements) const;

    const Schema& schema_;
    const Options& options_;
    Rings rings_;
    int map_ = -1;
    // size_: size of a buffer; end_size_: maximum size of END's records (both in bytes)
    std::size_t size_ = 0, end_size_ = 0;
    std::size_t whole_size_ = 0; // total size in bytes of one sample of every clause
};

} // namespace dt::consume
