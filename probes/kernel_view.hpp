// What providers know of the kernel they work for. The live one reads the running kernel (libdtrace/world), tests
// freeze one; providers are the same over both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.hpp"
#include "dcompiler/sema/kernel_types.hpp"
#include "probes/process_view.hpp"

namespace dt::probes {

/// A tracepoint of which the kernel can write a record: "sched", "sched_switch".
struct TraceEvent {
    std::string group, name;
};

/// A function as the kernel lists it: clones that the compiler made ("foo.isra.0") by their own names.
struct KernelFunction {
    std::string_view name, module; ///< valid as long as the view
};

/// Of struct perf_event_attr (perf_event_open(2)).
struct PerfEvent {
    uint32_t type = 0;
    uint64_t config = 0;
};

class KernelView {
public:
    using VisitSymbol = std::function<void(std::string_view module, std::string_view name, uint64_t address)>;

    virtual ~KernelView() = default;

    /// That the kernel runs on.
    virtual const machine::Machine& machine() const { return machine::native(); }

    /// Whether the kernel has a system call; asked only for those that not every supported kernel has.
    virtual bool has_syscall(std::string_view name) = 0;
    /// Do 32-bit programs run here?
    virtual bool has_narrow_syscalls() { return false; }

    /// Types, functions and tracepoints by the kernel's own word; null: it has no type information.
    virtual KernelTypes* types() = 0;

    /// Whether programs can be attached to functions at all.
    virtual bool has_kprobes() = 0;
    /// The functions that programs can be attached to, sorted by name; empty: the kernel does not tell. The first
    /// question reads the list.
    virtual std::span<const KernelFunction> traceable() = 0;
    /// Every function that the kernel knows where it is, in no order; none where it hides its addresses. What the
    /// kernel frees when it has started is left out. With `names`, without dots: those that are called so and their
    /// clones are enough, others may come too, each once.
    virtual void for_each_symbol(const VisitSymbol& visit, std::span<const std::string_view> names = {}) = 0;
    /// -x fbtall: patterns mean functions too that they had better leave alone.
    virtual bool wants_all_functions() { return false; }

    /// Of a function or variable of the core kernel; 0: there is none, or addresses are hidden. Each question reads the
    /// list of symbols.
    virtual uint64_t symbol_address(std::string_view name) = 0;

    /// Why perf_event_open(2) does not count an event on any CPU: an errno, or 0.
    virtual int event_error(uint32_t type, uint64_t config) = 0;

    /// Which event of perf a name of this model of processor means, as its vendor's manual has it, unit mask behind a
    /// dot: "inst_retired.any_p". Empty: there is none, or nobody here knows such names.
    virtual std::optional<PerfEvent> processor_event(std::string_view) { return {}; }
    using VisitName = std::function<void(std::string_view)>;
    /// All such names, in lower case, without unit masks.
    virtual void for_each_processor_event(const VisitName&) {}

    /// Those that are there, without system calls and what was defined while the kernel ran. Empty: there is no
    /// tracefs, or it may not be read. The first question reads the list.
    virtual const std::vector<TraceEvent>& trace_events() = 0;
    /// Its number, by which a perf event means it: the same for a boot (a module's: while it is loaded).
    virtual std::optional<uint32_t> trace_event_number(const TraceEvent& event) = 0;
    /// The text that tells the fields of its record; empty when it cannot be read.
    virtual std::string trace_event_format(const TraceEvent& event) = 0;

    virtual ProcessView& processes() = 0;
    /// Does a probe on a nop of five bytes overwrite what a leaf function keeps below its stack pointer? The first
    /// question tries it, in some 50 ms.
    virtual bool uprobes_clobber_red_zone() { return false; }
};

} // namespace dt::probes
