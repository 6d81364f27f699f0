// Writes dist: one ES module bundle, one CommonJS bundle, and type declarations for both.
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
    // With the neutral platform the build fails on any import that only Node or only browsers have.
    platform: 'neutral',
    target: 'es2022',
    // Identifiers are not minified, so stack traces stay readable.
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
// TypeScript copies the `.ts` import specifiers of the source into the declarations; they must end in `.js`.
for (const name of globSync('**/*.d.ts', { cwd: types })) {
  const file = join(types, name)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}
cpSync(types, join(dist, 'cjs'), { recursive: true, filter: (source) => !source.endsWith('.js') })
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
