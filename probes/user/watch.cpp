// watchN:ADDRESS/SIZE::write, watchN:OBJECT:VARIABLE:write: fire when process N accesses memory (dtrace-providers(7),
// watch).
//
// The hardware breakpoints of perf (perf_event_open(2)) exist for threads and for CPUs. This provider uses breakpoints
// of CPUs. They need no list of threads, so they also work in threads that start while probes are attached. The BPF
// program checks the process, because another process may use the same address.
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <map>
#include <optional>

#include "probes/attributes.hpp"
#include "probes/user/pid_search.hpp"

namespace dt::probes {
namespace {

constexpr std::string_view kWatch = "watch";

struct AccessName {
    std::string_view name;
    uint32_t type; ///< value for perf_event_attr::bp_type
};
constexpr AccessName kAccesses[] = {{"write", HW_BREAKPOINT_W}, {"rw", HW_BREAKPOINT_RW}, {"exec", HW_BREAKPOINT_X}};

/// Memory that a probe watches.
struct WatchedMemory {
    uint64_t address = 0;
    uint64_t size = 0; ///< 0: the description has no size
    uint32_t access = HW_BREAKPOINT_W;
    int64_t process = 0;
};

Error watch_error(std::string message)
{
    return pid_error("D_PROC_WATCH", std::move(message));
}

template <typename Number> bool parse_all(std::string_view text, Number& number, int base)
{
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc{} && stop == text.data() + text.size();
}

/// Parses "0x601040/8" or "0x601040". Returns nothing if the text has another form.
std::optional<WatchedMemory> parse_address(std::string_view text)
{
    WatchedMemory memory;
    if (!text.starts_with("0x"))
        return {};
    text.remove_prefix(2);
    const std::size_t slash = text.find('/');
    if (!parse_all(text.substr(0, slash), memory.address, 16) ||
        (slash != std::string_view::npos && (!parse_all(text.substr(slash + 1), memory.size, 10) || memory.size == 0)))
        return {};
    return memory;
}

std::string hexadecimal(uint64_t number)
{
    std::array<char, 16> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return "0x" + std::string(digits.data(), end);
}

class WatchProvider final : public Provider {
public:
    explicit WatchProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return kWatch; }

    /// Accepts "watch" followed by a number, and patterns that match existing probes.
    bool serves(std::string_view provider) const override
    {
        if (!is_literal(provider))
            return !watched_.empty();
        return provider.size() > kWatch.size() && provider.starts_with(kWatch) && provider[kWatch.size()] >= '0' &&
               provider[kWatch.size()] <= '9';
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (!is_literal(pattern.provider)) {
            for (const auto& [name, watched] : watched_)
                if (matches(pattern, watched.second))
                    sink.add_on_demand(watched.second);
            return {};
        }
        int64_t pid = 0;
        if (!parse_all(std::string_view(pattern.provider).substr(kWatch.size()), pid, 10) || pid == 0 ||
            pid > std::numeric_limits<int32_t>::max())
            return pid_error("D_PROC_BADPID", "'" + pattern.provider + "' does not contain a valid pid");
        if (!kernel_.machine().breakpoint.data_traps_follow)
            return watch_error("watchpoints are not supported on this kind of machine");
        if (kernel_.processes().is_tracer(pid))
            return pid_error("D_PROC_DYN",
                             "process " + std::to_string(pid) + " is dtrace itself, which cannot be watched");
        if (const auto objects = kernel_.processes().objects(pid); !objects)
            return pid_error("D_PROC_GRAB",
                             "failed to grab process " + std::to_string(pid) + ": " + objects.error().message);
        Result<WatchedMemory> memory = memory_of(pattern, pid);
        if (!memory)
            return memory.error();
        Probe probe;
        probe.provider = pattern.provider;
        probe.module = pattern.module;
        probe.function = pattern.function;
        probe.name = pattern.name;
        probe.attributes = &kProcessAttributes;
        watched_.emplace(probe.full_name(), std::pair{memory.value(), probe});
        sink.add_on_demand(std::move(probe));
        return {};
    }

