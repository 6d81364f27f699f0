import { changes, grows, type Silence } from './silence.ts'

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
    alert: paging.includes(name) ? 'JobsStopped' : 'JobsWait',
    severity: paging.includes(name) ? 'page' : 'ticket',
    minutes: paging.includes(name) ? 37 : 17,
    labels: { queue: name, cell: `queue-${name}` },
    series: { [`jobs_oldest_seconds{cell="queue-${name}",queue="${name}"}`]: grows },
  },
  {
    kind: 'queue',
    name,
    how: 'a job hangs',
    alert: 'JobRunsLong',
    severity: 'ticket',
    minutes: 67,
    labels: { queue: name, cell: `hangs-${name}` },
    series: { [`job_running_oldest_seconds{cell="hangs-${name}",queue="${name}"}`]: grows },
  },
])

export const jobSilences: readonly Silence[] = Object.entries(jobsOf).flatMap(([queue, names]) =>
  names.flatMap((name) => {
    const seriesOf = (cell: string, state: string) =>
      `jobs{cell="${cell}",queue="${queue}",task="${name}",state="${state}"}`
    const isMail = /^(mail|alert)-/.test(name)
    return [
      {
        kind: isMail ? 'mail' : 'job',
        name,
        how: 'fails again and again',
        alert: 'JobsRetry',
        severity: 'ticket',
        minutes: 12,
        labels: { task: name, cell: `retries-${name}` },
        series: { [seriesOf(`retries-${name}`, 'retrying')]: changes(0, 1) },
      },
      {
        kind: isMail ? 'mail' : 'job',
        name,
        how: 'has used all attempts',
        alert: 'JobsFailed',
        severity: 'ticket',
        minutes: 12,
        labels: { task: name, cell: `failed-${name}` },
        series: { [seriesOf(`failed-${name}`, 'failed')]: changes(0, 1) },
      },
    ] satisfies Silence[]
  }),
)
