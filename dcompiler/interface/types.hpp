// The type graph. Its nodes are D's own types, the kernel's types (BTF, CTF), and the types that a program declares.
//
// Types are immutable once complete and owned by a TypeTable. Two types are equal if resolve() returns the same pointer
// for both. A struct from BTF or CTF gets its members on first access, so `struct task_struct *` does not import the
// members.
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
    String,      // D string of at most `size` - 1 characters and a NUL
    Stack,       // stack as a D value: dt_stack_t, result of stack() or ustack()
    SymAddr,     // address of a kernel symbol (_symaddr)
    UserSymAddr, // address of a user symbol (_usymaddr)
    Dynamic,     // type without a value: aggregation, associative array without subscript, translated object
};

/// Memory to which a pointer points. It determines the BPF helper that reads the target, and whether clauses may write
/// it.
enum class AddressSpace : uint8_t { Kernel, User, Scratch };

/// Data model: the sizes of `long` and of pointers are 8 and 8 bytes, or 4 and 4.
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
    std::string name;       ///< name of an integer type or typedef, or a tag; may be empty
    uint64_t size = 0;      ///< size in bytes; 0 for void, functions and incomplete types
    bool is_signed = false; ///< for Integer and Enum: whether it is signed
    /// For Integer: whether the type is char or signed char. Arrays of such types, and pointers to them, can be used as
    /// strings.
    bool is_char = false;
    bool incomplete = false;                   ///< for Struct, Union, Enum: whether only the tag is known
    bool is_user_defined = false;              ///< whether the D program declares the type
    AddressSpace space = AddressSpace::Kernel; ///< for Pointer: the memory that contains the target
    const Type* target = nullptr; ///< for Pointer, Array and Typedef: the target; for Function: type of the result
    uint64_t count = 0;           ///< for Array: number of elements
    /// For Function: types of the parameters. For Struct and Union: type arguments of the generic type or template;
    /// known as soon as the members are.
    std::vector<const Type*> parameters;
    std::vector<std::string> parameter_names; ///< for Function: names of the parameters; empty if unknown
    bool variadic = false;

    /// members of a Struct or Union; the first call completes the type
    const std::vector<Member>& members() const;
    const std::vector<Enumerator>& enumerators() const; ///< for Enum: the enumerators

    /// Callback that adds the members or enumerators of a type; called once, when they are first accessed.
    std::function<void(std::vector<Member>&, std::vector<Enumerator>&)> complete;

    /// For an incomplete type: function that looks for the definition where the type came from, and returns null if
    /// none exists. If this function is empty, a type of the same name is used as the definition.
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

/// A member that is a number or a pointer, possibly inside nested structures.
struct NumberAt {
    uint64_t offset = 0;
    uint8_t size = 0;
};

/// Returns the numbers and pointers in a type, also those in nested structures and arrays, ordered by offset. If there
/// are more than `limit`, returns `limit` + 1 of them.
std::vector<NumberAt> numbers_of(const Type* type, std::size_t limit);

/// Kind of the name to look up. For `Variable` and `Function`, the name is a global variable or function whose type is
/// requested.
enum class TypeNamespace : uint8_t { Ordinary, Struct, Union, Enum, Variable, Function };

class TypeTable;

/// Interface of type sources outside of the program: BTF, CTF, or the table of a unit test. One source can serve
/// several TypeTables and must outlive them.
class TypeSource {
public:
    virtual ~TypeSource() = default;

    /// Data of a type source about the types that it has created in a table. The table owns the data.
    class Imports {
    public:
        virtual ~Imports() = default;
    };

    /// Imports the named type of `module` into `table`. An empty module means any module, core kernel first. Returns
    /// null if it does not exist.
    virtual const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) = 0;
    /// Returns the reason why a module's types cannot be read although the module has types, or an empty string.
    virtual std::string problem(std::string_view) { return {}; }
};

/// Owner of types. Requesting the same pointer, array or qualified type twice gives the same object.
class TypeTable {
public:
    /// `model` is the D program's data model. Types of the kernel and of processes keep their own sizes.
    explicit TypeTable(uint64_t strsize = 256, DataModel model = DataModel::Lp64);
    /// Sets the size of strings (#pragma D option strsize) before any statement is checked. Returns false if a struct
    /// or array already contains strings of another size.
    bool set_strsize(uint64_t strsize);
    void lay_out(const Type* type)
    {
        has_laid_out_string_ |= type->resolve() == string_;
    } ///< sets a flag if another type now contains the type string, whose size can then not change any more

    const Type* void_type() const { return void_; }
    /// returns the signed or unsigned C type of this size: char, short, int, long
    const Type* integer(unsigned bytes, bool is_signed) const;
    /// returns a basic C type or a predefined typedef, or null
    const Type* named(std::string_view name) const;
    /// returns the string type, an array of strsize + 1 bytes
    const Type* string() const { return string_; }
    /// returns a string type with room for `size` bytes, including the NUL
    const Type* string_of(uint64_t size);
    const Type* stack() const { return stack_; }
    const Type* dynamic() const { return dynamic_; }
    /// Returns a pointer type. Its size is that of the program's pointers, except that pointers to scratch memory
    /// always have 8 bytes.
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
