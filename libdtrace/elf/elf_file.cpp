// Opens ELF files and walks their symbols and sections. Finds debug files as GDB does (its manual, "Debugging
// Information in Separate Files"). Also reads the "mini debug info" of Fedora and others: a small xz-compressed ELF
// file in a section of the stripped file.
#include "libdtrace/elf/elf_file.hpp"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <climits>
#include <utility>
#include <vector>

namespace dt {
namespace {

constexpr std::string_view kDebugFolder = "/usr/lib/debug";
constexpr std::size_t kMaxUnpacked = std::size_t{1} << 28; ///< limit of the unpacked size of mini debug info
constexpr uint64_t kMaxDecoderMemory = uint64_t{1} << 28;

/// Returns a section's raw bytes, or null if the section does not exist.
const Elf_Data* section_bytes(Elf* elf, std::string_view name)
{
    Elf_Scn* section = nullptr;
    const Elf_Data* const data = find_section(elf, name, &section) ? elf_rawdata(section, nullptr) : nullptr;
    return data && data->d_buf ? data : nullptr;
}

bool has_symbol_table(Elf* elf)
{
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
            return true;
    }
    return false;
}

/// Computes the checksum that .gnu_debuglink requires, reading from a descriptor. A sandboxed reader cannot reopen the
/// file as /proc/self/fd/N: the tracer opens files for it, and in the tracer, descriptor N is another file.
uint32_t checksum_of(int file)
{
    std::vector<unsigned char> block(1 << 16);
    uLong sum = crc32(0, nullptr, 0);
    off_t at = 0;
    for (ssize_t got; (got = pread(file, block.data(), block.size(), at)) > 0; at += got)
        sum = crc32(sum, block.data(), static_cast<uInt>(got));
    return static_cast<uint32_t>(sum);
}

/// Returns the prefix "/proc/PID/root" of a path into a process's file system; empty for other paths.
std::string root_of(const std::string& path)
{
    constexpr std::string_view kProc = "/proc/";
    const std::size_t end = path.starts_with(kProc) ? path.find('/', kProc.size()) : std::string::npos;
    return end == std::string::npos ? std::string() : path.substr(0, end) + "/root";
}

/// Returns the path of the folder that contains the file, without the prefix that root_of() returns.
std::string folder_of(const std::string& path)
{
    char target[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), target, sizeof target);
    std::string name = size > 0 ? std::string(target, static_cast<std::size_t>(size)) : path;
    if (const std::string root = root_of(path); !root.empty() && name.starts_with(root))
        name.erase(0, root.size());
    return name.substr(0, name.rfind('/'));
}

std::unique_ptr<ElfFile> open_by_build_id(Elf* elf, const std::string& root)
{
    const std::string id = build_id(elf);
    if (id.size() < 2)
        return nullptr;
    const std::string name = build_id_text(id);
    auto file = std::make_unique<ElfFile>(root + std::string(kDebugFolder) + "/.build-id/" + name.substr(0, 2) + "/" +
                                          name.substr(2) + ".debug");
    return file->get() && build_id(file->get()) == id ? std::move(file) : nullptr;
}

/// Opens the file that .gnu_debuglink names. The section consists of the file's name, zeros up to a multiple of four
/// bytes, and the file's checksum.
std::unique_ptr<ElfFile> open_by_link(Elf* elf, const std::string& root, const std::string& path)
{
    const Elf_Data* const section = section_bytes(elf, ".gnu_debuglink");
    if (!section)
        return nullptr;
    const std::string_view bytes(static_cast<const char*>(section->d_buf), section->d_size);
    const std::string name(bytes.substr(0, bytes.find('\0')));
    const std::size_t at = (name.size() + 4) / 4 * 4;
    uint32_t checksum = 0;
    if (name.empty() || name.find('/') != std::string::npos || at + sizeof checksum > bytes.size())
        return nullptr;
    std::memcpy(&checksum, bytes.data() + at, sizeof checksum);
    const std::string folder = folder_of(path);
    for (const std::string& place : {folder + "/", folder + "/.debug/", std::string(kDebugFolder) + folder + "/"}) {
        auto file = std::make_unique<ElfFile>(root + place + name);
        if (file->get() && checksum_of(file->descriptor()) == checksum)
            return file;
    }
    return nullptr;
}

std::vector<uint8_t> unpacked(const Elf_Data& packed)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, kMaxDecoderMemory, 0) != LZMA_OK)
        return {};
    stream.next_in = static_cast<const uint8_t*>(packed.d_buf);
    stream.avail_in = packed.d_size;
    std::vector<uint8_t> bytes;
    lzma_ret result = LZMA_OK;
    while (result == LZMA_OK && bytes.size() < kMaxUnpacked) {
        const std::size_t done = bytes.size();
        bytes.resize(std::max<std::size_t>(2 * done, 1 << 16));
        stream.next_out = bytes.data() + done;
        stream.avail_out = bytes.size() - done;
        result = lzma_code(&stream, LZMA_FINISH);
        bytes.resize(bytes.size() - stream.avail_out);
    }
    lzma_end(&stream);
    return result == LZMA_STREAM_END ? bytes : std::vector<uint8_t>();
}

void visit_carried(Elf* elf, const std::function<void(Elf*)>& visit)
{
    const Elf_Data* const section = section_bytes(elf, ".gnu_debugdata");
    if (!section)
        return;
    std::vector<uint8_t> bytes = unpacked(*section);
    Elf* const carried = bytes.empty() ? nullptr : elf_memory(reinterpret_cast<char*>(bytes.data()), bytes.size());
    if (carried && elf_kind(carried) == ELF_K_ELF)
        visit(carried);
    elf_end(carried);
}

} // namespace

std::string build_id_text(std::string_view bytes)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        text += kDigits[static_cast<unsigned char>(byte) >> 4];
        text += kDigits[static_cast<unsigned char>(byte) & 15];
    }
    return text;
}

std::string build_id(Elf* elf)
{
    std::size_t headers = 0;
    elf_getphdrnum(elf, &headers);
    for (std::size_t i = 0; i < headers; ++i) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf, static_cast<int>(i), &segment) || segment.p_type != PT_NOTE)
            continue;
        Elf_Data* data = elf_getdata_rawchunk(elf, static_cast<int64_t>(segment.p_offset), segment.p_filesz,
                                              segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
        GElf_Nhdr note;
        std::size_t name = 0, text = 0;
        for (std::size_t at = 0; data && (at = gelf_getnote(data, at, &note, &name, &text)) > 0;) {
            const char* bytes = static_cast<const char*>(data->d_buf);
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
                std::string_view(bytes + name, 3) == "GNU")
                return std::string(bytes + text, note.n_descsz);
        }
    }
    return {};
}

std::unique_ptr<ElfFile> open_debug_file(Elf* elf, const std::string& path)
{
    const std::string root = root_of(path);
    auto file = open_by_build_id(elf, root);
    if (!file && !root.empty())
        file = open_by_build_id(elf, "");
    return file ? std::move(file) : open_by_link(elf, root, path);
}

void visit_stripped_symbols(Elf* elf, const std::string& path, const std::function<void(Elf*)>& visit)
{
    if (has_symbol_table(elf))
        return;
    if (const auto file = open_debug_file(elf, path))
        visit(file->get());
    else
        visit_carried(elf, visit);
}

} // namespace dt
