// Schema of the recorded data, for the consumer: one schema per statement and aggregation, and the probe plan.
//
// Lowering builds it together with the code that writes the records, so that the two always agree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bpf-runtime/abi.h"
#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/world.hpp"
#include "dcompiler/sema/program/builtins.hpp"
#include "dcompiler/sema/program/metric.hpp"

namespace dt {

/// Format of one datum in a record or key.
struct Datum {
    enum class Kind : uint8_t {
        Signed,    ///< integer of `size` bytes
        Unsigned,  ///< unsigned integer of `size` bytes, or a pointer
        Text,      ///< string up to a NUL, at most `size` bytes
        Bytes,     ///< content of an array, struct or union
        Name,      ///< u32: an index into Schema::names (probefunc, …), printed as text
        Stack,     ///< u64 frames, ended by 0
        UserStack, ///< u64 pid, then u64 frames, ended by 0; also stack values, where pid 0 is a kernel stack
        /// u64 kernel address; `address` determines the printed form, unless another word of the record does
        Symbol,
        UserSymbol, ///< u64 pid, u64 address; the printed form is determined as for Symbol
        Cgroup,     ///< u64 id of a control group; `part` of the group's name is printed as text
    } kind = Kind::Unsigned;
    uint32_t offset = 0; ///< offset in bytes from the start of the record's data, or of an aggregation's key
    uint32_t size = 0;
    enum class Address : uint8_t { Symbol, Module, Exact } address = Address::Symbol;
    enum class Part : uint8_t { Unit, ContainerId, ContainerName, PodName, PodNamespace } part = Part::Unit;
    const Type* type = nullptr; ///< D type of the datum, used by print() and in messages
    /// Maximum number of characters or frames, as set by an option; a datum of this length may be truncated; 0: no
    /// limit.
    uint32_t limit = 0;
};

/// Data that one action records, in the order in which they are written.
struct Record {
    const Action* action = nullptr; ///< action that wrote the record; null: data that belongs to no action
    std::vector<Datum> data;
    std::string format; ///< format of printf, printa, system, freopen
    bool has_format = false;
    std::vector<uint32_t> aggregations; ///< ids of the aggregations of printa, clear, trunc, normalize, denormalize
    /// Bit in the sample's guard word that is set if the action ran; -1: always ran.
    int guard = -1;
    std::vector<std::string> texts; ///< constant arguments of setopt
};

/// Thread that fired the probe, as stored in a sample.
struct RecordedThread {
    uint32_t pid = 0, tid = 0;
    char name[16] = {}; ///< thread name, ended by a NUL
};

struct StatementSchema {
    uint32_t id = 0;
    std::string clause;     ///< probe description as written in the program
    uint32_t data_size = 0; ///< number of bytes after struct dt_sample
    int guard_offset = -1;  ///< position in the data of the u64 guard word; -1: no guarded records
    /// Position in the data of the struct RecordedThread (CompileOptions::records_threads); -1: absent.
    int thread_offset = -1;
    bool prints_line = true; ///< whether a firing prints a line; false if the statement has only commit or discard
    bool speculative = false;
    std::vector<Record> records;
    /// ids of statements of the same clause whose code this statement runs in some programs
    std::set<uint32_t> code_of;

