import { randomBytes } from 'node:crypto'
import { formatKey } from '../../../src/platform/base/key-ring.ts'
import { freePort, type RunningProcess, startProcess } from '../installation/process.ts'

export const randomKey = () => formatKey({ id: 'k1', secret: randomBytes(32) })

/** Returns the settings of an installation outside development, with a database and a Redis on this machine. */
export function productionSettings(given: { DATABASE_URL: string; REDIS_URL: string }): Record<string, string> {
  return {
    ENVIRONMENT: 'staging',
    DRAIN_SECONDS: '0',
    PUBLIC_BASE_URL: 'https://api.example.com',
    OPERATOR_BASE_URL: 'https://operators.example.com',
    WALLET_PROOF_URL: 'https://invest.example.com',
    TOKEN_SIGNING_KEYS: randomKey(),
    SECRET_PEPPERS: randomKey(),
    DATA_MASTER_KEYS: randomKey(),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@b.example',
    ...given,
  }
}

/** Starts an API. Returns its output if it refuses to start, or undefined if it listens. */
export async function refusalOf(settings: Record<string, string>): Promise<string | undefined> {
  const api = startProcess('api', { PORT: '0', METRICS_PORT: String(await freePort()), ...settings })
  try {
    return await startedOrEnded(api)
  } finally {
    await api.kill()
  }
}

async function startedOrEnded(api: RunningProcess): Promise<string | undefined> {
  const listening = api.logged('listening').then(
    () => undefined,
    () => api.output.join('\n'),
  )
  return Promise.race([listening, api.ended.then(() => api.output.join('\n'))])
}
