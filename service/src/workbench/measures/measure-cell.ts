import { observedGauge } from '../../platform/base/metric.ts'
import { loop } from '../../platform/jobs/loop.ts'
import { type Measured, selectMeasures } from './measures.sql.ts'

const everyMs = 15_000

/** The last values of each cell. */
const measuredIn = new Map<string, readonly Measured[]>()

/** Counts waiting work in a cell, and measures its age, for alerts. Every worker reports the same values. */
export const measureCell = loop({
  name: 'measure-cell',
  everyMs,
  run: async ({ cell, pool }) => {
    try {
      measuredIn.set(cell, await selectMeasures(pool))
    } catch (error) {
      // A missing value is better than an old one.
      measuredIn.delete(cell)
      throw error
    }
  },
})

type Label = 'chain' | 'state'

/** Every gauge has the cell as a label too. */
const gauges: readonly [name: string, description: string, ...labels: Label[]][] = [
  ['event_outbox_rows', 'Events that have no number yet'],
  ['event_outbox_oldest_seconds', 'Age of the oldest event without a number; 0 if there is none'],
  ['webhook_deliveries_waiting', 'Deliveries that are due'],
  [
    'webhook_delivery_oldest_seconds',
    'How long the oldest delivery to an endpoint that is not failing has been due; 0 if there is none',
  ],
  ['webhook_endpoints', 'Webhook endpoints: `healthy`, `failing`, `unverified` or `disabled`', 'state'],
  [
    'orders_unminted',
    'Paid orders without tokens, by status; `ON_HOLD` ones wait for an operator, or their minting is stopped. ' +
      '0 or absent if there are none',
    'chain',
    'state',
  ],
  [
    'orders_unminted_oldest_seconds',
    'Age of the oldest of them: `PAID` ones since the payment, others since they could be minted. 0 or absent if ' +
      'there are none',
    'chain',
    'state',
  ],
  [
    'chain_ops',
    'Chain ops that are not done, and failed ones that no operator has handled. 0 or absent if there are none',
    'chain',
    'state',
  ],
  ['chain_op_oldest_seconds', 'Age of the oldest of them. 0 or absent if there are none', 'chain', 'state'],
  ['signer_balance_min_ether', 'Balance of the signer that has the least, as seen every five minutes', 'chain'],
  [
    'signer_gas_days_min',
    'Days that the gas of a signer lasts at the pace of the last seven, of the one with the fewest; absent if unused',
    'chain',
  ],
  ['signers_low_on_gas', 'Signers whose balance pays for fewer than about fifty mints', 'chain'],
  [
    'signer_nonce_gap_max',
    'Nonces of a signer that are reserved and in no block, of the signer with the most',
    'chain',
  ],
  ['offerings_minting_stopped', 'Offerings whose minting is stopped'],
  ['tokens_unreadable', 'Tokens whose logs no node returns. 0 or absent if there are none', 'chain'],
  [
    'reconciliation_oldest_time_seconds',
    'When the token whose comparison is the oldest was compared with its chain, in seconds since 1970',
  ],
  ['bank_statement_last_time_seconds', 'When a bank statement was last imported, in seconds since 1970'],
  [
    'bank_statement_silence_seconds',
    'Longest time without a statement of a bank account, without Saturdays and Sundays; at most 14 days',
  ],
  ['bank_statement_unmatched_oldest_seconds', 'Age of the oldest statement with entries to match; 0 if there is none'],
  ['export_oldest_seconds', 'Age of the oldest export that is being written; 0 if there is none'],
  ['bank_statements_waiting', 'Imported statements that wait for a second person'],
  ['bank_statement_gaps', 'Statements that do not follow the one before them, which no operator has resolved'],
  ['bank_entries_attention', 'Entries of bank statements that an operator has to resolve'],
  ['file_bytes', 'Bytes of documents, bank files and exports of all tenants, as they count against their limits'],
  ['tenants_files_filling', 'Tenants that have used four fifths of their room for files'],
  ['tenants_leaving', 'Tenants whose requests wait because they are moving to another cell'],
]

for (const [name, description, ...labels] of gauges) {
  // A state that has become empty counts 0.
  const seen = new Map<string, Record<'cell' | Label, string>>()
  observedGauge(name, {
    description,
    labels: ['cell', ...labels],
    read: (observe) => {
      for (const [cell, measured] of measuredIn) {
        const values = new Map<string, number>()
        for (const one of measured.filter((any) => any.name === name)) {
          const own = { cell, ...Object.fromEntries(labels.map((label) => [label, one[label] ?? ''])) }
          seen.set(JSON.stringify(own), own as Record<'cell' | Label, string>)
          values.set(JSON.stringify(own), one.value)
        }
        for (const [key, own] of seen) if (own.cell === cell) observe(values.get(key) ?? 0, own)
      }
    },
  })
}
