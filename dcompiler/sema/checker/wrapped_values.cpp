// Values inside other values: variants of Rust's enums with data, smart pointers, and interfaces of Go. A Rust enum
// with data is a structure in debug information. It has a member `discriminant`, whose enumerators are the names of the
// variants, and a member for each variant. These members share their bytes, so a variant is read only while it is
// active.
#include <algorithm>
#include <optional>
#include <span>

#include "dcompiler/sema/checker/checker.hpp"
#include "dcompiler/sema/program/builtins.hpp"

namespace dt::sema {

namespace {

/// Enums with more variants are not supported, because compiled code distinguishes the variants one by one.
constexpr std::size_t kMaxVariants = 64;

struct Variants {
    const Member* discriminant = nullptr;
    /// Variants that a value of the discriminant selects, each with that value.
    std::vector<std::pair<const Member*, int64_t>> valued;
    const Member* other = nullptr; ///< variant for all other values of the discriminant; null: none
};

const Member* direct_member(const Type* record, std::string_view name)
{
    const std::vector<Member>& members = record->members();
    const auto found =
        std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.name == name; });
    return found == members.end() ? nullptr : &*found;
}

std::optional<Variants> variants_of(const Type* type)
{
    const Type* const record = type->resolve();
    Variants variants;
    variants.discriminant = record->kind == TypeKind::Struct ? direct_member(record, "discriminant") : nullptr;
    const Type* const values = variants.discriminant ? variants.discriminant->type->resolve() : nullptr;
    // the enum must have no name: one with a name is an ordinary member of a structure
    if (!values || values->kind != TypeKind::Enum || !values->name.empty() || values->enumerators().empty() ||
        values->enumerators().size() > kMaxVariants)
        return {};
    for (const Enumerator& value : values->enumerators()) {
        const Member* const variant = direct_member(record, value.name);
        if (!variant)
            return {};
        variants.valued.emplace_back(variant, value.value);
    }
    for (const Member& member : record->members()) {
        const bool is_valued = std::any_of(variants.valued.begin(), variants.valued.end(),
                                           [&](const auto& valued) { return valued.first == &member; });
        if (&member == variants.discriminant || is_valued)
            continue;
        if (variants.other)
            return {};
        variants.other = &member;
    }
    return variants;
}

/// Returns the only member of Some, the variant of Rust's Option<T> that has a value.
const Member* value_of_option(const Variants& variants)
{
    const Member *some = variants.other, *none = nullptr;
    for (const auto& [variant, value] : variants.valued)
        (variant->name == "Some" ? some : none) = variant;
    const bool is_option = some && none && some->name == "Some" && none->name == "None" && some->type->is_record() &&
                           variants.valued.size() + (variants.other ? 1 : 0) == 2;
    const std::vector<Member>* const inside = is_option ? &some->type->resolve()->members() : nullptr;
    return inside && inside->size() == 1 ? &inside->front() : nullptr;
}

bool is_user_pointer(const Type* type)
{
    return type->is_pointer() && type->resolve()->space == AddressSpace::User;
}

} // namespace

bool has_variants(const Type* type)
{
    return variants_of(type).has_value();
}

TExpr* Values::discriminant(TExpr* record, const Member* member)
{
    TExpr* const made = node(TOp::Member, member->type, record->at, {record});
    made->member = member;
    return convert(made, types.integer(8, member->type->resolve()->is_signed));
}

TExpr* Values::variant_name(TExpr* record)
{
    const Variants variants = *variants_of(record->type);
    const Span at = record->at;
    TExpr* store = nullptr;
    const AssignedOnce value = checker.assignments.kept(discriminant(record, variants.discriminant));
    store = value.store;
    TExpr* name = node(TOp::String, types.string_of(2), at);
    name->text = "?";
    const auto literal = [&](const Member* variant) {
        TExpr* const text = node(TOp::String, types.string_of(variant->name.size() + 1), at);
        text->text = variant->name;
        return text;
    };
    if (variants.other)
        name = literal(variants.other);
    for (const auto& [variant, number] : variants.valued) {
        TExpr* const text = literal(variant);
        TExpr* const is_active =
            node(TOp::Equal, types.named("int"), at,
                 {value.value, integer(canonical(number, variants.discriminant->type), value.value->type, at)});
        const uint64_t size = std::max(text->type->resolve()->size, name->type->resolve()->size);
        name = node(TOp::Conditional, types.string_of(size), at, {is_active, text, name});
    }
    return checker.assignments.after(store, name);
}

