// Fuzz target: decoding the machine code of untrusted files, for each supported processor.
//
// The first byte of the input chooses the processor and whether the code is that of a 32-bit program. The following
// bytes are the code.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "machine/machine.hpp"
#include "probes/user/uprobe_placement.hpp"

namespace {

void require(bool is_true)
{
    if (!is_true)
        std::abort();
}

/// Checks that every offset chosen for a probe is the start of an instruction.
void look_for_places(const dt::machine::Machine& machine, std::span<const uint8_t> bytes, bool is_narrow)
{
    const dt::probes::FunctionCode code(machine, bytes, is_narrow);
    const std::vector<uint32_t>& offsets = code.offsets();
    require(std::is_sorted(offsets.begin(), offsets.end()) && (offsets.empty() || offsets.back() < bytes.size()));
    const auto is_instruction = [&](uint32_t offset) {
        return std::binary_search(offsets.begin(), offsets.end(), offset);
    };
    require(offsets.empty() || (is_instruction(code.entry_place()) && is_instruction(code.go_entry_place())));
    for (const uint32_t offset : code.returns())
        require(is_instruction(offset));
    for (uint32_t offset = 0; offset < std::min<std::size_t>(bytes.size(), 64); ++offset) {
        const auto place = code.place_of(offset, true);
        require(place.offset < bytes.size() && (!place.is_inside_another || is_instruction(place.offset)));
    }
}

void read_as_others_do(const dt::machine::Machine& machine, std::span<const uint8_t> bytes)
{
    uint64_t last = 0;
    for (const auto& each : machine.disassemble(bytes, 0x400000)) {
        require(each.offset >= last && each.offset < bytes.size() && !each.text.empty());
        last = each.offset;
    }
    machine.choices_in(bytes, 0x400000);
    machine.may_call_itself(bytes);
    machine.may_make(bytes, -13);
    std::vector<uint8_t> changed(bytes.begin(), bytes.end());
    for (uint64_t target = 0; target < std::min<std::size_t>(bytes.size(), 16) + 8; ++target)
        if (machine.replace_call(changed, target))
            require(machine.is_replaced_call(changed, target));
    machine.read_operand({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    if (size < 2)
        return 0;
    const auto machines = dt::machine::all();
    const dt::machine::Machine& machine = *machines[(data[0] >> 1) % machines.size()];
    // Copies the code to memory of its exact size, so that sanitizers detect reads beyond its end.
    const std::vector<uint8_t> code(data + 1, data + size);
    look_for_places(machine, code, data[0] & 1);
    read_as_others_do(machine, code);
    return 0;
}
