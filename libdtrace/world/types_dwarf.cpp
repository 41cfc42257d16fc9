// Finds debug entries for names and addresses, using libdw. types_dwarf_import.cpp converts entries to types.
#include "libdtrace/world/types_dwarf.hpp"

#include <dwarf.h>

#include <cerrno>
#include <unordered_map>
#include <utility>

#include "libdtrace/world/types_dwarf_import.hpp"

namespace dt {
namespace {

constexpr std::size_t kMostParameters = 16;
constexpr uint64_t kMostEntries = 1 << 16; ///< limit of entries per function

/// Location of a parameter at function entry, as described by the compiler.
struct Begins {
    bool is_told = false;
    std::vector<unsigned> registers = {}; ///< registers that hold it
    bool is_by_address = false;           ///< passed by reference: the registers or memory hold its address
};

/// Returns the register of an expression, or several that hold its parts; empty if it is not in registers.
std::vector<unsigned> registers_of(const Dwarf_Op* expression, std::size_t length)
{
    std::vector<unsigned> registers;
    for (std::size_t i = 0; i < length; ++i) {
        const Dwarf_Op& step = expression[i];
        if (step.atom >= DW_OP_reg0 && step.atom <= DW_OP_reg31)
            registers.push_back(step.atom - DW_OP_reg0);
        else if (step.atom != DW_OP_piece)
            return {};
    }
    return registers;
}

Begins beginning_of(Dwarf_Die parameter, uint64_t address)
{
    constexpr unsigned kFramePointer = 6, kStackPointer = 7; // registers in which no caller passes arguments
    Dwarf_Attribute location;
    Dwarf_Op* expression = nullptr;
    std::size_t length = 0;
    if (!dwarf_attr_integrate(&parameter, DW_AT_location, &location) ||
        dwarf_getlocation_addr(&location, address, &expression, &length, 1) != 1 || length == 0)
        return {};
    if (std::vector<unsigned> registers = registers_of(expression, length); !registers.empty())
        return {true, std::move(registers)};
    const Dwarf_Op& first = expression[0];
    const bool is_offset = first.atom >= DW_OP_breg0 && first.atom <= DW_OP_breg31;
    const unsigned base = is_offset ? first.atom - DW_OP_breg0 : 0;
    if (first.atom == DW_OP_fbreg || (is_offset && (base == kFramePointer || base == kStackPointer)))
        return {length <= 2, {}, length == 2 && expression[1].atom == DW_OP_deref};
    return is_offset && first.number == 0 && length == 1 ? Begins{true, {base}, true} : Begins{};
}

/// Returns whether the function starts at the address. Its first range is the entry, even if the compiler moved cold
/// code elsewhere.
bool begins_at(Dwarf_Die function, uint64_t address)
{
    Dwarf_Addr base = 0, start = 0, end = 0;
    return dwarf_ranges(&function, 0, &base, &start, &end) > 0 && start == address;
}

/// Returns whether a C++ object is passed by address because it cannot be copied bytewise.
bool is_by_address(Dwarf_Die type)
{
    for (int depth = 0; depth < 16; ++depth) {
        const int tag = dwarf_tag(&type);
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type)
            return dwarf_number(type, DW_AT_calling_convention) == DW_CC_pass_by_reference;
        const auto next = dwarf_reference(type, DW_AT_type);
        if (!next)
            return false;
        type = *next;
    }
    return false;
}

} // namespace

struct DwarfTypes::Impl {
    explicit Impl(std::unique_ptr<DwarfFile> opened) : file(std::move(opened)), names(*file) {}

    std::unique_ptr<DwarfFile> file;
    DwarfNames names;
    std::unordered_map<const void*, uint64_t> unit_numbers; ///< by address of the unit's entry

    const std::unordered_map<const void*, uint64_t>& numbers_of_units()
    {
        if (unit_numbers.empty())
            for (const Dwarf_Die& unit : file->units())
                unit_numbers.emplace(unit.addr, unit_numbers.size());
        return unit_numbers;
    }

