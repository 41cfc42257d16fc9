// Writes BTF with libbpf's writer.
//
// libbpf reads the sizes of maps and of variables from BTF. If the kernel refuses a program, its log contains the D
// lines of the instructions, which BTF contains too. libbpf's linker compares the prototypes of called functions of
// bpf-runtime with those in their own object, so prototypes are copied from that object if possible.
#include "dcompiler/ebpf/btf.hpp"

#include <bpf/btf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace dt::ebpf {
namespace {

struct ExtHeader {
    uint16_t magic = BTF_MAGIC;
    uint8_t version = BTF_VERSION;
    uint8_t flags = 0;
    uint32_t header_size = sizeof(ExtHeader);
    uint32_t func_info_off = 0, func_info_len = 0;
    uint32_t line_info_off = 0, line_info_len = 0;
};

constexpr uint32_t kLastColumn = 1023; // largest column: line_info.line_col has 10 bits for it

struct MapMember {
    const char* name;
    uint32_t value;
};

bool has_typed_key(const ir::Map& map)
{
    return map.type == BPF_MAP_TYPE_TASK_STORAGE;
}

std::vector<MapMember> map_members(const ir::Map& map)
{
    std::vector<MapMember> members{{"type", map.type}};
    if (!has_typed_key(map)) {
        members.push_back({"key_size", map.key_size});
        members.push_back({"value_size", map.value_size});
    }
    if (!has_typed_key(map))
        members.push_back({"max_entries", map.max_entries});
    if (map.flags != 0)
        members.push_back({"map_flags", map.flags});
    return members;
}

/// Returns where the source line of a position begins and ends in the text.
std::pair<std::size_t, std::size_t> line_bounds(const Span& at)
{
    if (!at.source || at.offset > at.source->text.size())
        return {0, 0};
    const std::string& text = at.source->text;
    const std::size_t before = at.offset == 0 ? std::string::npos : text.rfind('\n', at.offset - 1);
    return {before == std::string::npos ? 0 : before + 1, std::min(text.find('\n', at.offset), text.size())};
}

class Writer {
public:
    explicit Writer(const BtfInput& input) : input_(input), btf_(btf__new_empty(), btf__free) {}

    Result<BtfSections> run()
    {
        if (!btf_)
            return Error{std::string("cannot make BTF: ") + std::strerror(errno), errno};
        base_types();
        functions();
        for (const std::string& name : input_.runtime)
            extern_function(name);
        if (input_.maps)
            maps(*input_.maps);
        for (const PlacedData& section : input_.data)
            data(section);
        BtfSections result;
        result.ext = ext();
        uint32_t size = 0;
        const void* raw = btf__raw_data(btf_.get(), &size);
        if (!raw || failed_ < 0)
            return Error{std::string("cannot write BTF: ") + std::strerror(raw ? -failed_ : errno),
                         raw ? -failed_ : errno};
        result.btf.assign(static_cast<const uint8_t*>(raw), static_cast<const uint8_t*>(raw) + size);
        return result;
    }

private:
    /// libbpf returns a BTF id, or a negative errno. Returns the value unchanged, and records the first failure.
    uint32_t ok(int id)
    {
        if (id < 0 && failed_ == 0)
            failed_ = id;
        return id < 0 ? 0 : static_cast<uint32_t>(id);
    }

    void base_types()
    {
        int_ = ok(btf__add_int(btf_.get(), "int", 4, BTF_INT_SIGNED));
        byte_ = ok(btf__add_int(btf_.get(), "unsigned char", 1, 0));
        long_ = ok(btf__add_int(btf_.get(), "unsigned long long", 8, 0));
        void_ptr_ = ok(btf__add_ptr(btf_.get(), 0));
        int_ptr_ = ok(btf__add_ptr(btf_.get(), static_cast<int>(int_)));
    }

