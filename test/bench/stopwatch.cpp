// Loads, attaches and reads the BPF programs of measuring.bpf.c that time system calls (stopwatches).
#include "test/bench/stopwatch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include "libdtrace/losses/kernel_losses.hpp"

namespace dt::bench {

namespace {

/// Value of the map `taken`: the measured time and number of intervals. Must have the layout of the C structure `taken`
/// in measuring.bpf.c.
struct StopwatchSlot {
    uint64_t since, ns, times;
};

/// Returns the C name of a program's first function, or an empty string if the kernel has no type information for it.
std::string first_function(int program)
{
    bpf_prog_info sizes{};
    uint32_t size = sizeof sizes;
    if (bpf_obj_get_info_by_fd(program, &sizes, &size) != 0 || sizes.nr_func_info == 0)
        return {};
    std::vector<char> records(static_cast<std::size_t>(sizes.nr_func_info) * sizes.func_info_rec_size);
    bpf_prog_info info{};
    info.nr_func_info = sizes.nr_func_info;
    info.func_info_rec_size = sizes.func_info_rec_size;
    info.func_info = reinterpret_cast<uintptr_t>(records.data());
    size = sizeof info;
    btf* types = btf__load_from_kernel_by_id(sizes.btf_id);
    std::string name;
    bpf_func_info first{};
    if (types != nullptr && bpf_obj_get_info_by_fd(program, &info, &size) == 0 && records.size() >= sizeof first) {
        std::memcpy(&first, records.data(), sizeof first);
        if (const btf_type* type = btf__type_by_id(types, first.type_id))
            name = btf__name_by_offset(types, type->name_off);
    }
    btf__free(types);
    return name;
}

} // namespace

void Stopwatch::fail(const std::string& what)
{
    problem_ = what + ": " + std::strerror(errno);
}

void Stopwatch::choose(const std::vector<std::string>& programs, int target)
{
    const std::string function = target < 0 ? std::string() : first_function(target);
    bpf_program* each = nullptr;
    bpf_object__for_each_program(each, object_)
    {
        const bool wanted = std::find(programs.begin(), programs.end(), bpf_program__name(each)) != programs.end();
        // Loads only the requested programs, because the kernel may lack the program types of the others.
        bpf_program__set_autoload(each, wanted);
        if (wanted && target >= 0 && bpf_program__set_attach_target(each, target, function.c_str()) != 0)
            fail("no such function of a program: " + function);
    }
}

Stopwatch::Stopwatch(pid_t traced, const std::vector<std::string>& programs, std::optional<uint32_t> target)
{
    libbpf_set_print(nullptr);
    object_ = bpf_object__open(DTRACE_BENCH_MEASURING_OBJECT);
    bpf_map* constants = object_ == nullptr ? nullptr : bpf_object__find_map_by_name(object_, ".rodata");
    const auto process = static_cast<uint32_t>(traced);
    if (constants == nullptr || bpf_map__set_initial_value(constants, &process, sizeof process) != 0) {
        fail("cannot open " DTRACE_BENCH_MEASURING_OBJECT);
        return;
    }
    const int program = target ? bpf_prog_get_fd_by_id(*target) : -1;
    choose(programs, program);
    if (problem_.empty() && bpf_object__load(object_) != 0)
        fail("loading " + programs.front());
    if (program >= 0)
        close(program);
}

Stopwatch::~Stopwatch()
{
    for (const auto& [name, link] : links_)
        bpf_link__destroy(link);
    bpf_object__close(object_);
}

bool Stopwatch::attach(const std::string& program)
{
    if (!problem_.empty())
        return false;
    bpf_program* found = bpf_object__find_program_by_name(object_, program.c_str());
    bpf_link* link = found == nullptr ? nullptr : bpf_program__attach(found);
    if (link == nullptr) {
        fail("attaching " + program);
        return false;
    }
    links_[program] = link;
    return true;
}

void Stopwatch::detach(const std::string& program)
{
    if (const auto link = links_.find(program); link != links_.end()) {
        bpf_link__destroy(link->second);
        links_.erase(link);
    }
}

Stopwatch::Taken Stopwatch::take()
{
    Taken taken;
    if (!problem_.empty())
        return taken;
    std::vector<StopwatchSlot> slots(static_cast<std::size_t>(libbpf_num_possible_cpus()));
    const int map = bpf_object__find_map_fd_by_name(object_, "taken");
    const uint32_t zero = 0;
    if (bpf_map_lookup_elem(map, &zero, slots.data()) != 0)
        return taken;
    for (StopwatchSlot& slot : slots) {
        taken.ns += static_cast<double>(slot.ns);
        taken.times += slot.times;
        slot = {};
    }
    bpf_map_update_elem(map, &zero, slots.data(), BPF_ANY);
    return taken;
}

std::optional<uint64_t> Stopwatch::missed(const std::string& program) const
{
    const auto link = links_.find(program);
    return link == links_.end() ? std::nullopt : missed_by_link(bpf_link__fd(link->second));
}

std::string tracing_folder()
{
    const std::string own = "/sys/kernel/tracing/";
    return std::filesystem::exists(own + "trace") ? own : "/sys/kernel/debug/tracing/";
}

// Reads lines of the kernel's text log, such as " bench-1234 [001] d..21 123.456789: bpf_trace_printk: begin".
Printed printed_by(pid_t pid)
{
    const std::string mark = ": bpf_trace_printk: ", who = "-" + std::to_string(pid) + " ";
    Printed printed;
    double since = 0, sum = 0; // in seconds: time of the last "begin", and sum of the intervals so far
    std::ifstream log(tracing_folder() + "trace");
    for (std::string line; std::getline(log, line);) {
        const std::size_t end = line.find(mark);
        if (end == std::string::npos || line.find(who) >= end)
            continue;
        const double when = std::atof(line.c_str() + line.rfind(' ', end - 1) + 1);
        if (line.compare(end + mark.size(), 5, "begin") == 0) {
            since = when;
        } else if (since > 0) {
            sum += when - since;
            ++printed.pairs;
            since = 0;
        }
    }
    if (printed.pairs > 0)
        printed.ns = sum / static_cast<double>(printed.pairs) * 1e9;
    return printed;
}

} // namespace dt::bench
