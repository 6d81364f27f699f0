import { type Alert, hours, minutes } from './signal.ts'

/** Alerts about jobs, mails, events and webhooks. */
export const jobAlerts: readonly Alert[] = [
  {
    name: 'JobsFailed',
    severity: 'ticket',
    value: 'max by (cell, task) (jobs{state="failed"}) > 0',
    for: 10 * minutes,
    summary: 'A job has used all its attempts.',
    meaning: 'The work that the label `task` names was not done and is not retried.',
    steps: ['Log of the worker: the last error of the job.', 'Mend the cause, then run it again as in `jobs.md`.'],
    panel: { title: 'Jobs that failed', dashboard: 'background', unit: 'short' },
  },
  {
    name: 'JobsWait',
    severity: 'ticket',
    value: 'max by (cell, queue) (jobs_oldest_seconds)',
    limit: (time) => `> ${time.seconds(5 * minutes)}`,
    for: 10 * minutes,
    summary: 'Jobs wait for a worker.',
    meaning: 'A queue has more work than the workers do, or no worker serves this database.',
    steps: ['Panel "Jobs that could run": which queue and job?', 'Start another worker.'],
    panel: { title: 'Age of the oldest job that could run', dashboard: 'background', unit: 's' },
  },
  {
    name: 'JobsStopped',
    severity: 'page',
    // Queues of failing receivers or of large exports may be long.
    value: 'max by (cell, queue) (jobs_oldest_seconds)',
    condition: (time) =>
      `max by (cell, queue) (jobs_oldest_seconds{queue=~"default|statements|webhooks"}) > ${time.seconds(30 * minutes, 120)}`,
    for: 5 * minutes,
    summary: 'A job has waited for half an hour for a worker.',
    meaning: 'Payments are not matched, mails are not sent or webhooks are not delivered in this cell.',
    steps: [
      'Panel "Jobs that could run": which queue and job?',
      'Log of the workers, "the job queue is unavailable": the error. No line: restart the workers.',
      'The workers are busy: start another one.',
    ],
    panel: { title: 'Age of the oldest job of a queue', dashboard: 'background', unit: 's' },
  },
  {
    name: 'JobsRetry',
    severity: 'ticket',
    value: 'max by (cell, task) (jobs{state="retrying"}) > 0',
    for: 10 * minutes,
    summary: 'A job fails again and again.',
    meaning: 'The work that the label `task` names is not done. It is retried for about four days.',
    steps: [
      'Log of the worker, "job failed": the error of this job.',
      'Mend the cause. To retry at once, see `jobs.md`.',
    ],
    panel: { title: 'Jobs that are retried', dashboard: 'background', unit: 'short' },
  },
  {
    name: 'JobRunsLong',
    severity: 'ticket',
    value: 'max by (cell, queue) (job_running_oldest_seconds)',
    limit: (time) => `> ${time.seconds(hours)}`,
    for: 5 * minutes,
    summary: 'A job has been running for more than an hour.',
    meaning: 'It hangs, and takes a slot of its queue. Jobs work in slices of seconds.',
    steps: [
      'Panel "Time the oldest job runs": which queue?',
      'Restart the workers: another one takes over within seconds.',
    ],
    panel: { title: 'Time the oldest job runs', dashboard: 'background', unit: 's' },
  },
  {
    name: 'MailNotSent',
    severity: 'ticket',
    value: (time) => `sum by (task) (increase(job_failures_total[${time.duration(15 * minutes)}]))`,
    condition: (time) =>
      `sum by (task) (increase(job_failures_total{task=~"mail-.*|alert-.*"}[${time.duration(15 * minutes)}])) > 0 ` +
      'or max by (task) (jobs{task=~"mail-.*|alert-.*",state="retrying"}) > 0',
    for: 2 * minutes,
    summary: 'Mails cannot be sent.',
    meaning: 'Invitations, approvals and warnings wait. Each is retried 25 times, over about four days.',
    steps: ['Log of the worker: the response of the mail server.', 'Check `SMTP_URL` with `openssl s_client`.'],
    panel: { title: 'Failed attempts of jobs', dashboard: 'background', unit: 'short' },
  },
  {
    name: 'EventsNotNumbered',
    severity: 'page',
    value: 'max by (cell) (event_outbox_oldest_seconds)',
    limit: (time) => `> ${time.seconds(5 * minutes)}`,
    for: 5 * minutes,
    summary: 'Events have waited for their number for five minutes.',
    meaning: 'Webhooks, the event stream and sums stand still in this cell.',
    steps: [
      'Log of the worker, loop `number-events`. A lock timeout: see `pg_locks`.',
      'No line: restart the workers.',
    ],
    panel: { title: 'Oldest event without a number', dashboard: 'background', unit: 's' },
  },
  {
    name: 'WebhooksBehind',
    severity: 'page',
    value: 'max by (cell) (webhook_delivery_oldest_seconds)',
    limit: (time) => `> ${time.seconds(10 * minutes, 60)}`,
    for: 5 * minutes,
    summary: 'Webhooks to receivers that work are more than ten minutes late.',
    meaning: 'Integrators learn late that an order was paid or minted. Nothing is lost: deliveries are stored.',
    steps: [
      'Panel "Jobs that could run", queues `webhooks` and `failing-webhooks`: a backlog means too few workers. Start another one.',
      'No jobs wait: log of the worker, loop `requeue-lost-deliveries`.',
    ],
    panel: { title: 'Oldest due webhook', dashboard: 'background', unit: 's' },
  },
]