TExpr* Values::active_variant(TExpr* record, const Member* variant)
{
    const auto variants = here.unevaluated ? std::nullopt : variants_of(record->type);
    if (!variants || variant == variants->discriminant)
        return record;
    const Span at = record->at;
    const Type* const truth = types.named("int");
    TExpr* is_other = nullptr;
    for (const auto& [valued, number] : variants->valued) {
        if (variant != valued && variant != variants->other)
            continue;
        TExpr* const value = discriminant(record, variants->discriminant);
        TExpr* const differs = node(variant == valued ? TOp::NotEqual : TOp::Equal, truth, at,
                                    {value, integer(canonical(number, variants->discriminant->type), value->type, at)});
        is_other = is_other ? node(TOp::Or, truth, at, {is_other, differs}) : differs;
    }
    const Type* const number = types.named("uint64_t");
    TExpr* const place = node(TOp::Bounded, number, at, {convert(is_other, number), integer(1, number, at)});
    TExpr* const checked = node(TOp::Index, record->type, at, {record, place});
    checked->scratch = false;
    return checked;
}

MemberPath option_of_text(const Type* type)
{
    const auto variants = variants_of(type);
    const Member* const inside = variants ? value_of_option(*variants) : nullptr;
    if (!inside || !inside->type->is_record() || !is_counted_text(inside->type) || is_byte_slice(inside->type))
        return {};
    const Member* const some = direct_member(type->resolve(), "Some");
    return {some, inside};
}

/// Returns the text in Option<&str> or Option<String>, or the string "None".
TExpr* Values::text_of_option(TExpr* option, const MemberPath& path)
{
    const Variants variants = *variants_of(option->type);
    const Span at = option->at;
    const std::string_view valued_name = variants.other ? "None" : "Some";
    const int64_t number = std::find_if(variants.valued.begin(), variants.valued.end(), [&](const auto& valued) {
                               return valued.first->name == valued_name;
                           })->second;
    TExpr* const value = discriminant(option, variants.discriminant);
    TExpr* const is_some = node(variants.other ? TOp::NotEqual : TOp::Equal, types.named("int"), at,
                                {value, integer(canonical(number, variants.discriminant->type), value->type, at)});
    TExpr* const missing = node(TOp::String, types.string_of(5), at);
    missing->text = "None";
    return node(TOp::Conditional, types.string(), at, {is_some, counted_text(follow(option, path)), missing});
}

// ---- smart pointers and other structures that stand for a pointer -------------------------------------------------

