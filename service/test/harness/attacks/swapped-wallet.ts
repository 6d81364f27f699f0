import { WalletOwner } from '../chain/wallet-owner.ts'
import type { Attack } from './attack.ts'
import { LoneClerk } from './attack-clerk.ts'

export const swappedWallet: Attack = {
  name: 'one operator registers their wallet for an investor and mints unpaid tokens',
  isShort: true,
  run: async (stack) => {
    const clerk = await LoneClerk.of(stack)
    const { client, accountId, orderId } = clerk
    const wallet = await client.post(`/accounts/${accountId}/wallets`, new WalletOwner().body())
    await clerk.tries('registering the wallet', wallet, 'waits')
    // Approving a new account and accepting an order move nothing by themselves, so one person may do both.
    const decision = { kyc: 'APPROVED', reason: 'passport checked', acknowledged: ['document_missing'] }
    for (const { status, text } of [
      await client.post(`/accounts/${accountId}/decision`, decision),
      await client.post(`/orders/${orderId}/accept`),
    ])
      if (status !== 200) throw new Error(text)
    const path = `/orders/${orderId}/payments`
    await clerk.tries('recording the payment', await client.post(path, clerk.payment('12.50')), 'waits')
    return clerk.result()
  },
}
