/* Maps and records of jstack() for programs that an interpreter runs. interpreters.bpf.c walks the frames;
 * libdtrace/interpreters fills the maps and names frames. */
#ifndef DT_INTERPRETER_ABI_H
#define DT_INTERPRETER_ABI_H

#include "bpf-runtime/abi.h"

#define DT_MAP_INTERPRETERS "interpreters"             /* HASH: struct dt_interpreter by process id (u32) */
/* HASH: struct dt_code_key -> index in DT_MAP_INTERPRETER_TEXTS. */
#define DT_MAP_INTERPRETER_CODES "interpreter_codes"
#define DT_MAP_INTERPRETER_TEXTS "interpreter_texts"   /* ARRAY, mmapable: struct dt_code */
#define DT_MAP_INTERPRETER_COUNTS "interpreter_counts" /* ARRAY, mmapable, 1 entry: struct dt_interpreter_counts */

#define DT_INTERPRETERS 1024 /* maximum number of processes with a known interpreter */
#define DT_CODES 4096        /* maximum number of captured code objects; a power of two */

/* Stack word for a frame of an interpreted program. The high byte is DT_INTERPRETER_TAG, which occurs in no address.
 * The bits below it are an index in DT_MAP_INTERPRETER_TEXTS, and the low half is the instruction's offset in bytes.
 * Index 0 means that the frame has no name. The low half then holds the reason (DT_UNNAMED_*) and, from bit 8 on, the
 * kind of interpreter. */
#define DT_INTERPRETER_TAG 0x7eULL
#define DT_INTERPRETER_WORD(code, low) (DT_INTERPRETER_TAG << 56 | (dt_u64)(code) << 32 | (dt_u32)(low))
#define DT_UNNAMED_BUILD 1      /* the process's memory contradicts the description of this interpreter build */
#define DT_UNNAMED_UNREADABLE 2 /* memory could not be read */
#define DT_UNNAMED_ROOM 3       /* the map of code objects is full */
#define DT_UNNAMED_BEGINS 4     /* the interpreter's loop has just begun, and its first frame is not in the list yet */
#define DT_UNNAMED_THREAD 5     /* the interpreter does not know the thread */
#define DT_UNNAMED_MOVED 6      /* the outer frames of a virtual thread are not on the native stack */

/* `flags` of dt_interpreter */
#define DT_BY_RUN 1         /* a thread points to its current run of frames, and the run to its innermost frame */
#define DT_ENTRY_IS_SHOWN 2 /* the frame that ends a run is shown, because it belongs to the program */
#define DT_UNKNOWN_BUILD 4  /* only the address ranges of this interpreter build are known */
#define DT_EACH_IS_ENTRY 8  /* each frame ends a run */
/* A frame stores the index of its instruction (4 bytes) instead of the address. A code object points to an object that
 * contains the instructions. */
#define DT_INSTRUCTION_IS_INDEX 16
#define DT_FRAME_IS_GLOBAL 32 /* `head` is the address of the pointer to the innermost frame */
/* Each instruction contains its source line, and stack words hold this line instead of the offset. A code object points
 * to its instructions. */
#define DT_INSTRUCTION_HAS_LINE 64
/* While the interpreter's loop runs, register `last_kept` points to the innermost frame's instruction. */
#define DT_REGISTER_HAS_INSTRUCTION 128
/* Frames of the program are native frames with frame pointers; `function` describes the objects of their functions.
 * `loop` contains the runtime's built-in code that has such frames. Generated code is in memory that no file backs. */
#define DT_BY_FRAME_POINTER 256
#define DT_BY_CONTEXT 512 /* frames are elements of context arrays (Perl), which `context` describes */
/* Frames are in an array that grows to lower addresses (Ruby), which `control` describes. `context.pointer` says how
 * `head` leads to the thread's execution context. With DT_POINTER_BY_THREAD, the context is found in a list of
 * threads. */
#define DT_BY_CONTROL_FRAME 1024
/* Frames of the program are native frames of generated code, in memory that no file backs (Java). `cache` describes
 * this code cache. The walk of native frames also uses `cache`, because generated code has no unwind rows. */