    uint32_t prototype(uint32_t result, uint32_t params, uint32_t param)
    {
        const uint32_t id = ok(btf__add_func_proto(btf_.get(), static_cast<int>(result)));
        for (uint32_t i = 0; i < params; ++i)
            ok(btf__add_func_param(btf_.get(), ("a" + std::to_string(i)).c_str(), static_cast<int>(param)));
        return id;
    }

    void functions()
    {
        for (const PlacedSection& section : input_.code)
            for (const PlacedCode& placed : section.functions) {
                const bool program = !placed.function->section.empty();
                const bool apart = placed.function->verified_separately;
                const uint32_t type = program ? prototype(int_, 1, void_ptr_)
                                      : apart && !placed.function->context_type.empty()
                                          ? separate_prototype(*placed.function)
                                          : prototype(long_, placed.function->params, long_);
                const uint32_t id =
                    ok(btf__add_func(btf_.get(), placed.function->name.c_str(),
                                     program || apart ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC, static_cast<int>(type)));
                functions_[placed.function] = id;
                if (apart && placed.function->context_type == ir::kTaggedContext)
                    ok(btf__add_decl_tag(btf_.get(), std::string(ir::kTaggedContext).c_str(), static_cast<int>(id), 0));
            }
    }

    /// Returns the prototype of a function that the verifier checks separately. In BTF, the name of the type identifies
    /// the context, and the size identifies memory. If the kernel's context type is void, an unnamed struct is used,
    /// because the kernel compares names in this case too.
    uint32_t separate_prototype(const ir::Function& function)
    {
        const std::string name = function.context_type == "void" ? "" : function.context_type;
        std::vector<uint32_t> types{void_ptr_};
        if (name != ir::kTaggedContext)
            types = {ok(btf__add_ptr(btf_.get(), static_cast<int>(ok(btf__add_struct(btf_.get(), name.c_str(), 8)))))};
        for (uint32_t i = 1; i < function.params; ++i)
            types.push_back(ok(btf__add_ptr(btf_.get(), static_cast<int>(bytes_type(function.param_region[i])))));
        const uint32_t id = ok(btf__add_func_proto(btf_.get(), static_cast<int>(long_)));
        for (std::size_t i = 0; i < types.size(); ++i)
            ok(btf__add_func_param(btf_.get(), ("a" + std::to_string(i)).c_str(), static_cast<int>(types[i])));
        return id;
    }

    /// Copies type `id` from another BTF, as far as the linker compares types: for structures that is only the name.
    uint32_t copy(const struct btf* from, uint32_t id)
    {
        const btf_type* type = btf__type_by_id(from, id);
        while (type && (btf_is_mod(type) || btf_is_typedef(type))) {
            id = type->type;
            type = btf__type_by_id(from, id);
        }
        if (!type || id == 0)
            return 0;
        const char* name = btf__name_by_offset(from, type->name_off);
        if (btf_is_int(type))
            return ok(btf__add_int(btf_.get(), name, type->size, btf_int_encoding(type)));
        if (btf_is_ptr(type)) {
            const uint32_t to = copy(from, type->type);
            return ok(btf__add_ptr(btf_.get(), static_cast<int>(to)));
        }
        if (btf_is_composite(type) || btf_is_fwd(type)) {
            const bool is_union = btf_is_union(type) || (btf_is_fwd(type) && btf_kflag(type));
            return ok(btf__add_fwd(btf_.get(), name, is_union ? BTF_FWD_UNION : BTF_FWD_STRUCT));
        }
        if (btf_is_any_enum(type))
            return ok(btf__add_enum(btf_.get(), name, type->size));
        if (btf_is_func_proto(type))
            return ok(btf__add_func_proto(btf_.get(), 0));
        return long_;
    }

