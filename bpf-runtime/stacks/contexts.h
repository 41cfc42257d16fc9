/* Runtimes whose frames are in arrays of contexts (DT_BY_CONTEXT): finds the interpreter of the thread, the functions
 * of the contexts, and their names, files and lines. The objects are those of Perl (struct dt_context_layout).
 *
 * Closures share a name, and each statement may have its own copy of the file's name. So the key of a captured function
 * is a digest of what jstack() prints: the hashes of names, which Perl stores, and the text of the file's name. */
#ifndef DT_CONTEXTS_H
#define DT_CONTEXTS_H

#include "bpf-runtime/interpreter_abi.h"
#include "bpf-runtime/runtime.h"

/* Layout of objects that has not changed since Perl 5.32. User space checks the version. */
#define MAX_CONTEXTS 4096
#define MAX_STACK (1 << 24)     /* maximum number of contexts in a stack */
#define MAX_NAME (1 << 16)      /* bytes of a name */
#define OPERATION 8             /* PL_op */
#define CONTEXT_BYTES 104       /* PERL_CONTEXT */
#define CONTEXT_TYPE 0xf        /* bits of its first word */
#define IS_BLOCK 0xc0           /* CXp_EVALBLOCK, CXp_TRY: the context is that of an eval or try block */
#define IS_IN_PATTERN 0x40      /* CXp_SUB_RE: the context is that of code in a regular expression */
#define IS_SECOND 0x80          /* CXp_SUB_RE_FAKE: code in a regular expression, within a function that already has
                                   a context */
#define MAIN_STACK 1            /* PERLSI_MAIN */
#define SORT_STACK 3            /* PERLSI_SORT */
#define TYPE_OF_OBJECT 0xff     /* type bits of the flags, which are in the high half of an object's second word */
#define FUNCTION_OBJECT 13      /* SVt_PVCV */
#define FORMAT_OBJECT 14        /* SVt_PVFM */
#define GLOB_OBJECT 9           /* SVt_PVGV */
#define PACKAGE_OBJECT 12       /* SVt_PVHV */
#define HAS_NAMES 0x2000000     /* SVf_OOK */
#define IS_NAMED 0x8000         /* CVf_NAMED */
#define IS_LEXICAL 0x10000      /* CVf_LEXICAL */
#define FUNCTION_BODY 32        /* offset in bytes of the first word of XPVCV that is read */
#define GLOB_BODY 32            /* name and package in XPVGV */
#define EFFECTIVE_GLOB 56       /* gp_egv */
#define PACKAGE_SIZE 24         /* xhv_max */
#define PACKAGE_NAMES 32        /* xhv_aux */
#define TYPE_OF_OPERATION 0x1ff /* type bits in word OPERATION_TYPE of an operation; for a statement, its line
                                   follows them */
enum { CONTEXT_OTHER, CONTEXT_FUNCTION = 9, CONTEXT_FORMAT, CONTEXT_EVALUATED, CONTEXT_SUBSTITUTION, CONTEXT_DEFERRED };
enum { CONTEXT_CALL = 2, CONTEXT_RETURN = 6, CONTEXT_CODE = 9, CONTEXT_DEPTH };
enum { STACK_CONTEXTS = 1, STACK_BEFORE, STACK_LAST = 4, STACK_TYPE };
enum { FUNCTION_PACKAGE, FUNCTION_NAME = 3, FUNCTION_FILE, FUNCTION_FLAGS = 7, FUNCTION_DEPTH };
enum { FORMER_TYPE = 3, OPERATION_TYPE, STATEMENT_FILE = 6 };

/* Layout for pthread_getspecific() of glibc. A thread's base is the address of its descriptor, which contains the
 * first 32 keys and a pointer to them. A key has two words; the second one is its value. */
#define MODULES 8 /* offset in the descriptor of the pointer to the TLS blocks of modules */
#define FIRST_KEYS 0x310
#define POINTER_TO_KEYS 0x510
#define KEYS 32

/* results of find_function() in addition to the reasons (DT_UNNAMED_…) */
#define IS_CHANGING 0x100

/* Returns whether the loop of native frame `n` continues the run of the loop that called it. An operation that begins
 * an eval starts an inner loop by a tail call. So exactly one frame is between the two loops. */
DT_INLINE dt_u64 continues_run(struct search *s, dt_u64 n)
{
	return n + 2 < s->m->walk.count && is_in(s->of->loop, native_pc(s->m, n + 2));
}

