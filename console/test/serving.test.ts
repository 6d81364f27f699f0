import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { SignInWorld } from '../../service/test/harness/callers/sign-in-world.ts'

const built = (name: string) => readFileSync(new URL(`../dist/${name}`, import.meta.url))
const manifest: Record<string, { file: string; isEntry?: boolean; css?: string[] }> = JSON.parse(
  built('manifest.json').toString(),
)
const entry = Object.values(manifest).find(({ isEntry }) => isEntry)?.file ?? ''

describe('the operator API serves the console', () => {
  let world: SignInWorld
  let port: number

  before(async () => {
    world = await SignInWorld.start()
    port = Number(new URL(world.origin).port)
  })
  after(() => world.installation.end())

  const get = (path: string, headers: Record<string, string> = {}) => fetch(world.origin + path, { headers })

  /** Sends a path unchanged, which fetch would normalise, and does not decompress the response. */
  function raw(path: string, encoding = 'identity') {
    return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
      request({ port, path, headers: { 'accept-encoding': encoding } }, (response) => {
        const { statusCode = 0, headers } = response
        buffer(response).then((body) => resolve({ status: statusCode, headers, body }), reject)
      })
        .on('error', reject)
        .end()
    })
  }

  test('the page is never stored, has a new nonce each time and a strict policy', async () => {
    const [first, second] = await Promise.all([get('/console'), get('/console/')])
    const nonces = await Promise.all(
      [first, second].map(async (response) => {
        assert.equal(response.status, 200)
        assert.equal(response.headers.get('cache-control'), 'no-store')
        const [, nonce = ''] = /name="csp-nonce" content="([^"]+)"/.exec(await response.text()) ?? []
        const policy = response.headers.get('content-security-policy') ?? ''
        assert.equal(
          policy,
          "default-src 'none'; script-src 'self'; style-src 'self' " +
            `'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; ` +
            "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default",
        )
        return nonce
      }),
    )
    assert.match(nonces[0] ?? '', /^[A-Za-z0-9+/]{22}==$/)
    assert.notEqual(nonces[0], nonces[1])
    assert.equal(first.headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.equal(first.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(first.headers.get('x-content-type-options'), 'nosniff')
    assert.match(first.headers.get('permissions-policy') ?? '', /publickey-credentials-get=\(self\)/)
  })

  test('every screen is the same page; the sign-in pages keep theirs', async () => {
    for (const path of ['/console/orders', '/console/orders/019f2245-6100-7000-8000-000000000000', '/console/a/b/c'])
      assert.match(await (await get(path)).text(), /<div id="root">/, path)
    for (const path of ['/console/sign-in', '/console/passkey', '/console/invitation', '/console/approvals/cell/1'])
      assert.doesNotMatch(await (await get(path)).text(), /<div id="root">/, path)
  })

  test('assets are immutable and arrive as the build compressed them', async () => {
    for (const [encoding, suffix, decode] of [
      ['br', '.br', brotliDecompressSync],
      ['gzip', '.gz', gunzipSync],
    ] as const) {
      const { status, headers, body } = await raw(`/console/${entry}`, encoding)
      assert.equal(status, 200)
      assert.equal(headers['content-encoding'], encoding)
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(headers['vary'], 'accept-encoding')
      assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
      assert.deepEqual(body, built(entry + suffix))
      assert.deepEqual(decode(body), built(entry))
    }
    const plain = await raw(`/console/${entry}`)
    assert.deepEqual(plain.body, built(entry))
    const again = await get(`/console/${entry}`, {
      'accept-encoding': 'identity',
      'if-none-match': String(plain.headers['etag']),
    })
    assert.equal(again.status, 304)
  })

  test('files that do not exist, and every path out of the folder, get 404', async () => {
    for (const path of [
      '/console/static/index-00000000.js',
      '/console/static/',
      '/console/static/../index.html',
      `/console/static/..${encodeURIComponent('/')}index.html`,
      '/console/static/%2e%2e/manifest.json',
      `/console/static/..${encodeURIComponent('\\')}index.html`,
      '/console/static/....//index.html',
      '/console/../package.json',
      '/console/manifest.json',
      `/console/${entry}.br`,
      '/console/favicon.ico',
    ])
      assert.equal((await raw(path)).status, 404, path)
    assert.equal((await raw(`/console/${entry}`)).status, 200)
  })
})
