// Fuzz target: compiles arbitrary text with the whole compiler, for fixed kernel data (the frozen World).
//
// For any input, the compiler must end with diagnostics or an object, without a crash, an endless loop or undefined
// behavior. The first byte chooses whether the text is a script or a command-line option, so that both grammars are
// tested.
#include <cstddef>
#include <cstdint>

#include "bpf-runtime/embedded.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "libdtrace/options/options.hpp"
#include "test/unit/frozen_world.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace dt;
    if (size == 0 || size > 1 << 16)
        return 0;
    bool script = data[0] % 4 != 0;
    Source source{script ? Source::Kind::Script : Source::Kind::CommandLine, "fuzz.d",
                  std::string(reinterpret_cast<const char*>(data) + 1, size - 1)};
    test::FrozenWorld world;
    Options options;
    Macros macros;
    macros.script = "fuzz.d";
    macros.arguments = {"1", "word", "two words"};
    Compiler compiler(world, options);
    if (compiler.add(source, script ? SpecKind::Script : SpecKind::Name, macros))
        (void)compiler.finish(embedded_runtime());
    return 0;
}
