// What the consumer must know to read what the kernel side wrote: one schema per statement and aggregation, and the
// probe plan.
//
// It is built by lowering beside the code that writes the records, so the two cannot drift apart.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bpf-runtime/abi.h"
#include "dcompiler/diagnostics.hpp"
#include "dcompiler/plan.hpp"
#include "dcompiler/sema/builtins.hpp"
#include "dcompiler/sema/metric.hpp"
#include "dcompiler/world.hpp"

namespace dt {

/// How to read one datum of a record or key.
struct Datum {
    enum class Kind : uint8_t {
        Signed,     ///< integer of `size` bytes
        Unsigned,   ///< also pointers
        Text,       ///< string: bytes up to a NUL, at most `size`
        Bytes,      ///< arrays, structs, unions
        Name,       ///< u32: an index into Schema::names (probefunc, …), reads as text
        Stack,      ///< u64 frames, ended by 0
        UserStack,  ///< u64 pid, then u64 frames, ended by 0; also stack values, where pid 0 is a kernel stack
        Symbol,     ///< u64 kernel address; `address` says how it prints, or, where there is one word more, that
        UserSymbol, ///< u64 pid, u64 address, likewise
        Cgroup,     ///< u64 number of a control group, of whose name `part` is shown: reads as text
    } kind = Kind::Unsigned;
    uint32_t offset = 0; ///< from the start of the sample's data (records), of the key (aggregations)
    uint32_t size = 0;
    enum class Address : uint8_t { Symbol, Module, Exact } address = Address::Symbol;
    enum class Part : uint8_t { Unit, ContainerId, ContainerName, PodName, PodNamespace } part = Part::Unit;
    const Type* type = nullptr; ///< the D type: print(), messages
    uint32_t limit = 0; ///< characters or frames that an option lets it have: one that has so many may have been cut;
                        ///< 0: no option cuts it
};

/// One action's share of a sample, in the order written.
struct Record {
    const Action* action = nullptr; ///< null: the sample carries data of no action
    std::vector<Datum> data;
    std::string format; ///< printf, printa, system, freopen
    bool has_format = false;
    std::vector<uint32_t> aggregations; ///< ids: printa, clear, trunc, normalize, denormalize
    int guard = -1;                     ///< bit of the sample's guard word that says the action ran; -1: always ran
    std::vector<std::string> texts;     ///< setopt's constant arguments
};

/// Whose firing it was, in a sample.
struct RecordedThread {
    uint32_t pid = 0, tid = 0;
    char name[16] = {}; ///< up to a NUL
};

struct StatementSchema {
    uint32_t id = 0;
    std::string clause;      ///< its description as it was given
    uint32_t data_size = 0;  ///< bytes after struct dt_sample
    int guard_offset = -1;   ///< u64 in the data: which guarded records are present; -1: none is guarded
    int thread_offset = -1;  ///< struct RecordedThread in the data: CompileOptions::records_threads; -1: there is none
    bool prints_line = true; ///< false: commit/discard only
    bool speculative = false;
    std::vector<Record> records;
    std::set<uint32_t>
        code_of; ///< statements of the same clause whose code runs in its place where both are in one program

