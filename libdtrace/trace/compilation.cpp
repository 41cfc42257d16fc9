// Compiles the libraries first, then the programs in order, and then one object from all of them. Also finds and reads
// the files of libraries.
#include "libdtrace/trace/compilation.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

#include "bpf-runtime/embedded.hpp"
#include "libdtrace/records/actions.hpp"
#include "libdtrace/session/program_file.hpp"

namespace dt {
namespace {

/// Returns the FNV-1a hash of the programs' source texts, which is equal on all machines.
uint64_t digest_of(const std::deque<Source>& sources)
{
    uint64_t digest = 0xcbf29ce484222325;
    for (const Source& source : sources)
        for (const unsigned char each : source.text)
            digest = (digest ^ each) * 0x100000001b3;
    return digest;
}

} // namespace

Compilation::Compilation(LiveWorld& world, const Processes& processes, Options given)
    : world_(world), processes_(processes), options_(std::move(given)),
      compiler_(std::make_unique<Compiler>(world, options_))
{
    texts_.options = options_;
    texts_.libraries = &libraries_;
}

void Compilation::record_phases(PhaseTimes* steps)
{
    steps_ = steps;
    if (compiler_)
        compiler_->record_phases(steps);
}

Compiler& Compilation::compiler()
{
    if (!compiler_) {
        compiler_ = std::make_unique<Compiler>(world_, options_);
        compiler_->record_phases(steps_);
    }
    return *compiler_;
}

bool Compilation::add(Source source, SpecKind kind, const Macros& macros)
{
    sources_.push_back(std::move(source));
    if (sources_.size() == 1) {
        if (!add_libraries(macros))
            return false;
        done(steps_, "libraries");
    }
    texts_.programs.push_back({&sources_.back(), kind, macros});
    const bool good = compiler().add(sources_.back(), kind, macros);
    done(steps_, "parse and check");
    return good;
}

/// Compiles the D libraries. They see the macro variables of the first program, but not its arguments, which libraries
/// do not use.
bool Compilation::add_libraries(Macros macros)
{
    utsname system{};
    uname(&system);
    if (const Result<void> read = read_libraries(options(), system.release, libraries_); !read) {
        compiler().diagnostics().error({}, {}, read.error().message);
        return false;
    }
    macros.arguments.clear();
    return compiler().add_libraries(libraries_, macros);
}

/// Replaces a precompiled program by the object that results from compiling its source text.
bool Compilation::add_typed()
{
    object_.reset();
    packed_probes_.know({});
    packed_.reset();
    options_ = texts_.options;
    TypedProgram typed = std::move(*std::exchange(typed_, std::nullopt));
    return add(std::move(typed.source), typed.kind, typed.macros);
}

Result<void> Compilation::compile()
{
    if (packed_ && !add_typed())
        return Error{"its text does not compile"};
    auto made = compiler().finish(embedded_runtime(), {.may_follow = may_follow(), .names = {}});
    if (!made)
        return made.error();
    object_.emplace(std::move(made.value()));
    object_->schema.program_digest = digest_of(sources_);
    return {};
}

/// Uses a precompiled program as the program of the trace, and sets the options that its pragmas set.
Result<void> Compilation::take(std::unique_ptr<PackedProgram> packed, std::optional<TypedProgram> typed)
{
    for (const auto& [name, value] : packed->program.pragmas)
        if (const Result<void> set =
                options_.set(name, value ? OptionText(*value) : std::nullopt, OptionSource::Pragma);
            !set)
            return Error{"option " + name + " of the bundle: " + set.error().message};
    compiler_.reset();
    typed_ = std::move(typed);
    packed_ = std::move(packed);
    packed_probes_.know(packed_->probes);
    object_.emplace(std::move(packed_->object));
    return {};
}

void Compilation::forget()
{
    typed_.reset();
    if (packed_) {
        packed_->program.types.reset();
    } else {
        compiler_->release_ir();
        compiler_->release_trees();
    }
    std::exchange(object_->elf, {});
    if (!may_follow() && !consume::shows_types(object_->schema))
        forget_types();
}

/// Removes the types of recorded values from the schema. Only records of print() need types when they are printed.
void Compilation::forget_types()
{
    for (StatementSchema& statement : object_->schema.statements)
        for (Record& record : statement.records)
            for (Datum& datum : record.data)
                datum.type = nullptr;
    for (AggregationSchema& aggregation : object_->schema.aggregations)
        for (Datum& key : aggregation.keys)
            key.type = nullptr;
    object_->types.reset();
}

std::vector<uint32_t> Compilation::statements_of(uint32_t probe) const
{
    std::vector<uint32_t> ids;
    for (const Statement& statement : program().statements)
        for (const Probe* each : statement.probes)
            if (each->id == probe)
                ids.push_back(statement.id);
    return ids;
}

std::size_t Compilation::matched(uint32_t program) const
{
    std::size_t count = 0;
    for (const Statement& statement : this->program().statements)
        if (statement.program == program)
            count += statement.probes.size();
    return count;
}

// A library folder may contain subfolders named after kernel versions. The newest version that is not above the running
// kernel's is read first. Files are read in the order of their names, which is the same on every machine. Each file is
// read once, even if it can be reached through several folders.

namespace {

namespace fs = std::filesystem;

/// Number of parts of a version that are compared: 6.1 equals 6.1.0.
constexpr std::size_t kParts = 3;

bool is_version(std::string_view name)
{
    return !name.empty() && name.find_first_not_of("0123456789.") == std::string_view::npos &&
           name.find('.') != std::string_view::npos && !release_numbers(name).empty();
}

class SourceReader {
public:
    SourceReader(std::string_view release, std::deque<Source>& libraries) : release_(release), libraries_(libraries) {}

