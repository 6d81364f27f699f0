import { until } from '../wait.ts'
import type { Attack, AttackResult } from './attack.ts'
import { ChainUnderAttack } from './attack-chain.ts'

const waitMs = 45_000

/** Also mints beyond the offering with the rights of the desk, because minting the first token takes so long. */
export const suspendedHolder: Attack = {
  name: 'a suspended holder sends and receives, and a stolen desk mints beyond the offering',
  run: async (stack) => {
    const attacked = await ChainUnderAttack.create(stack, await stack.chain())
    try {
      await Promise.all([attacked.startWorker(), attacked.startIndexer()])
      return await attackToken(stack, attacked)
    } finally {
      await attacked.end()
    }
  },
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
  const isStopped = await until('the holder cannot move tokens', async () => !(await canMove()), waitMs).then(
    () => true,
    () => false,
  )
  const observed = `the holder ${isStopped ? 'cannot' : 'can'} move tokens, the desk ${canMint ? 'can' : 'cannot'} mint`
  return { isDefended: isStopped && !canMint, observed }
}
