// Schema of the recorded data, by which the consumer decodes records: one schema per statement and aggregation, and the
// attach plan of each program.
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
        Name,     ///< u32: index into Schema::names; the name is printed (probefunc, …)
        Stack,    ///< frames of a kernel stack as u64, ended by 0
        /// u64 process id, then frames of a user stack as u64, ended by 0. Also a stack as a D value, where id 0 means
        /// a kernel stack.
        UserStack,
        /// u64 kernel address. The member `address` determines the printed form, unless another word of the record
        /// does.
        Symbol,
        UserSymbol, ///< u64 process id, u64 address; the printed form is as for Symbol
        Cgroup,     ///< u64 id of a control group; printed as its name or a part of it, as `part` says
        Converted,  ///< s64 number; the consumer converts it to text as `conversion` says
    } kind = Kind::Unsigned;
    uint32_t offset = 0; ///< offset in bytes from the start of the record's data, or of an aggregation's key
    uint32_t size = 0;
    enum class Address : uint8_t { Symbol, Module, Exact } address = Address::Symbol;
    enum class Part : uint8_t { Unit, ContainerId, ContainerName, PodName, PodNamespace } part = Part::Unit;
    /// Conversion of a recorded number to text. Time: ns since the epoch, in the format Schema::names[constant]. User,
    /// Group: name of an id. Enumerator: name of a value; Schema::names[constant] is the enumeration: its size in
    /// bytes, then a line "VALUE NAME" for each enumerator.
    enum class Conversion : uint8_t { Time, User, Group, Enumerator } conversion = Conversion::Time;
    uint32_t constant = 0;
    const Type* type = nullptr; ///< D type of the datum, used by print() and in messages
    /// Maximum number of characters or frames that an option sets; a datum with that many may be truncated. 0: no
    /// limit.
    uint32_t limit = 0;
};

/// Data that one action records, in the order in which they are written.
struct Record {
    const Action* action = nullptr; ///< action that wrote the record; null if no action did
    std::vector<Datum> data;
    std::string format; ///< format string of printf, printa, system, freopen
    bool has_format = false;
    std::vector<uint32_t> aggregations; ///< ids of the aggregations of printa, clear, trunc, normalize, denormalize
    /// A bit of the sample's guard word shows whether the action ran. Number of this bit; -1 if the action always runs.
    int guard = -1;
    std::vector<std::string> texts; ///< arguments of setopt, if all are constant
};

/// Thread that fired the probe, as a sample contains it.
struct RecordedThread {
    uint32_t pid = 0, tid = 0;
    char name[16] = {}; ///< thread name, ended by a NUL
};

struct StatementSchema {
    uint32_t id = 0;
    std::string clause;     ///< probe description as written in the program
    uint32_t data_size = 0; ///< number of bytes of data that follow struct dt_sample
    int guard_offset = -1;  ///< offset in the data of the word that shows which records exist; -1: none
    /// Offset of the struct RecordedThread in the sample's data (CompileOptions::records_threads); -1: absent.
    int thread_offset = -1;
    bool prints_line = true; ///< whether a firing prints a line; false for a statement with only commit() or discard()
    bool speculative = false;
    std::vector<Record> records;
    /// ids of other statements of the same clause, whose code runs in place of this one's in some programs
    std::set<uint32_t> code_of;

    /// Returns whether samples of the statement only discard speculations: they print nothing and do not change what
    /// other samples print.
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
    std::vector<Datum> keys; ///< formats of the keys; offsets are relative to the tuple of keys
    uint32_t key_size = 0;   ///< size of the tuple of keys in bytes; 0: no keys
    /// Number of 64-bit words in a value (dtrace-aggregations(7), FUNCTIONS; abi.h defines how min and max are stored).
    uint32_t words = 0;
    /// Name of the map with the aggregation's values. With keys, it is a per-CPU hash map. Without keys, it is a
    /// per-CPU array with one element or, for large values, an array with one element per CPU.
    std::string map;
    /// With keys: whether other aggregations use the same map. Each key then begins with the aggregation's id.
    bool shared = false;
    /// With keys: whether the keys are too long for the kernel's hash maps and are replaced by digests. The map is then
    /// a hash map with an element for each key and CPU (CpuElements).
    bool digested = false;
    /// With keys: name of a second per-CPU hash map, for short keys: those whose bytes after the first `short_key_size`
    /// are 0. Empty if there is none.
    std::string short_keys_map;
    uint32_t short_key_size = 0;
    /// With keys: name of the map of maps with the overflow map, which takes keys that find no room. Empty: the
    /// aggregation cannot grow.
    std::string overflow_map;
    /// without keys: offset of the word `touched` in the map's value, which shows that the aggregation has a value; the
    /// words of the value follow it
    uint32_t offset = 0;
    bool may_be_estimated = false;  ///< -x maxcost: whether firings may have weights, so values are estimates
    std::set<uint32_t> weighted_by; ///< -x maxcost: ids of the statements that add weighted values to the aggregation
    Metric metric;
};

/// Layout of the elements of a hash with an element for each key of an aggregation and each CPU, such as an overflow
/// map. The key of an element is the aggregation's key, then the CPU number in 8 bytes. If the aggregation's key is too
/// long, the element's key has a digest instead, and the element's value begins with the aggregation's key.
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
    /// Return the parts of an element: the aggregation's key with key_size() bytes, the words of its value, the CPU.
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

