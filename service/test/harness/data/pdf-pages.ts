import { getDocumentProxy } from 'unpdf'

/** Returns the lines of each page, as Firefox reads and copies them. */
export async function readPdfPages(file: Buffer): Promise<string[][]> {
  const document = await getDocumentProxy(new Uint8Array(file))
  const pages: string[][] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent()
    const parts = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    pages.push(parts.join('').split('\n'))
  }
  await document.loadingTask.destroy()
  return pages
}
