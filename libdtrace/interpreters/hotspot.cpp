// Finds and names Java frames in HotSpot of OpenJDK 11, 17, 21 and 25. For debuggers, libjvm.so contains tables that
// describe its structures (gHotSpotVM...): sizes of types, offsets of members, addresses of variables, and constants.
// In some builds, libjvm.so computes the offsets only when it is loaded, so they are read from the process's memory
// (RuntimeBuild::numbers).
//
// The tables do not describe the interpreter's frames and the formats of scopes and of line numbers. These are the same
// in all four versions, with one exception: from Java 20 on, the encoding of numbers contains no zero bytes.
#include <algorithm>
#include <limits>
#include <map>

#include "libdtrace/interpreters/runtime.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace hotspot {
namespace {

constexpr uint64_t kMissing = ~uint64_t{0};
constexpr std::size_t kMaxEntries = 16384;
constexpr uint64_t kMaxOffset = 4096;
constexpr int32_t kFirstVersion = 11, kFirstWithoutZeros = 20, kFirstWithVirtualThreads = 21;
// offset of Method::_constMethod: it follows the pointer to the virtual function table
constexpr uint64_t kNotAtEnd = 8;

/// Members of HotSpot's classes whose offset is needed. For static members, the address is needed instead.
enum Member {
    kHeaps,
    kInterpreter,
    kCallStub,
    kArrayData,
    kHeapMemory,
    kHeapSegments,
    kHeapBits,
    kSpaceLow,
    kSpaceHigh,
    kBlockUsed,
    kQueueStart,
    kQueueSize,
    kBlobName,
    kBlobComplete,
    kBlobFrame,
    kMethodConstant,
    kMethodAccess,
    kConstants,
    kConstantWords,
    kCodeSize,
    kNameIndex,
    kMethodNumber,
    kTags,
    kHolder,
    kClassName,
    kClassMethods,
    kMethodsData,
    kTextLength,
    kText,
    kOriginalPc,
    kPlaces,
    kAlwaysNeeded, // HotSpot's members before this one exist in all supported versions
    kConstantFlags = kAlwaysNeeded,
    kConstantFlagsObject,
    kSourceIndex,
    kSourceIndexInClass,
    kBlobCode,
    kCompiledMethod,
    kCompiledScopes,
    kCompiledDeoptimised,
    kCompiledDeoptimisedHandle,
    kPlacesEnd,
    kMetadata,
    kBlobKind,
    kBlobCodeOffset,
    kNmethodMethod,
    kImmutable,
    kScopesOffset,
    kDeoptimisedOffset,
    kDeoptimisedHandleOffset,
    kChanging,
    kRelocationSize,
    kMembers
};

struct MemberName {
    std::string_view type, name;
};

constexpr MemberName kNames[kMembers] = {
    {"CodeCache", "_heaps"},
    {"AbstractInterpreter", "_code"},
    {"StubRoutines", "_call_stub_return_address"},
    {"GrowableArray<int>", "_data"},
    {"CodeHeap", "_memory"},
    {"CodeHeap", "_segmap"},
    {"CodeHeap", "_log2_segment_size"},
    {"VirtualSpace", "_low"},
    {"VirtualSpace", "_high"},
    {"HeapBlock::Header", "_used"},
    {"StubQueue", "_stub_buffer"},
    {"StubQueue", "_buffer_limit"},
    {"CodeBlob", "_name"},
    {"CodeBlob", "_frame_complete_offset"},
    {"CodeBlob", "_frame_size"},
    {"Method", "_constMethod"},
    {"Method", "_access_flags"},
    {"ConstMethod", "_constants"},
    {"ConstMethod", "_constMethod_size"},
    {"ConstMethod", "_code_size"},
    {"ConstMethod", "_name_index"},
    {"ConstMethod", "_method_idnum"},
    {"ConstantPool", "_tags"},
    {"ConstantPool", "_pool_holder"},
    {"Klass", "_name"},
    {"InstanceKlass", "_methods"},
    {"Array<Method*>", "_data"},
    {"Symbol", "_length"},
    {"Symbol", "_body"},
    {"nmethod", "_orig_pc_offset"},
    {"nmethod", "_scopes_pcs_offset"},
    {"ConstMethod", "_flags"},
    {"ConstMethod", "_flags._flags"},
    {"ConstantPool", "_source_file_name_index"},
    {"InstanceKlass", "_source_file_name_index"},
    {"CodeBlob", "_code_begin"},
    {"CompiledMethod", "_method"},
    {"CompiledMethod", "_scopes_data_begin"},
    {"CompiledMethod", "_deopt_handler_begin"},
    {"CompiledMethod", "_deopt_mh_handler_begin"},
    {"nmethod", "_dependencies_offset"},
    {"nmethod", "_metadata_offset"},
    {"CodeBlob", "_kind"},
    {"CodeBlob", "_code_offset"},
    {"nmethod", "_method"},
    {"nmethod", "_immutable_data"},
    {"nmethod", "_scopes_data_offset"},
    {"nmethod", "_deopt_handler_offset"},
    {"nmethod", "_deopt_mh_handler_offset"},
    {"CodeBlob", "_mutable_data"},
    {"CodeBlob", "_relocation_size"},
};

/// Indexes in RuntimeBuild::facts of numbers that were read from libjvm.so.
enum Fact { kVersion, kBlockSize, kConstantsSize, kConstantSize, kHasLines, kKindOfMethod, kFacts };

/// Reads the gHotSpotVM... tables in libjvm.so. An entry whose first word is 0 ends a table.
class Tables {
public:
    explicit Tables(RuntimeImage& image) : image_(image) {}

