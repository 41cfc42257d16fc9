// Finds debug entries by names and addresses with libdw, and converts the entries to types.
#include "libdtrace/types/dwarf_types.hpp"

#include <dwarf.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "libdtrace/elf/dwarf_file.hpp"
#include "libdtrace/elf/dwarf_variables.hpp"

// Converts debug entries to type nodes. Creates one node in the table for each debug entry.

namespace dt {

class DwarfImporter final : public TypeSource::Imports {
public:
    DwarfImporter(TypeTable& table, DwarfNames& names) : table_(table), names_(names) {}

    /// Returns the type that a debug entry describes, or void if it describes no valid type.
    const Type* import(Dwarf_Die die);
    /// Returns the type of a variable, parameter, member or function result.
    const Type* type_of(Dwarf_Die die);
    /// Returns the debug entry from which a record, enum, typedef or function type was created. Returns nothing for
    /// other types.
    std::optional<Dwarf_Die> entry_of(const Type* type) const
    {
        const auto known = entries_.find(type);
        return known == entries_.end() ? std::nullopt : std::optional(known->second);
    }
    const Type* pointer_to(const Type* target, uint64_t size)
    {
        return table_.pointer_to(target, AddressSpace::User, size == 4 ? 4 : 8);
    }

private:
    const Type* make(Dwarf_Die die);
    Type* make_named(Dwarf_Die die, TypeKind kind);
    const Type* make_number(Dwarf_Die die);
    const Type* make_array(Dwarf_Die die);
    const Type* make_typedef(Dwarf_Die die);
    const Type* make_record(Dwarf_Die die, TypeKind kind);
    const Type* make_enum(Dwarf_Die die);
    const Type* make_discriminant(Dwarf_Die part);
    const Type* make_function(Dwarf_Die die);
    const Type* make_member_pointer(Dwarf_Die die);
    bool follow_declaration(Dwarf_Die die, Type& node);
    void add_members(Dwarf_Die record, std::vector<Member>& members, uint64_t size);
    void add_member(Dwarf_Die die, const Type* imported, std::string name, std::vector<Member>& members, uint64_t size);
    std::vector<const Type*> type_arguments(Dwarf_Die record);
    bool is_sound(Dwarf_Die type, unsigned depth);
    static uint64_t address_size(Dwarf_Die die);

    TypeTable& table_;
    DwarfNames& names_;
    /// types that have been created; the key is the address of the debug entry
    std::unordered_map<const void*, const Type*> nodes_;
    std::unordered_map<const Type*, Dwarf_Die> entries_;
    /// cached results of is_sound(); the key is the address of the record's debug entry
    std::unordered_map<const void*, bool> sound_;
    unsigned depth_ = 0;
};

namespace {

constexpr std::size_t kMaxParameters = 16;
constexpr uint64_t kMaxEntries = 1 << 16; ///< maximum number of debug entries read for a function

/// Location of a parameter at function entry, as the debug information describes it.
struct Begins {
    bool is_stated = false;
    std::vector<unsigned> registers = {}; ///< registers that contain the parameter or its address
    /// whether the parameter is passed by reference, so that the registers or the memory contain its address
    bool is_by_address = false;
};

/// Returns the register, or the registers with the parts of a value, that a location expression describes. Returns an
/// empty list if the value is not in registers.
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
    // numbers of registers that never contain arguments at a function's entry
    constexpr unsigned kFramePointer = 6, kStackPointer = 7;
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

/// Returns whether the function's entry is at the address. If the compiler has moved cold code out of the function, the
/// function has several address ranges, and the first range begins at the entry.
bool begins_at(Dwarf_Die function, uint64_t address)
{
    Dwarf_Addr base = 0, start = 0, end = 0;
    return dwarf_ranges(&function, 0, &base, &start, &end) > 0 && start == address;
}

/// Returns whether a C++ object is passed by address because its class does not permit copying its bytes.
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
    Impl(std::unique_ptr<DwarfFile> opened, std::string program)
        : file(std::move(opened)), names(*file), path(std::move(program))
    {
    }

