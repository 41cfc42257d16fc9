// The module under construction: maps, data, names and the small shared functions, each made the first time something asks for it, so
// that a script pays only for what it uses.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/lower/lower.hpp"

namespace dt::lower {

using namespace ir::bpf; // helpers, map types and flags by their names

/// A per-CPU value may not be larger than this (PCPU_MIN_UNIT_SIZE in the kernel).
inline constexpr uint32_t kMostPercpuValue = 32 << 10;

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

/// What alloca() and copyin() give out, in the scratch slot: three words of its state, zero when the slot is claimed, and the bytes.
struct ScratchArea {
    uint32_t head = 0, start = 0;
    uint32_t most = 0; ///< bytes that the clauses of a firing can take together; 0: none takes any
};

/// What must be counted when an event is not delivered: offsets into struct dt_losses.
enum class Loss : uint8_t { Principal, Aggregation, Dynamic, Speculation, SpecUnavailable, Nesting, DoubleError, NoMemory };

class ModuleLowering {
public:
    ModuleLowering(const Program& program, World& world, const CompileOptions& options, Diagnostics& diagnostics, StackUse stack, const ObjectParts& parts);

    const Program& program;
    World& world;
    const CompileOptions& options;
    Diagnostics& diagnostics;
    const StackUse stack_use;
    const ObjectParts& parts;
    bool takes_over_returns = false; ///< some programs are called by the kernel where a function of a process returns to
    Lowered out;

    // maps, by index in out.module.maps
    uint32_t buffers_map();
    uint32_t lanes_map();      ///< their fast lanes
    uint32_t lane_state_map(); ///< struct dt_lane of each CPU
    uint32_t losses_map();
    uint32_t no_programs_map(); ///< of tail calls, empty
    uint32_t scratch_map();
    /// Aggregations without keys share per-CPU values of at most 32 KiB; a larger one has an array with an element for each CPU.
    uint32_t unkeyed_map(const AggregationSchema& schema);
    uint32_t self_map();
    uint32_t cgroup_map();                                    ///< the control group of -x cgroup
    uint32_t followed_map();                                  ///< the processes of -x follow
    uint32_t aggregation_map(const Aggregation& aggregation); ///< keyed ones
    uint32_t brief_map(const Aggregation& aggregation);       ///< keyed ones with long keys: for those that are short
    uint32_t overflow_map(const Aggregation& aggregation);    ///< keyed ones that may grow: the map of its overflow map
    uint32_t array_map(const Variable& variable);             ///< associative arrays
    /// In a program with more of them than one may use maps, arrays of one shape share a map, and so do aggregations: a word with the
    /// variable's or aggregation's number comes first in the key.
    bool shares_maps() const { return shared_; }
    /// Bytes of the key in front of the tuple: that word, and the thread of a self-> array.
    uint32_t tuple_prefix(const Variable& variable) const { return (variable.scope == Scope::Self ? 8u : 0u) + (shared_ ? 8u : 0u); }
    uint32_t cpu_map(const std::string& name, uint32_t size);                                   ///< one value of `size` bytes per CPU, zero at the start
    uint32_t hash_map(const std::string& name, uint32_t key, uint32_t value, uint32_t entries); ///< all its memory there from the start
    bool has_map(const std::string& name) const { return maps_.count(name) != 0; }

    // data, by index in out.module.data
    uint32_t state_data();
    uint32_t global_data(const Variable& variable); ///< with a mark in front of the text, if it may be NULL
    /// A global string to which the program assigns what may be NULL.
    bool nullable(const Variable& variable) const { return nullable_globals_.count(&variable) != 0; }
    /// May this text be NULL where the language lets it be (not: an address that stringof reads)?
    bool may_be_null(const TExpr& e) const;
    uint32_t literal_data(const std::string& text); ///< with its NUL, in .rodata
    uint32_t zeros_data(uint32_t size);             ///< at least `size` zero bytes in .rodata
    uint32_t spec_data();                           ///< struct dt_spec, options.nspec of them
    uint32_t cpu_table();                           ///< cpuinfo_t of each possible CPU, in .rodata
    uint32_t block_drivers_table();                 ///< names of drivers by major number, in .rodata
    uint32_t more_data();                           ///< keys in overflow maps, by aggregation id
    struct Tick {
        uint32_t data, place;
    };
    Tick new_tick();                                   ///< struct dt_tick of a further program
    void lay_out_firings(std::size_t probes);          ///< before any program is lowered
    uint32_t firings_data() const { return firings_; } ///< struct dt_firings of all probes
    uint32_t names_table(uint32_t stride);             ///< Schema::names as text, `stride` bytes each, in .rodata