#define DT_BY_CODE_CACHE 2048
/* No variable leads to a thread's frames (Lua). Frames are in lists of states. The walk finds the addresses of states
 * on the native stack; `state` describes them. */
#define DT_STATE_ON_STACK 4096
/* A frame stores the address of its next instruction, and a code object points to its instructions. The address in a
 * frame is valid only while the frame calls other code. */
#define DT_INSTRUCTIONS_APART 8192

#define DT_INTERPRETER_RANGES 4
#define DT_CODE_TEXTS 3 /* texts of a code object: name, file, line table */
#define DT_CODE_LINKS 2
#define DT_CODE_HEAD 256 /* captured bytes of a code object */
#define DT_CODE_NAME 256
#define DT_CODE_FILE 512
#define DT_CODE_TABLE 3000
#define DT_FRAME_WORDS 16 /* maximum size in words of a frame's header, without its variables */
#define DT_TEXT_WORDS 16  /* size of the buffer for the words of a text that enter the digest */

struct dt_address_range {
	dt_u64 start, end;
};

/* Objects of V8 (Node.js). A native frame contains pointers to the function object and to its context. A small number
 * instead of the context means that the frame has no function. The function points to a description shared by all
 * closures, which points to the name and the script. Pointers to objects are odd. The first word of an object points to
 * its map, which contains the type. Offsets are in bytes from the even address. */
struct dt_function_layout {
	dt_u32 function_below; /* the pointer to the function is this far below the frame pointer; the context follows
	                      it */
	dt_u32 shared, name, script; /* `shared`: offset in a function of its description; the others: offsets in the
	                            description */
	dt_u32 script_source, script_name, script_lines;
	dt_u32 first_variable; /* index of the word where a scope's variables begin; 5: the source position precedes
	                      them, 3: it follows */
	dt_u32 first_function, last_function, first_context, last_context; /* types */
	dt_u32 shared_type, scope_type, script_type, array_type;
};

/* Bits of a scope's flags (newer V8 versions store them untagged). Scopes with DT_SCOPE_INLINED_NAMES or more variables
 * have the names in a separate table. */
#define DT_SCOPE_KIND 0xf
#define DT_SCOPE_OF_MODULE 3
#define DT_PLAIN_SCOPE_OF_MODULE 5
#define DT_SCOPE_HAS_CLASS (1 << 10)
#define DT_SCOPE_HAS_FUNCTION (3 << 12)
#define DT_SCOPE_HAS_INFERRED (1 << 14)
#define DT_SCOPE_INLINED_NAMES 75

/* Words of dt_code.head for a captured JavaScript function. The low half of a text's word is its form (DT_TEXT_*), the
 * high half its size in bytes. */
enum { DT_FUNCTION_NAME, DT_FUNCTION_FILE, DT_FUNCTION_LINE, DT_FUNCTION_START, DT_FUNCTION_WORDS };
enum { DT_TEXT_NONE, DT_TEXT_1_BYTE, DT_TEXT_2_BYTE, DT_TEXT_ROPE, DT_TEXT_BUILTIN, DT_TEXT_FORMS };
#define DT_TEXT_END 0x100     /* flag of a text's form: only the end of the text is captured */
#define DT_FUNCTION_CHARS 256 /* number of bytes at the end of a text that enter the digest */

/* Objects of Perl. Each thread has an interpreter structure, which points to the current statement and to the innermost
 * context stack. Each context stack points to the next outer one. A function's context points to the function and to
 * the statement of the call. The layout of contexts is the same in all versions. */
struct dt_context_layout {
	dt_u32 pointer; /* DT_POINTER_*: how `head` leads to the pointer to the thread's interpreter
	               structure */
	dt_u32 stack, statement, own_statement; /* offsets in the interpreter structure; own_statement: PL_compiling */
	/* Numbers of operation types. A statement's variant for debuggers is statement_type + 1, and the two kinds of
	 * function ends follow call_type. */
	dt_u32 statement_type, call_type, return_type;
	dt_u32 package_has_names; /* 1: the package object contains the names of the package; 0: they follow its hash
	                         table */
	struct dt_address_range main; /* address range of the native function that runs the main program */
};

