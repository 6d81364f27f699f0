import type { Attack } from './attack.ts'
import { productionSettings, refusalOf } from './attack-settings.ts'

const plain = {
  DATABASE_URL: 'postgres://user@database.example/its',
  REDIS_URL: 'redis://redis.example',
  SMTP_URL: 'smtp://mail.example',
  CHAINS: 'sepolia=http://node.example',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
}

export const plainTextConnections: Attack = {
  name: 'live with database, Redis, mail, node and collector without TLS',
  isShort: true,
  run: async () => {
    const { DATABASE_URL, REDIS_URL } = plain
    const settings = { ...productionSettings({ DATABASE_URL, REDIS_URL }), ...plain, ENVIRONMENT: 'live' }
    const refusal = (await refusalOf(settings)) ?? ''
    const accepted = Object.keys(plain).filter((name) => !refusal.includes(name))
    const observed = accepted.length > 0 ? `accepted: ${accepted.join(', ')}` : 'each is refused'
    return { isDefended: accepted.length === 0, observed }
  },
}
