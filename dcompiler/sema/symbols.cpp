// Symbols of the kernel and of the traced process: names with backquotes (language reference 1.7).
#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

constexpr Attributes kSymbolAttributes{Stability::Private, Stability::Private, DependencyClass::Unknown};

struct SymbolName {
    std::string module, name;
    bool user = false; ///< two backquotes
};

SymbolName split(const std::string& text)
{
    const std::size_t mark = text.find('`');
    const bool user = text.compare(mark, 2, "``") == 0;
    return {text.substr(0, mark), text.substr(mark + (user ? 2 : 1)), user};
}

} // namespace

/// The object at a symbol: of the type that is known for it, else a word. A function is its own address.
TExpr* Checker::kernel_symbol(const KernelSymbol& symbol, const std::string& name, const Span& at)
{
    const Type* type = symbol.type ? symbol.type : types.named("uintptr_t");
    if (symbol.is_function || type->resolve()->kind == TypeKind::Function) {
        if (!symbol.type) {
            Type* function = types.make(TypeKind::Function);
            function->target = types.named("int");
            function->variadic = true;
            type = function;
        }
        return integer(static_cast<int64_t>(symbol.address), types.pointer_to(type), at);
    }
    if (symbol.is_per_cpu)
        return per_cpu_symbol(symbol, type, at);
    TExpr* made = node(TOp::KernelSymbol, type, at);
    made->value = static_cast<int64_t>(symbol.address);
    made->text = name;
    return made;
}

/// The current CPU's copy: the kernel keeps, by CPU number, what to add to a per-CPU symbol's address (arch/x86/include/asm/percpu.h).
TExpr* Checker::per_cpu_symbol(const KernelSymbol& symbol, const Type* type, const Span& at)
{
    const auto offsets = world.symbol("vmlinux", "__per_cpu_offset");
    Global* const curcpu = find_global("curcpu");
    if (!offsets || !curcpu)
        fail("D_IDENT_UNDEF", at, "failed to resolve __per_cpu_offset: Unknown symbol name",
             "without it a per-CPU variable cannot be found");
    const Type* word = types.named("unsigned long");
    const Attributes outer = attributes;
    TExpr* table = integer(static_cast<int64_t>(offsets->address), types.pointer_to(word), at);
    TExpr* pointer = node(TOp::Builtin, type_text("cpuinfo_t *"), at);
    pointer->builtin = curcpu->builtin;
    attributes = outer;
    TExpr* cpu = member_of(node(TOp::Deref, pointer->type->resolve()->target, at, {pointer}), "cpu_id", at);
    TExpr* offset = subscript(table, cpu, at);
    TExpr* address = arithmetic(TOp::Add, offset, integer(static_cast<int64_t>(symbol.address), word, at), at);
    return node(TOp::Deref, type, at, {cast_to(address, types.pointer_to(type), at)});
}

TExpr* Checker::user_symbol(const std::string& module, const std::string& name, const ast::Expr& e)
{
    const auto found = world.user_symbol(module, name);
    if (!found)
        return nullptr;
    const Type* type = found->type ? found->type : types.named("uintptr_t");
    touch_attributes(kSymbolAttributes, e.at, "scalar " + e.text);
    TExpr* pointer = integer(static_cast<int64_t>(found->address), types.pointer_to(type, AddressSpace::User), e.at);
    return found->is_function ? pointer : node(TOp::Deref, type, e.at, {pointer});
}

TExpr* Checker::symbol(const ast::Expr& e)
{
    const auto [module, name, user] = split(e.text);
    const bool of_kernel = module == "vmlinux" || (!module.empty() && world.has_module(module));
    if (user && of_kernel)
        fail("D_SYM_BADREF", e.at,
             "kernel module " + module + " symbol " + name + " may not be referenced as a user symbol");
    if (module == "D")
        if (Variable* own = find_variable_of(Scope::Global, name))
            return variable(*own, {}, e.at);
    if (user) {
        if (TExpr* found = user_symbol(module, name, e))
            return found;
    } else if (const auto found = world.symbol(module, name)) {
        touch_attributes(kSymbolAttributes, e.at, "scalar " + e.text);
        return kernel_symbol(*found, e.text, e.at);
    } else if (!module.empty() && !of_kernel && world.user_symbol(module, name)) {
        fail("D_SYM_BADREF", e.at,
             "user module " + module + " symbol " + name + " may not be referenced as a kernel symbol",
             "write two backquotes: " + module + "``" + name);
    }
    if (user ? options.unodefs : options.knodefs) {
        late("D_ASRELO", e.at, "relocation remains against undefined symbol " + e.text);
        return node(TOp::KernelSymbol, types.named("uintptr_t"), e.at);
    }
    const bool no_module = !user && !module.empty() && module != "D" && module != "C" && !of_kernel;
    fail_unknown("D_IDENT_UNDEF", e.at, e.text,
                 "failed to resolve " + e.text + ": " + (no_module ? "Unknown module name" : "Unknown symbol name"),
                 user ? "" : world.symbol_hint());
}

} // namespace dt::sema