    /// Nothing of its samples is ever printed, nor makes anything else be.
    bool only_discards() const
    {
        return !records.empty() && std::all_of(records.begin(), records.end(), [](const Record& record) {
            return record.action && record.action->has(kSpeculation) && !record.action->has(kSpeculates) &&
                   !record.action->has(kCommits);
        });
    }
};

struct AggregationSchema {
    uint32_t id = 0;
    std::string name;
    const AggFunction* function = nullptr;
    std::vector<int64_t> parameters;
    std::vector<Datum> keys; ///< offsets within the key
    uint32_t key_size = 0;   ///< 0: not keyed
    uint32_t words =
        0; ///< i64 words of one value (dtrace-aggregations(7), FUNCTIONS; min and max are stored as abi.h says)
    std::string map;     ///< keyed: its per-CPU hash; else a per-CPU array of 1, or, for large values, an array with an
                         ///< element a CPU
    bool shared = false; ///< keyed: others are in that map too, and the first word of a key is the aggregation's id
    std::string brief; ///< keyed: a per-CPU hash for keys of which only the first `brief_size` bytes are not 0; empty:
                       ///< there is none
    uint32_t brief_size = 0;
    std::string more;    ///< keyed: name of the map that holds its overflow map; empty: it may not grow
    uint32_t offset = 0; ///< not keyed: byte offset of its `touched` word in the map's value; the words follow
    bool may_be_estimated = false;  ///< -x maxcost: some firings may stand for others
    std::set<uint32_t> weighted_by; ///< -x maxcost: ids of the statements whose firings may do so
    Metric metric;
};

/// One BPF program and what it is attached to.
struct ProgramPlan {
    std::string name; ///< function symbol
    std::shared_ptr<const AttachPlan> plan;
    std::vector<uint32_t> probes; ///< ids served
    bool is_beside =
        false; ///< it serves no clause, but the probes' other program or their process (AttachPlan::beginning, asking)
    uint32_t first_function = 0, end_function = 0; ///< the module's functions that are the program's own
    std::optional<uint32_t> tick;                  ///< place of its dt_tick, when its plan is kept
    uint32_t first_counted = 0; ///< -x firings, cost, maxcost: place of its first probe; the others follow
    bool may_sample = false;    ///< -x maxcost: firings may be passed by, and what is taken stands for them
    bool keeps_state = false;   ///< what a firing does depends on what former ones have stored
    bool pairs = false; ///< may_sample, with others or alone: what threads begin and end. They come and go together
    std::vector<uint32_t> clause_functions; ///< of these, those that hold its clauses; empty: the program itself does
};

/// An instruction that reports a fault.
struct FaultPlace {
    uint32_t function = 0; ///< of the module
    uint32_t statement = 0;
    uint32_t pc = 0; ///< instruction in the function
    Span at;         ///< the expression that cannot be evaluated
};

/// A place among counters that each probe of each program has (-x firings, -x cost).
struct CountedProbe {
    uint32_t probe = 0;
    std::vector<uint32_t> statements; ///< that run when it fires, in their order
    HookKind hook{};
    bool continues = false;       ///< of a program with pairs: takes what another probe has taken, and no more
    std::optional<uint32_t> gate; ///< dt_state.gates; none: each firing is counted
};

/// What a program is called for that is no firing of its probes, as other system calls (-x cost).
struct CountedOthers {
    HookKind hook{};
    uint32_t gate = 0; ///< of the program; where that is always open, DT_GATE_OF_OTHERS counts
};

/// A global number, pointer or string in memory, with which another run may begin.
struct KeptGlobal {
    std::string name, type;  ///< the type as messages have it
    bool is_scratch = false; ///< what it points to is gone with the run
};

struct Schema {
    std::vector<StatementSchema> statements;     ///< index = statement id
    std::vector<AggregationSchema> aggregations; ///< index = aggregation id
    std::vector<std::string> names;              ///< string ids
    uint64_t text_digest = 0;                    ///< of the program's texts: where these are the same, so is it
    std::vector<ProgramPlan> programs;
    std::vector<FaultPlace> faults;
    std::vector<KeptGlobal> globals;
    std::vector<CountedProbe> counted;     ///< -x firings, -x cost: whose each dt_firings and dt_cost of a set is
    std::vector<CountedOthers> others;     ///< whose each dt_cost behind these is
    uint32_t firing_sets = 0;              ///< of dt_firings: as many as CPUs, or one that they share
    uint32_t clause_firing_sets = 0;       ///< of dt_firings of clauses, likewise
    uint32_t cost_sets = 0;                ///< of dt_cost, likewise
    uint32_t sampling_sets = 0;            ///< of dt_sampling, likewise
    std::vector<uint32_t> error_functions; ///< the module's functions that hold the clauses of ERROR
    uint32_t largest_sample = 0;           ///< bytes, header included
    uint32_t scratch_size = 0;             ///< bytes of one scratch slot; 0: no scratch map
    bool destructive = false;
    bool kernel_stacks = false; ///< dt_state.tracer_frames or test_run_frames is read
};

/// How the objects of a run agree that is compiled in several parts: what processes map later is probed by a further
/// object, which uses the maps of those before. Their layout is that of the program then, not of the clauses that each
/// has.
struct ObjectParts {
    bool may_follow = false;        ///< others may follow this one
    bool is_later = false;          ///< others were before this one
    std::vector<std::string> names; ///< Schema::names of those: this one's go on
    std::set<std::string> programs; ///< what runs already beside those with clauses
};

/// A compiled run: an ordinary BPF ELF object and what its reader must know.
struct Object {
    std::vector<uint8_t> elf;
    Schema schema;
    std::shared_ptr<TypeTable> types; ///< keeps Datum::type alive
};

} // namespace dt
