// Implementation of the C interface (dtrace_engine.h): a saved object and the virtual machine that runs it.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bpf-runtime/abi.h"
#include "engine/embed/description.hpp"
#include "engine/embed/dtrace_engine.h"
#include "engine/program/maps.hpp"
#include "engine/vm/virtual_machine.hpp"

namespace dt::embed {

// Conversion of samples to records with values, and release of speculative records on commit.

using Samples = std::vector<vm::Sample>;

/// Values of a record, and the memory of its strings. Data that would lie outside of the sample's bytes are skipped.
class Values {
public:
    void read(const std::vector<Datum>& data, std::span<const uint8_t> bytes, const std::vector<std::string>& names);
    void add(int64_t number, dt_value_kind kind);
    const std::vector<dt_value>& list();

private:
    std::vector<dt_value> values_;
    std::vector<std::string> texts_; ///< characters of string values; values_[i] points into element i
};

/// Samples of unfinished speculations.
class Speculations {
public:
    /// Appends to `seen`, in order, all samples except those of unfinished speculations, which are stored until the
    /// speculation ends.
    void sort(Samples samples, const Description& description, Samples& seen);

private:
    void end(const vm::Sample& sample, const Statement& statement, Samples& seen);

    std::map<uint32_t, Samples> open_; ///< samples of unfinished speculations, by serial number
};

/// Calls `each` for every record of a sample. Returns the number of records.
long for_each_record(const vm::Sample& sample, const Description& description, void (*each)(const dt_record*, void*),
                     void* context);

// Access to the global variables of a dtrace run in another process.

/// A mapping of the tracer's global variables, which the destructor removes.
class TracerMemory {
public:
    /// Maps the section DT_SECTION_STATE of the run in process `tracer`. Its globals must have the names and locations
    /// of `description`. Needs CAP_SYS_ADMIN, to open maps by id, and permission to inspect the process.
    static Result<TracerMemory> find(int tracer, const Description& description, std::size_t size);

    TracerMemory(TracerMemory&& other) noexcept;
    TracerMemory& operator=(TracerMemory&&) = delete;
    ~TracerMemory();

    std::span<uint8_t> bytes() const { return bytes_; }

private:
    explicit TracerMemory(std::span<uint8_t> bytes) : bytes_(bytes) {}
    std::span<uint8_t> bytes_;
};

/// A loaded object. Not thread-safe: callers must hold `mutex`.
class EngineHost {
public:
    static Result<std::unique_ptr<EngineHost>> load(std::span<const uint8_t> elf);

    /// Limits and output of a program that a tracer brings into this process.
    struct Guest {
        uint64_t memory = 0;       ///< maximum size in bytes of the program's maps and data sections together
        uint64_t instructions = 0; ///< maximum number of instructions that one run of a program executes
        /// Receives the records; returns 0, or a negative errno if the record is lost.
        std::function<int(const vm::SampleView&)> record;
    };
    /// Loads the part of an object that this process runs: programs of probe sites, BEGIN and END. The kernel runs the
    /// other programs.
    static Result<std::unique_ptr<EngineHost>> load(std::span<const uint8_t> elf, Guest guest);

    std::mutex mutex;
    const Description& description() const { return description_; }

    Result<void> fire(const Probe& probe, std::span<const uint64_t> words);
    /// Selects and prepares the fastest available executor: machine code, threaded code or the interpreter. Without
    /// this call, the first firing does it.
    Result<void> prepare();
    vm::Executor executor() const { return vm_.executor(); }
    /// Makes the program keep its global variables in the caller's memory, whose size must be that of state(). Call it
    /// before prepare().
    Result<void> place_state(std::span<uint8_t> memory);
    /// Makes the program use the caller's memory in place of one of its counter sections. The memory may be larger than
    /// the section.
    Result<void> place_counters(const std::string& section, std::span<uint8_t> memory);
    std::span<uint8_t> state() { return vm_.section(DT_SECTION_STATE); }
    /// Returns the loss counters, which are valid as long as this object; null if the object has none at a fixed
    /// address. Call it after prepare().
    const dt_losses* losses() const { return losses_; }
    /// Removes and returns, in order, the samples of the buffers, except those of unfinished speculations.
    Samples drain_samples();
    uint64_t lost();
    /// Returns the variable's bytes, or an empty span if the variable does not exist.
    std::span<uint8_t> variable(const Variable& variable);
    /// Returns the map, or null if it does not exist.
    vm::Map* map(const std::string& name) { return vm_.map(name); }
    Result<void> share(int tracer);

private:
    EngineHost(vm::Image image, Description description);
    /// Size of a program's context, sufficient for every context structure.
    static constexpr std::size_t kContextSize = 512;
    /// Number of accessible bytes below and above an address in a register, for arguments that programs read from
    /// memory.
    static constexpr std::size_t kBeside = 65536;

    /// Memory into which the engine copies a value before a run, such as a probe argument; null if the program does not
    /// read it.
    struct Slot {
        uint8_t* to = nullptr;
        uint32_t size = 0;
    };
    /// A loaded program, with the resolved locations of its arguments.
    struct Ready {
        vm::Entry entry;
        std::string refused; ///< reason why the program cannot run here; empty if it can
        Slot selector;
        std::vector<Slot> arguments;
        /// Index of the first argument that the program expects in kernel memory; SIZE_MAX: none.
        std::size_t in_kernel = SIZE_MAX;
        bool is_alone = true;  ///< whether no other program's arguments use the program's argument slots
        std::size_t given = 0; ///< if is_alone: number of argument slots that the last firing filled; all others are 0
        alignas(sizeof(uint64_t)) std::array<uint8_t, kContextSize> context{};
    };
    Result<void> make_ready(const Program& program, Ready& ready);
    std::string find_slot(const ArgumentSource& place, std::size_t argument, Ready& ready, Slot& slot);
    void update_environment();
    bool run(Ready& program, uint64_t selector, std::span<const uint64_t> words);
    /// A thread as programs see it. self-> variables are stored under the task's address.
    struct Thread {
        uint64_t task = 0;
        std::string name;
    };
    const Thread& thread();
    Thread make_thread();

    Description description_;
    vm::VirtualMachine vm_;
    std::optional<TracerMemory> shared_;
    /// prepared programs, by program index; filled by prepare(); a deque, because the addresses must stay valid
    std::deque<Ready> ready_;
    /// memory for arguments that programs read through a pointer; empty if no program reads any
    std::vector<uint8_t> argument_memory_;
    uint64_t beside_address_ = 0;
    const dt_losses* losses_ = nullptr;
    std::map<int, Thread> threads_; ///< the state of each thread; the keys are thread ids
    bool knows_thread_ = false;     ///< whether the virtual machine's environment already describes the current thread
    Speculations speculations_;
};

} // namespace dt::embed