    bool is_found() { return image_.symbol("gHotSpotVMStructs").has_value(); }

    /// Returns an address for each member: for a static member its own address, for others the address at which the
    /// table stores the member's offset. The address is 0 if the table does not contain the member.
    std::vector<uint64_t> members()
    {
        constexpr uint64_t kSize = 48, kName = 8, kIsStatic = 24, kOffset = 32, kAddress = 40;
        std::vector<uint64_t> found(kMembers);
        for_each("gHotSpotVMStructs", kSize, [&](const std::string& type, uint64_t at) {
            const std::string name = text(at + kName);
            for (std::size_t i = 0; i < kMembers; ++i)
                if (kNames[i].type == type && kNames[i].name == name)
                    found[i] = static_cast<uint32_t>(image_.number(at + kIsStatic).value_or(0)) != 0
                                   ? image_.pointer(at + kAddress).value_or(0)
                                   : at + kOffset;
        });
        return found;
    }

    /// Stores the sizes of HeapBlock, ConstantPool and ConstMethod in `facts`.
    void read_sizes(std::array<uint64_t, 8>& facts)
    {
        constexpr uint64_t kEntry = 40, kSize = 32;
        for_each("gHotSpotVMTypes", kEntry, [&](const std::string& type, uint64_t at) {
            const uint64_t size = image_.number(at + kSize).value_or(0);
            if (type == "HeapBlock")
                facts[kBlockSize] = size;
            else if (type == "ConstantPool")
                facts[kConstantsSize] = size;
            else if (type == "ConstMethod")
                facts[kConstantSize] = size;
        });
    }

    void read_constants(std::array<uint64_t, 8>& facts)
    {
        constexpr uint64_t kEntry = 16, kValue = 8;
        for_each("gHotSpotVMIntConstants", kEntry, [&](const std::string& name, uint64_t at) {
            const uint64_t value = static_cast<uint32_t>(image_.number(at + kValue).value_or(0));
            if (name.ends_with("_has_linenumber_table"))
                facts[kHasLines] = value;
            else if (name == "CodeBlobKind::Nmethod")
                facts[kKindOfMethod] = value;
        });
    }

