/** Changes a count. A map of counts has no entry for 0, so that it does not grow with everyone who was ever counted. */
export function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
