// Small functions that many clauses share: claiming scratch slots, counting losses, mmap rings, ordering strings, and
// elements of dynamic variables. Each is a BPF subprogram, given by its index in the module and created at its first
// use. ModuleLowering combines them with the module's maps and data.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/lower/core/maps.hpp"

namespace dt::lower {

/// Counters of undelivered events, which are members of struct dt_losses.
enum class Loss : uint8_t {
    Principal,
    Aggregation,
    Dynamic,
    Speculation,
    SpecUnavailable,
    Nesting,
    DoubleError,
    NoMemory,
    Created, ///< a created variable is not a loss, but struct dt_losses counts it too
    Deleted
};

class Functions {
public:
    Functions(ModuleState& module, const Layout& layout, DataSections& data, Maps& maps)
        : module_(module), layout_(layout), data_(data), maps_(maps)
    {
    }

    uint32_t count_loss(Loss loss);
    /// function without parameters: returns 1 if this CPU belongs to this trace and not to another one in a handover,
    /// else 0
    uint32_t is_active_epoch();
    /// Function without parameters: returns a free scratch slot of this CPU, or 0. The first word of the slot is the
    /// slot's index + 1.
    uint32_t claim();
    /// returns a function whose parameter is a slot's index + 1 and whose result is the slot's address
    uint32_t slot();
    /// Yields the address of the claimed slot; `number` is the slot's index + 1. Control never goes to `none`, but the
    /// verifier requires the branch.
    ir::Value claimed_slot(ir::Builder& b, ir::Value number, ir::BlockId none);
    /// Argument of a bpf-runtime function: a number, or the address of `size` bytes.
    struct RuntimeArgument {
        ir::Value value;
        uint32_t size = 0;
    };
    /// Calls a function whose verification takes long. If all addresses are in the claimed slot `slot`, the call goes
    /// through a separately verified function. `yields_address` means that the result is an address, as a number;
    /// otherwise the result is unused.
    ir::Value call_long(ir::Builder& b, ir::Value slot, const std::string& name,
                        const std::vector<RuntimeArgument>& handed, bool yields_address);
    /// Returns a function that sends a sample of `size` bytes through the mmap ring, or nothing if the sample is too
    /// long for a ring. The function's parameters are the sample and, with `has_time`, its time; the function yields 0
    /// on success.
    std::optional<uint32_t> mmap_ring(ir::Mem where, uint32_t size, bool has_time);
    /// Wakes an idle consumer after data was written for it. Code that rarely runs may call wake_reader() directly.
    void wake(ir::Builder& b);
    /// function without parameters: wakes a sleeping consumer, unless another program is doing so
    uint32_t wake_reader();
    /// function without parameters: wakes the consumer even if it does not sleep, because the ring is filling up
    uint32_t force_wakeup();
    /// function without parameters: returns bpf_get_current_pid_tgid() for the tracer's pid namespace
    uint32_t pid();
    uint32_t compare(); ///< function of two zero-padded strings of string_size() bytes: returns their order
    /// Puts an element into the map of a dynamic variable. Yields a non-zero value if there is no room.
    ir::Value put(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element, Maps::PutFlags flags);
    void remove(ir::Builder& b, uint32_t map, ir::Value key);
    /// Function of a key and a number: creates the element of an associative array with `width` bytes, or deletes it if
    /// the number is 0. Yields a non-zero value if there was no room, which is counted.
    uint32_t element(uint32_t map, uint8_t width);

    /// Function of three numbers (mm, memory, address): follows the kernel's page tables for an address of a process.
    /// `mm` is the process's mm_struct; `table` is the offset in mm_struct of the first table's address. `memory` is
    /// where the kernel maps all memory. Returns the kernel address of the same byte in that mapping, or 0 if the page
    /// is absent or not ordinary memory. No function exists if the tables of this machine are not supported. After
    /// reading, the caller must check that the page is still mapped.
    std::optional<uint32_t> page(uint64_t table);

    /// Function of `key` and `make`: returns the slot number of the element in the named shared array
    /// (DataSections::shared). If `make` is not 0 and a slot is free, a missing element is created. If the element is
    /// missing and not created, the result is greater than every valid slot number.
    uint32_t shared_element(const std::string& name, uint32_t value);

    /// Yields the value of the thread with this struct task_struct in a map of Maps::per_thread(), or 0 if it has none.
    /// With `create`, a missing value is created with zeros; 0 then means that there is no room.
    ir::Value of_thread(ir::Builder& b, uint32_t map, ir::Value task, uint32_t size, bool create);

    // Atomic operations that need the old value of a word (atomics.cpp).

    /// Stores a value in a word that only programs on this CPU change; a program that interrupts another one restores
    /// the word before it ends. Yields the old value.
    ir::Value exchange_on_cpu(ir::Builder& b, ir::Value word, ir::Value value);
    /// Emits code that must not run nested on one CPU, which could happen when a program interrupts another one. If the
    /// code is already running, control goes to `otherwise`. `map` contains a word per CPU (Maps::per_cpu).
    void once_on_cpu(ir::Builder& b, uint32_t map, ir::BlockId otherwise, const std::function<void()>& run);
    /// Removes the serial number from a speculation's state if it is still there. Yields `serial` for exactly one of
    /// the programs that try, else another number.
    ir::Value end_speculation(ir::Builder& b, ir::Value state, ir::Value serial);

    /// Discards the functions that the measuring runs have created.
    void forget() { made_.clear(); }

private:
    struct Parameter {
        ir::Mem mem = ir::Mem::None;
        uint32_t region = 0;
    };
    /// Creates a function at its first use. Functions that its code calls must already exist, because the vector of
    /// functions moves when one is added.
    template <typename Fill>
    uint32_t once(const std::string& name, const std::vector<Parameter>& parameters, Fill fill);
    /// Creates a function with only numbers as parameters and result. The verifier checks it once and not at each call.
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
// created at its first use, so that a script pays only for the ones that it uses.

/// The order of the members matters: each member uses only members that are declared above it.
struct ModuleLowering : ModuleState {
    explicit ModuleLowering(ModuleState state) : ModuleState(std::move(state)) {}

    Layout layout{*this};
    DataSections data{*this, layout};
    Maps maps{*this, layout};
    Functions functions{*this, layout, data, maps};
};

} // namespace dt::lower
