import { observedGauge } from '../../platform/base/metric.ts'
import { loop } from '../../platform/jobs/loop.ts'
import { selectWaitingApprovals } from './measures.sql.ts'

/** The last values of each database. */
const measuredIn = new Map<string, { waiting: number; oldestSeconds: number }>()

/** Measures the requests that wait for a second person. Every worker reports the same values. */
export const measureApprovals = loop({
  name: 'measure-approvals',
  everyMs: 15_000,
  run: async ({ cell, pool }) => {
    try {
      const measured = await selectWaitingApprovals(pool)
      if (measured) measuredIn.set(cell, measured)
    } catch (error) {
      measuredIn.delete(cell)
      throw error
    }
  },
})

observedGauge('approvals_waiting', {
  description: 'Requests that wait for a second person',
  labels: ['cell'],
  read: (observe) => {
    for (const [cell, { waiting }] of measuredIn) observe(waiting, { cell })
  },
})

observedGauge('approval_oldest_seconds', {
  description: 'How long the oldest of them has waited; 0 if there is none',
  labels: ['cell'],
  read: (observe) => {
    for (const [cell, { oldestSeconds }] of measuredIn) observe(oldestSeconds, { cell })
  },
})
