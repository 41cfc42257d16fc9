// How large the principal buffers are: what was asked for, as far as the machine has the memory, and never less than
// one sample of the largest clause, nor than what END may record.
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
    /// Both must outlive this.
    PrincipalBuffers(const Schema& schema, const Options& options) : schema_(schema), options_(options) {}

    /// Opens what the object writes to; nothing where nothing is recorded. `retained`: samples are kept elsewhere, and
    /// the buffers only bridge the time between two passes. `end_statements`, `error_statements`: of END and ERROR.
    /// `tell`: of a size that was lowered.
    Result<void> open(const LoadedMaps& maps, bool retained, const std::vector<uint32_t>& end_statements,
                      const std::vector<uint32_t>& error_statements,
                      const std::function<void(const output::Note&)>& tell);

    /// When they are empty, before END runs: makes them larger when what END may record needs that.
    Result<void> make_room_for_end();

    /// Opens fast lanes, unless they would be larger than this machine has memory for.
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
    std::size_t size_ = 0, end_size_ = 0; // bytes of a buffer, and those that END may need
    std::size_t whole_size_ = 0;          // what one run of every clause may need
};

} // namespace dt::consume
