// The type graph, shared by D's own types, the kernel's (BTF, CTF) and a program's declarations.
//
// Types are immutable once complete and owned by a TypeTable; pointers to them are compared after resolve(). A struct
// from a type source gets its members on first access, so importing `struct task_struct *` costs one node.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace dt {

enum class TypeKind : uint8_t {
    Void,
    Integer,
    Float,
    Enum,
    Pointer,
    Array,
    Struct,
    Union,
    Function,
    Typedef,
    String,      // D string: up to `size` - 1 characters and a NUL
    Stack,       // dt_stack_t and the result of stack()/ustack()
    SymAddr,     // _symaddr: address of a kernel symbol
    UserSymAddr, // _usymaddr: address of a user symbol
    Dynamic,     // no value of its own: aggregations, associative arrays without subscript, translated objects
};

/// Memory to which a pointer points. It determines the helper for reads and which targets can be written.
enum class AddressSpace : uint8_t { Kernel, User, Scratch };

/// Sizes of `long` and of pointers: 8 and 8 bytes, or 4 and 4.
enum class DataModel : uint8_t { Lp64, Ilp32 };

class Type;

struct Member {
    std::string name; ///< name of the member; empty for an anonymous struct or union
    const Type* type = nullptr;
    uint64_t bit_offset = 0;
    uint32_t bit_size = 0; ///< size in bits of a bit-field; 0 for other members
};

struct Enumerator {
    std::string name;
    int64_t value = 0;
};

class Type {
public:
    TypeKind kind = TypeKind::Void;
    std::string name;       ///< name of an integer type or typedef, or tag; may be empty
    uint64_t size = 0;      ///< size in bytes; 0 for void, functions and incomplete types
    bool is_signed = false; ///< for Integer and Enum: whether it is signed
    /// For Integer: whether it is char or signed char. Arrays of these types and pointers to them are
    /// string-compatible.
    bool is_char = false;
    bool incomplete = false;                   ///< for Struct, Union and Enum: whether only the tag is known
    bool is_user_defined = false;              ///< whether the D program declares the type
    AddressSpace space = AddressSpace::Kernel; ///< for Pointer: address space of the target
    const Type* target = nullptr; ///< for Pointer, Array and Typedef: the target; for Function: type of the result
    uint64_t count = 0;           ///< for Array: number of elements
    /// For Function: types of the parameters. For Struct and Union: the types with which a generic type or template was
    /// instantiated; they are known when the members are.
    std::vector<const Type*> parameters;
    std::vector<std::string> parameter_names; ///< for Function: names of the parameters; empty if the source has none
    bool variadic = false;

    /// members of a Struct or Union; the first call completes the type
    const std::vector<Member>& members() const;
    const std::vector<Enumerator>& enumerators() const; ///< for Enum: the enumerators

    /// Callback that adds the members or enumerators; called once, at the first access.
    std::function<void(std::vector<Member>&, std::vector<Enumerator>&)> complete;

    /// For an incomplete type: looks for the definition in the source of the type, and returns null if none exists. If
    /// this function is empty, a type of the same name is used as the definition.
    std::function<const Type*()> definition;

    /// Returns the type without typedefs.
    const Type* resolve() const;

    bool is_integer() const
    {
        auto k = resolve()->kind;
        return k == TypeKind::Integer || k == TypeKind::Enum;
    }
    bool is_pointer() const { return resolve()->kind == TypeKind::Pointer; }
    bool is_string() const { return resolve()->kind == TypeKind::String; }
    bool is_scalar() const { return is_integer() || is_pointer(); }
    bool is_record() const
    {
        auto k = resolve()->kind;
        return k == TypeKind::Struct || k == TypeKind::Union;
    }

private:
    mutable const Type* resolved_ = nullptr;
    mutable bool completed_ = false;
    mutable std::vector<Member> members_;
    mutable std::vector<Enumerator> enumerators_;
};

