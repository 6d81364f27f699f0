import { WalletOwner } from '../chain/wallet-owner.ts'
import type { Attack } from './attack.ts'
import { jsonWith, send } from './attack-stack.ts'

const domain = 'evil-airdrop.example'

/** A signature that is phished on this site would register the victim's address for another account. */
export const walletProofDomain: Attack = {
  name: 'a caller chooses the domain of a wallet proof with the Host header',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const admin = await stack.admin(tenant)
    const { baseUrl } = await stack.operatorApi()
    const { status, text } = await send(`${baseUrl}/operator/accounts/${await tenant.account()}/wallets`, {
      method: 'POST',
      headers: { ...jsonWith(admin.who.token), host: domain },
      body: JSON.stringify(new WalletOwner().body()),
    })
    const challenge: string = status === 201 ? JSON.parse(text).challenge : ''
    const observed = challenge
      ? `the message to sign begins "${challenge.split('\n')[0]}"`
      : `the response is ${status}`
    return { isDefended: !challenge.includes(domain), observed }
  },
}
