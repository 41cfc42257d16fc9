// Loads and attaches programs, and reads their run time from the kernel.
#include "test/bench/filters/attached.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "bpf-runtime/abi.h"
#include "test/bench/loop.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench::filters {

ProgramStatistics::ProgramStatistics(const std::vector<uint32_t>& ids) : enabled_(bpf_enable_stats(BPF_STATS_RUN_TIME))
{
    for (const uint32_t id : ids)
        programs_.push_back(bpf_prog_get_fd_by_id(id));
}

ProgramStatistics::~ProgramStatistics()
{
    close(enabled_);
    for (const int program : programs_)
        close(program);
}

ProgramStatistics::Sum ProgramStatistics::read() const
{
    Sum sum;
    for (const int program : programs_) {
        bpf_prog_info info{};
        uint32_t size = sizeof info;
        if (bpf_obj_get_info_by_fd(program, &info, &size) == 0) {
            sum.ns += static_cast<double>(info.run_time_ns);
            sum.runs += info.run_cnt;
        }
    }
    return sum;
}

uint32_t instructions(const std::vector<uint32_t>& ids)
{
    uint32_t sum = 0;
    for (const uint32_t id : ids) {
        const int program = bpf_prog_get_fd_by_id(id);
        bpf_prog_info info{};
        uint32_t size = sizeof info;
        if (program >= 0 && bpf_obj_get_info_by_fd(program, &info, &size) == 0)
            sum += info.xlated_prog_len / static_cast<uint32_t>(sizeof(bpf_insn));
        close(program);
    }
    return sum;
}

namespace {

class ByHand final : public Attached {
public:
    ByHand(const std::string& name, bool lane)
    {
        libbpf_set_print(nullptr);
        object_ = bpf_object__open(DTRACE_BENCH_KERNEL_OBJECT);
        bpf_program *each = nullptr, *program = nullptr;
        if (object_ != nullptr)
            bpf_object__for_each_program(each, object_)
            {
                const bool wanted = name == bpf_program__name(each);
                bpf_program__set_autoload(each, wanted);
                program = wanted ? each : program;
            }
        if (program != nullptr && choose(lane) && bpf_object__load(object_) == 0 &&
            (lane ? open_lane() : open_records()))
            link_ = bpf_program__attach(program);
        if (link_ == nullptr) {
            problem = "cannot load and attach " + name + ": " + std::strerror(errno);
            return;
        }
        bpf_prog_info info{};
        uint32_t size = sizeof info;
        if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) == 0)
            ids.push_back(info.id);
    }

    ~ByHand() override { finish(); }

    long finish() override
    {
        stop_ = true;
        if (reader_.joinable())
            reader_.join();
        bpf_link__destroy(std::exchange(link_, nullptr));
        perf_buffer__free(std::exchange(buffer_, nullptr));
        ring_buffer__free(std::exchange(ring_, nullptr));
        const long sum = object_ == nullptr ? -1 : counted();
        bpf_object__close(std::exchange(object_, nullptr));
        return sum;
    }

private:
    long counted() const
    {
        std::vector<uint64_t> values(static_cast<std::size_t>(libbpf_num_possible_cpus()));
        const uint32_t zero = 0;
        if (bpf_map_lookup_elem(bpf_object__find_map_fd_by_name(object_, "total"), &zero, values.data()) != 0)
            return -1;
        uint64_t sum = 0;
        for (const uint64_t value : values)
            sum += value;
        return static_cast<long>(sum);
    }

    bool choose(bool lane)
    {
        bpf_map* constants = bpf_object__find_map_by_name(object_, ".rodata");
        const int value = lane;
        return constants != nullptr && bpf_map__set_initial_value(constants, &value, sizeof value) == 0;
    }

    bool open_lane()
    {
        const auto ignore = [](void*, void*, std::size_t) { return 0; };
        ring_ = ring_buffer__new(bpf_object__find_map_fd_by_name(object_, "lane"), ignore, nullptr, nullptr);
        if (ring_ == nullptr)
            return false;
        reader_ = std::thread([this] {
            use_other_cpus();
            while (!stop_)
                ring_buffer__poll(ring_, 100);
        });
        return true;
    }

    // Opens perf buffers and reads and discards their records after a watermark, as often as a formatting consumer
    // does.
    bool open_records()
    {
        perf_event_attr attributes{};
        attributes.type = PERF_TYPE_SOFTWARE;
        attributes.size = sizeof attributes;
        attributes.config = PERF_COUNT_SW_BPF_OUTPUT;
        attributes.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME;
        attributes.sample_period = 1;
        attributes.watermark = 1;
        attributes.wakeup_watermark = 65536;
        const auto ignore = [](void*, int, perf_event_header*) { return LIBBPF_PERF_EVENT_CONT; };
        buffer_ = perf_buffer__new_raw(bpf_object__find_map_fd_by_name(object_, "records"), kPages, &attributes, ignore,
                                       nullptr, nullptr);
        if (buffer_ == nullptr)
            return false;
        reader_ = std::thread([this] {
            use_other_cpus();
            while (!stop_)
                perf_buffer__poll(buffer_, 100);
        });
        return true;
    }

    // number of pages of a buffer: 16 MiB per CPU, like the buffers of the measured dtrace
    static constexpr std::size_t kPages = 4096;
    bpf_object* object_ = nullptr;
    bpf_link* link_ = nullptr;
    perf_buffer* buffer_ = nullptr;
    ring_buffer* ring_ = nullptr;
    std::atomic<bool> stop_{false};
    std::thread reader_;
};