/* Returns whether the loop of native frame `n` runs the main program. It does if a known function (`main`) calls the
 * loop. The compiler may have moved a part of this function to another function, so two callers are checked. */
DT_INLINE dt_u64 runs_main(struct search *s, dt_u64 n)
{
	const struct dt_address_range *main = &s->of->context.main;

	return (n + 1 < s->m->walk.count && native_pc(s->m, n + 1) - main->start < main->end - main->start) ||
	       (n + 2 < s->m->walk.count && native_pc(s->m, n + 2) - main->start < main->end - main->start);
}

/* Returns the address of the pointer to the thread's interpreter, or 0. */
DT_INLINE dt_u64 interpreter_pointer(struct search *s)
{
	dt_u64 *words = s->m->contexts.names, base = s->m->thread_base, head = s->of->head;

	words[0] = words[1] = words[2] = 0;
	if (s->of->context.pointer == DT_POINTER_NEAR_BASE)
		return base + head;
	if (s->of->context.pointer == DT_POINTER_IN_MODULE) { /* the thread has a table of its modules' thread-local
                                                          variables */
		if (read_memory(words, 16, head) || read_memory(words + 2, 8, base + MODULES) ||
		    read_memory(words + 2, 8, words[2] + words[0] * 16))
			return 0;
		return words[2] + words[1];
	}
	if (read_memory(words, 4, head) || words[0] >= KEYS || read_memory(words + 1, 8, base + POINTER_TO_KEYS) ||
	    words[1] != base + FIRST_KEYS)
		return 0;
	return words[1] + words[0] * 16 + 8;
}

/* Starts walking the stack of contexts at `at`. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 read_stack(struct dt_context_walk *c, dt_u64 at)
{
	if (read_memory(c->stack, sizeof(c->stack), at))
		return DT_UNNAMED_UNREADABLE;
	c->left = (dt_u64)(long long)(int)c->stack[STACK_LAST] + 1;
	return c->left > MAX_STACK ? DT_UNNAMED_BUILD : 0;
}

/* Finds the interpreter structure of the thread. Returns 0 if the thread has none. */
DT_INLINE dt_u64 find_contexts(struct search *s)
{
	const struct dt_context_layout *l = &s->of->context;
	struct dt_mixed *m = s->m;
	struct dt_context_walk *c = &m->contexts;
	dt_u64 at;

	m->frame = 1; /* 0 will mean that all contexts were visited */
	if (!m->thread_base || read_memory(&m->interpreter, 8, interpreter_pointer(s)) || !m->interpreter ||
	    read_memory(&c->at, 8, m->interpreter + l->statement) || read_memory(&at, 8, m->interpreter + l->stack))
		return 0;
	c->is_innermost = 1;
	c->operation = 0;
	if (!read_memory(c->names, 8, m->interpreter + OPERATION) && c->names[0] &&
	    !read_memory(c->names, 8, c->names[0] + OPERATION_TYPE * 8))
		c->operation = c->names[0] & TYPE_OF_OPERATION;
	return !read_stack(c, at);
}

/* Copies the object at `at`. Returns 0 if the object does not have the type `type`. */
DT_INLINE dt_u64 read_typed(struct dt_context_walk *c, dt_u64 at, dt_u64 type)
{
	return at && !read_memory(c->object, sizeof(c->object), at) && (c->object[1] >> 32 & TYPE_OF_OBJECT) == type;
}

/* Finds the name of the package in c->package_at, and sets c->package_at to 0 if the package has no name. Returns 0
 * or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_package(struct search *s)
{
	struct dt_context_walk *c = &s->m->contexts;
	dt_u64 at;

	if (!c->package_at)
		return 0;
	if (!read_typed(c, c->package_at, PACKAGE_OBJECT))
		return DT_UNNAMED_BUILD;
	c->package_at = 0;
	if (!(c->object[1] >> 32 & HAS_NAMES))
		return 0;
	at = c->object[0] + PACKAGE_NAMES;
	if (!s->of->context.package_has_names) {
		if (read_memory(c->names, 8, c->object[0] + PACKAGE_SIZE))
			return DT_UNNAMED_UNREADABLE;
		at = c->object[2] + (c->names[0] + 1) * 8;
	}
	if (read_memory(c->names, sizeof(c->names), at))
		return DT_UNNAMED_UNREADABLE;
	c->package_at = c->names[0];
	/* if the package has a number of names, the pointer leads to a list of them */
	return c->names[3] >> 32 && read_memory(&c->package_at, 8, c->names[0]) ? DT_UNNAMED_UNREADABLE : 0;
}

