// Reads code by BPF_OBJ_GET_INFO_BY_FD: the first call returns the sizes, the second one the contents
// (include/uapi/linux/bpf.h, struct bpf_prog_info).
#include "libdtrace/annotate/program_code.hpp"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace dt {
namespace {

/// The kernel's data about a program's machine code.
struct CodeInfo {
    std::vector<uint8_t> bytes; ///< machine code of all functions, one after the other
    std::vector<uint64_t> addresses;
    std::vector<uint32_t> sizes;
    std::vector<bpf_func_info> functions;
    std::vector<bpf_line_info> lines;
    std::vector<uint64_t> line_addresses;
};

/// The kernel's data about a program's verified instructions.
struct VerifiedInfo {
    std::vector<bpf_insn> insns; ///< instructions of all functions, one after the other
    std::vector<bpf_func_info> functions;
    std::vector<bpf_line_info> lines;
};

Error cannot_read()
{
    return {std::string("cannot read the loaded BPF programs: ") + std::strerror(errno), errno};
}

template <typename Element> uint64_t ask_for(std::vector<Element>& wanted, uint32_t count)
{
    wanted.resize(count);
    return reinterpret_cast<uint64_t>(wanted.data());
}

template <typename Info> void ask_for_places(bpf_prog_info& info, const bpf_prog_info& size, Info& wanted)
{
    info.nr_func_info = size.nr_func_info;
    info.func_info_rec_size = sizeof(bpf_func_info);
    info.func_info = ask_for(wanted.functions, size.nr_func_info);
    info.nr_line_info = size.nr_line_info;
    info.line_info_rec_size = sizeof(bpf_line_info);
    info.line_info = ask_for(wanted.lines, size.nr_line_info);
}

bool ask(int program, bpf_prog_info& info)
{
    uint32_t bytes = sizeof info;
    return bpf_obj_get_info_by_fd(program, &info, &bytes) == 0;
}

Result<CodeInfo> read_info(int program)
{
    bpf_prog_info size{};
    if (!ask(program, size))
        return cannot_read();
    if (size.jited_prog_len == 0)
        return Error{
            "the kernel interprets BPF programs and does not compile them (set /proc/sys/net/core/bpf_jit_enable to 1)",
            ENOENT};
    CodeInfo code;
    bpf_prog_info info{};
    info.jited_prog_len = size.jited_prog_len;
    info.jited_prog_insns = ask_for(code.bytes, size.jited_prog_len);
    info.nr_jited_ksyms = size.nr_jited_ksyms;
    info.jited_ksyms = ask_for(code.addresses, size.nr_jited_ksyms);
    info.nr_jited_func_lens = size.nr_jited_func_lens;
    info.jited_func_lens = ask_for(code.sizes, size.nr_jited_func_lens);
    ask_for_places(info, size, code);
    info.nr_jited_line_info = size.nr_jited_line_info;
    info.jited_line_info_rec_size = sizeof(uint64_t);
    info.jited_line_info = ask_for(code.line_addresses, size.nr_jited_line_info);
    if (!ask(program, info))
        return cannot_read();
    if (info.jited_prog_insns == 0 || info.jited_ksyms == 0 || code.addresses.empty() || code.addresses[0] == 0)
        return Error{"the kernel hides its addresses (CAP_SYSLOG is needed, and kernel.kptr_restrict below 2)", EPERM};
    return code;
}

Result<VerifiedInfo> read_verified_info(int program)
{
    bpf_prog_info size{}, info{};
    if (!ask(program, size))
        return cannot_read();
    VerifiedInfo code;
    info.xlated_prog_len = size.xlated_prog_len;
    info.xlated_prog_insns = ask_for(code.insns, size.xlated_prog_len / sizeof(bpf_insn));
    ask_for_places(info, size, code);
    if (!ask(program, info))
        return cannot_read();
    if (info.xlated_prog_insns == 0 || code.insns.empty())
        return Error{"the kernel hides the instructions of BPF programs (see /proc/sys/net/core/bpf_jit_harden)",
                     EPERM};
    return code;
}

std::string text_at(const btf* types, uint32_t offset)
{
    const char* const text = btf__name_by_offset(types, offset);
    return text ? text : "";
}

std::string name_of_function(const btf* types, const std::vector<bpf_func_info>& functions, std::size_t index)
{
    const btf_type* const type = index < functions.size() ? btf__type_by_id(types, functions[index].type_id) : nullptr;
    return type ? text_at(types, type->name_off) : std::string();
}

CodeLine line_at(uint64_t address, const bpf_line_info& line, const btf* types)
{
    return {address, text_at(types, line.file_name_off), text_at(types, line.line_off),
            BPF_LINE_INFO_LINE_NUM(line.line_col), BPF_LINE_INFO_LINE_COL(line.line_col)};
}

ProgramCode code_of(const CodeInfo& info, const btf* types, const std::string& name)
{
    ProgramCode program{name, {}};
    std::size_t at = 0;
    for (std::size_t i = 0; i < std::min(info.addresses.size(), info.sizes.size()); ++i) {
        CodeFunction& function = program.functions.emplace_back();
        function.name = i == 0 ? name : name_of_function(types, info.functions, i);
        function.address = info.addresses[i];
        const std::size_t size = std::min<std::size_t>(info.sizes[i], info.bytes.size() - at);
        const auto first = info.bytes.begin() + static_cast<std::ptrdiff_t>(at);
        function.bytes.assign(first, first + static_cast<std::ptrdiff_t>(size));
        at += size;
        for (std::size_t line = 0; line < std::min(info.lines.size(), info.line_addresses.size()); ++line) {
            const uint64_t address = info.line_addresses[line];
            if (address >= function.address && address - function.address < size)
                function.lines.push_back(line_at(address, info.lines[line], types));
        }
        std::stable_sort(function.lines.begin(), function.lines.end(),
                         [](const CodeLine& a, const CodeLine& b) { return a.address < b.address; });
    }
    return program;
}

ProgramCode code_of(const VerifiedInfo& info, const btf* types, const std::string& name)
{
    ProgramCode program{name, {}};
    const auto* const bytes = reinterpret_cast<const uint8_t*>(info.insns.data());
    const std::size_t count = std::max<std::size_t>(info.functions.size(), 1);
    auto line = info.lines.begin();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t first = i == 0 ? 0 : info.functions[i].insn_off,
                          end = i + 1 < count ? info.functions[i + 1].insn_off : info.insns.size();
        CodeFunction& function = program.functions.emplace_back();
        function.name = i == 0 ? name : name_of_function(types, info.functions, i);
        function.address = first * sizeof(bpf_insn);
        function.bytes.assign(bytes + first * sizeof(bpf_insn), bytes + end * sizeof(bpf_insn));
        for (; line != info.lines.end() && line->insn_off < end; ++line)
            function.lines.push_back(line_at(line->insn_off * sizeof(bpf_insn), *line, types));
    }
    return program;
}

/// Calls `read` for each program of the object.
template <typename Read> Result<std::vector<ProgramCode>> read_programs(const bpf_object* object, Read read)
{
    std::vector<ProgramCode> programs;
    const btf* const types = bpf_object__btf(object);
    bpf_program* program = nullptr;
    bpf_object__for_each_program(program, object)
    {
        const int descriptor = bpf_program__fd(program);
        if (descriptor < 0)
            continue; // skips a program that libbpf did not load into the kernel, because it has no descriptor
        const auto info = read(descriptor);
        if (!info)
            return info.error();
        programs.push_back(code_of(info.value(), types, bpf_program__name(program)));
    }
    return programs;
}

} // namespace

Result<std::vector<ProgramCode>> read_program_code(const bpf_object* object)
{
    return read_programs(object, read_info);
}

Result<std::vector<ProgramCode>> read_verified_code(const bpf_object* object)
{
    return read_programs(object, read_verified_info);
}

} // namespace dt
