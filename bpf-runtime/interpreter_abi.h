/* Maps and records of jstack() for programs that an interpreter runs. interpreters.bpf.c walks the frames;
 * libdtrace/interpreters fills the maps and names frames. A run is the group of frames that one call of the
 * interpreter's loop executes. A code object is the interpreter's description of a function. */
#ifndef DT_INTERPRETER_ABI_H
#define DT_INTERPRETER_ABI_H

#include "bpf-runtime/abi.h"

#define DT_MAP_INTERPRETERS "interpreters"             /* HASH: struct dt_interpreter by process id (u32) */
#define DT_MAP_INTERPRETER_CODES "interpreter_codes"   /* HASH: index in DT_MAP_INTERPRETER_TEXTS, by struct
                                                          dt_code_key */
#define DT_MAP_INTERPRETER_TEXTS "interpreter_texts"   /* ARRAY, mmapable: struct dt_code */
#define DT_MAP_INTERPRETER_COUNTS "interpreter_counts" /* ARRAY, mmapable, 1 entry: struct dt_interpreter_counts */

#define DT_INTERPRETERS 1024 /* maximum number of processes with an interpreter */
#define DT_CODES 4096        /* maximum number of captured code objects; a power of two */

/* A word of a stack that stands for a frame of an interpreter. The high byte is DT_INTERPRETER_TAG, which no address
 * has. An index in DT_MAP_INTERPRETER_TEXTS follows. The low half is the instruction's offset in bytes. Index 0 means
 * that the frame has no name. The low half then contains the reason and, from bit 8 on, the kind of interpreter. */
#define DT_INTERPRETER_TAG 0x7eULL
#define DT_INTERPRETER_WORD(code, low) (DT_INTERPRETER_TAG << 56 | (dt_u64)(code) << 32 | (dt_u32)(low))
#define DT_UNNAMED_BUILD 1      /* memory does not match the description of this build of the interpreter */
#define DT_UNNAMED_UNREADABLE 2 /* memory could not be read */
#define DT_UNNAMED_ROOM 3       /* no room to capture another code object */
#define DT_UNNAMED_BEGINS 4     /* the loop is about to begin a run and has not linked its first frame yet */
#define DT_UNNAMED_THREAD 5     /* the interpreter does not know the thread */
#define DT_UNNAMED_MOVED 6      /* the frames that follow are not on the thread's stack */

/* `flags` of dt_interpreter */
#define DT_BY_RUN 1         /* a thread points to the structure of its innermost run (CPython's cframe), and this
                               structure points to the innermost frame */
#define DT_ENTRY_IS_SHOWN 2 /* the frame that ends a run belongs to the program, not to the interpreter */
#define DT_UNKNOWN_BUILD 4  /* only the address ranges of the interpreter are known */
#define DT_EACH_IS_ENTRY 8  /* each frame ends a run */
/* A frame contains the 4-byte index of its instruction instead of the instruction's address. A code object points to an
 * object that contains the instructions. */
#define DT_INSTRUCTION_IS_INDEX 16
#define DT_FRAME_IS_GLOBAL 32 /* `head` is the address of the pointer to the innermost frame */
/* An instruction contains its source line. The word that stands for a frame contains this line instead of an offset. A
 * code object points to its instructions. */
#define DT_INSTRUCTION_HAS_LINE 64
#define DT_REGISTER_HAS_INSTRUCTION 128 /* while the loop runs, a register points to the innermost frame's instruction
                                           (dt_mixed.last_kept) */
/* Frames of the program are native frames with frame pointers. `function` describes the objects of their functions.
 * `loop` is then the range of the runtime's own code that has such frames. The runtime also writes code with such
 * frames to memory outside of any file. */
#define DT_BY_FRAME_POINTER 256
#define DT_BY_CONTEXT 512 /* frames are elements in arrays of contexts, which `context` describes */
/* Frames are elements of an array that grows to lower addresses; `control` describes them. `context.pointer` says how
 * `head` leads to the thread's execution context. With DT_POINTER_BY_THREAD, the thread is found in a list of threads,
 * and it points to its execution context instead of a frame. */
