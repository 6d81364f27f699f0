import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.startsWith('base/generated/'))
const textOf = (file: string) => readFileSync(join(source, file), 'utf8')

/** Lowest first, as in ARCHITECTURE.md. */
const layers = [
  ['base'],
  ['session', 'output'],
  ['api', 'events', 'operator'],
  ['commands'],
  ['program.ts'],
  ['run-command.ts'],
  ['main.ts'],
]
const layerOf = (file: string) => layers.findIndex((folders) => folders.includes(file.split('/')[0] ?? ''))

describe('tidy', () => {
  test('a file imports only from its own layer or a lower one', () => {
    const upward = files.flatMap((file) =>
      [...textOf(file).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)]
        .map(([, path = '']) => relative(source, join(source, dirname(file), path)))
        .filter((imported) => layerOf(imported) < 0 || layerOf(imported) > layerOf(file))
        .map((imported) => `${file} imports ${imported}`),
    )
    assert.deepEqual(upward, [])
  })

  test('only one file reads the environment', () => {
    const readers = files.filter((file) => /process\.env|\.variables\b/.test(textOf(file)))
    // `host.ts` only passes the variables on.
    assert.deepEqual(readers.toSorted(), ['base/environment.ts', 'base/host.ts'])
  })

  test('no file has more than 300 lines, and no line except an example more than 120 characters', () => {
    const long = files.filter((file) => textOf(file).split('\n').length > 300)
    const isWide = (line: string) =>
      line.length > 120 && !/^\s+['`][a-z-]+ (create|register|transfer|mint-failure|answer) /.test(line)
    const wide = files.filter((file) => textOf(file).split('\n').some(isWide))
    assert.deepEqual([...long, ...wide], [])
  })

  test('the README lists every environment variable and exit code', () => {
    const readme = readFileSync(join(source, '../README.md'), 'utf8')
    const read = [...textOf('base/environment.ts').matchAll(/read\('([A-Z_]+)'\)/g)].map(([, name = '']) => name)
    assert.deepEqual(
      read.filter((name) => !readme.includes(name)),
      [],
    )
    const codes = [...textOf('base/failure.ts').matchAll(/^ {2}(\d+) +(.+)$/gm)].map(
      ([, code, text]) => `| ${code} | ${text}`,
    )
    assert.ok(codes.length === 6 && codes.every((row) => readme.includes(row.replace('`', ''))), codes.join('\n'))
  })
})
