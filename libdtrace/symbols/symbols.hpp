// Conversion of addresses to text: kernel addresses through kallsyms, user addresses through a process's mappings and
// the ELF symbols of its files.
//
// Symbols are not read before the first address is printed, because most scripts never print an address, and kallsyms
// alone has ten megabytes. Symbols of files stay in memory between runs; mappings of processes and JIT code belong to
// one run. The forms of text are described in dtrace-output(7), STACKS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dcompiler/object/schema.hpp"

// Bounded cache of address texts; the least recently used text is evicted first.
//
// The number of user addresses is unlimited, because each start of a program has new ones. So the size of the cache in
// bytes is bounded. The texts of all processes are in one table, so nothing has to be discarded when a process ends. A
// text is valid for one version of its process's mappings.

namespace dt {

/// The cache's values are of type `Value`: a text or a list of texts.
template <typename Value> class AddressTexts {
public:
    struct Key {
        int64_t process = 0;
        uint64_t address = 0;
        std::size_t kind = 0;
        bool operator==(const Key&) const = default;
    };

    explicit AddressTexts(std::size_t most_bytes) : most_(most_bytes) {}

    /// Returns the cached value. Returns null if the cache contains no value, or a value for another version of the
    /// mappings. The result is valid until the next add() or clear().
    const Value* find(const Key& key, uint64_t version)
    {
        const auto known = index_.find(key);
        if (known == index_.end() || known->second->version != version)
            return nullptr;
        entries_.splice(entries_.end(), entries_, known->second);
        return &known->second->value;
    }

    const Value& add(const Key& key, uint64_t version, Value value)
    {
        if (const auto known = index_.find(key); known != index_.end())
            erase(known->second);
        const std::size_t bytes = kOverhead + memory(value);
        while (!entries_.empty() && bytes_ + bytes > most_)
            erase(entries_.begin());
        entries_.push_back({key, version, bytes, std::move(value)});
        index_[key] = std::prev(entries_.end());
        bytes_ += bytes;
        return entries_.back().value;
    }

    void set_max_bytes(std::size_t bytes) { most_ = bytes; }

    void clear()
    {
        index_.clear();
        entries_.clear();
        bytes_ = 0;
    }

    std::size_t size() const { return index_.size(); }

private:
    struct Entry {
        Key key;
        uint64_t version;
        std::size_t bytes;
        Value value;
    };
    using Entries = std::list<Entry>;
    struct HashKey {
        std::size_t operator()(const Key& key) const
        {
            return std::hash<uint64_t>()(key.address * 0x9e3779b97f4a7c15 ^ static_cast<uint64_t>(key.process) << 4 ^
                                         key.kind);
        }
    };
    // Estimated memory in bytes of an entry's nodes in the list and in the index.
    static constexpr std::size_t kOverhead = sizeof(Entry) + sizeof(Key) + 10 * sizeof(void*);

    static std::size_t memory(const std::string& text) { return text.capacity() > 15 ? text.capacity() + 17 : 0; }
    static std::size_t memory(const std::vector<std::string>& texts)
    {
        std::size_t bytes = texts.capacity() * sizeof(std::string);
        for (const std::string& text : texts)
            bytes += memory(text);
        return bytes;
    }

    void erase(typename Entries::iterator entry)
    {
        bytes_ -= entry->bytes;
        index_.erase(entry->key);
        entries_.erase(entry);
    }

    std::size_t most_;
    std::size_t bytes_ = 0;
    Entries entries_; // entries of the cache, least recently used first
    std::unordered_map<Key, typename Entries::iterator, HashKey> index_;
};

// Facts about an address in addition to its text: its mapping, the mapped file, and the functions at the address.
// Formats such as pprof record these facts, so that other tools can find the names for the address later.

struct AddressOrigin {
    /// A function and a source location in it.
    struct Function {
        std::string name;
        std::string file; ///< source file according to the debug information; empty if unknown
        uint32_t line = 0;
    };

    /// Path of the mapped file, or a name such as "[kernel.kallsyms]" and "[nf_nat]"; empty if unknown.
    std::string path;
    std::string build_id;                    ///< build id of the file in hexadecimal; empty if unknown
    uint64_t start = 0, end = 0, offset = 0; ///< start and end of the mapping; file offset of its first byte
    /// functions at the address, innermost first: inlined functions, then the function that contains the address
    std::vector<Function> functions;
};

/// A frame of an interpreted program in a stack (DT_INTERPRETER_WORD).
struct InterpretedFrame {
    std::string text; ///< the frame as stacks show it: "function (file:line)"
    AddressOrigin::Function function;
};

/// Returns the build id from a file of ELF notes such as /sys/kernel/notes, in hexadecimal. Returns an empty string if
/// the file contains none.
std::string build_id_of_notes(const std::string& path);

class UntrustedFiles;
class KernelSymbols;

class Symbols {
public:
    /// Form of the text of an address. Symbol: module`name. Module: module. Exact: module`name+0xoff.
    using Form = Datum::Address;