#define DT_BY_CONTROL_FRAME 1024
/* Frames of the program are native frames of code that the runtime has written to memory outside of any file;
 * `cache` describes this memory. The walk of native frames also uses `cache`, because such frames have no unwind
 * rows. */
#define DT_BY_CODE_CACHE 2048
/* No variable leads to a thread's frames. Each state (coroutine) has a list of frames. States are found because words
 * of the native stack point to them; `state` describes states. */
#define DT_STATE_ON_STACK 4096
/* A frame has the address of its next instruction, and a code object points to its instructions. The instruction of
 * a frame is known only after the frame has called native code. */
#define DT_INSTRUCTIONS_APART 8192

#define DT_INTERPRETER_RANGES 4
#define DT_CODE_TEXTS 3  /* number of texts of a code object: name, file, table of lines */
#define DT_CODE_LINKS 2
#define DT_CODE_HEAD 256 /* bytes at the start of a code object that are captured */
#define DT_CODE_NAME 256
#define DT_CODE_FILE 512
#define DT_CODE_TABLE 3000
#define DT_FRAME_WORDS 16 /* maximum size of a frame in words, without its variables */
#define DT_TEXT_WORDS 16  /* room for the words of a text's digest, which distinguishes code objects that used the
                             same address */

struct dt_address_range {
	dt_u64 start, end;
};

/* Form of frames in V8 (Node.js). A frame with a frame pointer contains the function's object and its context. If the
 * context's word is not the address of an object, the frame has no function. All closures of a function point to one
 * shared description, which leads to the function's name and script. Addresses of objects are odd; the first word of an
 * object points to its map, which contains the type. Offsets are in bytes, from the even address. */
struct dt_function_layout {
	dt_u32 function_below;       /* the word with the function is this many bytes below the frame pointer; the next
                                 word is the context */
	dt_u32 shared, name, script; /* `shared`: offset in a function. `name`, `script`: offsets in its shared
                                 description */
	dt_u32 script_source, script_name, script_lines;
	dt_u32 first_variable; /* index of the word in a scope at which the variables begin. If it is 5, the function's
                           position is before the variables; if 3, after them */
	dt_u32 first_function, last_function, first_context, last_context; /* types */
	dt_u32 shared_type, scope_type, script_type, array_type;
};

/* Bits in the flags of a scope (newer versions store the flags as a plain number). A scope with DT_SCOPE_INLINED_NAMES
 * or more variables has their names in a separate table. */
#define DT_SCOPE_KIND 0xf
#define DT_SCOPE_OF_MODULE 3
#define DT_PLAIN_SCOPE_OF_MODULE 5
#define DT_SCOPE_HAS_CLASS (1 << 10)
#define DT_SCOPE_HAS_FUNCTION (3 << 12)
#define DT_SCOPE_HAS_INFERRED (1 << 14)
#define DT_SCOPE_INLINED_NAMES 75

/* Words of dt_code.head for a captured function. A text is described by its form and, in the high half, its number
 * of bytes. */
enum { DT_FUNCTION_NAME, DT_FUNCTION_FILE, DT_FUNCTION_LINE, DT_FUNCTION_START, DT_FUNCTION_WORDS };
enum { DT_TEXT_NONE, DT_TEXT_1_BYTE, DT_TEXT_2_BYTE, DT_TEXT_ROPE, DT_TEXT_BUILTIN, DT_TEXT_FORMS };
#define DT_TEXT_END 0x100     /* flag added to a form: only the end of the text is captured */
#define DT_FUNCTION_CHARS 256 /* number of bytes, from the end of a text, that the digest covers */

/* Form of frames in Perl. A thread has an interpreter, which points to the current statement and to the innermost of
 * several stacks of contexts; each stack points to the one outside of it. The context of a function call contains
 * the function and the statement of the call. The layout of contexts is the same in all versions. */
struct dt_context_layout {
	dt_u32 pointer;                         /* how `head` leads to the variable that points to the thread's
                                            interpreter (DT_POINTER_…) */
	dt_u32 stack, statement, own_statement; /* offsets in an interpreter. `own_statement`: offset of the statement
                                            object that Perl's compiler uses */
	/* Types of operations: a statement (the next number: its variant for debuggers), a call (the next two numbers:
	 * ends of functions), and a return. */
	dt_u32 statement_type, call_type, return_type;
	dt_u32 package_has_names;     /* 1: the object of a package contains its names; 0: the names follow the
                                  package's table */
	struct dt_address_range main; /* address range of the function that runs the main program */
};

