import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalChain } from '../../service/src/dev/local-chain.ts'
import { formatKey } from '../../service/src/platform/base/key-ring.ts'
import {
  asOwner,
  createEmptyDatabase,
  redisUrl,
  type TestDatabase,
} from '../../service/test/harness/installation/database.ts'
import { freePort } from '../../service/test/harness/installation/process.ts'
import { Mailbox } from '../../service/test/harness/servers/mailbox.ts'

export const processNames = ['api', 'operator-api', 'worker', 'indexer'] as const
export type ProcessName = (typeof processNames)[number]

/** Folder in which the containers find the secrets, one file per setting, as in the chart. */
export const secretsPath = '/run/secrets/investor-token'

/**
 * Everything that an installation in staging needs besides its processes, on loopback: an empty database with a login
 * per role, a mailbox, a chain, and a folder with the secrets.
 */
export class Stack {
  readonly folder: string
  readonly chain: LocalChain
  readonly mailbox: Mailbox
  readonly secrets: Readonly<Record<string, string>>
  /** Ports of probes. API and operator API also serve on theirs. */
  readonly ports: Readonly<Record<ProcessName, number>>
  readonly #database: TestDatabase
  readonly #suffix: string

  private constructor(parts: Pick<Stack, 'folder' | 'chain' | 'mailbox' | 'ports'> & { database: TestDatabase }) {
    this.folder = parts.folder
    this.chain = parts.chain
    this.mailbox = parts.mailbox
    this.ports = parts.ports
    this.#database = parts.database
    this.#suffix = randomBytes(4).toString('hex')
    const key = () => formatKey({ id: 'k1', secret: randomBytes(32) })
    this.secrets = {
      DATABASE_URL: this.#urlOf('app'),
      WORKER_DATABASE_URL: this.#urlOf('worker'),
      OWNER_DATABASE_URL: parts.database.url,
      REDIS_URL: redisUrl,
      TOKEN_SIGNING_KEYS: key(),
      SECRET_PEPPERS: key(),
      DATA_MASTER_KEYS: key(),
      SMTP_URL: parts.mailbox.url,
      CHAINS: `anvil=${parts.chain.url}`,
    }
  }

  static async start(): Promise<Stack> {
    const folder = await mkdtemp(join(tmpdir(), 'investor-token-containers-'))
    const [database, chain, mailbox] = await Promise.all([
      createEmptyDatabase(),
      LocalChain.open({ blockSeconds: 1 }),
      Mailbox.open(),
    ])
    const ports = { api: 0, 'operator-api': 0, worker: 0, indexer: 0 }
    for (const name of processNames) ports[name] = await freePort()
    const stack = new Stack({ folder, chain, mailbox, ports, database })
    for (const [name, value] of Object.entries(stack.secrets)) await writeFile(join(folder, name), value)
    // The user of the image has a different id than the owner of the folder.
    await chmod(folder, 0o755)
    return stack
  }

  /** Returns the settings of a process that are not secret. Loopback addresses need no TLS. */
  async settings(): Promise<Record<string, string>> {
    const { ports } = this
    return {
      ...this.#shared(),
      PORT: String(ports.api),
      OPERATOR_PORT: String(ports['operator-api']),
      WORKER_PORT: String(ports.worker),
      INDEXER_PORT: String(ports.indexer),
      METRICS_PORT: String(await freePort()),
    }
  }

  #shared(): Record<string, string> {
    return {
      ENVIRONMENT: 'staging',
      RELEASED_VERSIONS: '2026-07-02',
      PUBLIC_BASE_URL: this.urlOf('api'),
      OPERATOR_BASE_URL: this.urlOf('operator-api'),
      WALLET_PROOF_URL: 'http://localhost',
      MAIL_FROM: 'Investor Token Service <no-reply@example.com>',
      DATABASE_POOL_MAX: '4',
      DRAIN_SECONDS: '1',
      // A busy machine delays every event loop.
      EVENT_LOOP_DELAY_MAX_MS: '60000',
    }
  }

  /** Uses a host name, because passkeys need one. */
  urlOf(name: ProcessName): string {
    return `http://localhost:${this.ports[name]}`
  }

  /** Creates the logins of docs/configuration.md. The roles exist once the database is migrated. */
  async createLogins(): Promise<void> {
    await asOwner(this.#database.url, (client) =>
      client.query(
        ['app', 'worker']
          .map((role) => {
            const login = this.loginOf(role)
            return `create role ${login} login noinherit password '${login}'; grant investor_token_${role} to ${login};`
          })
          .join('\n'),
      ),
    )
  }

  loginOf(role: string): string {
    return `its_${role}_${this.#suffix}`
  }

  async end(): Promise<void> {
    await this.mailbox.close()
    await this.chain.stop()
    const server = new URL(this.#database.url)
    server.pathname = '/postgres'
    await this.#database.drop()
    await asOwner(server.href, (client) =>
      client.query(`drop role if exists ${['app', 'worker', 'owner'].map((role) => this.loginOf(role)).join(', ')}`),
    )
    await rm(this.folder, { recursive: true })
  }

  #urlOf(role: string): string {
    const url = new URL(this.#database.url)
    url.username = this.loginOf(role)
    url.password = this.loginOf(role)
    return url.href
  }
}
