import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { operations } from '../src/operations.ts'
import { inBrowser, TestBrowser } from './harness/browser/test-browser.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

describe('the API reference', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApi()

  test('/openapi.json serves the document without a token', async () => {
    const response = await fetch(`${api.baseUrl}/openapi.json`)
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.deepEqual(
      await response.json(),
      JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')),
    )
  })

  test('/docs allows only resources of this server', async () => {
    for (const path of ['/docs', '/docs/']) {
      const response = await fetch(api.baseUrl + path)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('cache-control'), 'no-cache')
      const rules = (response.headers.get('content-security-policy') ?? '').split('; ')
      assert.ok(rules.includes("default-src 'none'"))
      assert.ok(rules.includes("connect-src 'self'"))
      assert.match(
        rules.find((rule) => rule.startsWith('script-src')) ?? '',
        /^script-src 'self' 'sha256-[\w+/]{43}='$/,
      )
      assert.doesNotMatch(await response.text(), /https?:\/\//)
    }
  })

  test('the script may be cached for a day, and is compressed for clients that accept it', async () => {
    const sizes: Record<string, number> = {}
    for (const encoding of ['br', 'gzip', 'identity', 'gzip, br', 'gzip;q=0, br;q=0']) {
      const response = await fetch(`${api.baseUrl}/docs/scalar.js`, { headers: { 'accept-encoding': encoding } })
      assert.equal(response.headers.get('cache-control'), 'public, max-age=86400')
      assert.equal(response.headers.get('vary'), 'accept-encoding')
      sizes[encoding] = Number(response.headers.get('content-length'))
      assert.match(await response.text(), /createApiReference/)
    }
    const { br = 0, gzip = 0, identity = 0 } = sizes
    assert.ok(br < gzip && gzip < identity / 2, JSON.stringify(sizes))
    assert.deepEqual([sizes['gzip, br'], sizes['gzip;q=0, br;q=0']], [br, identity])
  })

  test('an invalid or missing Host header is not a server error', async () => {
    for (const head of ['GET /docs HTTP/1.1\r\nHost: [\r\n', 'GET /docs HTTP/1.0\r\n']) {
      const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1')
      socket.write(`${head}Connection: close\r\n\r\n`)
      const [first] = (await once(socket, 'data')) as [Buffer]
      assert.match(first.toString(), /^HTTP\/1.1 200 /)
      socket.destroy()
    }
  })

  test('a client that has the reference gets 304', async () => {
    for (const path of ['/docs', '/docs/scalar.js', '/openapi.json']) {
      const first = await fetch(api.baseUrl + path)
      await first.arrayBuffer()
      const etag = first.headers.get('etag') ?? ''
      const again = await fetch(api.baseUrl + path, { headers: { 'if-none-match': etag } })
      assert.deepEqual([again.status, await again.text()], [304, ''], path)
      const other = await fetch(api.baseUrl + path, { headers: { 'if-none-match': '"x"' } })
      assert.equal(other.status, 200)
      await other.arrayBuffer()
    }
  })

  describe('in a browser', inBrowser, async () => {
    const requests: string[] = []
    const problems: string[] = []

    const browser = await TestBrowser.launch()
    after(() => browser?.close())
    const page = await (await browser.context({ viewport: { width: 1400, height: 1000 } })).newPage()
    page.on('request', (sent) => requests.push(sent.url()))
    page.on('requestfailed', (sent) => problems.push(`${sent.url()}: ${sent.failure()?.errorText}`))
    page.on(
      'response',
      (received) => received.status() >= 400 && problems.push(`${received.url()}: ${received.status()}`),
    )
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`${api.baseUrl}/docs`, { waitUntil: 'networkidle' })
    await page.getByRole('heading', { name: 'Investor Token API' }).waitFor()

    test('lists every operation and the introduction', async () => {
      assert.equal(await page.title(), 'Investor Token API')
      for (const { header } of operations)
        await page.getByRole('link', { name: header.summary }).first().waitFor({ state: 'visible', timeout: 5_000 })
      for (const name of ['Getting started', 'Idempotency', 'Pagination', 'Amounts', 'Rate limits', 'Errors'])
        await page.getByRole('heading', { name }).waitFor({ state: 'visible', timeout: 5_000 })
    })

    test('shows an operation with our code samples and examples', async () => {
      await page.getByRole('link', { name: 'Order units of an offering' }).first().click()
      const section = page.locator('section', {
        has: page.getByRole('heading', { name: 'Order units of an offering' }),
      })
      await section.getByText('curl "$BASE_URL/offerings/').last().waitFor({ timeout: 10_000 })
      await section.getByText('Harbour Bond 2031').last().waitFor({ timeout: 10_000 })
    })

    test('contacts only this server, and nothing fails', () => {
      const foreign = requests.filter((url) => !url.startsWith(`${api.baseUrl}/`) && !url.startsWith('data:'))
      assert.deepEqual(foreign, [])
      assert.deepEqual(problems, [])
    })

    test('runs no script and contacts no host that the policy does not allow', async () => {
      const hasRun = await page.evaluate(`
        const script = document.createElement('script')
        script.textContent = 'window.hasRun = true'
        document.head.append(script)
        window.hasRun === true`)
      assert.equal(hasRun, false)
      // The same machine under another name counts as another host.
      const other = api.baseUrl.replace('127.0.0.1', 'localhost')
      const outcome = await page.evaluate(
        `fetch('${other}/livez', { mode: 'no-cors' }).then(() => 'sent', () => 'blocked')`,
      )
      assert.equal(outcome, 'blocked')
      assert.match(problems.join('\n'), /Content Security Policy/)
    })
  })
})