    /// String id of a probe name component.
    uint32_t name_id(const std::string& name);

    /// Whether aggsize or dynvarsize lets this map have an element.
    bool has_room(uint32_t map) const { return without_room_.count(map) == 0; }
    enum PutFlags : int64_t { kPutAny = 0, kPutNew = 1 }; // BPF_ANY, BPF_NOEXIST
    /// Puts an element into a map; what comes back is not 0 where there is no room.
    ir::Value put(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element, PutFlags flags) const;

    // local functions, by index in out.module.functions
    uint32_t lose_function(Loss loss);
    uint32_t claim_function(); ///< (): a slot that nobody has on this CPU, its number + 1 in its first word, or 0
    uint32_t slot_function();  ///< (number + 1): that slot
    /// The slot of that number + 1, which is claimed; to the verifier there may be none.
    ir::Value claimed_slot(ir::Builder& b, ir::Value number, ir::BlockId none);
    /// (sample): sends a sample of `size` bytes by the fast lane; not 0: it did not go.
    uint32_t lane_function(ir::Mem where, uint32_t size);
    uint32_t pid_function();     ///< (): as bpf_get_current_pid_tgid(), in the tracer's pid namespace
    uint32_t compare_function(); ///< (a, b): order of two zero-padded strings of string_size() bytes
    /// (key, number): makes the element of an associative array, of `width` bytes, or deletes it when the number is 0; not 0: there was no
    /// room, which is counted.
    uint32_t element_function(uint32_t map, uint8_t width);

    /// After measuring: functions made so far are gone.
    void forget_functions();

    // storage
    uint32_t string_size() const { return static_cast<uint32_t>(options.strsize + 1 + 7) & ~7u; } ///< room of one string
    const SelfSlot& self_slot(const Variable& variable) const { return self_slots_.at(&variable); }
    const ThisSlot& this_slot(const Variable& variable) const { return this_slots_.at(&variable); }
    uint32_t this_stack_size() const { return this_stack_; }
    /// Among the this-> variables: the frames that ERROR's stacks leave out. Made when such a stack is measured, before other clauses are.
    uint32_t error_frames();
    /// Among the this-> variables, with -x firings: how the firing goes (firings.hpp).
    uint32_t outcome_word() const { return outcome_word_; }
    bool has_error_frames() const { return error_frames_.has_value(); }
    /// Likewise SpanWords.
    uint32_t span_words();
    bool has_span_words() const { return span_words_.has_value(); }
    // The slot: its lock, this-> variables and the like (zeroed when it is claimed), strtok()'s text, alloca()'s areas, then what a clause needs.
    uint32_t zeroed_scratch_size() const { return this_scratch_; }
    uint32_t fixed_scratch_size() const { return fixed_scratch_; }
    uint32_t tokens_offset() const { return tokens_; }
    uint32_t area_size() const { return static_cast<uint32_t>(options.scratchsize + 7) & ~7u; } ///< what a clause may take
    const ScratchArea& area(bool in_error) const { return in_error ? error_area_ : area_; }
    /// Does a scratch pointer perhaps point to something else: one of these arrays, or a string?
    bool has_aliases() const { return aliases_; }
    const std::vector<const Variable*>& aliased_arrays() const { return aliased_arrays_; }
    uint32_t self_size() const { return self_size_; }
    /// Task storage has no limit: where dynvarsize is set, a thread's variables are an element of a hash, which has.
    bool self_is_hash() const { return options.dynvarsize_set; }
    /// Offsets of the words of which one is not 0 while any of a thread's variables is there.
    const std::vector<uint32_t>& self_words() const { return self_words_; }
    const AggregationSchema& agg_schema(const Aggregation& aggregation) const { return out.schema.aggregations[aggregation.id]; }
    /// Bytes a value of this type takes in a variable, key or record: strings their buffer, the rest their size.
    uint32_t storage_size(const Type* type) const;

