#include "test/verify/differential/compile.hpp"

#include "bpf-runtime/embedded.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "test/support/oldest_features.hpp"
#include "test/unit/frozen_world.hpp"

namespace dt::differential {

namespace {

/// Header before each object in a file of compiled programs.
struct Heading {
    uint64_t level, size;
};

/// A generated program, and the compiler that makes its object.
class Compilation {
public:
    Compilation(const Program& program, uint64_t level, const machine::Machine& machine, const Features& features = {})
        : world_(machine), options_(options(level)), compiler_(world_, options_)
    {
        world_.tried = features;
        source_.kind = Source::Kind::Script;
        source_.name = "generated.d";
        source_.text = to_d(program);
    }

    Result<Object> object()
    {
        if (!compiler_.add(source_, SpecKind::Script, {}))
            return first("refused: ");
        auto object = compiler_.finish(embedded_runtime());
        if (!object.ok() && compiler_.diagnostics().has_errors())
            return first("not lowered: ");
        return object;
    }
    const dt::Program& program() const { return compiler_.program(); }

private:
    static OptionSet options(uint64_t level)
    {
        OptionSet options;
        options.put("opt", std::to_string(level));
        options.put("aggsize", "4m"); // a fixed size, because without dtrace's loader an aggregation cannot grow
        return options;
    }

    Error first(const char* when)
    {
        const auto& list = compiler_.diagnostics().list();
        return Error{std::string(when) + (list.empty() ? "?"
                                                       : list.front().tag + ": " + list.front().message + " (line " +
                                                             std::to_string(list.front().at.line) + ")")};
    }

    test::FrozenWorld world_;
    OptionSet options_;
    Source source_;
    Compiler compiler_;
};

} // namespace

Result<Object> compile(const Program& program, uint64_t level)
{
    return Compilation(program, level, machine::native()).object();
}

Result<void> ObjectWriter::add(const Program& program, uint64_t level)
{
    Compilation compilation(program, level, machine_, for_oldest_ ? test::oldest_features() : Features());
    auto object = compilation.object();
    if (!object)
        return object.error();
    const std::string bytes = pack(*object, compilation.program());
    const Heading heading{level, bytes.size()};
    file_.write(reinterpret_cast<const char*>(&heading), sizeof heading);
    file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file_.flush() ? Result<void>() : Result<void>(Error{"objects cannot be written"});
}

Result<const Object*> ObjectReader::next(const Program& program, uint64_t level)
{
    Heading heading{};
    if (!file_.read(reinterpret_cast<char*>(&heading), sizeof heading))
        return Error{"no more objects"};
    std::string bytes(heading.size, '\0');
    if (!file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
        return Error{"half an object"};
    auto packed = unpack(bytes);
    if (!packed)
        return packed.error();
    last_ = std::move(packed.value());
    if (heading.level != level || last_->sources.empty() || last_->sources.front().text != to_d(program))
        return Error{"the object is of another program or level"};
    return &last_->object;
}

} // namespace dt::differential
