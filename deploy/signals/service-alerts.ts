import { type Alert, hours, minutes, type TimeScale } from './signal.ts'

const slowLoops = 'roll-partitions|publish-audit-heads'

/**
 * Returns 0 for a loop that has not succeeded since any of its workers started. Looks back, so that a worker that was
 * just replaced does not count as one.
 */
function lastSuccess(time: TimeScale, loops: string): string {
  return `max by (loop, cell) (max_over_time(loop_last_success_time_seconds{loop${loops}}[${time.duration(10 * minutes)}]))`
}

/** Alerts about processes, their loops and databases. */
export const serviceAlerts: readonly Alert[] = [
  {
    name: 'Watchdog',
    severity: 'watchdog',
    value: 'count by (alertname) (ALERTS{alertstate="firing"})',
    condition: 'vector(1)',
    for: 0,
    summary: 'Always fires, to show that alerts arrive.',
    meaning:
      'Nothing is wrong. A receiver outside of the installation raises the alarm when this alert stops arriving.',
    steps: [
      'It arrives: do nothing.',
      'The dead-man receiver has raised its alarm: Prometheus, Alertmanager or the way out of the network is down, so no other alert arrives either. Start with `incidents.md`.',
    ],
    panel: { title: 'Alerts that fire', dashboard: 'service', unit: 'short' },
  },
  {
    name: 'ProcessMissing',
    severity: 'page',
    value: 'count by (process, version) (build_info)',
    condition: () =>
      ['api', 'operator-api', 'worker', 'indexer'].map((name) => `absent(build_info{process="${name}"})`).join(' or '),
    for: 5 * minutes,
    summary: 'No process of this kind is running.',
    meaning:
      'The label `process` says which: without a worker nothing is minted or delivered, without an indexer balances stand still.',
    steps: ['Look at its pods and their last log lines: a process says in one line why it does not start.'],
    panel: { title: 'Running processes', dashboard: 'service', unit: 'short' },
  },
  {
    name: 'ProcessRestarts',
    severity: 'ticket',
    value: (time) => `changes(process_start_time_seconds[${time.duration(hours)}])`,
    condition: (time) => `max by (instance) (changes(process_start_time_seconds[${time.duration(30 * minutes)}])) > 3`,
    for: 0,
    summary: 'A process has started more than three times in half an hour.',
    meaning: 'It ends soon after each start. Other processes do its work, unless all of them do the same.',
    steps: ['The last log lines before each start: a process says in one line why it ends.', 'Its limit of memory.'],
    panel: { title: 'Starts of processes', dashboard: 'service', unit: 'short' },
  },
  {
    name: 'LoopStalled',
    severity: 'page',
    value: 'time() - max by (loop, cell) (loop_last_success_time_seconds > 0)',
    condition: (time) =>
      `time() - ${lastSuccess(time, `!~"${slowLoops}"`)} > ${time.seconds(5 * minutes, 90)} ` +
      `or time() - ${lastSuccess(time, `=~"${slowLoops}"`)} > ${time.seconds(3 * hours, 3 * hours)}`,
    for: 5 * minutes,
    summary: 'A loop of the workers has not succeeded for a while, or never since they started.',
    meaning: 'The work that the label `loop` names stands still in this cell, in all workers: it hangs or fails.',
    steps: [
      'Log of the worker, "loop failed": the error. A lock timeout means that another session has a lock: see `pg_locks`.',
      'No line: it hangs. `/livez` fails after ten minutes and the worker is restarted; restart it now.',
      'Look up the loop in `service/src/background.ts` to see what waits.',
    ],
    panel: { title: 'Time since a loop last succeeded', dashboard: 'background', unit: 's' },
  },
  {
    name: 'LoopFails',
    severity: 'ticket',
    value: (time) => `sum by (loop, cell) (increase(loop_failures_total[${time.duration(15 * minutes)}]))`,
    condition: (time) =>
      `sum by (loop, cell, instance) (increase(loop_failures_total[${time.duration(15 * minutes)}])) / ` +
      `sum by (loop, cell, instance) (increase(loop_runs_total[${time.duration(15 * minutes)}])) > 0.5`,
    for: 15 * minutes,
    summary: 'Most runs of a loop fail in one worker.',
    meaning: 'Another worker may do the work. If none does, `LoopStalled` pages.',
    steps: ['Log of that worker, "loop failed": the error.', 'Only one worker: restart it.'],
    panel: { title: 'Failed runs of loops', dashboard: 'background', unit: 'short' },
  },
  {
    name: 'ItemsFail',
    severity: 'ticket',
    value: (time) => `sum by (problem) (increase(item_failures_total[${time.duration(10 * minutes)}]))`,
    limit: '> 0',
    for: 20 * minutes,
    summary: 'A loop continues, but something that it works on fails again and again.',
    meaning: 'Often one tenant or one order waits, while all others are served.',
    steps: ['Log of the worker: the text in the label `problem`, with the error and the tenant.'],
    panel: { title: 'Failed items of loops', dashboard: 'background', unit: 'short' },
  },
  {
    name: 'LoopHung',
    severity: 'ticket',
    value: 'max by (instance) (loops_hung)',
    limit: '> 0',
    for: minutes,
    summary: 'A loop of one process hangs.',
    meaning: 'The process fails `/livez` and should have been restarted by now. Other workers do the same work.',
    steps: ['Take a stack of the process if you can, then restart it.', 'Its log names the loop: report a defect.'],
    panel: { title: 'Loops that hang', dashboard: 'background', unit: 'short' },
  },
  {
    name: 'DatabaseUnavailable',
    severity: 'page',
    value: 'min by (check) (readiness_check)',
    condition:
      'label_replace(min by (check) (readiness_check{check=~"directory|cell .*"}), "cell", "$1", "check", "cell (.*)") == 0',
    for: 2 * minutes,
    summary: 'A process cannot use a database.',
    meaning: 'Requests of the tenants of this cell fail, or of all tenants if it is the directory.',
    steps: [
      '`MigrationsMissing` fires too: run `maintain migrate`, as in `upgrade.md`.',
      'Connect with `psql` and the login of the service. "too many clients": see `size.md` for the connections we need, and find who has the rest in `pg_stat_activity`.',
      'Primary dead: see `failover.md`. No standby can take over: see `backup-and-restore.md`.',
    ],
    panel: { title: 'Checks of /readyz', dashboard: 'service', unit: 'short' },
  },
  {
    name: 'ConnectionsExhausted',
    severity: 'ticket',
    value: 'sum by (database, pool) (db_pool_connections{state="used"})',
    condition: (time) =>
      `sum by (database, pool) (rate(db_pool_wait_seconds_sum[${time.duration(5 * minutes)}])) / ` +
      `sum by (database, pool) (rate(db_pool_wait_seconds_count[${time.duration(5 * minutes)}])) > 0.1`,
    for: 10 * minutes,
    summary: 'Work waits for a connection to a database.',
    meaning: 'All connections of a pool are in use. Requests are slow, then fail after two seconds.',
    steps: [
      'Slow statements first: `pg_stat_activity`.',
      'Then raise `DATABASE_POOL_MAX` as in `size.md`, or add a process.',
    ],
    panel: { title: 'Connections in use', dashboard: 'service', unit: 'short' },
  },
  {
    name: 'RedisUnavailable',
    severity: 'ticket',
    value: 'min(readiness_check{check="redis"})',
    limit: '== 0',
    for: 2 * minutes,
    summary: 'Redis does not respond.',
    meaning:
      'Each process counts requests alone: limits are higher by the number of processes. Nothing else needs Redis.',
    steps: ['Start Redis. Processes connect by themselves; its data need not be restored.'],
    panel: { title: 'Redis', dashboard: 'service', unit: 'short' },
  },
  {
    name: 'MigrationsMissing',
    severity: 'ticket',
    value: 'min(readiness_check{check="migrations"})',
    limit: '== 0',
    for: 10 * minutes,
    summary: 'A process needs migrations that have not run.',
    meaning:
      'Tenants of the cell that lacks them get 503 from this process. If all cells or the directory lack some, it does not become ready.',
    steps: [
      'Log of the process, "this release needs migrations that have not run": which database.',
      'Run `maintain migrate`, as in `upgrade.md`.',
    ],
    panel: { title: 'Migrations', dashboard: 'service', unit: 'short' },
  },
  {
    name: 'RequestsRefused',
    severity: 'ticket',
    value: (time) => `sum by (reason) (rate(requests_refused_total[${time.duration(5 * minutes)}]))`,
    limit: '> 0.1',
    for: 10 * minutes,
    summary: 'Requests get 503 or 429 because of what a process handles at once.',
    meaning: 'More work arrives than the processes can do, or one address sends many requests without a known caller.',
    steps: [
      'Label `reason`: `address` is one client; `cell` waits for the database of one cell: if it has CPU to spare and ' +
        'no waiting locks, add an API process or raise `DATABASE_POOL_MAX`; otherwise add an API process.',
      '`tenant`, `caller` and `bodies` are mostly one tenant that sends more at once than its share, which others do not ' +
        'notice: find it in the log by `tenant_id` and status 429. If it is right to send that much, raise its share.',
    ],
    panel: { title: 'Refused requests', dashboard: 'service', unit: 'reqps' },
  },
  {
    name: 'RequestLogLost',
    severity: 'ticket',
    value: (time) => `sum(increase(request_log_lost_total[${time.duration(10 * minutes)}]))`,
    limit: '> 0',
    for: 0,
    summary: 'Requests are missing from the request log.',
    meaning: 'The database did not store lines of the request log in time. The requests themselves were served.',
    steps: ['Look for tickets about the database.'],
    panel: { title: 'Lost lines of the request log', dashboard: 'service', unit: 'short' },
  },
]
