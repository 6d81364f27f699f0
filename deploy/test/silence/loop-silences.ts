import {
  begins,
  changesLater,
  ends,
  grows,
  pages,
  type Silence,
  standsStill,
  succeededUntilStop,
  tickets,
} from './silence.ts'

/** Every loop of `background.ts`, with the minutes after which someone knows that it has stopped. */
const minutesOf: Readonly<Record<string, number>> = {
  'roll-partitions': 190,
  'number-events': 11,
  'fan-out-events': 11,
  'requeue-lost-deliveries': 11,
  'expire-orders': 11,
  'expire-wallets': 11,
  'end-account-approvals': 11,
  'plan-minting': 11,
  'check-attached-tokens': 11,
  'advance-chain-ops': 11,
  'reconcile-tokens': 11,
  'watch-nodes': 11,
  'watch-signers': 11,
  'measure-cell': 11,
  'measure-jobs': 11,
  'measure-approvals': 11,
  'measure-size': 11,
  'publish-audit-heads': 190,
}

/** Loops of a worker: one that stops after it has worked, and one that has never succeeded since its worker started. */
export const loopSilences: readonly Silence[] = Object.entries(minutesOf).flatMap(([name, minutes]) => {
  const stood = `stood-${name}`
  const never = `never-${name}`
  const seriesOf = (cell: string, instance: string) =>
    `loop_last_success_time_seconds{loop="${name}",cell="${cell}",instance="${instance}"}`
  return [
    {
      kind: 'loop',
      name,
      how: 'stands still in all workers',
      ...pages('LoopStalled', minutes),
      labels: { loop: name, cell: stood },
      series: { [seriesOf(stood, 'a')]: standsStill },
    },
    {
      kind: 'loop',
      name,
      how: 'never succeeds after a restart',
      ...pages('LoopStalled', 16),
      isLong: minutes > 150,
      labels: { loop: name, cell: never },
      series: { [seriesOf(never, 'a')]: succeededUntilStop, [seriesOf(never, 'b')]: begins(0) },
    },
  ]
})

/** Loops inside something else. Only a hang can be noticed, and everything in them has a timeout. */
export const innerLoops: readonly string[] = [
  'check databases',
  'check streams',
  'choose cells for the ',
  'follow ',
  'follow cells',
  'look for work, ',
  'poll cache invalidations',
  'read events for streams',
  'unlock jobs of dead workers',
  'write the request log',
]

export const innerLoopSilences: readonly Silence[] = innerLoops.map((name, index) => ({
  kind: 'inner loop',
  name,
  how: 'gives no sign of life; the process sees it after ten minutes',
  ...tickets('LoopHung', 12),
  labels: { instance: `hung-${index}` },
  series: { [`loops_hung{instance="hung-${index}"}`]: changesLater(0, 1) },
}))

export const processSilences: readonly Silence[] = [
  ...['api', 'operator-api', 'worker', 'indexer'].map(
    (name): Silence => ({
      kind: 'process',
      name,
      how: 'ends, and does not come back',
      ...pages('ProcessMissing', 7),
      labels: { process: name },
      series: { [`build_info{process="${name}"}`]: ends },
    }),
  ),
  {
    kind: 'process',
    name: 'worker',
    how: 'ends a few seconds after each start',
    ...tickets('ProcessRestarts', 12),
    labels: { instance: 'restarts' },
    series: { 'process_start_time_seconds{instance="restarts"}': grows },
  },
]
