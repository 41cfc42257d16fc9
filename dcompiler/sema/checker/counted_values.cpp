// Values that a process stores as an address and a length: strings of Go, Rust and C++, slices, and vectors. The
// strings can be used as D strings, like `char *`. Subscripts can access only the elements within the length.
#include <algorithm>
#include <iterator>
#include <optional>

#include "dcompiler/sema/checker/checker.hpp"
#include "dcompiler/sema/program/builtins.hpp"

namespace dt::sema {

namespace {

enum class Content : uint8_t { Text, Elements, ByName };
enum class Extent : uint8_t { Length, End };

/// Members that contain the address, and the length or the end; each is a path as in find_path().
struct CountedLayout {
    std::string_view address, extent;
    Content content = Content::Text;
    Extent kind = Extent::Length;
};

// Names of the members, as in the debug information of these types.
constexpr CountedLayout kCountedLayouts[] = {
    {"str", "len"},                                                            // Go: string
    {"array", "len", Content::Elements},                                       // Go: []T
    {"data_ptr", "length", Content::ByName},                                   // Rust: &str, &[T]
    {"vec.buf.inner.ptr.pointer.pointer", "vec.len"},                          // Rust: String
    {"vec.buf.ptr.pointer.pointer", "vec.len"},                                // Rust before 1.82: String
    {"buf.inner.ptr.pointer.pointer", "len", Content::Elements},               // Rust: Vec<T>
    {"buf.ptr.pointer.pointer", "len", Content::Elements},                     // Rust before 1.82: Vec<T>
    {"_M_str", "_M_len"},                                                      // libstdc++: std::string_view
    {"_M_dataplus._M_p", "_M_string_length"},                                  // libstdc++: std::string
    {"_M_impl._M_start", "_M_impl._M_finish", Content::Elements, Extent::End}, // libstdc++: std::vector
    {"_M_ptr", "_M_extent._M_extent_value", Content::Elements},                // libstdc++: std::span
};

bool is_byte(const Type* type)
{
    const Type* const plain = type->resolve();
    return plain->size == 1 && (plain->is_char || plain->kind == TypeKind::Integer);
}

struct CountedMembers {
    MemberPath address, extent;
    Extent kind = Extent::Length;
    const Type* element = nullptr;
    bool is_text = false;
};

/// Returns the type of the elements. In Rust's Vec<T>, the address points to bytes, so the type argument T is returned.
const Type* element_type(const Type* record, const Type* pointer)
{
    const Type* const target = pointer->resolve()->target;
    record->members(); // completes the type
    const std::vector<const Type*>& arguments = record->resolve()->parameters;
    return is_byte(target) && !arguments.empty() ? arguments.front() : target;
}

std::optional<CountedMembers> counted_members(const Type* record)
{
    if (!record->is_record())
        return {};
    for (const CountedLayout& layout : kCountedLayouts) {
        auto address = find_path(record, layout.address);
        auto extent = address ? find_path(record, layout.extent) : std::nullopt;
        const Type* const pointer = extent ? address->back()->type : nullptr;
        if (!pointer || !pointer->is_pointer() || pointer->resolve()->space != AddressSpace::User ||
            (layout.kind == Extent::Length ? !extent->back()->type->is_integer() : extent->back()->type != pointer))
            continue;
        const Type* const element = element_type(record, pointer);
        // distinguishes &[u8] (bytes) from &str (a text)
        const bool is_text =
            is_byte(element) &&
            (layout.content == Content::Text ||
             (layout.content == Content::ByName && record->resolve()->name.find('[') == std::string::npos));
        return CountedMembers{std::move(*address), std::move(*extent), layout.kind, element, is_text};
    }
    return {};
}

/// If the type is a pointer to a structure of a process, returns the type of the structure. Returns other types
/// unchanged.
const Type* pointed_record(const Type* type)
{
    const Type* const plain = type->resolve();
    const bool is_pointer = plain->kind == TypeKind::Pointer && plain->space == AddressSpace::User;
    return is_pointer && plain->target->is_record() ? plain->target : plain;
}

/// Returns the members of a structure, or of the structure to which a pointer points.
std::optional<CountedMembers> members_of_value(const Type* type)
{
    return counted_members(pointed_record(type));
}

/// Reads the address and the number of elements from a structure.
class CountedReader {
public:
    CountedReader(Checker& checker, TExpr* value, CountedMembers members)
        : checker_(checker), value_(value), members_(std::move(members))
    {
        if (value_->type->is_pointer()) {
            const AssignedOnce pointer = checker_.assignments.once(value_);
            store_ = pointer.store;
            value_ = node(TOp::Deref, value_->type->resolve()->target, {pointer.value});
        }
    }

