import { setTimeout as sleep } from 'node:timers/promises'
import { ownerRows, redisUrl } from '../installation/database.ts'
import type { Attack } from './attack.ts'
import { productionSettings } from './attack-settings.ts'
import { type AttackStack, send } from './attack-stack.ts'

const readyMsMax = 5_000

/** `set role none` would add the rights of the worker, which sees rows of all tenants, to those of the API. */
export const loginWithBothRoles: Attack = {
  name: 'an API whose database login also has the role of the worker',
  run: async (stack) => {
    const right = await isReadyAs(stack, 'one', 'investor_token_app')
    if (!right) throw new Error('an API with the right login is not ready')
    const both = await isReadyAs(stack, 'both', 'investor_token_app, investor_token_worker')
    return { isDefended: !both, observed: both ? 'it serves requests' : 'it never gets ready' }
  },
}

async function isReadyAs({ installation }: AttackStack, name: string, roles: string): Promise<boolean> {
  const url = new URL(installation.config.databaseUrl)
  const login = `${name}_${url.pathname.slice(1)}`
  await installation.rows(`create role ${login} login noinherit password 'plain'; grant ${roles} to ${login}`)
  url.username = login
  url.password = 'plain'
  const api = await installation.startApiProcess(productionSettings({ DATABASE_URL: url.href, REDIS_URL: redisUrl }))
  try {
    for (const endsAt = performance.now() + readyMsMax; performance.now() < endsAt; await sleep(100))
      if ((await send(`${api.baseUrl}/readyz`)).status === 200) return true
    return false
  } finally {
    await api.process.kill()
    await ownerRows(installation.config.databaseUrl, `drop role ${login}`)
  }
}
