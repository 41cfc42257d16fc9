// Converts .eh_frame and Go's tables to unwind rows, and packs the rows. libdw splits .eh_frame into entries, and this
// code interprets the entries. Queries of libdw for each address of a library would take seconds, because each query
// runs the function's unwind program from its start.
#include "libdtrace/stacks/unwind_rows.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "libdtrace/stacks/unwind_program.hpp"
#include "machine/conventions.hpp"

namespace dt {
namespace {

constexpr std::size_t kMaxRows = PackedUnwindRows::kMax;
// a gap between two functions of at most this number of bytes counts as padding, which never runs
constexpr uint64_t kPadding = 16;
/// Unwind rule for the gaps between functions. In .eh_frame, a function whose frame is unknown also has a rule with
/// DT_CFA_NONE, but not with DT_FP_LOST.
constexpr dt_unwind_rule kGap{DT_CFA_NONE, DT_FP_LOST, 0, 0};

struct Section {
    Elf_Data* data = nullptr;
    uint64_t address = 0;
};

std::optional<Section> find_eh_frame(Elf* elf)
{
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return {};
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char* name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : nullptr;
        if (!name || std::string_view(name) != ".eh_frame" || header.sh_type == SHT_NOBITS ||
            (header.sh_flags & SHF_COMPRESSED))
            continue;
        Elf_Data* const data = elf_rawdata(section, nullptr);
        if (data && data->d_buf)
            return Section{data, header.sh_addr};
    }
    return {};
}

struct Common : UnwindCommon {
    uint8_t encoding = DW_EH_PE_absptr; ///< encoding of the addresses of functions in the entries of the CIE
    /// whether the entries of the CIE contain augmentation data, preceded by the size of these data
    bool has_data = false;
};

/// Reads a CIE. Returns nothing if the CIE contains data that this code does not understand.
std::optional<Common> read_common(const Dwarf_CIE& entry, const machine::UnwindRegisters& machine)
{
    Common common;
    common.machine = machine;
    common.code_factor = entry.code_alignment_factor;
    common.data_factor = entry.data_alignment_factor;
    common.return_register = entry.return_address_register;
    common.program = {entry.initial_instructions, entry.initial_instructions_end};
    const std::string_view letters = entry.augmentation;
    common.has_data = letters.starts_with('z');
    if (!common.has_data)
        return letters.empty() ? std::optional(common) : std::nullopt;
    DwarfBytes data({entry.augmentation_data, entry.augmentation_data_size});
    for (const char letter : letters.substr(1)) {
        if (letter == 'R')
            common.encoding = static_cast<uint8_t>(data.number(1));
        else if (letter == 'L')
            data.number(1);
        else if (letter == 'P' && !data.pointer(static_cast<uint8_t>(data.number(1)), 0, machine.word))
            return {};
        else if (letter == 'S')
            common.signal = true;
    }
    return data.failed() ? std::nullopt : std::optional(common);
}

class Reader {
public:
    Reader(Elf* elf, const machine::UnwindRegisters& machine, const Section& section)
        : machine_(machine), section_(section),
          identification_(reinterpret_cast<const unsigned char*>(elf_getident(elf, nullptr)))
    {
    }

    std::vector<UnwindRow> read(const std::atomic<bool>* stop)
    {
        // Reserves all memory in advance, because a growing vector would touch up to three times its final memory.
        // Reserved pages that are never written cost nothing. The size is estimated from the size of the section: a row
        // is encoded in at least two bytes, and usually in four.
        rows_.reserve(section_.data->d_size / 4);
        for_each_function([&](const Common& common, const Function& function) {
            run_unwind_programs(common, function.program, function.begin, function.end, rows_);
            rows_.push_back({function.end, kGap});
            return rows_.size() < kMaxRows && !(stop && *stop);
        });
        return std::move(rows_);
    }

    uint64_t size_of(uint64_t address)
    {
        uint64_t size = 0;
        for_each_function([&](const Common&, const Function& function) {
            if (function.begin == address)
                size = function.end - address;
            return size == 0;
        });
        return size;
    }

private:
    struct Function {
        uint64_t begin = 0, end = 0;
        std::span<const uint8_t> program;
    };

    /// Calls `visit` for each function until `visit` returns false.
    template <typename Visit> void for_each_function(const Visit& visit)
    {
        Dwarf_CFI_Entry entry;
        for (Dwarf_Off at = 0, next = 0;; at = next) {
            const int result = dwarf_next_cfi(identification_, section_.data, true, at, &next, &entry);
            if (result > 0 || next == static_cast<Dwarf_Off>(-1) || next <= at)
                return;
            if (result != 0 || dwarf_cfi_cie_p(&entry))
                continue;
            const std::optional<Common>& common = common_at(entry.fde.CIE_pointer);
            const std::optional<Function> function = common ? read_function(*common, entry.fde) : std::nullopt;
            if (function && !visit(*common, *function))
                return;
        }
    }