    /// Bytes of one scratch slot; grows while statements are measured, then fixed.
    uint32_t scratch_size = 0;

    /// Whether updates of this aggregation may interrupt each other on one CPU (it is updated by more than one program).
    bool needs_atomic(const Aggregation& aggregation) const { return shared_aggregations.count(&aggregation) != 0; }
    std::map<const Aggregation*, bool> shared_aggregations;
    /// Whether what is added to this aggregation may be too large for 64 bits.
    bool may_wrap(const Aggregation& aggregation) const { return large_sums_.count(&aggregation) != 0; }
    bool has_exit = false; ///< some clause calls exit()

private:
    void lay_out_shared();
    void find_nullable_globals();
    void find_deepest_stack();
    void find_key_forms();
    Datum key_datum(const Aggregation& aggregation, std::size_t index);
    void lay_out_variables();
    void note_alias(const TExpr& e);
    void lay_out_scratch();
    void measure_areas();
    uint32_t area_taken(const Statement& statement) const;
    void share_maps();
    static std::string shape_name(uint32_t key, uint32_t value);
    void lay_out_aggregations();
    void lay_out_keys(const Aggregation& aggregation, AggregationSchema& schema);
    uint32_t add_map(ir::Map map);
    uint32_t add_limited_map(ir::Map map, uint64_t entries);
    uint32_t add_data(ir::Data data);
    std::optional<uint32_t> cpu_table_, block_drivers_;

    /// What all uses of an aggregation together say of one of its keys.
    struct KeyForm {
        bool name = true;               ///< always a component of the probe's name
        const TExpr* address = nullptr; ///< stack(), sym(), …
        uint32_t frames = 0;            ///< the deepest stack()
        bool several = false;           ///< sym() and mod() and their like, each of which prints an address in its own way: a key tells which
        bool value = false;             ///< somewhere a stack value, or both stack() and ustack(): the key is a stack value
    };
    std::map<const Aggregation*, std::vector<KeyForm>> key_forms_;
    std::set<const Aggregation*> large_sums_;
    std::set<uint32_t> without_room_; // maps
    std::map<std::string, uint32_t> maps_, names_, literals_;
    std::map<const Variable*, uint32_t> globals_;
    std::set<const Variable*> nullable_globals_;
    std::vector<const Variable*> aliased_arrays_; ///< whose address is taken, without those that have keys
    bool aliases_ = false;
    bool shared_ = false, grows_ = false, briefs_ = false;
    std::map<const Variable*, SelfSlot> self_slots_;
    std::vector<uint32_t> self_words_;
    std::map<const Variable*, ThisSlot> this_slots_;
    std::map<Loss, uint32_t> lose_functions_;
    std::map<std::pair<uint32_t, uint8_t>, uint32_t> element_functions_;
    std::map<std::pair<ir::Mem, uint32_t>, uint32_t> lane_functions_; // by where the sample lies and its size ///< by map and width
    std::optional<uint32_t> state_, zeros_, claim_, slot_, error_frames_, span_words_, pid_, compare_, names_table_, spec_, more_, ticks_;
    uint32_t stack_size_ = 0; ///< of a stack value
    uint32_t outcome_word_ = 0, firings_ = 0;
    uint32_t zeros_size_ = 0, self_size_ = 0, this_stack_ = 0, this_scratch_ = 8, fixed_scratch_ = 8, tokens_ = 0;
    ScratchArea area_, error_area_;
};

/// Frames that stack() or ustack() takes: its constant argument, the option's default, never more than maxframes.
uint32_t frames_of(const CompileOptions& options, const Action& action, const std::vector<TExpr*>& args);

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
