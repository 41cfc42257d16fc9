// Resolves names: the global name space, variables of self-> and this->, types by name or by a type in D syntax, and
// errors about names. Also declares structs that every program has and no kernel defines.
#include "dcompiler/sema/checker/names.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "bpf-runtime/accounting/account.h"
#include "dcompiler/interface/foreign_names.hpp"
#include "dcompiler/interface/suggest.hpp"
#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {

/// Parser of types in D syntax, as they occur in tables: "const char *", "struct task_struct *", "unsigned long",
/// "vmlinux`foo_t [4]".
///
/// Tables of built-ins and providers contain types as strings, and this parser converts them to nodes of the type
/// graph. It supports abstract declarators made of `*` and `[n]`, and treats every function pointer as a pointer to an
/// unspecified function.
class TypeText {
public:
    TypeText(std::string_view text, TypeTable& types) : rest_(text), types_(types) {}

    std::function<const Type*(std::string_view)> find_typedef;
    /// Returns the type of a struct, union or enum tag. Creates an incomplete type for an unknown tag.
    std::function<const Type*(TypeKind, std::string_view)> find_tag;

    /// Returns the type that the string describes, or null if the string is invalid or contains an unknown type.
    const Type* parse();

private:
    std::string_view word();
    char peek();
    const Type* base();
    const Type* basic(int longs, bool is_short, int sign, std::string_view name);

    std::string_view rest_;
    TypeTable& types_;
    bool userland_ = false;
};

namespace {

constexpr const char* kTracedProgram = "a.out"; // module by which D programs denote the traced program

} // namespace

/// Loads a library that defines the name. Its source text is compiled in the middle of the current one.
bool Names::ask_library(std::string_view name)
{
    if (!checker.load_library || options.nolibs || !asked_.insert(std::string(name)).second)
        return false;
    const Where where = diagnostics.where();
    CheckContext outer = std::exchange(here, {});
    const bool loaded = checker.load_library(name);
    here = std::move(outer);
    diagnostics.set_where(where);
    return loaded;
}

Global* Names::find_global(std::string_view name)
{
    Global* const found = look_up_global(name);
    if (found && !here.in_library())
        found->used = true;
    return found;
}

const Global* Names::find_fixed_global(std::string_view name)
{
    const Global* const found = look_up_global(name, here.in_library());
    if (!found || found->weak)
        return nullptr;
    const bool of_library = !found->from_program && !here.in_library() &&
                            (found->kind == Global::Kind::Constant || found->kind == Global::Kind::Inline);
    return of_library && !found->used ? nullptr : found;
}

const Global* Names::find_own_global(std::string_view name) const
{
    const auto found = globals_.find(name);
    return found != globals_.end() && found->second.from_program && !here.in_library() ? &found->second : nullptr;
}

/// Returns the map in which global names are currently looked up and defined: the program's or the libraries' map.
std::map<std::string, Global, std::less<>>& Names::globals_here(std::string_view name)
{
    const auto found = globals_.find(name);
    const bool is_the_programs = found != globals_.end() && found->second.from_program;
    return here.in_library() && is_the_programs ? shadowed_ : globals_;
}

Global* Names::look_up_global(std::string_view name, bool asks_library)
{
    auto& globals = globals_here(name);
    if (const auto found = globals.find(name); found != globals.end()) {
        Global& global = found->second;
        return global.version > options.version ? nullptr : &global;
    }
    Global made;
    made.name = name;
    if (const BuiltinVariable* builtin = find_variable(name)) {
        made.kind = Global::Kind::Builtin;
        made.builtin = builtin;
        made.version = builtin->since;
        made.weak = made.version >= kFirstExtensions;
    } else if (const Subroutine* subroutine = find_subroutine(name)) {
        made.kind = Global::Kind::Subroutine;
        made.subroutine = subroutine;
        made.version = subroutine->since;
        made.weak = made.version >= kFirstExtensions;
    } else if (const Action* action = find_action(name)) {
        made.kind = Global::Kind::Action;
        made.action = action;
        made.version = action->since;
    } else if (const AggFunction* function = find_agg_function(name)) {
        made.kind = Global::Kind::AggFunction;
        made.agg_function = function;
        made.version = function->since;
    } else if (const auto constant = find_constant(name, world.machine())) {
        made.kind = Global::Kind::Constant;
        made.value = *constant;
        made.type = types.named(name == "NULL" ? "long" : "int");
    } else {
        return asks_library && ask_library(name) ? look_up_global(name) : nullptr;
    }
    if (made.version > options.version)
        return nullptr;
    return &globals.emplace(std::string(name), std::move(made)).first->second;
}

