import { loop } from '../../platform/jobs/loop.ts'
import { areEventsUnnumbered, numberEventBatch } from './number-events.sql.ts'

const batchSize = 1_000

/** Assigns sequence numbers to the new events of a cell. See numberEventBatch for the guarantees. */
export const numberEvents = loop({
  name: 'number-events',
  everyMs: 50,
  isDue: () => areEventsUnnumbered,
  run: async ({ pool }) => {
    while ((await numberEventBatch(pool, batchSize)) === batchSize);
  },
})
