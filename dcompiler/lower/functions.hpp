// The small functions many clauses share: claiming scratch, counting losses, fast lanes, ordering strings, elements
// that come and go. Each is a BPF subprogram, by index in the module, made on first use.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/lower/data_sections.hpp"
#include "dcompiler/lower/maps.hpp"

namespace dt::lower {

/// What must be counted when an event is not delivered: offsets into struct dt_losses.
enum class Loss : uint8_t {
    Principal,
    Aggregation,
    Dynamic,
    Speculation,
    SpecUnavailable,
    Nesting,
    DoubleError,
    NoMemory,
    Made, ///< no loss: see struct dt_losses
    Removed
};

class Functions {
public:
    Functions(ModuleState& module, const Layout& layout, DataSections& data, Maps& maps)
        : module_(module), layout_(layout), data_(data), maps_(maps)
    {
    }

    uint32_t lose(Loss loss);
    uint32_t turn();  ///< (): 1 where it is this trace's turn on the CPU (DT_TURNS), else 0
    uint32_t claim(); ///< (): a slot that nobody has on this CPU, its number + 1 in its first word, or 0
    uint32_t slot();  ///< (number + 1): that slot
    /// The slot of that number + 1, which is claimed; to the verifier there may be none.
    ir::Value claimed_slot(ir::Builder& b, ir::Value number, ir::BlockId none);
    /// What a function of bpf-runtime is handed: a number, or a place with so many bytes.
    struct Handed {
        ir::Value value;
        uint32_t size = 0;
    };
    /// Calls a function that the verifier follows for long, apart where all places are in `slot`, which is claimed.
    /// `yields_address`: what comes back is an address, as a number then; else nothing comes back that is of use.
    ir::Value call_long(ir::Builder& b, ir::Value slot, const std::string& name, const std::vector<Handed>& handed,
                        bool yields_address);
    /// (sample), with `has_time` (sample, timestamp): sends a sample of `size` bytes by the fast lane; not 0: it did
    /// not go. None: it is too long for one.
    std::optional<uint32_t> lane(ir::Mem where, uint32_t size, bool has_time);
    /// Wakes the consumer if it rests: behind what it is to see. Who comes by seldom calls ring() instead.
    void wake(ir::Builder& b);
    uint32_t ring();    ///< (): does so, unless somebody else does
    uint32_t knock();   ///< (): wakes the consumer where it does not rest: there is much to read
    uint32_t pid();     ///< (): as bpf_get_current_pid_tgid(), in the tracer's pid namespace
    uint32_t compare(); ///< (a, b): order of two zero-padded strings of string_size() bytes
    /// Puts an element into the map of a dynamic variable; what comes back is not 0 where there is no room.
    ir::Value put(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element, Maps::PutFlags flags);
    void remove(ir::Builder& b, uint32_t map, ir::Value key);
    /// (key, number): makes the element of an associative array, of `width` bytes, or deletes it when the number is 0;
    /// not 0: there was no room, which is counted.
    uint32_t element(uint32_t map, uint8_t width);

    /// (mm, memory, address): where in all memory, which the kernel has from `memory` on, what the address means to the
    /// process of the mm_struct `mm` is, by the kernel's tables; 0: it is not there, or is no ordinary memory. `table`:
    /// where in an mm_struct the address of the first table is. Nothing: these tables cannot be followed here. Whether
    /// it still was there when it was read is the caller's to ask.
    std::optional<uint32_t> page(uint64_t table);

    /// (key, make): place of the element in the shared array of that name (DataSections::shared), which is made where
    /// `make` is not 0 and there is room; else a number beyond all places.
    uint32_t shared_element(const std::string& name, uint32_t value);

    /// After measuring: functions made so far are gone.
    void forget() { made_.clear(); }

private:
    struct Parameter {
        ir::Mem mem = ir::Mem::None;
        uint32_t region = 0;
    };
    template <typename Fill>
    uint32_t once(const std::string& name, const std::vector<Parameter>& parameters, Fill fill);
    /// One that needs only numbers of its callers and returns one: verified once, and not at each of a thousand calls.
    uint32_t once_apart(const std::string& name, const std::function<void(ir::Builder&)>& fill,
                        std::size_t numbers = 0);
    uint32_t compare_part();
    void fill_long(ir::Builder& b, const std::string& name, const std::vector<Handed>& handed,
                   const std::vector<std::optional<int64_t>>& constants, bool yields_address);
    ir::Value make(ir::Builder& b, uint32_t map, ir::Value key, ir::Value element);

    ModuleState& module_;
    const Layout& layout_;
    DataSections& data_;
    Maps& maps_;
    std::map<std::string, uint32_t> made_;
};

} // namespace dt::lower
