// Entry point of lowering, which converts a typed program to IR and to its schema. Also the layout of the program's
// data: variables, keys, aggregations and scratch memory. The layout is computed before the first clause is lowered,
// because all clauses share the data.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/name_numbers.hpp"
#include "base/phase_times.hpp"
#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/options.hpp"
#include "dcompiler/interface/types.hpp"
#include "dcompiler/interface/world.hpp"
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/ir/ir.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt::lower {

// Lowers a typed program to IR and its schema. Each hook has one BPF program, and each clause is a part of that program
// or a subprogram. This code does not depend on machine registers, ELF sections or providers.

using ir::BlockId;
using ir::Instr;
using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

struct Lowered {
    ir::Module module;
    Schema schema;
};

/// Use of the BPF stack for intermediate results. `Compact` uses less stack and more instructions. It is meant for
/// programs that would otherwise exceed the stack.
enum class StackUse : uint8_t { Normal, Compact };

/// Lowers every statement that matched a probe. Errors go to `diagnostics`, and the result must then not be used.
/// Examples are a built-in that is not implemented, and too many actions under conditions. The time is linear in the
/// size of the program.
Lowered lower(const Program& program, World& world, const CompileOptions& options, Diagnostics& diagnostics,
              StackUse stack = StackUse::Normal, const ObjectParts& parts = {}, PhaseTimes* steps = nullptr);

using namespace ir::bpf; // for the names of BPF helpers, map types and flags

/// Input and output of lowering.
struct ModuleState {
    const Program& program;
    World& world;
    const CompileOptions& options;
    Diagnostics& diagnostics;
    const StackUse stack_use;
    const ObjectParts& parts;
    Lowered out{};
    /// whether programs test dt_state.timing_switches, and not dt_state.activity, to find out whether tracing is on
    bool has_timing_switches = false;
    bool replaces_returns = false; ///< whether some programs run at the return of a function of a process
    struct {
        bool is_used = false, kernel_stack = false, user_stack = false;
    } waker{};                   ///< whether clauses use data about the thread that ended a wait
    bool uses_blockedon = false; ///< whether clauses also use `blockedon`, the reason why a thread waits
};

/// Returns whether the kernel lets a program of the plan interrupt itself on one CPU.
bool interrupts_itself(const ModuleState& module, const AttachPlan& plan);

/// Size limit of a per-CPU value (PCPU_MIN_UNIT_SIZE in the kernel).
inline constexpr uint32_t kMaxPercpuValue = 32 << 10;

/// The thread variables (self->) as an array of -x sharedvars: both the option and the array have this name.
inline constexpr char kSharedSelf[] = "self";

/// Location of a self-> variable in the thread's value in task storage.
struct SelfSlot {
    uint32_t offset = 0; ///< offset of the variable's value; a string has a presence word 8 bytes before it
    uint32_t size = 0;
};

/// Location of a this-> variable: in the stack frame of the firing or, if large, in its scratch slot.
struct ThisSlot {
    bool scratch = false;
    uint32_t offset = 0;
    uint32_t size = 0;
};

/// Memory of alloca() and copyin() in the scratch slot. Four words at `head` describe its state; they are zero when the
/// slot is claimed. The allocated bytes begin at `start`.
struct ScratchArea {
    uint32_t head = 0, start = 0;
    uint32_t most = 0; ///< bytes that all clauses of a firing together can allocate; 0: none allocates
};

class Layout {
public:
    explicit Layout(ModuleState& module);

    uint32_t string_size() const
    {
        return static_cast<uint32_t>(module_.options.strsize + 1 + 7) & ~7u;
    } ///< maximum size of a string in bytes
    /// Returns the number of bytes that a value of this type occupies in a variable, key or record. For a string, this
    /// is its buffer, whatever its length.
    uint32_t storage_size(const Type* type) const;
    /// Marks the datum as a string that option strsize limits, so the consumer knows that it may be truncated.
    void limit(Datum& datum) const
    {
        if (datum.kind == Datum::Kind::Text && datum.size == string_size())
            datum.limit = static_cast<uint32_t>(module_.options.strsize);
    }
    /// Returns the number (name id) that stands for a component of a probe's name in the table of names.
    uint32_t name_id(const std::string& name);
    /// Returns the datum for a text that only the consumer knows; the record contains a number for it. The datum's
    /// offset is still 0.
    Datum recorded_datum(const RecordedText& text);
    /// Returns the numbers (name ids) that stand for the four components of a probe's name in the table of names.
    std::array<uint32_t, 4> name_ids(const Probe& probe);

    // ---- variables and strings

    /// Returns whether the program may assign NULL to this global string variable.
    bool nullable(const Variable& variable) const { return nullable_globals_.count(&variable) != 0; }
    /// Returns whether the expression's value may be NULL for D. For stringof() the result is false, although its
    /// address may be 0.
    bool may_be_null(const TExpr& e) const;
    const SelfSlot& self_slot(const Variable& variable) const { return self_slots_.at(&variable); }
    const ThisSlot& this_slot(const Variable& variable) const { return this_slots_.at(&variable); }
    uint32_t self_size() const { return self_size_; }
    /// -x maxcost: words with the weights of a thread's variables. Each family, a set of variables that one
    /// entry/return pair of probes uses, has a word (sampling.hpp). The number of words is a power of two.
    uint32_t self_mark() const { return self_mark_; }
    uint32_t self_marks() const { return self_marks_; }
    /// Returns whether a hash map, and not task storage, contains the self-> variables. That is so on kernels without
    /// task storage, and if dynvarsize or dynvarpolicy=lru is set, because the size of task storage cannot be limited.
    bool self_is_hash() const
    {
        return !self_is_shared() &&
               (module_.options.dynvarsize_set || replaces_elements() || !module_.world.features().task_storage);
    }
    /// Returns whether a dynamic variable that finds no room replaces the least recently used one.
    bool replaces_elements() const { return module_.options.dynvarpolicy == "lru"; }
    /// -x sharedvars: elements of arrays that traced programs use too. They are in the memory of the globals, which
    /// these programs map (shared_arrays.cpp).
    bool is_shared(const Variable& variable) const { return shared_variables_.count(&variable) != 0; }
    bool self_is_shared() const { return self_is_shared_; }
    /// Layout of a shared array: size in bytes of an element with its tag, and number of elements, which is a power of
    /// two plus one.
    static uint32_t shared_stride(uint32_t value) { return value + 8; }
    uint32_t shared_places(uint32_t value) const;
    /// Returns the offsets of words that show whether a thread has self-> variables: while it has any, at least one of
    /// the words is not 0.
    const std::vector<uint32_t>& self_words() const { return self_words_; }
    uint32_t this_stack_size() const { return this_stack_; }
    /// Returns where a firing stores the number of frames that stack() in ERROR must omit: the offset of a word among
    /// the this-> variables. The word is reserved when an ERROR clause with a stack is measured, and ERROR clauses are
    /// measured first.
    uint32_t error_frames() { return this_words(error_frames_, 1); }
    bool has_error_frames() const { return error_frames_.has_value(); }
    /// For probes at the end of an activity: reserves words among the this-> variables for data about its start
    /// (SpanWords), and returns their offset.
    uint32_t span_words();
    bool has_span_words() const { return span_words_.has_value(); }
    /// Returns where option hits stores the outcome of a firing: the offset of a word among the this-> variables
    /// (hit_counts.hpp).
    uint32_t outcome_word() const { return *outcome_word_; }
    uint32_t cost_words() const { return *cost_words_; }   ///< offset of the firing's dt_timed_hit
    uint32_t weight_word() const { return *weight_word_; } ///< offset of the firing's weight (sampling.hpp)
    /// Returns whether arrays or aggregations with keys of equal size share a map, because the program has more of them
    /// than maps are available. Each key then begins with a word with the index of the variable or the id of the
    /// aggregation.
    bool shares_maps() const { return shared_; }
    /// Returns the number of bytes in a key before the array's tuple: the index of the variable, and the thread of a
    /// self-> array.
    uint32_t tuple_prefix(const Variable& variable) const
    {
        return (variable.scope == Scope::Self ? 8u : 0u) + (shared_ ? 8u : 0u);
    }
    /// Returns the size in bytes of an array's key: its tuple and the bytes before it.
    uint32_t tuple_size(const Variable& variable) const;
    /// Returns whether a key of `size` bytes is too long for the kernel's hash maps, so that its digest replaces it.
    bool needs_digest(uint32_t size) const { return size > kMaxShortKey && !module_.world.features().long_keys; }
    static std::string shape_name(uint32_t key, uint32_t value);

    // Layout of the scratch slot. First its lock, then this-> variables and similar data, which are zeroed when the
    // slot is claimed. Then the string that strtok() splits, the memory of alloca(), and the data of the current
    // clause.
    uint32_t zeroed_scratch_size() const { return this_scratch_; }
    uint32_t fixed_scratch_size() const { return fixed_scratch_; }
    uint32_t tokens_offset() const { return tokens_; }
    /// Gap behind an allocation of alloca() that fills its last word. It holds a terminating NUL, and D programs must
    /// not use it.
    static constexpr uint32_t kAreaGap = 8;
    uint32_t area_size() const
    {
        return static_cast<uint32_t>(module_.options.scratchsize + 7) & ~7u;
    } ///< maximum number of bytes that a clause may allocate
    const ScratchArea& area(bool in_error) const { return in_error ? error_area_ : area_; }
    /// Returns whether a scratch pointer may also point to a string, or to a D array whose address is taken.
    bool has_aliases() const { return aliases_; }
    const std::vector<const Variable*>& aliased_arrays() const { return aliased_arrays_; }
    /// Size in bytes of one scratch slot. It grows while statements are measured, and is fixed when code is emitted.
    uint32_t scratch_size = 0;

    // ---- aggregations ----
    const AggregationSchema& agg_schema(const Aggregation& aggregation) const
    {
        return module_.out.schema.aggregations[aggregation.id];
    }
    /// Returns whether two updates of this aggregation may overlap on one CPU, because a program that updates it may
    /// interrupt another such program.
    bool needs_atomic(const Aggregation& aggregation) const { return shared_aggregations.count(&aggregation) != 0; }
    std::set<const Aggregation*> shared_aggregations;
    /// Returns whether sums of this aggregation may exceed 64 bits.
    bool may_wrap(const Aggregation& aggregation) const { return large_sums_.count(&aggregation) != 0; }
    bool has_exit() const { return has_exit_; } ///< returns whether a clause calls exit()

private:
    uint32_t id_of(const std::string& name);
    uint32_t this_words(std::optional<uint32_t>& place, uint32_t count);
    void find_nullable_globals();
    void find_shared();
    void check_shared(const Variable& variable);
    void find_deepest_stack();
    void find_key_forms();
    Datum key_datum(const Aggregation& aggregation, std::size_t index);
    void check_digested_key(const std::string& name, Span at, uint32_t size);
    void lay_out_variables();
    void note_alias(const TExpr& e);
    void lay_out_scratch();
    void measure_areas();
    uint32_t area_taken(const Statement& statement) const;
    void share_maps();
    void lay_out_aggregations();
    void lay_out_keys(const Aggregation& aggregation, AggregationSchema& schema);

    /// Form of a key of an aggregation. All uses of the key in the program determine it together.
    struct KeyForm {
        bool name = true; ///< whether all uses of the key are components of the probe's name
        /// the action whose result is the key, such as stack() or sym(); null for other keys
        const TExpr* address = nullptr;
        uint32_t frames = 0; ///< number of frames of the deepest stack()
        uint32_t limit = 0;  ///< largest number of frames that an option gives to a use of the key
        /// Whether uses of the key have different address actions, such as sym() and mod(). Each key then also stores
        /// its action.
        bool several = false;
        /// Whether the key is a stack as a D value (dt_stack_t). It is one if a use has a variable of that type, or if
        /// both stack() and ustack() occur.
        bool value = false;
    };
    ModuleState& module_;
    std::map<const Aggregation*, std::vector<KeyForm>> key_forms_;
    std::set<const Aggregation*> large_sums_;
    NameNumbers names_; ///< for each name in Schema::names, its id; there may be tens of thousands
    /// The names (components of probe names) looked up last, with their ids: the next probe usually has most of them
    /// too.
    std::array<std::pair<std::string, uint32_t>, 4> last_names_;
    std::set<const Variable*> nullable_globals_;
    std::set<const Variable*> shared_variables_; ///< variables that option sharedvars selects
    bool self_is_shared_ = false;
    std::vector<const Variable*> aliased_arrays_; ///< D arrays of fixed size (not associative) whose address is taken
    bool aliases_ = false, shared_ = false, grows_ = false, short_keys_ = false, has_exit_ = false;
    std::map<const Variable*, SelfSlot> self_slots_;
    std::vector<uint32_t> self_words_;
    std::map<const Variable*, ThisSlot> this_slots_;
    std::optional<uint32_t> error_frames_, span_words_, outcome_word_, cost_words_, weight_word_;
    uint32_t stack_size_ = 0; ///< size of a stack value
    uint32_t self_mark_ = 0, self_marks_ = 0;
    uint32_t self_size_ = 0, this_stack_ = 0, this_scratch_ = 8, fixed_scratch_ = 8, tokens_ = 0;
    ScratchArea area_, error_area_;
};

/// Returns the number of frames of stack() or ustack(): the constant argument, or the default that an option sets, but
/// at most maxframes.
uint32_t frames_of(const CompileOptions& options, const Action& action, const std::vector<TExpr*>& args);

/// Returns the number of frames of stack() or ustack() if an option determines it, or 0 if the argument does.
uint32_t frame_limit_of(const CompileOptions& options, const Action& action, const std::vector<TExpr*>& args);

/// Returns the datum that describes the result of an action on an address: stack, ustack, sym, mod, usym, umod, uaddr
/// and their synonyms. The datum's offset is still 0.
Datum address_datum(const Action& action, uint32_t frames);

/// Returns the datum of a record's field that contains a value of this type.
Datum datum_of(const Type* type, uint32_t offset, uint32_t size);

/// Rounds `value` up to a multiple of `to`, which must be a power of two.
constexpr uint32_t align_up(uint32_t value, uint32_t to)
{
    return (value + to - 1) & ~(to - 1);
}

/// Returns whether values of the type are signed. An enum is an int, as in C. A smaller enum (`enum class State :
/// uint8_t` in C++, or a packed one) has the signedness of its declared type.
inline bool is_signed(const Type* type)
{
    const Type* const real = type->resolve();
    const bool is_int = real->kind == TypeKind::Enum && real->size >= 4;
    return is_int || ((real->kind == TypeKind::Enum || real->kind == TypeKind::Integer) && real->is_signed);
}

} // namespace dt::lower