Global& Names::define_global(Global global)
{
    global.from_program = here.source && here.source->kind != Source::Kind::Library;
    std::string name = global.name;
    for (auto pending = here.pending_pragmas.begin(); pending != here.pending_pragmas.end();) {
        if (pending->name != name) {
            ++pending;
            continue;
        }
        if (pending->attributes)
            global.attributes = pending->attributes;
        if (pending->version)
            global.version = *pending->version;
        pending = here.pending_pragmas.erase(pending);
    }
    if (global.kind == Global::Kind::Inline && !global.from_program)
        global.weak = global.version >= kFirstExtensions;
    if (const auto former = globals_.find(name);
        global.from_program && former != globals_.end() && !former->second.from_program)
        shadowed_.insert_or_assign(name, std::move(former->second));
    return globals_here(name).insert_or_assign(std::move(name), std::move(global)).first->second;
}

Variable* Names::find_variable_of(Scope scope, std::string_view name)
{
    if (scope == Scope::Global) {
        Global* global = find_global(name);
        return global && global->kind == Global::Kind::Variable ? global->variable : nullptr;
    }
    const auto& names = scoped_[static_cast<int>(scope)];
    const auto found = names.find(name);
    return found == names.end() ? nullptr : found->second;
}

Variable* Names::create_variable(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys,
                                 const Span& at)
{
    constexpr uint32_t most = 64000;
    if (variable_count_[static_cast<int>(scope)] >= most)
        fail("D_ID_OFLOW", at, "too many variables: " + name);
    // Pointers to kernel and scratch memory are stored in 8 bytes, even if the program's own pointers have 4.
    if (const Type* pointer = type->resolve(); pointer->kind == TypeKind::Pointer && pointer->size < 8)
        type = types.pointer_to(pointer->target, pointer->space, 8);
    if (keys.size() > kMaxKeys)
        fail("", at, "Insufficient tuple registers to generate code");
    Variable& made = program.variables.emplace_back();
    made.scope = scope;
    made.name = name;
    made.type = made.stored = type;
    made.keys = std::move(keys);
    made.index = variable_count_[static_cast<int>(scope)]++;
    made.at = at;
    made.scratch_pointer = type->is_pointer() && type->resolve()->space == AddressSpace::Scratch;
    if (scope != Scope::Global) {
        scoped_[static_cast<int>(scope)][name] = &made;
        return &made;
    }
    Global global;
    global.kind = Global::Kind::Variable;
    global.name = name;
    global.variable = &made;
    global.at = at;
    define_global(std::move(global));
    return &made;
}

const Type* Names::find_typedef(std::string_view name)
{
    std::string_view module;
    if (const std::size_t mark = name.find('`'); mark != std::string_view::npos) {
        module = name.substr(0, mark);
        name = name.substr(mark + 1);
        if (name.find('`') != std::string_view::npos)
            return nullptr;
    }
    const bool own = module.empty() || module == "D" || module == "C";
    if (own) {
        if (const Type* found = find_typedef_of_program(name)) {
            if (!here.in_library())
                used_types_.emplace(name);
            return found;
        }
        if (ask_library(name))
            return find_typedef(name);
    }
    if (module == "D" || module == "C" || !world.types())
        return nullptr;
    return find_outside(TypeNamespace::Ordinary, name, module);
}

