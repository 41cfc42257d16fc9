// Where everything of a program lies: variables, keys, aggregations and scratch memory, laid out before the first
// clause is lowered, because all clauses share them.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/name_numbers.hpp"
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/lower.hpp"

namespace dt::lower {

using namespace ir::bpf; // helpers, map types and flags by their names

/// What is lowered, and what becomes of it.
struct ModuleState {
    const Program& program;
    World& world;
    const CompileOptions& options;
    Diagnostics& diagnostics;
    const StackUse stack_use;
    const ObjectParts& parts;
    Lowered out{};
    bool has_gates = false; ///< programs look at dt_state.gates and not at the activity
    bool takes_over_returns =
        false; ///< some programs are called by the kernel where a function of a process returns to
    struct {
        bool is_asked = false, kernel_stack = false, user_stack = false;
    } waker{};                 ///< what clauses want to know of who ended a wait
    bool asks_blocked = false; ///< and whether of what it was for
};

/// A per-CPU value may not be larger than this (PCPU_MIN_UNIT_SIZE in the kernel).
inline constexpr uint32_t kMostPercpuValue = 32 << 10;

/// What -x share calls the thread's variables, and their array.
inline constexpr char kSharedSelf[] = "self";

/// Where a self-> variable lives in the value of the task storage map.
struct SelfSlot {
    uint32_t offset = 0; ///< of the datum; strings have a presence word 8 bytes before
    uint32_t size = 0;
};

/// Where a this-> variable lives: in the firing's frame on the stack, or, when large, in the scratch slot.
struct ThisSlot {
    bool scratch = false;
    uint32_t offset = 0;
    uint32_t size = 0;
};

/// What alloca() and copyin() give out, in the scratch slot: three words of its state, zero when the slot is claimed,
/// and the bytes.
struct ScratchArea {
    uint32_t head = 0, start = 0;
    uint32_t most = 0; ///< bytes that the clauses of a firing can take together; 0: none takes any
};

class Layout {
public:
    explicit Layout(ModuleState& module);

    uint32_t string_size() const
    {
        return static_cast<uint32_t>(module_.options.strsize + 1 + 7) & ~7u;
    } ///< room of one string
    /// Bytes a value of this type takes in a variable, key or record: strings their buffer, the rest their size.
    uint32_t storage_size(const Type* type) const;
    /// Notes of a string that strsize may cut it.
    void limit(Datum& datum) const
    {
        if (datum.kind == Datum::Kind::Text && datum.size == string_size())
            datum.limit = static_cast<uint32_t>(module_.options.strsize);
    }
    /// String id of a probe name component.
    uint32_t name_id(const std::string& name);
    /// Those of its four components.
    std::array<uint32_t, 4> name_ids(const Probe& probe);

    // variables
    /// A global string to which the program assigns what may be NULL.
    bool nullable(const Variable& variable) const { return nullable_globals_.count(&variable) != 0; }
    /// May this text be NULL where the language lets it be (not: an address that stringof reads)?
    bool may_be_null(const TExpr& e) const;
    const SelfSlot& self_slot(const Variable& variable) const { return self_slots_.at(&variable); }
    const ThisSlot& this_slot(const Variable& variable) const { return this_slots_.at(&variable); }
    uint32_t self_size() const { return self_size_; }
    /// -x maxcost: words that say what the thread's variables stand for, of each family of them one
    /// (sampled_pairs.hpp). As many as a power of two.
    uint32_t self_mark() const { return self_mark_; }
    uint32_t self_marks() const { return self_marks_; }
    /// Task storage has no limit: where dynvarsize is set, a thread's variables are an element of a hash, which has.
    bool self_is_hash() const { return !self_is_shared() && (module_.options.dynvarsize_set || replaces_elements()); }
    /// A dynamic variable without room takes the place of one that was not used for long.
    bool replaces_elements() const { return module_.options.dynvars == "lru"; }
    /// -x share: elements in the memory of the globals, which programs have as well (functions_shared.cpp).
    bool is_shared(const Variable& variable) const { return shared_variables_.count(&variable) != 0; }
    bool self_is_shared() const { return self_is_shared_; }
    /// Bytes of such an element with its tag, and how many an array has: a power of two, and one more.
    static uint32_t shared_stride(uint32_t value) { return value + 8; }
    uint32_t shared_places(uint32_t value) const;
    /// Offsets of the words of which one is not 0 while any of a thread's variables is there.
    const std::vector<uint32_t>& self_words() const { return self_words_; }
    uint32_t this_stack_size() const { return this_stack_; }
    /// Among the this-> variables: the frames that ERROR's stacks leave out. Made when such a stack is measured, before
    /// other clauses are.
    uint32_t error_frames() { return this_words(error_frames_, 1); }
    bool has_error_frames() const { return error_frames_.has_value(); }
    /// Likewise SpanWords.
    uint32_t span_words();
    bool has_span_words() const { return span_words_.has_value(); }
    /// Among the this-> variables, with -x firings: how the firing goes (firings.hpp).
    uint32_t outcome_word() const { return *outcome_word_; }
    uint32_t cost_words() const { return *cost_words_; }   ///< dt_costing
    uint32_t weight_word() const { return *weight_word_; } ///< sampling.hpp
    /// In a program with more of them than one may use maps, arrays of one shape share a map, and so do aggregations: a
    /// word with the variable's or aggregation's number comes first in the key.
    bool shares_maps() const { return shared_; }
    /// Bytes of the key in front of the tuple: that word, and the thread of a self-> array.
    uint32_t tuple_prefix(const Variable& variable) const
    {
        return (variable.scope == Scope::Self ? 8u : 0u) + (shared_ ? 8u : 0u);
    }
    static std::string shape_name(uint32_t key, uint32_t value);