    /// Returns the major version of Java, or 0 if it is unknown.
    int32_t version()
    {
        constexpr uint64_t kSize = 48, kName = 8, kAddress = 40;
        int32_t version = 0;
        for_each("gHotSpotVMStructs", kSize, [&](const std::string& type, uint64_t at) {
            if (type == "Abstract_VM_Version" && text(at + kName) == "_vm_major_version")
                version = static_cast<int32_t>(image_.number(image_.pointer(at + kAddress).value_or(0)).value_or(0));
        });
        return version;
    }

private:
    template <typename F> void for_each(std::string_view table, uint64_t size, const F& visit)
    {
        const auto symbol = image_.symbol(table);
        const auto start = symbol ? image_.pointer(symbol->address) : std::nullopt;
        for (std::size_t i = 0; start && i < kMaxEntries; ++i) {
            const std::string first = text(*start + i * size);
            if (first.empty())
                return;
            visit(first, *start + i * size);
        }
    }

    /// Returns the text to which the pointer at the address `at` points.
    std::string text(uint64_t at)
    {
        const auto pointer = image_.pointer(at);
        return pointer && *pointer != 0 ? image_.text(*pointer) : std::string();
    }

    RuntimeImage& image_;
};

std::optional<RuntimeBuild> recognise(RuntimeImage& image)
{
    Tables tables(image);
    if (!tables.is_found())
        return {};
    RuntimeBuild build;
    build.layout.flags = DT_BY_CODE_CACHE;
    build.numbers = tables.members();
    dt_code_cache_layout& layout = build.layout.cache;
    layout.heaps = build.numbers[kHeaps];
    layout.interpreter = build.numbers[kInterpreter];
    build.facts[kVersion] = static_cast<uint64_t>(tables.version());
    const bool has_virtual_threads = build.facts[kVersion] >= kFirstWithVirtualThreads;
    layout.call_stub = has_virtual_threads ? build.numbers[kCallStub] : 0;
    // kHeaps, kInterpreter and kCallStub are addresses of variables, not of offsets, so complete() must not read them
    build.numbers[kHeaps] = build.numbers[kInterpreter] = build.numbers[kCallStub] = 0;
    tables.read_sizes(build.facts);
    tables.read_constants(build.facts);
    std::size_t missing = layout.heaps == 0 ? kHeaps : layout.interpreter == 0 ? kInterpreter : kCallStub;
    if (layout.heaps != 0 && layout.interpreter != 0 && (layout.call_stub != 0 || !has_virtual_threads))
        for (missing = kArrayData; missing < kAlwaysNeeded && build.numbers[missing] != 0;)
            ++missing;
    // of the stack walks in BPF programs, only dt_unwind recognizes Java's compiled code
    if (machine::native().walker != std::string_view("dt_unwind"))
        build.problem = "dtrace does not support Java on this kind of machine";
    else if (build.facts[kVersion] < kFirstVersion)
        build.problem =
            "dtrace supports version 11 and later, and this is version " + std::to_string(build.facts[kVersion]);
    else if (missing < kAlwaysNeeded)
        build.problem = "its tables (gHotSpotVMStructs) have no " + std::string(kNames[missing].type) +
                        "::" + std::string(kNames[missing].name);
    else if (build.facts[kBlockSize] == 0 || build.facts[kConstantsSize] == 0 || build.facts[kConstantSize] == 0 ||
             build.facts[kHasLines] == 0)
        build.problem = "its tables have no sizes of its types";
    return build;
}

/// Offsets of members, as read from a process. The offset is kMissing if this version of Java does not have the member.
class Offsets {
public:
    Offsets(std::span<const uint64_t> values) : values_(values) {}

    bool has(Member member) const { return values_[member] != kMissing; }

