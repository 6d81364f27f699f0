import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorClient } from '../callers/operator-client.ts'
import { confirmAs } from '../callers/second-person.ts'
import { camt053 } from '../money/camt053.ts'
import { DistributionWorld } from '../money/distribution-world.ts'
import type { Attack } from './attack.ts'

/** A worker that matches the entry takes milliseconds. */
const workerMs = 1_500

export const shownToken: Attack = {
  name: "the person who was shown a service user's token imports a forged bank statement with it",
  isShort: true,
  run: async (stack) => {
    await stack.worker()
    const { installation } = stack
    const [tenant, api] = [await stack.tenant(), await stack.operatorApi()]
    const offeringId = await tenant.fixtures.offering(tenant.id)
    await installation.useDefaultPolicies(tenant.id)
    const [ada, grace] = [await installation.createOperator(tenant.id), await installation.createOperator(tenant.id)]
    const asAda = (path: string, body: object) => api.call('POST', path, { cookie: ada.cookie, body })
    const duties = [{ duty: 'read' }, { duty: 'money' }]
    const created = await asAda('/service-users', { name: 'bank fetcher', duties })
    const { id: userId } = (await confirmAs(api, grace, created, 'directory')).body.result
    const proposed = await asAda(`/service-users/${userId}/tokens`, { name: 'fetcher', expires_in_days: 90 })
    const { token } = (await confirmAs(api, grace, proposed, 'directory')).body.result
    const orderId = await tenant.order(offeringId, await tenant.account())
    const read = async () => (await api.call('GET', `/orders/${orderId}`, { token: ada.token })).body
    const entries = [{ amount: '125.00', text: (await read()).payment_reference }]
    const headers = { 'content-type': 'application/xml' }
    const { body } = await api.call('POST', '/statements', { token, body: camt053({ entries }), headers })
    const [{ id, waits_for_booking: waits }] = body.statements
    const proposal = await api.call('POST', `/statements/${id}/book`, { token })
    const confirmed = proposal.status === 202 ? (await confirmAs(api, grace, proposal)).body.error?.code : 'not needed'
    await sleep(workerMs)
    const { status } = await read()
    const observed = `the statement ${waits ? 'waits' : 'is booked'}, confirming it alone: ${confirmed}, order ${status}`
    return { isDefended: waits && confirmed === 'second_person_required' && status === 'ORDERED', observed }
  },
}

export const forgedDebit: Attack = {
  name: 'one clerk books a forged debit below the threshold, which pays a redemption of millions',
  isShort: true,
  run: async (stack) => {
    const world = await DistributionWorld.create(await stack.running())
    const { tenant, installation, operatorApi } = world.statements
    await world.investor(500_000_000_000_000n)
    const id = await world.draft({ kind: 'REDEMPTION' })
    await world.calculate(id)
    await world.approve(id)
    const [file] = await world.pay(id)
    await world.download(file ?? '')
    const entitlement = async () => (await world.entitlements(id))[0]
    const before = await entitlement()
    await installation.useDefaultPolicies(tenant.id)
    await installation.rows(
      `insert into directory.approval_policy (tenant_id, policy, from_minor) values ($1, 'statement_booking', 10000)`,
      [tenant.id],
    )
    const clerk = await OperatorClient.create(installation, operatorApi, tenant.id, 'operator')
    const endToEndId = before.id.replaceAll('-', '')
    const entries = [{ amount: before.net_amount, isDebit: true, endToEndId }]
    const { body } = await operatorApi.call('POST', '/statements', {
      token: clerk.who.token,
      headers: { 'content-type': 'application/xml' },
      body: camt053({ id: 'forged', sequence: '77', entries }),
    })
    const { status } = await clerk.post(`/statements/${body.statements[0].id}/book`)
    await sleep(workerMs)
    const after = await entitlement()
    const observed = `booking ${before.net_amount} alone: ${status === 202 ? 'waits' : status}, the entitlement is ${after.status}`
    return { isDefended: status === 202 && after.status === before.status, observed }
  },
}
