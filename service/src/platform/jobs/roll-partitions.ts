import { loop } from './loop.ts'

/**
 * Creates the partitions of the coming week and drops those whose rows have all expired. A week is created in advance,
 * so a failure leaves time to investigate.
 */
export const rollPartitions = loop({
  name: 'roll-partitions',
  everyMs: 600_000,
  run: async ({ pool }) => {
    await pool.query('select cell.roll_partitions()')
  },
})
