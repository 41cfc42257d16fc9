// Nodes of the type graph for types of a BTF file.
#pragma once

#include <unordered_map>

#include "dcompiler/sema/types.hpp"
#include "probes/btf_file.hpp"

namespace dt {

/// Makes type nodes of one file's types in one table, each once. A module's file goes on from the core kernel's, whose
/// types are `base`'s to make. Structs get their members when somebody asks for them, so the file must outlive the
/// table, and the importer live as long.
class BtfImporter {
public:
    BtfImporter(probes::BtfFile& file, TypeTable& table, BtfImporter* base) : file_(file), table_(table), base_(base) {}

    /// Void for what is not there, or never comes to an end.
    const Type* import(uint32_t id);

    /// A function without the first of its parameters; null when it is no function or has none.
    const Type* import_without_first_parameter(uint32_t id);

private:
    std::string name(uint32_t offset) const { return std::string(file_.name(offset)); }
    const Type* make(uint32_t id, const btf_type* type);
    const Type* make_number(const btf_type* type);
    const Type* make_pointer(const btf_type* type);
    const Type* make_record(uint32_t id, const btf_type* type);
    const Type* make_enum(uint32_t id, const btf_type* type);
    const Type* make_function(uint32_t id, const btf_type* type);

    probes::BtfFile& file_;
    TypeTable& table_;
    BtfImporter* base_;
    std::unordered_map<uint32_t, const Type*> nodes_, shortened_;
    unsigned depth_ = 0;
};

} // namespace dt