    Result<void> directory(const std::string& path)
    {
        std::vector<std::string> files, directories;
        std::error_code ignored;
        for (fs::directory_iterator entry(path, ignored), end; entry != end; entry.increment(ignored)) {
            const bool is_directory = entry->is_directory(ignored);
            if (is_directory)
                directories.push_back(entry->path().filename());
            else if (entry->path().extension() == ".d")
                files.push_back(entry->path());
        }
        if (const auto version = best_version(directories, release_))
            if (Result<void> read = directory((fs::path(path) / *version).string()); !read)
                return read;
        std::sort(files.begin(), files.end());
        for (const std::string& name : files)
            if (Result<void> read = file(name); !read)
                return read;
        return {};
    }

private:
    Result<void> file(const std::string& name)
    {
        std::error_code ignored;
        if (!known_.insert(fs::weakly_canonical(name, ignored)).second)
            return {};
        Result<std::string> text = read_program_file(name);
        if (!text)
            return Error{"failed to open D library " + name + ": " + text.error().message, text.error().code};
        libraries_.push_back({Source::Kind::Library, name, std::move(text.value()), {}});
        return {};
    }

    std::string_view release_;
    std::deque<Source>& libraries_;
    std::set<fs::path> known_;
};

} // namespace

std::vector<unsigned> release_numbers(std::string_view release)
{
    std::vector<unsigned> numbers;
    while (!release.empty() && std::isdigit(static_cast<unsigned char>(release.front())) && numbers.size() < kParts) {
        unsigned number = 0;
        for (; !release.empty() && std::isdigit(static_cast<unsigned char>(release.front())); release.remove_prefix(1))
            number = number * 10 + static_cast<unsigned>(release.front() - '0');
        numbers.push_back(number);
        if (release.substr(0, 1) == ".")
            release.remove_prefix(1);
    }
    if (!numbers.empty())
        numbers.resize(kParts);
    return numbers;
}

std::optional<std::string> best_version(const std::vector<std::string>& names, std::string_view release)
{
    const std::vector<unsigned> running = release_numbers(release);
    std::optional<std::string> best;
    for (const std::string& name : names) {
        const std::vector<unsigned> version = release_numbers(name);
        if (is_version(name) && version <= running && (!best || release_numbers(*best) < version))
            best = name;
    }
    return best;
}

Result<void> read_libraries(const Options& options, std::string_view release, std::deque<Source>& libraries)
{
    if (options.compile().nolibs)
        return {};
    std::vector<std::string> directories = options.run().libdir;
    if (!options.compile().syslibdir.empty())
        directories.insert(directories.begin(), options.compile().syslibdir);
    SourceReader reader(release, libraries);
    for (const std::string& directory : directories)
        if (Result<void> read = reader.directory(directory); !read)
            return read;
    return {};
}

} // namespace dt
