// Parses notes (format: elf(5), "Notes") and their operands, and finds the variables that operands name. A note of
// SystemTap has the owner "stapsdt" and type 3, and contains three addresses and three texts. A note of -G has the
// owner "dtrace" and type 1, and contains an address and two texts (provider and probe).
#include "libdtrace/usdt/notes.hpp"

#include <dwarf.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "dcompiler/interface/probes.hpp"
#include "libdtrace/usdt/object_writer.hpp"

namespace dt::usdt {
namespace {

constexpr std::string_view kOwner{"stapsdt\0", 8}, kCounterOwner{"dtrace\0", 7};
constexpr uint32_t kType = 3, kCounterType = 1;

struct NoteHeader {
    uint32_t owner_size, description_size, type;
};

uint64_t aligned(uint64_t size)
{
    return (size + 3) / 4 * 4;
}

/// Reads `addresses.size()` words and `texts.size()` texts. Returns false if the description is truncated.
bool read_parts(std::string_view description, std::span<uint64_t> addresses, std::span<std::string> texts)
{
    if (description.size() < addresses.size_bytes())
        return false;
    std::memcpy(addresses.data(), description.data(), addresses.size_bytes());
    description.remove_prefix(addresses.size_bytes());
    for (std::string& each : texts) {
        const std::size_t end = description.find('\0');
        if (end == std::string_view::npos)
            return false;
        each = description.substr(0, end);
        description.remove_prefix(end + 1);
    }
    return !texts[0].empty() && !texts[1].empty();
}

/// Calls `take` with the description (the data) of every note that has this owner and type.
template <typename Take>
void for_each_note(std::span<const uint8_t> section, std::string_view owner, uint32_t type, Take take)
{
    while (section.size() > sizeof(NoteHeader)) {
        NoteHeader header;
        std::memcpy(&header, section.data(), sizeof header);
        section = section.subspan(sizeof header);
        const uint64_t before = aligned(header.owner_size), whole = before + aligned(header.description_size);
        if (before + header.description_size > section.size())
            break;
        const std::string_view bytes(reinterpret_cast<const char*>(section.data()), section.size());
        if (header.type == type && bytes.substr(0, header.owner_size) == owner)
            take(bytes.substr(before, header.description_size));
        section = section.subspan(std::min<uint64_t>(whole, section.size()));
    }
}

} // namespace

std::vector<Note> read_notes(std::span<const uint8_t> section, uint64_t base)
{
    std::vector<Note> found;
    for_each_note(section, kOwner, kType, [&](std::string_view description) {
        uint64_t addresses[3];
        std::string texts[3];
        if (!read_parts(description, addresses, texts))
            return;
        const uint64_t moved = base != 0 ? base - addresses[1] : 0;
        found.push_back(
            {addresses[0] + moved, addresses[2] != 0 ? addresses[2] + moved : 0, texts[0], dashed(texts[1]), texts[2]});
    });
    return found;
}

std::size_t add_counter_note(std::vector<uint8_t>& section, const std::string& provider, const std::string& probe)
{
    const std::size_t size = sizeof(uint64_t) + provider.size() + probe.size() + 2;
    append_bytes(section, NoteHeader{kCounterOwner.size(), static_cast<uint32_t>(size), kCounterType});
    section.insert(section.end(), kCounterOwner.begin(), kCounterOwner.end());
    section.resize(aligned(section.size()));
    const std::size_t address = section.size();
    append_bytes(section, uint64_t{0});
    for (const std::string& text : {provider, probe})
        section.insert(section.end(), text.c_str(), text.c_str() + text.size() + 1);
    section.resize(aligned(section.size()));
    return address;
}

std::vector<CounterNote> read_counter_notes(std::span<const uint8_t> section)
{
    std::vector<CounterNote> found;
    for_each_note(section, kCounterOwner, kCounterType, [&](std::string_view description) {
        uint64_t address[1];
        std::string texts[2];
        if (read_parts(description, address, texts))
            found.push_back({address[0], texts[0], texts[1]});
    });
    return found;
}

// Resolves the variables that operands name. A symbol table lists the local symbols of each source file after a symbol
// of type STT_FILE, and all global symbols at the end (elf(5), "sh_info").

namespace {

constexpr uint64_t kMaxEntries = 1 << 22; ///< maximum number of debug entries that are visited per compilation unit
constexpr unsigned kDeepestEntry = 32;

/// Returns the link-time address of a variable, or nothing if the variable has no fixed address.
std::optional<uint64_t> address_of(Dwarf_Die variable)
{
    Dwarf_Attribute place, number;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    Dwarf_Addr address = 0;
    if (!dwarf_attr(&variable, DW_AT_location, &place) || dwarf_getlocation(&place, &operations, &count) != 0 ||
        count != 1)
        return {};
    if (operations->atom == DW_OP_addr)
        return operations->number;
    const bool is_indexed = operations->atom == DW_OP_addrx || operations->atom == DW_OP_GNU_addr_index;
    return is_indexed && dwarf_getlocation_attr(&place, operations, &number) == 0 &&
                   dwarf_formaddr(&number, &address) == 0
               ? std::optional<uint64_t>(address)
               : std::nullopt;
}

/// Calls visit(variable) for the variables of a compilation unit, including variables in functions and blocks.
template <typename Visit>
void for_each_variable(Dwarf_Die around, DwarfBudget& budget, unsigned depth, const Visit& visit)
{
    for_each_child(around, budget, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variable)
            visit(child);
        else if (depth < kDeepestEntry && (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
                                           tag == DW_TAG_namespace || tag == DW_TAG_inlined_subroutine))
            for_each_variable(child, budget, depth + 1, visit);
        return true;
    });
}