    std::unique_ptr<DwarfFile> file;
    DwarfNames names;
    const std::string path;
    std::unique_ptr<DwarfVariables> variables; ///< null until variables are searched
    /// numbers of the compilation units; the key is the address of the unit's first debug entry
    std::unordered_map<const void*, uint64_t> unit_numbers;

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
    return file ? std::unique_ptr<DwarfTypes>(new DwarfTypes(std::make_unique<Impl>(std::move(file), path))) : nullptr;
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
    // Assemblers write no parameters into the debug information of a function, so the parameters of an assembly
    // function are unknown.
    if (!found || !begins_at(*found, address) || language == DW_LANG_Mips_Assembler)
        return {};
    DwarfImporter& importer = impl_->importer(table, *this);
    Function function;
    function.is_rust = language == DW_LANG_Rust;
    function.is_go = language == DW_LANG_Go;
    function.is_called_by_others = !function.is_rust && dwarf_flag(*found, DW_AT_external);
    function.result = importer.type_of(*found);
    DwarfBudget budget(kMaxEntries);
    for_each_child(*found, budget, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter)
            return true;
        const auto type = dwarf_reference(child, DW_AT_type);
        const char* const name = dwarf_name(child);
        const Begins begins = beginning_of(child, address);
        Parameter parameter{printable_name(name ? name : ""), importer.type_of(child), begins.registers,
                            begins.is_stated};
        if (begins.is_by_address || (type && is_by_address(*type)))
            parameter.type = importer.pointer_to(parameter.type, 8);
        // Go lists the results of a function among its parameters.
        if (function.is_go && dwarf_flag(child, DW_AT_variable_parameter))
            function.result = function.result->kind == TypeKind::Void ? parameter.type : function.result;
        else
            function.parameters.push_back(std::move(parameter));
        return function.parameters.size() < kMaxParameters;
    });
    return function;
}

std::vector<DwarfTypes::Variable> DwarfTypes::variables(TypeTable& table, uint64_t address, const std::string& name,
                                                        std::string& problem)
{
    if (!impl_->variables)
        impl_->variables = std::make_unique<DwarfVariables>(*impl_->file, impl_->names, impl_->path);
    DwarfImporter& importer = impl_->importer(table, *this);
    std::vector<Variable> variables;
    for (VisibleVariable& each : impl_->variables->find(address, name, problem))
        variables.push_back({std::move(each.name), importer.type_of(each.die), std::move(each.refusal),
                             each.is_parameter, std::move(each.location)});
    return variables;
}

std::optional<TypePosition> DwarfTypes::place_of(TypeTable& table, const Type* type)
{
    auto entry = impl_->importer(table, *this).entry_of(type);
    Dwarf_Die unit;
    if (!entry || !dwarf_diecu(&*entry, &unit, nullptr, nullptr))
        return {};
    const auto number = impl_->numbers_of_units().find(unit.addr);
    // A type unit in a .dwo file has no number, so its types have no position.
    if (number == impl_->numbers_of_units().end())
        return {};
    return TypePosition{number->second, static_cast<uint64_t>(static_cast<const char*>(entry->addr) -
                                                              static_cast<const char*>(unit.addr))};
}

const Type* DwarfTypes::at(TypeTable& table, const TypePosition& place)
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

// Implements the conversion of debug entries to type nodes. Debug information comes from files that the traced user may
// have written, so every type is validated: no type may contain itself, members must be inside their record, and counts
// are limited. Invalid types become void; invalid members are omitted.
//
// Debug information describes constructs that D lacks; they are approximated. References become pointers, and base
// classes become members without a name. Variants of a Rust enum become members that share their bytes.

