import { pathToFileURL } from 'node:url'

/** A program of a group, such as a drill. */
export interface NamedProgram {
  /** Description in one line. */
  readonly about: string
  /** Path from the root of the project. */
  readonly file: string
}

/**
 * Runs the program that the command line names, with the arguments after its name: `npm run drill -- crash --kills 50`.
 * Lists the group if no name is given.
 */
export async function runNamed(group: string, programs: Readonly<Record<string, NamedProgram>>): Promise<void> {
  const [node = '', script = '', name, ...rest] = process.argv
  const program = programs[name ?? '']
  if (!program) {
    const width = Math.max(...Object.keys(programs).map(({ length }) => length))
    const lines = Object.entries(programs).map(([one, { about }]) => `  ${one.padEnd(width)}  ${about}`)
    process.stdout.write(`npm run ${group} -- NAME\n\n${lines.join('\n')}\n`)
    if (name !== undefined) throw new Error(`${name} is none of them.`)
    return
  }
  process.argv = [node, script, ...rest]
  await import(pathToFileURL(program.file).href)
}