/* Finds the name and the package in the symbol table entry (glob) at `glob`. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_name_of_glob(struct dt_context_walk *c, dt_u64 glob)
{
	if (!read_typed(c, glob, GLOB_OBJECT))
		return DT_UNNAMED_BUILD;
	/* a glob to which another glob was assigned has the name of the other one */
	if (!read_memory(c->names, 8, c->object[2] + EFFECTIVE_GLOB) && c->names[0] && c->names[0] != glob &&
	    !read_typed(c, c->names[0], GLOB_OBJECT) && !read_typed(c, glob, GLOB_OBJECT))
		return DT_UNNAMED_UNREADABLE;
	if (read_memory(c->names, 16, c->object[0] + GLOB_BODY))
		return DT_UNNAMED_UNREADABLE;
	c->name_at = c->names[0];
	c->package_at = c->names[1];
	return 0;
}

/* Finds the function of c->context and its name. Returns 0, a reason (DT_UNNAMED_…), or IS_CHANGING if the context is
 * being created or removed. Then the function's call depth, the number of its contexts, does not fit. */
DT_INLINE dt_u64 find_function(struct search *s, dt_u64 type)
{
	struct dt_context_walk *c = &s->m->contexts;
	dt_u64 flags, reason = 0;

	if (!read_typed(c, c->context[CONTEXT_CODE], type == CONTEXT_FORMAT ? FORMAT_OBJECT : FUNCTION_OBJECT) ||
	    read_memory(c->body, sizeof(c->body), c->object[0] + FUNCTION_BODY))
		return IS_CHANGING;
	if (type == CONTEXT_FORMAT) {
		s->m->head[DT_CONTEXT_FORM] = DT_CONTEXT_FORMAT;
		return 0;
	}
	if ((int)c->body[FUNCTION_DEPTH] <= (int)c->context[CONTEXT_DEPTH])
		return IS_CHANGING;
	flags = c->body[FUNCTION_FLAGS] >> 32;
	s->m->head[DT_CONTEXT_FORM] = c->body[FUNCTION_NAME] ? DT_CONTEXT_FUNCTION : DT_CONTEXT_UNNAMED;
	if (!c->body[FUNCTION_NAME])
		return 0;
	if (flags & IS_NAMED) {
		c->name_at = c->body[FUNCTION_NAME];
		c->package_at = c->body[FUNCTION_PACKAGE];
		if (flags & IS_LEXICAL) {
			s->m->head[DT_CONTEXT_FORM] = DT_CONTEXT_LEXICAL;
			c->package_at = 0;
		}
	} else
		reason = find_name_of_glob(c, c->body[FUNCTION_NAME]);
	return reason ? reason : find_package(s);
}

/* Sets line and file to those of the statement at c->at. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_place(struct search *s)
{
	const struct dt_context_layout *l = &s->of->context;
	struct dt_context_walk *c = &s->m->contexts;
	dt_u64 type;

	if (read_memory(c->statement, sizeof(c->statement), c->at))
		return DT_UNNAMED_UNREADABLE;
	type = c->statement[OPERATION_TYPE] & TYPE_OF_OPERATION;
	if (!type) /* the operation was optimized away; it still contains its former type */
		type = c->statement[FORMER_TYPE];
	if (type - l->statement_type > 1 && c->at != s->m->interpreter + l->own_statement)
		return DT_UNNAMED_BUILD;
	c->line = c->statement[OPERATION_TYPE] >> 32;
	c->file = c->statement[STATEMENT_FILE];
	return 0;
}

