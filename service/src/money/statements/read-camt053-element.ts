/** The texts inside one element, by path. */
export type ElementTexts = Pick<ElementReader, 'first' | 'all' | 'has'>

/**
 * Collects the texts inside one element by their path relative to it, such as `RmtInf/Ustrd`. Its size is limited, so
 * that one entry cannot use up the memory of the process.
 */
export class ElementReader {
  readonly #texts = new Map<string, string[]>()
  readonly #path: string[] = []
  #text = ''
  #length = 0

  open(name: string, currency: string | undefined): void {
    this.#path.push(name)
    this.#text = ''
    if (currency !== undefined) this.#add(`${this.#path.join('/')}@Ccy`, currency)
  }

  /** Adds a piece of text; a text may arrive in any number of pieces. Returns false if the element is too large. */
  text(text: string): boolean {
    this.#text += text
    return this.#text.length <= elementLengthMax
  }

  /** Discards the white space before a child element that has its own reader; there may be a lot of it. */
  discardText(): void {
    this.#text = ''
  }

  /** Returns false if the element is too large. */
  close(): boolean {
    const text = this.#text.trim()
    if (text !== '') this.#add(this.#path.join('/'), text)
    this.#path.pop()
    this.#text = ''
    return this.#length <= elementLengthMax
  }

  first(path: string): string | undefined {
    return this.#texts.get(path)?.[0]
  }

  all(path: string): readonly string[] {
    return this.#texts.get(path) ?? []
  }

  has(path: string): boolean {
    return this.#texts.has(path)
  }

  #add(path: string, text: string): void {
    this.#length += path.length + text.length
    const texts = this.#texts.get(path)
    if (texts) texts.push(text)
    else this.#texts.set(path, [text])
  }
}

/** The maximum length of the texts of an entry or a transaction and of their paths, in characters. */
export const elementLengthMax = 64 * 1024
