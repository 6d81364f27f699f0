import type { BrowserPerson } from '../../../service/test/harness/browser/test-browser.ts'
import { volatileTexts } from './volatile-text.ts'

interface TextNode {
  data: string
}
interface Row {
  readonly textContent: string
  readonly nextSibling: object | null
  readonly parentNode: { insertBefore(row: Row, next: object | null): void }
}
interface Document {
  readonly body: object
  createTreeWalker(root: object, what: number): { nextNode(): TextNode | null }
  querySelectorAll(selector: string): Iterable<{ querySelectorAll(selector: string): Iterable<Row> }>
}

/**
 * Makes the page look the same in every run. Replaces ids, references and times with samples, and sorts the rows of
 * each table, because objects created in the same millisecond are listed in any order.
 */
export async function withSampleTexts(page: BrowserPerson['page']): Promise<void> {
  const replacements = volatileTexts.map(({ pattern, sample }) => [pattern.source, sample] as const)
  await page.evaluate((rules) => {
    const { document } = globalThis as unknown as { document: Document }
    const onlyTexts = 4
    const texts = document.createTreeWalker(document.body, onlyTexts)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = rules.reduce((sum, [source, sample]) => sum.replaceAll(new RegExp(source, 'g'), sample), node.data)
      if (text !== node.data) node.data = text
    }
    for (const body of document.querySelectorAll('.table tbody')) {
      const rows = [...body.querySelectorAll(':scope > tr.row')]
      const next = rows.at(-1)?.nextSibling ?? null
      const sorted = rows.toSorted((one, other) => (one.textContent < other.textContent ? -1 : 1))
      for (const row of sorted) row.parentNode.insertBefore(row, next)
    }
  }, replacements)
}
