/**
 * How alike two names are, from 0 to 1: the pairs of neighbouring letters that they share (Dice). Pairs are taken
 * within words, so that the order of the words does not matter, and without accents, which banks drop.
 */
export function nameLikeness(one: string, other: string): number {
  const [mine, theirs] = [pairsOf(one), pairsOf(other)]
  if (mine.length === 0 || theirs.length === 0) return 0
  const left = new Map<string, number>()
  for (const pair of theirs) left.set(pair, (left.get(pair) ?? 0) + 1)
  let shared = 0
  for (const pair of mine) {
    const count = left.get(pair) ?? 0
    if (count > 0) shared += 1
    left.set(pair, count - 1)
  }
  return (2 * shared) / (mine.length + theirs.length)
}

// A name at a bank has 140 characters at most.
const lengthMax = 200

function pairsOf(name: string): string[] {
  const words = name.slice(0, lengthMax).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (words.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => {
    const padded = ` ${word} `
    return Array.from({ length: padded.length - 1 }, (_, place) => padded.slice(place, place + 2))
  })
}
