import type pg from 'pg'
import { type Job, type JobContext, job } from '../jobs/job.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import type { Delivery } from './delivery.ts'
import { deliverLane, failingLane } from './queue-turns.ts'
import { serveEndpoint } from './serve-endpoint.ts'

/** A place is a request that waits for its answer: a socket and some memory, so there can be many. */
const deliverPlaces = 256
const failingPlaces = 128

/** Works off both lanes of a cell, each with places of its own. Any number of processes may. */
export function startDelivery(pool: pg.Pool, database: string, context: JobContext, delivery: Delivery): Worker[] {
  const lane = (declared: typeof deliverLane | typeof failingLane, concurrency: number): Worker =>
    startWorker({ pool, database, concurrency, isBatched: true }, [deliveryJob(declared, delivery)], context)
  return [lane(deliverLane, deliverPlaces), lane(failingLane, failingPlaces)]
}

function deliveryJob(lane: typeof deliverLane | typeof failingLane, delivery: Delivery): Job {
  return job({
    ...lane,
    isFrequent: true,
    run: ({ tenant_id: tenantId, endpoint_id: endpointId, turn }) =>
      serveEndpoint(delivery, { tenantId, endpointId, turn, isFailingLane: lane === failingLane }),
  })
}
