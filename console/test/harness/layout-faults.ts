import type { BrowserPerson } from '../../../service/test/harness/browser/test-browser.ts'

interface Box {
  readonly scrollWidth: number
  readonly clientWidth: number
  readonly textContent: string
}
interface Cell extends Box {
  querySelector(selector: string): object | null
}
interface Frame extends Box {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null
}
interface Time {
  readonly firstChild: { data: string } | null
}
interface Document {
  readonly documentElement: { readonly clientWidth: number }
  readonly scrollingElement: Box
  querySelectorAll<Found>(selector: string): Iterable<Found>
}

/** Width from which tables fit; in a narrower window they scroll in their frames. */
const tablesFitPx = 1366

/**
 * Returns everything hidden until a person scrolls sideways. A text may be cut, because hovering shows the whole; a
 * state, a time or a button may not. Pads the numbers of a time to two digits first: if 9 fits, 10 must fit too.
 */
export async function layoutFaults(page: BrowserPerson['page']): Promise<string[]> {
  return page.evaluate((fitPx) => {
    const { document } = globalThis as unknown as { document: Document }
    const isWider = ({ scrollWidth, clientWidth }: Box) => scrollWidth > clientWidth
    for (const { firstChild } of document.querySelectorAll<Time>('.table time'))
      if (firstChild) firstChild.data = firstChild.data.replaceAll(/\b\d\b/g, '28')
    const faults = isWider(document.scrollingElement) ? ['the page scrolls sideways'] : []
    if (document.documentElement.clientWidth < fitPx) return faults
    for (const frame of document.querySelectorAll<Frame>('.table-frame'))
      if (isWider(frame)) faults.push(`${frame.querySelector('table')?.getAttribute('aria-label')} scrolls sideways`)
    for (const cell of document.querySelectorAll<Cell>('.table td, .table th'))
      if (isWider(cell) && (cell.querySelector('time, .state, [data-actions]') || cell.querySelector('button')))
        faults.push(`${cell.textContent} is cut`)
    return faults
  }, tablesFitPx)
}
