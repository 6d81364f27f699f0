import { Type } from 'typebox'

/** Job that burns the units that a redemption has paid for. Declared here because the bank's result enqueues it. */
export const burnQueue = {
  name: 'burn-redeemed',
  payload: Type.Object({ tenant_id: Type.String(), distribution_id: Type.String() }),
  keyOf: ({ distribution_id: distributionId }: { distribution_id: string }) => distributionId,
} as const
