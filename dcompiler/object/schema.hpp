// Schema of the recorded data, for the consumer: one schema per statement and aggregation, and the attach plan of each
// program.
//
// Lowering builds the schema together with the code that writes the records, so that the two always agree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
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
        Signed,   ///< signed integer of `size` bytes
        Unsigned, ///< unsigned integer of `size` bytes, or a pointer
        Text,     ///< string up to a NUL, at most `size` bytes
        Bytes,    ///< content of an array, struct or union
        Name,     ///< u32: an index into Schema::names (probefunc, …), printed as text
        Stack,    ///< frames of a kernel stack as u64, ended by 0
        /// u64 pid, then frames of a user stack as u64, ended by 0; also stack values, where pid 0 means a kernel stack
        UserStack,
        /// u64 kernel address; `address` determines the printed form, unless another word of the record determines it
        Symbol,
        UserSymbol, ///< u64 pid, u64 address; the printed form is determined as for Symbol
        Cgroup,     ///< u64 id of a control group; its name, or the part of it that `part` selects, is printed
        Converted,  ///< s64 number that the consumer converts to text, as `conversion` selects
    } kind = Kind::Unsigned;
    uint32_t offset = 0; ///< offset in bytes from the start of the record's data, or of an aggregation's key
    uint32_t size = 0;
    enum class Address : uint8_t { Symbol, Module, Exact } address = Address::Symbol;
    enum class Part : uint8_t { Unit, ContainerId, ContainerName, PodName, PodNamespace } part = Part::Unit;
    /// Time: ns since the epoch, in the format that is Schema::names[constant]. User, Group: name of an id. Enumerator:
    /// value of the enumeration that Schema::names[constant] describes: its size in bytes, then a line "VALUE NAME" for
    /// each enumerator.
    enum class Conversion : uint8_t { Time, User, Group, Enumerator } conversion = Conversion::Time;
    uint32_t constant = 0;
    const Type* type = nullptr; ///< D type of the datum, used by print() and in messages
    /// Maximum number of characters or frames, as set by an option; a datum of this length may be truncated; 0: no
    /// limit.
    uint32_t limit = 0;
};

/// Data that one action records; the elements are in the order in which the data are written.
struct Record {
    const Action* action = nullptr; ///< action that wrote the record; null if the data belong to no action
    std::vector<Datum> data;
    std::string format; ///< format string of printf, printa, system, freopen
    bool has_format = false;
    std::vector<uint32_t> aggregations; ///< ids of the aggregations of printa, clear, trunc, normalize, denormalize
    /// Bit in the sample's guard word that is set if the action ran; -1 if the action always runs.
    int guard = -1;
    std::vector<std::string> texts; ///< arguments of setopt, if all are constant
};

/// Thread that fired the probe, as stored in a sample.
struct RecordedThread {
    uint32_t pid = 0, tid = 0;
    char name[16] = {}; ///< thread name, ended by a NUL
};

struct StatementSchema {
    uint32_t id = 0;
    std::string clause;     ///< probe description as written in the program
    uint32_t data_size = 0; ///< number of bytes of data that follow struct dt_sample
    int guard_offset = -1;  ///< offset of the u64 guard word in the sample's data; -1 if no record is conditional
    /// Offset of the struct RecordedThread in the sample's data (CompileOptions::records_threads); -1: absent.
    int thread_offset = -1;
    bool prints_line = true; ///< whether a firing prints a line; false if the statement has only commit or discard
    bool speculative = false;
    std::vector<Record> records;
    /// ids of statements of the same clause whose code this statement runs in some programs
    std::set<uint32_t> code_of;

    /// Returns whether the statement's samples print nothing and do not change what other samples print.
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
    std::vector<Datum> keys; ///< formats of the keys; offsets are relative to the start of the tuple of keys
    uint32_t key_size = 0;   ///< size of the tuple of keys in bytes; 0: no keys
    /// Number of i64 words in a value (dtrace-aggregations(7), FUNCTIONS; abi.h defines how min and max are stored).
    uint32_t words = 0;
    /// Name of the aggregation's map. With keys: a per-CPU hash. Without keys: a per-CPU array of one element or, for
    /// large values, an array with one element per CPU.
    std::string map;
    /// With keys: whether other aggregations share the map. The first word of a key is then the aggregation's id.
    bool shared = false;
    /// With keys: whether the keys are longer than the kernel's hash maps accept. The map of the aggregation is then a
    /// hash with an element for each key and CPU (CpuElements).
    bool digested = false;
    /// With keys: name of the per-CPU hash for short keys, whose bytes after the first `short_key_size` are 0; empty:
    /// none.
    std::string short_keys_map;
    uint32_t short_key_size = 0;
    /// With keys: name of the outer map that contains the overflow map; empty: the aggregation cannot grow.
    std::string overflow_map;
    /// without keys: offset of the aggregation's word `touched` in the map's value; the words of the aggregation's
    /// value follow
    uint32_t offset = 0;
    bool may_be_estimated = false;  ///< -x maxcost: whether samples may have weights, so that values are estimates
    std::set<uint32_t> weighted_by; ///< -x maxcost: ids of the statements that add to the aggregation with weights
    Metric metric;
};