namespace {

constexpr unsigned kDeepestType = 64; ///< maximum nesting depth of unnamed types
constexpr uint64_t kMaxSteps = 1 << 16;
constexpr std::size_t kMaxTypeArguments = 16;
constexpr uint64_t kLargest = uint64_t{1} << 40; ///< maximum size of a type in bytes

/// Removes typedefs, qualifiers and arrays from a type. Returns nothing if the chain is circular.
std::optional<Dwarf_Die> innermost(Dwarf_Die die)
{
    for (unsigned depth = 0; depth < kDeepestType; ++depth) {
        switch (dwarf_tag(&die)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
        case DW_TAG_immutable_type:
        case DW_TAG_packed_type:
        case DW_TAG_shared_type:
        case DW_TAG_array_type:
        case DW_TAG_subrange_type: {
            const auto next = dwarf_reference(die, DW_AT_type);
            if (!next)
                return die;
            die = *next;
            break;
        }
        default:
            return die;
        }
    }
    return {};
}

std::string name_of(Dwarf_Die die)
{
    const char* const name = dwarf_name(die);
    return name ? printable_name(name) : std::string();
}

bool is_record(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
           tag == DW_TAG_interface_type;
}

/// Returns a member's offset in bytes. Returns nothing for a member that only the running program can locate (virtual
/// bases).
std::optional<uint64_t> member_offset(Dwarf_Die member)
{
    Dwarf_Attribute attribute;
    if (!dwarf_attr_integrate(&member, DW_AT_data_member_location, &attribute))
        return 0;
    Dwarf_Word number = 0;
    if (dwarf_formudata(&attribute, &number) == 0)
        return number;
    Dwarf_Op* expression = nullptr;
    std::size_t length = 0;
    if (dwarf_getlocation(&attribute, &expression, &length) == 0 && length == 1 &&
        expression[0].atom == DW_OP_plus_uconst)
        return expression[0].number;
    return {};
}

/// Returns the number of elements in one dimension of an array, or 0 if the file does not state the number.
uint64_t count_of(Dwarf_Die range)
{
    if (const auto count = dwarf_number(range, DW_AT_count))
        return *count;
    const auto last = dwarf_number(range, DW_AT_upper_bound);
    const uint64_t first = dwarf_number(range, DW_AT_lower_bound).value_or(0);
    return last && *last != UINT64_MAX && *last != UINT32_MAX && *last >= first ? *last - first + 1 : 0;
}

} // namespace

uint64_t DwarfImporter::address_size(Dwarf_Die die)
{
    Dwarf_Die unit;
    uint8_t size = 8;
    return dwarf_diecu(&die, &unit, &size, nullptr) ? size : 8;
}

const Type* DwarfImporter::type_of(Dwarf_Die die)
{
    const auto type = dwarf_reference(die, DW_AT_type);
    return type ? import(*type) : table_.void_type();
}

const Type* DwarfImporter::import(Dwarf_Die die)
{
    if (const auto known = nodes_.find(die.addr); known != nodes_.end())
        return known->second;
    if (depth_ == kDeepestType || !innermost(die))
        return table_.void_type();
    ++depth_;
    // debug entry in a type unit that describes the type, if there is one
    const auto unit = dwarf_reference(die, DW_AT_signature);
    const Type* const node = unit ? import(*unit) : make(die);
    --depth_;
    nodes_[die.addr] = node;
    return node;
}

const Type* DwarfImporter::make(Dwarf_Die die)
{
    switch (dwarf_tag(&die)) {
    case DW_TAG_base_type:
        return make_number(die);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return pointer_to(type_of(die), dwarf_number(die, DW_AT_byte_size).value_or(address_size(die)));
    case DW_TAG_array_type:
        return make_array(die);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_interface_type:
        return make_record(die, TypeKind::Struct);
    case DW_TAG_union_type:
        return make_record(die, TypeKind::Union);
    case DW_TAG_enumeration_type:
        return make_enum(die);
    case DW_TAG_variant_part:
        return make_discriminant(die);
    case DW_TAG_typedef:
        return make_typedef(die);
    case DW_TAG_subroutine_type:
        return make_function(die);
    case DW_TAG_ptr_to_member_type:
        return make_member_pointer(die);
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
    case DW_TAG_immutable_type:
    case DW_TAG_packed_type:
    case DW_TAG_shared_type:
    case DW_TAG_subrange_type:
        return type_of(die);
    default:
        return table_.void_type();
    }
}

