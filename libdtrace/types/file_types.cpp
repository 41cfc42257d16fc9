// Combines the CTF types and the DWARF types of a file.
//
// The prototype of a function contains types for the compiler, and for each parameter the numbers of the probe's
// argument words (arg0, …) that contain its value. These numbers are determined only once, with types in a temporary
// table. For each program that uses the function, the types are created in the program's table.
#include "libdtrace/types/file_types.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "base/time.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/identification.hpp"
#include "libdtrace/types/sandboxed_types.hpp"

namespace dt {
namespace {

using Prototype = probes::ProcessView::Prototype;
using Value = probes::ProcessView::Value;
using Calls = probes::ProcessView::Calls;

/// Returns whether the function is a compiler-generated clone such as "foo.isra.0". The parameters of a clone may
/// differ from the parameters in the source.
bool is_clone(const std::string& function, Calls calls)
{
    return (calls == Calls::C || calls == Calls::C32) && function.find('.') != std::string::npos &&
           function.find('(') == std::string::npos;
}

/// Returns the locations of the parameters as the compiler describes them, or else by the calling convention. Locations
/// by the convention are certain only if `keeps_to_platform` is set.
std::vector<Passed> places_of(const DwarfTypes::Function& function, Calls calls, bool keeps_to_platform)
{
    std::vector<const Type*> types;
    for (const DwarfTypes::Parameter& parameter : function.parameters)
        types.push_back(parameter.type);
    std::vector<Passed> places = passed_parameters(calls, function.is_rust, function.result, types);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const DwarfTypes::Parameter& parameter = function.parameters[i];
        if (!parameter.registers.empty())
            places[i] = passed_in(calls, parameter.type, parameter.registers);
        else if (!parameter.is_placed && !keeps_to_platform)
            places[i].refusal = "the debug information does not say where it is at the function's entry";
    }
    return places;
}

} // namespace

FileTypes::FileTypes(std::string path, std::string named) : path_(std::move(path)), named_(std::move(named))
{
    auto opened = CtfTypes::open(path_, AddressSpace::User);
    if (opened)
        ctf_ = std::move(opened.value());
    else if (opened.error().code != ENODATA)
        problem_ = opened.error().message;
}

DwarfTypes* FileTypes::dwarf()
{
    if (!std::exchange(has_looked_for_dwarf_, true))
        dwarf_ = DwarfTypes::open(path_, named_, problem_);
    return dwarf_.get();
}

const Type* FileTypes::find(TypeTable& table, TypeNamespace space, std::string_view name)
{
    const Type* const found = ctf_ ? ctf_->find(table, space, name, {}) : nullptr;
    if ((found && !found->incomplete) || !dwarf())
        return found;
    const Type* const other = dwarf()->find(table, space, name, {});
    return other ? other : found;
}

std::optional<uint64_t> FileTypes::address_of(uint64_t place) const
{
    const ElfFile elf(path_);
    std::size_t count = 0;
    if (elf.get())
        elf_getphdrnum(elf.get(), &count);
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf.get(), static_cast<int>(i), &segment) && segment.p_type == PT_LOAD &&
            place - segment.p_offset < segment.p_filesz)
            return segment.p_vaddr + (place - segment.p_offset);
    }
    return {};
}

std::optional<FileTypes::Function> FileTypes::function(TypeTable& table, uint64_t address, const std::string& name)
{
    const Type* const found = ctf_ ? ctf_->find(table, TypeNamespace::Function, name, {}) : nullptr;
    if (!found || found->resolve()->kind != TypeKind::Function)
        return dwarf() ? dwarf()->function(table, address) : std::nullopt;
    Function function;
    // CTF does not say whether other objects call the function, so that is assumed
    function.is_called_by_others = true;
    function.result = found->resolve()->target;
    for (const Type* parameter : found->resolve()->parameters)
        function.parameters.push_back({{}, parameter, {}});
    return function;
}

FileTypes::Signature FileTypes::signature(TypeTable& table, std::optional<uint64_t> address, const std::string& name,
                                          Calls calls)
{
    const auto found = address ? function(table, *address, name) : std::nullopt;
    Signature signature;
    if (!found) {
        signature.untyped = (!problem_.empty() ? problem_
                             : ctf_ || dwarf_  ? "the debug information does not have this function"
                                               : "there is no debug information") +
                            kUntyped;
        return signature;
    }
    const std::vector<Passed> passed = places_of(*found, calls, !is_clone(name, calls) && found->is_called_by_others);
    for (std::size_t i = 0; i < passed.size(); ++i)
        signature.parameters.push_back(
            {found->parameters[i].name, passed[i].word, passed[i].refusal, found->parameters[i].type, passed[i].form});
    if (found->result && found->result->resolve()->kind != TypeKind::Void) {
        const Passed result = passed_result(calls, found->result);
        signature.result = Typed{{}, result.word, result.refusal, found->result, result.form};
    }
    if (found->is_rust)
        signature.note =
            "Rust does not specify how arguments are passed: these locations are those of the current Rust compiler";
    return signature;
}

