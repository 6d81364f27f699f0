import { until } from '../wait.ts'
import type { Attack } from './attack.ts'
import { attackerAddress } from './attack-bystander.ts'
import { send } from './attack-stack.ts'

/** Whoever investigates an attack needs the source address and the attacked client, and never the secret. */
export const unseenGuesses: Attack = {
  name: 'wrong secrets that leave no address and no client in the log',
  isShort: true,
  run: async (stack) => {
    const { baseUrl, process } = await stack.api()
    const { clientId, clientSecret } = await stack.installation.issueCredential(
      await stack.installation.createTenant('Logged'),
    )
    const secret = `${clientSecret.slice(0, -4)}AbCd`
    const body = JSON.stringify({ client_id: clientId, client_secret: secret, scopes: ['order.read'] })
    const headers = { 'content-type': 'application/json' }
    await send(`${baseUrl}/api/auth`, { method: 'POST', headers, body, from: attackerAddress })
    const hasBoth = () => process.output.some((line) => line.includes(clientId) && line.includes(attackerAddress))
    const isLogged = await until('the log has both', hasBoth, 5_000).then(
      () => true,
      () => false,
    )
    const isSecretLogged = process.output.some((line) => line.includes(secret))
    return { isDefended: isLogged && !isSecretLogged, observed: isLogged ? 'the log has both' : 'no log line has both' }
  },
}
