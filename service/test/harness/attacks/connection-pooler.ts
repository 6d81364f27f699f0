import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../installation/process.ts'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'
import { send } from './attack-stack.ts'

/** The pooler drops the startup options, and with them the role that row-level security applies to. */
export const connectionPooler: Attack = {
  name: 'a pooler between API and database that drops the role',
  run: async ({ installation }) => {
    const pooler = await startPooler(installation.config.databaseUrl)
    try {
      const api = await installation.startApiProcess({ DATABASE_URL: pooler.url })
      const tenantId = await installation.createTenant('Pooled')
      const { clientId, clientSecret } = await installation.issueCredential(tenantId)
      const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret, scopes: ['order.read'] })
      const headers = { 'content-type': 'application/json' }
      const { status } = await send(`${api.baseUrl}/api/auth`, { method: 'POST', headers, body })
      await api.process.kill()
      return { isDefended: status >= 500, observed: `a request gets ${status}` }
    } finally {
      await pooler.stop()
    }
  },
}

async function startPooler(databaseUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const secret = password ? ` password=${decodeURIComponent(password)}` : ''
  const folder = await mkdtemp(join(tmpdir(), 'investor-token-pooler-'))
  await chmod(folder, 0o755)
  const poolerPort = await freePort()
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n${pathname.slice(1)} = host=${hostname} port=${port || 5432} user=${username}${secret}\n` +
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${poolerPort}\nunix_socket_dir =\nauth_type = any\n` +
      'pool_mode = transaction\nignore_startup_parameters = options,extra_float_digits\nmax_client_conn = 200\n',
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', ['-q', ...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  const started = once(child, 'spawn').catch(() => {
    throw new Error('PgBouncer is not installed')
  })
  await started
  await until('PgBouncer listens', () => isListening(poolerPort))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(poolerPort)
  return {
    url: url.href,
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
