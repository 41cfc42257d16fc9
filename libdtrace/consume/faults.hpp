// What a person is told of a fault: the classic line, and beside it the expression that could not be evaluated.
//
// A script whose assumption is wrong faults at each firing. Thousands of equal lines would bury everything else, and
// fill the disk of who writes them to a file: so the same fault of the same place has one line on a terminal, ten
// elsewhere, and then a number each second and at the end. Tests and programs that read each line have errtags.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "bpf-runtime/abi.h"
#include "dcompiler/object/schema.hpp"

namespace dt {
class Output;
}

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
    /// `output` must outlive it; its text is sent before a message.
    explicit Faults(Output& output) : output_(output) {}

    /// Without it, messages are the classic lines. `schema` must outlive this.
    void explain(const Schema& schema, FaultMessages manner);

    /// `message` is the classic line, without the program's name.
    void tell(uint32_t probe, const dt_fault& fault, const std::string& message);
    /// How often each was repeated, where that has changed since the last time; `last`: the run is over.
    void tell_repeated(bool last);

private:
    struct Told {
        std::string message;
        uint64_t lines = 0, repeated = 0, counted = 0; ///< counted: when repetitions were told last
    };

    const Span* place_of(uint32_t probe, const dt_fault& fault) const;

    Output& output_;
    const Schema* schema_ = nullptr;
    FaultMessages manner_;
    std::map<std::tuple<uint32_t, int64_t, uint32_t>, Told> told_; ///< by statement, pc and code
};

} // namespace dt::consume
