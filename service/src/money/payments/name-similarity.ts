/**
 * Returns the similarity of two names from 0 to 1: the Dice coefficient of their letter pairs. Pairs do not cross
 * words, so the order of the words does not matter. Accents are ignored, because banks remove them.
 */
export function nameSimilarity(one: string, other: string): number {
  const [pairs, otherPairs] = [pairsOf(one), pairsOf(other)]
  if (pairs.length === 0 || otherPairs.length === 0) return 0
  const remaining = new Map<string, number>()
  for (const pair of otherPairs) remaining.set(pair, (remaining.get(pair) ?? 0) + 1)
  let shared = 0
  for (const pair of pairs) {
    const count = remaining.get(pair) ?? 0
    if (count > 0) shared += 1
    remaining.set(pair, count - 1)
  }
  return (2 * shared) / (pairs.length + otherPairs.length)
}

// Banks transmit at most 140 characters of a name.
const lengthMax = 200

function pairsOf(name: string): string[] {
  const words = name.slice(0, lengthMax).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (words.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => {
    const padded = ` ${word} `
    return Array.from({ length: padded.length - 1 }, (_, index) => padded.slice(index, index + 2))
  })
}
