// What goes wrong with where output goes, in a run that goes on all the same: it is told once, and what did not get
// there is counted.
#pragma once

#include <cstdint>

#include "libdtrace/consume/ledger.hpp"
#include "libdtrace/consume/reports.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::consume {

class OutputTroubles {
public:
    /// All must outlive this. What `output` has lost before is no business of this run.
    OutputTroubles(const Options& options, Output& output, Reports& reports, Ledger& ledger)
        : options_(options), output_(output), reports_(reports), ledger_(ledger), begin_(output.unwritten()),
          refused_before_(output.refused()), before_(begin_)
    {
    }

    /// After each pass: what is new. `now`: CLOCK_MONOTONIC ns.
    void tell(uint64_t now);
    void tell_not_reopened(const Error& why);

    /// Nothing is recorded any more, and the ledger not told yet: it gets what is lost until now.
    void settle(uint64_t now);
    /// Nothing follows: what was lost in all.
    void finish(uint64_t now);

    /// Was all written, and all entries taken?
    bool is_whole() const { return lost() == 0 && output_.unwritten().bytes == begin_.bytes; }

private:
    uint64_t refused() const { return output_.refused().entries - refused_before_.entries; }
    uint64_t lost() const { return output_.unwritten().records - begin_.records + refused(); }
    void enter(uint64_t now);
    void look(uint64_t now);
    void tell_that_it_goes_on();
    void tell_unwritten(int reason) const;
    void tell_refused() const;

    const Options& options_;
    Output& output_;
    Reports& reports_;
    Ledger& ledger_;
    const Output::Unwritten begin_; ///< as of the beginning, as is the next
    const Output::Refused refused_before_;
    uint64_t entered_ = 0;     ///< records that the ledger has
    uint64_t looked_ = 0;      ///< when it was looked at last
    bool is_stuck_ = false;    ///< and that was told
    Output::Unwritten before_; ///< that
    int reason_ = 0;           ///< an errno: why something was given up at the end
};

} // namespace dt::consume
