// The one type graph: D's own types, the kernel's (BTF, CTF) and a program's declarations all become these nodes.
//
// Types are immutable once complete and owned by a TypeTable; pointers to them are compared after resolve(). A struct
// that came from a type source is completed the first time somebody asks for its members, so importing `struct
// task_struct *` costs one node.
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
    SymAddr,     // _symaddr
    UserSymAddr, // _usymaddr
    Dynamic,     // aggregations, associative arrays without subscript, translated objects
};

/// Which memory a pointer's target is in; decides the read helper and what may be written.
enum class AddressSpace : uint8_t { Kernel, User, Scratch };

/// Sizes of `long` and of pointers: 8 and 8 bytes, or 4 and 4.
enum class DataModel : uint8_t { Lp64, Ilp32 };

class Type;

struct Member {
    std::string name; ///< empty for an anonymous struct or union member
    const Type* type = nullptr;
    uint64_t bit_offset = 0;
    uint32_t bit_size = 0; ///< 0 unless a bit-field
};

struct Enumerator {
    std::string name;
    int64_t value = 0;
};

class Type {
public:
    TypeKind kind = TypeKind::Void;
    std::string name;       ///< integer/typedef name, or the tag; may be empty
    uint64_t size = 0;      ///< bytes; 0 for void, functions and incomplete types
    bool is_signed = false; ///< Integer, Enum
    bool is_char =
        false; ///< Integer: plain or explicitly signed char: arrays of it and pointers to it are string-compatible
    bool incomplete = false;                   ///< Struct/Union/Enum known only by tag
    bool is_user_defined = false;              ///< declared by the D program
    AddressSpace space = AddressSpace::Kernel; ///< Pointer
    const Type* target = nullptr;              ///< Pointer, Array, Typedef, Function result
    uint64_t count = 0;                        ///< Array elements
    std::vector<const Type*> parameters;       ///< Function
    std::vector<std::string> parameter_names;  ///< likewise; empty where its source has none
    bool variadic = false;

    const std::vector<Member>& members() const;         ///< Struct, Union; completes the type
    const std::vector<Enumerator>& enumerators() const; ///< Enum

    /// Completes lazily: called once, fills the two vectors.
    std::function<void(std::vector<Member>&, std::vector<Enumerator>&)> complete;

    /// Of an incomplete type: looks for its definition where the type came from, which alone may say what it is; null:
    /// there is no such place, and a type of that name is meant. It gives null when there is no definition.
    std::function<const Type*()> definition;

    /// Strips typedefs.
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

/// How a type prints in messages and -lv: "unsigned long", "struct task_struct *", "char [4]", "userland char *".
std::string to_string(const Type* type);

/// `Variable`, `Function`: not the name of a type but of a global variable or a function, whose type is wanted.
enum class TypeNamespace : uint8_t { Ordinary, Struct, Union, Enum, Variable, Function };

class TypeTable;

/// Where named types come from besides the program: BTF, CTF, a test's frozen World. One source serves any number of
/// tables, and must outlive them.
class TypeSource {
public:
    virtual ~TypeSource() = default;

    /// What a source has made in a table: the table owns it.
    class Imports {
    public:
        virtual ~Imports() = default;
    };

    /// Imports the named type of `module` (empty: any, core kernel first) into `table`; null when there is none.
    virtual const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) = 0;
    /// Why the types of a module that has some cannot be read; empty when nothing is wrong.
    virtual std::string problem(std::string_view) { return {}; }
};

/// Owns types. Building pointer, array and qualified types twice gives the same node.
class TypeTable {
public:
    /// `model` is that of the D program; types that come from elsewhere bring their own sizes.
    explicit TypeTable(uint64_t strsize = 256, DataModel model = DataModel::Lp64);
    /// Before any statement is checked: #pragma D option strsize. False when a struct or array already counts on
    /// another size.
    bool set_strsize(uint64_t strsize);
    void lay_out(const Type* type)
    {
        has_laid_out_string_ |= type->resolve() == string_;
    } ///< a type of this size is part of another

    const Type* void_type() const { return void_; }
    const Type* integer(unsigned bytes, bool is_signed) const; ///< unnamed-width C type: char, short, int, long
    const Type* named(std::string_view name) const;            ///< intrinsic or predefined typedef, or null
    const Type* string() const { return string_; }             ///< size = strsize + 1
    const Type* string_of(uint64_t size);                      ///< a string known to fit `size` bytes with its NUL
    const Type* stack() const { return stack_; }
    const Type* dynamic() const { return dynamic_; }
    const Type* pointer_to(
        const Type* target,
        AddressSpace space = AddressSpace::Kernel); ///< of the program's own size; scratch pointers have 8 bytes in any
    const Type* pointer_to(const Type* target, AddressSpace space, uint64_t size);
    DataModel model() const { return model_; }
    const Type* array_of(const Type* element, uint64_t count);

    /// A fresh node to fill in: structs, enums, typedefs, functions.
    Type* make(TypeKind kind, std::string name = {});

    /// What a source keeps here; null until the source puts it there.
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
