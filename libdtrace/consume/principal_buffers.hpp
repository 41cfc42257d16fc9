// Chooses the size of the principal buffers. They have the requested size if memory suffices, and always room for one
// sample of the largest clause and for the records of END.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/rings.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/messages.hpp"

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

class PrincipalBuffers {
public:
    /// Both arguments must outlive this object.
    PrincipalBuffers(const Schema& schema, const Options& options) : schema_(schema), options_(options) {}

    /// Opens the buffers that the object writes to; does nothing if it records nothing. `retained` means that samples
    /// are stored elsewhere, so the buffers only bridge the time between two passes. `end_statements` and
    /// `error_statements` are the statements of END and ERROR. `tell` reports a reduced size.
    Result<void> open(const LoadedMaps& maps, bool retained, const std::vector<uint32_t>& end_statements,
                      const std::vector<uint32_t>& error_statements,
                      const std::function<void(const output::Note&)>& tell);

    /// Enlarges the empty buffers if END's records need it. Call it before END runs.
    Result<void> make_room_for_end();

    /// Opens mmap rings, unless they would need too much of the machine's memory.
    void open_lanes(const LoadedMaps& maps);

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
    std::size_t size_ = 0, end_size_ = 0; // bytes of a buffer; bytes that END may need
    std::size_t whole_size_ = 0;          // bytes that one run of every clause may need
};

} // namespace dt::consume
