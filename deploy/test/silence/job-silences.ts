import { changes, grows, pages, type Silence, tickets } from './silence.ts'

/** Every queue of `background.ts`, with its jobs. */
export const jobsOf: Readonly<Record<string, readonly string[]>> = {
  default: [
    'add-kyc-provider-to-directory',
    'add-provider-to-directory',
    'apply-eligibility',
    'alert-failed-authentication',
    'burn-redeemed',
    'calculate-distribution',
    'check-mint-preconditions',
    'check-offering-orders',
    'check-registrations',
    'draft-coupon',
    'expire-approval',
    'extract-changes',
    'mail-alarm',
    'mail-approval',
    'mail-webhook-endpoint-disabled',
    'mail-invitation',
    'mail-maintenance',
    'mail-pending-approvals',
    'reconcile-offering',
    'record-directory-event',
    'refund-offering',
    'write-distribution-files',
  ],
  statements: ['match-statements'],
  exports: ['write-exports', 'delete-export'],
  webhooks: ['deliver-webhooks'],
  'failing-webhooks': ['deliver-webhooks-to-failing'],
}

/** Queues whose jobs concern money, or for which people wait. */
const paging: readonly string[] = ['default', 'statements', 'webhooks']

export const queueSilences: readonly Silence[] = Object.keys(jobsOf).flatMap((name) => [
  {
    kind: 'queue',
    name,
    how: 'no worker fetches its jobs',
    ...(paging.includes(name) ? pages('JobsStopped', 37) : tickets('JobsWait', 17)),
    labels: { queue: name, cell: `queue-${name}` },
    series: { [`jobs_oldest_seconds{cell="queue-${name}",queue="${name}"}`]: grows },
  },
  {
    kind: 'queue',
    name,
    how: 'a job hangs',
    ...tickets('JobRunsLong', 67),
    labels: { queue: name, cell: `hangs-${name}` },
    series: { [`job_running_oldest_seconds{cell="hangs-${name}",queue="${name}"}`]: grows },
  },
])

export const jobSilences: readonly Silence[] = Object.entries(jobsOf).flatMap(([queue, names]) =>
  names.flatMap((name) => {
    const kind = /^(mail|alert)-/.test(name) ? 'mail' : 'job'
    const inState = (state: string, cell: string) => ({
      labels: { task: name, cell },
      series: { [`jobs{cell="${cell}",queue="${queue}",task="${name}",state="${state}"}`]: changes(0, 1) },
    })
    return [
      {
        kind,
        name,
        how: 'fails again and again',
        ...tickets('JobsRetry', 12),
        ...inState('retrying', `retries-${name}`),
      },
      {
        kind,
        name,
        how: 'has used all attempts',
        ...tickets('JobsFailed', 12),
        ...inState('failed', `failed-${name}`),
      },
    ] satisfies Silence[]
  }),
)