/* Values of `pointer`: what `head` contains. NEAR_BASE: the variable's distance from `thread_base`. IN_MODULE: the
 * address of two words, the module and offset of a thread-local variable. BY_KEY: the address of a variable with a
 * pthread_key_t. BY_THREAD: see DT_BY_CONTROL_FRAME. */
enum { DT_POINTER_NEAR_BASE, DT_POINTER_IN_MODULE, DT_POINTER_BY_KEY, DT_POINTER_BY_THREAD };

/* Words of dt_code.head for a captured function of a context. The function's name is in `name`, its package in
 * `table`, each followed by a zero byte and a byte of flags. */
enum { DT_CONTEXT_FORM, DT_CONTEXT_NAME_LENGTH, DT_CONTEXT_PACKAGE_LENGTH, DT_CONTEXT_HEAD };
enum {
	DT_CONTEXT_FUNCTION = 1,
	DT_CONTEXT_LEXICAL, /* a lexical function, which belongs to no package */
	DT_CONTEXT_UNNAMED,
	DT_CONTEXT_FORMAT,
	DT_CONTEXT_EVALUATED, /* text passed to eval, or code of a file that was loaded */
	DT_CONTEXT_MAIN,
	DT_CONTEXT_FORMS
};
#define DT_CONTEXT_FILE 256 /* bytes of a file name */

/* Form of frames in Ruby. A thread has an execution context with an array of control frames. The frame of a Ruby method
 * contains the method's code and the address of the next instruction. The frame of a method in C leads to an entry with
 * the number of the method's name. */
struct dt_control_layout {
	dt_u32 pointer_offset;                  /* added to the address that results from `head` */
	dt_u32 frame_size;                      /* of a control frame */
	dt_u32 lines, lines_count, lines_index; /* offsets in the body of a method's code */
	dt_u32 line_size;                       /* of an element of `lines` */
	dt_u32 text_embedded;                   /* offset of the bytes in a text that is stored in its object */
	dt_u32 last_operator;                   /* names with a number up to this one have no bits that give their
                                            kind */
	dt_u64 names;                           /* address of the pointer to the table of names, indexed by number; 0:
                                            unknown */
};

/* Words of dt_code.head for a captured method. A text is described by its number of bytes and, in the high half, its
 * encoding. */
enum { DT_METHOD_FORM, DT_METHOD_NAME, DT_METHOD_FILE, DT_METHOD_WORDS };
enum { DT_METHOD_IN_RUBY = 1, DT_METHOD_IN_C, DT_METHOD_FORMS };

/* Form of frames in HotSpot (Java). Machine code is in the heaps of a code cache. A heap consists of segments, and one
 * or more segments form a block. For each segment, the heap contains a byte: how many segments to go back towards the
 * start of the block. A block has a header and a blob, a piece of machine code whose frames all have the same size. The
 * blob of a compiled method (nmethod) contains a list of return addresses, each with the methods that were inlined
 * there. Another blob is the interpreter; its frames have frame pointers. */
