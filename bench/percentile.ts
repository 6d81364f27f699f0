/** Returns the value that the given share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** Returns the mean of the middle half of the values, which ignores outliers. */
export function trimmedMean(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const cut = Math.floor(sorted.length / 4)
  return average(sorted.slice(cut, sorted.length - cut))
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Returns the standard error of the average. */
export function standardError(values: readonly number[]): number {
  const center = average(values)
  const variance = values.reduce((sum, value) => sum + (value - center) ** 2, 0) / Math.max(1, values.length - 1)
  return Math.sqrt(variance / values.length)
}
