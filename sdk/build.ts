// Writes dist: the SDK as one file of ES modules and one of CommonJS, and its types for both.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('./', import.meta.url))
const dist = join(folder, 'dist')
rmSync(dist, { recursive: true, force: true })

for (const format of ['esm', 'cjs'] as const) {
  await build({
    entryPoints: [join(folder, 'src/sdk.ts')],
    outfile: join(dist, format, 'sdk.js'),
    bundle: true,
    format,
    // Neither node nor browser: an import of either would fail here.
    platform: 'neutral',
    target: 'es2022',
    // Names stay, so that a stack can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
  })
}

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const types = join(dist, 'esm')
execFileSync(
  process.execPath,
  [compiler, '-p', folder, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', types],
  { stdio: 'inherit' },
)
// TypeScript writes the names of imported files into declarations as they stand in the source.
for (const name of globSync('**/*.d.ts', { cwd: types })) {
  const file = join(types, name)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}
cpSync(types, join(dist, 'cjs'), { recursive: true, filter: (source) => !source.endsWith('.js') })
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
