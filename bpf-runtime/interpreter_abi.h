/* Maps and records of jstack() for programs that an interpreter runs. interpreters.bpf.c walks the frames;
 * libdtrace/interpreters fills the maps and names frames. */
#ifndef DT_INTERPRETER_ABI_H
#define DT_INTERPRETER_ABI_H

#include "bpf-runtime/abi.h"

#define DT_MAP_INTERPRETERS "interpreters"             /* HASH: struct dt_interpreter by process id (u32) */
#define DT_MAP_INTERPRETER_CODES "interpreter_codes"   /* HASH: position in the next map by struct dt_code_key */
#define DT_MAP_INTERPRETER_TEXTS "interpreter_texts"   /* ARRAY, mmapable: struct dt_code */
#define DT_MAP_INTERPRETER_COUNTS "interpreter_counts" /* ARRAY, mmapable, 1 entry: struct dt_interpreter_counts */

#define DT_INTERPRETERS 1024 /* processes with an interpreter known at a time */
#define DT_CODES 4096        /* code objects known at a time; a power of two */

/* A word of a stack that stands for a frame of an interpreter: DT_INTERPRETER_TAG in the high byte, which no address
 * has, a position in DT_MAP_INTERPRETER_TEXTS, and in the low half the instruction's offset in bytes. Position 0 says
 * that the frame has no name; the low half is then the reason and, from bit 8 on, the kind of interpreter. */
#define DT_INTERPRETER_TAG 0x7eULL
#define DT_INTERPRETER_WORD(code, low) (DT_INTERPRETER_TAG << 56 | (dt_u64)(code) << 32 | (dt_u32)(low))
#define DT_UNNAMED_BUILD 1      /* memory does not look as the description of this build says */
#define DT_UNNAMED_UNREADABLE 2 /* memory could not be read */
#define DT_UNNAMED_ROOM 3       /* no room for a further code object */
#define DT_UNNAMED_BEGINS 4     /* a run of frames is just beginning: its first frame is not linked yet */
#define DT_UNNAMED_THREAD 5     /* the interpreter does not know the thread */
#define DT_UNNAMED_MOVED 6      /* frames that follow are not on the thread's stack */

/* `flags` of dt_interpreter */
#define DT_BY_RUN 1         /* a thread points to a run, which points to its innermost frame */
#define DT_ENTRY_IS_SHOWN 2 /* the frame that ends a run is a frame of the program */
#define DT_UNKNOWN_BUILD 4  /* only the address ranges are known */
#define DT_EACH_IS_ENTRY 8  /* each frame ends a run */
/* A frame has the number of its instruction (4 bytes), not its address; a code object points to an object with the
 * instructions. */
#define DT_INSTRUCTION_IS_INDEX 16
#define DT_FRAME_IS_GLOBAL 32 /* `head` is the address of the pointer to the innermost frame */
/* An instruction has its line, which a word has in place of the offset. A code object points to its instructions. */
#define DT_INSTRUCTION_HAS_LINE 64
#define DT_REGISTER_HAS_INSTRUCTION 128 /* while the loop runs, `last_kept` is the innermost frame's instruction */
/* Frames of the program are native frames with frame pointers. Their functions are objects that `function` describes.
 * `loop` is then the runtime's code that has such frames; its other code is in no file. */
#define DT_BY_FRAME_POINTER 256
#define DT_BY_CONTEXT 512 /* frames are in arrays of contexts, which `context` describes */
/* Frames are in an array that grows to lower addresses, which `control` describes. `head` leads to the thread's
 * execution context as `context.pointer` says, or with DT_POINTER_BY_THREAD like to the innermost frame of a thread in
 * a list. */
#define DT_BY_CONTROL_FRAME 1024
/* Frames of the program are native frames of code that the runtime wrote to memory of no file, which `cache` describes.
 * The walk of native frames also uses that description, because such frames have no unwind rows. */
#define DT_BY_CODE_CACHE 2048
/* No variable leads to a thread's frames: states, which have lists of frames, are found by words of the native stack, as
 * `state` describes. */
#define DT_STATE_ON_STACK 4096
/* A frame has the address of its next instruction, and a code object points to its instructions. A frame's instruction
 * is known once the frame has called native code. */