struct dt_code_cache_layout {
	dt_u64 heaps, interpreter; /* addresses of two pointers: to the array of heaps, and to the interpreter's code */
	dt_u64 call_stub;          /* address of the variable with the return address in the stub through which native
                               code calls methods */
	dt_u32 array_data;         /* offset of the elements in an array that begins with its length */
	dt_u32 heap_memory, heap_segments, heap_bits; /* offsets in a heap; heap_bits: logarithm of a segment's size */
	dt_u32 block_size, block_used;                /* size of a block's header; offset in it of a byte that is 1 if the
                                                  block is used */
	dt_u32 queue_start, queue_size;               /* in the interpreter's code */
	/* Offsets in a blob. With DT_CACHE_OFFSETS, the words that are marked below contain offsets within the blob;
	 * otherwise they contain addresses. */
	dt_u32 code /* marked */, complete, frame_words, name, kind, method;
	dt_u32 deoptimised[2] /* marked */; /* when the code becomes invalid, return addresses are replaced by these */
	dt_u32 original_pc;                 /* word with the offset from the stack pointer to the original return address */
	dt_u32 places, places_end;          /* words with the offsets of the start and the end of the list of return
                                        addresses, from the start of the blob or of `immutable` */
	dt_u32 scopes;                      /* word with the address of the scopes, or with their offset from `immutable` */
	dt_u32 immutable;                   /* word with the address of separate memory with the lists of return
                                        addresses and scopes; 0: they are in the blob */
	dt_u32 metadata;                    /* word with the offset of the methods */
	dt_u32 changing, relocations; /* word with the address of separate memory that contains the methods, and word
                                  with the number of bytes before them; 0: they are in the blob */
	/* Offsets in a method; in its constant part, whose header has size `constant_size`; in its constants. */
	dt_u32 constant, access;
	dt_u32 constants, constant_words, constant_flags, code_size, name_index, number, constant_size;
	dt_u32 tags, holder, source_index, constants_size;
	dt_u32 class_name, class_methods,
		class_source_index; /* offsets in a class; class_source_index is 0 if the constants contain the index of
                         the source file */
	dt_u32 methods_data;        /* offset of the elements in an array of methods that begins with its length */
	dt_u32 text_length, text;   /* in a text */
	dt_u32 kind_of_method;      /* value of `kind` */
	dt_u32 has_lines;           /* bit in constant_flags */
	dt_u32 flags;
};

#define DT_CACHE_OFFSETS 1     /* values for dt_code_cache_layout.flags */
#define DT_CACHE_HAS_KINDS 2   /* a blob has a number for its kind; without this flag it has the name "nmethod" or
                                  "native nmethod" */
#define DT_CACHE_EXCLUDES_0 4  /* no byte of a compressed number is 0 */
#define DT_CACHE_SHORT_START 8 /* `complete` has 2 bytes */

/* Words of dt_code.head for a captured method. The class name is at the start of `table`; the lines follow it. */
enum { DT_JAVA_FORM, DT_JAVA_NAME, DT_JAVA_CLASS, DT_JAVA_FILE, DT_JAVA_LINES, DT_JAVA_WORDS };
enum { DT_JAVA_IN_JAVA = 1, DT_JAVA_NATIVE, DT_JAVA_FORMS };
#define DT_JAVA_CLASS_BYTES 512
#define DT_JAVA_NO_PLACE (-0x7fffffff - 1) /* value instead of an instruction's offset if the instruction is unknown */

/* Form of frames in Lua. A program has several states (coroutines), each with a list of frames; a thread may run
 * several of them, one inside another. Each protected call of a state has a jump buffer (here: jump) on the native
 * stack. A state points to its innermost jump, and each jump points to the next one outwards. Native frames belong to
 * the state that has the next jump above them. A function with a jump also has the address of its state on the stack.
 * All states point to one shared object, and the first state is directly before this object. */
struct dt_state_layout {
	dt_u32 type_at, type;         /* states are recognized by a byte at the offset `type_at` with the value
                                  `type` */
	dt_u32 shared, size;          /* offset in a state of the pointer to the shared object; size of a state */
	dt_u32 jump, jump_next;       /* offset in a state of the pointer to its innermost jump; offset in a jump of the
                                  pointer to the next one outwards (0: none) */
	dt_u32 idle_frame, idle_byte; /* a state without jumps does not run if its innermost frame is at the offset
                                  `idle_frame` in it, or if the byte at `idle_byte` is not 0 */
};

/* A pointer on the way from a frame to its code object. It is at the offset `pointer` of an object. This object must
 * have the value `type` in the byte at `type_at`. */
struct dt_code_link {
	dt_u32 type_at, type, pointer;
};

/* Values of `text_form`: a text contains its length, or ends with a zero byte, or is an array. The length of an array
 * is in the code object: 4 bytes at `text_length`. */
enum { DT_TEXT_IS_COUNTED, DT_TEXT_IS_TERMINATED, DT_TEXT_IS_ARRAY };

