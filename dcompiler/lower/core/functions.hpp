// Small functions that many clauses share: they claim scratch slots (memory of a firing), count losses, write to mmap
// rings, order strings, and create elements of dynamic variables. Each is a BPF subprogram, given by its index in the
// module and created at its first use. ModuleLowering combines them with the module's maps and data.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/lower/core/maps.hpp"

namespace dt::lower {

/// Counters of events that the consumer will not receive: members of struct dt_losses.
enum class Loss : uint8_t {
    Principal,
    Aggregation,
    Dynamic,
    Speculation,
    SpecUnavailable,
    Nesting,
    DoubleError,
    NoMemory,
    Created, ///< not a loss, but a created variable, which struct dt_losses counts too
    Deleted
};

class Functions {
public:
    Functions(ModuleState& module, const Layout& layout, DataSections& data, Maps& maps)
        : module_(module), layout_(layout), data_(data), maps_(maps)
    {
    }

    uint32_t count_loss(Loss loss);
    /// function without parameters, for a handover between two traces (DT_HANDOVER): returns 1 if this trace serves
    /// this CPU, 0 if the other one does
    uint32_t is_active_epoch();
    /// Function without parameters: returns a free scratch slot of this CPU, or 0. The first word of the slot is the
    /// slot's index + 1.
    uint32_t claim();
    /// function with a parameter, a slot's index + 1; it returns the slot's address
    uint32_t slot();
    /// Yields the address of the claimed scratch slot; `number` is its index + 1. Control never goes to `none`, but the
    /// verifier requires the branch.
    ir::Value claimed_slot(ir::Builder& b, ir::Value number, ir::BlockId none);
    /// Argument of a bpf-runtime function: a number, or the address of `size` bytes.
    struct RuntimeArgument {
        ir::Value value;
        uint32_t size = 0;
    };
    /// Calls a function of bpf-runtime whose verification takes long. If all addresses are in the claimed slot `slot`,
    /// the call goes through a separately verified function. `yields_address` means that the result is an address, as a
    /// number; otherwise the result is unused.
    ir::Value call_long(ir::Builder& b, ir::Value slot, const std::string& name,
                        const std::vector<RuntimeArgument>& handed, bool yields_address);
    /// Returns a function that sends a sample of `size` bytes through the mmap ring, or nothing if the sample is too
    /// long for a ring. The function's parameters are the sample and, with `has_time`, its time; the function yields 0
    /// on success.
    std::optional<uint32_t> mmap_ring(ir::Mem where, uint32_t size, bool has_time);
    /// Emits code that wakes the consumer of an idle trace when there is data for it. Rarely executed code may call
    /// wake_reader() directly.
    void wake(ir::Builder& b);
    /// function without parameters: wakes a sleeping consumer, unless another program is doing so
    uint32_t wake_reader();
    /// function without parameters: wakes the consumer even if it is awake, because the ring is filling up
    uint32_t force_wakeup();
    /// function without parameters: returns process id << 32 | thread id, like bpf_get_current_pid_tgid(), but in the
    /// tracer's pid namespace
    uint32_t pid();
    uint32_t compare(); ///< function of two zero-padded strings with string_size() bytes each; returns their order
    /// Puts an element into the map of a dynamic variable. Yields a non-zero value if the map has no room.
    ir::Value put(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element, Maps::PutFlags flags);
    void remove(ir::Builder& b, uint32_t map, ir::Value key);
    /// Function of a key and a number: creates the element of an associative array with `width` bytes, or deletes it if
    /// the number is 0. Yields a non-zero value if there was no room, which is counted.
    uint32_t element(uint32_t map, uint8_t width);

    /// Returns a function that finds the memory of a process through the kernel's page tables, or nothing if the tables
    /// of this machine are not supported. `table` is the offset in mm_struct of the first table's address.
    ///
    /// The parameters of the returned function are `mm` (the process's mm_struct), `memory` (where the kernel maps all
    /// memory) and an address. The function returns the kernel address of the same byte, or 0 if the page is absent or
    /// not ordinary memory. After reading, its caller must check that the page is still mapped.
    std::optional<uint32_t> page(uint64_t table);

