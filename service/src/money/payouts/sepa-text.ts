/**
 * A text in the characters that every bank of SEPA takes: the Latin letters without accents, digits and a few signs.
 * What has a customary spelling in them gets it; for anything else stands a dot, and several of them are one. Cut at
 * the end, since a bank would refuse the whole file for one character too many.
 */
export function sepaText(text: string, lengthMax: number): string {
  const latin = [...text.normalize('NFC')].map(latinOf).join('')
  const clean = latin
    .replaceAll(/[^A-Za-z0-9/?:().,'+ -]+/g, '.')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/ {2,}/g, ' ')
  return withoutEdges(clean).slice(0, lengthMax).trimEnd()
}

/** Whether anything of the text is left that a bank could compare with a name. */
export function namesSomebody(mapped: string): boolean {
  return /[A-Za-z0-9]/.test(mapped)
}

/** Banks read a slash at an edge, or two of them, as the beginning of something else. */
function withoutEdges(text: string): string {
  return text.replaceAll(/\/{2,}/g, '/').replaceAll(/^[/ ]+|[/ ]+$/g, '')
}

function latinOf(character: string): string {
  const spelled = spellings[character]
  if (spelled !== undefined) return spelled
  // A letter with its accents apart: the accents go. White space of any kind is a space.
  return character
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/\s/gu, ' ')
}

/** What taking the accents off does not spell. Umlauts as people who have them write them without. */
const spellings: Readonly<Record<string, string>> = {
  Ä: 'Ae', ä: 'ae', Ö: 'Oe', ö: 'oe', Ü: 'Ue', ü: 'ue', ß: 'ss', ẞ: 'SS', Æ: 'Ae', æ: 'ae', Ø: 'O', ø: 'o', Å: 'A',
  å: 'a', Œ: 'Oe', œ: 'oe', Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ð: 'D', ð: 'd', Þ: 'Th', þ: 'th', Ħ: 'H', ħ: 'h', ı: 'i',
  Ŋ: 'N', ŋ: 'n', Ŧ: 'T', ŧ: 't', '&': '+', '_': '-', '–': '-', '—': '-', '‘': "'", '’': "'", '`': "'", '"': "'",
  '“': "'", '”': "'", '„': "'", ';': ',', '[': '(', ']': ')', '{': '(', '}': ')', '@': '(at)', '€': 'EUR',
} // biome-ignore format: a list reads better dense
