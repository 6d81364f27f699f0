import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const requirements = readFileSync(join(root, 'docs/requirements.md'), 'utf8')
const decisions = globSync('docs/decisions/*.md', { cwd: root }).map((file) => ({
  file: file.split('/').at(-1) ?? '',
  text: readFileSync(join(root, file), 'utf8'),
}))

/** Returns X001 to X00n in order. */
const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(3, '0')}`)
const numbers = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, number = '']) => number)

describe('the requirements and decisions documents', () => {
  test('every requirement has one row and every decision one section', () => {
    const rows = numbers(requirements, /^\| (R\d{3}) \| (?:stated|derived|ours) \|/gm)
    assert.deepEqual(rows, numbered('R', 260))
    const sections = decisions.flatMap(({ text }) => numbers(text, /^## (Q\d{3})$/gm))
    assert.deepEqual(sections.toSorted(), numbered('Q', 136))
  })

  test('every link points to the section of its decision', () => {
    const anchors = new Map(
      decisions.flatMap(({ file, text }) =>
        numbers(text, /^## (Q\d{3})$/gm).map((number) => [number, `${file}#${number.toLowerCase()}`]),
      ),
    )
    for (const { text } of [{ text: requirements }, ...decisions])
      for (const [, number = '', anchor] of text.matchAll(/\[(Q\d{3})\]\((?:decisions\/)?([^)]+)\)/g))
        assert.equal(anchor, anchors.get(number))
  })

  test('tests name only existing requirements and decisions', () => {
    const tests = globSync('service/{src,test}/**/*.test.ts', { cwd: root })
    const known = new Set([...numbered('R', 260), ...numbered('Q', 136)])
    const unknown = tests.flatMap((file) =>
      numbers(readFileSync(join(root, file), 'utf8'), /\b([RQ]\d{3})\b/g)
        .filter((number) => !known.has(number))
        .map((number) => `${file}: ${number}`),
    )
    assert.deepEqual(unknown, [])
  })
})

describe('npm run requirements', () => {
  /** Runs the script on these test results. Returns its output and its exit code. */
  async function run(results: { name: string; outcome: string }[]): Promise<{ lines: string[]; code: number }> {
    const folder = await mkdtemp(join(tmpdir(), 'requirements-test-'))
    const file = join(folder, 'results.jsonl')
    await writeFile(file, results.map((result) => `${JSON.stringify(result)}\n`).join(''))
    try {
      return await new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          [join(root, 'scripts/requirements.ts'), '--results', file],
          (_error, stdout) => resolve({ lines: stdout.trimEnd().split('\n'), code: child.exitCode ?? -1 }),
        )
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  /** Concatenates the number, so that the script does not count the ones in this file as proofs. */
  const number = (index: number) => `R${String(index).padStart(3, '0')}`

  test('a passed test proves the requirements that it or its suite names, ranges included; others do not', async () => {
    const { lines, code } = await run([
      { name: `orders > ${number(1)}, ${number(2)}: first`, outcome: 'passed' },
      { name: `${number(3)} > second`, outcome: 'passed' },
      { name: `${number(10)} to ${number(12)}, ${number(20)}: third`, outcome: 'passed' },
      { name: `${number(2)}: fourth`, outcome: 'failed' },
      { name: `${number(4)}: fifth`, outcome: 'skipped' },
      { name: `${number(1)}: sixth`, outcome: 'passed' },
    ])
    assert.equal(code, 1)
    assert.deepEqual(lines.slice(0, 4), [
      `${number(1)} proved: first (and 1 more)`,
      `${number(2)} missing: failed: fourth`,
      `${number(3)} proved: second`,
      `${number(4)} missing`,
    ])
    assert.deepEqual(lines.slice(9, 13), [
      `${number(10)} proved: third`,
      `${number(11)} proved: third`,
      `${number(12)} proved: third`,
      `${number(13)} missing`,
    ])
    assert.match(lines[247] ?? '', / documentation only: it is about releases/)
    assert.equal(lines.at(-1), '260 requirements: 6 proved, 2 documentation only, 252 missing')
  })

  test('exits with 0 if no requirement is missing, and with 1 if a test names an unknown one', async () => {
    const all = { name: `${number(1)} to ${number(260)}: all`, outcome: 'passed' }
    const { lines, code } = await run([all])
    assert.deepEqual([lines.at(-1), code], ['260 requirements: 260 proved, 0 documentation only, 0 missing', 0])
    assert.equal((await run([all, { name: `${number(261)}: beyond`, outcome: 'passed' }])).code, 1)
  })
})
