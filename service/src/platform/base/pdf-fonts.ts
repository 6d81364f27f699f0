import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'

/** Text in one font. A reader copies and searches `actual` instead, if what is drawn does not spell it. */
export interface Run {
  readonly font: string
  readonly text: string
  readonly actual?: string
}

const require = createRequire(import.meta.url)
/** Latin with all combining accents, Vietnamese, Greek, Cyrillic and Devanagari. */
const main = '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'
/** Chinese with Japanese, and Korean. Each has about a hundred files; `unicode.json` assigns characters to them. */
const families = ['noto-sans-sc', 'noto-sans-kr']
const mark = /\p{Mark}/u
/** Splits text so that an accent stays with its letter: only within one font can it be drawn in its place. */
export const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Returns a function that splits text into runs. A font is opened and registered when a text first needs it. Every
 * document opens its own fonts: an opened font remembers the first character of each glyph, so sharing it would make
 * the bytes depend on earlier documents.
 */
export async function openFonts(register: (name: string, font: Font) => void): Promise<(text: string) => Run[]> {
  const { create } = await import('fontkit')
  const charactersOf = memoized((path: string) => {
    const font = create(readFileSync(require.resolve(path))) as Font
    register(path, withPlainLayout(font))
    return new Set(font.characterSet)
  })
  charactersOf(main)
  const has = (path: string, text: string) =>
    Array.from(text).every((character) => charactersOf(path).has(character.codePointAt(0) ?? 0))
  const runIn = (font: string, text: string): Run => (mark.test(text) ? { font, text, actual: text } : { font, text })
  const runOf = memoized((cluster: string): Run => {
    // No font has a variant that a selector could ask for.
    const text = cluster.replaceAll(/\p{Variation_Selector}/gu, '')
    const font = [main, ...filesWith(text.codePointAt(0) ?? 0)].find((path) => has(path, text))
    if (!font) return { font: main, text: '?', actual: cluster }
    return text === cluster ? runIn(font, text) : { font, text, actual: cluster }
  })
  return (text) => {
    if (/^[ -~]*$/.test(text) || has(main, text)) return [runIn(main, text)]
    return joined(Array.from(clusters.segment(text), ({ segment }) => runOf(segment)))
  }
}

function memoized<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const value = known.get(key) ?? compute(key)
    known.set(key, value)
    return value
  }
}

/**
 * Draws text without combining characters as one glyph per character. Shaping takes many times as long, and splits
 * letters with two accents into parts that a reader does not copy as the letter.
 */
function withPlainLayout(font: Font): Font {
  // Ties each glyph to its character before shaping can tie it to another.
  for (const point of font.characterSet) font.glyphForCodePoint(point)
  const placeOf = memoized((character: string) => {
    const glyph = font.glyphForCodePoint(character.codePointAt(0) ?? 0)
    return { glyph, position: { xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 } }
  })
  const shaped = font.layout.bind(font)
  const emptyRun = shaped('')
  font.layout = (text, ...options) => {
    if (mark.test(text)) return shaped(text, ...options)
    const places = Array.from(text, placeOf)
    const positions = places.map(({ position }) => position)
    return Object.assign(Object.create(emptyRun), { glyphs: places.map(({ glyph }) => glyph), positions })
  }
  return font
}

function joined(runs: readonly Run[]): Run[] {
  const longer: Run[] = []
  for (const run of runs) {
    const last = longer.at(-1)
    if (last?.font === run.font && last.actual === undefined && run.actual === undefined)
      longer[longer.length - 1] = { font: run.font, text: last.text + run.text }
    else longer.push(run)
  }
  return longer
}

interface FontFile {
  readonly path: string
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

let files: readonly FontFile[] | undefined

function filesWith(codePoint: number): string[] {
  files ??= families.flatMap(filesOf)
  return files
    .filter(({ ranges }) => ranges.some(([from, to]) => from <= codePoint && codePoint <= to))
    .map(({ path }) => path)
}

function filesOf(family: string): FontFile[] {
  const rangesByName = require(`@fontsource/${family}/unicode.json`) as Record<string, string>
  return Object.entries(rangesByName).map(([name, ranges]) => ({
    path: `@fontsource/${family}/files/${family}-${name.replaceAll(/[[\]]/g, '')}-400-normal.woff`,
    ranges: ranges.split(',').map((range) => {
      const [from = '', to = from] = range.slice('U+'.length).split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
    }),
  }))
}
