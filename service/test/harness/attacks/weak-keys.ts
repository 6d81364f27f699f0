import { formatKey } from '../../../src/platform/base/key-ring.ts'
import { redisUrl } from '../installation/database.ts'
import type { Attack } from './attack.ts'
import { productionSettings, randomKey, refusalOf } from './attack-settings.ts'

const names = ['TOKEN_SIGNING_KEYS', 'SECRET_PEPPERS', 'DATA_MASTER_KEYS'] as const
const zeros = formatKey({ id: 'k1', secret: Buffer.alloc(32) })

/** A process names every setting that it rejects, so a refusal for another reason does not count. */
export const weakKeys: Attack = {
  name: 'live with keys of zero bytes, and with one key for all purposes',
  isShort: true,
  run: async ({ installation: { settings } }) => {
    const production = productionSettings({ DATABASE_URL: settings['DATABASE_URL'] ?? '', REDIS_URL: redisUrl })
    const isRefused = async (key: string) => {
      const keys = Object.fromEntries(names.map((name) => [name, key]))
      const refusal = await refusalOf({ ...production, ENVIRONMENT: 'live', ...keys })
      return names.some((name) => refusal?.includes(name))
    }
    const [zero, shared] = await Promise.all([isRefused(zeros), isRefused(randomKey())])
    const word = (refused: boolean) => (refused ? 'refused' : 'accepted')
    const observed = `keys of zero bytes are ${word(zero)}, one key for all purposes is ${word(shared)}`
    return { isDefended: zero && shared, observed }
  },
}