/// Finds a type in the kernel. If it does not exist there, and `module` is empty, finds it in the traced program.
const Type* Names::find_outside(TypeNamespace space, std::string_view name, std::string_view module)
{
    const Type* found = world.types()->find(types, space, name, module);
    if ((!found || found->incomplete) && module.empty() && world.target().pid != 0)
        if (const Type* of_program = world.types()->find(types, space, name, kTracedProgram))
            found = of_program;
    here.met_kernel_type |= found != nullptr;
    return found;
}

const Type* Names::find_typedef_of_program(std::string_view name)
{
    if (!here.in_library())
        if (const Type* const found = checker.declared.find_typedef(Definer::Program, name))
            return found;
    const Type* const found = checker.declared.find_typedef(Definer::Library, name);
    return found ? found : types.named(name);
}

const Type* Names::find_fixed_typedef(std::string_view name)
{
    const Type* const found = find_typedef_of_program(name);
    const bool of_library = found && !here.in_library() && !checker.declared.find_typedef(Definer::Program, name);
    return of_library && used_types_.count(name) == 0 ? nullptr : found;
}

void Names::define_typedef(const std::string& name, const Type* type)
{
    checker.declared.add_typedef(definer(), name, type);
}

Type* Names::find_own_tag(TypeKind kind, std::string_view tag)
{
    if (Type* const own = checker.declared.find_tag(definer(), kind, tag))
        return own;
    Type* const of_library = checker.declared.find_tag(Definer::Library, kind, tag);
    return of_library && !of_library->incomplete && !here.in_library() && used_types_.count(tag) != 0 ? of_library
                                                                                                      : nullptr;
}

Type* Names::mention_tag(TypeKind kind, const std::string& tag)
{
    return checker.declared.add_tag(definer(), kind, tag);
}

const Type* Names::find_tag(TypeKind kind, std::string_view tag)
{
    std::string_view module;
    std::string_view name = tag;
    if (const std::size_t mark = tag.find('`'); mark != std::string_view::npos) {
        module = tag.substr(0, mark);
        name = tag.substr(mark + 1);
    }
    const auto is_defined = [this](const Type* type) {
        return type && (!type->incomplete || checker.declared.is_being_defined(type));
    };
    const Type* own = checker.declared.find_tag(definer(), kind, name);
    if (is_defined(own))
        return own;
    const Type* const of_library =
        here.in_library() ? nullptr : checker.declared.find_tag(Definer::Library, kind, name);
    if (is_defined(of_library)) {
        used_types_.emplace(name);
        return of_library;
    }
    if (!own)
        own = of_library;
    if (module.empty() && !own && ask_library(name))
        return find_tag(kind, tag);
    const TypeNamespace space = kind == TypeKind::Struct  ? TypeNamespace::Struct
                                : kind == TypeKind::Union ? TypeNamespace::Union
                                                          : TypeNamespace::Enum;
    if (world.types() && module != "D" && module != "C")
        if (const Type* found = find_outside(space, name, module))
            return found;
    return own;
}

bool Names::has_member(std::string_view record, std::string_view member)
{
    const Type* type = world.types() ? world.types()->find(types, TypeNamespace::Struct, record, "") : nullptr;
    if (!type)
        return false;
    const auto& members = type->resolve()->members();
    return std::any_of(members.begin(), members.end(), [member](const Member& m) { return m.name == member; });
}

const Type* Names::complete_record(const Type* record)
{
    record = record->resolve();
    if (!record->incomplete)
        return record;
    if (record->definition)
        return record->definition();
    const bool of_library = checker.declared.find_tag(Definer::Library, record->kind, record->name) == record;
    const bool outer = std::exchange(here.expands_library, here.expands_library || of_library);
    const Type* found = find_tag(record->kind, record->name);
    here.expands_library = outer;
    return found && !found->incomplete ? found : nullptr;
}

/// Returns the library's type with that name, even if the program defines the name itself; null if no library has it.
const Type* Names::find_library_typedef(std::string_view name)
{
    const Type* const found = checker.declared.find_typedef(Definer::Library, name);
    return found || !ask_library(name) ? found : checker.declared.find_typedef(Definer::Library, name);
}

