import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { PacedChain } from './harness/chain/paced-chain.ts'
import { requireDocumentAndAnswers } from './harness/data/eligibility.ts'
import { TestTenant } from './harness/data/tenant.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { SnippetFolder, snippetsOf } from './harness/snippets.ts'

/** Output of each page. */
const pages: Record<string, RegExp[]> = {
  quickstart: [/^Order [0-9a-f-]{36}: pay 125 EUR to \w+$/m, /^MINTED$/m, /^10 \w+$/m],
  authentication: [/^1 offerings$/m, /^invalid_client [0-9a-f-]{36}$/m, /account\.read/],
  'idempotency-and-retries': [/^true true\ntrue$/m],
  'paging-and-syncing': [/^0 [0-9a-f-]{36}$/m, /^1 of 1$/m, /^1 \w+\.\w+ /m],
  amounts: [/^1050000000n 10\.5$/m, /decimal places/, /^10\.5 tokens at 12\.5 are 131\.25 EUR$/m],
  'order-life': [/^ORDERED \[ 'payment_missing'/m, /^PAID \[/m, /^true$/m, /CANCELLED/],
  eligibility: [/^\[ 'document_not_accepted', 'questionnaire_missing' \]\nwarned\ntrue$/m],
  webhooks: [/^order\.paid [0-9a-f-]{36} o\n200$/m],
  wallets: [/^localhost wants you to sign in/m, /^Chain ID: 31337$/m, /^ACTIVE$/m],
  simulations: [/^PAID$/m, /^refund\.due /m, /^COUPON (2\.50|5\.00) paid$/m],
}

/** The webhooks page starts with a receiver without the SDK, which webhooks-guide.test.ts covers. */
const languageOf = (page: string) => (page === 'webhooks' ? 'ts sdk' : 'ts')

describe('the guides', async () => {
  const folder = new SnippetFolder()

  const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start({ blockSeconds: 0.4 })])
  after(async () => {
    folder.remove()
    await installation.end()
    await chain.stop()
  })
  const settings = { CHAINS: `anvil=${chain.url}` }
  const [api] = await Promise.all([
    installation.startApi(settings),
    installation.startWorker(settings),
    installation.startIndexer(settings),
  ])

  /** Creates a tenant per page with an open offering, an account and a credential, as its reader would have. */
  async function readerOf(page = ''): Promise<Record<string, string>> {
    const tenant = await TestTenant.create(installation, api)
    await tenant.fixtures.signer(tenant.id, chain)
    const offeringId = await tenant.fixtures.offering(tenant.id, { blockchain: 'anvil' })
    if (page === 'eligibility') await requireDocumentAndAnswers(installation, { tenantId: tenant.id, offeringId })
    const accountId = await tenant.account()
    const credential = await installation.issueCredential(tenant.id, { requestsPerMinute: 60_000 })
    return {
      BASE_URL: api.baseUrl,
      CLIENT_ID: credential.clientId,
      CLIENT_SECRET: credential.clientSecret,
      WEBHOOK_SECRET: `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64')}`,
      OFFERING_ID: offeringId,
      ACCOUNT_ID: accountId,
    }
  }

  test('every snippet compiles in a strict project', async () => {
    const files = Object.keys(pages).map((page) =>
      folder.write(`${page}.ts`, snippetsOf(`docs/guides/${page}.md`, languageOf(page)).join('\n')),
    )
    folder.write('package.json', '{ "type": "module" }')
    await folder.check(files)
  })

  for (const [page, printed] of Object.entries(pages))
    test(`docs/guides/${page}.md runs as written`, async () => {
      const env = await readerOf(page)
      mkdirSync(join(folder.path, '.dev'), { recursive: true })
      folder.write('.dev/credentials.json', JSON.stringify(demoOf(env)))
      const file = folder.write(`${page}.ts`, snippetsOf(`docs/guides/${page}.md`, languageOf(page)).join('\n'))
      const output = await folder.run(process.execPath, [file], env)
      for (const expected of printed) assert.match(output, expected)
    })

  test('the shell snippet of docs/guides/authentication.md gets a token', async () => {
    const [shell = ''] = snippetsOf('docs/guides/authentication.md', 'sh')
    assert.match(await folder.run('bash', ['-euc', shell], await readerOf()), /"access_token":"[^"]+"/)
  })

  test('the last check of docs/guides/going-live.md succeeds', async () => {
    const [shell = ''] = snippetsOf('docs/guides/going-live.md', 'sh')
    const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = await readerOf()
    const env = {
      INVESTOR_TOKEN_BASE_URL: BASE_URL,
      INVESTOR_TOKEN_CLIENT_ID: CLIENT_ID,
      INVESTOR_TOKEN_CLIENT_SECRET: CLIENT_SECRET,
    }
    assert.match(await folder.run('bash', ['-euc', shell], env), /✔/)
  })
})

/** Returns the file that npm run dev writes. */
function demoOf({ BASE_URL, CLIENT_ID, CLIENT_SECRET, OFFERING_ID }: Record<string, string>): object {
  const credentials = [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET }]
  return { base_url: BASE_URL, offering_id: OFFERING_ID, tenants: [{ credentials }] }
}
