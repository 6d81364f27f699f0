/**
 * Converts a text to the characters that every SEPA bank accepts: Latin letters without accents, digits and some
 * punctuation. Other characters get their customary spelling, or a dot if they have none; consecutive dots become one.
 * Truncates the result, since a bank rejects the whole file for one character too many.
 */
export function sepaText(text: string, lengthMax: number): string {
  const latin = [...text.normalize('NFC')].map(toLatin).join('')
  const clean = latin
    .replaceAll(/[^A-Za-z0-9/?:().,'+ -]+/g, '.')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/ {2,}/g, ' ')
  return withoutSeparators(clean).slice(0, lengthMax).trimEnd()
}

/** Returns true if the converted name still has a letter or digit to compare with the account holder's name. */
export function hasLetterOrDigit(sepaName: string): boolean {
  return /[A-Za-z0-9]/.test(sepaName)
}

/** Banks interpret a leading, trailing or double slash as a separator. */
function withoutSeparators(text: string): string {
  return text.replaceAll(/\/{2,}/g, '/').replaceAll(/^[/ ]+|[/ ]+$/g, '')
}

function toLatin(character: string): string {
  const spelling = spellings[character]
  if (spelling !== undefined) return spelling
  // Decomposes accented letters, then removes the accents. Any white space becomes a space.
  return character
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/\s/gu, ' ')
}

/** Characters for which removing accents is not enough. Umlauts follow the German convention: ä becomes ae. */
const spellings: Readonly<Record<string, string>> = {
  Ä: 'Ae', ä: 'ae', Ö: 'Oe', ö: 'oe', Ü: 'Ue', ü: 'ue', ß: 'ss', ẞ: 'SS', Æ: 'Ae', æ: 'ae', Ø: 'O', ø: 'o', Å: 'A',
  å: 'a', Œ: 'Oe', œ: 'oe', Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ð: 'D', ð: 'd', Þ: 'Th', þ: 'th', Ħ: 'H', ħ: 'h', ı: 'i',
  Ŋ: 'N', ŋ: 'n', Ŧ: 'T', ŧ: 't', '&': '+', '_': '-', '–': '-', '—': '-', '‘': "'", '’': "'", '`': "'", '"': "'",
  '“': "'", '”': "'", '„': "'", ';': ',', '[': '(', ']': ')', '{': '(', '}': ')', '@': '(at)', '€': 'EUR',
} // biome-ignore format: a list reads better dense