namespace {

/// A pointer that a structure, such as a smart pointer, contains.
struct WrappedPointer {
    MemberPath path;
    /// For a pointer to a structure with reference counts (Rust's Rc and Arc): the member of this structure with the
    /// content.
    const Member* content = nullptr;
    bool is_option = false; ///< whether the pointer may be null (None in Rust)
};

/// Appends the members that lead to the first element of a libstdc++ tuple to `path`. Returns false if the element is
/// no pointer. The first element is in the last base class.
bool find_pointer_of_tuple(const Type* tuple, MemberPath& path, unsigned depth)
{
    const std::vector<Member>& members = tuple->resolve()->members();
    for (auto place = members.rbegin(); place != members.rend(); ++place) {
        const Member& member = *place;
        path.push_back(&member);
        const bool is_found = member.name == "_M_head_impl" && is_user_pointer(member.type);
        if (is_found || (depth < 8 && member.name.empty() && member.type->is_record() &&
                         find_pointer_of_tuple(member.type, path, depth + 1)))
            return true;
        path.pop_back();
    }
    return false;
}

std::optional<WrappedPointer> pointer_of_cxx(const Type* record)
{
    auto path = find_path(record, "_M_ptr");
    if (path && is_user_pointer(path->back()->type) && find_path(record, "_M_refcount"))
        return WrappedPointer{std::move(*path)}; // the structure is a std::shared_ptr or std::weak_ptr
    path = find_path(record, "_M_t._M_t");
    if (path && path->back()->type->is_record() && find_pointer_of_tuple(path->back()->type, *path, 0))
        return WrappedPointer{std::move(*path)}; // std::unique_ptr
    return {};
}

std::optional<WrappedPointer> pointer_of_rust(const Type* record)
{
    auto path = find_path(record, "ptr.pointer");
    if (!path || !is_user_pointer(path->back()->type))
        return {};
    const Type* const counted = path->back()->type->resolve()->target->resolve();
    if (!counted->is_record() || !direct_member(counted, "strong") || !direct_member(counted, "weak"))
        return {};
    const Member* const value = direct_member(counted, "value");
    const Member* const content = value ? value : direct_member(counted, "data");
    return content ? std::optional(WrappedPointer{std::move(*path), content}) : std::nullopt;
}

std::optional<WrappedPointer> wrapped_pointer_in(const Type* type)
{
    const Type* const record = type->resolve();
    if (record->kind != TypeKind::Struct || record->incomplete)
        return {};
    if (is_go_interface(record)) {
        const Member* const table = direct_member(record, "tab");
        return WrappedPointer{{table ? table : direct_member(record, "_type")}};
    }
    const auto variants = variants_of(record);
    const Member* const inside = variants ? value_of_option(*variants) : nullptr;
    if (!inside) {
        auto found = variants ? std::nullopt : pointer_of_rust(record);
        return found || variants ? std::move(found) : pointer_of_cxx(record);
    }
    // None is the null pointer
    if (variants->other == nullptr || variants->valued.front().second != 0 || inside->bit_offset != 0)
        return {};
    WrappedPointer found;
    if (!is_user_pointer(inside->type)) {
        auto pointer = inside->type->is_record() ? pointer_of_rust(inside->type->resolve()) : std::nullopt;
        if (!pointer)
            return {};
        found = std::move(*pointer);
    }
    found.path.insert(found.path.begin(), {variants->other, inside});
    found.is_option = true;
    return found;
}

} // namespace

bool has_wrapped_pointer(const Type* type)
{
    return wrapped_pointer_in(type).has_value();
}

TExpr* Values::wrapped_pointer(TExpr* value)
{
    const WrappedPointer wrapped = *wrapped_pointer_in(value->type);
    TExpr* const pointer = follow(value, wrapped.path);
    if (!wrapped.content)
        return pointer;
    const Span at = value->at;
    const Type* const target = pointer->type->resolve()->target;
    const Type* const type = types.pointer_to(wrapped.content->type, AddressSpace::User, 8);
    const AssignedOnce kept = checker.assignments.kept(pointer);
    TExpr* const content = follow(node(TOp::Deref, target, at, {kept.value}), {wrapped.content});
    TExpr* address = node(TOp::AddressOf, type, at, {content});
    if (wrapped.is_option)
        address = node(TOp::Conditional, type, at, {kept.value, address, integer(0, type, at)});
    return checker.assignments.after(kept.store, address);
}

// ---- interfaces of Go ---------------------------------------------------------------------------------------------
//
// A Go interface contains two addresses: of a type's description and of the value. An interface with methods, such as
// `error`, has the address of a table in place of the first address. The table's member _type points to the
// description. The description contains the offset of the type's name from the symbol runtime.types. Go 1.17 and later
// store the name as a byte of flags, the length (base 128), and the text.