/// A BPF program and how it is attached.
struct ProgramPlan {
    std::string name; ///< symbol of the program's main function in the ELF file
    std::shared_ptr<const AttachPlan> plan;
    std::vector<uint32_t> probes; ///< ids of the probes of the program
    /// Whether the program runs no clause, but records the start of entry/return pairs or answers the question of a
    /// process whether probes are enabled (AttachPlan::start_hook, is_enabled_probe).
    bool is_helper = false;
    /// indices of the first of the program's functions in the module, and of the one behind the last
    uint32_t first_function = 0, end_function = 0;
    /// index of the dt_tick with the number of the program's runs; empty if runs are not counted
    std::optional<uint32_t> tick;
    /// -x hits, cost, maxcost: index of the counter of the program's first probe. The counters of its other probes
    /// follow.
    uint32_t first_counted = 0;
    /// -x maxcost: whether sampling may skip firings of the program; the executed ones then have a higher weight
    bool may_sample = false;
    bool keeps_state = false; ///< whether firings depend on state that earlier firings have stored
    /// If may_sample is true: whether sampling skips or executes entry/return pairs as a whole.
    bool pairs = false;
    /// Indices of those of the program's functions that contain clauses. If there are none, the main function contains
    /// the clauses.
    std::vector<uint32_t> clause_functions;
};

/// Position of an instruction that reports a fault.
struct FaultPlace {
    uint32_t function = 0; ///< index of the function in the module
    uint32_t statement = 0;
    uint32_t pc = 0; ///< instruction index in the function
    Span at;         ///< position of the expression that causes the fault
};

/// Counters of one probe in one program (-x hits, -x cost).
struct CountedProbe {
    uint32_t probe = 0;
    std::vector<uint32_t> statements; ///< ids of the statements that run when the probe fires, in order
    HookKind hook{};
    /// whether the probe continues an entry/return pair; its counter then includes only firings whose entry was sampled
    bool continues = false;
    std::optional<uint32_t> timing_switch; ///< index in dt_state.timing_switches; empty: every firing is counted
};

/// Counter for runs of a program in which none of its probes fires, for example at other system calls (-x cost).
struct CountedOthers {
    HookKind hook{};
    /// Index of the program's timing switch, which turns timing off. DT_TIMING_SWITCH_OTHER if the program's own switch
    /// is always on.
    uint32_t timing_switch = 0;
};

/// A global number, pointer or string whose value a later trace can continue with.
struct RestorableGlobal {
    std::string name, type;  ///< name of the variable, and its type as text for messages
    bool is_scratch = false; ///< whether the variable points to scratch memory, which ends with the trace
};

struct Schema {
    std::vector<StatementSchema> statements;     ///< schemas of the statements, by statement id
    std::vector<AggregationSchema> aggregations; ///< schemas of the aggregations, by aggregation id
    std::vector<std::string> names;              ///< names to which records refer by index
    /// digest of the program's source texts, by which traces of the same program are recognized
    uint64_t program_digest = 0;
    std::vector<ProgramPlan> programs;
    std::vector<FaultPlace> faults;
    std::vector<RestorableGlobal> globals;
    /// -x hits, -x cost: the probe of each counter in dt_hits and dt_cost. Both contain the counters once for each CPU,
    /// or once for all CPUs; each copy is a set.
    std::vector<CountedProbe> counted;
    std::vector<CountedOthers> others; ///< counters that follow those of `counted` in dt_cost
    uint32_t hit_sets = 0;             ///< sets of counters in dt_hits: number of CPUs, or 1 if all share a set
    /// in dt_hits, number of sets of the clauses' counters: number of CPUs, or 1 if all CPUs share a set
    uint32_t clause_hit_sets = 0;
    uint32_t cost_sets = 0; ///< number of sets of counters in dt_cost: number of CPUs, or 1 if all share a set
    /// number of sets of counters in dt_sampling: number of CPUs, or 1 if all CPUs share a set
    uint32_t sampling_sets = 0;
    std::vector<uint32_t> error_functions; ///< indices in the module of the functions with ERROR clauses
    uint32_t largest_sample = 0;           ///< size in bytes of the largest sample, with its header
    uint32_t scratch_size = 0;             ///< bytes of a scratch slot (memory of a firing); 0: none
    bool destructive = false;
    bool kernel_stacks = false; ///< whether the object uses dt_state.tracer_frames or dt_state.test_run_frames
};

/// A trace can have several objects, compiled one after the other: probes of libraries that are mapped later are in
/// further objects, which use the maps of the first. The layout of data is the same in all of them, because it depends
/// on the whole program and not on the clauses in an object.
struct ObjectParts {
    bool may_follow = false;        ///< whether the trace may get further objects after this one
    bool is_later = false;          ///< whether the trace already has earlier objects
    std::vector<std::string> names; ///< names (Schema::names) of earlier objects; this object appends its own
    std::set<std::string> programs; ///< names of programs without clauses that earlier objects contain
};

/// A compiled program: a BPF ELF object, and the data by which its output is interpreted.
struct Object {
    std::vector<uint8_t> elf;
    Schema schema;
    std::shared_ptr<TypeTable> types; ///< owner of the types to which Datum::type points
};

} // namespace dt
