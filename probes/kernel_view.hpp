// Interface through which providers read facts about the kernel. libdtrace/session implements it for the running
// kernel, and tests implement it for a kernel with fixed data.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/interface/kernel_types.hpp"
#include "machine/machine.hpp"
#include "probes/process_view.hpp"

namespace dt::probes {

/// A tracepoint for which the kernel can write a record. Example: group "sched", name "sched_switch".
struct TraceEvent {
    std::string group, name;
};

/// A function in the kernel's list; compiler-made clones ("foo.isra.0") have their own names.
struct KernelFunction {
    std::string_view name, module; ///< the strings are valid as long as the KernelView exists
};

/// Values for struct perf_event_attr (perf_event_open(2)).
struct PerfEvent {
    uint32_t type = 0;
    uint64_t config = 0;
};

class KernelView {
public:
    using VisitSymbol = std::function<void(std::string_view module, std::string_view name, uint64_t address)>;

    virtual ~KernelView() = default;

    /// Returns the machine that the kernel runs on.
    virtual const machine::Machine& machine() const { return machine::native(); }

    /// Returns whether the kernel has a system call. Called only for system calls that some supported kernels lack.
    virtual bool has_syscall(std::string_view name) = 0;
    /// Returns whether 32-bit programs can run.
    virtual bool has_compat_syscalls() { return false; }

    /// Returns the kernel's types, functions and tracepoints; null if it has no type information.
    virtual KernelTypes* types() = 0;

    /// Returns whether programs can be attached to kernel functions.
    virtual bool has_kprobes() = 0;
    /// Returns the functions that programs can be attached to, sorted by name; empty if unknown. The first call reads
    /// the list.
    virtual std::span<const KernelFunction> traceable() = 0;
    /// Calls `visit` for every function with a known address, in any order. Visits no function if the kernel hides
    /// addresses, and no functions that are freed after boot. If `names` is not empty, only functions with these names
    /// (without dots) and their clones must be visited. Other functions may be visited too, each once.
    virtual void for_each_symbol(const VisitSymbol& visit, std::span<const std::string_view> names = {}) = 0;
    /// Returns whether patterns also match harmful and useless functions (-x fbtall).
    virtual bool wants_all_functions() { return false; }

    /// Returns the address of a function or variable of the core kernel; 0 if it does not exist or addresses are
    /// hidden. Each call reads the list of symbols.
    virtual uint64_t symbol_address(std::string_view name) = 0;

    /// Returns 0 if perf_event_open(2) can count the event on some CPU, else the errno.
    virtual int event_error(uint32_t type, uint64_t config) = 0;

    /// Returns the perf event for a name in the vendor's manual for this processor model; a dot separates the unit
    /// mask: "inst_retired.any_p". Returns nothing for unknown names.
    virtual std::optional<PerfEvent> processor_event(std::string_view) { return {}; }
    using VisitName = std::function<void(std::string_view)>;
    /// Calls the visitor for all names that processor_event() accepts, in lower case and without unit masks.
    virtual void for_each_processor_event(const VisitName&) {}

    /// Returns the trace events except system calls and events defined at run time. Empty if there is no readable
    /// tracefs. The first call reads the list.
    virtual const std::vector<TraceEvent>& trace_events() = 0;
    /// Returns the event's id for perf_event_open(2); constant until reboot (for a module: until it is unloaded).
    virtual std::optional<uint32_t> trace_event_number(const TraceEvent& event) = 0;
    /// Returns the text of the event's format file, which describes the record's fields; empty if it cannot be read.
    virtual std::string trace_event_format(const TraceEvent& event) = 0;

    virtual ProcessView& processes() = 0;
    /// Returns whether a probe on a five-byte nop overwrites data of a leaf function below its stack pointer. The first
    /// call tries it, in about 50 ms.
    virtual bool uprobes_clobber_red_zone() { return false; }
};

} // namespace dt::probes