/// Layout of the elements of a hash with an element for each key of an aggregation and each CPU, such as an overflow
/// map. A map key consists of the aggregation's key and the number of the CPU, in 8 bytes. If the aggregation's keys
/// are too long for a map key, the map key contains their digest, and the map value begins with the aggregation's key.
class CpuElements {
public:
    explicit CpuElements(const AggregationSchema& schema)
        : key_size_(schema.key_size), words_size_(schema.words * static_cast<uint32_t>(sizeof(int64_t))),
          digested_(schema.digested)
    {
    }

    static constexpr uint32_t kDigestSize = 16; ///< size in bytes of a digest (key_digest.bpf.c)

    uint32_t key_size() const { return key_size_; } ///< size in bytes of the aggregation's key
    uint32_t map_key_size() const { return cpu_offset() + static_cast<uint32_t>(sizeof(uint64_t)); }
    uint32_t map_value_size() const { return words_offset() + words_size_; }
    uint32_t cpu_offset() const { return digested_ ? kDigestSize : key_size_; } ///< offset in the map key
    uint32_t words_offset() const { return digested_ ? key_size_ : 0; }         ///< offset in the map value
    /// The following functions return the parts of an element. The aggregation's key has key_size() bytes.
    const uint8_t* key(const uint8_t* map_key, const uint8_t* map_value) const
    {
        return digested_ ? map_value : map_key;
    }
    const uint8_t* words(const uint8_t* map_value) const { return map_value + words_offset(); }
    uint64_t cpu(const uint8_t* map_key) const
    {
        uint64_t cpu = 0;
        std::memcpy(&cpu, map_key + cpu_offset(), sizeof cpu);
        return cpu;
    }

private:
    uint32_t key_size_, words_size_;
    bool digested_;
};

/// A BPF program and the description of its attachments.
struct ProgramPlan {
    std::string name; ///< symbol of the program's main function
    std::shared_ptr<const AttachPlan> plan;
    std::vector<uint32_t> probes; ///< ids of the probes that the program serves
    /// Whether the program runs no clause, but records the start of entry/return pairs or answers is-enabled checks
    /// (AttachPlan::start_hook, is_enabled_probe).
    bool is_helper = false;
    /// range of indices of the module's functions that belong to the program
    uint32_t first_function = 0, end_function = 0;
    /// index of the dt_tick that counts the program's runs; empty if its runs are not counted
    std::optional<uint32_t> tick;
    /// -x hits, cost, maxcost: index of the counter of the program's first probe; the counters of its other probes
    /// follow.
    uint32_t first_counted = 0;
    /// -x maxcost: whether the program may skip firings and give a higher weight to the other firings
    bool may_sample = false;
    bool keeps_state = false; ///< whether the effect of a firing depends on state that earlier firings have stored
    /// If may_sample is true: whether sampling skips the start and the end of a thread's entry/return pair together.
    bool pairs = false;
    /// Functions between first_function and end_function that contain the program's clauses. If there are no such
    /// functions, the main function contains the clauses.
    std::vector<uint32_t> clause_functions;
};

/// Instruction that reports a fault.
struct FaultPlace {
    uint32_t function = 0; ///< index of the function in the module
    uint32_t statement = 0;
    uint32_t pc = 0; ///< instruction index in the function
    Span at;         ///< expression whose evaluation failed
};

/// Counters that a probe has in a program (-x hits, -x cost).
struct CountedProbe {
    uint32_t probe = 0;
    std::vector<uint32_t> statements; ///< statements that run when the probe fires, in order
    HookKind hook{};
    /// in a program with pairs: whether the probe continues a pair, and its counter therefore includes only firings
    /// whose start was sampled
    bool continues = false;
    std::optional<uint32_t> timing_switch; ///< index in dt_state.timing_switches; empty: each firing is counted
};

/// Counter of program runs that are not firings of the program's probes, such as other system calls (-x cost).
struct CountedOthers {
    HookKind hook{};
    /// Index of the program's timing switch; DT_TIMING_SWITCH_OTHER if the program's own switch is always on.
    uint32_t timing_switch = 0;
};

/// Global number, pointer or string that can be carried over to another run.
struct RestorableGlobal {
    std::string name, type;  ///< name of the variable, and name of its type in messages
    bool is_scratch = false; ///< whether the variable points to scratch memory, which ends with the run
};

struct Schema {
    std::vector<StatementSchema> statements;     ///< schemas of the statements, by statement id
    std::vector<AggregationSchema> aggregations; ///< schemas of the aggregations, by aggregation id
    std::vector<std::string> names;              ///< names that records refer to by id
    /// digest of the source texts of the program: equal digests mean equal programs
    uint64_t program_digest = 0;
    std::vector<ProgramPlan> programs;
    std::vector<FaultPlace> faults;
    std::vector<RestorableGlobal> globals;
    /// -x hits, -x cost: probes that the counters in dt_hits and dt_cost belong to. Both maps contain these counters in
    /// sets: a set for each CPU, or one set for all CPUs.
    std::vector<CountedProbe> counted;
    std::vector<CountedOthers> others; ///< further counters in dt_cost, which follow those of `counted`
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
    std::vector<std::string> names; ///< Schema::names of the earlier objects, to which this object adds names
    std::set<std::string> programs; ///< names of the helper BPF programs that earlier objects contain
};

/// A compiled program: a BPF ELF object, and the data that are needed to interpret its output.
struct Object {
    std::vector<uint8_t> elf;
    Schema schema;
    std::shared_ptr<TypeTable> types; ///< owner of the types to which Datum::type points
};

} // namespace dt
