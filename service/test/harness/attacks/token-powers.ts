import { ChainRows } from '../data/chain-rows.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import { happensWithin, until } from '../wait.ts'
import type { Attack, AttackResult } from './attack.ts'
import { ChainUnderAttack } from './attack-chain.ts'
import type { AttackStack } from './attack-stack.ts'

const strangers = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`] as const
const executedMs = 60_000

interface Target {
  readonly tenantId: string
  readonly offeringId: string
  readonly from: string
  readonly to: string
}

/** Attempts of an administrator to be the second person, each with the error that rejects it. */
type Attempts = [what: string, response: ApiResponse, expected: string][]

export const ownSecondPerson: Attack = {
  name: 'one administrator confirms a forced transfer as a colleague, and as an administrator whom they invited',
  isShort: true,
  run: async (stack) => verdictOf(await forceTransferAlone(stack, await newTarget(stack))),
}

export const cancelledFreeze: Attack = {
  name: 'one administrator cancels a freeze that two confirmed',
  isShort: true,
  run: async (stack) => verdictOf(await cancelFreezeAlone(stack, await newTarget(stack))),
}

export const aloneOnAChain: Attack = {
  name: 'one administrator moves and unfreezes the tokens of an investor on a chain',
  run: (stack) =>
    ChainUnderAttack.whileRunning(stack, async (attacked) => {
      const { token, holder } = await attacked.minted()
      const balance = () => attacked.readToken<bigint>(token, 'balanceOf', [holder])
      const frozen = () => attacked.readToken<bigint>(token, 'getFrozenTokens', [holder])
      const minted = await balance()
      const { tenantId, offeringId } = attacked.world
      const target = { tenantId, offeringId, from: holder, to: strangers[1] }
      const attempts = [...(await forceTransferAlone(stack, target)), ...(await cancelFreezeAlone(stack, target))]
      const isFrozen = await happensWithin(executedMs, async () => (await frozen()) === 1n)
      const { isDefended, observed } = verdictOf(attempts)
      const isUnmoved = (await balance()) === minted
      const onChain = `${isUnmoved ? 'not moved' : 'moved'} and ${isFrozen ? 'frozen' : 'not frozen'}`
      return { isDefended: isDefended && isUnmoved && isFrozen, observed: `${observed}; the units are ${onChain}` }
    }),
}

async function newTarget({ installation }: AttackStack): Promise<Target> {
  const tenantId = await installation.createTenant('A')
  const [from, to] = strangers
  return { tenantId, offeringId: await new ChainRows(installation, tenantId).token(), from, to }
}

async function forceTransferAlone(stack: AttackStack, target: Target): Promise<Attempts> {
  const { installation } = stack
  const { tenantId, offeringId, from, to } = target
  const api = await stack.operatorApi()
  const [attacker, colleague] = [
    await installation.createOperator(tenantId),
    await installation.createOperator(tenantId),
  ]
  const { token, cookie } = attacker
  const tokenPath = `/users/${colleague.userId}/tokens`
  const inTheirName = await api.call('POST', tokenPath, { cookie, body: { name: 'x', expires_in_days: 1 } })
  const action = { kind: 'FORCED_TRANSFER', wallet_address: from, to_address: to, units: '1', reason: 'x' }
  const proposed = await api.call('POST', `/offerings/${offeringId}/token-actions`, { token, body: action })
  const confirmPath = `/approvals/${proposed.body.approval_id}/confirm`
  const madeUp = { name: 'Grace', email: `${crypto.randomUUID()}@example.com`, role: 'admin' }
  const invitation = await api.call('POST', '/users', { token, body: madeUp })
  const invitationPath = `/directory-approvals/${invitation.body.approval_id}/confirm`
  // Pretends that a colleague let the invitation pass.
  const invited = await installation.createOperator(tenantId, { invitedBy: attacker.userId })
  return [
    ['a token in the name of a colleague', inTheirName, 'not_your_token'],
    ['confirming it oneself', await api.call('POST', confirmPath, { cookie }), 'second_person_required'],
    ['with a token', await api.call('POST', confirmPath, { token }), 'session_required'],
    [
      'with the token of a colleague',
      await api.call('POST', confirmPath, { token: colleague.token }),
      'session_required',
    ],
    ['inviting an administrator', await api.call('POST', invitationPath, { cookie }), 'second_person_required'],
    [
      'as an administrator invited today',
      await api.call('POST', confirmPath, { cookie: invited.cookie }),
      'second_person_too_new',
    ],
  ]
}

async function cancelFreezeAlone(stack: AttackStack, target: Target): Promise<Attempts> {
  const { installation } = stack
  const { tenantId, offeringId, from } = target
  const api = await stack.operatorApi()
  const create = () => installation.createOperator(tenantId)
  const [first, second, attacker] = [await create(), await create(), await create()]
  const action = { kind: 'FREEZE', wallet_address: from, units: '1', reason: 'court order' }
  const proposed = await api.call('POST', `/offerings/${offeringId}/token-actions`, {
    token: first.token,
    body: action,
  })
  const actionId = proposed.body.approval_id
  const confirmed = await api.call('POST', `/approvals/${actionId}/confirm`, { cookie: second.cookie })
  if (confirmed.status !== 200) throw new Error(`two persons cannot freeze: ${confirmed.text}`)
  const { id: opId, depends_on: grantId } = confirmed.body.result
  const attempts: Attempts = []
  for (const [what, id] of [
    ['cancelling the freeze', opId],
    ['cancelling the grant before it', grantId],
  ]) {
    const cancelled = await api.call('POST', `/chain-ops/${id}/cancel`, { token: attacker.token })
    // Once the op is in a block, it can no longer be cancelled.
    if (cancelled.status === 409) attempts.push([what, cancelled, 'chain_op_not_in_state'])
    else {
      const path = `/approvals/${cancelled.body.approval_id}/confirm`
      attempts.push([what, await api.call('POST', path, { cookie: attacker.cookie }), 'second_person_required'])
    }
    const op = (await api.call('GET', `/chain-ops/${id}`, { token: attacker.token })).body
    if (op.is_cancelling || op.state === 'CANCELLED') throw new Error(`one person alone cancelled a ${op.kind}`)
  }
  return attempts
}

function verdictOf(attempts: Attempts): AttackResult {
  const codeOf = ({ status, body }: ApiResponse) => body?.error?.code ?? String(status)
  return {
    isDefended: attempts.every(([, response, expected]) => codeOf(response) === expected),
    observed: attempts.map(([what, response]) => `${what}: ${codeOf(response)}`).join(', '),
  }
}

const stopMsMax = 45_000

/** Also mints beyond the offering with the rights of the desk, because minting the first token takes so long. */
export const suspendedHolder: Attack = {
  name: 'a suspended holder sends and receives, and a stolen desk mints beyond the offering',
  run: (stack) => ChainUnderAttack.whileRunning(stack, (attacked) => attackToken(stack, attacked)),
}

async function attackToken(stack: Parameters<Attack['run']>[0], attacked: ChainUnderAttack): Promise<AttackResult> {
  const { token, holder, walletId } = await attacked.minted()
  const api = await stack.installation.operatorApi()
  const { world, accountId } = attacked
  const [offering] = await world.rows<{ units: string; desk: `0x${string}` }>(
    `select total_units::text as units, desk_address as desk from cell.offering, cell.chain_signer signer
     where offering.id = $1 and signer.tenant_id = offering.tenant_id`,
    [world.offeringId],
  )
  if (!offering) throw new Error('the offering does not exist')
  const canMint = await attacked.wouldSucceed(offering.desk, token, 'mint', [holder, BigInt(offering.units)])
  const path = `/accounts/${accountId}/wallets/${walletId}/suspend`
  await api.call(world.tenantId, 'POST', path, { reason: 'for a test' })
  const canMove = async () =>
    (await attacked.readToken<boolean>(token, 'canSend', [holder])) ||
    (await attacked.readToken<boolean>(token, 'canReceive', [holder]))
  const isStopped = await happensWithin(stopMsMax, async () => !(await canMove()))
  const observed = `the holder ${isStopped ? 'cannot' : 'can'} move tokens, the desk ${canMint ? 'can' : 'cannot'} mint`
  return { isDefended: isStopped && !canMint, observed }
}

const waitMs = 90_000
const units = '100000000'

/** The attacker owns frozen units, has the token of an integrator, and one operator on their side. */
export const transferAroundFreeze: Attack = {
  name: 'a transfer around a freeze: as a sale, as an inheritance, by one operator, and on the chain',
  run: (stack) => ChainUnderAttack.whileRunning(stack, (attacked) => moveFrozenUnits(stack, attacked)),
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
  const admin = await stack.user({ id: tenantId })
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
