import { pathToFileURL } from 'node:url'

/**
 * Runs the file of a folder that the command line names, with the arguments after its name: `npm run drill -- crash
 * --kills 50`. Lists the descriptions of all if no name is given.
 */
export async function runNamed(
  command: string,
  folder: string,
  descriptions: Readonly<Record<string, string>>,
): Promise<void> {
  const [node = '', script = '', name = '', ...rest] = process.argv
  if (!Object.hasOwn(descriptions, name)) {
    const width = Math.max(...Object.keys(descriptions).map(({ length }) => length))
    const lines = Object.entries(descriptions).map(([one, about]) => `  ${one.padEnd(width)}  ${about}`)
    process.stdout.write(`npm run ${command} -- NAME\n\n${lines.join('\n')}\n`)
    if (name !== '') throw new Error(`${name} is none of them.`)
    return
  }
  process.argv = [node, script, ...rest]
  await import(pathToFileURL(`${folder}/${name}.ts`).href)
}