// Returns the ids of the programs ("prog_id:") or maps ("map_id:") that a process holds, from /proc/PID/fdinfo.
std::vector<uint32_t> held_by(pid_t pid, const std::string& what)
{
    std::vector<uint32_t> ids;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fdinfo", ignored)) {
        std::ifstream stream(entry.path());
        for (std::string name, value; stream >> name; std::getline(stream, value)) {
            uint32_t id = 0;
            if (name == what && stream >> id && std::find(ids.begin(), ids.end(), id) == ids.end())
                ids.push_back(id);
        }
    }
    return ids;
}

// Returns whether the map with this id is an mmap ring of dtrace.
bool is_lane(uint32_t map)
{
    const int fd = bpf_map_get_fd_by_id(map);
    bpf_map_info info{};
    uint32_t size = sizeof info;
    const bool is_one =
        fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 && info.value_size == sizeof(dt_mmap_ring);
    close(fd);
    return is_one;
}

// Returns whether the map with this id contains the state of a dtrace run whose probes are enabled.
bool says_active(uint32_t map)
{
    const int fd = bpf_map_get_fd_by_id(map);
    bpf_map_info info{};
    uint32_t size = sizeof info;
    const uint32_t zero = 0;
    bool active = false;
    if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
        std::string_view(info.name).find(DT_SECTION_STATE) != std::string_view::npos) {
        std::vector<char> bytes(info.value_size);
        dt_state state{};
        if (bytes.size() >= sizeof state && bpf_map_lookup_elem(fd, &zero, bytes.data()) == 0) {
            std::memcpy(&state, bytes.data(), sizeof state);
            active = state.activity == DT_ACTIVE;
        }
    }
    close(fd);
    return active;
}

class Script final : public Attached {
public:
    Script(const std::string& dtrace, const std::string& script, bool lane)
        : tool_({dtrace, "-b", "16m", "-x", lane ? "temporal=yes" : "temporal=no", "-qn", script})
    {
        using namespace std::chrono_literals;
        bool active = false;
        for (int i = 0; i < 2000 && tool_.running() && !active; i++) {
            for (const uint32_t map : held_by(tool_.pid(), "map_id:"))
                active |= says_active(map);
            std::this_thread::sleep_for(10ms);
        }
        ids = programs_of(tool_.pid());
        if (!active || ids.empty())
            problem = script + ": it did not come up: " + tool_.interrupt().err;
    }

    long finish() override
    {
        if (tool_.pid() <= 0)
            return -1;
        const Usage usage = tool_.interrupt();
        const auto digit = usage.out.find_first_of("0123456789");
        return digit == std::string::npos ? -1 : std::atol(usage.out.c_str() + digit);
    }

    bool has_lane() const override
    {
        const auto maps = held_by(tool_.pid(), "map_id:");
        return std::any_of(maps.begin(), maps.end(), is_lane);
    }

private:
    Tool tool_;
};

} // namespace

std::vector<uint32_t> programs_of(pid_t pid)
{
    return held_by(pid, "prog_id:");
}

std::unique_ptr<Attached> attach_by_hand(const std::string& program, bool lane)
{
    return std::make_unique<ByHand>(program, lane);
}

std::unique_ptr<Attached> attach_script(const std::string& dtrace, const std::string& script, bool lane)
{
    return std::make_unique<Script>(dtrace, script, lane);
}

} // namespace dt::bench::filters