/* How to find the frames of the interpreter in a process. Offsets are in bytes. */
struct dt_interpreter {
	dt_u32 kind, flags;
	dt_u64 head;                                    /* address of the variable that points to the first interpreter */
	dt_u32 next_interpreter, first_thread;          /* in an interpreter */
	dt_u32 next_thread, thread_id, frame_of_thread; /* in a thread */
	dt_u32 frame_of_run;                            /* in a run */
	dt_u32 frame_size, code_of_frame, next_frame, instruction, entry; /* offsets in a frame; at `entry` is a byte
                                                                      with flags or a kind */
	dt_u32 entry_value;      /* value of the byte at `entry` in the frame that ends a run */
	dt_u32 entry_mask;       /* mask of the bits of the byte at `entry` that are compared with entry_value */
	dt_u32 instruction_size; /* size of an instruction in bytes; used only if `flags` contains DT_INSTRUCTION_IS_INDEX,
                             DT_INSTRUCTION_HAS_LINE or DT_INSTRUCTIONS_APART */
	dt_u32 instruction_line; /* offset of the line in an instruction */
	dt_u32 beginning;        /* number of bytes at the start of the loop's code during which a run's first frame is not
                             linked yet */
	dt_u32 left_out_mask;    /* bits of the byte at `entry` that only frames of native functions have */
	dt_u32 kind_at;          /* offset in a code object of the byte with its kind, if `kinds` is not 0 */
	struct dt_code_link links[DT_CODE_LINKS]; /* the first `link_count` elements lead from a frame to its code object */
	dt_u64 link_count;
	dt_u64 pointer_mask;     /* mask of the address bits in the pointer to the code object */
	dt_u64 code_type;        /* address of the type of code objects; the second word of each code object contains it */
	dt_u32 code_size, code_instructions, code_length; /* `code_size`: size of a code object. The others are offsets
                                                      in it: of the instructions (2 bytes each), and of their number.
                                                      With DT_INSTRUCTION_IS_INDEX: of the pointer to the object with
                                                      the instructions, and in that object of their size in bytes. With
                                                      DT_INSTRUCTION_HAS_LINE or DT_INSTRUCTIONS_APART: of the pointer
                                                      to the instructions, and of their number */
	/* If `kinds` is not 0, code objects have no type but a byte with their kind. Bit N stands for kind N: in
	 * `kinds` for functions of the program, in `left_out_kinds` for functions whose frames are left out. A frame
	 * without a code object is left out too. */
	dt_u32 kinds, left_out_kinds;
	/* Offset in a code object of a word. If instructions contain their lines, the word contains the first and the
	 * last line. With DT_INSTRUCTIONS_APART it contains the first line, and the digest covers this word. */
	dt_u32 code_lines;
	dt_u32 texts[DT_CODE_TEXTS]; /* offsets in a code object of the pointers to its texts */
	/* If not 0, the pointer to a text leads to an object that contains another pointer, to the text. This is the
	 * offset of the latter pointer in the object. Texts may be missing if `kinds` is not 0. */
	dt_u32 text_pointer[DT_CODE_TEXTS];
	dt_u32 text_length[DT_CODE_TEXTS], text_data[DT_CODE_TEXTS], text_form[DT_CODE_TEXTS];
	struct dt_address_range loop[DT_INTERPRETER_RANGES]; /* the loop: address ranges of the function whose frames stand
                                                         for runs */
	struct dt_address_range own[DT_INTERPRETER_RANGES];  /* code of the interpreter */
	struct dt_function_layout function;
	struct dt_context_layout context;
	struct dt_control_layout control;
	struct dt_code_cache_layout cache;
	struct dt_state_layout state;
};

struct dt_code_key {
	dt_u64 code, digest;
	dt_u32 process, kind;
};

/* A captured code object with its texts: copies made when a walk first found the code object. */
struct dt_code {
	dt_u64 code;
	dt_u32 process, kind;
	dt_u32 got[DT_CODE_TEXTS]; /* number of bytes of each text that could be read */
	dt_u32 reserved;
	unsigned char head[DT_CODE_HEAD], name[DT_CODE_NAME], file[DT_CODE_FILE], table[DT_CODE_TABLE];
};

