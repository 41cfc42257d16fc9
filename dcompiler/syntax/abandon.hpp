// How the lexer and the parser give up an item: by an exception that never leaves this folder. Whoever throws has
// reported why.
#pragma once

namespace dt::syntax {

struct Abandon {};

} // namespace dt::syntax