    /// `proc` is the mount point of procfs (option procfspath). `kernel` contains the kernel's symbols, and `untrusted`
    /// the sandboxed readers of files. Other objects may use both too, so that symbols are read only once.
    explicit Symbols(const std::string& proc = "/proc", std::shared_ptr<KernelSymbols> kernel = nullptr,
                     std::shared_ptr<UntrustedFiles> untrusted = nullptr);
    ~Symbols();
    Symbols(const Symbols&) = delete;
    Symbols& operator=(const Symbols&) = delete;

    /// Kind of address. Exact: the address of an instruction. Return: a return address, which is the address after a
    /// call instruction. If the call is the last instruction of a function, the return address already belongs to the
    /// next function.
    enum class Use : uint8_t { Exact, Return };

    /// Starts tracking the mappings of processes through the kernel, so that addresses of ended or replaced programs
    /// can be resolved. Must be called before recording starts, if programs record user addresses. `everyone`:
    /// addresses may also come from processes that are already running. `are_kept`: addresses may be resolved long
    /// after they were recorded, so more data of ended processes are stored.
    void follow_processes(bool everyone, bool are_kept);
    /// Limits the memory that is needed to name user addresses: for data of processes and files, and for cached texts.
    /// Without a value, the limit is kMaxMemory.
    /// default limit in bytes of the memory for naming user addresses
    static constexpr uint64_t kMaxMemory = 224 << 20;
    void limit_memory(std::optional<uint64_t> bytes);
    /// From now on, the text of a user address with debug information ends with its source line, such as "
    /// (file.c:12)".
    void want_lines(bool wanted);
    /// Sets the function that finds frames of interpreters. For a word of a user stack it returns the frame, or null if
    /// the word is an address.
    void name_interpreted(std::function<const InterpretedFrame*(uint64_t word)> frame_of);
    /// Applies the pending mapping events of the kernel. Must be called before samples are decoded.
    void update();
    /// Returns a descriptor that is readable when the kernel's event buffer fills up. If so, update() must be called
    /// before the buffer is full. Returns -1 if there is no event buffer.
    int descriptor() const;
    /// Returns the number of files whose symbols could not be read because too many files were open.
    uint64_t unread_files() const;
    /// Returns the number of processes whose addresses were printed without names because their data were removed to
    /// make room, or because events were lost.
    uint64_t forgotten_processes() const;
    /// If processes are followed, returns a version number that changes when the mappings of the process may have
    /// changed.
    uint64_t mappings_version(int64_t pid);
    /// Ends a run: stops following processes and discards data that may differ in the next run.
    void end_run();

    /// While a Moment exists, user addresses are resolved as of its time (CLOCK_MONOTONIC ns). Without a Moment, or
    /// with time 0, addresses are resolved for any time.
    class Moment {
    public:
        Moment(Symbols& symbols, uint64_t time);
        ~Moment();
        Moment(const Moment&) = delete;
        Moment& operator=(const Moment&) = delete;

    private:
        Symbols& symbols_;
        uint64_t before_;
    };

    /// Returns the text of a kernel address, or "0xaddr" if no symbol contains it. The result is valid until the next
    /// call of any member function.
    std::string_view kernel(uint64_t address, Form form, Use use = Use::Exact);

    /// Returns the text of an address of the process `pid` (0 if the process is unknown). If `noresolve`, the option of
    /// that name, is set, the text is "file:0xoffset". Returns "[incomplete]" for the return address
    /// DT_FRAMES_INCOMPLETE.
    std::string_view user(int64_t pid, uint64_t address, Form form, bool noresolve = false, Use use = Use::Exact);

    /// Returns the texts of the functions that were inlined at a user address, innermost first; empty if lines are
    /// disabled. Each text is an additional frame before the frame that user() returns. The result is valid until the
    /// next call of any member function.
    const std::vector<std::string>& inlined(int64_t pid, uint64_t address, Form form, Use use);

    /// Return the mapping, file and functions of an address. If `noresolve` is set, the result contains no functions.
    /// If lines are enabled, the result includes inlined functions and lines.
    AddressOrigin origin_in_kernel(uint64_t address, Use use);
    AddressOrigin origin_in_user(int64_t pid, uint64_t address, Use use, bool noresolve);

    /// Return the start of the symbol (or of the module, for Form::Module) that contains `address`, so that addresses
    /// with equal texts become equal. Return `address` itself if the form is Exact, or if no symbol or module contains
    /// the address.
    uint64_t reduce_kernel(uint64_t address, Form form);
    uint64_t reduce_user(int64_t pid, uint64_t address, Form form);

    /// From now on, kernel addresses are 1-based indexes into `texts`. The recording was made on another machine, which
    /// also stored the text of each address.
    void know_texts(std::vector<std::string> texts);

    /// Reads a process's mappings now, so that its addresses can be resolved after it exits. The tracer calls this
    /// function for the processes of -c and -p, at intervals and when they stop. Reads /proc/PID/maps once; symbol
    /// tables are still read only when needed.
    void remember(int64_t pid);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt

// Determines whether a program prints addresses of processes as names.

namespace dt::consume {

/// Returns whether the program prints names of addresses of processes: by ustack(), usym() and similar actions, or by
/// %A.
bool names_user_addresses(const Schema& schema);
/// Returns whether aggregation keys of the program contain addresses of processes. Such keys may be printed long after
/// the processes have ended.
bool keeps_user_addresses(const Schema& schema);

} // namespace dt::consume