    /// Returns whether the samples print nothing and have no effect on printing.
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
    std::vector<Datum> keys; ///< formats of the keys, with offsets within the key
    uint32_t key_size = 0;   ///< bytes of a key; 0: no key
    /// Number of i64 words in a value (dtrace-aggregations(7), FUNCTIONS; abi.h defines how min and max are stored).
    uint32_t words = 0;
    /// Name of the aggregation's map. With keys: a per-CPU hash. Without keys: a per-CPU array of one element or, for
    /// large values, an array with one element per CPU.
    std::string map;
    /// With keys: whether other aggregations share the map. The first word of a key is then the aggregation's id.
    bool shared = false;
    /// With keys: name of the per-CPU hash for short keys, whose bytes after the first `short_key_size` are 0; empty:
    /// none.
    std::string short_keys_map;
    uint32_t short_key_size = 0;
    /// With keys: name of the outer map that contains the overflow map; empty: the aggregation cannot grow.
    std::string overflow_map;
    uint32_t offset = 0;            ///< without keys: offset of its `touched` word in the map's value; the words follow
    bool may_be_estimated = false;  ///< -x maxcost: whether samples may have weights, so that values are estimates
    std::set<uint32_t> weighted_by; ///< -x maxcost: ids of the statements that add to the aggregation with weights
    Metric metric;
};

/// A BPF program and its attachments.
struct ProgramPlan {
    std::string name; ///< symbol of the program's main function
    std::shared_ptr<const AttachPlan> plan;
    std::vector<uint32_t> probes; ///< ids of the probes that the program serves
    /// Whether the program runs no clause, but records the start of entry/return pairs or answers is-enabled checks
    /// (AttachPlan::start_hook, is_enabled_probe).
    bool is_helper = false;
    uint32_t first_function = 0, end_function = 0; ///< range of the module's functions that belong to the program
    /// index of the program's dt_tick; empty if its runs are not counted
    std::optional<uint32_t> tick;
    /// -x hits, cost, maxcost: index of the counter of the program's first probe; the counters of its other probes
    /// follow.
    uint32_t first_counted = 0;
    bool may_sample = false;  ///< -x maxcost: whether the program may skip firings and give the others a weight
    bool keeps_state = false; ///< whether the effect of a firing depends on state that earlier firings stored
    /// With may_sample: whether sampling keeps or skips a thread's start and end firing together.
    bool pairs = false;
    /// Functions between first_function and end_function that contain the program's clauses. If there are none, the
    /// main function contains the clauses.
    std::vector<uint32_t> clause_functions;
};

/// Instruction that reports a fault.
struct FaultPlace {
    uint32_t function = 0; ///< index of the function in the module
    uint32_t statement = 0;
    uint32_t pc = 0; ///< instruction index in the function
    Span at;         ///< expression whose evaluation failed
};

/// Counter of a probe in a program (-x hits, -x cost).
struct CountedProbe {
    uint32_t probe = 0;
    std::vector<uint32_t> statements; ///< statements that run when the probe fires, in order
    HookKind hook{};
    /// in a program with pairs: whether the probe continues a pair, so that its counter includes only firings whose
    /// start was sampled
    bool continues = false;
    std::optional<uint32_t> timing_switch; ///< index in dt_state.timing_switches; empty: each firing is counted
};

/// Counter of program runs that are not firings of the program's probes, such as other system calls (-x cost).
struct CountedOthers {
    HookKind hook{};
    /// Index of the program's timing switch; DT_TIMING_SWITCH_OTHER if the program's own switch is always open.
    uint32_t timing_switch = 0;
};

/// Global number, pointer or string that can be carried over to another run.
struct RestorableGlobal {
    std::string name, type;  ///< name of the variable, and the text of its type in messages
    bool is_scratch = false; ///< whether the variable points to scratch memory, which ends with the run
};

struct Schema {
    std::vector<StatementSchema> statements;     ///< schemas of the statements, by statement id
    std::vector<AggregationSchema> aggregations; ///< schemas of the aggregations, by aggregation id
    std::vector<std::string> names;              ///< texts that records refer to by string id
    uint64_t program_digest = 0;                 ///< digest of the program's texts: equal digests mean equal programs
    std::vector<ProgramPlan> programs;
    std::vector<FaultPlace> faults;
    std::vector<RestorableGlobal> globals;
    /// -x hits, -x cost: probes that the counters in dt_hits and dt_cost belong to. Both maps repeat these counters in
    /// sets, one for each CPU or one for all.
    std::vector<CountedProbe> counted;
    std::vector<CountedOthers> others; ///< counters in dt_cost that follow those of `counted`
    uint32_t hit_sets = 0;             ///< number of sets in dt_hits: number of CPUs, or 1 if all CPUs share a set
    /// number of sets in the part of dt_hits for clauses: number of CPUs, or 1 if all CPUs share a set
    uint32_t clause_hit_sets = 0;
    uint32_t cost_sets = 0; ///< number of sets in dt_cost: number of CPUs, or 1 if all CPUs share a set
    /// number of sets in dt_sampling: number of CPUs, or 1 if all CPUs share a set
    uint32_t sampling_sets = 0;
    std::vector<uint32_t> error_functions; ///< indices in the module of the functions with ERROR clauses
    uint32_t largest_sample = 0;           ///< size in bytes of the largest sample, with its header
    uint32_t scratch_size = 0;             ///< size in bytes of a scratch slot; 0: no scratch map
    bool destructive = false;
    bool kernel_stacks = false; ///< whether the object uses dt_state.tracer_frames or dt_state.test_run_frames
};

/// Shared layout of the objects of a run that is compiled in several parts. Probes of libraries that are mapped later
/// belong to further objects, which use the maps of the earlier objects. The layout depends on the whole program, not
/// only on the clauses in each object.
struct ObjectParts {
    bool may_follow = false;        ///< whether the run may get further objects after this one
    bool is_later = false;          ///< whether the run already has earlier objects
    std::vector<std::string> names; ///< Schema::names of the earlier objects, which this object extends
    std::set<std::string> programs; ///< names of programs without clauses that earlier objects already run
};

/// A compiled run: a BPF ELF object, and the data to interpret its output.
struct Object {
    std::vector<uint8_t> elf;
    Schema schema;
    std::shared_ptr<TypeTable> types; ///< keeps the types alive to which Datum::type points
};

} // namespace dt
