// Looks up symbols, types and objects by name and by address.
#include "libdtrace/symbols/symbols.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "api/handle.hpp"

namespace {

constexpr std::string_view kKernel = "vmlinux";

bool is_one_of(const char* object, std::initializer_list<const char*> special)
{
    return std::find(special.begin(), special.end(), object) != special.end();
}

void tell_symbol(dtrace_hdl_t* handle, const dt::KernelSymbol& symbol, std::string_view name, GElf_Sym* elf,
                 dtrace_syminfo_t* information)
{
    if (elf)
        *elf = {0,
                static_cast<unsigned char>(ELF64_ST_INFO(STB_GLOBAL, symbol.is_function ? STT_FUNC : STT_OBJECT)),
                STV_DEFAULT,
                SHN_ABS,
                symbol.address,
                symbol.size};
    if (information)
        *information = {handle->kept(symbol.module), handle->kept(name), 0};
}

std::optional<dt::KernelSymbol> look_up(dt::LiveWorld& world, const char* object, std::string_view name)
{
    if (is_one_of(object, {DTRACE_OBJ_EXEC}))
        return world.symbol(kKernel, name);
    if (is_one_of(object, {DTRACE_OBJ_UMODS}))
        return world.user_symbol({}, name);
    const bool is_any = is_one_of(object, {DTRACE_OBJ_EVERY, DTRACE_OBJ_KMODS});
    const std::string_view module = is_any ? std::string_view() : object;
    std::optional<dt::KernelSymbol> found = world.symbol(module, name);
    return found || object == DTRACE_OBJ_KMODS ? found : world.user_symbol(module, name);
}

/// Removes the stars from a name such as "struct file **" and returns their number.
std::pair<std::string_view, unsigned> without_stars(std::string_view name)
{
    unsigned stars = 0;
    constexpr std::string_view kBlanks = " \t";
    for (;;) {
        name = name.substr(0, name.find_last_not_of(kBlanks) + 1);
        if (!name.ends_with('*'))
            break;
        name.remove_suffix(1);
        ++stars;
    }
    name.remove_prefix(std::min(name.find_first_not_of(kBlanks), name.size()));
    return {name, stars};
}

std::pair<dt::TypeNamespace, std::string_view> space_of(std::string_view name)
{
    using Space = dt::TypeNamespace;
    constexpr std::pair<std::string_view, Space> kTags[] = {
        {"struct ", Space::Struct}, {"union ", Space::Union}, {"enum ", Space::Enum}};
    for (const auto& [tag, space] : kTags)
        if (name.starts_with(tag))
            return {space, name.substr(tag.size())};
    return {Space::Ordinary, name};
}

struct FoundType {
    const dt::Type* type = nullptr;
    std::string_view object;
};

FoundType find_type(dt::LiveWorld& world, dt::TypeTable& table, const char* object, std::string_view name)
{
    const auto [space, word] = space_of(name);
    const bool is_any = is_one_of(object, {DTRACE_OBJ_EVERY, DTRACE_OBJ_KMODS, DTRACE_OBJ_UMODS});
    if (const dt::Type* const own = space == dt::TypeNamespace::Ordinary ? table.named(word) : nullptr;
        own && (is_any || is_one_of(object, {DTRACE_OBJ_EXEC})))
        return {own, "D"};
    dt::TypeSource* const types = world.types();
    if (!types)
        return {};
    const std::string_view module = is_one_of(object, {DTRACE_OBJ_EXEC}) ? kKernel : is_any ? kKernel : object;
    if (const dt::Type* const found = types->find(table, space, word, module))
        return {found, module};
    return {is_any ? types->find(table, space, word, {}) : nullptr, ""};
}

/// Returns the kernel and all modules with their addresses.
std::vector<dtrace_objinfo_t> objects_of(dtrace_hdl_t* handle, dt::LiveWorld& world)
{
    dt::KernelSymbols& symbols = *world.kernel_symbols();
    const auto between = [&](const char* first, const char* last) -> std::pair<uint64_t, uint64_t> {
        const auto begin = symbols.lookup(kKernel, first), end = symbols.lookup(kKernel, last);
        if (!begin || !end)
            return {0, 0};
        return {begin->address, end->address - begin->address};
    };
    dtrace_objinfo_t kernel{};
    kernel.dto_name = handle->kept(kKernel);
    kernel.dto_flags = DTRACE_OBJ_F_KERNEL | DTRACE_OBJ_F_PRIMARY;
    std::tie(kernel.dto_text_va, kernel.dto_text_size) = between("_stext", "_etext");
    std::tie(kernel.dto_data_va, kernel.dto_data_size) = between("_sdata", "_edata");
    std::tie(kernel.dto_bss_va, kernel.dto_bss_size) = between("__bss_start", "__bss_stop");
    std::vector<dtrace_objinfo_t> objects = {kernel};
    // a line of /proc/modules: "NAME SIZE USERS USED-BY STATE ADDRESS"
    std::ifstream modules(world.proc() + "/modules");
    for (std::string line; std::getline(modules, line);) {
        std::istringstream words(line);
        std::string name, users, by, state;
        dtrace_objinfo_t module{};
        words >> name >> module.dto_text_size >> users >> by >> state >> std::hex >> module.dto_text_va;
        module.dto_name = handle->kept(name);
        module.dto_id = static_cast<int>(objects.size());
        module.dto_flags = DTRACE_OBJ_F_KERNEL;
        objects.push_back(module);
    }
    return objects;
}

/// Runs the body of a function that needs a prepared session.
template <typename Body> int in_session(dtrace_hdl_t* handle, Body body)
{
    return dt::api::guarded(handle, -1, [&] {
        const dt::Result<dt::Session*> session = handle->prepared();
        return session ? body(*session.value()) : handle->fail(session.error(), EDT_TRACE);
    });
}

int give_text(std::string_view found, char* text, int size)
{
    return static_cast<int>(dt::api::give(found, text, static_cast<std::size_t>(std::max(size, 0))));
}

} // namespace

