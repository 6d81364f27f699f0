import { setTimeout as sleep } from 'node:timers/promises'
import { individual } from '../data/bodies.ts'
import { setThreshold } from '../installation/test-tenants.ts'
import { camt053 } from '../money/camt053.ts'
import { DistributionWorld } from '../money/distribution-world.ts'
import { readRefundFile } from '../money/refund-file.ts'
import type { Attack } from './attack.ts'

const theirAccount = {
  ...individual.bank_account,
  account_holder: 'Mallory First',
  iban: 'FR1420041010050500013M02606',
}

/** The attacker is one operator with all duties, who has bought units after the record time. */
export const changedRecordTime: Attack = {
  name: 'the record time of a distribution moved after two persons have approved it',
  isShort: true,
  run: async (stack) => {
    const world = await DistributionWorld.create(await stack.running())
    const { operatorApi, tenant } = world.statements
    const operator = await stack.user(tenant)
    const { address } = await world.investor(200_000_000n)
    const buyer = await world.investor(0n)
    await world.move(20, address, buyer.address, 200_000_000n)
    const id = await world.draft()
    await world.calculate(id)
    const approved = await world.approve(id)
    const changed = await operator.patch(`/distributions/${id}`, { record_at: world.at(30) })
    const paid = await operator.post(`/distributions/${id}/pay`)
    await world.calculate(id)
    const [entitlement] = await world.entitlements(id)
    const repaid = await operator.post(`/distributions/${id}/pay`)
    const proposed = await operator.post(`/distributions/${id}/approve`)
    const path = `/approvals/${proposed.body.approval_id}/confirm`
    const alone = await operatorApi.call('POST', path, { cookie: operator.who.cookie })
    const { status } = await world.read(id)
    const refusals = [paid, repaid, alone].map((one) => `${one.status} ${one.body?.error?.code}`)
    return {
      isDefended:
        approved.status === 200 &&
        changed.body.status === 'DRAFT' &&
        [paid, repaid].every((one) => one.body?.error?.code === 'distribution_not_in_state') &&
        alone.body?.error?.code === 'second_person_required' &&
        entitlement?.account_id === buyer.accountId &&
        status === 'CALCULATED',
      observed: `paying, paying after another calculation and approving alone: ${refusals.join(', ')}; it is ${status}`,
    }
  },
}

/** The attacker has a stolen token of an integrator with account.update. The operators follow the rules. */
export const redirectedEntitlement: Attack = {
  name: 'bank data replaced after a distribution was approved',
  isShort: true,
  run: async (stack) => {
    const world = await DistributionWorld.create(await stack.running())
    const { operator, tenant } = world.statements
    const victim = await world.investor(200_000_000n)
    await world.investor(300_000_000n)
    const id = await world.approved()
    const changed = await tenant.patch(`/accounts/${victim.accountId}`, { bank_account: theirAccount })
    const ibans: string[] = []
    for (const file of await world.pay(id)) {
      const { blocks } = readRefundFile((await world.download(file)).text)
      ibans.push(...blocks.flatMap(({ transfers }) => transfers.map(({ iban }) => iban)))
    }
    const due = (await world.entitlements(id)).find((one) => one.account_id === victim.accountId)
    const alone = await operator.post(`/entitlements/${due?.id}/approve-account`)
    return {
      isDefended:
        changed.status === 200 &&
        ibans.length === 1 &&
        !ibans.includes(theirAccount.iban) &&
        due?.left_out === 'bank_account_changed' &&
        alone.status === 202,
      observed:
        `${ibans.length} of 2 entitlements are in the file, ${ibans.includes(theirAccount.iban) ? 'also' : 'not'} that of the ` +
        `changed account, left out: ${due?.left_out}; one person who approves the account gets ${alone.status}`,
    }
  },
}

/** A worker that matches the entry takes milliseconds. */
const workerMs = 1_500

export const forgedDebit: Attack = {
  name: 'one clerk books a forged debit below the threshold, which pays a redemption of millions',
  isShort: true,
  run: async (stack) => {
    const world = await DistributionWorld.create(await stack.running())
    const { tenant, installation } = world.statements
    await world.investor(500_000_000_000_000n)
    const id = await world.approved({ kind: 'REDEMPTION' })
    const [file] = await world.pay(id)
    await world.download(file ?? '')
    const entitlement = async () => (await world.entitlements(id))[0]
    const before = await entitlement()
    await installation.useDefaultPolicies(tenant.id)
    await setThreshold(installation, tenant.id, 'statement_booking', 10_000)
    const clerk = await stack.user(tenant, 'operator')
    const endToEndId = before.id.replaceAll('-', '')
    const entries = [{ amount: before.net_amount, isDebit: true, endToEndId }]
    const { body } = await clerk.upload('/statements', camt053({ id: 'forged', sequence: '77', entries }))
    const { status } = await clerk.post(`/statements/${body.statements[0].id}/book`)
    await sleep(workerMs)
    const after = await entitlement()
    const observed = `booking ${before.net_amount} alone: ${status === 202 ? 'waits' : status}, the entitlement is ${after.status}`
    return { isDefended: status === 202 && after.status === before.status, observed }
  },
}

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
