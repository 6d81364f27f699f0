import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WalletOwner } from '../chain/wallet-owner.ts'
import { freePort, startProcess } from '../installation/process.ts'
import { WebhookReceiver } from '../servers/webhook-receiver.ts'
import { happensWithin, until } from '../wait.ts'
import type { Attack } from './attack.ts'
import { attackerAddress } from './attack-bystander.ts'
import { type AttackStack, proxyAddress, send } from './attack-stack.ts'

/** Highest cost of a request without a token. Each of these once cost more than a hundred ordinary requests. */
const cpuMsMax = 10
const sends = 5

const asJson = { 'content-type': 'application/json' }
const auth = (body: string) => ({ path: '/api/auth', method: 'POST', headers: asJson, body })
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join()}}`

const hostile = {
  'a content type with 15,000 spaces': {
    ...auth('{}'),
    headers: { 'content-type': `application/json; charset=utf-8${' '.repeat(15_000)}x` },
  },
  'JSON nested 32,000 deep': auth(nested(32_000)),
  'JSON with 5,000 members': auth(members(5_000)),
  'a number with 60,000 digits': auth(`{"client_id":${'9'.repeat(60_000)}}`),
  'a path of 8,000 segments': { path: '/api'.concat('/a'.repeat(7_900)) },
  'a query of 2,000 parameters': { path: `/api/events?${'limit=1&'.repeat(1_900)}` },
  'a bearer token of 15,000 characters': { path: '/api/events', token: 'a.'.repeat(7_500) },
}

export const hostileRequests: Attack = {
  name: 'requests without a token that are expensive to reject',
  isShort: true,
  run: async (stack) => {
    const costs: [name: string, ms: number][] = []
    for (const [name, sent] of Object.entries(hostile)) costs.push([name, await cpuMsOf(stack, sent)])
    const [name, ms] = costs.toSorted(([, one], [, other]) => other - one)[0] ?? ['', 0]
    return { isDefended: ms <= cpuMsMax, observed: `${name} costs ${ms.toFixed(1)} ms of CPU` }
  },
}

/** Returns the median CPU time of the API for one request; time used by others does not count. */
async function cpuMsOf(
  stack: AttackStack,
  { path, ...sent }: { path: string } & Parameters<typeof send>[1],
): Promise<number> {
  const { baseUrl, process } = await stack.api()
  const times: number[] = []
  // The first one does not count: it compiles code.
  for (let count = 0; count <= sends; count += 1) {
    const before = mainThreadMs(process.pid)
    await send(baseUrl + path, sent)
    if (count > 0) times.push(mainThreadMs(process.pid) - before)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(sends / 2)] ?? 0
}

function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** A proxy may route by one of the two, and the service build links from the other. */
export const twoHostHeaders: Attack = {
  name: 'a request with two Host headers',
  isShort: true,
  run: async (stack) => {
    const { hostname, port } = new URL((await stack.api()).baseUrl)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write('GET /livez HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n')
    const [data] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    const status = data.toString().split(' ')[1] ?? 'no status'
    return { isDefended: status === '400', observed: `the response is ${status}` }
  },
}

export const readinessDetails: Attack = {
  name: 'a stranger reads the parts of the installation from /readyz',
  isShort: true,
  run: async (stack) => {
    const { text } = await send(`${(await stack.api()).baseUrl}/readyz`)
    const named = ['redis', 'migration', 'cell', 'directory', 'database'].filter((word) =>
      text.toLowerCase().includes(word),
    )
    const observed = named.length > 0 ? `the response names ${named.join(', ')}` : `the response is ${text}`
    return { isDefended: named.length === 0, observed }
  },
}

const attempts = 600
const atOnce = 30

/** One internet connection has 2^64 IPv6 addresses. A trusted proxy passes the address on, as in production. */
export const networkOfAddresses: Attack = {
  name: `${attempts} wrong secrets from the addresses of one IPv6 /64`,
  isShort: true,
  run: async (stack) => {
    const { baseUrl } = await stack.api()
    const tenantId = await stack.installation.createTenant('Guessed')
    const { clientId, clientSecret } = await stack.installation.issueCredential(tenantId)
    const wrong = clientSecret.slice(0, -4) + (clientSecret.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    const json = { client_id: clientId, client_secret: wrong, scopes: ['order.read'] }
    // Each run uses a new network, because Redis counts across runs.
    const network = `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`
    let [sent, limited] = [0, 0]
    const guess = async () => {
      while (sent < attempts && limited === 0) {
        sent += 1
        const headers = { 'x-forwarded-for': `${network}::${sent.toString(16)}` }
        const { status } = await send(`${baseUrl}/api/auth`, { json, headers, from: proxyAddress })
        if (status === 429) limited += 1
      }
    }
    await Promise.all(Array.from({ length: atOnce }, guess))
    const observed = limited > 0 ? `429 after ${sent} attempts` : `all ${sent} were tried`
    return { isDefended: limited > 0, observed }
  },
}

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
    const json = { client_id: clientId, client_secret: secret, scopes: ['order.read'] }
    await send(`${baseUrl}/api/auth`, { json, from: attackerAddress })
    const hasBoth = () => process.output.some((line) => line.includes(clientId) && line.includes(attackerAddress))
    const isLogged = await happensWithin(5_000, hasBoth)
    const isSecretLogged = process.output.some((line) => line.includes(secret))
    return { isDefended: isLogged && !isSecretLogged, observed: isLogged ? 'the log has both' : 'no log line has both' }
  },
}

const domain = 'evil-airdrop.example'

/** A signature that is phished on this site would register the victim's address for another account. */
export const walletProofDomain: Attack = {
  name: 'a caller chooses the domain of a wallet proof with the Host header',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const admin = await stack.user(tenant)
    const { baseUrl } = await stack.operatorApi()
    const { status, text } = await send(`${baseUrl}/operator/accounts/${await tenant.account()}/wallets`, {
      token: admin.who.token,
      headers: { host: domain },
      json: new WalletOwner().body(),
    })
    const challenge: string = status === 201 ? JSON.parse(text).challenge : ''
    const observed = challenge
      ? `the message to sign begins "${challenge.split('\n')[0]}"`
      : `the response is ${status}`
    return { isDefended: !challenge.includes(domain), observed }
  },
}

/** The key that the repository once contained, as the default of development. */
const publishedKey = Buffer.from('development-only token signing key, never use it elsewhere')

export const publishedSigningKey: Attack = {
  name: 'a token signed with a key from the repository',
  isShort: true,
  run: async ({ installation }) => {
    const tenantId = await installation.createTenant('Forged')
    const { clientId } = await installation.issueCredential(tenantId)
    const api = startProcess('api', {
      DATABASE_URL: installation.settings['DATABASE_URL'] ?? '',
      PORT: '0',
      METRICS_PORT: String(await freePort()),
    })
    try {
      const { port } = await api.logged('listening')
      const token = forgedToken({ tenant_id: tenantId, client_id: clientId })
      const { status } = await send(`http://127.0.0.1:${Number(port)}/api/events`, { token })
      return { isDefended: status === 401, observed: `the response is ${status}` }
    } finally {
      await api.kill()
    }
  },
}