#define DT_INSTRUCTIONS_APART 8192

#define DT_INTERPRETER_RANGES 4
#define DT_CODE_TEXTS 3  /* name, file, table of lines */
#define DT_CODE_LINKS 2
#define DT_CODE_HEAD 256 /* bytes of a code object that are kept */
#define DT_CODE_NAME 256
#define DT_CODE_FILE 512
#define DT_CODE_TABLE 3000
#define DT_FRAME_WORDS 16 /* maximum size of a frame in words, without its variables */
#define DT_TEXT_WORDS 16  /* room for the words of a text that distinguish code objects at one address */

struct dt_address_range {
	dt_u64 start, end;
};

/* A frame with a frame pointer has the function's object and its context. A word in place of the context that is no
 * object says that the frame has no function. V8 (Node.js) has this form. The function leads to a description shared by
 * all closures, this to its name and its script. Addresses of objects are odd; the first word of an object points to
 * its map, which contains the type. Offsets are in bytes, from the even address. */
struct dt_function_layout {
	dt_u32 function_below;       /* distance of the function from the frame pointer; the context follows it */
	dt_u32 shared, name, script; /* in a function; in its shared description */
	dt_u32 script_source, script_name, script_lines;
	dt_u32 first_variable; /* first word of a scope's variables; 5: positions are before them, 3: after them */
	dt_u32 first_function, last_function, first_context, last_context; /* types */
	dt_u32 shared_type, scope_type, script_type, array_type;
};

/* Bits of a scope's flags, which are a plain number in newer versions, and the number of variables from which their
 * names are in a table. */
#define DT_SCOPE_KIND 0xf
#define DT_SCOPE_OF_MODULE 3
#define DT_PLAIN_SCOPE_OF_MODULE 5
#define DT_SCOPE_HAS_CLASS (1 << 10)
#define DT_SCOPE_HAS_FUNCTION (3 << 12)
#define DT_SCOPE_HAS_INFERRED (1 << 14)
#define DT_SCOPE_INLINED_NAMES 75

/* Captured function: the words of `head` in struct dt_code. A text is its form and, in the high half, its bytes. */
enum { DT_FUNCTION_NAME, DT_FUNCTION_FILE, DT_FUNCTION_LINE, DT_FUNCTION_START, DT_FUNCTION_WORDS };
enum { DT_TEXT_NONE, DT_TEXT_1_BYTE, DT_TEXT_2_BYTE, DT_TEXT_ROPE, DT_TEXT_BUILTIN, DT_TEXT_FORMS };
#define DT_TEXT_END 0x100     /* added to a form: only the end of the text is captured */
#define DT_FUNCTION_CHARS 256 /* bytes of a text that count in the digest, from its end */

/* A thread has an interpreter, which points to the innermost of several stacks of contexts, each with a pointer to the
 * one before, and to the current statement. A context of a function has the function and the statement of the call.
 * Perl has this form. The layout of contexts is the same in all versions. */
struct dt_context_layout {
	dt_u32 pointer;                         /* how `head` leads to the pointer to the thread's interpreter */
	dt_u32 stack, statement, own_statement; /* in an interpreter; own_statement: the one of its compiler */
	/* Types of operations: statement, its variant for debuggers; call, two kinds of end of a function; return. */
	dt_u32 statement_type, call_type, return_type;
	dt_u32 package_has_names;     /* 1: a package's object has its names. 0: they are behind its table */
	struct dt_address_range main; /* the function that runs the main program */
};

/* Values of `pointer`: `head` is the distance from `thread_base`, or the address of the module and the offset of a
 * thread-local variable, or the address of the number of a key (pthread_key_t). */
enum { DT_POINTER_NEAR_BASE, DT_POINTER_IN_MODULE, DT_POINTER_BY_KEY, DT_POINTER_BY_THREAD };

/* Captured function of a context: the words of `head` in struct dt_code. Its name is in `name`, its package in `table`,
 * each with a zero byte and a byte of flags. */
