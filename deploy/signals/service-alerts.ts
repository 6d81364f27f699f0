import { type Alert, hours, minutes } from './signal.ts'

const slowLoops = 'roll-partitions|publish-audit-heads'

/** Processes, databases and background work. */
export const serviceAlerts: readonly Alert[] = [
  {
    name: 'ProcessMissing',
    severity: 'page',
    expr: () =>
      ['api', 'operator-api', 'worker', 'indexer'].map((name) => `absent(build_info{process="${name}"})`).join(' or '),
    for: 5 * minutes,
    summary: 'No process of this kind is running.',
    meaning:
      'The label `process` says which: without a worker nothing is minted or delivered, without an indexer balances stand still.',
    steps: ['Look at its pods and their last log lines: a process says in one line why it does not start.'],
    panel: {
      title: 'Running processes',
      dashboard: 'service',
      expr: () => 'count by (process, version) (build_info)',
      unit: 'short',
    },
  },
  {
    name: 'LoopStalled',
    severity: 'page',
    expr: (time) =>
      `time() - max by (loop, cell) (loop_last_success_time_seconds{loop!~"${slowLoops}"}) > ${time.seconds(10 * minutes, 90)} ` +
      `or time() - max by (loop, cell) (loop_last_success_time_seconds{loop=~"${slowLoops}"}) > ${time.seconds(3 * hours, 3 * hours)}`,
    for: minutes,
    summary: 'A loop of the workers has not succeeded for a while.',
    meaning: 'The work that the label `loop` names stands still in this cell, in all workers: it hangs or fails.',
    steps: [
      'Log of the worker, "loop failed": the error. A lock timeout means that another session has a lock: see `pg_locks`.',
      'No line: it hangs. `/livez` fails after ten minutes and the worker is restarted; restart it now.',
      'Look up the loop in `service/src/background.ts` to see what waits.',
    ],
    panel: {
      title: 'Time since a loop last succeeded',
      dashboard: 'background',
      expr: () => 'time() - max by (loop, cell) (loop_last_success_time_seconds)',
      unit: 's',
    },
  },
  {
    name: 'LoopHung',
    severity: 'ticket',
    expr: () => 'max by (instance) (loops_hung) > 0',
    for: minutes,
    summary: 'A loop of one process hangs.',
    meaning: 'The process fails `/livez` and should have been restarted by now. Other workers do the same work.',
    steps: ['Take a stack of the process if you can, then restart it.', 'Its log names the loop: report a defect.'],
    panel: {
      title: 'Loops that hang',
      dashboard: 'background',
      expr: () => 'max by (instance) (loops_hung)',
      unit: 'short',
    },
  },
  {
    name: 'DatabaseUnavailable',
    severity: 'page',
    expr: () => 'min by (check) (readiness_check{check=~"directory|cell .*"}) == 0',
    for: 2 * minutes,
    summary: 'A process cannot use a database.',
    meaning: 'Requests of the tenants of this cell fail, or of all tenants if it is the directory.',
    steps: [
      'Connect with `psql` and the login of the service. "too many clients": see `size.md` for the connections we need, and find who has the rest in `pg_stat_activity`.',
      'Primary dead: see `backup-and-restore.md`.',
    ],
    panel: {
      title: 'Checks of /readyz',
      dashboard: 'service',
      expr: () => 'min by (check) (readiness_check)',
      unit: 'short',
    },
  },
  {
    name: 'ConnectionsExhausted',
    severity: 'ticket',
    expr: (time) =>
      `sum by (database, pool) (rate(db_pool_wait_seconds_sum[${time.duration(5 * minutes)}])) / ` +
      `sum by (database, pool) (rate(db_pool_wait_seconds_count[${time.duration(5 * minutes)}])) > 0.1`,
    for: 10 * minutes,
    summary: 'Work waits for a connection to a database.',
    meaning: 'All connections of a pool are in use. Requests are slow, then fail after two seconds.',
    steps: [
      'Slow statements first: `pg_stat_activity`.',
      'Then raise `DATABASE_POOL_MAX` as in `size.md`, or add a process.',
    ],
    panel: {
      title: 'Connections in use',
      dashboard: 'service',
      expr: () => 'sum by (database, pool) (db_pool_connections{state="used"})',
      unit: 'short',
    },
  },
  {
    name: 'RedisUnavailable',
    severity: 'ticket',
    expr: () => 'min(readiness_check{check="redis"}) == 0',
    for: 2 * minutes,
    summary: 'Redis does not respond.',
    meaning:
      'Each process counts requests alone: limits are higher by the number of processes. Nothing else needs Redis.',
    steps: ['Start Redis. Processes connect by themselves; its data need not be restored.'],
    panel: {
      title: 'Redis',
      dashboard: 'service',
      expr: () => 'min(readiness_check{check="redis"})',
      unit: 'short',
    },
  },
  {
    name: 'MigrationsMissing',
    severity: 'ticket',
    expr: () => 'min(readiness_check{check="migrations"}) == 0',
    for: 10 * minutes,
    summary: 'A process needs migrations that have not run.',
    meaning: 'The process does not become ready.',
    steps: ['Run `maintain migrate`, as in `upgrade.md`.'],
    panel: {
      title: 'Migrations',
      dashboard: 'service',
      expr: () => 'min(readiness_check{check="migrations"})',
      unit: 'short',
    },
  },
  {
    name: 'RequestsRefused',
    severity: 'ticket',
    expr: (time) => `sum by (reason) (rate(requests_refused_total[${time.duration(5 * minutes)}])) > 0.1`,
    for: 10 * minutes,
    summary: 'Requests get 503 because of a limit of the process.',
    meaning: 'More work arrives than the processes can do, or one address sends many requests without a known caller.',
    steps: [
      'Label `reason`: `address` is one client; `cell` waits for the database of one cell: if it has CPU to spare and ' +
        'no waiting locks, add an API process or raise `DATABASE_POOL_MAX`; otherwise add an API process.',
    ],
    panel: {
      title: 'Refused requests',
      dashboard: 'service',
      expr: (time) => `sum by (reason) (rate(requests_refused_total[${time.duration(5 * minutes)}]))`,
      unit: 'reqps',
    },
  },
  {
    name: 'RequestLogLost',
    severity: 'ticket',
    expr: (time) => `sum(increase(request_log_lost_total[${time.duration(10 * minutes)}])) > 0`,
    for: 0,
    summary: 'Requests are missing from the request log.',
    meaning: 'The database did not store lines of the request log in time. The requests themselves were served.',
    steps: ['Look for tickets about the database.'],
    panel: {
      title: 'Lost lines of the request log',
      dashboard: 'service',
      expr: (time) => `sum(increase(request_log_lost_total[${time.duration(10 * minutes)}]))`,
      unit: 'short',
    },
  },
  {
    name: 'JobsFailed',
    severity: 'ticket',
    expr: () => 'max by (cell, task) (jobs{state="failed"}) > 0',
    for: 10 * minutes,
    summary: 'A job has used all its attempts.',
    meaning: 'The work that the label `task` names was not done and is not retried.',
    steps: ['Log of the worker: the last error of the job.', 'Mend the cause, then run it again as in `jobs.md`.'],
    panel: {
      title: 'Jobs that failed',
      dashboard: 'background',
      expr: () => 'max by (cell, task) (jobs{state="failed"}) > 0',
      unit: 'short',
    },
  },
  {
    name: 'JobsWait',
    severity: 'ticket',
    expr: (time) => `max by (cell, queue) (jobs_oldest_seconds) > ${time.seconds(5 * minutes)}`,
    for: 10 * minutes,
    summary: 'Jobs wait for a worker.',
    meaning: 'A queue has more work than the workers do, or no worker serves this database.',
    steps: ['Panel "Jobs that could run": which queue and job?', 'Start another worker.'],
    panel: {
      title: 'Age of the oldest job that could run',
      dashboard: 'background',
      expr: () => 'max by (cell, queue) (jobs_oldest_seconds)',
      unit: 's',
    },
  },
  {
    name: 'MailNotSent',
    severity: 'ticket',
    expr: (time) =>
      `sum by (task) (increase(job_failures_total{task=~"mail-.*|alert-.*"}[${time.duration(15 * minutes)}])) > 0`,
    for: 2 * minutes,
    summary: 'Mails cannot be sent.',
    meaning: 'Invitations, approvals and warnings wait. Each is retried 25 times, over about four days.',
    steps: ['Log of the worker: the response of the mail server.', 'Check `SMTP_URL` with `openssl s_client`.'],
    panel: {
      title: 'Failed attempts of jobs',
      dashboard: 'background',
      expr: (time) => `sum by (task) (increase(job_failures_total[${time.duration(15 * minutes)}]))`,
      unit: 'short',
    },
  },
  {
    name: 'EventsNotNumbered',
    severity: 'ticket',
    expr: (time) => `max by (cell) (event_outbox_oldest_seconds) > ${time.seconds(5 * minutes)}`,
    for: minutes,
    summary: 'Events wait for their number.',
    meaning: 'Webhooks, the event stream and sums stand still in this cell. `WebhooksSlow` or `LoopStalled` page.',
    steps: ['Log of the worker, loop `number-events`.'],
    panel: {
      title: 'Oldest event without a number',
      dashboard: 'background',
      expr: () => 'max by (cell) (event_outbox_oldest_seconds)',
      unit: 's',
    },
  },
  {
    name: 'WebhooksBehind',
    severity: 'ticket',
    expr: (time) => `max by (cell) (webhook_delivery_oldest_seconds) > ${time.seconds(5 * minutes)}`,
    for: 10 * minutes,
    summary: 'Webhooks to receivers that work are late.',
    meaning: 'Deliveries wait although their receiver does not fail.',
    steps: ['Panel "Jobs that could run", queues `webhooks` and `failing-webhooks`.', 'Start another worker.'],
    panel: {
      title: 'Oldest due webhook',
      dashboard: 'background',
      expr: () => 'max by (cell) (webhook_delivery_oldest_seconds)',
      unit: 's',
    },
  },
]
