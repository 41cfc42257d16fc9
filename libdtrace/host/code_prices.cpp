#include "libdtrace/host/code_prices.hpp"

#include <algorithm>
#include <bpf/bpf.h>
#include <optional>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "libdtrace/world/boot_cache.hpp"
#include "libdtrace/world/instructions.hpp"

namespace dt {
namespace {

constexpr int kLoops = 500; // iterations per program: enough to hide the two clock readings, and still accepted by the
                            // verifier
constexpr int kPricingRuns = 40;
constexpr const char* kPricesOfCode = "code-prices";
constexpr int kFrame = 256, kTextAt = -16,
              kRoomAt = -kFrame; // frame of the programs: a string of 15 characters, and room for output
constexpr int kManyInstructions = 16;
constexpr uint32_t kLongKey = 208;

/// Default costs in ns, measured on Linux 6.18 on a virtual machine (2026).
const CodePrices kUsual{0.4, 25, 0.4, {{BPF_FUNC_perf_event_output, 180}, {BPF_FUNC_task_storage_get, 12}}};

using Code = std::vector<bpf_insn>;

const char pricing_text[16] = "fifteen letters";

class PricingMap {
public:
    PricingMap(bpf_map_type type, uint32_t key, uint32_t value, uint32_t entries)
        : descriptor_(bpf_map_create(type, "dt_prices", key, value, entries, nullptr))
    {
    }
    ~PricingMap()
    {
        if (descriptor_ >= 0)
            close(descriptor_);
    }
    PricingMap(const PricingMap&) = delete;
    PricingMap& operator=(const PricingMap&) = delete;
    int get() const { return descriptor_; }

private:
    int descriptor_;
};

void append(Code& code, const Code& more)
{
    code.insert(code.end(), more.begin(), more.end());
}

/// Loads the address of a frame slot into a register.
Code in_frame(int reg, int offset)
{
    return {copy(reg, BPF_REG_10), insn(BPF_ALU64 | BPF_ADD | BPF_K, reg, 0, 0, offset)};
}

Code with_map(int reg, int map)
{
    return {insn(BPF_LD | BPF_DW | BPF_IMM, reg, BPF_PSEUDO_MAP_FD, 0, map), kSecondHalf};
}

Code with_address(int reg, const void* address)
{
    const auto value = reinterpret_cast<uint64_t>(address);
    return {insn(BPF_LD | BPF_DW | BPF_IMM, reg, 0, 0, static_cast<int32_t>(value)),
            insn(0, 0, 0, 0, static_cast<int32_t>(value >> 32))};
}

/// Returns the ns per iteration of `body`, or nothing if the kernel refuses the program. The body may change registers
/// 0 to 5; register 7 is the current task, 9 the context.
std::optional<double> time_of(const Code& body)
{
    Code code = {copy(BPF_REG_9, BPF_REG_1), call(BPF_FUNC_get_current_task), copy(BPF_REG_7, BPF_REG_0)};
    for (int offset = -kFrame; offset < 0; offset += 8)
        code.push_back(insn(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, offset, 0x61616161));
    code.push_back(insn(BPF_ST | BPF_MEM | BPF_B, BPF_REG_10, 0, -1, 0));
    append(code, {call(BPF_FUNC_ktime_get_ns), copy(BPF_REG_8, BPF_REG_0), mov(BPF_REG_6, kLoops)});
    append(code, body);
    append(code, {insn(BPF_ALU64 | BPF_SUB | BPF_K, BPF_REG_6, 0, 0, 1),
                  insn(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_6, 0, -static_cast<int>(body.size()) - 2, 0),
                  call(BPF_FUNC_ktime_get_ns), insn(BPF_ALU64 | BPF_SUB | BPF_X, BPF_REG_0, BPF_REG_8, 0, 0), kExit});
    const int program =
        bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_prices", "GPL", code.data(), code.size(), nullptr);
    if (program < 0)
        return {};
    uint32_t least = UINT32_MAX;
    for (int run = 0; run < kPricingRuns; ++run) { // use the fastest run, because interruptions only add time
        LIBBPF_OPTS(bpf_test_run_opts, options);
        if (bpf_prog_test_run_opts(program, &options) == 0)
            least = std::min(least, options.retval);
    }
    close(program);
    return least == UINT32_MAX ? std::nullopt : std::optional(static_cast<double>(least) / kLoops);
}

class Pricing {
public:
    CodePrices run()
    {
        CodePrices prices = kUsual;
        loop_ = time_of({}).value_or(0);
        Code additions;
        for (int i = 0; i < kManyInstructions; ++i)
            additions.push_back(insn(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_6, -kFrame + 8 * i, 0));
        if (const auto time = time_of(additions); time && *time > loop_)
            prices.instruction = std::max((*time - loop_) / kManyInstructions, 0.1);
        prices_ = &prices;
        price_simple();
        price_memory();
        price_maps();
        return prices;
    }

private:
    void price(int helper, const Code& arguments)
    {
        Code body = arguments;
        body.push_back(call(helper));
        if (const auto time = time_of(body))
            prices_->helpers[helper] = std::max(
                *time - loop_ - static_cast<double>(arguments.size()) * prices_->instruction, prices_->instruction);
    }

