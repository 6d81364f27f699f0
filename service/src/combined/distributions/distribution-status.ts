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

/** Nothing is with the bank yet, so everything about it can change. */
export function isChangeable(status: DistributionStatus): boolean {
  return ['DRAFT', 'CALCULATING', 'CALCULATED', 'APPROVED'].includes(status)
}