    TExpr* address() { return follow(members_.address); }

    TExpr* length()
    {
        const Type* const number = checker_.types.named("uint64_t");
        TExpr* const extent = follow(members_.extent);
        if (members_.kind == Extent::Length)
            return checker_.values.convert(extent, number);
        TExpr* const distance = node(TOp::PointerDistance, checker_.types.named("ptrdiff_t"), {extent, address()});
        distance->value = std::max<int64_t>(static_cast<int64_t>(members_.element->resolve()->size), 1);
        return checker_.values.convert(distance, number);
    }

    TExpr* after_store(TExpr* result) { return checker_.assignments.after(store_, result); }

    const CountedMembers& members() const { return members_; }

private:
    TExpr* node(TOp op, const Type* type, std::vector<TExpr*> kids)
    {
        return checker_.values.node(op, type, value_->at, std::move(kids));
    }

    TExpr* follow(const MemberPath& path) { return checker_.values.follow(value_, path); }

    Checker& checker_;
    TExpr* value_;
    TExpr* store_ = nullptr;
    CountedMembers members_;
};

} // namespace

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

TExpr* Values::follow(TExpr* record, const MemberPath& path)
{
    for (const Member* step : path) {
        record = node(TOp::Member, step->type, record->at, {record});
        record->member = step;
    }
    return record;
}

bool is_counted_text(const Type* type)
{
    const auto members = members_of_value(type);
    const Type* const record = pointed_record(type);
    return (members && is_byte(members->element)) || !option_of_text(record).empty() || is_go_interface(record);
}

bool is_byte_slice(const Type* type)
{
    const auto members = members_of_value(type);
    return members && is_byte(members->element) && !members->is_text;
}

bool has_counted_elements(const Type* type)
{
    return members_of_value(type).has_value();
}

TExpr* Values::counted_text(TExpr* value)
{
    const Span at = value->at;
    const Type* const record = pointed_record(value->type);
    const MemberPath path = option_of_text(record);
    if (!path.empty() || is_go_interface(record)) {
        AssignedOnce pointer{nullptr, value};
        if (value->type->is_pointer()) {
            pointer = checker.assignments.once(value);
            value = node(TOp::Deref, record, at, {pointer.value});
        }
        return checker.assignments.after(pointer.store,
                                         path.empty() ? interface_text(value) : text_of_option(value, path));
    }
    CountedReader reader(checker, value, *members_of_value(value->type));
    const Type* const number = types.named("uint64_t");
    TExpr* const length = reader.length();
    // The length is limited to that of the longest string. So the text can be read even if the member contains a wrong
    // length.
    TExpr* const most = integer(static_cast<int64_t>(std::min(options.strsize, options.scratchsize)), number, at);
    TExpr* const size =
        node(TOp::Conditional, number, at, {node(TOp::Less, types.named("int"), at, {length, most}), length, most});
    TExpr* const copied = node(TOp::Call, nullptr, at, {convert(reader.address(), types.named("uintptr_t")), size});
    copied->subroutine = find_subroutine("copyin");
    copied->subroutine->check(checker, *copied);
    return reader.after_store(node(TOp::StringOf, types.string(), at, {copied}));
}

TExpr* Values::text_of_record(TExpr* value)
{
    const bool is_text = value->type->is_record() && is_counted_text(value->type) && !is_byte_slice(value->type);
    return is_text ? counted_text(value) : value;
}

TExpr* Values::counted_element(TExpr* value, TExpr* index)
{
    const Span at = value->at;
    CountedReader reader(checker, value, *members_of_value(value->type));
    const Type* element = reader.members().element;
    if (const Type* const complete = element->is_record() ? checker.names.complete_record(element) : nullptr)
        element = complete;
    if (element->resolve()->size == 0)
        fail("D_OP_INCOMPLETE", at, "the size of an element of " + dt::to_string(value->type) + " is not known");
    const Type* const number = types.named("uint64_t");
    TExpr* const place = node(TOp::Bounded, number, at, {convert(index, number), reader.length()});
    TExpr* const first = reader.address();
    const Type* const pointer = types.pointer_to(element, AddressSpace::User, first->type->resolve()->size);
    TExpr* const address = node(TOp::PointerAdd, pointer, at, {convert(first, pointer), place});
    address->value = static_cast<int64_t>(element->resolve()->size);
    return reader.after_store(node(TOp::Deref, element, at, {address}));
}

} // namespace dt::sema