/// Creates a number type. Numbers that D does not have (16 bytes, complex) become arrays of smaller numbers, words or
/// bytes.
const Type* DwarfImporter::make_number(Dwarf_Die die)
{
    const uint64_t bytes = dwarf_number(die, DW_AT_byte_size).value_or(0),
                   encoding = dwarf_number(die, DW_AT_encoding).value_or(0);
    const bool is_float = encoding == DW_ATE_float;
    std::string name(d_spelling(name_of(die)));
    if (bytes == 0 || bytes > 64)
        return table_.void_type();
    if (encoding == DW_ATE_complex_float) {
        const char* const part = bytes == 8                                             ? "float"
                                 : bytes == 16                                          ? "double"
                                 : bytes == 32 && name.find("128") == std::string::npos ? "long double"
                                                                                        : nullptr;
        return part ? table_.array_of(table_.named(part), 2) : table_.array_of(table_.integer(1, false), bytes);
    }
    if (!is_float && bytes == 16)
        return table_.array_of(table_.integer(8, encoding == DW_ATE_signed), 2);
    const bool is_known = is_float ? is_known_float(name, bytes) : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (!is_known)
        return table_.array_of(table_.integer(1, false), bytes);
    if (encoding == DW_ATE_boolean && bytes == 1)
        name = "_Bool";
    const bool is_char = bytes == 1 && (name == "char" || name == "signed char");
    const bool is_signed = !is_float && (is_char || encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
    const Type* const known = table_.named(name);
    if (known && known->size == bytes && known->kind == (is_float ? TypeKind::Float : TypeKind::Integer) &&
        known->is_signed == is_signed)
        return known;
    Type* const node = table_.make(is_float ? TypeKind::Float : TypeKind::Integer, name);
    node->size = bytes;
    node->is_char = is_char;
    node->is_signed = is_signed;
    return node;
}

const Type* DwarfImporter::make_array(Dwarf_Die die)
{
    std::vector<uint64_t> counts;
    DwarfBudget budget(kDeepestType);
    for_each_child(die, budget, [&](Dwarf_Die& child) {
        if (const int tag = dwarf_tag(&child); tag == DW_TAG_subrange_type || tag == DW_TAG_enumeration_type)
            counts.push_back(count_of(child));
        return true;
    });
    const Type* type = type_of(die);
    if (const TypeKind kind = type->resolve()->kind; kind == TypeKind::Void || kind == TypeKind::Function)
        return table_.void_type();
    for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
        const uint64_t size = std::max<uint64_t>(type->resolve()->size, 1);
        type = table_.array_of(type, *count <= kLargest / size ? *count : 0);
    }
    return counts.empty() ? table_.array_of(type, 0) : type;
}

Type* DwarfImporter::make_named(Dwarf_Die die, TypeKind kind)
{
    Type* const node = table_.make(kind, printable_name(names_.qualified(die)));
    entries_.emplace(node, die);
    return node;
}

/// Creates a typedef. Registers the node before it imports the target, because the target may refer to the typedef.
const Type* DwarfImporter::make_typedef(Dwarf_Die die)
{
    Type* const node = make_named(die, TypeKind::Typedef);
    node->target = table_.void_type();
    nodes_[die.addr] = node;
    const Type* const target = type_of(die);
    node->target = target == node ? table_.void_type() : target;
    node->size = node->target->resolve()->size;
    return node;
}

/// Returns whether the debug entry is only a declaration. If so, `node` will look up the definition by name when it is
/// needed.
bool DwarfImporter::follow_declaration(Dwarf_Die die, Type& node)
{
    if (!is_declaration(die))
        return false;
    node.incomplete = true;
    const TypeKind kind = node.kind;
    node.definition = [this, die, kind]() -> const Type* {
        const auto space = kind == TypeKind::Union  ? TypeNamespace::Union
                           : kind == TypeKind::Enum ? TypeNamespace::Enum
                                                    : TypeNamespace::Struct;
        const auto found = names_.definition(space, die);
        const Type* const made = found && !is_declaration(*found) ? import(*found) : nullptr;
        return made && made->kind == kind && !made->incomplete ? made : nullptr;
    };
    return true;
}

const Type* DwarfImporter::make_record(Dwarf_Die die, TypeKind kind)
{
    Type* const node = make_named(die, kind);
    if (follow_declaration(die, *node))
        return node;
    node->size = std::min(dwarf_number(die, DW_AT_byte_size).value_or(0), kLargest);
    node->complete = [this, die, node](std::vector<Member>& members, std::vector<Enumerator>&) {
        // the members are imported later than the record, so the nesting depth starts from 0 again
        const unsigned depth = std::exchange(depth_, 0);
        if (is_sound(die, 0))
            add_members(die, members, node->size);
        node->parameters = type_arguments(die);
        depth_ = depth;
    };
    return node;
}

/// Returns the types with which a generic type was instantiated.
std::vector<const Type*> DwarfImporter::type_arguments(Dwarf_Die record)
{
    std::vector<const Type*> arguments;
    DwarfBudget budget(kMaxSteps);
    for_each_child(record, budget, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
            arguments.push_back(type_of(child));
        return arguments.size() < kMaxTypeArguments;
    });
    return arguments;
}