const Type* Names::type_text(std::string_view text)
{
    TypeText parser(text, types);
    const bool is_of_program = text.starts_with("userland ");
    parser.find_typedef = [this, is_of_program](std::string_view name) {
        const Type* found = find_library_typedef(name);
        // If a table of built-ins or providers names a type, the program's own typedef does not apply: the program's
        // pid_t may differ from the type of the variable pid.
        if (!found && !is_of_program)
            found = types.named(name);
        if (!found)
            found = find_typedef(name);
        return !found && is_of_program ? checker.declared.foreign(name) : found;
    };
    parser.find_tag = [this](TypeKind kind, std::string_view tag) -> const Type* {
        if (const Type* found = find_tag(kind, tag))
            return found;
        return mention_tag(kind, std::string(tag));
    };
    return parser.parse();
}

void Names::touch_attributes(const Attributes& touched, const Span& at, const std::string& what)
{
    here.attributes = minimum(here.attributes, touched);
    // -x amin applies only to the program's own code. It does not apply to names in an inline or translator that is
    // being expanded. These names were checked at the definition, and a pragma may give the definition better stability
    // attributes than its names have.
    const bool own =
        here.expansions.empty() && (amin_for_libraries_ || !here.source || here.source->kind != Source::Kind::Library);
    if (own && options.amin && below(touched, *options.amin))
        fail("D_ATTR_MIN", at,
             "attributes for " + what + " (" + to_string(touched) + ") are less than predefined minimum");
}

// ---- hints about unknown names ------------------------------------------------------------------------------------

namespace {

/// Adds the members of a structure to the list, also those of anonymous structs and unions in it.
void add_members(const Type* record, Nearest& nearest)
{
    for (const Member& member : record->members())
        if (!member.name.empty())
            nearest.add(member.name);
        else if (member.type->is_record())
            add_members(member.type->resolve(), nearest);
}

/// Returns whether the text before a name ends with a comparison whose other side is a string, such as `execname ==`.
bool is_compared_with_text(std::string_view before)
{
    constexpr std::string_view kTexts[] = {"execname", "probefunc", "probename", "probemod",    "probeprov",
                                           "pr_fname", "pr_psargs", "fi_name",   "fi_pathname", "fi_fs"};
    const auto trim = [&before] { before = before.substr(0, before.find_last_not_of(" \t\n") + 1); };
    trim();
    if (!before.ends_with("==") && !before.ends_with("!="))
        return false;
    before.remove_suffix(2);
    trim();
    return std::any_of(std::begin(kTexts), std::end(kTexts),
                       [&](std::string_view text) { return before.ends_with(text); });
}

/// Returns a hint for an unknown member of an argument: another argument of the same probes has a member of that name.
std::string_view owner_of_member(std::string_view name)
{
    constexpr std::pair<std::string_view, std::string_view> kOwners[] = {
        {"b_", "it is a member of bufinfo_t, the type of args[0] of io probes"},
        {"dev_", "it is a member of devinfo_t, the type of args[1] of io probes"},
        {"fi_", "it is a member of fileinfo_t, the type of args[2] of io probes and of fds[]"},
        {"pr_", "it is a member of psinfo_t or lwpsinfo_t, the types of curpsinfo, curlwpsinfo and arguments of proc "
                "and sched probes"},
    };
    for (const auto& [prefix, owner] : kOwners)
        if (name.starts_with(prefix))
            return owner;
    return {};
}

} // namespace

