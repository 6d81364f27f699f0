import type { Vault } from '../../platform/postgres/vault.ts'
import type { TermRange } from './search-term.sql.ts'

const termLengthMax = 200
const wordsMax = 20

/** Returns the words of a name, without accents and case: "Zoë O'Neil" can be found by "zoe" and "neil". */
export function wordsOf(name: string): string[] {
  const plain = folded(name).split(/[^\p{L}\p{N}]+/u)
  return [...new Set(plain.filter((word) => word !== '').map((word) => word.slice(0, termLengthMax)))].slice(
    0,
    wordsMax,
  )
}

/** Returns the only term of a reference, an address, a hash or an e-mail address. */
export function wholeTerm(text: string): string[] {
  const term = folded(text).replaceAll(/\s/g, '').slice(0, termLengthMax)
  return term === '' ? [] : [term]
}

/**
 * Returns the term of a sealed IBAN: a keyed hash, so that the database reveals nothing, and only the whole IBAN finds
 * it. It changes with the tenant's data key: `maintain rotate-data-key` writes the terms again.
 */
export async function ibanTerm(vault: Vault, iban: string | null | undefined): Promise<string[]> {
  return iban ? [`iban:${await vault.hash(normalizedIban(iban), ibanContext)}`] : []
}

/** Returns the ranges of terms that match the typed text, word by word; at most ten words count. */
function typedWords(query: string): TermRange[] {
  const pieces = query
    .trim()
    .split(/\s+/)
    .flatMap((piece) => (isWhole(piece) ? wholeTerm(piece) : wordsOf(piece)))
  return [...new Set(pieces)].slice(0, 10).map(startingWith)
}

/** Returns the range for a reference or address that was typed in groups: "RF18 5390 0754 7034". */
function typedWhole(query: string): TermRange[] {
  return wholeTerm(query).map(startingWith)
}

/** Returns the typed text as alternatives: a subject must have a term in each range of one of them. */
export function typedAlternatives(query: string): TermRange[][] {
  const [words, whole] = [typedWords(query), typedWhole(query)]
  const isOneWord = words.length === 1 && words[0]?.from === whole[0]?.from
  return [words, ...(isOneWord ? [] : [whole])].filter((ranges) => ranges.length > 0)
}

/** Returns the terms of a typed IBAN, under each of the tenant's keys; none if it is not an IBAN. */
export async function typedIban(query: string, vault: Vault): Promise<TermRange[]> {
  const iban = normalizedIban(query)
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$/.test(iban)) return []
  const hashes = await vault.hashes(iban, ibanContext)
  return hashes.map((hash) => ({ from: `iban:${hash}`, to: `iban:${hash}\u0001` }))
}

const ibanContext = 'search term iban'

function normalizedIban(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

/** An e-mail address is one term, as it was typed; a hyphenated name is two. */
function isWhole(piece: string): boolean {
  return piece.includes('@')
}

/** No term contains the last code point of Unicode. */
function startingWith(prefix: string): TermRange {
  return { from: prefix, to: `${prefix}\u{10FFFF}` }
}
