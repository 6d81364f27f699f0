import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')

/**
 * Each section of ASVS 5.0.0 and the number of its requirements of levels 1 and 2; in every section they come before
 * those of level 3.
 */
const sections = `
  1.1 2, 1.2 9, 1.3 11, 1.4 3, 1.5 2, 2.1 3, 2.2 3, 2.3 4, 2.4 1, 3.2 2, 3.3 4, 3.4 6, 3.5 5, 3.7 2, 4.1 3, 4.2 1,
  4.3 2, 4.4 4, 5.1 1, 5.2 3, 5.3 2, 5.4 3, 6.1 3, 6.2 12, 6.3 4, 6.4 4, 6.5 5, 6.6 3, 6.8 4, 7.1 3, 7.2 4, 7.3 2,
  7.4 5, 7.5 2, 7.6 2, 8.1 2, 8.2 3, 8.3 1, 8.4 1, 9.1 3, 9.2 4, 10.1 2, 10.2 2, 10.3 4, 10.4 11, 10.5 5, 10.6 2,
  10.7 3, 11.1 2, 11.2 3, 11.3 3, 11.4 4, 11.5 1, 11.6 1, 12.1 3, 12.2 2, 12.3 4, 13.1 1, 13.2 5, 13.3 2, 13.4 5,
  14.1 2, 14.2 4, 14.3 3, 15.1 3, 15.2 3, 15.3 7, 16.1 1, 16.2 5, 16.3 4, 16.4 3, 16.5 3, 17.1 1, 17.2 4, 17.3 2`

describe('security documents', () => {
  test('docs/security/asvs.md has each of the 253 requirements of ASVS level 2 once, with a status', () => {
    const rows = read('docs/security/asvs.md')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, number]) => /^\d+\.\d+\.\d+/.test(number ?? ''))
    for (const [, number = '', , status = '', evidence] of rows) {
      assert.match(status, /^(met|not met|installation|n\. a\.)$/, number)
      assert.notEqual(evidence, '', number)
    }
    const expected = sections.split(',').flatMap((entry) => {
      const [section, count] = entry.trim().split(' ')
      return Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`)
    })
    assert.equal(expected.length, 253)
    assert.deepEqual(rows.flatMap(([, number = '']) => expanded(number)).toSorted(), expected.toSorted())
  })

  test('every file that a security document names exists', () => {
    const documents = ['docs/SECURITY.md', ...globSync('docs/security/*.md', { cwd: root })]
    const named = documents.flatMap((document) =>
      [...read(document).matchAll(/`([\w./-]+\.(?:ts|md|json|sql|sol)|(?:service|docs|sdk|cli|contracts)\/[\w./-]+)`/g)]
        .map(([, path = '']) => path)
        .filter((path) => path.includes('/') || /\.(md|json)$/.test(path))
        .map((path) => ({ document, path })),
    )
    assert.ok(named.length > 150, `only ${named.length} files`)
    assert.deepEqual(
      named.filter(({ path }) => !existsSync(root + path)),
      [],
    )
  })
})

/** Expands `1.2.6 to 1.2.8` and `1.2.6, 1.2.8` into single numbers. */
function expanded(text: string): string[] {
  const [from = '', to] = text.split(' to ')
  if (to === undefined) return text.split(', ')
  const section = from.slice(0, from.lastIndexOf('.'))
  const [first, last] = [from, to].map((number) => Number(number.split('.').at(-1)))
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${section}.${Number(first) + index}`)
}