std::string Names::suggest_variable(std::string_view name, const Span& at) const
{
    // the name comes from a macro argument such as $1; the user probably wanted a string, $$1
    if (at.source && at.source->text.compare(at.offset, 1, "$") == 0)
        return "$" + at.source->text.substr(at.offset, at.length) + " is the argument as a string";
    if (at.source && is_compared_with_text(std::string_view(at.source->text).substr(0, at.offset)))
        return "a string takes double quotes: \"" + std::string(name) + "\"";
    if (const std::string_view known = foreign_word(name); !known.empty())
        return std::string(known);
    Nearest nearest(name);
    for (const BuiltinVariable& each : builtin_variables())
        if (each.since <= options.version)
            nearest.add(each.name);
    for (const auto& [known, global] : globals_)
        if (global.kind == Global::Kind::Variable || global.kind == Global::Kind::Inline ||
            global.kind == Global::Kind::Constant)
            nearest.add(known);
    return nearest.question();
}

std::string Names::suggest_function(std::string_view name) const
{
    if (const std::string_view known = foreign_word(name); !known.empty())
        return std::string(known);
    Nearest nearest(name);
    for (const Subroutine& each : subroutines())
        if (each.since <= options.version)
            nearest.add(each.name);
    for (const Action& each : actions())
        if (each.since <= options.version)
            nearest.add(each.name);
    for (const AggFunction& each : agg_functions())
        nearest.add(each.name);
    return nearest.question({}, "()");
}

std::string Names::suggest_member(const Type* record, std::string_view name) const
{
    if (const std::string_view known = foreign_name(ForeignKind::Member, name); !known.empty())
        return std::string(known);
    Nearest nearest(name);
    add_members(record, nearest);
    const std::string question = nearest.question();
    return question.empty() ? std::string(owner_of_member(name)) : question;
}

std::string Names::suggest_scoped_variable(Scope scope, std::string_view name) const
{
    Nearest nearest(name);
    for (const auto& [known, variable] : scoped_[static_cast<std::size_t>(scope)])
        nearest.add(known);
    return nearest.question(scope == Scope::Self ? "self->" : "this->");
}

// Declares structs that every program has and no kernel defines.

DeclaredTypes::DeclaredTypes(TypeTable& types) : types_(types)
{
    const Type* number = types.named("int");
    // declares the type of `*curcpu` (dtrace-variables(7), curcpu)
    add_own("cpuinfo", 16, [number](std::vector<Member>& members, std::vector<Enumerator>&) {
        const char* names[] = {"cpu_id", "cpu_pset", "cpu_chip", "cpu_lgrp"};
        for (uint64_t i = 0; i < 4; ++i)
            members.push_back({names[i], number, 32 * i, 0});
    });
    // Declares the type of `waker`, the beginning of struct dt_waker (bpf-runtime/accounting/account.h).
    const Type* name = types.array_of(types.named("char"), sizeof(dt_waker::execname));
    add_own("wakerinfo", DT_WAKER_VALUE, [number, name](std::vector<Member>& members, std::vector<Enumerator>&) {
        members = {{"pid", number, 0, 0}, {"tid", number, 32, 0}, {"execname", name, 64, 0}};
    });
    // Declares the type of `blockedon`, struct dt_blocked.
    const Type* word = types.named("uint64_t");
    add_own("blockinfo", sizeof(dt_blocked),
            [number, name, word](std::vector<Member>& members, std::vector<Enumerator>&) {
                members = {{"kind", name, 0, 0}, {"object", word, 128, 0}, {"holder", number, 192, 0}};
            });
}

/// Declares the type as struct NAME and as NAME_t.
void DeclaredTypes::add_own(const std::string& name, uint64_t size, Completion members)
{
    Type* made = add_tag(Definer::Library, TypeKind::Struct, name);
    made->incomplete = false;
    made->size = size;
    made->complete = std::move(members);
    Type* alias = types_.make(TypeKind::Typedef, name + "_t");
    alias->target = made;
    alias->size = size;
    add_typedef(Definer::Library, alias->name, alias);
}

const Type* DeclaredTypes::find_typedef(Definer definer, std::string_view name) const
{
    const auto& typedefs = of(definer).typedefs;
    const auto found = typedefs.find(name);
    return found != typedefs.end() ? found->second : nullptr;
}

const Type* DeclaredTypes::foreign(std::string_view name)
{
    if (const auto known = foreign_.find(name); known != foreign_.end())
        return known->second;
    Type* made = types_.make(TypeKind::Typedef, std::string(name));
    made->target = types_.named("unsigned long");
    made->size = made->target->size;
    return foreign_[made->name] = made;
}