/// Returns false if a record in the type contains itself.
bool DwarfImporter::is_sound(Dwarf_Die type, unsigned depth)
{
    const auto inside = innermost(type);
    if (!inside || depth == kDeepestType)
        return false;
    type = *inside;
    if (!is_record(dwarf_tag(&type)))
        return true;
    // the cached result is false until the check has ended, so that a record that contains itself is rejected
    const auto [known, is_new] = sound_.try_emplace(type.addr, false);
    if (!is_new)
        return known->second;
    bool is_good = true;
    DwarfBudget budget(kMaxSteps);
    const auto visit = [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        const auto contained =
            tag == DW_TAG_member || tag == DW_TAG_inheritance ? dwarf_reference(child, DW_AT_type) : std::nullopt;
        is_good &= !contained || dwarf_flag(child, DW_AT_external) || is_sound(*contained, depth + 1);
        return is_good;
    };
    for_each_child(type, budget, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) == DW_TAG_variant_part)
            for_each_child(child, budget, [&](Dwarf_Die& variant) {
                for_each_child(variant, budget, visit);
                return visit(variant);
            });
        return visit(child);
    });
    return sound_[type.addr] = is_good;
}

void DwarfImporter::add_members(Dwarf_Die record, std::vector<Member>& members, uint64_t size)
{
    DwarfBudget budget(kMaxSteps);
    const auto visit = [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_member)
            add_member(child, type_of(child), name_of(child), members, size);
        else if (tag == DW_TAG_inheritance)
            add_member(child, type_of(child), {}, members, size);
        return true;
    };
    for_each_child(record, budget, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) == DW_TAG_variant_part)
            for_each_child(child, budget, [&](Dwarf_Die& variant) {
                const bool is_discriminant = dwarf_tag(&variant) == DW_TAG_member;
                if (is_discriminant)
                    add_member(variant, import(child), "discriminant", members, size);
                else if (dwarf_tag(&variant) == DW_TAG_variant)
                    for_each_child(variant, budget, visit);
                return true;
            });
        return visit(child);
    });
}

/// Adds a member, unless it is static. Since DWARF 4, the offset of a bit-field counts from the beginning of the
/// record. In older versions it counts from the most significant bit of the storage unit.
void DwarfImporter::add_member(Dwarf_Die die, const Type* imported, std::string name, std::vector<Member>& members,
                               uint64_t size)
{
    const auto offset = member_offset(die);
    if (dwarf_flag(die, DW_AT_external) || is_declaration(die) || !offset || *offset > size)
        return;
    Member member{std::move(name), imported, *offset * 8, 0};
    const Type* const type = member.type->resolve();
    const uint64_t bits = dwarf_number(die, DW_AT_bit_size).value_or(0);
    if (bits != 0 && bits <= 64 && member.type->is_integer()) {
        member.bit_size = bits == type->size * 8 ? 0 : static_cast<uint32_t>(bits);
        if (const auto first = dwarf_number(die, DW_AT_data_bit_offset))
            member.bit_offset = *first;
        else if (const auto left = dwarf_number(die, DW_AT_bit_offset))
            member.bit_offset += dwarf_number(die, DW_AT_byte_size).value_or(type->size) * 8 - *left - bits;
    }
    const uint64_t length = member.bit_size != 0 ? member.bit_size : type->size * 8;
    const bool has_value = type->kind != TypeKind::Void && type->kind != TypeKind::Function &&
                           (!member.name.empty() || member.type->is_record());
    if (has_value && member.bit_offset <= size * 8 && length <= size * 8 - member.bit_offset)
        members.push_back(std::move(member));
}