/// Returns a type's text for messages and -lv: "unsigned long", "struct task_struct *", "char [4]", "userland char *".
std::string to_string(const Type* type);

/// A member of a structure that is a number or a pointer.
struct NumberAt {
    uint64_t offset = 0;
    uint8_t size = 0;
};

/// Returns the numbers and pointers of which a type consists, also those in nested structures and arrays, ordered by
/// offset. Returns at most `limit` + 1 of them.
std::vector<NumberAt> numbers_of(const Type* type, std::size_t limit);

/// Kind of the name to look up. For `Variable` and `Function`, the name is a global variable or function whose type is
/// requested.
enum class TypeNamespace : uint8_t { Ordinary, Struct, Union, Enum, Variable, Function };

class TypeTable;

/// Interface of type sources outside of the program: BTF, CTF, or the table of a unit test. A source serves any number
/// of tables and must outlive them.
class TypeSource {
public:
    virtual ~TypeSource() = default;

    /// Data of a source about the types that it has created in a table; the table owns it.
    class Imports {
    public:
        virtual ~Imports() = default;
    };

    /// Imports the named type of `module` into `table`. An empty module means any module, core kernel first. Returns
    /// null if it does not exist.
    virtual const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) = 0;
    /// Returns the reason why the types of a module cannot be read although they exist, or an empty string.
    virtual std::string problem(std::string_view) { return {}; }
};

/// Owner of types. Building the same pointer, array or qualified type twice gives the same node.
class TypeTable {
public:
    /// `model` is the D program's data model. Types from other sources keep the sizes of their source.
    explicit TypeTable(uint64_t strsize = 256, DataModel model = DataModel::Lp64);
    /// Sets #pragma D option strsize before any statement is checked. Returns false if a struct or array already
    /// depends on another size.
    bool set_strsize(uint64_t strsize);
    void lay_out(const Type* type)
    {
        has_laid_out_string_ |= type->resolve() == string_;
    } ///< sets a flag if another type now contains the type string, whose size can then not change any more

    const Type* void_type() const { return void_; }
    /// returns the C type of this size: char, short, int, long
    const Type* integer(unsigned bytes, bool is_signed) const;
    /// returns an intrinsic type or predefined typedef, or null
    const Type* named(std::string_view name) const;
    /// returns the string type, an array of strsize + 1 bytes
    const Type* string() const { return string_; }
    /// returns a string type with room for `size` bytes, including the NUL
    const Type* string_of(uint64_t size);
    const Type* stack() const { return stack_; }
    const Type* dynamic() const { return dynamic_; }
    /// Returns a pointer type. Its size is the program's pointer size, but pointers to scratch memory have 8 bytes.
    const Type* pointer_to(const Type* target, AddressSpace space = AddressSpace::Kernel);
    const Type* pointer_to(const Type* target, AddressSpace space, uint64_t size);
    DataModel model() const { return model_; }
    const Type* array_of(const Type* element, uint64_t count);

    /// Creates a struct, enum, typedef or function whose members the caller fills in.
    Type* make(TypeKind kind, std::string name = {});

    /// Returns the data that a type source stores in this table; null until the source sets it.
    std::unique_ptr<TypeSource::Imports>& imports_of(const TypeSource& source) { return imports_[&source]; }

private:
    std::map<const TypeSource*, std::unique_ptr<TypeSource::Imports>> imports_;
    std::deque<Type> types_;
    std::map<std::string, const Type*, std::less<>> named_;
    std::map<std::tuple<const Type*, AddressSpace, uint64_t>, const Type*> pointers_;
    std::map<std::pair<const Type*, uint64_t>, const Type*> arrays_;
    std::map<uint64_t, const Type*> strings_;
    DataModel model_;
    bool has_laid_out_string_ = false;
    const Type* void_ = nullptr;
    Type* string_ = nullptr;
    const Type* stack_ = nullptr;
    const Type* dynamic_ = nullptr;
    const Type* integers_[4][2] = {};
};

} // namespace dt
