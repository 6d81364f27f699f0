/**
 * The texts of one part of a statement by their path, such as `RmtInf/Ustrd`. Bounded, so that one entry cannot take
 * the memory of all.
 */
export class ElementScope {
  readonly #values = new Map<string, string[]>()
  readonly #path: string[] = []
  #text = ''
  #length = 0

  /** A part with a scope of its own begins: the white space before it, of which there may be much, is nothing. */
  interrupt(): void {
    this.#text = ''
  }

  open(name: string, currency: string | undefined): void {
    this.#path.push(name)
    this.#text = ''
    if (currency !== undefined) this.#add(`${this.#path.join('/')}@Ccy`, currency)
  }

  /** False where the part has become too large: a text may come in any number of pieces. */
  text(text: string): boolean {
    this.#text += text
    return this.#text.length <= lengthMax
  }

  /** As above. */
  close(): boolean {
    const text = this.#text.trim()
    if (text !== '') this.#add(this.#path.join('/'), text)
    this.#path.pop()
    this.#text = ''
    return this.#length <= lengthMax
  }

  first(path: string): string | undefined {
    return this.#values.get(path)?.[0]
  }

  all(path: string): readonly string[] {
    return this.#values.get(path) ?? []
  }

  has(path: string): boolean {
    return this.#values.has(path)
  }

  #add(path: string, value: string): void {
    this.#length += path.length + value.length
    const known = this.#values.get(path)
    if (known) known.push(value)
    else this.#values.set(path, [value])
  }
}

// What an entry or a transaction says: texts and the names that lead to them.
const lengthMax = 64 * 1024

const scaleDigits = 5

/** An amount of the file in hundred-thousandths, exactly: the format allows five decimals. */
export function inScale(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^\+?(\d{1,15})(?:\.(\d{0,5}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(scaleDigits, '0'))
}

/** With as many decimals as the currency has coins, and more only where there is something in them. */
export function fromScale(amount: bigint, digits: number): string {
  const text = String(amount < 0n ? -amount : amount).padStart(scaleDigits + 1, '0')
  const fraction = text.slice(-scaleDigits).replace(/0+$/, '').padEnd(digits, '0')
  return `${amount < 0n ? '-' : ''}${text.slice(0, -scaleDigits)}${fraction === '' ? '' : `.${fraction}`}`
}