bool has_name(Dwarf_Die variable, std::string_view wanted)
{
    Dwarf_Attribute found;
    const char* const linked =
        dwarf_attr_integrate(&variable, DW_AT_linkage_name, &found) ? dwarf_formstring(&found) : nullptr;
    const char* const name = linked ? linked : dwarf_name(variable);
    return name && name == wanted;
}

} // namespace

/// Calls visit(symbol, name, index of the file symbol (STT_FILE) before it) for the defined symbols of the file and of
/// its debug file.
template <typename Visit> void NoteSymbols::for_each_definition(const Visit& visit)
{
    uint32_t files = kNoFile;
    const auto visit_file = [&](Elf* elf) {
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
            GElf_Shdr header;
            if (!gelf_getshdr(section, &header) || header.sh_entsize == 0 ||
                (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
                continue;
            Elf_Data* const data = elf_getdata(section, nullptr);
            const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
            GElf_Sym symbol;
            uint32_t file = kNoFile;
            for (int i = 0; data && i < count && gelf_getsym(data, i, &symbol); ++i) {
                const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
                if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
                    file = ++files;
                else if (name && *name && symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0)
                    visit(symbol, std::string_view(name, strnlen(name, kLongestName)),
                          GELF_ST_BIND(symbol.st_info) == STB_LOCAL ? file : kGlobal);
            }
        }
    };
    if (!file_)
        file_ = std::make_unique<ElfFile>(path_);
    if (!file_->get())
        return;
    visit_file(file_->get());
    visit_stripped_symbols(file_->get(), path_, visit_file);
}

NoteSymbols::Found NoteSymbols::find(std::string_view name, uint64_t site)
{
    Definitions definitions;
    for_each_definition([&](const GElf_Sym& symbol, std::string_view text, uint32_t file) {
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        const bool is_known = std::any_of(definitions.begin(), definitions.end(),
                                          [&](const Definition& each) { return each.address == symbol.st_value; });
        if (type != STT_SECTION && type != STT_TLS && !is_known && without_version(text) == name)
            definitions.push_back({symbol.st_value, file});
    });
    if (definitions.empty())
        return {0, "there is no symbol " + std::string(name)};
    if (definitions.size() == 1)
        return {definitions.front().address};
    if (const auto address = by_debug_information(definitions, name, site))
        return {*address};
    if (const auto address = by_file_symbol(definitions, site))
        return {*address};
    return {0,
            std::to_string(definitions.size()) + " source files of the program have a symbol " + std::string(name) +
                ", and the probe's file is not known: compile with debug information (-g)",
            true};
}

std::optional<uint64_t> NoteSymbols::by_debug_information(const Definitions& definitions, std::string_view name,
                                                          uint64_t site)
{
    if (!debug_ && has_debug_)
        has_debug_ = (debug_ = DwarfFile::open(path_)) != nullptr;
    const std::optional<Dwarf_Die> unit = debug_ ? debug_->unit(site) : std::nullopt;
    if (!unit)
        return {};
    std::vector<uint64_t> found;
    bool is_declared = false;
    DwarfBudget budget(kMaxEntries);
    for_each_variable(*unit, budget, 0, [&](Dwarf_Die variable) {
        const auto address = address_of(variable);
        is_declared |= !address && is_declaration(variable) && has_name(variable, name);
        if (address && std::any_of(definitions.begin(), definitions.end(),
                                   [&](const Definition& each) { return each.address == *address; }))
            found.push_back(*address);
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    const auto global = std::find_if(definitions.begin(), definitions.end(),
                                     [](const Definition& each) { return each.file == kGlobal; });
    if (found.empty() && is_declared && global != definitions.end())
        return global->address;
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// Selects the definition of a variable that belongs to the same file symbol (source file) as the function with the
/// probe. Returns nothing if that is not possible: file symbols may be stripped, and global functions have no file
/// symbol. File symbols of neighboring functions do not help, because linkers do not order functions only by file.
std::optional<uint64_t> NoteSymbols::by_file_symbol(const Definitions& definitions, uint64_t site)
{
    std::optional<uint32_t> file;
    for_each_definition([&](const GElf_Sym& symbol, std::string_view, uint32_t number) {
        if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && site - symbol.st_value < symbol.st_size && !file)
            file = number;
    });
    if (!file || *file == kGlobal || *file == kNoFile)
        return {};
    std::optional<uint64_t> own, global;
    for (const Definition& each : definitions)
        if (each.file == *file || each.file == kGlobal)
            (each.file == *file ? own : global) = each.address;
    return own ? own : global;
}

// Parses operands of notes. Sizes and signs have the same syntax on all machines and are parsed here. The remaining
// text of an operand has assembler syntax and is parsed by functions of machine/machine.hpp.

namespace {

using machine::NoteOperand;

/// Converts a value, by truncation or extension, to an integer with the size and signedness of the location `as`.
int64_t narrowed(int64_t value, const Location& as)
{
    const unsigned unused = 64 - 8 * as.size;
    const uint64_t shifted = static_cast<uint64_t>(value) << unused;
    return as.is_signed ? static_cast<int64_t>(shifted) >> unused : static_cast<int64_t>(shifted >> unused);
}

/// Fills in `where` from an operand. The size and the signedness of `where` are already set.
void place(const NoteOperand& operand, Location& where)
{
    switch (operand.kind) {
    case NoteOperand::Kind::Constant:
        where.kind = Location::Kind::Constant;
        where.offset = narrowed(operand.offset, where);
        return;
    case NoteOperand::Kind::Register: {
        if (!operand.is_second_byte) {
            where.kind = Location::Kind::Register;
            where.index = operand.word;
            where.size = std::min(where.size, operand.bytes);
            return;
        }
        const Location whole{.kind = Location::Kind::Register, .index = operand.word, .size = 2};
        where = {
            .kind = Location::Kind::ShiftRight, .offset = 8, .size = 1, .is_signed = where.is_signed, .of = {whole}};
        return;
    }
    case NoteOperand::Kind::Memory:
        where.kind = Location::Kind::UserMemory;
        where.index = operand.word == NoteOperand::kNoRegister ? Location::kNoRegister : operand.word;
        where.offset = operand.offset;
        where.scale = operand.scale;
        if (operand.scale == 0 || operand.scaled_bytes == 8)
            where.scaled = operand.scaled;
        else
            where.of = {{.kind = Location::Kind::Register,
                         .index = operand.scaled,
                         .size = operand.scaled_bytes,
                         .is_signed = operand.is_scaled_signed}};
    }
}

/// Parses "-4", "8" or "4f": sign, bytes, and f for floating-point. Returns false if the text has another form.
bool read_size(std::string_view text, Location& where, bool& is_float)
{
    where.is_signed = text.starts_with('-');
    if (where.is_signed)
        text.remove_prefix(1);
    is_float = text.ends_with('f');
    if (is_float)
        text.remove_suffix(1);
    if (text != "1" && text != "2" && text != "4" && text != "8")
        return false;
    where.size = static_cast<uint8_t>(text[0] - '0');
    return true;
}

NoteArgument read_operand(const machine::Machine& machine, std::string_view text)
{
    NoteArgument argument;
    const std::size_t at = text.find('@');
    bool is_float = false;
    const bool sized = at != std::string_view::npos && read_size(text.substr(0, at), argument.where, is_float);
    argument.type =
        std::string(argument.where.is_signed ? "" : "u") + "int" + std::to_string(argument.where.size * 8) + "_t";
    const std::string_view operand = at == std::string_view::npos ? text : text.substr(at + 1);
    const auto read = sized ? machine.read_operand(operand) : std::nullopt;
    if (read) {
        place(*read, argument.where);
        argument.symbol = read->symbol;
    } else {
        argument.where = {};
        const bool is_register = operand.starts_with('%') || (!operand.empty() && std::isalpha(operand.front()));
        argument.unreadable = is_float && is_register
                                  ? "a floating-point number in " + std::string(operand.substr(operand[0] == '%')) +
                                        ", which the kernel does not pass to probes: use a debugger"
                                  : "the operand " + std::string(text) + " is not supported";
    }
    return argument;
}

/// Returns the end of the first operand, which is a space outside of parentheses and brackets. Some compilers write
/// spaces within parentheses and brackets.
std::size_t end_of_operand(std::string_view text)
{
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
        if (text[i] == ' ' && depth <= 0)
            return i;
    }
    return text.size();
}

} // namespace

std::vector<NoteArgument> read_operands(std::string_view text, const machine::Machine& machine)
{
    std::vector<NoteArgument> found;
    while (!text.empty() && found.size() < kMaxArguments) {
        if (text.front() == ' ') {
            text.remove_prefix(1);
            continue;
        }
        const std::size_t end = end_of_operand(text);
        std::string operand;
        for (const char c : text.substr(0, end))
            if (c != ' ')
                operand += c;
        found.push_back(read_operand(machine, operand));
        text.remove_prefix(end);
    }
    return found;
}

} // namespace dt::usdt