const Type* DwarfImporter::make_enum(Dwarf_Die die)
{
    Type* const node = make_named(die, TypeKind::Enum);
    const uint64_t size = dwarf_number(die, DW_AT_byte_size).value_or(0);
    if (size == 0 && follow_declaration(die, *node))
        return node;
    node->size = size == 1 || size == 2 || size == 8 ? size : 4;
    const auto base = dwarf_reference(die, DW_AT_type);
    const Type* const number = base ? import(*base)->resolve() : nullptr;
    node->is_signed = !number || number->kind != TypeKind::Integer || number->is_signed;
    node->complete = [die, is_signed = node->is_signed](std::vector<Member>&, std::vector<Enumerator>& enumerators) {
        DwarfBudget budget(kMaxSteps);
        for_each_child(die, budget, [&](Dwarf_Die& child) {
            Dwarf_Attribute attribute;
            Dwarf_Sword value = 0;
            Dwarf_Word word = 0;
            if (dwarf_tag(&child) != DW_TAG_enumerator || !dwarf_attr(&child, DW_AT_const_value, &attribute))
                return true;
            if (is_signed ? dwarf_formsdata(&attribute, &value) == 0 : dwarf_formudata(&attribute, &word) == 0)
                enumerators.push_back({name_of(child), is_signed ? value : static_cast<int64_t>(word)});
            return true;
        });
    };
    return node;
}

namespace {

/// Returns the discriminant value of each variant of a Rust enum. If one value cannot be read, returns none: that value
/// would otherwise select the variant without a value.
std::vector<Enumerator> values_of_variants(Dwarf_Die part, bool is_signed)
{
    std::vector<Enumerator> values;
    bool are_readable = true;
    DwarfBudget budget(kMaxSteps);
    for_each_child(part, budget, [&](Dwarf_Die& variant) {
        Dwarf_Attribute attribute;
        const bool is_variant = dwarf_tag(&variant) == DW_TAG_variant;
        are_readable &= !is_variant || !dwarf_hasattr(&variant, DW_AT_discr_list);
        if (!is_variant || !dwarf_attr(&variant, DW_AT_discr_value, &attribute))
            return true;
        std::string name;
        for_each_child(variant, budget, [&](Dwarf_Die& member) {
            name = dwarf_tag(&member) == DW_TAG_member ? name_of(member) : std::string();
            return name.empty();
        });
        Dwarf_Sword number = 0;
        Dwarf_Word word = 0;
        are_readable &= !name.empty() &&
                        (is_signed ? dwarf_formsdata(&attribute, &number) : dwarf_formudata(&attribute, &word)) == 0;
        values.push_back({std::move(name), is_signed ? number : static_cast<int64_t>(word)});
        return true;
    });
    return are_readable ? values : std::vector<Enumerator>();
}

} // namespace

/// Creates the type of the discriminant of a variant part: an enum without a name, whose enumerators are the names of
/// the variants that have a value.
const Type* DwarfImporter::make_discriminant(Dwarf_Die part)
{
    const Type* number = table_.void_type();
    DwarfBudget budget(kMaxSteps);
    for_each_child(part, budget, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) == DW_TAG_member)
            number = type_of(child);
        return number->kind == TypeKind::Void;
    });
    const Type* const plain = number->resolve();
    const uint64_t size = plain->size;
    if (plain->kind != TypeKind::Integer || (size != 1 && size != 2 && size != 4 && size != 8))
        return number;
    Type* const node = table_.make(TypeKind::Enum);
    entries_.emplace(node, part);
    node->size = size;
    node->is_signed = plain->is_signed;
    node->complete = [part, is_signed = plain->is_signed](std::vector<Member>&, std::vector<Enumerator>& values) {
        values = values_of_variants(part, is_signed);
    };
    return node;
}

const Type* DwarfImporter::make_function(Dwarf_Die die)
{
    constexpr std::size_t kMaxParameters = 64;
    Type* const node = table_.make(TypeKind::Function);
    entries_.emplace(node, die);
    node->target = type_of(die);
    DwarfBudget budget(kMaxSteps);
    for_each_child(die, budget, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) == DW_TAG_formal_parameter)
            node->parameters.push_back(type_of(child));
        node->variadic |= dwarf_tag(&child) == DW_TAG_unspecified_parameters;
        return node->parameters.size() < kMaxParameters;
    });
    return node;
}

/// Creates the type of a pointer to a member. Such a pointer is represented by the member's offset. A pointer to a
/// member function also contains an adjustment of `this`.
const Type* DwarfImporter::make_member_pointer(Dwarf_Die die)
{
    auto target = dwarf_reference(die, DW_AT_type);
    const bool is_function = target && dwarf_tag(&*target) == DW_TAG_subroutine_type;
    return is_function ? table_.array_of(table_.integer(8, true), 2) : table_.integer(8, true);
}

} // namespace dt