Prototype FileTypes::prototype(uint64_t place, const std::string& name, Calls calls)
{
    TypeTable table;
    const auto address = address_of(place);
    Signature found = signature(table, address, name, calls);
    Prototype prototype{{}, {}, std::move(found.untyped), std::move(found.note)};
    const auto again = [known = shared_from_this(), address, name](TypeTable& program) {
        return address ? known->function(program, *address, name) : std::nullopt;
    };
    for (std::size_t i = 0; i < found.parameters.size(); ++i) {
        Typed& each = found.parameters[i];
        Value value{std::move(each.name), each.word, std::move(each.refusal), {}, each.form};
        value.type = [again, i](TypeTable& program) -> const Type* {
            const auto function = again(program);
            return function && i < function->parameters.size() ? function->parameters[i].type : nullptr;
        };
        prototype.parameters.push_back(std::move(value));
    }
    if (found.result)
        prototype.result = Value{{},
                                 found.result->word,
                                 found.result->refusal,
                                 [again](TypeTable& program) -> const Type* {
                                     const auto function = again(program);
                                     return function ? function->result : nullptr;
                                 },
                                 found.result->form};
    return prototype;
}

std::vector<DwarfTypes::Variable> FileTypes::variables(TypeTable& table, uint64_t place, const std::string& name,
                                                       std::string& problem)
{
    const auto address = address_of(place);
    if (address && dwarf())
        return dwarf()->variables(table, *address, name, problem);
    problem = !problem_.empty() ? problem_ : "there is no debug information: compile the program with -g";
    return {};
}

probes::ProcessView::Variables FileTypes::variables(uint64_t place, const std::string& name)
{
    TypeTable table;
    probes::ProcessView::Variables result;
    for (DwarfTypes::Variable& each : variables(table, place, name, result.problem)) {
        const auto type = [known = shared_from_this(), place, wanted = each.name](TypeTable& program) -> const Type* {
            std::string ignored;
            for (const DwarfTypes::Variable& found : known->variables(program, place, wanted, ignored))
                return found.type;
            return nullptr;
        };
        result.found.push_back(
            {std::move(each.name), type, std::move(each.refusal), each.is_parameter, std::move(each.location)});
    }
    return result;
}

/// Returns the position of a type's description in the file. Part numbers of CTF containers are even, those of DWARF
/// units are odd.
std::optional<TypePosition> FileTypes::place_of(TypeTable& table, const Type* type)
{
    if (auto place = ctf_ ? ctf_->place_of(table, type) : std::nullopt)
        return TypePosition{2 * place->part, place->at};
    const auto place = dwarf_ ? dwarf_->place_of(table, type) : std::nullopt;
    return place ? std::optional(TypePosition{2 * place->part + 1, place->at}) : std::nullopt;
}

const Type* FileTypes::at(TypeTable& table, TypePosition place)
{
    const bool is_dwarf = place.part % 2 != 0;
    place.part /= 2;
    if (is_dwarf)
        return dwarf() ? dwarf()->at(table, place) : table.void_type();
    return ctf_ ? ctf_->at(table, place) : table.void_type();
}

std::shared_ptr<TypesOfFile> ProcessTypes::object(const std::string& file)
{
    struct stat status {};
    if (stat(file.c_str(), &status) != 0)
        status = {};
    const Identity identity{static_cast<int64_t>(status.st_dev), static_cast<int64_t>(status.st_ino), status.st_size,
                            nanoseconds(status.st_mtim)};
    std::shared_ptr<TypesOfFile>& known = files_[identity];
    if (known)
        return known;
    const std::string id = build_id_of_untrusted(file);
    if (const auto same = by_build_id_.find(id); !id.empty() && same != by_build_id_.end())
        return known = same->second;
    if (untrusted_->by() == ReadBy::Readers)
        known = std::make_shared<SandboxedTypes>(untrusted_, file);
    else
        known = std::make_shared<FileTypes>(file, file);
    if (!id.empty())
        by_build_id_[id] = known;
    return known;
}

} // namespace dt
