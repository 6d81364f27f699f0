// Writes dist, the package as published: one bundle of the CLI and the SDK. Libraries stay dependencies.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('./', import.meta.url))
const dist = `${folder}dist/`
rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)

const {
  devDependencies: _,
  scripts: __,
  dependencies,
  ...rest
} = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as {
  devDependencies: unknown
  scripts: unknown
  dependencies: Record<string, string>
}
// The SDK is bundled, because both are generated from the same OpenAPI document and released together.
const { '@investor-token/sdk': ___, ...libraries } = dependencies

await build({
  entryPoints: [`${folder}src/main.ts`],
  outfile: `${dist}investor-token.js`,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  external: Object.keys(libraries),
  legalComments: 'none',
})
chmodSync(`${dist}investor-token.js`, 0o755)
const published = { ...rest, bin: { 'investor-token': './investor-token.js' }, dependencies: libraries }
writeFileSync(`${dist}package.json`, `${JSON.stringify(published, undefined, 2)}\n`)
for (const name of ['README.md', 'LICENSE']) cpSync(`${folder}${name}`, `${dist}${name}`)
