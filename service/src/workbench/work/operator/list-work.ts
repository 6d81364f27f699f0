import type { Static } from 'typebox'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { Money } from '../../../platform/base/money.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { workOfferings } from '../../../records/work/work-kind.ts'
import { Work } from '../work.schema.ts'
import { type SourceScope, summarizeWork, type WorkSummaryRow, workCountMax } from '../work.sql.ts'
import { workKinds } from '../work-kinds.ts'

export const listWork = operatorOperation(
  {
    id: 'listWork',
    summary: 'See what waits for you',
    description: [
      'How much work of each kind waits for users with your duties, what it amounts to, and how old it is:\n',
      ...workKinds.map(({ kind, duty, description }) => `- \`${kind}\` (duty \`${duty}\`): ${description}`),
    ].join('\n'),
    tag: 'Work',
    method: 'GET',
    path: '/work',
    duty: 'read',
    idempotency: 'none',
    success: { status: 200, body: Work },
    errors: [],
  },
  async (_input, { tenantId, tx, operator, now, readOther }) => {
    const mine = workKinds.flatMap((one) => {
      const offeringIds = workOfferings(operator, one)
      return offeringIds === undefined ? [] : [{ ...one, scope: { tenantId, operator, now, offeringIds } }]
    })
    // Issues all statements of a database together, so that they share one round trip.
    const summaries = (database: 'cell' | 'directory', from: Transaction) =>
      from.each(mine, (tx, one) => summarizeIn(database, tx, one))
    const [inCell, inDirectory] = await Promise.all([
      summaries('cell', tx),
      readOther((directory) => summaries('directory', directory)),
    ])
    return {
      work: mine.map(({ kind }, index) => view(kind, [...(inCell[index] ?? []), ...(inDirectory[index] ?? [])])),
    }
  },
)

function summarizeIn(
  database: 'cell' | 'directory',
  tx: Transaction,
  { sources, scope }: { sources: (typeof workKinds)[number]['sources']; scope: SourceScope },
): Promise<WorkSummaryRow[]> {
  const own = sources.filter((source) => source.database === database)
  return tx.each(own, (tx, source) => summarizeWork(tx, source, scope))
}

function view(kind: string, summaries: readonly WorkSummaryRow[]): Static<typeof Work>['work'][number] {
  const count = summaries.reduce((sum, summary) => sum + summary.count, 0)
  const oldest = summaries.flatMap((summary) => summary.oldest ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0]
  return {
    kind,
    count: Math.min(count, workCountMax),
    is_count_exact: count <= workCountMax,
    sums: summaries.flatMap(({ sums }) => sums).map(viewSum),
    oldest: oldest?.toISOString() ?? null,
  }
}

/** Formats the sum with the decimal places of its currency. A statement may use a currency that we do not know. */
function viewSum({ currency, amount }: { currency: string; amount: string }) {
  const sum = Money.parse(amount, currency)
  return { currency, amount: (sum.isWhole ? sum.normalized() : sum).toString() }
}