struct dt_interpreter_counts {
	dt_u64 used; /* last assigned index in DT_MAP_INTERPRETER_TEXTS */
	dt_u64 full; /* number of frames that got no name because the maps were full */
	dt_u64 reserved[6];
};

#define DT_IN_NO_FILE 1 /* flag in frame_pointers: the frame's code is in no known mapping */

/* Working memory for finding the name of a function (struct dt_function_layout). */
struct dt_function {
	dt_u64 frame[2], closure[8], shared[8], scope[8], names[8], script[9], string[4], array[2];
	dt_u64 text_at, text_bytes, text_form; /* the text found last */
	dt_u64 chars[2 * DT_FUNCTION_CHARS / 8];
	dt_u64 newlines, returns, count_at, count_left, count_wide; /* for counting the lines before the function */
};

/* Working memory for walking through contexts (struct dt_context_layout). */
struct dt_context_walk {
	dt_u64 stack[6];                                                /* the stack of contexts */
	dt_u64 left;                                                    /* number of contexts in this stack that are not
                                                                    visited yet */
	dt_u64 at;                                                      /* statement of the next frame */
	dt_u64 operation;                                               /* type of the operation that is running */
	dt_u64 is_innermost;                                            /* 1: no frame was found yet */
	dt_u64 has_main;                                                /* 1: one of the loops runs the main program */
	dt_u64 line, file;                                              /* current frame: line, address of file name */
	dt_u64 name_at, package_at;                                     /* addresses of the names of function and
                                                                    package; 0: none */
	dt_u64 name, package;                                           /* hash and, in the high half, length of these
                                                                    two names */
	dt_u64 context[13], object[3], body[9], statement[7], names[4]; /* objects in memory */
};

/* Working memory for walking through control frames (struct dt_control_layout). */
struct dt_control_walk {
	dt_u64 at, start, end;                      /* address of the next frame; bounds of the array of frames */
	dt_u64 waiting, waiting_end;                /* indexes in `found`: start and end of the frames of C methods that
                                                wait until their caller's frame is read */
	dt_u64 runs_end;                            /* number of words in `found` that belong to complete runs */
	dt_u64 names_waiting;                       /* 1: the next step names the waiting frames of C methods */
	dt_u64 is_last;                             /* 1: then the walk ends */
	dt_u64 form, line;                          /* form of the frame; line of the innermost frame of a Ruby method */
	dt_u64 name, name_at, file, file_at;        /* descriptions (DT_METHOD_NAME, DT_METHOD_FILE) and addresses of two
                                                texts */
	dt_u64 frame[5], variables[3];              /* first words of a frame; its last variables */
	dt_u64 code[3], body[32], text[5], rank[2]; /* objects in memory */
};

/* Working memory for finding states (struct dt_state_layout). */
struct dt_state_walk {
	dt_u64 phase;           /* what the next step does */
	dt_u64 at, from, limit; /* at, limit: the next word of the native stack, and the end of the search. from: the search
                            looks for jumps above this address */
	dt_u64 jump, best;      /* address of the lowest jump found above `from`, and the state of this jump; 0: none */
	dt_u64 end;             /* address of the current state's outermost jump */
	dt_u64 first_loop;      /* number of native frames inside of the innermost loop */
	dt_u64 loop;            /* number of loops, from the innermost on, to which runs are assigned */
	dt_u64 ended;           /* number of words in `found` that belong to complete runs */
	dt_u64 is_first;        /* 1: the current state is the innermost one */
	dt_u64 has_jumps;       /* 1: the current state (coroutine) has at least two jump buffers */
	dt_u64 is_saved;        /* 1: the next frame has called native code, so its instruction is known */
	dt_u64 is_done;         /* 1: all loops have their runs */
	dt_u64 words_at, words[16], state[16], first[4];
};

/* Kinds of frames of a code cache, in the low bits of dt_mixed.frame_pointers. The high bits depend on the kind. */
#define DT_CACHE_BITS 7
#define DT_CACHE_INTERPRETED 2 /* the other bits are the frame pointer */
#define DT_CACHE_BEGINS 3      /* the interpreter is building a frame */
#define DT_CACHE_COMPILED 4    /* the other bits are the address of the blob */
#define DT_CACHE_INTERRUPTED 5 /* an interpreted frame that a signal has interrupted */
#define DT_CACHE_STUB 6        /* the frame belongs to no method; the other bits are 0 or DT_CACHE_MOVED */
#define DT_CACHE_BETWEEN 7     /* the interpreter is switching between two frames, so the walk ends */