enum { DT_CONTEXT_FORM, DT_CONTEXT_NAME_LENGTH, DT_CONTEXT_PACKAGE_LENGTH, DT_CONTEXT_HEAD };
enum {
	DT_CONTEXT_FUNCTION = 1,
	DT_CONTEXT_LEXICAL, /* a function without a package */
	DT_CONTEXT_UNNAMED,
	DT_CONTEXT_FORMAT,
	DT_CONTEXT_EVALUATED, /* an evaluated text, or the code of a file that was loaded */
	DT_CONTEXT_MAIN,
	DT_CONTEXT_FORMS
};
#define DT_CONTEXT_FILE 256 /* bytes of a file name */

/* A thread has an execution context, with an array of control frames. A frame has its method's code and the address of
 * its next instruction, or it is of a method in C, whose frame has an entry with the number of its name. Ruby has this
 * form. */
struct dt_control_layout {
	dt_u32 pointer_offset;                  /* added to the address to which `head` leads */
	dt_u32 frame_size;                      /* of a control frame */
	dt_u32 lines, lines_count, lines_index; /* in the body of a method's code */
	dt_u32 line_size;                       /* of an element of `lines` */
	dt_u32 text_embedded;                   /* in a text: its bytes, if they are in the text itself */
	dt_u32 last_operator;                   /* largest number of a name without bits for its kind */
	dt_u64 names;                           /* address of the pointer to the names by number; 0: unknown */
};

/* Captured method: the words of `head` in struct dt_code. A text is its bytes and, in the high half, its encoding. */
enum { DT_METHOD_FORM, DT_METHOD_NAME, DT_METHOD_FILE, DT_METHOD_WORDS };
enum { DT_METHOD_IN_RUBY = 1, DT_METHOD_IN_C, DT_METHOD_FORMS };

/* Machine code is in the heaps of a code cache. A heap consists of segments, with a byte for each that leads to the
 * first segment of its block. A block has a header and a blob, whose frames have a constant size. A blob of a compiled
 * method (nmethod) lists the addresses that calls return to, each with the methods that were inlined there. A further
 * blob has an interpreter's code, whose frames have frame pointers. HotSpot (Java) has this form. */
struct dt_code_cache_layout {
	dt_u64 heaps, interpreter; /* addresses of the pointers to the array of heaps, to the interpreter's code */
	dt_u64 call_stub;          /* address of the return address in the stub that native code calls methods by */
	dt_u32 array_data;         /* in an array that begins with its length */
	dt_u32 heap_memory, heap_segments, heap_bits; /* in a heap; heap_bits: logarithm of a segment's size */
	dt_u32 block_size, block_used;                /* size of a block's header; in it: a byte, 1 if it is used */
	dt_u32 queue_start, queue_size;               /* in the interpreter's code */
	/* In a blob. Words that are marked with DT_CACHE_OFFSETS are offsets in the blob, else addresses. */
	dt_u32 code /* marked */, complete, frame_words, name, kind, method;
	dt_u32 deoptimised[2] /* marked */; /* where calls return to whose code is no longer valid */
	dt_u32 original_pc;                 /* offset from the stack pointer of the original return address */
	dt_u32 places, places_end;          /* offsets of the list of addresses, from the blob or `immutable` */
	dt_u32 scopes;                      /* address, or offset from `immutable` */
	dt_u32 immutable;                   /* address of a part with the lists; 0: they are in the blob */
	dt_u32 metadata;                    /* offset of the methods */
	dt_u32 changing, relocations; /* address of a part with the methods, after so many bytes; 0: in the blob */
	/* In a method; in its constant part, whose header has size `constant_size`; in its constants. */
	dt_u32 constant, access;
	dt_u32 constants, constant_words, constant_flags, code_size, name_index, number, constant_size;
	dt_u32 tags, holder, source_index, constants_size;
	dt_u32 class_name, class_methods,
		class_source_index; /* in a class; class_source_index: 0 if in the constants */
	dt_u32 methods_data;        /* in an array of methods that begins with its length */
	dt_u32 text_length, text;   /* in a text */
	dt_u32 kind_of_method;      /* value of `kind` */
	dt_u32 has_lines;           /* bit in constant_flags */
	dt_u32 flags;
};

#define DT_CACHE_OFFSETS 1     /* flags of dt_code_cache_layout */
#define DT_CACHE_HAS_KINDS 2   /* a blob has a kind, else the name "nmethod" or "native nmethod" */
#define DT_CACHE_EXCLUDES_0 4  /* bytes of compressed numbers are never 0 */
#define DT_CACHE_SHORT_START 8 /* `complete` has 2 bytes */