    const std::optional<Common>& common_at(Dwarf_Off at)
    {
        const auto [known, fresh] = commons_.try_emplace(at);
        Dwarf_Off next = 0;
        Dwarf_CFI_Entry entry;
        if (fresh && dwarf_next_cfi(identification_, section_.data, true, at, &next, &entry) == 0 &&
            dwarf_cfi_cie_p(&entry))
            known->second = read_common(entry.cie, machine_);
        return known->second;
    }

    std::optional<Function> read_function(const Common& common, const Dwarf_FDE& entry) const
    {
        if (entry.end < entry.start)
            return {};
        DwarfBytes bytes({entry.start, entry.end});
        const uint64_t own_address =
            section_.address + static_cast<uint64_t>(entry.start - static_cast<const uint8_t*>(section_.data->d_buf));
        const auto begin = bytes.pointer(common.encoding, own_address, machine_.word);
        // The size of a function has the same encoding as the function's address, but is never relative to another
        // address.
        const auto size = bytes.pointer(common.encoding & 0x07, 0, machine_.word);
        if (common.has_data)
            bytes.block(bytes.uleb());
        if (!begin || !size || bytes.failed() || *size == 0 || *begin + *size < *begin)
            return {};
        return Function{*begin, *begin + *size, bytes.rest()};
    }

    const machine::UnwindRegisters machine_;
    const Section section_;
    const unsigned char* identification_;
    std::unordered_map<Dwarf_Off, std::optional<Common>> commons_;
    std::vector<UnwindRow> rows_;
};

/// Sorts the unwind rows by address. Where one function ends and another begins at the same address, the rule of the
/// second function applies.
void put_in_order(std::vector<UnwindRow>& rows)
{
    const auto is_before = [](const UnwindRow& a, const UnwindRow& b) {
        return a.address != b.address ? a.address < b.address : a.rule.cfa == DT_CFA_NONE && b.rule.cfa != DT_CFA_NONE;
    };
    if (!std::is_sorted(rows.begin(), rows.end(), is_before))
        std::stable_sort(rows.begin(), rows.end(), is_before);
    std::size_t kept = 0;
    for (const UnwindRow& row : rows) {
        if (kept > 0 && rows[kept - 1].address == row.address)
            --kept;
        if (kept == 0 || !(rows[kept - 1].rule == row.rule))
            rows[kept++] = row;
    }
    rows.resize(kept);
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
        if (i > 0 && rows[i].rule == kGap && rows[i + 1].address - rows[i].address < kPadding)
            rows[i].rule = rows[i - 1].rule;
    rows.erase(
        std::unique(rows.begin(), rows.end(), [](const UnwindRow& a, const UnwindRow& b) { return a.rule == b.rule; }),
        rows.end());
}

/// Returns the unwind registers of the machine for which the file was compiled. Returns nothing if the machine `native`
/// cannot run this file.
std::optional<machine::UnwindRegisters> machine_of(Elf* elf, const machine::Machine& native)
{
    GElf_Ehdr header;
    if (!elf || !gelf_getehdr(elf, &header))
        return {};
    if (header.e_machine == native.elf && header.e_ident[EI_CLASS] == ELFCLASS64)
        return native.unwind;
    return header.e_machine == native.narrow_elf && header.e_ident[EI_CLASS] == ELFCLASS32
               ? std::optional(native.narrow_unwind)
               : std::nullopt;
}

} // namespace

std::vector<UnwindRow> read_unwind_rows(Elf* elf, const std::atomic<bool>* stop, const machine::Machine& native)
{
    const std::optional<machine::UnwindRegisters> machine = machine_of(elf, native);
    if (!machine)
        return {};
    std::vector<UnwindRow> rows;
    if (const auto section = find_eh_frame(elf))
        rows = Reader(elf, *machine, *section).read(stop);
    add_go_rows(elf, *machine, rows);
    put_in_order(rows);
    return rows;
}

uint64_t unwound_size(Elf* elf, uint64_t address)
{
    const std::optional<machine::UnwindRegisters> machine = machine_of(elf, machine::native());
    const auto section = machine ? find_eh_frame(elf) : std::nullopt;
    return section ? Reader(elf, *machine, *section).size_of(address) : 0;
}