    void price_simple()
    {
        for (const int helper :
             {BPF_FUNC_ktime_get_ns, BPF_FUNC_ktime_get_boot_ns, BPF_FUNC_get_prandom_u32,
              BPF_FUNC_get_smp_processor_id, BPF_FUNC_get_current_pid_tgid, BPF_FUNC_get_current_uid_gid,
              BPF_FUNC_get_current_task, BPF_FUNC_get_current_task_btf, BPF_FUNC_get_current_cgroup_id})
            price(helper, {});
    }

    void price_memory()
    {
        const auto room = [](int size) {
            Code code = in_frame(BPF_REG_1, kRoomAt);
            code.push_back(mov(BPF_REG_2, size));
            return code;
        };
        price(BPF_FUNC_get_current_comm, room(16));
        Code code = room(8);
        code.push_back(copy(BPF_REG_3, BPF_REG_7));
        price(BPF_FUNC_probe_read_kernel, code);
        code = room(64);
        append(code, in_frame(BPF_REG_3, kTextAt));
        price(BPF_FUNC_probe_read_kernel_str, code);
        code = room(8);
        append(code, with_address(BPF_REG_3, pricing_text));
        price(BPF_FUNC_probe_read_user, code);
        code = room(64);
        append(code, with_address(BPF_REG_3, pricing_text));
        price(BPF_FUNC_probe_read_user_str, code);
        code = {copy(BPF_REG_1, BPF_REG_9)};
        append(code, in_frame(BPF_REG_2, kRoomAt));
        append(code, {mov(BPF_REG_3, 160), mov(BPF_REG_4, 0)});
        price(BPF_FUNC_get_stack, code);
    }

    void price_maps()
    {
        const PricingMap hash(BPF_MAP_TYPE_PERCPU_HASH, 16, 8, 1024), ring(BPF_MAP_TYPE_RINGBUF, 0, 0, 1 << 22);
        Code code = with_map(BPF_REG_1, hash.get());
        append(code, in_frame(BPF_REG_2, kTextAt));
        Code put = code;
        append(put, in_frame(BPF_REG_3, kRoomAt));
        put.push_back(mov(BPF_REG_4, BPF_ANY));
        price(BPF_FUNC_map_update_elem, put); // also inserts the key for the look-up
        price(BPF_FUNC_map_lookup_elem, code);
        const PricingMap long_keys(BPF_MAP_TYPE_PERCPU_HASH, kLongKey, 8, 16);
        Code other = with_map(BPF_REG_1, long_keys.get());
        append(other, in_frame(BPF_REG_2, kRoomAt));
        Code with_call = code, with_long_key = other;
        for (Code* each : {&with_call, &with_long_key})
            each->push_back(call(BPF_FUNC_map_lookup_elem));
        const auto brief = time_of(with_call), longer = time_of(with_long_key);
        if (brief && longer && *longer > *brief)
            prices_->key_byte = (*longer - *brief) / (kLongKey - CodePrices::kPricedKey);
        code = with_map(BPF_REG_1, ring.get());
        append(code, in_frame(BPF_REG_2, -64));
        append(code, {mov(BPF_REG_3, 40), mov(BPF_REG_4, BPF_RB_NO_WAKEUP)});
        price(BPF_FUNC_ringbuf_output, code);
    }

    double loop_ = 0;
    CodePrices* prices_ = nullptr;
};

/// Parses lines of helper number and cost. Number 0 is the cost of an instruction, -1 that of a key byte.
CodePrices parse_prices(const std::string& text)
{
    CodePrices prices = kUsual;
    std::istringstream lines(text);
    int helper = 0;
    for (double price = 0; lines >> helper >> price;)
        (helper == 0 ? prices.instruction : helper == -1 ? prices.key_byte : prices.helpers[helper]) = price;
    return prices;
}

std::string text_of_prices(const CodePrices& prices)
{
    std::ostringstream text;
    text << "0 " << prices.instruction << "\n-1 " << prices.key_byte << '\n';
    for (const auto& [helper, price] : prices.helpers)
        text << helper << ' ' << price << '\n';
    return text.str();
}

} // namespace

CodePrices code_prices()
{
    const BootCache cache(BootCache::default_directory(), BootCache::kernel_of("/proc", {}));
    if (const auto kept = cache.read(kPricesOfCode))
        return parse_prices(*kept);
    const CodePrices prices = Pricing().run();
    cache.write(kPricesOfCode, text_of_prices(prices));
    return prices;
}

} // namespace dt