/* Captured method: the words of `head` in struct dt_code. The class is at the start of `table`, the lines follow. */
enum { DT_JAVA_FORM, DT_JAVA_NAME, DT_JAVA_CLASS, DT_JAVA_FILE, DT_JAVA_LINES, DT_JAVA_WORDS };
enum { DT_JAVA_IN_JAVA = 1, DT_JAVA_NATIVE, DT_JAVA_FORMS };
#define DT_JAVA_CLASS_BYTES 512
#define DT_JAVA_NO_PLACE (-0x7fffffff - 1) /* in place of the offset of an instruction that is not known */

/* A program has several states, each with a list of frames, and one or more of them run in a thread. Each protected call
 * of a state has a jump on the native stack, which a state and a jump point to as a list, innermost first. So native
 * frames belong to the state of the next jump above them, and a function that has a jump also has its state's address.
 * Lua has this form. The first state is directly before an object that all states point to. */
struct dt_state_layout {
	dt_u32 type_at, type;         /* in a state: a byte, and its value */
	dt_u32 shared, size;          /* pointer to the shared object; size of a state */
	dt_u32 jump, jump_next;       /* in a state, in a jump: pointer to the next jump outwards; 0 ends the list */
	dt_u32 idle_frame, idle_byte; /* in a state that does not run: its outermost frame; a byte that is 0 otherwise */
};

/* A pointer on the way from a frame to its code object: the object that it is in has this byte at `type_at`. */
struct dt_code_link {
	dt_u32 type_at, type, pointer;
};

/* Values of `text_form`. Texts may be counted (their length is in the text), end with a zero byte, or be arrays, whose
 * length `text_length` is 4 bytes of the code object. */
enum { DT_TEXT_IS_COUNTED, DT_TEXT_IS_TERMINATED, DT_TEXT_IS_ARRAY };

