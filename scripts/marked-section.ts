/** Replaces the section of a document that a generator writes, between its two marks. */
export function withSection(document: string, generator: string, text: string): string {
  const start = `<!-- npm run generate -- ${generator} writes from here … -->`
  const end = '<!-- … to here -->'
  const [before, after] = [document.indexOf(start), document.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`the document must contain ${start} and ${end}`)
  return `${document.slice(0, before + start.length)}\n\n${text}\n\n${document.slice(after)}`
}