/* Adds the names and the file to the key of the captured function. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 digest_names(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_context_walk *c = &m->contexts;
	struct dt_function *f = &m->function;
	volatile dt_u64 *chars = f->chars;
	dt_u64 sum = 0;

	c->name = c->package = 0;
	if (c->name_at && read_memory(&c->name, 8, c->name_at))
		return DT_UNNAMED_UNREADABLE;
	if (c->package_at && read_memory(&c->package, 8, c->package_at))
		return DT_UNNAMED_UNREADABLE;
	if (number_in(c->name) > MAX_NAME || number_in(c->package) > MAX_NAME)
		return DT_UNNAMED_BUILD;
	m->key.code = c->name_at;
	m->key.process = m->walk.process;
	m->key.kind = s->of->kind;
	m->key.digest = mixed_digest(m->head[DT_CONTEXT_FORM], c->name);
	m->key.digest = mixed_digest(m->key.digest, c->package);
#pragma unroll
	for (int i = 0; i < DT_CONTEXT_FILE / 8; i++)
		chars[i] = 0;
	if (c->file && bpf_probe_read_user_str(f->chars, DT_CONTEXT_FILE, (const void *)c->file) < 0)
		return DT_UNNAMED_UNREADABLE;
#pragma unroll
	for (int i = 0; i < DT_CONTEXT_FILE / 8; i++) {
		sum += f->chars[i] * (DIGEST_FACTOR * (2 * i + 1));
		DT_OPAQUE(sum); /* adding one word after the other needs less stack */
	}
	m->key.digest = mixed_digest(m->key.digest, sum);
	return 0;
}

/* Captures the function. Returns its index in DT_MAP_INTERPRETER_TEXTS, or 0 if there is no room. */
DT_INLINE dt_u32 keep_named(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_context_walk *c = &m->contexts;
	dt_u64 texts = 8, ends = 2; /* `texts`: bytes before a text, which contain its hash and length. `ends`: bytes
                                after a text, a zero byte and flags */
	struct dt_code_key key;
	dt_u32 position = 0;
	struct dt_code *code = new_code(m, &position);

	if (!code)
		return 0;
	m->head[DT_CONTEXT_NAME_LENGTH] = number_in(c->name);
	m->head[DT_CONTEXT_PACKAGE_LENGTH] = number_in(c->package);
	bpf_probe_read_kernel(code->head, DT_CONTEXT_HEAD * 8, m->head);
	code->got[0] = capture(code->name, DT_CODE_NAME - 1, number_in(c->name) + ends, c->name_at + texts);
	code->got[1] = DT_CONTEXT_FILE;
	bpf_probe_read_kernel(code->file, DT_CONTEXT_FILE, m->function.chars);
	code->got[2] = capture(code->table, 1023, number_in(c->package) + ends, c->package_at + texts);
	key = m->key; /* copied to the stack, because verifiers before 6.2 do not accept keys in memory of a caller */
	bpf_map_update_elem(&interpreter_codes, &key, &position, 0);
	return position;
}

/* Returns the word for the frame whose names were found. */
DT_INLINE dt_u64 named_word(struct search *s, dt_u64 reason)
{
	struct dt_code_key key;
	const dt_u32 *known;
	dt_u32 position;

	if (!reason)
		reason = digest_names(s);
	if (reason)
		return DT_INTERPRETER_WORD(0, reason | s->of->kind << 8);
	key = s->m->key;
	known = bpf_map_lookup_elem(&interpreter_codes, &key);
	position = known ? *known : keep_named(s);
	return DT_INTERPRETER_WORD(position, position ? s->m->contexts.line : DT_UNNAMED_ROOM | s->of->kind << 8);
}

/* Returns whether the current operation may run when a function has begun but not reached its first statement, or when
 * the function has ended. Between two calls by native code, no operation runs. */
DT_INLINE dt_u64 is_between_functions(struct search *s)
{
	const struct dt_context_layout *l = &s->of->context;
	dt_u64 type = s->m->contexts.operation;

	return !type || type - l->statement_type <= 1 || type - l->call_type <= 2 || type == l->return_type;
}

/* Finds the frame of c->context. Returns 0, a reason (DT_UNNAMED_…), or IS_CHANGING if the context has no frame at
 * this moment. */
