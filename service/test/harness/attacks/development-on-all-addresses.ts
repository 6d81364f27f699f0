import type { Attack } from './attack.ts'
import { refusalOf } from './attack-settings.ts'

/** Someone forgets ENVIRONMENT, as in a container with only the required settings. */
export const developmentOnAllAddresses: Attack = {
  name: 'a process without ENVIRONMENT on 0.0.0.0',
  isShort: true,
  run: async ({ installation: { settings } }) => {
    const refusal = await refusalOf({ DATABASE_URL: settings['DATABASE_URL'] ?? '', HOST: '0.0.0.0' })
    return { isDefended: refusal !== undefined, observed: refusal?.split('\n')[0] ?? 'it listens on every address' }
  },
}