    void extern_function(const std::string& name)
    {
        const auto known = input_.prototypes.find(name);
        uint32_t type = 0;
        if (known == input_.prototypes.end()) {
            type = prototype(long_, parameters_of(name), long_);
        } else {
            const struct btf* from = known->second.btf;
            const btf_type* proto = btf__type_by_id(from, btf__type_by_id(from, known->second.function)->type);
            std::vector<uint32_t> params;
            const uint32_t result = copy(from, proto->type);
            for (int i = 0; i < btf_vlen(proto); ++i)
                params.push_back(copy(from, btf_params(proto)[i].type));
            type = ok(btf__add_func_proto(btf_.get(), static_cast<int>(result)));
            for (std::size_t i = 0; i < params.size(); ++i)
                ok(btf__add_func_param(btf_.get(), ("a" + std::to_string(i)).c_str(), static_cast<int>(params[i])));
        }
        ok(btf__add_func(btf_.get(), name.c_str(), BTF_FUNC_EXTERN, static_cast<int>(type)));
    }

    uint32_t parameters_of(const std::string& name) const
    {
        for (const ir::Function& function : input_.module->functions)
            for (const ir::Instr& instr : function.instrs)
                if (instr.op == ir::Op::CallRuntime && instr.name == name)
                    return static_cast<uint32_t>(instr.args.size());
        return 0;
    }

    /// Makes the type `int (*member)[value]`, by which libbpf encodes the number `value` in a map definition.
    uint32_t number_type(uint32_t value)
    {
        const uint32_t array = ok(btf__add_array(btf_.get(), static_cast<int>(int_), static_cast<int>(int_), value));
        return ok(btf__add_ptr(btf_.get(), static_cast<int>(array)));
    }

    uint32_t bytes_type(uint32_t size)
    {
        return ok(btf__add_array(btf_.get(), static_cast<int>(int_), static_cast<int>(byte_), size));
    }

    uint32_t map_type(const ir::Map& map)
    {
        std::vector<std::pair<const char*, uint32_t>> members;
        for (const MapMember& member : map_members(map))
            members.push_back({member.name, number_type(member.value)});
        if (has_typed_key(map)) {
            members.push_back({"key", int_ptr_});
            members.push_back({"value", ok(btf__add_ptr(btf_.get(), static_cast<int>(bytes_type(map.value_size))))});
        }
        const uint32_t id = ok(btf__add_struct(btf_.get(), "", map_definition_size(map)));
        uint32_t offset = 0;
        for (const auto& [name, type] : members) {
            ok(btf__add_field(btf_.get(), name, static_cast<int>(type), offset, 0));
            offset += 64;
        }
        return id;
    }

    void section_type(const PlacedData& section, const std::vector<uint32_t>& variables)
    {
        ok(btf__add_datasec(btf_.get(), section.name.c_str(), section.size));
        for (std::size_t i = 0; i < variables.size(); ++i)
            ok(btf__add_datasec_var_info(btf_.get(), static_cast<int>(variables[i]), section.variables[i].offset,
                                         section.variables[i].size));
    }

    void maps(const PlacedData& section)
    {
        std::vector<uint32_t> variables;
        for (const PlacedVariable& placed : section.variables) {
            const ir::Map& map = input_.module->maps[placed.index];
            const uint32_t type = map_type(map);
            variables.push_back(
                ok(btf__add_var(btf_.get(), map.name.c_str(), BTF_VAR_GLOBAL_ALLOCATED, static_cast<int>(type))));
        }
        section_type(section, variables);
    }

    void data(const PlacedData& section)
    {
        std::vector<uint32_t> variables;
        for (const PlacedVariable& placed : section.variables) {
            const uint32_t type = bytes_type(placed.size);
            const int linkage = section.is_global(placed) ? BTF_VAR_GLOBAL_ALLOCATED : BTF_VAR_STATIC;
            variables.push_back(ok(btf__add_var(btf_.get(), input_.module->data[placed.index].name.c_str(), linkage,
                                                static_cast<int>(type))));
        }
        section_type(section, variables);
    }

    // ---- functions and source lines: section .BTF.ext -------------------------------------------------------------

    uint32_t text(const std::string& string) { return ok(btf__add_str(btf_.get(), string.c_str())); }

