import { OperatorClient } from '../callers/operator-client.ts'
import { until } from '../wait.ts'
import type { Attack, AttackResult } from './attack.ts'
import { ChainUnderAttack } from './attack-chain.ts'

const waitMs = 90_000
const units = '100000000'

/** The attacker owns frozen units, has the token of an integrator, and one operator on their side. */
export const transferAroundFreeze: Attack = {
  name: 'a transfer around a freeze: as a sale, as an inheritance, by one operator, and on the chain',
  run: async (stack) => {
    const attacked = await ChainUnderAttack.create(stack, await stack.chain())
    try {
      await Promise.all([attacked.startWorker(), attacked.startIndexer()])
      return await moveFrozenUnits(stack, attacked)
    } finally {
      await attacked.end()
    }
  },
}

async function moveFrozenUnits(stack: Parameters<Attack['run']>[0], attacked: ChainUnderAttack): Promise<AttackResult> {
  const { token, holder, walletId } = await attacked.minted()
  const { world } = attacked
  const { tenantId, offeringId, installation } = world
  const accomplice = await world.investor()
  const [receiver] = await world.rows<{ id: string; address: `0x${string}` }>(
    'select id, public_address as address from cell.wallet where account_id = $1',
    [accomplice],
  )
  if (!receiver) throw new Error('the accomplice has no wallet')
  const api = await stack.api()
  const integrator = await api.token(await installation.issueCredential(tenantId))
  const request = async (reason: string): Promise<string> => {
    const wallets = { sender_wallet_id: walletId, receiver_wallet_id: receiver.id }
    const body = { offering_id: offeringId, ...wallets, units, reason }
    return (await api.call('POST', '/transfers', { token: integrator, body })).body.id
  }
  // Approved before the freeze, so that the accomplice is registered.
  const admin = await OperatorClient.create(installation, await stack.operatorApi(), tenantId, 'all duties')
  const early = await request('inheritance')
  await admin.post(`/transfers/${early}/approve`)
  const read = async (id: string) => (await admin.get(`/transfers/${id}`)).body
  await until('the receiver is registered', async () => (await read(early)).status === 'READY', waitMs)

  const freeze = { kind: 'FREEZE', wallet_address: holder, units, reason: 'court order' }
  await admin.postTogether(`/offerings/${offeringId}/token-actions`, freeze)
  const isFrozen = async () => (await attacked.readToken<bigint>(token, 'getFrozenTokens', [holder])) === BigInt(units)
  await until('the units are frozen', isFrozen, waitMs)

  const late = await request('sale')
  const tries = [
    await admin.post(`/transfers/${late}/approve`),
    await admin.post(`/transfers/${early}/force`),
    await admin.post(`/transfers/${early}/approve`),
  ]
  const canSend = await attacked.wouldSucceed(holder, token, 'transfer', [receiver.address, BigInt(units)])
  const blockers = [...(await read(late)).blockers, ...(await read(early)).blockers]
  const codes = blockers.map(({ code }: { code: string }) => code).join(', ')
  const moved = await attacked.readToken<bigint>(token, 'balanceOf', [receiver.address])
  const statuses = tries.map(({ status }) => status).join(', ')
  return {
    isDefended: moved === 0n && !canSend && statuses === '409, 409, 200' && codes.includes('units_frozen'),
    observed: `the responses are ${statuses} (${codes}); the holder ${canSend ? 'can' : 'cannot'} send, ${moved} moved`,
  }
}