/* How to find the frames of a process's interpreter. Offsets are in bytes. */
struct dt_interpreter {
	dt_u32 kind, flags;
	dt_u64 head;                                    /* address of the pointer to the first interpreter */
	dt_u32 next_interpreter, first_thread;          /* in an interpreter */
	dt_u32 next_thread, thread_id, frame_of_thread; /* in a thread */
	dt_u32 frame_of_run;                            /* in a run */
	dt_u32 frame_size, code_of_frame, next_frame, instruction, entry; /* in a frame; `entry` is a byte */
	dt_u32 entry_value;      /* value of that byte in the frame that ends a run */
	dt_u32 entry_mask;       /* bits of that byte that count */
	dt_u32 instruction_size; /* bytes of an instruction, if a frame has its number, or if it has its line */
	dt_u32 instruction_line; /* in an instruction: its line */
	dt_u32 beginning;        /* bytes at the start of the loop in which a run's first frame is not linked yet */
	dt_u32 left_out_mask;    /* bits of that byte that frames of native functions have */
	dt_u32 kind_at;          /* in a code object: the byte with its kind, if `kinds` is not 0 */
	struct dt_code_link links[DT_CODE_LINKS]; /* the first `link_count` of them lead from a frame to its code object */
	dt_u64 link_count;
	dt_u64 pointer_mask;     /* bits of the pointer to the code object that belong to the address */
	dt_u64 code_type;        /* address of the type of code objects, which their second word contains */
	dt_u32 code_size, code_instructions, code_length; /* in a code object: its size, where the instructions begin,
	                                                     the number of instructions (2 bytes each). For instructions
	                                                     by number: size, pointer to the object with the
	                                                     instructions; in that object: their bytes. For
	                                                     instructions with lines: size, pointer to the
	                                                     instructions, their number */
	/* If not 0: code objects have no type, and a byte is their kind. Sets of the kinds of functions of the program, and
	 * of functions that are left out: bit N is kind N. A frame without a code object is left out. */
	dt_u32 kinds, left_out_kinds;
	/* In a code object whose instructions have lines: a word with its first and last line. Where instructions are
	 * apart: a word with its first line, which counts in the digest. */
	dt_u32 code_lines;
	dt_u32 texts[DT_CODE_TEXTS]; /* in a code object: pointers to the texts */
	/* If not 0: the pointer is to an object, and this is the offset of the pointer to the text in it. Texts may be
	 * missing if `kinds` is not 0. */
	dt_u32 text_pointer[DT_CODE_TEXTS];
	dt_u32 text_length[DT_CODE_TEXTS], text_data[DT_CODE_TEXTS], text_form[DT_CODE_TEXTS];
	struct dt_address_range loop[DT_INTERPRETER_RANGES]; /* the function whose frames stand for runs */
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

/* A code object and its texts, as they were in memory when the code object was first met. */
struct dt_code {
	dt_u64 code;
	dt_u32 process, kind;
	dt_u32 got[DT_CODE_TEXTS]; /* bytes of the texts that could be read */
	dt_u32 reserved;
	unsigned char head[DT_CODE_HEAD], name[DT_CODE_NAME], file[DT_CODE_FILE], table[DT_CODE_TABLE];
};

struct dt_interpreter_counts {
	dt_u64 used; /* last position given out in DT_MAP_INTERPRETER_TEXTS */
	dt_u64 full; /* frames without a name for lack of room */
	dt_u64 reserved[6];
};

#define DT_IN_NO_FILE 1 /* the frame's code is in no known mapping */

/* Working memory for the name of a function (struct dt_function_layout). */
struct dt_function {
	dt_u64 frame[2], closure[8], shared[8], scope[8], names[8], script[9], string[4], array[2];
	dt_u64 text_at, text_bytes, text_form; /* the text found last */
	dt_u64 chars[2 * DT_FUNCTION_CHARS / 8];
	dt_u64 newlines, returns, count_at, count_left, count_wide; /* of a script's source before the function */
};

/* Working memory for contexts (struct dt_context_layout). */
struct dt_context_walk {
	dt_u64 stack[6];                                                /* the stack of contexts */
	dt_u64 left;                                                    /* its contexts that were not visited yet */
	dt_u64 at;                                                      /* statement of the frame that comes next */
	dt_u64 operation;                                               /* type of the operation that runs */
	dt_u64 is_innermost;                                            /* 1: no frame was found yet */
	dt_u64 has_main;                                                /* 1: a loop runs the main program */
	dt_u64 line, file;                                              /* of the frame; address of the file's name */
	dt_u64 name_at, package_at;                                     /* addresses of texts; 0: none */
	dt_u64 name, package;                                           /* hash and, in the high half, length */
	dt_u64 context[13], object[3], body[9], statement[7], names[4]; /* objects in memory */
};

/* Working memory for control frames (struct dt_control_layout). */
struct dt_control_walk {
	dt_u64 at, start, end;                      /* the next frame; bounds of all frames */
	dt_u64 waiting, waiting_end;                /* frames of methods in C, in `found`, whose caller comes next */
	dt_u64 runs_end;                            /* number of words in `found` that belong to runs */
	dt_u64 names_waiting;                       /* 1: these frames are named next */
	dt_u64 is_last;                             /* 1: then the walk ends */
	dt_u64 form, line;                          /* of the frame; the line of the innermost frame in Ruby */
	dt_u64 name, name_at, file, file_at;        /* captured text (DT_METHOD_NAME), and its address */
	dt_u64 frame[5], variables[3];              /* beginning of a frame; its last variables */
	dt_u64 code[3], body[32], text[5], rank[2]; /* objects in memory */
};

/* Working memory for states (struct dt_state_layout). */
struct dt_state_walk {
	dt_u64 phase;           /* what the next step does */
	dt_u64 at, from, limit; /* the next word of the native stack; states of jumps above `from` are searched */
	dt_u64 jump, best;      /* lowest jump found above `from`, and its state; 0: none */
	dt_u64 end;             /* outermost jump of the current state */
	dt_u64 first_loop;      /* number of native frames inside of the innermost loop */
	dt_u64 loop;            /* number of innermost loops that have a run */
	dt_u64 ended;           /* number of words in `found` that belong to ended runs */
	dt_u64 is_first;        /* 1: the current state is the innermost one */
	dt_u64 has_jumps;       /* 1: the current state has several jumps */
	dt_u64 is_saved;        /* 1: the next frame has called native code */
	dt_u64 is_done;         /* 1: all loops were matched with runs */
	dt_u64 words_at, words[16], state[16], first[4];
};

/* Kinds of frames of a code cache, in the low bits of dt_mixed.frame_pointers. */
#define DT_CACHE_BITS 7
#define DT_CACHE_INTERPRETED 2 /* the rest is the frame pointer */
#define DT_CACHE_BEGINS 3      /* the interpreter is building a frame */
#define DT_CACHE_COMPILED 4    /* the rest is the address of the blob */
#define DT_CACHE_INTERRUPTED 5 /* interpreted, interrupted by a signal */
#define DT_CACHE_STUB 6        /* the frame belongs to no method; the rest is 0, or DT_CACHE_MOVED */
#define DT_CACHE_BETWEEN 7     /* the interpreter is between two frames; the walk ends */

/* A method returns to a stub that moves frames of a virtual thread to the stack. */
#define DT_CACHE_MOVED 8

#define DT_CACHE_HEAPS 4

/* Working memory for code caches (struct dt_code_cache_layout). */
struct dt_code_cache_walk {
	dt_u64 is_known; /* 1: heaps were read in this walk */
	struct dt_code_heap {
		dt_u64 start, end, segments, bits;
	} heaps[DT_CACHE_HEAPS];
	dt_u64 interpreter, interpreter_bytes;
	dt_u64 instruction; /* of the innermost frame, if it is interpreted */
	dt_u64 at;          /* address of the blob */
	dt_u64 blob[18], code[2], frame[10], array[4];
	dt_u64 kept;                    /* of the current frame, from dt_mixed.frame_pointers; 0: it has none */
	dt_u64 found, found_at;         /* a method, and the position of a bytecode in it */
	dt_u64 scope, scopes, metadata; /* the scope that comes next, 0: none; addresses */
	dt_u64 place, offset;           /* search in the list of addresses */
	dt_u64 method[8], constant[8], constants[9], text[5], bytes[2];
	dt_u64 holder, name, class_name, file; /* addresses */
};

/* Working memory for a stack with frames of interpreters. */
struct dt_mixed {
	struct dt_walk walk;
	dt_u64 thread_base; /* address that the thread's local variables are relative to; 0: unknown */
	dt_u64 last_kept;   /* value of the last register that calls keep */
	dt_u64 interpreter, thread, frame;
	dt_u64 is_known;                     /* 1: the interpreter knows the thread */
	dt_u64 loops, runs;                  /* number of frames of the loop, and of runs */
	dt_u64 found_count, next, at, count; /* `next` in `found`, `at` in the native stack */
	dt_u64 in_run;                       /* 1: the next words are frames of a run */
	dt_u64 remains;                      /* 1: some runs have no place in the native stack */
	dt_u64 early;                        /* number of innermost runs whose loop has not begun */
	dt_u64 texts[DT_CODE_TEXTS];         /* addresses of the texts of the code object in `head`; 0: missing */
	dt_u64 reason;
	dt_u64 most, shows_own;
	dt_u64 bytes; /* size of `frames` in bytes */
	dt_u64 block[DT_FRAME_WORDS], text[DT_TEXT_WORDS], head[DT_CODE_HEAD / 8];
	struct dt_code_key key;
	dt_u64 found[DT_UNWIND_FRAMES];  /* frames of runs; a 1 ends each run */
	dt_u64 frames[DT_UNWIND_FRAMES]; /* the result */
	dt_u64 sp;                       /* stack pointer of the innermost frame */
	/* Frame pointers of native frames without unwind rows, plus DT_IN_NO_FILE; 0: the frame has rows. */
	dt_u64 frame_pointers[DT_UNWIND_FRAMES];
	struct dt_function function;
	struct dt_context_walk contexts;
	struct dt_control_walk control;
	struct dt_code_cache_walk cache;
	dt_u64 stack_pointers[DT_UNWIND_FRAMES]; /* of native frames */
	dt_u64 link[4];                          /* object on the way to a code object */
	/* What the current walk has read before. The process does not run meanwhile, so it still holds. 0: nothing. */
	dt_u64 last_code, last_position; /* the code object in `head`, and its position */
	dt_u64 last_link, last_linked;   /* an object with a pointer, and the pointer */
	dt_u64 last_file, last_file_length, last_file_sum;
	struct dt_state_walk states;
};

#endif
