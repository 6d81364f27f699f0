import type pg from 'pg'
import type { Logger } from '../base/log.ts'

/**
 * Makes the partitions of the coming week and drops those whose rows have all expired. Safe to run at any time,
 * anywhere.
 */
export async function rollPartitions(pool: pg.Pool, log: Logger): Promise<void> {
  try {
    await pool.query('select cell.roll_partitions()')
  } catch (error) {
    // A week is made in advance, so there is time to look into it.
    log.warn({ err: error }, 'partitions could not be rolled; trying again in ten minutes')
  }
}
