import type { PaymentSimulation } from '@investor-token/sdk'
import type { FastifyInstance } from 'fastify'
import type { Html } from '../html.ts'
import { idempotencyKeyOf } from '../idempotency-key.ts'
import { type OrderPath, pathOf, requireOrder } from '../own-order.ts'
import { formOf, PageError, requestTimeout, requireSession, type Shop } from '../shop.ts'
import { simulationForms, withNotice } from '../simulation-forms.ts'

const payments: readonly PaymentSimulation['kind'][] = ['exact', 'short', 'over']

const buttons = {
  exact: 'Pay the open amount',
  short: 'Pay half of it',
  over: 'Pay 50% too much',
  approve: 'Approve the investor',
  wallet: 'Add a wallet',
}

/** Simulates actions of the bank, the compliance team and the investor. The service offers this only in development. */
export function simulationPages(app: FastifyInstance, shop: Shop): void {
  const { simulations } = shop.service

  app.post<OrderPath>('/offerings/:offeringId/orders/:orderId/simulate', async (request, reply) => {
    if (!shop.hasSimulations) throw new PageError(404, 'This page does not exist.')
    const session = requireSession(shop, request)
    const order = await requireOrder(shop, request)
    const form = formOf(request)
    const options = { idempotencyKey: `simulate.${order.id}.${idempotencyKeyOf(form)}`, ...requestTimeout() }
    const action = form.get('action') ?? ''
    const kind = payments.find((one) => one === action)
    const { account } = session
    await withNotice(session, async () => {
      if (kind) await simulations.payment(order.id, { kind }, options)
      else if (action === 'approve') {
        const approval = account.type === 'COMPANY' ? ({ kyb: 'APPROVED' } as const) : ({ kyc: 'APPROVED' } as const)
        await simulations.decision(account.id, approval, options)
      } else if (action === 'wallet') await simulations.wallet(account.id, { offering_id: order.offering.id }, options)
    })
    return reply.redirect(pathOf(order), 303)
  })
}

export function simulationButtons(path: string): Html {
  const note = 'Simulate the bank, the compliance team and the investor’s wallet. The rest is not simulated.'
  return simulationForms(path, note, buttons)
}