function forgedToken(claims: object): string {
  const iat = Math.floor(Date.now() / 1000)
  const body = {
    ...claims,
    scopes: ['order.read'],
    api_version: '2026-07-02',
    iss: 'st-external-api',
    aud: 'st-api',
    iat,
    exp: iat + 600,
  }
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encoded({ alg: 'HS256', kid: 'development', typ: 'JWT' })}.${encoded(body)}`
  return `${signed}.${createHmac('sha256', publishedKey).update(signed).digest('base64url')}`
}

/** The name opens the mail that invites a user: a stranger would read our sender and the attacker's text. */
export const mailWithForeignText: Attack = {
  name: 'an invited name with line breaks and a link',
  isShort: true,
  run: async (stack) => {
    const admin = await stack.user(await stack.tenant())
    const name = 'Ada,\r\n\r\nyour account was locked. Sign in at https://evil.example to unlock it.\r\n'
    const { status } = await admin.post('/users', { name, email: 'victim@example.com', role: 'viewer' })
    return { isDefended: status === 400, observed: `the response is ${status}` }
  },
}

export const unverifiedWebhookEndpoint: Attack = {
  name: "messages to a stranger's host that never asked for them",
  run: async (stack) => {
    await stack.worker()
    const tenant = await stack.tenant()
    const admin = await stack.user(tenant)
    const [stranger, receiver] = [await WebhookReceiver.open(), await WebhookReceiver.open()]
    stranger.seesVerifications = true
    try {
      for (const { url } of [stranger, receiver]) {
        const created = await admin.post('/webhook-endpoints', { url })
        if (created.status !== 201) throw new Error(`an endpoint cannot be created: ${created.text}`)
      }
      // Repeats it, because an endpoint gets events only after its verification.
      await until(
        'the receiver that wants messages gets one',
        async () => {
          await tenant.account()
          await sleep(500)
          return receiver.messages.length > 0
        },
        30_000,
      )
      await sleep(1_000)
      const events = stranger.messages.filter(({ text }) => !text.includes('"challenge"')).length
      const observed = `the stranger got ${events} events, the receiver ${receiver.messages.length}`
      return { isDefended: events === 0, observed }
    } finally {
      await Promise.all([stranger.close(), receiver.close()])
    }
  },
}
