import { fileURLToPath } from 'node:url'
import { ChainRows } from '../data/chain-rows.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import type { TestOperator } from '../installation/test-users.ts'
import { seededRandom } from '../seeded-random.ts'

const preload = [fileURLToPath(new URL('./kill-statement.ts', import.meta.url))]

/** Statements of a confirmation at which the process is killed, in order. */
const killPoints = [
  'base.approval', //             locks the approval
  'update base.approval', //      decides it
  'insert into cell.chain_op', // the effect
  'append_audit', //              both entries of the audit log
  'commit',
] as const
const delayMsMax = 6

export interface ApprovalKills {
  kills: number
  /** Number of confirmations of which everything, or nothing, existed after the kill. */
  complete: number
  absent: number
  problems: string[]
}

/**
 * Confirms token actions through processes of the operator API that are killed (SIGKILL) while they do it, at each kill
 * point in turn: immediately in the first round, after a random delay in the others. Then confirms each again through
 * another process.
 */
export async function killConfirmations({ kills, seed }: { kills: number; seed: number }): Promise<ApprovalKills> {
  const installation = await TestInstallation.create()
  const random = seededRandom(seed)
  const result: ApprovalKills = { kills: 0, complete: 0, absent: 0, problems: [] }
  try {
    const tenantId = await installation.createTenant('A')
    const offeringId = await new ChainRows(installation, tenantId).token()
    const proposer = await installation.createOperator(tenantId)
    const other = await installation.startOperatorApiProcess()
    for (let round = 0; round < kills; round += 1) {
      const point = killPoints[round % killPoints.length] ?? 'commit'
      const delayMs = round < killPoints.length ? 0 : Math.round(random() * delayMsMax)
      const path = `/offerings/${offeringId}/token-actions`
      const body = { kind: 'SET_CAP', units: String(round + 1), reason: 'second tranche' }
      const proposed = await other.call('POST', path, { token: proposer.token, body })
      // Each confirmation needs a new person: the passkey must have been used within five minutes.
      const second = await installation.createOperator(tenantId)
      const approvalId: string = proposed.body.approval_id
      await killAt(installation, { point, delayMs }, (victim) => confirm(victim, approvalId, second))
      result.kills += 1
      const left = await traces(installation, approvalId)
      const isComplete = left.every((count) => count === 1)
      if (isComplete) result.complete += 1
      else if (left.every((count) => count === 0)) result.absent += 1
      else result.problems.push(`a kill at ${point} left approval, op, audit entries = ${left.join()}`)
      const again = await confirm(other, approvalId, second)
      const expected = isComplete ? 'approval_not_pending' : 200
      if (again !== expected) result.problems.push(`after a kill at ${point} another confirmation is ${again}`)
      const after = await traces(installation, approvalId)
      if (after.some((count) => count !== 1))
        result.problems.push(`after a kill at ${point} and another confirmation: ${after.join()}`)
    }
    return result
  } finally {
    await installation.end()
  }
}

/** Returns 200 or the code of the error. */
async function confirm(api: RunningApi, approvalId: string, { cookie }: TestOperator): Promise<number | string> {
  const { status, body } = await api.call('POST', `/approvals/${approvalId}/confirm`, { cookie })
  return body.error?.code ?? status
}

async function killAt(
  installation: TestInstallation,
  { point, delayMs }: { point: string; delayMs: number },
  work: (victim: RunningApi) => Promise<unknown>,
): Promise<void> {
  const settings = { KILL_FROM: 'base.approval', KILL_ON: point, KILL_AFTER: '0', KILL_DELAY_MS: String(delayMs) }
  const victim = await installation.startOperatorApiProcess(settings, preload)
  // The response is lost, unless the process was faster than the kill.
  await work(victim).catch(() => undefined)
  await victim.process.ended
}

/** Counts the decisions, effects and audit entries of each kind once the dead process's transaction has ended. */
function traces(installation: TestInstallation, approvalId: string): Promise<number[]> {
  return installation.owner(async (client) => {
    // Waits for the transaction, which holds the lock on the row.
    await client.query('begin')
    await client.query('select from base.approval where id = $1 for update', [approvalId])
    await client.query('commit')
    const { rows } = await client.query(
      `select
         (select count(*)::int from base.approval where id = $1::uuid and state = 'confirmed') as decided,
         (select count(*)::int from cell.chain_op where dedupe_key = 'action:' || $1::uuid) as ops,
         (select count(*)::int from base.audit_log
          where action = 'token_action.confirmed' and approval_id = $1::uuid) as effects_audited,
         (select count(*)::int from base.audit_log
          where action = 'approval.confirmed' and subject_id = $1::uuid) as decisions_audited`,
      [approvalId],
    )
    return Object.values(rows[0])
  })
}