    /// Function of `key` and `make`: returns the slot number of an element of an array of -x sharedvars
    /// (DataSections::shared). If `make` is not 0 and a slot is free, a missing element is created. If the element is
    /// missing and not created, the result is greater than every valid slot number.
    uint32_t shared_element(const std::string& name, uint32_t value);

    /// Yields the address of a thread's value in a map of Maps::per_thread(), or 0 if there is none; `task` is the
    /// thread's struct task_struct. With `create`, a missing value is created with zeros; 0 then means that there is no
    /// room.
    ir::Value of_thread(ir::Builder& b, uint32_t map, ir::Value task, uint32_t size, bool create);

    // Atomic operations that need the old value of a word (atomics.cpp).

    /// Stores a value in a word that only programs on this CPU change. If another program interrupts this one, it
    /// restores the word before it ends. Yields the old value.
    ir::Value exchange_on_cpu(ir::Builder& b, ir::Value word, ir::Value value);
    /// Emits code that must not be interrupted by another execution of itself on the same CPU. If it is already running
    /// on the CPU, control goes to `otherwise`. `map` contains a word per CPU (Maps::per_cpu).
    void once_on_cpu(ir::Builder& b, uint32_t map, ir::BlockId otherwise, const std::function<void()>& run);
    /// Ends a speculation: removes its serial number from the state if it is still there. If several programs try, only
    /// one gets `serial` as the result; the others get another number.
    ir::Value end_speculation(ir::Builder& b, ir::Value state, ir::Value serial);

    /// Discards the functions that were created while statements were measured.
    void forget() { made_.clear(); }

private:
    struct Parameter {
        ir::Mem mem = ir::Mem::None;
        uint32_t region = 0;
    };
    /// Creates a function at its first use. Functions that the new function calls must already exist, because creating
    /// a function moves the others in memory.
    template <typename Fill>
    uint32_t once(const std::string& name, const std::vector<Parameter>& parameters, Fill fill);
    /// Creates a function whose parameters and result are all numbers. The verifier checks such a function once, not at
    /// each call.
    uint32_t once_separate(const std::string& name, const std::function<void(ir::Builder&)>& fill,
                           std::size_t numbers = 0);
    uint32_t compare_part();
    uint32_t end_speculation_by_lock();
    void send_wakeup(ir::Builder& b, ir::Value state, uint32_t wakeup_ring, ir::Value from, ir::BlockId others);
    void fill_long(ir::Builder& b, const std::string& name, const std::vector<RuntimeArgument>& handed,
                   const std::vector<std::optional<int64_t>>& constants, bool yields_address);
    ir::Value make(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element);

    ModuleState& module_;
    const Layout& layout_;
    DataSections& data_;
    Maps& maps_;
    std::map<std::string, uint32_t> made_;
};

template <typename Fill>
uint32_t Functions::once(const std::string& name, const std::vector<Parameter>& parameters, Fill fill)
{
    auto& functions = module_.out.module.functions;
    const auto [known, fresh] = made_.try_emplace(name, static_cast<uint32_t>(functions.size()));
    if (fresh) {
        ir::Function& f = functions.emplace_back();
        f.name = name;
        f.params = static_cast<uint32_t>(parameters.size());
        for (const Parameter& parameter : parameters) {
            f.param_mem.push_back(parameter.mem);
            f.param_region.push_back(parameter.region);
        }
        ir::Builder b(f);
        fill(b);
    }
    return known->second;
}

// Module under construction: the layout, and the maps, data and small shared functions. Each map, datum or function is
// created at its first use, so that an object contains only what its script uses.

/// The order of the members matters: each may refer to members above it, but not to those below.
struct ModuleLowering : ModuleState {
    explicit ModuleLowering(ModuleState state) : ModuleState(std::move(state)) {}

    Layout layout{*this};
    DataSections data{*this, layout};
    Maps maps{*this, layout};
    Functions functions{*this, layout, data, maps};
};

} // namespace dt::lower
