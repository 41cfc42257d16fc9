// Reads .gopclntab (Go's src/runtime/symtab.go, "pcHeader"). After a header it has the start and the description of
// each function. The description refers to a table with the distance of the stack pointer from its value before the
// call, by address.
#include "libdtrace/process/unwind_go.hpp"

#include <gelf.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "libdtrace/process/unwind_program.hpp"

namespace dt {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr std::string_view kSection = ".gopclntab";
constexpr uint32_t kVersion18 = 0xfffffff0, kVersion20 = 0xfffffff1;
constexpr uint8_t kTopFrame = 1, kChangesStack = 2; // flags of a function
constexpr dt_unwind_rule kUnknown{DT_CFA_NONE, DT_FP_LOST, 0, 0};
constexpr dt_unwind_rule kOutermost{DT_CFA_END, DT_FP_LOST, 0, 0};

struct Table {
    uint32_t version = 0;
    uint64_t functions = 0;            ///< number of functions
    uint64_t text = 0;                 ///< base address of the functions
    Bytes places, frames;              ///< functions with their descriptions; tables of stack pointers
    std::size_t word = 8;              ///< size of an address in bytes
    bool is_linked = false;            ///< whether the return address is at the lower end of a frame
    uint64_t smallest_instruction = 1; ///< unit of the distances between addresses
};

Bytes from(Bytes bytes, uint64_t offset)
{
    return bytes.subspan(std::min<uint64_t>(offset, bytes.size()));
}

/// Reads the header. In a position-independent program its address of the code is zero; `code` is used then.
std::optional<Table> read_table(Bytes section, uint64_t code, std::size_t word)
{
    DwarfBytes header(section);
    Table table;
    table.word = word;
    table.version = static_cast<uint32_t>(header.number(4));
    header.number(2);
    table.smallest_instruction = header.number(1);
    if ((table.version != kVersion18 && table.version != kVersion20) || header.number(1) != word)
        return {};
    table.functions = header.number(word);
    header.number(word); // files
    table.text = header.number(word);
    table.text = table.text != 0 ? table.text : code;
    for (int i = 0; i < 3; ++i) // names, units, file names
        header.number(word);
    table.frames = from(section, header.number(word));
    table.places = from(section, header.number(word));
    const bool is_whole = !header.failed() && table.functions <= table.places.size() / 8;
    return is_whole ? std::optional(table) : std::nullopt;
}

/// Returns the rule for a distance. Go functions with a frame save the frame pointer at its upper end; in 32-bit
/// programs they do not, and it is an ordinary register.
dt_unwind_rule rule_at(int64_t distance, std::size_t word)
{
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max() - 8;
    if (distance < 0 || distance > kMost)
        return kUnknown;
    const auto frame = static_cast<dt_s32>(distance) + static_cast<dt_s32>(word);
    if (word == 4)
        return {DT_CFA_SP, DT_FP_LOST, 0, frame};
    const bool has_frame = distance > 0;
    return {DT_CFA_SP, static_cast<unsigned char>(has_frame ? DT_FP_AT_CFA : DT_FP_SAME),
            static_cast<short>(has_frame ? -16 : 0), frame};
}

/// Returns the rule for machines with a link register. A function with a frame saves the return address at its lower
/// end, and the frame pointer below it.
dt_unwind_rule linked_rule_at(int64_t distance)
{
    constexpr int64_t kMost = std::numeric_limits<int16_t>::max() - 8;
    if (distance < 0 || distance > kMost)
        return kUnknown;
    if (distance == 0)
        return {DT_CFA_SP | DT_RA_LINK << DT_RA_BITS, DT_FP_SAME, 0, 0};
    return {DT_CFA_SP | DT_RA_BESIDE << DT_RA_BITS, DT_FP_AT_CFA, static_cast<short>(-distance - 8),
            static_cast<dt_s32>(distance)};
}

struct Function {
    uint32_t frames = 0; ///< offset of the function's table; 0 if it has none
    uint8_t flags = 0;
};

Function read_function(const Table& table, Bytes description)
{
    Function function;
    function.frames = static_cast<uint32_t>(DwarfBytes(from(description, 16)).number(4));
    function.flags =
        static_cast<uint8_t>(DwarfBytes(from(description, table.version == kVersion18 ? 37 : 41)).number(1));
    return function;
}

void add_function(const Table& table, const Function& function, uint64_t begin, uint64_t end,
                  std::vector<UnwindRow>& rows)
{
    if ((function.flags & (kTopFrame | kChangesStack)) != 0 || function.frames == 0) {
        rows.push_back({begin, (function.flags & kTopFrame) != 0 ? kOutermost : kUnknown});
        return;
    }
    DwarfBytes bytes(from(table.frames, function.frames));
    int64_t distance = -1;
    for (uint64_t at = begin; at < end;) {
        const uint64_t change = bytes.uleb(), size = bytes.uleb() * table.smallest_instruction;
        if (bytes.failed() || size == 0 || size > end - at)
            break;
        distance += static_cast<int64_t>((change & 1) != 0 ? ~(change >> 1) : change >> 1);
        rows.push_back({at, table.is_linked ? linked_rule_at(distance) : rule_at(distance, table.word)});
        at += size;
    }
}

} // namespace

void add_go_rows(std::span<const uint8_t> section, uint64_t code, const machine::UnwindRegisters& machine,
                 std::vector<UnwindRow>& rows)
{
    constexpr std::size_t kMostRows = 32 << 20; // limit of rows, for invalid files
    auto table = read_table(section, code, machine.word);
    if (!table)
        return;
    table->is_linked = machine.is_linked;
    DwarfBytes places(table->places);
    uint64_t begin = table->text + places.number(4);
    for (uint64_t i = 0; i < table->functions && rows.size() < kMostRows; ++i) {
        const Function function = read_function(*table, from(table->places, places.number(4)));
        const uint64_t end = table->text + places.number(4);
        if (places.failed() || end < begin)
            break;
        add_function(*table, function, begin, end, rows);
        begin = end;
    }
    rows.push_back({begin, kUnknown});
}

void add_go_rows(Elf* elf, const machine::UnwindRegisters& machine, std::vector<UnwindRow>& rows)
{
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    Bytes table;
    uint64_t code = 0;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char* const name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : nullptr;
        if (!name || header.sh_type == SHT_NOBITS)
            continue;
        if (std::string_view(name) == ".text")
            code = header.sh_addr;
        // The section's name has a prefix in position-independent programs.
        if (const Elf_Data* const data =
                std::string_view(name).ends_with(kSection) ? elf_rawdata(section, nullptr) : nullptr;
            data && data->d_buf)
            table = {static_cast<const uint8_t*>(data->d_buf), data->d_size};
    }
    add_go_rows(table, code, machine, rows);
}

} // namespace dt