void mark_signal_returns(std::vector<UnwindRow>& rows, std::span<const uint8_t> code, uint64_t address,
                         std::span<const uint8_t> wanted)
{
    if (wanted.empty())
        return;
    const auto is_behind = [](uint64_t at, const UnwindRow& row) { return at < row.address; };
    for (auto from = code.begin();;) {
        const auto found = std::search(from, code.end(), wanted.begin(), wanted.end());
        if (found == code.end())
            return;
        // For a return address, a stack walk looks up the address before it. So the rule begins one byte before the
        // code to which the signal handler returns.
        const uint64_t begin = address + static_cast<uint64_t>(found - code.begin()) - 1,
                       end = begin + 1 + wanted.size();
        auto last = std::upper_bound(rows.begin(), rows.end(), end, is_behind);
        const dt_unwind_rule rest = last == rows.begin() ? dt_unwind_rule{} : std::prev(last)->rule;
        const auto first = std::lower_bound(rows.begin(), last, begin,
                                            [](const UnwindRow& row, uint64_t at) { return row.address < at; });
        dt_unwind_rule signal{};
        signal.cfa = DT_CFA_SIGNAL;
        last = rows.erase(first, last);
        rows.insert(last, {{begin, signal}, {end, rest}});
        from = found + static_cast<std::ptrdiff_t>(wanted.size());
    }
}

std::vector<UnwindRow> read_vdso_rows(Elf* elf)
{
    std::vector<UnwindRow> rows = read_unwind_rows(elf);
    std::size_t size = 0, count = 0;
    const char* const bytes = elf_rawfile(elf, &size);
    GElf_Phdr segment;
    if (!bytes || elf_getphdrnum(elf, &count) != 0)
        return rows;
    for (std::size_t i = 0; i < count; ++i)
        if (gelf_getphdr(elf, static_cast<int>(i), &segment) && segment.p_type == PT_LOAD && (segment.p_flags & PF_X) &&
            segment.p_offset < size)
            mark_signal_returns(rows,
                                {reinterpret_cast<const uint8_t*>(bytes) + segment.p_offset,
                                 std::min<std::size_t>(segment.p_filesz, size - segment.p_offset)},
                                segment.p_vaddr, machine::conventions_of(machine::native()).signal_return);
    return rows;
}

PackedUnwindRows rows_of_untrusted(UntrustedFiles& files, const std::string& path, const std::atomic<bool>* stop)
{
    if (files.by() == ReadBy::Tracer)
        return PackedUnwindRows(read_unwind_rows(ElfFile(path).get(), stop));
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        return PackedUnwindRows(read_unwind_rows(ElfFile(std::string(file)).get())).bytes();
    };
    Result<std::string> answer = files.read(path, read, path, stop);
    return answer ? PackedUnwindRows::deserialize(std::move(answer.value())) : PackedUnwindRows();
}

namespace {

uint64_t key_of(const dt_unwind_rule& rule)
{
    uint64_t key = 0;
    static_assert(sizeof rule == sizeof key);
    std::memcpy(&key, &rule, sizeof key);
    return key;
}

} // namespace

PackedUnwindRows::PackedUnwindRows(std::span<const UnwindRow> rows) : count_(rows.size())
{
    if (rows.empty())
        return;
    std::vector<dt_unwind_rule> rules;
    std::unordered_map<uint64_t, std::size_t> numbers;
    for (const UnwindRow& row : rows)
        if (numbers.try_emplace(key_of(row.rule), rules.size()).second)
            rules.push_back(row.rule);
    PackedWriter writer;
    writer.array(std::span<const dt_unwind_rule>(rules));
    writer.number(rows.size());
    uint64_t last = 0;
    for (const UnwindRow& row : rows) {
        writer.number(row.address - last);
        writer.number(numbers[key_of(row.rule)]);
        last = row.address;
    }
    bytes_ = writer.take();
    bytes_.shrink_to_fit();
    first_ = rows.front().address;
    last_ = last;
}

PackedUnwindRows PackedUnwindRows::deserialize(std::string bytes)
{
    PackedUnwindRows rows;
    rows.bytes_ = std::move(bytes);
    Cursor cursor(rows);
    if (!cursor.at_end())
        rows.first_ = rows.last_ = cursor.row().address;
    for (; !cursor.at_end(); cursor.next()) {
        if (rows.count_ != 0 && cursor.row().address <= rows.last_)
            return {};
        rows.last_ = cursor.row().address;
        ++rows.count_;
    }
    return cursor.good() && rows.count_ != 0 ? std::move(rows) : PackedUnwindRows();
}

PackedUnwindRows::Cursor::Cursor(const PackedUnwindRows& rows) : reader_(rows.bytes_)
{
    if (!rows.bytes_.empty()) {
        rules_ = reader_.array<dt_unwind_rule>();
        left_ = reader_.count(2, kMax);
    }
    next();
}

void PackedUnwindRows::Cursor::next()
{
    at_end_ = left_ == 0;
    if (at_end_)
        return;
    --left_;
    row_.address += reader_.number();
    const uint64_t rule = reader_.number();
    if (rule >= rules_.size())
        reader_.fail();
    at_end_ = !reader_.good();
    if (!at_end_)
        row_.rule = rules_[rule];
}

