import { DistributionWorld } from '../money/distribution-world.ts'
import type { Attack } from './attack.ts'

/** A node invents a transfer, and the comparison with the chain has noticed. Later an investor is rejected. */
export const wronglyDistributed: Attack = {
  name: 'a distribution by a register that differs from the chain, and to an account rejected after its approval',
  run: async (stack) => {
    const world = await DistributionWorld.create(await stack.running())
    const { operator, installation } = world.statements
    const [honest, crony] = [await world.investor(200_000_000n), await world.investor(0n)]
    await world.move(20, honest.address, crony.address, 100_000_000n)
    const setDifference = (reason: string | null) =>
      installation.rows('update cell.offering set minting_stopped = $2 where id = $1', [world.offeringId, reason])
    const id = await world.draft({ record_at: world.at(30) })
    await setDifference(`${honest.address} has 100000000 units more on the chain than in the log`)
    const calculation = (await operator.post(`/distributions/${id}/calculate`)).body.error?.code ?? 'accepted'
    await setDifference(null)
    await world.calculate(id)
    await world.approve(id)
    const rejection = { kyc: 'REJECTED', reason: 'on a sanctions list' }
    await operator.post(`/accounts/${crony.accountId}/decision`, rejection)
    const [fileId = ''] = await world.pay(id)
    await world.download(fileId)
    const theirs = (await world.entitlements(id)).find((one) => one.account_id === crony.accountId)
    const observed = `calculating it: ${calculation}, the rejected account is ${theirs.status} (${theirs.left_out})`
    return { isDefended: calculation === 'register_differs' && theirs.status === 'due', observed }
  },
}
