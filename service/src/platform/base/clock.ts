/** The only source of "now". A request reads it once, so that everything it writes carries one time. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export function epochSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}
