import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { errorsGuide } from '../../scripts/errors-guide.ts'
import { llmsText } from '../../scripts/llms-text.ts'
import { postmanCollection } from '../../scripts/postman-collection.ts'
import { sitePages } from '../../scripts/site-pages.ts'
import { errorTable } from '../src/error-table.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** Includes pages that are written when the site is built. */
const exists = (path: string) => sitePages.has(path) || existsSync(join(root, path))

describe('npm run generate -- guides', () => {
  test('the committed files are current', () => {
    assert.equal(read('docs/postman_collection.json'), `${JSON.stringify(postmanCollection(), undefined, 2)}\n`)
    assert.equal(read('docs/llms.txt'), llmsText())
  })

  test('every error has a section with cause and remedy', () => {
    const sections = errorsGuide().split('\n### ').slice(1)
    assert.deepEqual(
      sections.map((section) => section.split('\n')[0]).toSorted(),
      errorTable.map(({ code }) => code).toSorted(),
    )
    for (const { code, cause, remedy } of errorTable) {
      const section = sections.find((one) => one.startsWith(`${code}\n`))
      assert.ok(section?.includes(`**Cause.** ${cause}`), code)
      assert.ok(section?.includes(`**Remedy.** ${remedy}`), code)
    }
  })

  test('no page has a broken link', () => {
    const pages = globSync(['*.md', 'docs/**/*.md', '{cli,contracts,sdk,examples/*}/*.md'], { cwd: root })
    assert.ok(pages.length > 30)
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, path = '']) => path)
        .filter((path) => !exists(join(dirname(page), path)))
        .map((path) => `${page}: ${path}`),
    )
    assert.deepEqual(broken, [])
  })

  test('docs/llms.txt has no broken link', () => {
    const links = [...read('docs/llms.txt').matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, path = '']) => path)
    assert.ok(links.length > 10)
    for (const path of links) assert.ok(exists(join('docs', path)), path)
  })
})
