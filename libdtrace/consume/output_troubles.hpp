// Reports write errors of the output once, while the run continues, and counts the records that were lost.
#pragma once

#include <cstdint>

#include "libdtrace/consume/ledger.hpp"
#include "libdtrace/consume/reports.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::consume {

class OutputTroubles {
public:
    /// All arguments must outlive this object. Losses of `output` before this run are ignored.
    OutputTroubles(const Options& options, Output& output, Reports& reports, Ledger& ledger)
        : options_(options), output_(output), reports_(reports), ledger_(ledger), begin_(output.unwritten()),
          refused_before_(output.refused()), before_(begin_)
    {
    }

    /// Reports new problems; call it after each pass. `now` is CLOCK_MONOTONIC ns.
    void tell(uint64_t now);
    void tell_not_reopened(const Error& why);

    /// Adds the losses so far to the ledger; call it after the last record, before the ledger is reported.
    void settle(uint64_t now);
    /// Reports the total losses after the last output.
    void finish(uint64_t now);

    /// Returns whether all output was written and all entries were accepted.
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
    const Output::Unwritten begin_; ///< state at the start of the run, like `refused_before_`
    const Output::Refused refused_before_;
    uint64_t entered_ = 0;     ///< lost records that the ledger contains
    uint64_t looked_ = 0;      ///< time of the last look()
    bool is_stuck_ = false;    ///< the stream is blocked, and this was reported
    Output::Unwritten before_; ///< unwritten output when the stream was last reported as working
    int reason_ = 0;           ///< errno of the write that was given up at the end
};

} // namespace dt::consume
