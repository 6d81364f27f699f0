import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { NameServer } from '../../../test/harness/servers/name-server.ts'
import { selfSigned } from '../../../test/harness/servers/self-signed.ts'
import { WebhookReceiver } from '../../../test/harness/servers/webhook-receiver.ts'
import { OutboundClient, type PostResult } from './outbound-client.ts'
import { isPublicAddress } from './public-addresses.ts'
import { dnsResolver } from './resolve-host.ts'
import { TargetRules } from './target-rules.ts'

const name = 'hooks.example.com'

describe('which URLs webhooks can reach in staging', async () => {
  const certificate = selfSigned(name)
  /**
   * Receivers on loopback, which is forbidden. They count connections, and use TLS, so that only the rules can stop a
   * request.
   */
  const canaries = [
    await WebhookReceiver.open({ host: '127.0.0.1', tls: certificate }),
    await WebhookReceiver.open({ host: '::1', tls: certificate }),
  ]
  /** A receiver on loopback too, but in a network that the settings allow. */
  const legitimate = await WebhookReceiver.open({ host: '127.0.0.2', tls: certificate })
  const names = await NameServer.open()
  const ports = [443, 8443, legitimate.port, ...canaries.map(({ port }) => port)]
  const rules = new TargetRules({ environment: 'staging', webhookPorts: ports, webhookNetworks: ['127.0.0.2'] })
  const client = new OutboundClient({
    rules,
    resolveHost: dnsResolver([names.address]),
    timeoutMs: 1_000,
    ca: certificate.cert,
  })
  after(async () => {
    client.close()
    for (const server of [...canaries, legitimate, names]) await server.close()
  })

  const post = (url: string): Promise<PostResult> => client.post(url, { 'content-type': 'application/json' }, '{}')
  const reached = () => canaries.reduce((sum, { connections }) => sum + connections, 0)
  const [v4, v6] = ['V4', 'V6']

  test('the client reaches a legitimate receiver by its name', async () => {
    names.name(name, ['127.0.0.2'])
    const posted = await post(`https://${name}:${legitimate.port}/a`)
    assert.deepEqual([posted.outcome, posted.statusCode], ['DELIVERED', 204])
    assert.equal(legitimate.at('/a').length, 1)
  })

  // V4 and V6 stand for the ports of the two canaries.
  const literals = [
    `https://127.0.0.1:${v4}/`,
    `https://127.1:${v4}/`,
    `https://127.0.1:${v4}/`,
    `https://2130706433:${v4}/`,
    `https://0x7f000001:${v4}/`,
    `https://0x7f.1:${v4}/`,
    `https://017700000001:${v4}/`,
    `https://0177.0.0.1:${v4}/`,
    `https://127.0.0.1.:${v4}/`,
    `https://127.255.255.254:${v4}/`,
    `https://0.0.0.0:${v4}/`,
    `https://0:${v4}/`,
    `https://169.254.169.254/latest/meta-data/`,
    `https://2852039166/latest/meta-data/`,
    `https://0xa9fea9fe/`,
    `https://0251.0376.0251.0376/`,
    `https://169.16689662/`,
    `https://[::1]:${v6}/`,
    `https://[0:0:0:0:0:0:0:1]:${v6}/`,
    `https://[::]:${v6}/`,
    `https://[::ffff:127.0.0.1]:${v4}/`,
    `https://[::ffff:7f00:1]:${v4}/`,
    `https://[::127.0.0.1]:${v4}/`,
    `https://[64:ff9b::7f00:1]:${v4}/`,
    `https://[64:ff9b:1::7f00:1]:${v4}/`,
    `https://[2002:7f00:1::]:${v4}/`,
    `https://[2001:0:7f00:1::]:${v4}/`,
    `https://[fe80::1]:${v6}/`,
    `https://[fe80::1%25lo]:${v6}/`,
    `https://[fc00::1]:${v6}/`,
    `https://[fd12:3456::1]:${v6}/`,
    `https://[ff02::1]:${v6}/`,
    `https://100.64.0.1:${v4}/`,
    `https://10.0.0.1:${v4}/`,
    `https://172.16.0.1:${v4}/`,
    `https://192.168.1.1:${v4}/`,
    `https://198.18.0.1:${v4}/`,
    `https://192.0.2.1:${v4}/`,
    `https://255.255.255.255:${v4}/`,
    `https://224.0.0.1:${v4}/`,
    `https://１２７.０.０.１:${v4}/`,
    `https://127。0。0。1:${v4}/`,
    `https://①②⑦.⓪.⓪.①:${v4}/`,
    `https://localhost:${v4}/`,
    `https://LOCALHOST:${v4}/`,
    `https://localhost.:${v4}/`,
    `https://a.localhost:${v4}/`,
    `https://metadata.google.internal/`,
    `https://example.com@127.0.0.1:${v4}/`,
    `https://127.0.0.1:${v4}@example.com/`,
    `https://user:password@${name}:${v4}/`,
    `https://example.com:22/`,
    `https://example.com:6379/`,
    `http://127.0.0.1:${v4}/`,
    `http://example.com/`,
    `ftp://example.com/`,
    `file:///etc/passwd`,
    `gopher://127.0.0.1:${v4}/`,
    'https://',
    'nonsense',
  ]

  test(`${literals.length} hostile URLs are rejected with the violated rule, and never reached`, async () => {
    for (const text of literals) {
      const target = text.replace(v4, String(canaries[0]?.port)).replace(v6, String(canaries[1]?.port))
      assert.match(rules.problemOf(target) ?? 'not rejected', /^must /, target)
      const { outcome } = await post(target)
      assert.equal(outcome, 'FORBIDDEN_TARGET', target)
    }
    assert.equal(reached(), 0)
  })

  test('a name with a single address of this machine or its network is never connected to', async () => {
    const hostile: Record<string, string[]> = {
      'loopback.example.com': ['127.0.0.1'],
      'loopback6.example.com': ['::1'],
      'any.example.com': ['0.0.0.0'],
      'metadata.example.com': ['169.254.169.254'],
      'private.example.com': ['10.0.0.1'],
      'nat64.example.com': ['64:ff9b::7f00:1'],
      '6to4.example.com': ['2002:7f00:1::'],
      'unique-local.example.com': ['fd00::1'],
      'mixed.example.com': ['127.0.0.2', '127.0.0.1'],
      'mixed6.example.com': ['127.0.0.2', '::1'],
    }
    for (const [host, addresses] of Object.entries(hostile)) {
      names.name(host, addresses)
      for (const { port } of canaries) {
        assert.equal(rules.problemOf(`https://${host}:${port}/`), undefined, host)
        assert.equal((await post(`https://${host}:${port}/`)).outcome, 'FORBIDDEN_TARGET', host)
      }
    }
    assert.equal(reached(), 0)
  })

  test('DNS rebinding: the client resolves a name once and connects to the address that it checked', async () => {
    // The canary's port is closed on the allowed address. A second resolution would return the canary's address.
    names.name('rebinding.example.com', ['127.0.0.2'], ['127.0.0.1'])
    const url = `https://rebinding.example.com:${canaries[0]?.port}/`
    assert.equal((await post(url)).outcome, 'CONNECTION_FAILED')
    assert.equal(names.queries.filter((query) => query === 'A rebinding.example.com').length, 1)
    assert.equal((await post(url)).outcome, 'FORBIDDEN_TARGET')
    assert.equal(reached(), 0)
  })

  test('a redirect to loopback is not followed and counts as a failure', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      legitimate.respond('/redirects', (_, response) => {
        response.writeHead(status, { location: `https://127.0.0.1:${canaries[0]?.port}/` }).end()
      })
      const posted = await post(`https://${name}:${legitimate.port}/redirects`)
      assert.deepEqual([posted.outcome, posted.statusCode], ['REDIRECT', status])
    }
    assert.equal(reached(), 0)
  })

  test('nothing is sent if the certificate has another name or is not trusted', async () => {
    names.name('other.example.com', ['127.0.0.2'])
    const other = await post(`https://other.example.com:${legitimate.port}/other`)
    assert.equal(other.outcome, 'TLS_FAILED')
    const withoutCa = new OutboundClient({ rules, resolveHost: dnsResolver([names.address]), timeoutMs: 1_000 })
    assert.equal((await withoutCa.post(`https://${name}:${legitimate.port}/other`, {}, '{}')).outcome, 'TLS_FAILED')
    withoutCa.close()
    assert.equal(legitimate.at('/other').length, 0)
    assert.equal((await post(`https://unknown.example.com:${legitimate.port}/`)).outcome, 'NAME_NOT_FOUND')
  })

  test('without the rules, the same requests reach the canaries', async () => {
    const permissive = new TargetRules({ environment: 'development', webhookPorts: [], webhookNetworks: undefined })
    const unguarded = new OutboundClient({
      rules: permissive,
      resolveHost: dnsResolver([names.address]),
      timeoutMs: 1_000,
      ca: certificate.cert,
    })
    names.name(`loose.${name}`, ['127.0.0.1'])
    await unguarded.post(`https://2130706433:${canaries[0]?.port}/`, {}, '{}')
    await unguarded.post(`https://loose.${name}:${canaries[0]?.port}/`, {}, '{}')
    await unguarded.post(`https://[::1]:${canaries[1]?.port}/`, {}, '{}')
    unguarded.close()
    assert.equal(reached(), 3)
  })

  test('isPublicAddress accepts public addresses only', () => {
    for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])
      assert.equal(isPublicAddress(address), true, address)
    for (const address of [
      '',
      'example.com',
      '1.1.1',
      '2606:4700::1111%lo',
      '::ffff:1.1.1.1',
      '3fff::1',
      '2001:db8::1',
    ])
      assert.equal(isPublicAddress(address), false, address)
  })

  test('development allows http and localhost', () => {
    const permissive = new TargetRules({ environment: 'development', webhookPorts: [443], webhookNetworks: undefined })
    for (const url of ['http://localhost:3000/hooks', 'http://127.0.0.1:3000', 'https://example.com'])
      assert.equal(permissive.problemOf(url), undefined)
    assert.match(permissive.problemOf('ftp://localhost') ?? '', /https/)
  })
})
