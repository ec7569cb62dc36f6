// Every limit of the built-in tools, in one place: what is shown to the model, what is kept, how long something may take.
// A tool that meets one says so in its result, and says how to get the rest.

/** Lines and bytes that one read returns at most. */
export const READ_LINES_MAX = 2_000;
export const READ_BYTES_MAX = 64 * 1024;
/** Of a longer line only the beginning is shown. */
export const LINE_CHARS_MAX = 2_000;

/** The largest file that edit and write take: they hold it in memory, twice. */
export const EDIT_BYTES_MAX = 10 * 1024 * 1024;
export const EDITS_MAX = 100;
/** A diff beyond this is cut in the preview, which then says so. */
export const DIFF_CHARS_MAX = 1_000_000;

export const LS_ENTRIES_MAX = 500;
export const GLOB_RESULTS_MAX = 1_000;
/** How many files and folders one search looks at before it gives up. */
export const WALK_ENTRIES_MAX = 200_000;

export const GREP_MATCHES_MAX = 200;
export const GREP_TEXT_CHARS_MAX = 48 * 1024;
export const GREP_CONTEXT_LINES_MAX = 10;
/** Larger files are not searched; they are logs and archives, and bash has tools for them. */
export const GREP_FILE_BYTES_MAX = 5 * 1024 * 1024;
export const GREP_LINE_CHARS_MAX = 500;
/** How long a regular expression may look at one file. A sane one takes a tenth of it for the largest. */
export const GREP_FILE_MS_MAX = 1_000;

/** What the model gets of a command's output: its beginning and its end. */
export const OUTPUT_HEAD_CHARS_MAX = 12 * 1024;
export const OUTPUT_TAIL_CHARS_MAX = 20 * 1024;
/** What a front end gets while it runs; less than what the loop passes on, so that the note at its end arrives too. */
export const OUTPUT_STREAM_CHARS_MAX = 192 * 1024;

export const BASH_TIMEOUT_S_DEFAULT = 120;
export const BASH_TIMEOUT_S_MAX = 600;
/** How long a command may take to end after SIGTERM. */
export const TERM_GRACE_MS = 2_000;
/** How long output of an ended command is waited for while something holds the pipe, and how often when there is some. */
export const PIPE_GRACE_MS = 200;
export const PIPE_LOOKS_MAX = 10;