Type* DeclaredTypes::find_tag(Definer definer, TypeKind kind, std::string_view tag) const
{
    const auto& tags = of(definer).tags;
    const auto of_kind = tags.find(kind);
    if (of_kind == tags.end())
        return nullptr;
    const auto found = of_kind->second.find(tag);
    return found != of_kind->second.end() ? found->second : nullptr;
}

Type* DeclaredTypes::add_tag(Definer definer, TypeKind kind, const std::string& tag)
{
    Type* made = types_.make(kind, tag);
    made->incomplete = true;
    return of(definer).tags[kind][tag] = made;
}

// Parses types without a declared name: C specifiers, then stars and brackets.

char TypeText::peek()
{
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())))
        rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
}

std::string_view TypeText::word()
{
    peek();
    std::size_t length = 0;
    while (length < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[length])) || rest_[length] == '_' || rest_[length] == '`'))
        ++length;
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
}

const Type* TypeText::basic(int longs, bool is_short, int sign, std::string_view name)
{
    const bool is_unsigned = sign < 0;
    if (name == "char")
        return types_.named(is_unsigned ? "unsigned char" : sign > 0 ? "signed char" : "char");
    if (name == "double" && longs)
        return types_.named("long double");
    if (name == "float" || name == "double" || name == "_Bool")
        return types_.named(name);
    if (name == "bool")
        return types_.named("_Bool");
    std::string full = is_unsigned ? "unsigned " : "";
    full += is_short ? "short" : longs >= 2 ? "long long" : longs == 1 ? "long" : "int";
    return types_.named(full);
}

const Type* TypeText::base()
{
    int longs = 0;
    int sign = 0;
    bool is_short = false;
    bool any = false;
    std::string_view name;
    while (std::isalpha(static_cast<unsigned char>(peek())) || peek() == '_') {
        const std::string_view next = word();
        if (next == "const" || next == "volatile" || next == "restrict" || next == "__restrict")
            continue;
        if (next == "userland") {
            userland_ = true;
            continue;
        }
        if (next == "struct" || next == "union" || next == "enum") {
            const TypeKind kind = next == "struct"  ? TypeKind::Struct
                                  : next == "union" ? TypeKind::Union
                                                    : TypeKind::Enum;
            return find_tag(kind, word());
        }
        any = true;
        if (next == "long")
            ++longs;
        else if (next == "short")
            is_short = true;
        else if (next == "unsigned")
            sign = -1;
        else if (next == "signed")
            sign = 1;
        else if (name.empty())
            name = next;
        else
            return nullptr;
    }
    if (!any)
        return nullptr;
    const bool word_of_c =
        name.empty() || name == "int" || name == "char" || name == "float" || name == "double" || name == "bool";
    if (word_of_c && !(name == "bool" && find_typedef("bool")))
        return basic(longs, is_short, sign, name);
    return find_typedef(name);
}

const Type* TypeText::parse()
{
    const Type* type = base();
    const AddressSpace space = userland_ ? AddressSpace::User : AddressSpace::Kernel;
    while (type && peek()) {
        if (peek() == '*') {
            rest_.remove_prefix(1);
            type = types_.pointer_to(type, space, 8);
        } else if (peek() == '[') {
            rest_.remove_prefix(1);
            const uint64_t count = std::strtoull(std::string(word()).c_str(), nullptr, 0);
            if (peek() != ']')
                return nullptr;
            rest_.remove_prefix(1);
            type = types_.array_of(type, count);
        } else if (peek() == '(') {
            Type* function = types_.make(TypeKind::Function);
            function->target = type;
            return types_.pointer_to(function, space, 8);
        } else {
            const std::string_view next = word(); // qualifiers of a pointer: `* const`
            if (next != "const" && next != "volatile" && next != "restrict")
                return nullptr;
        }
    }
    return type;
}

} // namespace dt::sema