    // The slot: its lock, this-> variables and the like (zeroed when it is claimed), strtok()'s text, alloca()'s areas,
    // then what a clause needs.
    uint32_t zeroed_scratch_size() const { return this_scratch_; }
    uint32_t fixed_scratch_size() const { return fixed_scratch_; }
    uint32_t tokens_offset() const { return tokens_; }
    /// Bytes in front of each piece of an area. They hold the NUL behind the piece before, and no program may use them.
    static constexpr uint32_t kAreaGap = 8;
    uint32_t area_size() const
    {
        return static_cast<uint32_t>(module_.options.scratchsize + 7) & ~7u;
    } ///< what a clause may take
    const ScratchArea& area(bool in_error) const { return in_error ? error_area_ : area_; }
    /// Does a scratch pointer perhaps point to something else: one of these arrays, or a string?
    bool has_aliases() const { return aliases_; }
    const std::vector<const Variable*>& aliased_arrays() const { return aliased_arrays_; }
    /// Bytes of one scratch slot; grows while statements are measured, then fixed.
    uint32_t scratch_size = 0;

    // aggregations
    const AggregationSchema& agg_schema(const Aggregation& aggregation) const
    {
        return module_.out.schema.aggregations[aggregation.id];
    }
    /// Whether updates of this aggregation may interrupt each other on one CPU (it is updated by more than one
    /// program).
    bool needs_atomic(const Aggregation& aggregation) const { return shared_aggregations.count(&aggregation) != 0; }
    std::set<const Aggregation*> shared_aggregations;
    /// Whether what is added to this aggregation may be too large for 64 bits.
    bool may_wrap(const Aggregation& aggregation) const { return large_sums_.count(&aggregation) != 0; }
    bool has_exit() const { return has_exit_; } ///< some clause calls exit()

private:
    uint32_t this_words(std::optional<uint32_t>& place, uint32_t count);
    void find_nullable_globals();
    void find_shared();
    void check_shared(const Variable& variable);
    void find_deepest_stack();
    void find_key_forms();
    Datum key_datum(const Aggregation& aggregation, std::size_t index);
    void lay_out_variables();
    void note_alias(const TExpr& e);
    void lay_out_scratch();
    void measure_areas();
    uint32_t area_taken(const Statement& statement) const;
    void share_maps();
    void lay_out_aggregations();
    void lay_out_keys(const Aggregation& aggregation, AggregationSchema& schema);

    /// What all uses of an aggregation together say of one of its keys.
    struct KeyForm {
        bool name = true;               ///< always a component of the probe's name
        const TExpr* address = nullptr; ///< stack(), sym(), …
        uint32_t frames = 0;            ///< the deepest stack()
        uint32_t limit = 0;             ///< the largest number of frames that an option gives
        bool several = false; ///< sym() and mod() and their like, each of which prints an address in its own way: a key
                              ///< tells which
        bool value = false;   ///< somewhere a stack value, or both stack() and ustack(): the key is a stack value
    };
    ModuleState& module_;
    std::map<const Aggregation*, std::vector<KeyForm>> key_forms_;
    std::set<const Aggregation*> large_sums_;
    NameNumbers names_;                                          ///< of Schema::names: of all probes, tens of thousands
    std::array<std::pair<std::string, uint32_t>, 4> last_names_; ///< of the probe asked for last, which has most in
                                                                 ///< common with the next
    std::set<const Variable*> nullable_globals_;
    std::set<const Variable*> shared_variables_; ///< -x share
    bool self_is_shared_ = false;
    std::vector<const Variable*> aliased_arrays_; ///< whose address is taken, without those that have keys
    bool aliases_ = false, shared_ = false, grows_ = false, briefs_ = false, has_exit_ = false;
    std::map<const Variable*, SelfSlot> self_slots_;
    std::vector<uint32_t> self_words_;
    std::map<const Variable*, ThisSlot> this_slots_;
    std::optional<uint32_t> error_frames_, span_words_, outcome_word_, cost_words_, weight_word_;
    uint32_t stack_size_ = 0; ///< of a stack value
    uint32_t self_mark_ = 0, self_marks_ = 0;
    uint32_t self_size_ = 0, this_stack_ = 0, this_scratch_ = 8, fixed_scratch_ = 8, tokens_ = 0;
    ScratchArea area_, error_area_;
};

/// Frames that stack() or ustack() takes: its constant argument, the option's default, never more than maxframes.
uint32_t frames_of(const CompileOptions& options, const Action& action, const std::vector<TExpr*>& args);

/// Where an option ended it and not the argument, the same number; else 0.
uint32_t frame_limit_of(const CompileOptions& options, const Action& action, const std::vector<TExpr*>& args);

/// The Datum of a variable that is only recorded (is_only_recorded); offset is 0.
Datum cgroup_datum(const BuiltinVariable& name);
/// The Datum of an address action's result: stack, ustack, sym, mod, usym, umod, uaddr and their synonyms; offset is 0.
Datum address_datum(const Action& action, uint32_t frames);

/// The Datum that reads a value of this type back.
Datum datum_of(const Type* type, uint32_t offset, uint32_t size);

/// Rounds up to a power-of-two multiple.
constexpr uint32_t align_up(uint32_t value, uint32_t to)
{
    return (value + to - 1) & ~(to - 1);
}

} // namespace dt::lower
