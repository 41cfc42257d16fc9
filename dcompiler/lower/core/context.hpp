// Context in which clauses are lowered into the functions of a program. It contains the frame (the part of the stack
// that all functions of a firing share) and values that are already computed for the firing. It also has operations on
// values that do not depend on a clause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

/// Codes of the faults that compiled code reports, DTRACEFLT_* (dtrace-output(7), FAULTS AND DROPS).
enum Fault : uint32_t {
    kFaultBadAddress = 1,
    kFaultIllegalOperation = 3,
    kFaultDivideByZero = 4,
    kFaultNoScratch = 5,
    kFaultBadStack = 9,
    kFaultBadSize = 10,
    kFaultBadIndex = 11,
};

/// Resources that a statement needs. They are measured by lowering it once into a temporary function.
struct Needs {
    bool measured = false;    ///< whether the statement was measured, so that the other members are valid
    uint32_t sample = 0;      ///< size in bytes of struct dt_sample and its data; 0: the statement sends no sample
    uint32_t temporaries = 0; ///< bytes of scratch memory that the statement needs besides its sample
    std::vector<bool> filled; ///< for each byte of the sample's data, whether the clause always stores it
    bool scratch = false;     ///< whether the statement uses the scratch slot
    bool area = false;        ///< whether the statement uses memory of alloca() or copyin(), or pointers to it
    bool predicate_scratch = false;
    bool faults = false;
    /// Indices of the system-call arguments that the statement reads (Location::CallArgument::index).
    std::set<uint32_t> call_arguments;
    /// Subset of call_arguments: the arguments that the statement's predicate reads.
    std::set<uint32_t> predicate_arguments;
    /// Aggregations without keys that the statement updates, by the name of the map with their values: one aggregation
    /// for each map. `always_unkeyed` has only the maps that every firing updates, `unkeyed` has all.
    std::map<std::string, const Aggregation*> unkeyed, always_unkeyed;
    std::size_t instructions = 0;              ///< approximate number of IR instructions
    std::map<const TStmt*, std::size_t> sizes; ///< approximate number of IR instructions, by D statement

    /// Returns the number of bytes to reserve for the statement's sample.
    uint32_t sample_room() const { return sample; }
};

/// Layout of the frame that the functions of a firing share. It is on the program's stack, and subprograms receive a
/// pointer to it. It contains only numbers: in a subprogram that the kernel verifies separately, pointers in the frame
/// would be unusable.
struct FrameLayout {
    /// Offset of a word with 1 + the index of the claimed scratch slot, or 0 if none is claimed. The word is unused if
    /// Context::slot_cell exists.
    static constexpr uint32_t kSlot = 0;
    /// offset in the frame of ERROR's arguments arg0 to arg5: 0, probe, statement, pc, code, value
    static constexpr uint32_t kFault = 8;
    static constexpr uint32_t kThis = 56; ///< offset in the frame of the scalar this-> variables
};

/// The part of a function's stack beyond the frame. One stack slot is for temporaries, which each D statement allocates
/// and frees in order; another slot is for samples.
struct StackPool {
    uint32_t temporaries = ir::kNone;
    uint32_t used = 0; ///< bytes of the stack slot for temporaries that are in use
    uint32_t sample = ir::kNone;
};

/// Words in the frame, after the scalar this-> variables, for probes at the end of an activity
/// (AttachPlan::start_hook). They contain data about the start of the activity.
struct SpanWords {
    static constexpr uint32_t kNoted = 0, kElapsed = 1, kCount = 3;
};

/// State of the BPF function to which code of statements is added.
struct FunctionContext {
    ir::Builder* b = nullptr;
    ir::Value context = ir::kNone; ///< context of the BPF program
    ir::Value frame = ir::kNone;   ///< address of the frame (FrameLayout)
    /// Address of a word on the stack that contains the pointer to the firing's scratch slot, or 0. It exists only in
    /// programs without subprograms that claim slots; otherwise the frame contains the slot's index.
    ir::Value slot_cell = ir::kNone;
    ir::Value ecb = ir::kNone; ///< address of the dt_ecb (data) of the fired probe, if the program has several probes
    /// Value that is 1 in a system call of a 32-bit program, else 0 (AttachPlan::compat_syscalls); kNone if this
    /// function has not computed it yet.
    ir::Value is_compat = ir::kNone;
    /// values of the system-call arguments that this function has read, by index (Location::CallArgument)
    std::map<uint32_t, ir::Value> call_arguments{};
    /// by name of a map with values of aggregations without keys (Needs::unkeyed): address of the map's element
    std::map<std::string, ir::Value> unkeyed{};
    ir::BlockId done = 0; ///< block where the scratch slot is released and the program ends
    /// recorded words about the start of an activity (SpanWords) that this function has loaded; empty if none
    std::vector<ir::Value> span{};
    /// Number of BPF functions on the call path from the program to this function.
    uint32_t calls = 0;
    StackPool stack{};
};

