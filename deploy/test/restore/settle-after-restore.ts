import { until } from '../../../service/test/harness/wait.ts'
import type { DrillBank } from './drill-bank.ts'
import type { DrillLoad } from './drill-load.ts'
import type { DrillWorld } from './drill-world.ts'

interface Drill {
  bank: DrillBank
  load: DrillLoad
  at: number
}

/**
 * Does what people do after a restore according to docs/operations/backup-and-restore.md: integrators repeat missing
 * requests, operators import statements, decide about what needs attention, resume minting and pay out.
 */
export async function settleAfterRestore(world: DrillWorld, drill: Drill): Promise<string[]> {
  const { bank, load, at } = drill
  const problems: string[] = []
  await load.signIn()
  const cancelled = load.acknowledged.filter((one) => one.kind === 'cancellation' && one.at >= at).map(({ id }) => id)
  const known = await world.rows<{ id: string }>('select id from cell.token_order where id = any($1::uuid[])', [
    cancelled,
  ])
  for (const { id } of known) await load.cancel(id)
  await world.service.start('worker', 'indexer')

  for (const file of bank.files) await load.importStatement(file)
  await settled(world)
  const rejected = await load.tryPayOut()
  if (rejected !== 'payouts_stopped' && rejected !== 'no_refund_due')
    problems.push(`a payout before the last statement was not stopped, but ${rejected ?? 'downloaded'}`)

  bank.execute()
  const [stop] = await world.rows<{ until: string }>('select statements_until::text as until from cell.payout_stop')
  await load.importStatement(bank.issue(stop?.until ?? ''))
  await settled(world)
  await resolveEntries(world, drill)
  await resumeMinting(world)
  await payOutAll(world, load)
  bank.execute()
  await load.importStatement(bank.issue(stop?.until ?? ''))
  await settled(world)
  return problems
}

/** Waits until a worker has matched all entries, and orders have reached their final state. */
async function settled(world: DrillWorld): Promise<void> {
  await until(
    'everything is matched and minted, or minting is stopped',
    async () => {
      const [left] = await world.rows<{ entries: number; orders: number; isStopped: boolean }>(
        `select (select count(*)::int from cell.bank_entry where state = 'pending') as entries,
                (select count(*)::int from cell.token_order where status in ('PAID', 'READYTOMINT', 'MINTING')) as orders,
                (select bool_or(minting_stopped is not null) from cell.offering) as "isStopped"`,
      )
      return left?.entries === 0 && (left.orders === 0 || left.isStopped)
    },
    90_000,
  )
}

/** Settles due refunds that the bank has already paid, so that it does not pay them again, and resolves its entries. */
async function resolveEntries(world: DrillWorld, { bank, load }: Drill): Promise<void> {
  const { service, operators } = world
  const token = operators[0]?.token
  const entries = await world.rows<{ id: string; statementId: string; orderId: string | null; amount: string }>(
    `select id, statement_id as "statementId", order_id as "orderId", amount::text as amount from cell.bank_entry
     where state = 'needs_attention'`,
  )
  const paidBack = new Map<string, number>()
  for (const { orderId, amount } of entries)
    if (orderId) paidBack.set(orderId, (paidBack.get(orderId) ?? 0) + Number(amount))
  for (const [orderId, paid] of paidBack) {
    let left = paid
    for (const refund of await dueRefunds(world, orderId)) {
      if (left <= 0) break
      await markAsPaid(world, refund.id)
      if (refund.amount > left) bank.transfer(load.references.get(orderId) ?? '', refund.amount - left)
      left -= refund.amount
    }
  }
  for (const { id, statementId } of entries) {
    const path = `/statements/${statementId}/entries/${id}/resolve`
    const { status, text } = await service.operator('POST', path, { token, body: { resolution: 'compared' } })
    if (status !== 200) throw new Error(text)
  }
}

async function dueRefunds({ service, operators }: DrillWorld, orderId: string) {
  const { body } = await service.operator('GET', `/refunds?order_id=${orderId}`, { token: operators[0]?.token })
  const results: { id: string; status: string; amount: string }[] = body.results ?? []
  return results.filter(({ status }) => status === 'due').map(({ id, amount }) => ({ id, amount: Number(amount) }))
}

async function markAsPaid({ service, operators }: DrillWorld, refundId: string): Promise<void> {
  const token = operators[0]?.token
  const body = { reference: 'paid before the restore' }
  const sent = await service.operator('POST', `/refunds/${refundId}/send`, { token, body })
  const paid = await service.operator('POST', `/refunds/${refundId}/settle`, { token })
  if (sent.status !== 200 || paid.status !== 200) throw new Error(`${sent.text} ${paid.text}`)
}

async function resumeMinting({ service, operators, offeringId }: DrillWorld): Promise<void> {
  const [one, other] = operators
  const body = { reason: 'compared with the chain' }
  const proposed = await service.operator('POST', `/offerings/${offeringId}/resume-minting`, {
    token: one?.token,
    body,
  })
  const approvalId = proposed.body.approval_id
  if (approvalId) await service.operator('POST', `/approvals/${approvalId}/confirm`, { token: other?.token })
}

/** Pays out payouts that were open at the moment, and new ones until nothing is due. */
async function payOutAll(world: DrillWorld, load: DrillLoad): Promise<void> {
  const open = await world.rows<{ id: string }>(`select id from cell.payout where status in ('open', 'released')`)
  for (const { id } of open) await load.download(id)
  for (let round = 0; round < 5; round += 1) {
    const why = await load.tryPayOut()
    if (why === 'no_refund_due') return
    if (why !== undefined) throw new Error(`a payout was rejected: ${why}`)
  }
}
