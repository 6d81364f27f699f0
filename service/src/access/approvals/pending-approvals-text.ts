import type { ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import { Money, minorUnitDigits } from '../../platform/base/money.ts'
import { quotedName } from '../../platform/mail/quoted-name.ts'

type Pending = Pick<ApprovalRow, 'id' | 'database' | 'operation' | 'proposedBy' | 'proposedAt'> &
  Pick<ApprovalRow, 'subjectType' | 'subjectId' | 'amountMinor' | 'currency'>

/** Number of the largest and of the oldest proposals that the mail lists for each proposer. */
const largestMax = 3
const oldestMax = 3

/**
 * Writes a mail about all proposals that wait for a person. Each proposer gets a few lines, so that nobody can bury
 * another's proposals, or a large or old one of their own below many small ones.
 */
export function pendingApprovalsText(
  approvals: readonly Pending[],
  proposers: ReadonlyMap<string, string>,
  operatorUrl: string,
): { subject: string; text: string } {
  const count = approvals.length
  const byAge = approvals.toSorted((a, b) => a.proposedAt.getTime() - b.proposedAt.getTime())
  const groups = [...Map.groupBy(byAge, ({ proposedBy }) => proposedBy)].flatMap(([userId, group]) => {
    const shown = shownOf(group)
    const hidden = group.length - shown.length
    return [
      `Proposed by ${quotedName(proposers.get(userId) ?? userId)}: ${group.length}`,
      ...shown.flatMap((approval) => linesOf(approval, operatorUrl)),
      ...(hidden > 0 ? [`  and ${hidden} more`] : []),
      '',
    ]
  })
  return {
    subject: count === 1 ? 'A change waits for your confirmation' : `${count} changes wait for your confirmation`,
    text: [
      'Look at each of these changes, and confirm or reject it before it expires:',
      '',
      ...groups,
      `All of them: ${operatorUrl}/console/approvals`,
      '',
    ].join('\n'),
  }
}

/** Returns the largest, then the oldest. */
function shownOf(byAge: readonly Pending[]): readonly Pending[] {
  const withAmount = byAge.filter(({ amountMinor }) => amountMinor !== null)
  const largest = withAmount.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, largestMax)
  return [...largest, ...byAge.filter((approval) => !largest.includes(approval)).slice(0, oldestMax)]
}

/** Returns a size for comparison only: treats all currencies as if they were one. */
function sizeOf({ amountMinor, currency }: Pending): number {
  return Number(amountMinor) / 10 ** (minorUnitDigits(currency ?? '') ?? 0)
}

function linesOf({ id, database, operation, subjectType, subjectId, ...approval }: Pending, url: string): string[] {
  const { amountMinor, currency, proposedAt } = approval
  const amount =
    amountMinor !== null && currency !== null ? [`${Money.ofMinor(BigInt(amountMinor), currency)} ${currency}`] : []
  const time = `${proposedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return [
    `- ${[operation, `${subjectType} ${subjectId}`, ...amount, time].join(', ')}`,
    `  ${url}/console/approvals/${database}/${id}`,
  ]
}
