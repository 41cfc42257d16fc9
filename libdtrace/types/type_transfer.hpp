// Transfer of types between processes: one process parses an untrusted file, and another one uses its types.
//
// An answer contains only the types near the requested one. A record is sent with its name and size, and its members
// are sent when they are requested. A type is identified by its position in the file. So an answer contains each type
// only once, and a type that is in several answers becomes a single node. Requests about the type may be sent to any
// reader of the file.
//
// The receiver validates everything. Numbers must have valid sizes, and members must be inside their record. No type
// may contain itself: a record is sent with its nesting depth, and the records in it must have smaller depths.
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
#include "dcompiler/interface/plan.hpp"
#include "dcompiler/interface/types.hpp"
#include "libdtrace/types/type_spelling.hpp"

namespace dt {

/// Serialises the types of one answer.
class TypeSerializer {
public:
    /// Returns the position of a type's description in the file. Returns nothing if the file contains no description of
    /// the type, or several; members of such a type cannot be requested later.
    using PlaceOf = std::function<std::optional<TypePosition>(const Type*)>;

    explicit TypeSerializer(PlaceOf place_of) : place_of_(std::move(place_of)) {}

    void serialize(const Type* type, PackedWriter& out) { serialize(type, out, 0); }
    /// Writes the members of a record, or the enumerators of an enum.
    void serialize_members_of(const Type* type, PackedWriter& out);

private:
    void serialize(const Type* type, PackedWriter& out, unsigned depth);
    void serialize_position(const Type* type, const TypePosition& place, PackedWriter& out, unsigned depth);
    uint64_t nesting(const Type* type, unsigned depth);

    PlaceOf place_of_;
    std::set<const Type*> serialized_, unfinished_;
    std::unordered_map<const Type*, uint64_t> nesting_;
    /// number of type nodes that may still be sent; when it is 0, void is sent for further types
    std::size_t left_ = std::size_t{1} << 16;
};

/// Creates the types that were received for one file, as nodes of one table.
class ReceivedTypes final : public TypeSource::Imports {
public:
    /// Requests data of the type at a position from the sender. `ask_definition` returns the output of serialize() for
    /// the definition of a type that is only declared, `ask_inside` the output of serialize_members_of(). Both return
    /// an empty string if there is no answer.
    using Ask = std::function<std::string(const TypePosition&)>;

    ReceivedTypes(TypeTable& table, Ask ask_inside, Ask ask_definition)
        : table_(table), ask_inside_(std::move(ask_inside)), ask_definition_(std::move(ask_definition))
    {
    }

    /// Reads a type. Returns void if the received type is not valid.
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
    /// Returns the node for a position, and whether the node is new. The node is null if there already is a type of
    /// another kind for the position.
    std::pair<Type*, bool> node(const TypePosition& place, TypeKind kind, std::string_view name);
    void complete(Type& node, const TypePosition& place);
    void read_members(PackedReader& in, const Type& record, std::vector<Member>& members);
    uint64_t nesting(const Type* type) const;

    TypeTable& table_;
    Ask ask_inside_, ask_definition_;
    std::map<TypePosition, Type*> nodes_;
    std::map<std::tuple<TypeKind, std::string, uint64_t, bool>, const Type*> numbers_;
    std::set<const Type*> unfinished_;
    std::unordered_map<const Type*, uint64_t> nesting_;
};

// Transfer of variable locations from the process that parses an untrusted file to the tracer.

void serialize_location(const VariableLocation& location, PackedWriter& out);
/// Reads a location. Marks the data as invalid if the location contains anything that serialize_location() never writes
/// for a variable of a process, such as a word outside of the saved registers.
VariableLocation read_location(PackedReader& in);

} // namespace dt