    DwarfImporter& importer(TypeTable& table, const DwarfTypes& source)
    {
        std::unique_ptr<Imports>& kept = table.imports_of(source);
        if (!kept)
            kept = std::make_unique<DwarfImporter>(table, names);
        return static_cast<DwarfImporter&>(*kept);
    }
};

DwarfTypes::DwarfTypes(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

DwarfTypes::~DwarfTypes() = default;

std::unique_ptr<DwarfTypes> DwarfTypes::open(const std::string& path, const std::string& named, std::string& problem)
{
    auto file = DwarfFile::open(path, named, &problem);
    return file ? std::unique_ptr<DwarfTypes>(new DwarfTypes(std::make_unique<Impl>(std::move(file)))) : nullptr;
}

const Type* DwarfTypes::find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view)
{
    const auto found = space == TypeNamespace::Function ? std::nullopt : impl_->names.find(space, name);
    if (!found)
        return nullptr;
    DwarfImporter& importer = impl_->importer(table, *this);
    const Type* const type = space == TypeNamespace::Variable ? importer.type_of(*found) : importer.import(*found);
    return type->kind == TypeKind::Void ? nullptr : type;
}

std::optional<DwarfTypes::Function> DwarfTypes::function(TypeTable& table, uint64_t address)
{
    const auto found = impl_->file->function(address);
    const int language = found ? dwarf_language(*found) : 0;
    if (!found || !begins_at(*found, address) ||
        language == DW_LANG_Mips_Assembler) // assemblers describe functions without parameters
        return {};
    DwarfImporter& importer = impl_->importer(table, *this);
    Function function;
    function.is_rust = language == DW_LANG_Rust;
    function.is_go = language == DW_LANG_Go;
    function.is_called_by_others = !function.is_rust && dwarf_flag(*found, DW_AT_external);
    function.result = importer.type_of(*found);
    DwarfBudget budget(kMostEntries);
    for_each_child(*found, budget, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter)
            return true;
        const auto type = dwarf_reference(child, DW_AT_type);
        const char* const name = dwarf_name(child);
        const Begins begins = beginning_of(child, address);
        Parameter parameter{printable_name(name ? name : ""), importer.type_of(child), begins.registers,
                            begins.is_told};
        if (begins.is_by_address || (type && is_by_address(*type)))
            parameter.type = importer.pointer_to(parameter.type, 8);
        if (function.is_go && dwarf_flag(child, DW_AT_variable_parameter)) // Go lists results among the parameters
            function.result = function.result->kind == TypeKind::Void ? parameter.type : function.result;
        else
            function.parameters.push_back(std::move(parameter));
        return function.parameters.size() < kMostParameters;
    });
    return function;
}

std::optional<TypePlace> DwarfTypes::place_of(TypeTable& table, const Type* type)
{
    auto entry = impl_->importer(table, *this).entry_of(type);
    Dwarf_Die unit;
    if (!entry || !dwarf_diecu(&*entry, &unit, nullptr, nullptr))
        return {};
    const auto number = impl_->numbers_of_units().find(unit.addr);
    if (number == impl_->numbers_of_units().end()) // a type unit in a .dwo file
        return {};
    return TypePlace{number->second, static_cast<uint64_t>(static_cast<const char*>(entry->addr) -
                                                           static_cast<const char*>(unit.addr))};
}

const Type* DwarfTypes::at(TypeTable& table, const TypePlace& place)
{
    const std::vector<Dwarf_Die>& units = impl_->file->units();
    if (place.part >= units.size())
        return table.void_type();
    const Dwarf_Die& unit = units[place.part];
    Dwarf_Die die;
    if (!dwarf_die_addr_die(dwarf_cu_getdwarf(unit.cu), static_cast<char*>(unit.addr) + place.at, &die))
        return table.void_type();
    return impl_->importer(table, *this).import(die);
}

} // namespace dt