namespace {

/// Go's `error` interface: names of method tables. They belong to types of the standard library whose values begin with
/// the error's text.
constexpr std::string_view kErrorTexts[] = {"*errors.errorString,error", "*fmt.wrapError,error",
                                            "*fmt.wrapErrors,error"};

/// Members of an interface in debug information. Their names depend on the version of Go.
struct Interface {
    /// Member that points to the method table, and the table's member that points to the type. Null for an interface
    /// without methods.
    const Member *table = nullptr, *table_type = nullptr;
    const Member* type = nullptr;
    const Member *name = nullptr, *flags = nullptr; ///< members of Go's description of a type: the name, and flags
    const Member* data = nullptr;
};

const Member* one_of(const Type* record, std::string_view first, std::string_view second)
{
    const Member* const found = direct_member(record, first);
    return found ? found : direct_member(record, second);
}

const Type* pointed_struct(const Member* member)
{
    const bool is_pointer = member && is_user_pointer(member->type);
    const Type* const target = is_pointer ? member->type->resolve()->target->resolve() : nullptr;
    return target && target->kind == TypeKind::Struct ? target : nullptr;
}

std::optional<Interface> interface_of(const Type* type)
{
    const Type* const record = type->resolve();
    if (record->kind != TypeKind::Struct || record->size != 16 || record->members().size() != 2)
        return {};
    Interface found;
    found.data = direct_member(record, "data");
    found.table = direct_member(record, "tab");
    const Type* const table = pointed_struct(found.table);
    found.table_type = table ? one_of(table, "_type", "Type") : nullptr;
    found.type = found.table ? found.table_type : direct_member(record, "_type");
    const Type* const description = pointed_struct(found.type);
    found.name = description ? one_of(description, "str", "Str") : nullptr;
    found.flags = description ? one_of(description, "tflag", "TFlag") : nullptr;
    const bool is_interface = found.data && is_user_pointer(found.data->type) && found.name && found.flags &&
                              found.name->type->is_integer() && found.flags->type->is_integer();
    return is_interface ? std::optional(found) : std::nullopt;
}

} // namespace

bool is_go_interface(const Type* type)
{
    return interface_of(type).has_value();
}

namespace {

/// Builds expressions that compute with addresses in the memory of a process.
class UserWords {
public:
    UserWords(Checker& checker, const Span& at) : checker_(checker), at_(at) {}

    TExpr* node(TOp op, std::vector<TExpr*> kids) { return checker_.values.node(op, word(), at_, std::move(kids)); }
    TExpr* constant(uint64_t number) { return checker_.values.integer(static_cast<int64_t>(number), word(), at_); }
    TExpr* add(TExpr* address, uint64_t offset) { return node(TOp::Add, {address, constant(offset)}); }
    TExpr* number(TExpr* value) { return checker_.values.convert(value, word()); }

    /// Returns an expression for the unsigned number in the `bytes` bytes at an address.
    TExpr* read(TExpr* address, unsigned bytes)
    {
        const Type* const type = checker_.types.integer(bytes, false);
        TExpr* const pointer = checker_.values.convert(address, checker_.types.pointer_to(type, AddressSpace::User, 8));
        return number(checker_.values.node(TOp::Deref, type, at_, {pointer}));
    }

    /// Returns an expression for the string of `length` bytes at an address.
    TExpr* text(TExpr* address, TExpr* length)
    {
        TExpr* const most = constant(std::min(checker_.options.strsize, checker_.options.scratchsize));
        TExpr* const size = node(TOp::Conditional, {node(TOp::Less, {length, most}), length, most});
        TExpr* const copied = checker_.values.node(
            TOp::Call, nullptr, at_, {checker_.values.convert(address, checker_.types.named("uintptr_t")), size});
        copied->subroutine = find_subroutine("copyin");
        copied->subroutine->check(checker_, *copied);
        return checker_.values.node(TOp::StringOf, checker_.types.string(), at_, {copied});
    }

    /// Assigns a value to a nameless variable and returns the variable.
    TExpr* keep(TExpr* value)
    {
        const AssignedOnce kept = checker_.assignments.kept(value);
        store_ = !store_ ? kept.store : !kept.store ? store_ : node(TOp::Comma, {store_, kept.store});
        return kept.value;
    }
    TExpr* take_store() { return std::exchange(store_, nullptr); }

private:
    const Type* word() const { return checker_.types.integer(8, false); }

