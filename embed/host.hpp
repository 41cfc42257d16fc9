// A saved object and the engine that runs it, behind the C interface (dtrace_engine.h).
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "bpf-runtime/abi.h"
#include "bpf-runtime/vm/virtual_machine.hpp"
#include "embed/description.hpp"
#include "embed/records.hpp"
#include "embed/tracer_memory.hpp"

namespace dt::embed {

/// One thread at a time: the caller holds `mutex`.
class Host {
public:
    static Result<std::unique_ptr<Host>> load(std::span<const uint8_t> elf);

    /// What a program that somebody else brings may take of the process, and where what it records goes.
    struct Guest {
        uint64_t memory = 0;                              ///< bytes of maps and data
        uint64_t instructions = 0;                        ///< of one run
        std::function<int(const vm::SampleView&)> record; ///< 0, or a negative errno: it is lost
    };
    /// Of an object that serves the kernel as well, what this process runs: probe sites and BEGIN and END.
    static Result<std::unique_ptr<Host>> load(std::span<const uint8_t> elf, Guest guest);

    std::mutex mutex;
    const Description& description() const { return description_; }

    Result<void> fire(const Probe& probe, std::span<const uint64_t> words);
    /// Before the first firing, which does so else: finds the best executor there is.
    Result<void> prepare();
    vm::Executor executor() const { return vm_.executor(); }
    /// Globals are here from now on, which the caller keeps; before prepare(). As many bytes as state() has.
    Result<void> place_state(std::span<uint8_t> memory);
    /// Likewise of a section that clauses count in, which may be smaller.
    Result<void> place_counters(const std::string& section, std::span<uint8_t> memory);
    std::span<uint8_t> state() { return vm_.section(DT_SECTION_STATE); }
    /// As long as the host is there; null: the object has none, or not where they stay. After prepare().
    const dt_losses* losses() const { return losses_; }
    /// Samples that may be seen, in order; they are gone from here.
    Samples take_samples();
    uint64_t lost();
    /// The variable's bytes; empty: there is none.
    std::span<uint8_t> variable(const Variable& variable);
    /// Null: there is none.
    vm::Map* map(const std::string& name) { return vm_.map(name); }
    Result<void> share(int tracer);

private:
    Host(vm::Image image, Description description);
    /// What a program's context is made of: as large as any structure that it may be.
    static constexpr std::size_t kContextSize = 512;
    /// Memory that arguments lie in which a program looks for beside a register, on both sides of where that points.
    static constexpr std::size_t kBeside = 65536;

    /// Where a datum goes; null: nobody looks for it.
    struct Slot {
        uint8_t* to = nullptr;
        uint32_t size = 0;
    };
    /// A program, once what its description says was looked at.
    struct Ready {
        vm::Entry entry;
        std::string refused; ///< why it cannot run; empty: it can
        Slot selector;
        std::vector<Slot> arguments;
        std::size_t in_kernel = SIZE_MAX; ///< the first argument that nobody here can put where it is looked for
        bool is_alone = true;             ///< no other program's data are where its own go,
        std::size_t given = 0;            ///< so all but the first so many are zeros
        alignas(sizeof(uint64_t)) std::array<uint8_t, kContextSize> context{};
    };
    Result<void> make_ready(const Program& program, Ready& ready);
    std::string find_slot(const Place& place, std::size_t argument, Ready& ready, Slot& slot);
    void know_the_moment();
    bool run(Ready& program, uint64_t selector, std::span<const uint64_t> words);
    /// A thread as programs see it: self-> variables hang on the task's address.
    struct Thread {
        uint64_t task = 0;
        std::string name;
    };
    const Thread& thread();
    Thread make_thread();

    Description description_;
    vm::VirtualMachine vm_;
    std::optional<TracerMemory> shared_;
    std::deque<Ready> ready_;     ///< of programs, once the first has fired; they stay where they are
    std::vector<uint8_t> beside_; ///< user memory of such arguments, if there are any
    uint64_t beside_address_ = 0;
    const dt_losses* losses_ = nullptr;
    std::map<int, Thread> threads_; ///< by number
    bool knows_thread_ = false;     ///< that the virtual machine's environment names
    Speculations speculations_;
};

} // namespace dt::embed