extern "C" {

int dtrace_addr2str(dtrace_hdl_t* handle, uint64_t address, char* text, int size)
{
    return in_session(handle, [&](dt::Session& session) {
        return give_text(session.system_context()->symbols().kernel(address, dt::Symbols::Form::Exact), text, size);
    });
}

int dtrace_uaddr2str(dtrace_hdl_t* handle, pid_t pid, uint64_t address, char* text, int size)
{
    return in_session(handle, [&](dt::Session& session) {
        return give_text(session.system_context()->symbols().user(pid, address, dt::Symbols::Form::Exact), text, size);
    });
}

int dtrace_lookup_by_name(dtrace_hdl_t* handle, const char* object, const char* name, GElf_Sym* elf,
                          dtrace_syminfo_t* information)
{
    return in_session(handle, [&](dt::Session& session) {
        const std::optional<dt::KernelSymbol> found = look_up(session.world(), object, name);
        if (!found)
            return handle->fail(EDT_NOSYM, {});
        tell_symbol(handle, *found, name, elf, information);
        return 0;
    });
}

int dtrace_lookup_by_addr(dtrace_hdl_t* handle, GElf_Addr address, GElf_Sym* elf, dtrace_syminfo_t* information)
{
    return in_session(handle, [&](dt::Session& session) {
        dt::KernelSymbols& symbols = *session.world().kernel_symbols();
        const dt::KernelSymbols::Found found = symbols.find(address);
        if (found.name.empty())
            return handle->fail(EDT_NOSYM, {});
        const std::string module(found.module), name(found.name);
        dt::KernelSymbol symbol;
        symbol.address = found.start;
        symbol.module = module;
        if (const auto defined = symbols.lookup(module, name); defined && defined->address == symbol.address) {
            symbol.size = defined->size;
            symbol.is_function = defined->is_function;
        }
        tell_symbol(handle, symbol, name, elf, information);
        return 0;
    });
}

int dtrace_lookup_by_type(dtrace_hdl_t* handle, const char* object, const char* name, dtrace_typeinfo_t* information)
{
    return in_session(handle, [&](dt::Session& session) {
        if (!handle->types)
            handle->types = std::make_unique<dt::TypeTable>();
        const auto [word, stars] = without_stars(name);
        FoundType found = find_type(session.world(), *handle->types, object, word);
        if (!found.type)
            return handle->fail(EDT_NOTYPE, {});
        for (unsigned i = 0; i < stars; ++i)
            found.type = handle->types->pointer_to(found.type);
        if (!information)
            return 0;
        auto& known = handle->looked_up_types;
        auto at = std::find(known.begin(), known.end(), found.type);
        if (at == known.end())
            at = known.insert(at, found.type);
        const long number = at - known.begin() + 1;
        *information = {handle->kept(found.object), nullptr, number, 0, handle->kept(to_string(found.type)),
                        found.type->resolve()->size};
        return 0;
    });
}

int dtrace_object_iter(dtrace_hdl_t* handle, dtrace_obj_f* function, void* argument)
{
    return in_session(handle, [&](dt::Session& session) {
        for (const dtrace_objinfo_t& object : objects_of(handle, session.world()))
            if (const int answer = function(handle, &object, argument); answer != 0)
                return answer;
        return 0;
    });
}

int dtrace_object_info(dtrace_hdl_t* handle, const char* object, dtrace_objinfo_t* information)
{
    return in_session(handle, [&](dt::Session& session) {
        const std::string_view name = object == DTRACE_OBJ_EXEC ? kKernel : object;
        for (const dtrace_objinfo_t& each : objects_of(handle, session.world())) {
            if (each.dto_name != name)
                continue;
            if (information)
                *information = each;
            return 0;
        }
        return handle->fail(EDT_NOMOD, {});
    });
}
}
