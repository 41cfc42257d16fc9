// A fixed description of a kernel and its processes. In tests, the real providers read it instead of this machine's
// kernel.
#pragma once

#include <vector>

#include "probes/kernel_view.hpp"
#include "probes/provider.hpp"

namespace dt::test {

inline constexpr int64_t kTracer = 4242, kTarget = 4343;
/// a process that uses the engine library by itself and is not part of this tracing session
inline constexpr int64_t kListening = 4444;
inline constexpr const char* kCopied = "00112233445566778899aabbccddeeff00112233"; ///< a build id that two files share

/// Two processes that are the same on every machine: the tracer, and a target with a program and a library.
class FrozenProcesses : public probes::ProcessView {
public:
    bool is_tracer(int64_t pid) override { return pid == kTracer; }

    Result<std::vector<Object>> objects(int64_t pid) override
    {
        if (pid != kTarget)
            return Error{"No such process"};
        return std::vector<Object>{{"/usr/bin/shop", true, "/proc/4343/exe"},
                                   {"/usr/lib/libc.so.6", false, "/proc/4343/libc"}};
    }

    Result<std::vector<Object>> files(const std::string& which) override
    {
        if (which == kCopied)
            return std::vector<Object>{{"/usr/bin/shop", true, "/copies/1"}, {"/opt/shop", true, "/copies/2"}};
        if (which != "/usr/lib/libc.so.6" && which != "/usr/bin/shop")
            return Error{"No such file or directory"};
        return std::vector<Object>{{which, which == "/usr/bin/shop", which}};
    }

    std::vector<Function> functions(const Object& object, std::string_view pattern) override
    {
        std::vector<Function> found;
        for (const Function& function : object.is_executable ? program_ : library_)
            if (glob_match(pattern, function.name))
                found.push_back(function);
        return found;
    }

    std::vector<probes::UserProbe> user_probes(const Object& object) override
    {
        return object.is_executable ? probes_ : std::vector<probes::UserProbe>{};
    }
    std::vector<int64_t> pids(bool) override { return {kTarget}; }
    std::vector<ApplicationSite> application_sites(int64_t pid) override
    {
        if (pid != kListening)
            return {};
        return {{"app", "shop", "serve", "request", {"int", "const char *"}}, {"app", "shop", "", "answer", {}}};
    }
    std::optional<uint64_t> place_of(const Object&, uint64_t address) override
    {
        return address < 0x4000 ? std::optional(address) : std::nullopt;
    }

    /// Returns the variables of main: `count` and `code` can be read, `lost` cannot, and `strange` has no known type.
    Variables variables(const std::string&, uint64_t offset, const std::string& name) override
    {
        if (offset < 0x1000 || offset >= 0x1040)
            return {{}, "there is no debug information: compile the program with -g"};
        const auto number = [](TypeTable& types) { return types.named("int"); };
        const VariableLocation in_register{{{0, 4, false, {Location::Kind::Register, 5}}}, {}};
        const VariableLocation in_memory{{{0, 4, true, {Location::Kind::Register, 19}}}, {}};
        Variables all;
        all.found = {{"count", number, {}, true, in_register},
                     {"code", number, {}, false, in_memory},
                     {"lost", number, "the compiler has optimized it away; the nearest line where it can be read is 12",
                      false, in_memory},
                     {"strange", [](TypeTable&) -> const Type* { return nullptr; }, {}, false, in_memory}};
        if (!name.empty())
            std::erase_if(all.found, [&](const Variable& each) { return each.name != name; });
        return all;
    }

    std::vector<probes::UserProbe> probes_; ///< USDT probes of the program
    /// Returns machine code. In the program: endbr64 and push %rbp, then repeated sub $8,%rsp. In the library: endbr64
    /// and push %rbp, then nops of five bytes. The Go function ends with ret.
    std::vector<uint8_t> bytes(const std::string& file, uint64_t offset, std::size_t count) override
    {
        std::vector<uint8_t> code = {0xf3, 0x0f, 0x1e, 0xfa, 0x55};
        const std::vector<uint8_t> more = file == "/proc/4343/exe" ? std::vector<uint8_t>{0x48, 0x83, 0xec, 0x08}
                                                                   : std::vector<uint8_t>{0x0f, 0x1f, 0x44, 0, 0};
        while (code.size() + more.size() <= count)
            code.insert(code.end(), more.begin(), more.end());
        code.resize(count, 0x90);
        if (offset == 0x3000)
            code.back() = 0xc3; // ret
        return code;
    }

private:
    const std::vector<Function> program_ = {{"main", 0x40, 0x1000},
                                            {"helper", 0x10, 0x1040},
                                            {"in_data", 0x10, std::nullopt},
                                            {"cold.part.0", 8, 0x1060, false, true}};
    const std::vector<Function> library_ = {{"malloc", 0x40, 0x2000},
                                            {"helper", 0x10, 0x2040},
                                            {"chosen", 0x20, 0x2060, true},
                                            {"unsized", 0, 0x2080},
                                            {"gopher", 0xfd, 0x3000, false, false, Calls::Go, true}};
};

class FrozenKernel : public probes::KernelView {
public:
    explicit FrozenKernel(bool newer_calls = true) : newer_calls_(newer_calls) {}

    bool has_syscall(std::string_view) override { return newer_calls_; }
    KernelTypes* types() override { return nullptr; }
    bool has_kprobes() override { return true; }
    // only software events exist; for any other event, the error is ENOENT
    int event_error(uint32_t type, uint64_t) override { return type == 1 ? 0 : 2; }
    uint64_t symbol_address(std::string_view) override { return 0x1000; }
    std::span<const probes::KernelFunction> traceable() override { return {}; }
    void for_each_symbol(const VisitSymbol&, std::span<const std::string_view>) override {}
    const std::vector<probes::TraceEvent>& trace_events() override { return events_; }
    std::optional<uint32_t> trace_event_number(const probes::TraceEvent& event) override
    {
        return event.name == "sched_exit" ? 20 : event.name == "sched_fork" ? 21 : 7;
    }
    std::string trace_event_format(const probes::TraceEvent& event) override
    {
        return event.group == "sched" ? kSchedFormat : "";
    }
    probes::ProcessView& processes() override { return processes_; }
    bool uprobes_clobber_red_zone() override { return clobbers; }

    bool clobbers = false;
    const machine::Machine* runs_on = &machine::native();
    const machine::Machine& machine() const override { return *runs_on; }

    /// Format file of the two tracepoints in the group sched.
    static constexpr const char* kSchedFormat = "name: sched_exit\nID: 20\nformat:\n"
                                                "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                                                "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
                                                "\tfield:__data_loc char[] file;\toffset:8;\tsize:4;\tsigned:0;\n"
                                                "\tfield:char comm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
                                                "\tfield:pid_t pid;\toffset:28;\tsize:4;\tsigned:1;\n"
                                                "\nprint fmt: \"%d\", REC->pid\n";

private:
    std::vector<probes::TraceEvent> events_ = {{"sched", "sched_exit"}, {"sched", "sched_fork"}, {"irq", "irq_entry"}};
    bool newer_calls_;
    FrozenProcesses processes_;
};

} // namespace dt::test