/* Values of `pointer`. NEAR_BASE: `head` is an offset from `thread_base`. IN_MODULE: `head` is the address of a
 * thread-local variable's module number and offset. BY_KEY: `head` is the address of a pthread_key_t. */
enum { DT_POINTER_NEAR_BASE, DT_POINTER_IN_MODULE, DT_POINTER_BY_KEY, DT_POINTER_BY_THREAD };

/* Words of dt_code.head for a captured Perl function. `name` contains the function's name, `table` its package; a NUL
 * and a byte of flags follow each. */
enum { DT_CONTEXT_FORM, DT_CONTEXT_NAME_LENGTH, DT_CONTEXT_PACKAGE_LENGTH, DT_CONTEXT_HEAD };
enum {
	DT_CONTEXT_FUNCTION = 1,
	DT_CONTEXT_LEXICAL, /* a lexical function, which belongs to no package */
	DT_CONTEXT_UNNAMED,
	DT_CONTEXT_FORMAT,
	DT_CONTEXT_EVALUATED, /* an eval of a string, or the code of a loaded file */
	DT_CONTEXT_MAIN,
	DT_CONTEXT_FORMS
};
#define DT_CONTEXT_FILE 256 /* bytes of a file name */

/* Objects of Ruby. Each thread has an execution context with an array of control frames. The frame of a Ruby method
 * points to the method's code and to the next instruction. The frame of a method written in C points to a method entry,
 * which contains the number of the method's name. */
struct dt_control_layout {
	dt_u32 pointer_offset; /* offset of the execution context pointer from the address to which `head`
	                      leads */
	dt_u32 frame_size;     /* size of a control frame in bytes */
	dt_u32 lines, lines_count, lines_index; /* offsets in the body of a method's code */
	dt_u32 line_size;                       /* size of an element of `lines` in bytes */
	dt_u32 text_embedded; /* offset in a String object of its bytes, if the object contains them */
	dt_u32 last_operator; /* names with a number above this one have low bits that tell their kind */
	dt_u64 names;         /* address of the pointer to the array of names, indexed by number; 0:
	                     unknown */
};

/* Words of dt_code.head for a captured Ruby method. The low half of a text's word is its size in bytes, the high half
 * its encoding. */
enum { DT_METHOD_FORM, DT_METHOD_NAME, DT_METHOD_FILE, DT_METHOD_WORDS };
enum { DT_METHOD_IN_RUBY = 1, DT_METHOD_IN_C, DT_METHOD_FORMS };

/* Objects of HotSpot (Java). Generated code is in the heaps of a code cache. A heap consists of segments; a table has a
 * byte for each segment, which leads to the first segment of its block. A block consists of a header and a blob of
 * code, whose frames have a constant size. The blob of a compiled method (nmethod) lists the return addresses of its
 * calls, each with the methods that were inlined there. One blob contains the interpreter, whose frames have frame
 * pointers. */
