// Types that one process describes to another, which makes them anew: whoever reads a file that may lie need not be who
// uses its types.
//
// What is told is what is near: of a record its name and size, of its members nothing until they are asked for. A type
// that a file has at some place is known by that place, so it is told once an answer, is one node however often it is
// told, and can be asked about later, also of another reader.
//
// Who listens believes nothing. Numbers have the sizes that there are, members lie inside of their record, and no type
// contains itself: a record is told with how deep others are nested in it, and what is in it has to be less deep.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/packed_bytes.hpp"
#include "dcompiler/sema/types.hpp"
#include "libdtrace/world/type_place.hpp"

namespace dt {

/// Of one answer.
class TypeTeller {
public:
    /// Where a type is described; nothing: at no single place, so that its members cannot be asked for.
    using PlaceOf = std::function<std::optional<TypePlace>(const Type*)>;

    explicit TypeTeller(PlaceOf place_of) : place_of_(std::move(place_of)) {}

    void tell(const Type* type, PackedWriter& out) { tell(type, out, 0); }
    /// Its members or enumerators.
    void tell_inside(const Type* type, PackedWriter& out);

private:
    void tell(const Type* type, PackedWriter& out, unsigned depth);
    void tell_placed(const Type* type, const TypePlace& place, PackedWriter& out, unsigned depth);
    uint64_t nesting(const Type* type, unsigned depth);

    PlaceOf place_of_;
    std::set<const Type*> told_, unfinished_;
    std::unordered_map<const Type*, uint64_t> nesting_;
    std::size_t left_ = std::size_t{1} << 16; ///< nodes; the rest is void
};

/// What was told of one file, made in one table.
class ToldTypes final : public TypeSource::Imports {
public:
    /// Asks what tell_inside(), or tell() of the definition, says of the type at a place; empty: nobody answers.
    using Ask = std::function<std::string(const TypePlace&)>;

    ToldTypes(TypeTable& table, Ask ask_inside, Ask ask_definition)
        : table_(table), ask_inside_(std::move(ask_inside)), ask_definition_(std::move(ask_definition))
    {
    }

    /// What is told there; void where that is no type.
    const Type* read(PackedReader& in) { return read(in, 0, false); }

private:
    const Type* read(PackedReader& in, unsigned depth, bool is_inside);
    const Type* read_number(PackedReader& in);
    const Type* read_array(PackedReader& in, unsigned depth);
    const Type* read_known(PackedReader& in, bool is_inside);
    const Type* read_typedef(PackedReader& in, unsigned depth, bool is_inside);
    const Type* read_record(PackedReader& in);
    const Type* read_enum(PackedReader& in);
    const Type* read_function(PackedReader& in, unsigned depth);
    /// The node of a place (null: it is known as something else), and whether it is new.
    std::pair<Type*, bool> node(const TypePlace& place, TypeKind kind, std::string_view name);
    void complete(Type& node, const TypePlace& place);
    void read_members(PackedReader& in, const Type& record, std::vector<Member>& members);
    uint64_t nesting(const Type* type) const;

    TypeTable& table_;
    Ask ask_inside_, ask_definition_;
    std::map<TypePlace, Type*> nodes_;
    std::map<std::tuple<TypeKind, std::string, uint64_t, bool>, const Type*> numbers_;
    std::set<const Type*> unfinished_;
    std::unordered_map<const Type*, uint64_t> nesting_;
};

} // namespace dt