    /// Returns the address, and for data the value after the access.
    ProbeSignature signature(const Probe& probe) override
    {
        ProbeSignature signature;
        signature.arguments.push_back({"uintptr_t", {}, 0});
        if (watched_.at(probe.full_name()).first.access != HW_BREAKPOINT_X)
            signature.arguments.push_back({"uint64_t", {}, 1});
        return signature;
    }

    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds&) override
    {
        std::vector<std::shared_ptr<const AttachPlan>> plans;
        for (const auto& plan : perf_event_plans(probes, [this](const Probe& probe) { return target_of(probe); })) {
            PlannedProbe& planned = plan->probes.front();
            const WatchedMemory& memory = watched_.at(planned.probe->full_name()).first;
            planned.process = memory.process;
            plan->process_scope =
                kernel_.processes().is_followed(memory.process) ? ProcessScope::Tree : ProcessScope::Process;
            plan->arguments[0] = {Location::Kind::Constant, 0, static_cast<int64_t>(memory.address)};
            plan->arguments[1] = {};
            if (memory.access != HW_BREAKPOINT_X)
                plan->arguments[1] = {Location::Kind::UserMemory, Location::kNoRegister,
                                      static_cast<int64_t>(memory.address), static_cast<uint8_t>(memory.size)};
            plans.push_back(plan);
        }
        return plans;
    }

private:
    /// Returns the memory that a description names. The error says which part of the description is invalid.
    Result<WatchedMemory> memory_of(const ProbePattern& pattern, int64_t pid)
    {
        const AccessName* access = nullptr;
        for (const AccessName& known : kAccesses)
            if (known.name == pattern.name)
                access = &known;
        if (!access)
            return watch_error("invalid access '" + pattern.name + "': expected write, rw or exec");
        const bool is_code = access->type == HW_BREAKPOINT_X;
        std::optional<WatchedMemory> memory = parse_address(pattern.module);
        if (memory && !pattern.function.empty())
            return watch_error("an address has no function '" + pattern.function + "': expected " + pattern.module +
                               "::" + pattern.name);
        if (!memory) {
            if (!is_literal(pattern.function))
                return watch_error("expected a variable (OBJECT:VARIABLE:write) or an address (0xADDRESS/SIZE::write), "
                                   "not a pattern");
            const auto variable = kernel_.processes().symbol(pid, pattern.module, pattern.function);
            if (!variable)
                return watch_error("failed to find '" + pattern.function + "' in module '" +
                                   (pattern.module.empty() ? "*" : pattern.module) +
                                   "': no symbol with an address has this name");
            if (variable->is_function != is_code)
                return watch_error("'" + pattern.function + "' is a " + (is_code ? "variable" : "function") +
                                   ": use the access " + (is_code ? "write or rw" : "exec"));
            memory = WatchedMemory{variable->address, is_code ? 0 : variable->size};
        }
        memory->access = access->type;
        memory->process = pid;
        return checked(*memory, pattern);
    }

    /// Checks that a breakpoint register can hold the memory.
    static Result<WatchedMemory> checked(WatchedMemory memory, const ProbePattern& pattern)
    {
        const std::string at = hexadecimal(memory.address);
        if (memory.access == HW_BREAKPOINT_X) {
            if (memory.size > 1)
                return watch_error("an instruction has no size: expected " + at + "::exec");
            memory.size = sizeof(long); // required by perf_event_open(2)
            return memory;
        }
        if (memory.size == 0)
            return watch_error(pattern.function.empty()
                                   ? "the size is missing: expected " + at + "/SIZE with SIZE 1, 2, 4 or 8"
                                   : "the size of '" + pattern.function + "' is unknown: use " + at +
                                         "/SIZE::" + pattern.name);
        const uint64_t covered = std::min<uint64_t>(std::bit_floor(memory.size), 8);
        if (memory.size != covered)
            return watch_error("a watchpoint covers 1, 2, 4 or 8 bytes, not " + std::to_string(memory.size) + ": use " +
                               at + "/" + std::to_string(covered) + "::" + pattern.name + " for the first " +
                               std::to_string(covered) + " bytes");
        if (memory.address % memory.size != 0)
            return watch_error("address " + at + " is not a multiple of the size " + std::to_string(memory.size));
        return memory;
    }

    /// Returns the target, such as "1:all:5:0:0x601040/8/2/1": each access, on all CPUs, type PERF_TYPE_BREAKPOINT,
    /// then address, size, kind of access, and the watchpoint's number in the program.
    std::string target_of(const Probe& probe)
    {
        const WatchedMemory& memory = watched_.at(probe.full_name()).first;
        return "1:all:" + std::to_string(PERF_TYPE_BREAKPOINT) + ":0:" + hexadecimal(memory.address) + "/" +
               std::to_string(memory.size) + "/" + std::to_string(memory.access) + "/" + std::to_string(++planned_);
    }

    KernelView& kernel_;
    /// The probes that were matched, with their memory, by their full names.
    std::map<std::string, std::pair<WatchedMemory, Probe>> watched_;
    uint32_t planned_ = 0; ///< number of watchpoints that were planned
};

} // namespace

std::unique_ptr<Provider> make_watch_provider(KernelView& kernel)
{
    return std::make_unique<WatchProvider>(kernel);
}

} // namespace dt::probes
