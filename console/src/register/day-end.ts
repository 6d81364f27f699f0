/** Returns the last moment of a UTC day, or undefined, which means now, if the day is not over yet. */
export function dayEnd(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59.999Z`)
  return end.getTime() > Date.now() ? undefined : end.toISOString()
}