struct dt_code_cache_layout {
	dt_u64 heaps, interpreter; /* addresses of two pointers: to the array of heaps, and to the interpreter's code */
	dt_u64 call_stub;  /* address of a variable: the return address in the stub through which native code calls
	                  methods */
	dt_u32 array_data; /* offset of the elements in a GrowableArray */
	/* Offsets in a heap; heap_bits: offset of log2 of a segment's size. */
	dt_u32 heap_memory, heap_segments, heap_bits;
	dt_u32 block_size, block_used;  /* size of a block's header; offset in it of a byte that is 1 if the
	                               block is in use */
	dt_u32 queue_start, queue_size; /* offsets in the StubQueue with the interpreter's code */
	/* Offsets in a blob. The words with the comment "marked" are offsets in the blob if the flag DT_CACHE_OFFSETS
	 * is set, else addresses. */
	dt_u32 code /* marked */, complete, frame_words, name, kind, method;
	dt_u32 deoptimised[2] /* marked */; /* return addresses of calls into a method whose code has become invalid */
	dt_u32 original_pc;                 /* word with the distance of the original return address from the stack
	                                   pointer */
	dt_u32 places, places_end; /* start and end of the list of return addresses, from the start of the blob or
	                          of `immutable` */
	dt_u32 scopes;             /* inlined scopes: their address, or their offset from `immutable` */
	dt_u32 immutable;          /* address of separate memory with the lists; 0: the blob contains them */
	dt_u32 metadata;                    /* offset of the methods */
	dt_u32 changing, relocations; /* address of separate memory with the methods, and size of the relocations before
	                             them; 0: the blob contains them */
	/* Offsets in a Method; then in its ConstMethod, whose header has the size `constant_size`; then in its
	 * ConstantPool. */
	dt_u32 constant, access;
	dt_u32 constants, constant_words, constant_flags, code_size, name_index, number, constant_size;
	dt_u32 tags, holder, source_index, constants_size;
	dt_u32 class_name, class_methods,
		class_source_index; /* offsets in a class; class_source_index: 0 if the ConstantPool contains it */
	dt_u32 methods_data;        /* offset of the elements in an array of methods */
	dt_u32 text_length, text;   /* offsets in a Symbol (name or path) of its length and its characters */
	dt_u32 kind_of_method;      /* value of `kind` */
	dt_u32 has_lines;           /* bit in constant_flags */
	dt_u32 flags;
};

/* Flag of dt_code_cache_layout: `code` and `deoptimised` are offsets in the blob, not addresses. */
#define DT_CACHE_OFFSETS 1
/* Blobs have a kind; without the flag, compiled methods have the name "nmethod" or "native nmethod". */
#define DT_CACHE_HAS_KINDS 2
#define DT_CACHE_EXCLUDES_0 4  /* compressed numbers never contain a byte 0 */
#define DT_CACHE_SHORT_START 8 /* `complete` has 2 bytes */

/* Words of dt_code.head for a captured Java method. `table` begins with the class name; the line table follows. */
enum { DT_JAVA_FORM, DT_JAVA_NAME, DT_JAVA_CLASS, DT_JAVA_FILE, DT_JAVA_LINES, DT_JAVA_WORDS };
enum { DT_JAVA_IN_JAVA = 1, DT_JAVA_NATIVE, DT_JAVA_FORMS };
#define DT_JAVA_CLASS_BYTES 512
#define DT_JAVA_NO_PLACE (-0x7fffffff - 1) /* replaces the offset of an unknown instruction */

/* Objects of Lua. A program has several states (coroutines), each with a list of frames; one or more states run in a
 * thread. Each protected call puts a jump buffer on the native stack. The state points to its innermost jump buffer,
 * and each jump buffer to the next outer one. So a native frame belongs to the state of the next jump buffer above it.
 * A function with a jump buffer also stores the address of its state. The first state directly precedes an object that
 * all states share. */
struct dt_state_layout {
	dt_u32 type_at, type;   /* offset in a state of the byte with its type, and the value of that byte */
	dt_u32 shared, size;    /* offset in a state of the pointer to the shared object; size of a state */
	dt_u32 jump, jump_next; /* offset in a state of the pointer to its innermost jump buffer; in a jump buffer, of
	                       the next outer one (0: none) */
	dt_u32 idle_frame, idle_byte; /* offsets in a state. A suspended state has its outermost frame at `idle_frame`
	                             as its current one, or a byte at `idle_byte` that is not 0 */
};

/* A pointer in the chain of objects from a frame to its code object. The object with the pointer must have the byte
 * `type` at `type_at`. */
struct dt_code_link {
	dt_u32 type_at, type, pointer;
};

/* Values of `text_form`. A text stores its length, ends with a NUL, or is an array. The length of an array is the 4
 * bytes of the code object at `text_length`. */
enum { DT_TEXT_IS_COUNTED, DT_TEXT_IS_TERMINATED, DT_TEXT_IS_ARRAY };

