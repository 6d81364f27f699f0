/** A test file as the process that runs it imports it. */
export interface FileOfGroup {
  /** Relative to the root of the project. */
  readonly name: string
  readonly url: string
}

// What the process of a group reports beside its tests, as diagnostics of the test runner.
export const costPrefix = 'CPU seconds: '
export const logPrefix = 'log: '
/** Before a `LateError`, of a file that has ended. */
export const latePrefix = 'late error: '
const leftover = ' leaves nothing behind'

/** An error outside of any test, because that which caused it had ended. */
export interface LateError {
  readonly file: string
  readonly text: string
}

/** The name of the test that follows each file and reports what the file has left. */
export const leftoverTest = (file: string) => `${file}${leftover}`
export const isLeftoverTest = (name: string) => name.endsWith(leftover)

// At the beginning of a line: the record separator of ASCII, which no file prints.
const beginning = '\u001e'

/**
 * Printed before a file runs, at once: events wait for the end of a test, and are lost if the process exits. What follows
 * is the output of the file, and the last file is the one that was running when the process ended.
 */
export const beginningOf = (file: string) => `\n${beginning}${file}\n`

/** The name of a file that begins, or undefined for what a file prints. */
export function beginsIn(line: string): string | undefined {
  return line.startsWith(beginning) ? line.slice(beginning.length).trimEnd() : undefined
}

/** Printed to stderr when the process exits. Node's runner does not say how a process ended in which a test has failed. */
export const exitLine = (code: number) => `\n${beginning}${exitPrefix}${code}\n`
const exitPrefix = 'exit code '

/** Undefined for any other line. */
export function exitCodeIn(line: string): number | undefined {
  const start = `${beginning}${exitPrefix}`
  return line.startsWith(start) ? Number(line.slice(start.length)) : undefined
}

/** A busy machine takes four times as long as a quiet one for the slowest file. */
export const fileSecondsMax = 1_200
