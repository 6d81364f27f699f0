import type { DistributionSimulation, WalletBalance } from '@investor-token/sdk'
import type { FastifyInstance } from 'fastify'
import type { Html } from '../html.ts'
import { idempotencyKeyOf } from '../idempotency-key.ts'
import { formOf, PageError, requestTimeout, requireSession, type Shop } from '../shop.ts'
import { simulationForms, withNotice } from '../simulation-forms.ts'

const results: readonly DistributionSimulation['result'][] = ['announced', 'paid', 'failed']

const buttons = {
  announced: 'Announce a coupon',
  paid: 'Pay a coupon',
  failed: 'Have the bank return a coupon',
  move: 'Move a token to a new wallet',
}

/** Simulates transfers and payments of tokens that the visitor owns. The service offers this only in development. */
export function holderSimulationPages(app: FastifyInstance, shop: Shop): void {
  const { accounts, simulations } = shop.service

  app.post('/portfolio/simulate', async (request, reply) => {
    if (!shop.hasSimulations) throw new PageError(404, 'This page does not exist.')
    const session = requireSession(shop, request)
    const form = formOf(request)
    const key = `simulate.${session.account.id}.${idempotencyKeyOf(form)}`
    const result = results.find((one) => one === form.get('action'))
    const { results: balances } = await accounts.wallets.balances(session.account.id, requestTimeout()).page()
    const owned = balances.find(({ balance }) => balance > 0n)
    const options = { idempotencyKey: key, ...requestTimeout() }
    await withNotice(session, async () => {
      if (owned && result)
        await simulations.distribution(owned.offering_id, { result, rate_per_token: '0.50' }, options)
      else if (owned && form.get('action') === 'move') await moveToken(shop, owned, key)
    })
    return reply.redirect('/portfolio', 303)
  })
}

/** Requests a transfer to another wallet of the investor, and has it approved and sent. */
async function moveToken({ service }: Shop, owned: WalletBalance, key: string): Promise<void> {
  const { simulations, transfers } = service
  const options = (step: string) => ({ idempotencyKey: `${key}.${step}`, ...requestTimeout() })
  const { offering_id, decimals, balance } = owned
  const wallet = await simulations.wallet(owned.account_id, { offering_id }, options('wallet'))
  const token = 10n ** BigInt(decimals)
  const transfer = await transfers.create(
    {
      offering_id,
      sender_wallet_id: owned.wallet_id,
      receiver_wallet_id: wallet.id,
      units: balance < token ? balance : token,
      reason: 'change_of_wallet',
    },
    options('request'),
  )
  await simulations.transferRequest(transfer.id, options('completion'))
}

export function holderSimulationButtons(): Html {
  const note = 'Simulate the issuer, its bank and a transfer. Every holder of the offering gets the coupon.'
  return simulationForms('/portfolio', note, buttons)
}
