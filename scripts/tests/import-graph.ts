import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** Files by their path from the root, with the files of ours that each imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/**
 * Returns what files import, directly or not, static and dynamic: one build in memory that stops at packages. Types
 * leave no trace in it, because they cannot break a test.
 */
export async function importGraph(root: string, entryFiles: readonly string[]): Promise<ImportGraph> {
  const { metafile } = await build({
    absWorkingDir: root,
    // One entry imports all: several entries would each repeat the modules that they share, which takes gigabytes.
    stdin: { contents: entryFiles.map((file) => `import './${file}'`).join('\n'), resolveDir: root },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'esnext',
    jsx: 'automatic',
    packages: 'external',
    plugins: [ownPackages(root), emptyAssets],
    logLevel: 'error',
  })
  return new Map(
    Object.entries(metafile.inputs)
      .filter(([file]) => file !== '<stdin>')
      .map(([file, { imports }]) => [
        file,
        imports.filter(({ external, path }) => !external && !path.includes(':')).map(({ path }) => path),
      ]),
  )
}

/** Resolves our own packages to the sources that people edit. They are imported by name, and run from their builds. */
function ownPackages(root: string): Plugin {
  const { workspaces } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  const folders = new Map(
    workspaces.map((folder) => {
      const text = readFileSync(resolve(root, folder, 'package.json'), 'utf8')
      return [(JSON.parse(text) as { name: string }).name, folder]
    }),
  )
  return {
    name: 'own packages',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^@investor-token\/[\w-]+$/ }, ({ path }) => {
        const folder = folders.get(path)
        // A workspace names its main file after itself: dist/esm/sdk.js is built from src/sdk.ts.
        return folder === undefined ? undefined : { path: resolve(root, folder, `src/${folder}.ts`) }
      })
    },
  }
}

/** Replaces style sheets, pictures and pages, of which only the name matters. */
const emptyAssets: Plugin = {
  name: 'empty assets',
  setup: ({ onLoad }) => onLoad({ filter: /\.(css|svg|png|html|woff2?)$/ }, () => ({ contents: '', loader: 'js' })),
}

/** Inverts the graph: returns, for each file, the files that import it. */
export function importersOf(graph: ImportGraph): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of graph)
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), file])
  return importers
}

/** The way to a file: the number of steps, and the file from which the last one came. */
export interface Reached {
  readonly steps: number
  readonly from: string | undefined
}

/** Returns the files that can be reached from some, nearest first. An opaque file is reached, but nothing behind it. */
export function reachedFrom(
  starts: Iterable<string>,
  edges: ReadonlyMap<string, readonly string[]>,
  isOpaque: (file: string) => boolean,
): ReadonlyMap<string, Reached> {
  const reached = new Map<string, Reached>([...starts].map((file) => [file, { steps: 0, from: undefined }]))
  // The loop over a map also visits entries that are added meanwhile.
  for (const [file, { steps }] of reached) {
    if (steps > 0 && isOpaque(file)) continue
    for (const next of edges.get(file) ?? [])
      if (!reached.has(next)) reached.set(next, { steps: steps + 1, from: file })
  }
  return reached
}
