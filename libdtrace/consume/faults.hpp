// What is told of a run-time error: the classic line, and beside it the expression that could not be evaluated.
//
// A script whose assumption is wrong faults at each firing: the same fault of the same place has one line on a
// terminal, ten elsewhere, and is counted then (repetitions.hpp). Tests and programs that read each line have errtags.
// Sinks are told what a person is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "bpf-runtime/abi.h"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/repetitions.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

/// The fault's name in messages: "divide-by-zero".
std::string_view fault_name(uint32_t code);

/// "invalid address (0x10) at BPF pc 173"
std::string fault_text(const dt_fault& fault);

struct FaultMessages {
    bool places = false;         ///< show the expression with the first fault of each place
    uint64_t lines = UINT64_MAX; ///< of the same fault of a place; further ones are told as a number
};

class Faults {
public:
    /// Both must outlive it; the text of `output` is sent before a message. `sink`: whoever it is by then.
    Faults(Output& output, output::Sink* const& sink) : output_(output), sink_(sink) {}

    /// Without it, messages are the classic lines. `schema` must outlive this. Tracing begins `now` (CLOCK_MONOTONIC
    /// ns).
    void explain(const Schema& schema, FaultMessages manner, uint64_t now);

    /// The text of `error` is the classic line, without the program's name; its probe must outlive this. `fault`: null
    /// where it is the consumer's own.
    void tell(const output::ErrorReport& error, const dt_fault* fault);
    /// How many of each were counted, when the time has come; `last`: the run is over.
    void tell_repeated(uint64_t now, bool last);
    /// There is nothing to repeat.
    bool is_quiet() const { return told_.empty(); }

private:
    struct Told {
        explicit Told(const output::ErrorReport& error) : message(error.text), first(error) { first.text = message; }
        const std::string message;
        output::ErrorReport first;
        Repetition repetition;
    };
    using Place = std::tuple<uint32_t, int64_t, uint64_t>; ///< statement, pc and code

    Place place_of_error(const output::ErrorReport& error, const dt_fault* fault) const;
    const Span* place_of(uint32_t probe, const dt_fault& fault) const;

    Output& output_;
    output::Sink* const& sink_;
    const Schema* schema_ = nullptr;
    FaultMessages manner_;
    RepetitionPeriod period_;
    std::map<Place, Told> told_;
};

} // namespace dt::consume
