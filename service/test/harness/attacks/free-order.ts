import type { Attack } from './attack.ts'

/** 39,999 units of 8 decimals at 12.50 EUR cost 0.0049999 EUR. */
export const freeOrder: Attack = {
  name: 'an order so small that its price rounds to 0',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const body = { account_id: await tenant.account(), units: '39999' }
    const response = await tenant.post(`/offerings/${offeringId}/orders`, body)
    if (response.status !== 201) return { isDefended: true, observed: `the response is ${response.status}` }
    const total = Number(response.body.total_amount)
    return { isDefended: total > 0, observed: `it costs ${total.toFixed(2)} EUR` }
  },
}