    /// Copies the offset of `member` to `to`. If the offset is too large or not a multiple of `align`, problem()
    /// returns the member.
    void set(uint32_t& to, Member member, uint32_t align)
    {
        const uint64_t value = values_[member];
        if (value < kMaxOffset && value % align == 0)
            to = static_cast<uint32_t>(value);
        else
            problem_ = member;
    }

    void refuse(Member member) { problem_ = member; }
    Member problem() const { return problem_; }

private:
    std::span<const uint64_t> values_;
    Member problem_ = kMembers;
};

/// Sets the offsets of compiled methods for Java 24 and later, where tables of a compiled method are in separate
/// memory.
void set_new_blobs(Offsets& offsets, dt_code_cache_layout& layout)
{
    layout.flags |= DT_CACHE_OFFSETS | DT_CACHE_HAS_KINDS | DT_CACHE_SHORT_START;
    offsets.set(layout.code, kBlobCodeOffset, 4);
    offsets.set(layout.kind, kBlobKind, 1);
    offsets.set(layout.method, kNmethodMethod, 8);
    offsets.set(layout.deoptimised[0], kDeoptimisedOffset, 4);
    layout.deoptimised[1] = layout.deoptimised[0];
    if (offsets.has(kDeoptimisedHandleOffset))
        offsets.set(layout.deoptimised[1], kDeoptimisedHandleOffset, 4);
    offsets.set(layout.places_end, kScopesOffset, 4);
    offsets.set(layout.scopes, kScopesOffset, 4);
    offsets.set(layout.immutable, kImmutable, 8);
    offsets.set(layout.changing, kChanging, 8);
    offsets.set(layout.relocations, kRelocationSize, 4);
}

void set_old_blobs(Offsets& offsets, dt_code_cache_layout& layout)
{
    offsets.set(layout.code, kBlobCode, 8);
    offsets.set(layout.method, kCompiledMethod, 8);
    offsets.set(layout.deoptimised[0], kCompiledDeoptimised, 8);
    offsets.set(layout.deoptimised[1], kCompiledDeoptimisedHandle, 8);
    offsets.set(layout.places_end, kPlacesEnd, 4);
    offsets.set(layout.scopes, kCompiledScopes, 8);
    offsets.set(layout.metadata, kMetadata, 4);
}

void set_heaps(Offsets& offsets, dt_code_cache_layout& layout)
{
    uint32_t low = 0, high = 0;
    offsets.set(low, kSpaceLow, 8);
    offsets.set(high, kSpaceHigh, 8);
    offsets.set(layout.array_data, kArrayData, 8);
    offsets.set(layout.heap_memory, kHeapMemory, 8);
    offsets.set(layout.heap_segments, kHeapSegments, 8);
    offsets.set(layout.heap_bits, kHeapBits, 4);
    layout.heap_memory += low;
    layout.heap_segments += low;
    if (high != low + 8) // the BPF program reads low and high at once, so these members must be adjacent
        offsets.refuse(kSpaceHigh);
    offsets.set(layout.block_used, kBlockUsed, 1);
    offsets.set(layout.queue_start, kQueueStart, 8);
    offsets.set(layout.queue_size, kQueueSize, 4);
}

void set_methods(Offsets& offsets, dt_code_cache_layout& layout)
{
    offsets.set(layout.constant, kMethodConstant, 8);
    offsets.set(layout.access, kMethodAccess, 2);
    offsets.set(layout.constants, kConstants, 8);
    offsets.set(layout.constant_words, kConstantWords, 4);
    offsets.set(layout.code_size, kCodeSize, 2);
    offsets.set(layout.name_index, kNameIndex, 2);
    offsets.set(layout.number, kMethodNumber, 2);
    offsets.set(layout.constant_flags, offsets.has(kConstantFlags) ? kConstantFlags : kConstantFlagsObject, 2);
    offsets.set(layout.tags, kTags, 8);
    offsets.set(layout.holder, kHolder, 8);
    offsets.set(layout.class_name, kClassName, 8);
    offsets.set(layout.class_methods, kClassMethods, 8);
    if (offsets.has(kSourceIndexInClass))
        offsets.set(layout.class_source_index, kSourceIndexInClass, 2);
    else
        offsets.set(layout.source_index, kSourceIndex, 2);
    offsets.set(layout.methods_data, kMethodsData, 8);
    offsets.set(layout.text_length, kTextLength, 2);
    offsets.set(layout.text, kText, 2);
}

bool complete(RuntimeBuild& build, std::span<const uint64_t> values)
{
    if (values.size() != kMembers || values[kMethodConstant] == 0)
        return false; // libjvm.so has not computed its offsets yet
    std::vector<uint64_t> found(values.begin(), values.end());
    for (std::size_t i = 0; i < found.size(); ++i)
        if (build.numbers[i] == 0)
            found[i] = kMissing;
    Offsets offsets(found);
    dt_code_cache_layout& layout = build.layout.cache;
    set_heaps(offsets, layout);
    set_methods(offsets, layout);
    offsets.set(layout.complete, kBlobComplete, 2);
    offsets.set(layout.frame_words, kBlobFrame, 4);
    offsets.set(layout.name, kBlobName, 8);
    offsets.set(layout.original_pc, kOriginalPc, 4);
    offsets.set(layout.places, kPlaces, 4);
    if (offsets.has(kImmutable))
        set_new_blobs(offsets, layout);
    else
        set_old_blobs(offsets, layout);
    layout.flags |= build.facts[kVersion] >= kFirstWithoutZeros ? DT_CACHE_EXCLUDES_0 : 0;
    layout.block_size = static_cast<uint32_t>(build.facts[kBlockSize]);
    layout.constants_size = static_cast<uint32_t>(build.facts[kConstantsSize]);
    layout.constant_size = static_cast<uint32_t>(build.facts[kConstantSize]);
    layout.kind_of_method = static_cast<uint32_t>(build.facts[kKindOfMethod]);
    layout.has_lines = static_cast<uint32_t>(build.facts[kHasLines]);
    if (offsets.problem() < kMembers)
        build.problem = "its tables have an unexpected offset of " + std::string(kNames[offsets.problem()].type) +
                        "::" + std::string(kNames[offsets.problem()].name);
    else if (layout.constant != kNotAtEnd)
        build.problem = "its tables have unexpected values";
    return true;
}

/// Decodes HotSpot's variable-length numbers of 1 to 5 bytes. Every byte except the last one is at least 192.
class NumberReader {
public:
    NumberReader(std::span<const uint8_t> data, uint32_t excluded) : data_(data), excluded_(excluded) {}

