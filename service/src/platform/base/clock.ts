/** The only source of the current time. A request reads it once, so that all its rows carry the same time. */
export type Clock = () => Date

/** Only `main/` uses it; everything else receives a clock, so that tests can set the time. */
export const systemClock: Clock = () => new Date()

export function epochSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
