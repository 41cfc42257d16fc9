// Checks symbols of the kernel and of the traced process: names with backquotes (dtrace-language(7), SYMBOLS AND
// TYPES).
#include "dcompiler/interface/foreign_names.hpp"
#include "dcompiler/sema/checker/checker.hpp"
#include "dcompiler/sema/program/hooks.hpp"

namespace dt::sema {

namespace {

constexpr Attributes kSymbolAttributes{Stability::Private, Stability::Private, DependencyClass::Unknown};

struct SymbolName {
    std::string module, name;
    bool user = false; ///< whether the name has two backquotes, which denote a symbol of the process
};

SymbolName split(const std::string& text)
{
    const std::size_t mark = text.find('`');
    const bool user = text.compare(mark, 2, "``") == 0;
    return {text.substr(0, mark), text.substr(mark + (user ? 2 : 1)), user};
}

} // namespace

/// Returns the type of the object that a symbol denotes, or null if it is unknown.
const Type* Symbols::symbol_type(const KernelSymbol& symbol, const std::string& text, const Span& at)
{
    if (symbol.type || symbol.is_function || !world.types())
        return symbol.type;
    const std::string name = split(text).name;
    if (const Type* found = world.types()->find(types, TypeNamespace::Variable, name, symbol.module))
        return found;
    if (const std::string problem = world.types()->problem(symbol.module); !problem.empty())
        fail("D_SYM_NOTYPES", at, "cannot use symbol " + text + " of module " + symbol.module + ": " + problem);
    return nullptr;
}

void Symbols::check_symbol_model(const KernelSymbol& symbol, const std::string& text, const Span& at)
{
    if (symbol.model == types.model())
        return;
    const bool narrow = symbol.model == DataModel::Ilp32;
    fail("D_SYM_MODEL", at,
         std::string("cannot use ") + (narrow ? "32" : "64") + "-bit symbol " + text + " in a " +
             (narrow ? "64" : "32") + "-bit D program: Module and program data models do not match",
         narrow ? "the option -32 makes it a 32-bit program" : "leave out the option -32");
}

/// Returns the size of the object at a symbol, for sizeof: the size of its type or, if the type is unknown, the size of
/// the symbol, which may include padding. Returns 0 if both are unknown.
uint64_t Symbols::symbol_size(const std::string& text, const Span& at)
{
    const auto [module, name, user] = split(text);
    const auto symbol = user ? world.user_symbol(module, name) : world.symbol(module, name);
    const Type* type = symbol ? symbol_type(*symbol, text, at) : nullptr;
    return type ? type->resolve()->size : symbol ? symbol->size : 0;
}

/// Returns the address of a function as a constant. The node's `text` marks it as a function for address_of(), so that
/// the name of the function, with or without &, denotes its address, as in C.
TExpr* Symbols::function_address(const KernelSymbol& symbol, const Type* pointer, const std::string& text,
                                 const Span& at)
{
    TExpr* made = checker.values.integer(static_cast<int64_t>(symbol.address), pointer, at);
    made->text = text;
    return made;
}

/// Returns the object at a symbol. If its type is unknown, returns a 64-bit word; for a function, the address.
TExpr* Symbols::kernel_symbol(const KernelSymbol& symbol, const std::string& name, const Span& at)
{
    check_symbol_model(symbol, name, at);
    const Type* known = symbol_type(symbol, name, at);
    const Type* type = known ? known : types.named("uintptr_t");
    if (symbol.is_function || type->resolve()->kind == TypeKind::Function) {
        if (!known) {
            Type* function = types.make(TypeKind::Function);
            function->target = types.named("int");
            function->variadic = true;
            type = function;
        }
        return function_address(symbol, types.pointer_to(type, AddressSpace::Kernel, 8), name, at);
    }
    if (symbol.is_per_cpu)
        return per_cpu_symbol(symbol, name, type, at);
    TExpr* made = checker.values.node(TOp::KernelSymbol, type, at);
    made->value = static_cast<int64_t>(symbol.address);
    made->text = name;
    return made;
}

/// Returns the current CPU's copy of a per-CPU variable. Its address is the symbol's address plus an offset, which the
/// kernel has for each CPU in an array (asm/percpu.h).
TExpr* Symbols::per_cpu_symbol(const KernelSymbol& symbol, const std::string& name, const Type* type, const Span& at)
{
    const auto offsets = world.symbol("vmlinux", "__per_cpu_offset");
    Global* const curcpu = checker.names.find_global("curcpu");
    if (!offsets || !curcpu)
        fail("D_IDENT_UNDEF", at, "failed to resolve __per_cpu_offset: Unknown symbol name",
             "the address of a per-CPU variable cannot be computed without this symbol");
    const Type* word = types.integer(8, false);
    const Attributes outer = here.attributes;
    TExpr* table = checker.values.integer(static_cast<int64_t>(offsets->address), types.pointer_to(word), at);
    TExpr* pointer = checker.values.node(TOp::Builtin, checker.names.type_text("cpuinfo_t *"), at);
    pointer->builtin = curcpu->builtin;
    here.attributes = outer;
    TExpr* cpu = checker.expressions.member_of(
        checker.values.node(TOp::Deref, pointer->type->resolve()->target, at, {pointer}), "cpu_id", at);
    TExpr* offset = checker.expressions.subscript(table, cpu, at);
    TExpr* address = checker.operators.arithmetic(
        TOp::Add, offset, checker.values.integer(static_cast<int64_t>(symbol.address), word, at), at);
    TExpr* made =
        checker.values.node(TOp::Deref, type, at, {checker.expressions.cast_to(address, types.pointer_to(type), at)});
    made->text = name;
    made->value = static_cast<int64_t>(symbol.address);
    return made;
}

/// Checks percpu(), whose result is one CPU's copy of a per-CPU variable. The call becomes a pointer to the copy, which
/// is dereferenced.
void check_percpu(Checker& checker, TExpr& call)
{
    const TExpr& variable = *call.kids[0];
    if (variable.op != TOp::Deref || variable.text.empty())
        checker.reports.fail("D_PROTO_ARG", variable.at,
                             "percpu( ) argument #1 must be a per-CPU variable of the kernel",
                             "for example percpu(`runqueues, 0).nr_running");
    TExpr* address = checker.values.node(TOp::Call, checker.types.pointer_to(variable.type), call.at, {call.kids[1]});
    address->subroutine = call.subroutine;
    address->value = variable.value;
    const Type* type = variable.type;
    call.op = TOp::Deref;
    call.type = type;
    call.subroutine = nullptr;
    call.kids = {address};
}

TExpr* Symbols::user_symbol(const std::string& module, const std::string& name, const ast::Expr& e)
{
    const auto found = world.user_symbol(module, name);
    if (!found)
        return nullptr;
    check_symbol_model(*found, e.text, e.at);
    const Type* type = symbol_type(*found, e.text, e.at);
    if (!type) // the type is unknown, so the program may access only the bytes of the ELF symbol, whose size is exact
        type = found->size == 1 || found->size == 2 || found->size == 4
                   ? types.integer(static_cast<unsigned>(found->size), false)
                   : types.named("uintptr_t");
    checker.names.touch_attributes(kSymbolAttributes, e.at, "scalar " + e.text);
    TExpr* pointer =
        checker.values.integer(static_cast<int64_t>(found->address), types.pointer_to(type, AddressSpace::User), e.at);
    return found->is_function ? function_address(*found, pointer->type, e.text, e.at)
                              : checker.values.node(TOp::Deref, type, e.at, {pointer});
}

TExpr* Symbols::symbol(const ast::Expr& e)
{
    const auto [module, name, user] = split(e.text);
    const bool of_kernel = module == "vmlinux" || (!module.empty() && world.has_module(module));
    if (module == "D")
        if (Variable* own = checker.names.find_variable_of(Scope::Global, name))
            return checker.expressions.variable(*own, {}, e.at);
    if (user) {
        // the process comes first, because it may run a program with the same name as a kernel module
        if (TExpr* found = user_symbol(module, name, e))
            return found;
        if (of_kernel)
            fail("D_SYM_BADREF", e.at,
                 "kernel module " + module + " symbol " + name + " may not be referenced as a user symbol");
    } else if (const auto found = world.symbol(module, name)) {
        checker.names.touch_attributes(kSymbolAttributes, e.at, "scalar " + e.text);
        return kernel_symbol(*found, e.text, e.at);
    } else if (!module.empty() && !of_kernel && world.user_symbol(module, name)) {
        fail("D_SYM_BADREF", e.at,
             "user module " + module + " symbol " + name + " may not be referenced as a kernel symbol",
             "write two backquotes: " + module + "``" + name);
    }
    if (user ? options.unodefs : options.knodefs) {
        defer("D_ASRELO", e.at, "relocation remains against undefined symbol " + e.text);
        return checker.values.node(TOp::KernelSymbol, types.named("uintptr_t"), e.at);
    }
    if (user)
        fail_unknown("D_IDENT_UNDEF", e.at, e.text, "failed to resolve " + e.text + ": Unknown symbol name",
                     world.target().pid == 0
                         ? "two backquotes mark a symbol of a traced process: name the process with -p or -c"
                         : "");
    const bool no_module = !module.empty() && module != "D" && module != "C" && !of_kernel;
    fail_unknown("D_IDENT_UNDEF", e.at, e.text,
                 "failed to resolve " + e.text + ": " + (no_module ? "Unknown module name" : "Unknown symbol name"),
                 suggest_symbol(name));
}

std::string Symbols::suggest_symbol(std::string_view name) const
{
    const std::string_view known = foreign_name(ForeignKind::Symbol, name);
    return known.empty() ? world.symbol_hint() : std::string(known);
}

} // namespace dt::sema