DT_INLINE dt_u64 find_named(struct search *s, dt_u64 type)
{
	struct dt_mixed *m = s->m;
	struct dt_context_walk *c = &m->contexts;
	dt_u64 call = c->context[CONTEXT_CALL], at = c->at, is_first = c->is_innermost, reason;

	c->name_at = c->package_at = c->is_innermost = 0;
	if (type == CONTEXT_EVALUATED) {
		m->head[DT_CONTEXT_FORM] = DT_CONTEXT_EVALUATED;
		reason = is_first && at == call ? IS_CHANGING : 0;
	} else
		reason = find_function(s, type);
	if (reason == IS_CHANGING && is_first) {
		/* The context of a call may not contain its statement yet. The context of sort has the current statement. */
		if (c->operation != s->of->context.call_type && type != CONTEXT_EVALUATED &&
		    (c->left || c->stack[STACK_TYPE] >> 32 != SORT_STACK))
			c->at = call;
		/* The end of a function removes the function from its context. */
		return type == CONTEXT_FUNCTION && !c->context[CONTEXT_CODE] ? IS_CHANGING : DT_UNNAMED_BEGINS;
	}
	if (!reason)
		reason = find_place(s);
	c->at = call;
	if (reason)
		return reason == IS_CHANGING ? DT_UNNAMED_BUILD : reason;
	/* Before sort calls its function for the first time, the current operation is sort itself. */
	if (is_first && at == call && type == CONTEXT_FUNCTION && (is_between_functions(s) || !c->context[CONTEXT_RETURN])) {
		c->line = 0; /* the statement may still be that of the caller */
		c->file = c->body[FUNCTION_FILE];
	}
	return 0;
}

/* Ends the walk of a stack of contexts, and starts with the next stack outwards. After the last stack, the frame of
 * the main program follows. */
DT_INLINE long leave_stack(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_context_walk *c = &m->contexts;
	dt_u64 before = c->stack[STACK_BEFORE], reason;

	if (before && c->stack[STACK_TYPE] >> 32 != MAIN_STACK) {
		reason = read_stack(c, before);
		if (reason)
			found_word(m, DT_INTERPRETER_WORD(0, reason | s->of->kind << 8));
		return reason;
	}
	m->frame = 0;
	return 1;
}

/* Returns whether the context with this first word belongs to a block that is no function but has its own loop of the
 * interpreter. Such blocks are those of sort, deferred blocks, and code in regular expressions. */
DT_INLINE dt_u64 is_block(dt_u64 context)
{
	dt_u64 type = context & CONTEXT_TYPE;

	return type == CONTEXT_OTHER || type == CONTEXT_DEFERRED ||
	       (type == CONTEXT_FUNCTION && context & (IS_IN_PATTERN | IS_SECOND));
}

/* Returns whether native code called the function of c->context and began a loop for it. Such a call has no operation
 * to return to. Neither has the last call in a block, so contexts inside blocks are excluded. */
DT_INLINE dt_u64 begins_loop(struct dt_context_walk *c)
{
	if (c->context[CONTEXT_RETURN])
		return 0;
	c->names[0] = CONTEXT_SUBSTITUTION;
	if (c->left)
		read_memory(c->names, 8, c->stack[STACK_CONTEXTS] + (c->left - 1) * CONTEXT_BYTES);
	return !is_block(c->names[0]);
}

/* Visits the next context outwards. The last frame is that of the main program. */
static long visit_context(dt_u32 n, struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_context_walk *c = &m->contexts;
	dt_u64 type, ends, is_shown, reason = 0;

	if (m->found_count >= DT_UNWIND_FRAMES)
		return 1;
	if (!c->left) {
		if (!leave_stack(s))
			return 0;
		if (m->frame || !c->has_main)
			return 1;
		m->head[DT_CONTEXT_FORM] = DT_CONTEXT_MAIN;
		c->name_at = c->package_at = 0;
		reason = find_place(s);
		is_shown = ends = 1;
	} else {
		c->left--;
		if (read_memory(c->context, CONTEXT_BYTES, c->stack[STACK_CONTEXTS] + c->left * CONTEXT_BYTES)) {
			found_word(m, DT_INTERPRETER_WORD(0, DT_UNNAMED_UNREADABLE | s->of->kind << 8));
			return 1;
		}
		type = c->context[0] & CONTEXT_TYPE;
		is_shown = (type == CONTEXT_FUNCTION && !(c->context[0] & IS_SECOND)) || type == CONTEXT_FORMAT ||
		           (type == CONTEXT_EVALUATED && !(c->context[0] & IS_BLOCK));
		ends = is_block(c->context[0]) || (is_shown && begins_loop(c));
		if (is_shown)
			reason = find_named(s, type);
	}
	if (is_shown && reason != IS_CHANGING)
		found_word(m, named_word(s, reason));
	if (ends) {
		found_word(m, RUN_END);
		m->runs++;
	}
	return !m->frame;
}

#endif
