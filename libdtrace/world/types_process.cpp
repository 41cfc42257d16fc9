// What is asked of a process's files about types, whatever describes them there.
//
// A function's parameters are types to the compiler and words to the probe: which word each is, is found once with a
// table of types that is thrown away, the types are made again in the table of the program that wants them.
#include "libdtrace/world/types_process.hpp"

#include <sys/stat.h>

#include <cerrno>

#include "base/time.hpp"
#include "libdtrace/process/calling_convention.hpp"
#include "libdtrace/elf/debug_files.hpp"
#include "libdtrace/elf/elf_file.hpp"

namespace dt {
namespace {

using Prototype = probes::ProcessView::Prototype;
using Value = probes::ProcessView::Value;
using Calls = probes::ProcessView::Calls;

constexpr const char* kUntyped = ", so there are arg0, arg1, … only";

/// The link-time address of an offset in the file; nothing: nothing of the file is mapped there.
std::optional<uint64_t> address_of(Elf* elf, uint64_t offset)
{
    std::size_t count = 0;
    elf_getphdrnum(elf, &count);
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, static_cast<int>(i), &segment) && segment.p_type == PT_LOAD &&
            offset - segment.p_offset < segment.p_filesz)
            return segment.p_vaddr + (offset - segment.p_offset);
    }
    return {};
}

/// A variant that the compiler made for some callers ("foo.isra.0"), which may have other parameters.
bool is_clone(const std::string& function, Calls calls)
{
    return (calls == Calls::C || calls == Calls::C32) && function.find('.') != std::string::npos &&
           function.find('(') == std::string::npos;
}

/// Where the parameters are: as the compiler says, and where it says nothing as the platform wants it, if it has to
/// keep to that.
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
            places[i].refusal = "the compiler does not say where it is when the function begins";
    }
    return places;
}

} // namespace

std::shared_ptr<ProcessTypes::Object> ProcessTypes::object(const std::string& file)
{
    struct stat status {};
    if (stat(file.c_str(), &status) != 0)
        status = {};
    const Identity identity{static_cast<int64_t>(status.st_dev), static_cast<int64_t>(status.st_ino), status.st_size,
                            nanoseconds(status.st_mtim)};
    std::shared_ptr<Object>& known = files_[identity];
    if (known)
        return known;
    const ElfFile elf(file);
    const std::string id = elf.get() ? build_id(elf.get()) : std::string();
    if (const auto same = by_build_id_.find(id); !id.empty() && same != by_build_id_.end())
        return known = same->second;
    known = std::make_shared<Object>();
    known->file = file;
    if (!id.empty())
        by_build_id_[id] = known;
    auto opened = CtfTypes::open(file, AddressSpace::User);
    if (opened)
        known->ctf = std::move(opened.value());
    else if (opened.error().code != ENODATA)
        known->problem = opened.error().message;
    return known;
}

DwarfTypes* ProcessTypes::dwarf(Object& object)
{
    if (!std::exchange(object.has_looked_for_dwarf, true))
        object.dwarf = DwarfTypes::open(object.file, object.problem);
    return object.dwarf.get();
}

const Type* ProcessTypes::find(TypeTable& table, TypeNamespace space, std::string_view name, const std::string& file)
{
    Object& known = *object(file);
    const Type* const found = known.ctf ? known.ctf->find(table, space, name, {}) : nullptr;
    if ((found && !found->incomplete) || !dwarf(known))
        return found;
    const Type* const other = dwarf(known)->find(table, space, name, {});
    return other ? other : found;
}

std::string ProcessTypes::problem(const std::string& file)
{
    return object(file)->problem;
}

std::optional<ProcessTypes::Function> ProcessTypes::function(Object& object, TypeTable& table, uint64_t address,
                                                             const std::string& name)
{
    const Type* const found = object.ctf ? object.ctf->find(table, TypeNamespace::Function, name, {}) : nullptr;
    if (!found || found->resolve()->kind != TypeKind::Function)
        return dwarf(object) ? dwarf(object)->function(table, address) : std::nullopt;
    Function function;
    function.is_called_by_others = true; // CTF does not tell
    function.result = found->resolve()->target;
    for (const Type* parameter : found->resolve()->parameters)
        function.parameters.push_back({{}, parameter, {}});
    return function;
}

Prototype ProcessTypes::prototype(const std::string& file, uint64_t place, const std::string& name, Calls calls)
{
    const std::shared_ptr<Object> known = object(file);
    const ElfFile elf(file);
    const auto address = elf.get() ? address_of(elf.get(), place) : std::nullopt;
    TypeTable table;
    const auto found = address ? function(*known, table, *address, name) : std::nullopt;
    Prototype prototype;
    if (!found) {
        const bool has_any = known->ctf || known->dwarf;
        prototype.untyped = (!known->problem.empty() ? known->problem
                             : has_any               ? "the debug information does not have this function"
                                                     : "there is no debug information") +
                            kUntyped;
        return prototype;
    }
    const std::vector<Passed> passed = places_of(*found, calls, !is_clone(name, calls) && found->is_called_by_others);
    for (std::size_t i = 0; i < passed.size(); ++i) {
        Value value{found->parameters[i].name, passed[i].word, passed[i].refusal, {}};
        value.type = [known, address, name, i](TypeTable& program) {
            const auto again = function(*known, program, *address, name);
            return again && i < again->parameters.size() ? again->parameters[i].type : nullptr;
        };
        prototype.parameters.push_back(std::move(value));
    }
    if (found->result && found->result->resolve()->kind != TypeKind::Void) {
        const Passed result = passed_result(calls, found->result);
        prototype.result = Value{{}, result.word, result.refusal, [known, address, name](TypeTable& program) {
                                     const auto again = function(*known, program, *address, name);
                                     return again ? again->result : nullptr;
                                 }};
    }
    if (found->is_rust)
        prototype.note =
            "Rust promises nothing of how arguments are handed over: this is what its compiler does at present";
    return prototype;
}

} // namespace dt