// Reads .gopclntab (Go's src/runtime/symtab.go, "pcHeader"). After a header, the section contains the start and the
// description of each function. The description refers to a table of stack pointer distances. The latter table says for
// each address of the function how far the stack pointer is below its value at the function's entry.

namespace {

using Bytes = std::span<const uint8_t>;

constexpr std::string_view kSection = ".gopclntab";
constexpr uint32_t kVersion18 = 0xfffffff0, kVersion20 = 0xfffffff1;
// Flags of a function: kTopFrame means that it is the outermost function of a stack; kChangesStack means that it writes
// the stack pointer.
constexpr uint8_t kTopFrame = 1, kChangesStack = 2;
constexpr dt_unwind_rule kUnknown{DT_CFA_NONE, DT_FP_LOST, 0, 0};
constexpr dt_unwind_rule kOutermost{DT_CFA_END, DT_FP_LOST, 0, 0};

struct Table {
    uint32_t version = 0;
    uint64_t functions = 0; ///< number of functions in Go's table
    uint64_t text = 0;      ///< base address, to which the addresses of functions are relative
    /// `places` contains the table of functions, then their descriptions; `frames` contains the tables of stack pointer
    /// distances.
    Bytes places, frames;
    std::size_t word = 8; ///< size of an address in bytes
    /// whether the return address is saved at the lower end of a frame, as on machines with a link register
    bool is_linked = false;
    /// number of bytes that one unit of an address difference in Go's tables stands for
    uint64_t smallest_instruction = 1;
};

Bytes from(Bytes bytes, uint64_t offset)
{
    return bytes.subspan(std::min<uint64_t>(offset, bytes.size()));
}

/// Reads the header. In a position-independent program the header has 0 as the address of the code, so `code` is used
/// instead.
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
    header.number(word); // skips the number of files
    table.text = header.number(word);
    table.text = table.text != 0 ? table.text : code;
    for (int i = 0; i < 3; ++i) // skips the offsets of function names, units and file names
        header.number(word);
    table.frames = from(section, header.number(word));
    table.places = from(section, header.number(word));
    const bool is_whole = !header.failed() && table.functions <= table.places.size() / 8;
    return is_whole ? std::optional(table) : std::nullopt;
}

/// Returns the rule for addresses at which the stack pointer is `distance` bytes below its value at the function's
/// entry. A Go function with a frame saves the frame pointer at the frame's upper end. In 32-bit programs it does not
/// save the frame pointer, which is an ordinary register there.
dt_unwind_rule rule_at(int64_t distance, std::size_t word)
{
    constexpr int64_t kMax = std::numeric_limits<int32_t>::max() - 8;
    if (distance < 0 || distance > kMax)
        return kUnknown;
    const auto frame = static_cast<dt_s32>(distance) + static_cast<dt_s32>(word);
    if (word == 4)
        return {DT_CFA_SP, DT_FP_LOST, 0, frame};
    const bool has_frame = distance > 0;
    return {DT_CFA_SP, static_cast<unsigned char>(has_frame ? DT_FP_AT_CFA : DT_FP_SAME),
            static_cast<short>(has_frame ? -16 : 0), frame};
}

/// Returns the rule for a stack pointer distance on machines with a link register. A function with a frame saves the
/// return address at the frame's lower end, and saves the frame pointer below the frame.
dt_unwind_rule linked_rule_at(int64_t distance)
{
    constexpr int64_t kMax = std::numeric_limits<int16_t>::max() - 8;
    if (distance < 0 || distance > kMax)
        return kUnknown;
    if (distance == 0)
        return {DT_CFA_SP | DT_RA_LINK << DT_RA_BITS, DT_FP_SAME, 0, 0};
    return {DT_CFA_SP | DT_RA_AFTER_FP << DT_RA_BITS, DT_FP_AT_CFA, static_cast<short>(-distance - 8),
            static_cast<dt_s32>(distance)};
}

struct Function {
    uint32_t frames = 0; ///< offset of the function's table of stack pointer distances; 0 if the function has none
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
    constexpr std::size_t kMaxRows = 32 << 20; // maximum number of rows; an invalid file could yield any number
    auto table = read_table(section, code, machine.word);
    if (!table)
        return;
    table->is_linked = machine.is_linked;
    DwarfBytes places(table->places);
    uint64_t begin = table->text + places.number(4);
    for (uint64_t i = 0; i < table->functions && rows.size() < kMaxRows; ++i) {
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
        // In position-independent programs the section's name has a prefix.
        if (const Elf_Data* const data =
                std::string_view(name).ends_with(kSection) ? elf_rawdata(section, nullptr) : nullptr;
            data && data->d_buf)
            table = {static_cast<const uint8_t*>(data->d_buf), data->d_size};
    }
    add_go_rows(table, code, machine, rows);
}

} // namespace dt
