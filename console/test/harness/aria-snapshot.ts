import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { BrowserPerson } from '../../../service/test/harness/browser/test-browser.ts'
import { until } from '../../../service/test/harness/wait.ts'
import { volatileTexts } from './volatile-text.ts'

type Page = BrowserPerson['page']

const folder = new URL('../snapshots/', import.meta.url)
/** UPDATE_SNAPSHOTS=true writes the snapshots, to be reviewed and committed. */
const isUpdate = process.env['UPDATE_SNAPSHOTS'] === 'true'

/** Returns the accessibility tree of an element, as a screen reader announces it. */
async function ariaTree(page: Page, selector: string): Promise<string> {
  const text = await page.locator(selector).ariaSnapshot()
  return `${volatileTexts.reduce((sum, { pattern, name }) => sum.replaceAll(pattern, name), text)}\n`
}

/** Sorts the rows of each table, because objects created in the same millisecond are listed in any order. */
function withSortedRows(tree: string): string {
  const sorted: string[] = []
  const rows: string[] = []
  let indent = ''
  for (const line of tree.split('\n')) {
    const [, start] = /^( *)- row /.exec(line) ?? []
    const isInRow = rows.length > 0 && line.startsWith(`${indent} `)
    if (isInRow) rows.push(`${rows.pop()}\n${line}`)
    else {
      if (start === undefined || start !== indent) sorted.push(...rows.splice(0).toSorted())
      if (start === undefined) sorted.push(line)
      else {
        indent = start
        rows.push(line)
      }
    }
  }
  return [...sorted, ...rows.toSorted()].join('\n')
}

/** Waits until the accessibility tree of an element is the committed one, or fails. */
export async function matchesSnapshot(page: Page, selector: string, name: string): Promise<void> {
  const file = new URL(`${name.replaceAll(' ', '-')}.yml`, folder)
  if (isUpdate) {
    mkdirSync(folder, { recursive: true })
    // Parts of a screen load on their own, so this waits until nothing has changed for a while.
    await until(`${name} is complete`, async () => {
      const before = await ariaTree(page, selector)
      await page.waitForTimeout(1_500)
      writeFileSync(file, before)
      return before === (await ariaTree(page, selector))
    })
  }
  assert.ok(existsSync(file), `${file.pathname} is missing: run the test with UPDATE_SNAPSHOTS=true`)
  const expected = withSortedRows(readFileSync(file, 'utf8'))
  let actual = ''
  const isAsExpected = async () => {
    actual = withSortedRows(await ariaTree(page, selector))
    return actual === expected
  }
  await until(name, isAsExpected, 15_000).catch(() => {})
  assert.equal(actual, expected, `${name} differs from its snapshot. If that is right: UPDATE_SNAPSHOTS=true`)
}
