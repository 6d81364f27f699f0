/** Returns random numbers from 0 to 1, the same for the same seed, so that a failed run can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  // Mulberry32, which is not cryptographically secure and does not need to be.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}
