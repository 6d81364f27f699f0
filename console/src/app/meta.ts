/** Reads a `<meta>` element that the server wrote into the page. */
export function metaContent(name: string): string {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? ''
}
