// What the functions of a program know while clauses are lowered into them: where the frame is, and what the firing has
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <optional>
#include <vector>

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// DTRACEFLT_* codes that compiled code raises (dtrace-output(7), FAULTS AND DROPS).
enum Fault : uint32_t {
    kFaultBadAddress = 1,
    kFaultIllegalOperation = 3,
    kFaultDivideByZero = 4,
    kFaultNoScratch = 5,
    kFaultBadStack = 9,
    kFaultBadSize = 10,
    kFaultBadIndex = 11,
};

/// What measuring a statement found out.
struct Needs {
    bool measured = false;    ///< this is known, not yet to be found out
    uint32_t sample = 0;      ///< bytes of struct dt_sample and data; 0: emits none
    uint32_t temporaries = 0; ///< bytes of scratch beyond the sample and its time
    std::vector<bool> filled; ///< bytes of the sample's data that every run of the clause stores
    bool scratch = false;     ///< uses the slot at all
    bool area = false;        ///< uses memory of alloca() or copyin(), or pointers to it
    bool predicate_scratch = false;
    bool faults = false;
    std::set<uint32_t> call_arguments;      ///< of a system call that it reads: Location::CallArgument, by index
    std::set<uint32_t> predicate_arguments; ///< those of them that its predicate reads
    /// Maps of aggregations without keys that it updates: by name, with one of the aggregations there; and those that
    /// it updates whenever its probe fires.
    std::map<std::string, const Aggregation*> unkeyed, always_unkeyed;
    std::size_t instructions = 0;              ///< of IR, roughly
    std::map<const TStmt*, std::size_t> sizes; ///< the same of each D statement

    /// Bytes to keep for the sample and the time that may follow it.
    uint32_t sample_room() const { return sample; }
};

/// What the functions of a firing share: on the stack of its program, reached by its subprograms through a pointer.
/// Numbers only, because the kernel lets no pointer through memory into a function that it verifies apart.
struct FrameLayout {
    static constexpr uint32_t kSlot =
        0; ///< 1 + number of the claimed scratch slot, or 0; unused with Context::slot_cell
    static constexpr uint32_t kFault = 8; ///< arg0..arg5 of ERROR: 0, probe, statement, pc, code, value
    static constexpr uint32_t kThis = 56; ///< this-> scalars
};

/// The stack of a function beyond the frame, reused by one D statement after the other: one slot for temporaries, taken
/// and given back in order, and one for samples.
struct StackPool {
    uint32_t temporaries = ir::kNone;
    uint32_t used = 0; ///< bytes of it
    uint32_t sample = ir::kNone;
};

/// What a program knows of the beginning of what ended (AttachPlan::beginning), in the frame behind the this-> scalars.
struct SpanWords {
    static constexpr uint32_t kNoted = 0, kElapsed = 1, kCount = 3;
};

/// The function statements are lowered into.
struct FunctionContext {
    ir::Builder* b = nullptr;
    ir::Value context = ir::kNone; ///< the BPF context
    ir::Value frame = ir::kNone;   ///< address of the frame
    /// Where the pointer to the scratch slot, or 0, is kept, in a program that nobody else claims a slot for; else the
    /// frame has its number.
    ir::Value slot_cell = ir::kNone;
    ir::Value ecb = ir::kNone;    ///< dt_ecb of the firing probe, when the group has several
    ir::Value narrow = ir::kNone; ///< AttachPlan::narrow: 1 in a call of a 32-bit program, else 0, where this function
                                  ///< has found that out
    std::map<uint32_t, ir::Value> call_arguments{}; ///< Location::CallArgument by index, those known likewise
    std::map<std::string, ir::Value> unkeyed{};     ///< the element of a map that Needs::unkeyed names, likewise
    ir::BlockId done = 0;                           ///< leaves the program: release, return
    std::vector<ir::Value> span{};                  ///< SpanWords as values, where this function has found them out
    uint32_t calls = 0;                             ///< BPF functions between the program and this one
    StackPool stack{};
};

/// That function, and what is the same in all functions of a program.
struct Context : FunctionContext {
    Context(ModuleLowering& into, ir::Builder& builder, const AttachPlan* of, const Probe* probe)
        : module(into), plan(of), shape(probe), in_error(of && of->kind == ProgramKind::FaultCall)
    {
        b = &builder;
    }

    ModuleLowering& module;
    const AttachPlan* plan = nullptr; ///< how it is hooked; null: a fault is reported that no ERROR clause hears of
    const Probe* shape = nullptr;     ///< a probe of the plan; null likewise
    uint32_t statement_number_at = 0; ///< in the ECB, when the statement's code is that of others too; else 0
    bool is_weighted = false;         ///< the firing may stand for others that were passed by: sampling.hpp
    bool begins_pairs = false;        ///< what it stores for its thread bears what the firing stands for
    bool slot_is_free = false;        ///< no clause before this one has claimed the scratch slot
    std::optional<uint32_t> error_function; ///< reports a fault and runs the ERROR clauses; parameters: context, frame
    bool in_error = false;
    bool is_timed = true;         ///< with -x cost: this code is for firings that are counted, and perhaps timed
    bool asks_gate = false;       ///< and for others too: their program's gate is closed
    std::optional<uint32_t> gate; ///< of the program
};

/// How a clause too long for one function is spread over several: `add` makes one, lets `body` fill it and calls it
/// from the function the clause begins in. Returns what the call returns; a part that ends the firing returns kDone.
struct Parts {
    enum Result : int64_t { kOn, kDone, kClauseEnds, kNo }; ///< kNo: the condition tested there is false
    std::function<ir::Value(const std::function<void(const FunctionContext&)>& body)> add;
    std::size_t budget = 0; ///< IR instructions of one, about
};

} // namespace dt::lower
