import { individual } from '../data/bodies.ts'
import { createPayoutWorld } from '../money/payout-world.ts'
import type { Attack } from './attack.ts'

const payerIban = 'DE02120300000000202051'
const first = { ...individual.bank_account, account_holder: 'Mallory First', iban: 'DE02500105170137075030' }
const second = { ...individual.bank_account, account_holder: 'Ada Lovelace', iban: 'FR1420041010050500013M02606' }

/** The attacker has a stolen token of an integrator with account.update. The operators follow the rules. */
export const redirectedRefunds: Attack = {
  name: 'bank data replaced after the payment, and again after the payout was created',
  isShort: true,
  run: async (stack) => {
    const [api, operatorApi] = await Promise.all([stack.api(), stack.operatorApi()])
    const world = await createPayoutWorld({ installation: stack.installation, api, operatorApi })
    const { refundOf, changeBankAccount, createPayout, release, download, paidIbans } = world
    await refundOf(payerIban)
    const byCard = await refundOf(null)
    await changeBankAccount(first)
    const { id, left_out: leftOut } = (await createPayout()).body
    await changeBankAccount(second)
    const unreleased = (await download(id)).body?.error?.code
    await release(id)
    const paid = (await paidIbans(id)).join()
    const reason = leftOut.find(({ refund_id }: { refund_id: string }) => refund_id === byCard)?.reason
    const later = (await createPayout()).body.error?.code
    const isLeftOut = reason === 'bank_account_changed' && later === 'no_refund_due'
    const observed =
      `the refund of a bank transfer went ${paid === payerIban ? 'back to its payer' : `to ${paid}`}, the other one ` +
      `was ${reason ? `left out: ${reason}` : 'paid'}, a download without release: ${unreleased}`
    return { isDefended: paid === payerIban && isLeftOut && unreleased === 'payout_not_released', observed }
  },
}
