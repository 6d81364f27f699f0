/** A test file for the process that runs it. */
export interface FileOfGroup {
  /** Path from the root of the project. */
  readonly name: string
  readonly url: string
}

// Diagnostics of the test runner with which the process of a group reports more than its tests.
export const costPrefix = 'CPU seconds: '
export const logPrefix = 'log: '
/** Comes before a `LateError` of a file that has ended. */
export const latePrefix = 'late error: '
const leftover = ' leaves nothing behind'

/** An error outside of any test, because the test that caused it had ended. */
export interface LateError {
  readonly file: string
  readonly text: string
}

/** The name of the test that follows each file and reports what the file has left. */
export const leftoverTest = (file: string) => `${file}${leftover}`
export const isLeftoverTest = (name: string) => name.endsWith(leftover)

// Starts a line: the record separator of ASCII, which no file prints.
const beginning = '\u001e'

/**
 * Printed right before a file runs: events wait for the end of a test, and are lost if the process exits. The following
 * lines are the output of the file, and the last file named is the one that was running when the process ended.
 */
export const beginningOf = (file: string) => `\n${beginning}${file}\n`

/** Returns the name of a file that begins, or undefined for output of a file. */
export function beginsIn(line: string): string | undefined {
  return line.startsWith(beginning) ? line.slice(beginning.length).trimEnd() : undefined
}

/** Printed to stderr when the process exits. After a failed test, Node's runner does not report how a process ended. */
export const exitLine = (code: number) => `\n${beginning}${exitPrefix}${code}\n`
const exitPrefix = 'exit code '

/** Returns undefined for any other line. */
export function exitCodeIn(line: string): number | undefined {
  const start = `${beginning}${exitPrefix}`
  return line.startsWith(start) ? Number(line.slice(start.length)) : undefined
}

/** The slowest file takes four times as long on a busy machine as on an idle one. */
export const fileSecondsMax = 1_200