/* flag of a stub that moves frames of a virtual thread to the stack; a method returns to it */
#define DT_CACHE_MOVED 8

#define DT_CACHE_HEAPS 4

/* Working memory for walking through a code cache (struct dt_code_cache_layout). */
struct dt_code_cache_walk {
	dt_u64 is_known; /* 1: this walk has read the heaps */
	struct dt_code_heap {
		dt_u64 start, end, segments, bits;
	} heaps[DT_CACHE_HEAPS];
	dt_u64 interpreter, interpreter_bytes;
	dt_u64 instruction; /* bytecode address of the innermost frame, if this frame is interpreted */
	dt_u64 at;          /* address of the blob */
	dt_u64 blob[18], code[2], frame[10], array[4];
	dt_u64 kept;                    /* value in dt_mixed.frame_pointers for the current frame; 0: none */
	dt_u64 found, found_at;         /* method that was found, and the position of the bytecode in it */
	dt_u64 scope, scopes, metadata; /* the next scope (0: none); addresses of the lists of scopes and of methods */
	dt_u64 place, offset;           /* search in the list of return addresses: the result, and the wanted offset */
	dt_u64 method[8], constant[8], constants[9], text[5], bytes[2];
	dt_u64 holder, name, class_name, file; /* addresses */
};

/* Working memory for a native stack that also contains frames of an interpreter. */
struct dt_mixed {
	struct dt_walk walk;
	dt_u64 thread_base; /* address to which the thread's local variables are relative; 0: unknown */
	dt_u64 last_kept;   /* value of the last callee-saved register */
	dt_u64 interpreter, thread, frame;
	dt_u64 is_known;                     /* 1: the interpreter knows the thread */
	dt_u64 loops, runs;                  /* number of native frames of the loop, and number of runs */
	dt_u64 found_count, next, at, count; /* next: index in `found`; at: index in the native stack */
	dt_u64 in_run;                       /* 1: the next words of the result are frames of a run */
	dt_u64 remains;                      /* 1: some runs could not be assigned to frames of the native stack */
	dt_u64 early;                        /* number of innermost runs that already exist before their loop has
                                         begun */
	dt_u64 texts[DT_CODE_TEXTS];         /* addresses of the texts that belong to the code object in `head`; 0: missing */
	dt_u64 reason;
	dt_u64 most, shows_own;
	dt_u64 bytes; /* size of `frames` in bytes */
	dt_u64 block[DT_FRAME_WORDS], text[DT_TEXT_WORDS], head[DT_CODE_HEAD / 8];
	struct dt_code_key key;
	dt_u64 found[DT_UNWIND_FRAMES];  /* words for the frames of all runs; after each run, a word with the value 1 */
	dt_u64 frames[DT_UNWIND_FRAMES]; /* the result */
	dt_u64 sp;                       /* stack pointer of the innermost frame */
	/* For each native frame without unwind rows: its frame pointer, plus DT_IN_NO_FILE if its code is in no known
	 * mapping. For a frame of a code cache: its kind (DT_CACHE_…) and other bits. 0: the frame has rows. */
	dt_u64 frame_pointers[DT_UNWIND_FRAMES];
	struct dt_function function;
	struct dt_context_walk contexts;
	struct dt_control_walk control;
	struct dt_code_cache_walk cache;
	dt_u64 stack_pointers[DT_UNWIND_FRAMES]; /* of native frames */
	dt_u64 link[4];                          /* copy of an object on the way from a frame to its code object */
	/* Results of the current walk that later frames may use. They stay valid, because the process does not run during
	 * the walk. 0: none. */
	dt_u64 last_code, last_position; /* address of the code object in `head`, and its index */
	dt_u64 last_link, last_linked;   /* address of an object, and the pointer that was read from it */
	dt_u64 last_file, last_file_length, last_file_sum;
	struct dt_state_walk states;
};

#endif
