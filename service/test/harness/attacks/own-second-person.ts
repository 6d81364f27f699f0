import { ChainRows } from '../data/chain-rows.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import { until } from '../wait.ts'
import type { Attack, AttackResult } from './attack.ts'
import { ChainUnderAttack } from './attack-chain.ts'
import type { AttackStack } from './attack-stack.ts'

const wallets = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`] as const
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
  run: async (stack) => {
    const tenantId = await stack.installation.createTenant('A')
    const offeringId = await new ChainRows(stack.installation, tenantId).token()
    const [from, to] = wallets
    return verdictOf(await forceTransferAlone(stack, { tenantId, offeringId, from, to }))
  },
}

export const cancelledFreeze: Attack = {
  name: 'one administrator cancels a freeze that two confirmed',
  isShort: true,
  run: async (stack) => {
    const tenantId = await stack.installation.createTenant('A')
    const offeringId = await new ChainRows(stack.installation, tenantId).token()
    const [from, to] = wallets
    return verdictOf(await cancelFreezeAlone(stack, { tenantId, offeringId, from, to }))
  },
}

export const aloneOnAChain: Attack = {
  name: 'one administrator moves and unfreezes the tokens of an investor on a chain',
  run: async (stack) => {
    const attacked = await ChainUnderAttack.create(stack, await stack.chain())
    try {
      await Promise.all([attacked.startWorker(), attacked.startIndexer()])
      const { token, holder } = await attacked.minted()
      const balance = () => attacked.readToken<bigint>(token, 'balanceOf', [holder])
      const frozen = () => attacked.readToken<bigint>(token, 'getFrozenTokens', [holder])
      const minted = await balance()
      const { tenantId, offeringId } = attacked.world
      const target = { tenantId, offeringId, from: holder, to: wallets[1] }
      const attempts = [...(await forceTransferAlone(stack, target)), ...(await cancelFreezeAlone(stack, target))]
      const isFrozen = await until('the wallet is frozen', async () => (await frozen()) === 1n, executedMs).then(
        () => true,
        () => false,
      )
      const { isDefended, observed } = verdictOf(attempts)
      const isUnmoved = (await balance()) === minted
      const onChain = `${isUnmoved ? 'not moved' : 'moved'} and ${isFrozen ? 'frozen' : 'not frozen'}`
      return { isDefended: isDefended && isUnmoved && isFrozen, observed: `${observed}; the units are ${onChain}` }
    } finally {
      await attacked.end()
    }
  },
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