    /// Returns the BTF string for the source line of a span. The last string is cached, because the function is called
    /// for each instruction, and one line may contain thousands of statements.
    uint32_t line_text(const Span& at)
    {
        if (at.source && at.source == line_.source && line_.begin <= at.offset && at.offset < line_.end)
            return line_.name;
        const auto [begin, end] = line_bounds(at);
        line_ = {at.source, begin, end, text(line_text_of(at))};
        return line_.name;
    }

    static void put(std::vector<uint8_t>& out, std::initializer_list<uint32_t> words)
    {
        for (uint32_t word : words) {
            uint8_t bytes[4];
            std::memcpy(bytes, &word, 4);
            out.insert(out.end(), bytes, bytes + 4);
        }
    }

    void func_info(std::vector<uint8_t>& out)
    {
        put(out, {sizeof(bpf_func_info)});
        for (const PlacedSection& section : input_.code) {
            put(out, {text(section.name), static_cast<uint32_t>(section.functions.size())});
            for (const PlacedCode& placed : section.functions)
                put(out, {placed.offset, functions_[placed.function]});
        }
    }

    void line_info(std::vector<uint8_t>& out)
    {
        put(out, {sizeof(bpf_line_info)});
        for (const PlacedSection& section : input_.code) {
            uint32_t count = 0;
            for (const PlacedCode& placed : section.functions)
                count += static_cast<uint32_t>(placed.code->lines.size());
            put(out, {text(section.name), count});
            for (const PlacedCode& placed : section.functions)
                for (const Line& line : placed.code->lines)
                    put(out,
                        {placed.offset + line.insn * static_cast<uint32_t>(sizeof(bpf_insn)), text(file_of(line.at)),
                         line_text(line.at), line.at.line << 10 | std::min(line.at.column, kLastColumn)});
        }
    }

    std::vector<uint8_t> ext()
    {
        std::vector<uint8_t> funcs, lines;
        if (!input_.code.empty()) {
            func_info(funcs);
            line_info(lines);
        }
        ExtHeader header;
        header.func_info_len = static_cast<uint32_t>(funcs.size());
        header.line_info_off = header.func_info_len;
        header.line_info_len = static_cast<uint32_t>(lines.size());
        std::vector<uint8_t> out(sizeof header);
        std::memcpy(out.data(), &header, sizeof header);
        out.insert(out.end(), funcs.begin(), funcs.end());
        out.insert(out.end(), lines.begin(), lines.end());
        return out;
    }

    const BtfInput& input_;
    std::unique_ptr<struct btf, void (*)(struct btf*)> btf_;
    std::unordered_map<const ir::Function*, uint32_t> functions_;
    struct {
        const Source* source = nullptr;
        std::size_t begin = 0, end = 0; // where the source line begins and ends in the text
        uint32_t name = 0;
    } line_; // source line of the last lookup
    uint32_t int_ = 0, byte_ = 0, long_ = 0, void_ptr_ = 0, int_ptr_ = 0;
    int failed_ = 0;
};

} // namespace

uint32_t map_definition_size(const ir::Map& map)
{
    return 8 * static_cast<uint32_t>(map_members(map).size() + (has_typed_key(map) ? 2 : 0));
}

std::string file_of(const Span& at)
{
    if (at.file)
        return *at.file;
    if (at.source && at.source->kind != Source::Kind::CommandLine)
        return at.source->name;
    return "<command line>";
}

std::string line_text_of(const Span& at)
{
    constexpr std::size_t kMax = 160;
    constexpr std::string_view blanks = " \t\r";
    const auto [begin, end] = line_bounds(at);
    if (begin == end)
        return {};
    std::string_view line = std::string_view(at.source->text).substr(begin, end - begin);
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    line = line.substr(0, kMax);
    return std::string(line.substr(0, line.find_last_not_of(blanks) + 1));
}

Result<BtfSections> make_btf(const BtfInput& input)
{
    return Writer(input).run();
}

} // namespace dt::ebpf