/* How to find the frames of a process's interpreter. Offsets are in bytes. */
struct dt_interpreter {
	dt_u32 kind, flags;
	dt_u64 head;                                    /* address of the pointer to the first interpreter */
	dt_u32 next_interpreter, first_thread;          /* in an interpreter */
	dt_u32 next_thread, thread_id, frame_of_thread; /* in a thread */
	dt_u32 frame_of_run;                            /* in a run */
	dt_u32 frame_size, code_of_frame, next_frame, instruction, entry; /* offsets in a frame; `entry` is the offset
	                                                                 of a byte with flags */
	dt_u32 entry_value;      /* value of the byte at `entry`, masked by entry_mask, in the frame that ends a run */
	dt_u32 entry_mask;       /* bits of the byte at `entry` to compare with entry_value */
	dt_u32 instruction_size; /* size of an instruction in bytes */
	dt_u32 instruction_line; /* offset in an instruction of its line */
	dt_u32 beginning;     /* number of bytes at the start of `loop` during which a run's first frame is not in the
	                     list yet */
	dt_u32 left_out_mask; /* bits of the byte at `entry` that are set in frames of native functions */
	dt_u32 kind_at;       /* offset in a code object of the byte with its kind, if `kinds` is not 0 */
	struct dt_code_link links[DT_CODE_LINKS]; /* the pointers from a frame to its code object; the first
	                                         `link_count` are used */
	dt_u64 link_count;
	dt_u64 pointer_mask; /* mask that removes tag bits from the pointer to a code object */
	dt_u64 code_type;    /* address of the type of code objects; the second word of a code object points to it */
	dt_u32 code_size, code_instructions, code_length; /* size of a code object; offset of its instructions or of the
	                                                 pointer to them; offset of their number. With
	                                                 DT_INSTRUCTION_IS_INDEX: code_length is the offset of the byte
	                                                 count in the object with the instructions */
	/* If not 0, code objects have a byte with their kind instead of a type. Bit N of `kinds` is set if kind N is a
	 * function of the program, bit N of `left_out_kinds` if frames of kind N are not shown. Frames without a code
	 * object are not shown either. */
	dt_u32 kinds, left_out_kinds;
	/* Offset in a code object. With DT_INSTRUCTION_HAS_LINE: of a word with its first and last line. With
	 * DT_INSTRUCTIONS_APART: of a word with its first line, which enters the digest. */
	dt_u32 code_lines;
	dt_u32 texts[DT_CODE_TEXTS]; /* offsets in a code object of the pointers to its texts */
	/* If not 0, the pointer in `texts` leads to an object, and this is the offset in that object of the pointer to
	 * the text. Texts may be missing if `kinds` is not 0. */
	dt_u32 text_pointer[DT_CODE_TEXTS];
	dt_u32 text_length[DT_CODE_TEXTS], text_data[DT_CODE_TEXTS], text_form[DT_CODE_TEXTS];
	struct dt_address_range loop[DT_INTERPRETER_RANGES]; /* the interpreter's loop: each native frame of it executes
	                                                    a run of the program's frames */
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

/* A code object and its texts, captured when the walk found the code object for the first time. */
struct dt_code {
	dt_u64 code;
	dt_u32 process, kind;
	dt_u32 got[DT_CODE_TEXTS]; /* number of captured bytes of each text */
	dt_u32 reserved;
	unsigned char head[DT_CODE_HEAD], name[DT_CODE_NAME], file[DT_CODE_FILE], table[DT_CODE_TABLE];
};

struct dt_interpreter_counts {
	dt_u64 used; /* last index in DT_MAP_INTERPRETER_TEXTS that is in use */
	dt_u64 full; /* number of frames that got no name because the map was full */
	dt_u64 reserved[6];
};

#define DT_IN_NO_FILE 1 /* the frame's code is in no known mapping */

/* Working memory for finding the name of a JavaScript function (struct dt_function_layout). */
struct dt_function {
	dt_u64 frame[2], closure[8], shared[8], scope[8], names[8], script[9], string[4], array[2];
	dt_u64 text_at, text_bytes, text_form; /* the text found last */
	dt_u64 chars[2 * DT_FUNCTION_CHARS / 8];
	dt_u64 newlines, returns, count_at, count_left, count_wide; /* counts of line ends in the script's source before
	                                                           the function, and the state of the counting */
};

/* Working memory for contexts (struct dt_context_layout). */
struct dt_context_walk {
	dt_u64 stack[6];                                                /* the stack of contexts */
	dt_u64 left;                                                    /* number of contexts of `stack` that were not
	                                                               visited yet */
	dt_u64 at;        /* address of the next frame's current statement */
	dt_u64 operation; /* type of the operation that the interpreter
	                 executes */
	dt_u64 is_innermost;                                            /* 1: no frame was found yet */
	dt_u64 has_main;            /* 1: an interpreter's loop runs the main program */
	dt_u64 line, file;          /* line of the frame; address of its file's name */
	dt_u64 name_at, package_at; /* addresses of the function's and the package's
	                           name; 0: none */
	dt_u64 name, package;       /* words with the hash of the name and, in the high
	                           half, its length */
	dt_u64 context[13], object[3], body[9], statement[7], names[4]; /* objects in memory */
};

/* Working memory for Ruby's control frames (struct dt_control_layout). */
struct dt_control_walk {
	dt_u64 at, start, end;                      /* address of the next frame; bounds of the array of frames */
	dt_u64 waiting, waiting_end;                /* range in `found` of C methods' frames that wait for their Ruby
	                                           caller */
	dt_u64 runs_end;                            /* number of words in `found` that belong to runs */
	dt_u64 names_waiting;                       /* 1: the next steps name the waiting frames */
	dt_u64 is_last;                             /* 1: the walk ends when the waiting frames are named */
	dt_u64 form, line;                          /* form of the frame (DT_METHOD_IN_*); line of the last Ruby method
	                                           found */
	dt_u64 name, name_at, file, file_at; /* words of texts, as in dt_code.head (DT_METHOD_NAME), and the texts'
	                                    addresses */
	dt_u64 frame[5], variables[3];       /* copies: the beginning of a frame, and its last variables */
	dt_u64 code[3], body[32], text[5], rank[2]; /* objects in memory */
};

/* Working memory for Lua's states (struct dt_state_layout). */
struct dt_state_walk {
	dt_u64 phase;           /* enum in stack_states.h: what the next step does */
	dt_u64 at, from, limit; /* address of the next word of the native stack; only states with a jump buffer above
	                       `from` are searched */
	dt_u64 jump, best;      /* lowest jump buffer found above `from`, and its state; 0: none */
	dt_u64 end;             /* outermost jump buffer of the current state */
	dt_u64 first_loop;      /* number of native frames that are inner to the innermost loop */
	dt_u64 loop;            /* number of loops that already have a run, innermost first */
	dt_u64 ended;           /* number of words in `found` that belong to complete runs */
	dt_u64 is_first;        /* 1: the current state is the innermost one */
	dt_u64 has_jumps;       /* 1: the current state has several jump buffers */
	dt_u64 is_saved;        /* 1: the next frame is a caller, so its instruction is stored in it */
	dt_u64 is_done;         /* 1: every loop has a run */
	dt_u64 words_at, words[16], state[16], first[4];
};

/* Kinds of frames of a code cache, in the low bits of dt_mixed.frame_pointers. The high bits depend on the kind. */
#define DT_CACHE_BITS 7
#define DT_CACHE_INTERPRETED 2 /* an interpreted frame; the high bits are the frame pointer */
#define DT_CACHE_BEGINS 3      /* the interpreter is building a frame */
#define DT_CACHE_COMPILED 4    /* a frame of compiled code; the high bits are the address of the blob */
/* An interpreted frame that a signal has interrupted; the high bits are the frame pointer. */
#define DT_CACHE_INTERRUPTED 5
#define DT_CACHE_STUB 6        /* a stub's frame, which belongs to no method; the high bits are 0 or DT_CACHE_MOVED */
#define DT_CACHE_BETWEEN 7     /* the interpreter is between two frames; the walk ends */

/* Flag of DT_CACHE_STUB: the stub moves frames of a virtual thread to the stack. */
#define DT_CACHE_MOVED 8

#define DT_CACHE_HEAPS 4

/* Working memory for code caches (struct dt_code_cache_layout). */
struct dt_code_cache_walk {
	dt_u64 is_known; /* 1: heaps were read in this walk */
	struct dt_code_heap {
		dt_u64 start, end, segments, bits;
	} heaps[DT_CACHE_HEAPS];
	dt_u64 interpreter, interpreter_bytes;
	dt_u64 instruction; /* bytecode address of the innermost frame, if it is interpreted */
	dt_u64 at;          /* address of the blob that `blob` contains */
	dt_u64 blob[18], code[2], frame[10], array[4];
	dt_u64 kept;            /* the current frame's element of dt_mixed.frame_pointers; 0: none */
	dt_u64 found, found_at; /* address of a method, and offset of a bytecode in it */
	/* Offset of the next scope, 0: none; addresses of all scopes and of the metadata. */
	dt_u64 scope, scopes, metadata;
	dt_u64 place, offset; /* state of the binary search in the list of return addresses */
	dt_u64 method[8], constant[8], constants[9], text[5], bytes[2];
	dt_u64 holder, name, class_name, file; /* addresses */
};

/* Working memory for a stack with frames of interpreters. */
struct dt_mixed {
	struct dt_walk walk;
	dt_u64 thread_base; /* thread pointer: base address of thread-local variables; 0: unknown */
	dt_u64 last_kept;   /* value of the last callee-saved register */
	dt_u64 interpreter, thread, frame;
	dt_u64 is_known;                     /* 1: the interpreter knows the thread */
	dt_u64 loops, runs;                  /* number of native frames of the interpreter's loop; number of runs */
	dt_u64 found_count, next, at, count; /* `next`: next index in `found`; `at`: next index in the native stack */
	dt_u64 in_run;                       /* 1: the next output words come from a run */
	dt_u64 remains;                      /* 1: some runs belong to no native frame of the loop */
	dt_u64 early;                        /* number of innermost runs whose native loop frame does not exist yet */
	dt_u64 texts[DT_CODE_TEXTS];         /* addresses of the texts of the code object that `head` contains; 0:
	                                    missing */
	dt_u64 reason;
	dt_u64 most, shows_own;
	dt_u64 bytes; /* size of `frames` in bytes */
	dt_u64 block[DT_FRAME_WORDS], text[DT_TEXT_WORDS], head[DT_CODE_HEAD / 8];
	struct dt_code_key key;
	dt_u64 found[DT_UNWIND_FRAMES];  /* words for the frames of all runs; RUN_END (1) ends each run */
	dt_u64 frames[DT_UNWIND_FRAMES]; /* the resulting stack */
	dt_u64 sp;                       /* stack pointer of the innermost frame */
	/* Frame pointers of native frames without unwind rows, with the flag DT_IN_NO_FILE or a DT_CACHE_* kind in the
	 * low bits; 0: the frame has unwind rows. */
	dt_u64 frame_pointers[DT_UNWIND_FRAMES];
	struct dt_function function;
	struct dt_context_walk contexts;
	struct dt_control_walk control;
	struct dt_code_cache_walk cache;
	dt_u64 stack_pointers[DT_UNWIND_FRAMES]; /* stack pointers of the native frames */
	dt_u64 link[4];                          /* copy of an object in the chain from a frame to its code object */
	/* Results cached during one walk. They stay valid because the thread does not run meanwhile. 0: none. */
	dt_u64 last_code, last_position; /* address of the code object that `head` contains, and its index in
	                                DT_MAP_INTERPRETER_TEXTS */
	dt_u64 last_link, last_linked;   /* address of an object of the chain, and the pointer read from it */
	dt_u64 last_file, last_file_length, last_file_sum;
	struct dt_state_walk states;
};

#endif