/// State of the function that is being lowered, and data that all functions of a program share.
struct Context : FunctionContext {
    Context(ModuleLowering& into, ir::Builder& builder, const AttachPlan* of, const Probe* probe)
        : module(into), plan(of), shape(probe), in_error(of && !of->kind_info().is_program())
    {
        b = &builder;
    }

    ModuleLowering& module;
    const AttachPlan* plan = nullptr; ///< the program's attach plan; null for faults without an ERROR clause
    /// One probe of the attach plan. Properties that all its probes share are read from this one. Null for faults in
    /// programs without an ERROR clause.
    const Probe* shape = nullptr;
    /// offset in dt_ecb (the data of a probe) of the statement's id, if several statements share the code; else 0
    uint32_t statement_number_at = 0;
    /// whether an executed firing may also count for firings that sampling skipped (sampling.hpp)
    bool is_weighted = false;
    bool begins_pairs = false; ///< whether thread variables also store the weight of this firing
    bool slot_is_free = false; ///< whether no earlier clause has claimed the scratch slot
    /// Index in the module of the function that reports a fault and runs the ERROR clauses. Its parameters are the
    /// context and the frame.
    std::optional<uint32_t> error_function;
    bool in_error = false;
    /// with -x cost: whether this copy of the program's code counts firings; it may time them too
    bool is_timed = true;
    bool tests_timing_switch = false;      ///< whether the code also runs while the timing switch is off
    std::optional<uint32_t> timing_switch; ///< index of the program's timing switch, which turns timing on and off
};

/// Distributes a clause that is too long for one function over several. `add` creates a function, lets `body` emit its
/// code, and emits a call in the function where the clause begins. It returns the result of that call; the result is
/// kDone if the code of `body` ends the firing.
struct Parts {
    /// Results of a function with a part of a clause. kFalse means that the function has tested a condition, and the
    /// condition was false.
    enum Result : int64_t { kContinue, kDone, kClauseEnds, kFalse };
    std::function<ir::Value(const std::function<void(const FunctionContext&)>& body)> add;
    std::size_t budget = 0; ///< approximate limit of the number of IR instructions per function
};

/// Operations on numbers, addresses and bytes that need no clause. They cannot fault and allocate no memory.
class Values {
public:
    explicit Values(Context& context) : context_(context) {}

    ir::Value narrow(ir::Value v, const Type* type);
    ir::Value extend_bits(ir::Value v, uint32_t start, uint32_t width, const Type* type);
    /// Yields the unsigned minimum of `size` and `limit`, as a value for which the verifier can prove the bound.
    ir::Value at_most(ir::Value size, uint32_t limit);
    ir::Value interior(ir::Value base, int64_t offset, uint32_t region); ///< yields a pointer into the object at `base`
    /// Yields the address of a string or other object as a number, so that the verifier does not restrict arithmetic on
    /// it.
    ir::Value address_number(const Operand& from);
    void zero(ir::Value dst, int64_t offset, uint32_t size);
    /// Stores the digest of a key of `size` bytes in the CpuElements::kDigestSize bytes at `digest`.
    void digest_key(ir::Value key, uint32_t size, ir::Value digest)
    {
        b().call_runtime("dt_key_digest", {key, b().constant(size / 8), digest});
    }
    /// Copies bytes between objects that programs can load and store directly.
    void copy(ir::Value src, int64_t src_offset, ir::Value dst, int64_t dst_offset, uint32_t size);
    /// Returns whether the kernel lets programs load from any address. Unreadable memory then loads as 0.
    bool loads_anywhere() const;
    ir::Value load_anywhere(ir::Value address, int64_t offset, uint8_t size);
    uint32_t text_size(const Type* type) const;
    /// Returns whether a string of strsize characters can hold the longest thread name.
    bool fits_thread_name() const;

private:
    ir::Builder& b() const { return *context_.b; }
    Context& context_;
};

} // namespace dt::lower
