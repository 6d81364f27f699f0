/** The last moment of a UTC day; undefined for a day that is not over yet, which means now. */
export function dayEnd(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59.999Z`)
  return end.getTime() > Date.now() ? undefined : end.toISOString()
}
