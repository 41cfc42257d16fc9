// Messages about run-time errors: a line as in traditional DTrace, followed by the expression that failed.
//
// A script with a wrong assumption faults at each firing. So the same fault at the same location is printed once on a
// terminal and ten times elsewhere. Further repetitions are only counted (messages.hpp). Option errtags turns this off,
// for tests and programs that read every line. Sinks receive the reports that the terminal receives.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "bpf-runtime/abi.h"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

/// Returns the fault's name in messages, for example "divide-by-zero".
std::string_view fault_name(uint32_t code);

/// Returns the fault's text, for example "invalid address (0x10) at BPF pc 173".
std::string fault_text(const dt_fault& fault);

struct FaultMessages {
    /// whether the message about the first fault at each location contains the expression that failed
    bool places = false;
    /// maximum number of messages for the same fault and location; later faults are only counted
    uint64_t lines = UINT64_MAX;
};

class Faults {
public:
    /// Both arguments must outlive this object. `sink` is a reference to a pointer, because the pointer may be changed
    /// to another sink. The pending text of `output` is written before each message.
    Faults(Output& output, output::Sink* const& sink) : output_(output), sink_(sink) {}

    /// Enables source locations and the counting of repeated faults. Without this call, messages have the traditional
    /// form. `schema` must outlive this object. `now` is the start of tracing (CLOCK_MONOTONIC ns).
    void explain(const Schema& schema, FaultMessages manner, uint64_t now);

    /// Reports an error. `error` contains the error message in its traditional form, without the name of the program,
    /// and the probe, which must outlive this object. `fault` is null for errors of the consumer itself.
    void tell(const output::ErrorReport& error, const dt_fault* fault);
    /// Reports how often each error was repeated, at most once per period. `last`: the run has ended, so all remaining
    /// repetitions are reported.
    void report_repeated(uint64_t now, bool last);
    /// Returns true if no error was reported yet, so that there can be no repetitions.
    bool is_quiet() const { return reported_.empty(); }

private:
    struct ReportedError {
        explicit ReportedError(const output::ErrorReport& error) : message(error.text), first(error)
        {
            first.text = message;
        }
        const std::string message;
        output::ErrorReport first;
        MessageLimiter limiter;
    };
    /// Location and kind of an error: statement id, BPF pc and fault code.
    using FaultLocation = std::tuple<uint32_t, int64_t, uint64_t>;

    FaultLocation place_of_error(const output::ErrorReport& error, const dt_fault* fault) const;
    const Span* place_of(uint32_t probe, const dt_fault& fault) const;

    Output& output_;
    output::Sink* const& sink_;
    const Schema* schema_ = nullptr;
    FaultMessages manner_;
    LimiterPeriod period_;
    std::map<FaultLocation, ReportedError> reported_;
};

} // namespace dt::consume
