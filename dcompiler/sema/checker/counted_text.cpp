// Strings that a process stores as an address and a length: strings of Go, Rust and C++, and slices of bytes. They
// convert to D strings like `char *` does.
#include <algorithm>
#include <iterator>
#include <optional>

#include "dcompiler/sema/checker/checker.hpp"
#include "dcompiler/sema/program/builtins.hpp"

namespace dt::sema {

namespace {

/// Paths (TextMembers) of the two members that contain the string's address and its length.
struct TextLayout {
    std::string_view address, length;
};

// Names of the members in the debug information that compilers write for strings and slices.
constexpr TextLayout kTextLayouts[] = {
    {"str", "len"},                                   // Go: string
    {"array", "len"},                                 // Go: []byte
    {"data_ptr", "length"},                           // Rust: &str, &[u8]
    {"vec.buf.inner.ptr.pointer.pointer", "vec.len"}, // Rust: String
    {"vec.buf.ptr.pointer.pointer", "vec.len"},       // Rust before 1.82: String
    {"buf.inner.ptr.pointer.pointer", "len"},         // Rust: Vec<u8>
    {"buf.ptr.pointer.pointer", "len"},               // Rust before 1.82: Vec<u8>
    {"_M_str", "_M_len"},                             // libstdc++: std::string_view
    {"_M_dataplus._M_p", "_M_string_length"},         // libstdc++: std::string
};

using MemberPath = std::vector<const Member*>;

std::optional<MemberPath> find_path(const Type* record, std::string_view names)
{
    MemberPath path;
    while (!names.empty()) {
        const std::size_t end = std::min(names.find('.'), names.size());
        if (!record->is_record() || !find_member(record->resolve(), names.substr(0, end), path))
            return {};
        record = path.back()->type;
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return path;
}

bool is_user_bytes(const Type* type)
{
    const Type* const plain = type->resolve();
    if (plain->kind != TypeKind::Pointer || plain->space != AddressSpace::User)
        return false;
    const Type* const target = plain->target->resolve();
    return target->size == 1 && (target->is_char || target->kind == TypeKind::Integer);
}

struct TextMembers {
    MemberPath address, length;
};

std::optional<TextMembers> text_members(const Type* record)
{
    if (!record->is_record())
        return {};
    for (const TextLayout& layout : kTextLayouts) {
        auto address = find_path(record, layout.address);
        auto length = address ? find_path(record, layout.length) : std::nullopt;
        if (length && is_user_bytes(address->back()->type) && length->back()->type->is_integer())
            return TextMembers{std::move(*address), std::move(*length)};
    }
    return {};
}

} // namespace

bool is_counted_text(const Type* type)
{
    const Type* const plain = type->resolve();
    if (plain->kind == TypeKind::Pointer)
        return plain->space == AddressSpace::User && plain->target->is_record() &&
               text_members(plain->target).has_value();
    return text_members(type).has_value();
}

bool is_byte_slice(const Type* type)
{
    // distinguishes slices of bytes ([]uint8, &[u8] and Vec<u8>) from strings (string, &str and String)
    const std::string& name = type->resolve()->name;
    return name.find('[') != std::string::npos || name.starts_with("Vec<");
}

TExpr* Values::counted_text(TExpr* value)
{
    const Span at = value->at;
    TExpr* store = nullptr;
    if (value->type->is_pointer()) {
        const AssignedOnce pointer = checker.assignments.once(value);
        store = pointer.store;
        value = node(TOp::Deref, value->type->resolve()->target, at, {pointer.value});
    }
    const TextMembers paths = *text_members(value->type);
    const auto follow = [&](const MemberPath& path) {
        TExpr* at_path = value;
        for (const Member* step : path) {
            at_path = node(TOp::Member, step->type, at, {at_path});
            at_path->member = step;
        }
        return at_path;
    };
    const Type* const number = types.named("uint64_t");
    TExpr* const length = convert(follow(paths.length), number);
    // The length is limited to that of the longest string, so that the string can be read whatever number the member
    // contains.
    TExpr* const most = integer(static_cast<int64_t>(std::min(options.strsize, options.scratchsize)), number, at);
    TExpr* const size =
        node(TOp::Conditional, number, at, {node(TOp::Less, types.named("int"), at, {length, most}), length, most});
    TExpr* const copied =
        node(TOp::Call, nullptr, at, {convert(follow(paths.address), types.named("uintptr_t")), size});
    copied->subroutine = find_subroutine("copyin");
    copied->subroutine->check(checker, *copied);
    return checker.assignments.after(store, node(TOp::StringOf, types.string(), at, {copied}));
}

} // namespace dt::sema
