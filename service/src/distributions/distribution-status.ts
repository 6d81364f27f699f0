export const distributionStatuses = [
  'DRAFT',
  'CALCULATING',
  'CALCULATED',
  'APPROVED',
  'PAYING',
  'CLOSED',
  'CANCELLED',
] as const
export type DistributionStatus = (typeof distributionStatuses)[number]

/** Returns true while nothing is with the bank, so that everything can still change. */
export function isChangeable(status: DistributionStatus): boolean {
  return ['DRAFT', 'CALCULATING', 'CALCULATED', 'APPROVED'].includes(status)
}