    std::optional<uint8_t> byte() { return at_ < data_.size() ? std::optional(data_[at_++]) : std::nullopt; }

    std::optional<int32_t> number()
    {
        constexpr uint32_t kMore = 192, kBits = 6, kMaxBytes = 5;
        uint32_t sum = 0;
        for (uint32_t i = 0; i < kMaxBytes; ++i) {
            const auto next = byte();
            if (!next)
                return {};
            sum += (uint32_t{*next} - excluded_) << (i * kBits);
            if (*next < kMore)
                break;
        }
        return static_cast<int32_t>(sum >> 1) ^ -static_cast<int32_t>(sum & 1);
    }

private:
    std::span<const uint8_t> data_;
    const uint32_t excluded_;
    std::size_t at_ = 0;
};

/// Returns the source line of a bytecode instruction, or 0 if the table contains no line for it or was not captured
/// completely.
uint32_t line_of(std::span<const uint8_t> table, int32_t wanted, uint32_t excluded)
{
    constexpr uint8_t kNext = 0xff, kLineBits = 3;
    NumberReader reader(table, excluded);
    int64_t position = 0, line = 0, best = -1, best_line = 0;
    for (;;) {
        const auto pair = reader.byte();
        if (!pair)
            return 0;
        if (*pair == 0)
            return best_line > 0 && best_line <= std::numeric_limits<uint16_t>::max() ? static_cast<uint32_t>(best_line)
                                                                                      : 0;
        if (*pair == kNext) {
            const auto positions = reader.number(), lines = reader.number();
            if (!positions || !lines)
                return 0;
            position += *positions;
            line += *lines;
        } else {
            position += *pair >> kLineBits;
            line += *pair & ((1 << kLineBits) - 1);
        }
        if (position == wanted)
            return static_cast<uint32_t>(line);
        if (position < wanted && position >= best) {
            best = position;
            best_line = line;
        }
    }
}

/// Returns the captured name of a class, method or file, or nothing if the bytes cannot be a name. If only the
/// beginning was captured, "..." is appended.
std::optional<std::string> name_of(uint64_t length, std::span<const uint8_t> data)
{
    const std::size_t count = std::min<uint64_t>(length, data.size());
    std::string text(reinterpret_cast<const char*>(data.data()), count);
    if (length == 0 || count == 0 || length > std::numeric_limits<uint16_t>::max() ||
        std::any_of(text.begin(), text.end(),
                    [](char each) { return static_cast<uint8_t>(each) < ' ' || each == 0x7f; }))
        return {};
    if (count == length)
        return text;
    while (!text.empty() && (text.back() & 0xc0) == 0x80) // removes an incomplete character at the end
        text.pop_back();
    if (!text.empty() && (text.back() & 0x80))
        text.pop_back();
    return text + "...";
}

/// Returns a class name as Java prints it: with dots, and with a slash before the number of a hidden class.
std::string printed_class(std::string name)
{
    std::replace(name.begin(), name.end(), '/', '.');
    if (const std::size_t hidden = name.rfind("+0x"); hidden != std::string::npos)
        name[hidden] = '/';
    return name;
}

std::optional<RuntimeFrame> name_frame(const RuntimeBuild& build, const dt_code& code, int32_t instruction)
{
    uint64_t head[DT_JAVA_WORDS];
    std::memcpy(head, code.head, sizeof head);
    const auto captured = [&code](std::span<const uint8_t> text, std::size_t which) {
        return text.first(std::min<std::size_t>(text.size(), code.got[which]));
    };
    const std::span<const uint8_t> table(code.table);
    const auto name = name_of(head[DT_JAVA_NAME], captured(code.name, 0));
    const auto holder = name_of(head[DT_JAVA_CLASS], captured(table.first(DT_JAVA_CLASS_BYTES), 2));
    const auto file = head[DT_JAVA_FILE] != 0 ? name_of(head[DT_JAVA_FILE], captured(code.file, 1)) : "no file";
    if (head[DT_JAVA_FORM] == 0 || head[DT_JAVA_FORM] >= DT_JAVA_FORMS || !name || !holder || !file ||
        name->find_first_of(".;[/()") < name->size() - (name->ends_with("...") ? 3 : 0) ||
        head[DT_JAVA_LINES] > table.size() - DT_JAVA_CLASS_BYTES)
        return {};
    RuntimeFrame frame{printed_class(*holder) + "." + *name, *file, 0};
    if (head[DT_JAVA_FORM] == DT_JAVA_NATIVE)
        frame.file = "Native Method";
    else if (instruction != DT_JAVA_NO_PLACE)
        frame.line = line_of(table.subspan(DT_JAVA_CLASS_BYTES, head[DT_JAVA_LINES]), std::max(instruction, 0),
                             build.layout.cache.flags & DT_CACHE_EXCLUDES_0 ? 1 : 0);
    return frame;
}

} // namespace
} // namespace hotspot

const Runtime kHotSpot{"java", "libjvm", hotspot::recognise, hotspot::name_frame, hotspot::complete};

} // namespace dt