    Checker& checker_;
    Span at_;
    TExpr* store_ = nullptr;
};

} // namespace

/// Returns the name of a Go type whose description is at an address.
TExpr* Values::name_of_go_type(TExpr* description, const Member& name, const Member& flags, uint64_t names)
{
    UserWords words(checker, description->at);
    const uint64_t at = name.bit_offset / 8;
    TExpr* const place =
        words.keep(words.node(TOp::Add, {words.constant(names), words.read(words.add(description, at), 4)}));
    constexpr uint64_t kExtraStar = 2; // Go stores an extra star before the name
    TExpr* const star = words.keep(words.node(
        TOp::ShiftRight, {words.node(TOp::BitAnd, {words.read(words.add(description, flags.bit_offset / 8), 1),
                                                   words.constant(kExtraStar)}),
                          words.constant(1)}));
    TExpr* const low = words.keep(words.read(words.add(place, 1), 1));
    TExpr* const is_long = words.keep(words.node(TOp::ShiftRight, {low, words.constant(7)}));
    TExpr* const high = words.keep(words.node(TOp::Multiply, {is_long, words.read(words.add(place, 2), 1)}));
    TExpr* const length =
        words.node(TOp::Subtract, {words.node(TOp::BitOr, {words.node(TOp::BitAnd, {low, words.constant(0x7f)}),
                                                           words.node(TOp::ShiftLeft, {high, words.constant(7)})}),
                                   star});
    TExpr* const start = words.node(TOp::Add, {words.node(TOp::Add, {words.add(place, 2), is_long}), star});
    TExpr* const text = words.text(start, length);
    return checker.assignments.after(words.take_store(), text);
}

TExpr* Values::interface_text(TExpr* value)
{
    const Interface found = *interface_of(value->type);
    const Span at = value->at;
    const auto names = world.user_symbol({}, "runtime.types");
    if (!names)
        fail("D_IDENT_UNDEF", at, "the type of an interface cannot be named: no process has the symbol runtime.types",
             world.target().pid == 0 ? "name the process with -p or -c" : "the program was stripped");
    UserWords words(checker, at);
    TExpr* const first = words.keep(words.number(follow(value, {found.table ? found.table : found.type})));
    TExpr* const table_type = found.table ? words.read(words.add(first, found.table_type->bit_offset / 8), 8) : first;
    // a nil interface has no table from which its type could be read
    TExpr* const type =
        found.table ? words.keep(words.node(TOp::Conditional, {first, table_type, words.constant(0)})) : first;
    TExpr* const data = words.keep(words.number(follow(value, {found.data})));
    TExpr* has_text = nullptr;
    for (const std::string_view known : found.table ? std::span(kErrorTexts) : std::span<const std::string_view>())
        for (const char* const prefix : {"go:itab.", "go.itab."}) // since Go 1.20; before
            if (const auto table = world.user_symbol({}, prefix + std::string(known))) {
                TExpr* const known_type =
                    words.read(words.constant(table->address + found.table_type->bit_offset / 8), 8);
                TExpr* const is_known = node(TOp::Equal, types.named("int"), at, {type, known_type});
                has_text = has_text ? node(TOp::Or, types.named("int"), at, {has_text, is_known}) : is_known;
            }
    TExpr* result = name_of_go_type(type, *found.name, *found.flags, names->address);
    if (has_text)
        result = node(TOp::Conditional, types.string(), at,
                      {has_text, words.text(words.read(data, 8), words.read(words.add(data, 8), 8)), result});
    TExpr* const nil = node(TOp::String, types.string_of(6), at);
    nil->text = "<nil>";
    TExpr* const made = node(TOp::Conditional, types.string(), at, {type, result, nil});
    return checker.assignments.after(words.take_store(), made);
}

} // namespace dt::sema
