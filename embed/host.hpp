// A saved object and the engine that runs it, behind the C interface (dtrace_engine.h).
#pragma once

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
        uint64_t memory = 0;                          ///< bytes of maps and data
        uint64_t instructions = 0;                    ///< of one run
        std::function<int(const vm::Sample&)> record; ///< 0, or a negative errno: it is lost
    };
    /// Of an object that serves the kernel as well, what this process runs: probe sites and BEGIN and END.
    static Result<std::unique_ptr<Host>> load(std::span<const uint8_t> elf, Guest guest);

    std::mutex mutex;
    const Description& description() const { return description_; }

    Result<void> fire(const Probe& probe, std::span<const uint64_t> words);
    /// Before the first firing, which does so else: finds the best executor there is.
    Result<void> prepare();
    vm::Executor executor() const { return vm_.executor(); }
    /// Globals are here from now on, which the caller keeps; before prepare(). As many bytes as state_size().
    Result<void> place_state(std::span<uint8_t> memory);
    std::size_t state_size() { return vm_.section(DT_SECTION_STATE).size(); }
    dt_losses losses();
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
    /// Puts a datum where a program looks for it.
    Result<void> put(const Place& place, uint64_t value, std::size_t argument);
    void know_the_moment();
    Result<void> run(const Probe::Use& use, std::span<const uint64_t> words);
    /// A thread as programs see it: self-> variables hang on the task's address.
    struct Thread {
        uint64_t task = 0;
        std::string name;
    };
    const Thread& thread();
    Thread make_thread();

    /// What a program's context is made of: as large as any structure that it may be.
    static constexpr std::size_t kContextSize = 512;
    /// Memory that arguments lie in which a program looks for beside a register, on both sides of where that points.
    static constexpr std::size_t kBeside = 65536;

    Description description_;
    vm::VirtualMachine vm_;
    std::optional<TracerMemory> shared_;
    std::array<uint8_t, kContextSize> context_{};
    std::vector<vm::Entry> entries_; ///< of programs, once the first has fired
    std::vector<uint8_t> beside_;    ///< user memory of such arguments, if there are any
    uint64_t beside_address_ = 0;
    std::span<uint8_t> losses_;     ///< once they were asked for, after prepare()
    std::map<int, Thread> threads_; ///< by number
    Speculations speculations_;
};

} // namespace dt::embed
