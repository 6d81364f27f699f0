import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { operationsOf } from '../../sdk/openapi-document.ts'
import { WalletOwner } from '../../service/test/harness/chain/wallet-owner.ts'
import { benefitingPerson, individual } from '../../service/test/harness/data/bodies.ts'
import { until } from '../../service/test/harness/wait.ts'
import { generate } from '../generate.ts'
import { apiCommands } from '../src/api/api-commands.ts'
import { CliWorld } from './harness/world.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const documented = operationsOf(JSON.parse(read('../../service/openapi.json')))

const changesMax = 50

describe('API operations', () => {
  let world: CliWorld

  before(async () => {
    world = await CliWorld.create()
    await world.createAccounts()
  })
  after(() => world.end())

  test('src/base/generated is up to date with service/openapi.json', () => {
    assert.equal(read('../src/base/generated/operations.ts'), generate(), 'run npm run generate -- cli')
  })

  test('every operation has a command, and every command an operation', () => {
    const names = documented.map(({ operation }) => operation.operationId)
    assert.deepEqual(['authenticate', ...Object.keys(apiCommands)].toSorted(), names.toSorted())
  })

  test('login --json prints the response of POST /auth without the token', async () => {
    const printed = await world.cli.json<object>('login --from .dev/credentials.json')
    assert.deepEqual(Object.keys(printed), ['token_type', 'expires_at'])
  })

  /** A command and the same request to the API. A read is repeated; a write is replayed with the same key. */
  interface Called {
    line: string
    path: string
    body?: unknown
  }
  const newWallet = new WalletOwner().body({ blockchain: 'anvil' })
  const answers = '{"version":1,"answers":{"experience":"often","can_lose":true}}'
  const transfer =
    '{"offering_id":"$OFFERING","sender_wallet_id":"$WALLET","receiver_wallet_id":"$OTHER_WALLET","units":"1",' +
    '"reason":"gift"}'
  const order = '{"account_id":"$ACCOUNT","units":"1050000000"}'
  const calls: Record<keyof typeof apiCommands, Called> = {
    createAccount: { line: 'accounts create --data @account.json', path: '/accounts', body: individual },
    listAccounts: {
      line: 'accounts list --limit 11 --offset 1 --direction asc',
      path: '/accounts?limit=11&offset=1&direction=asc',
    },
    getAccount: { line: 'accounts get $ACCOUNT', path: '/accounts/$ACCOUNT' },
    updateAccount: {
      line: 'accounts update $ACCOUNT --communication-email b@example.com --communication-email-confirmed false',
      path: '/accounts/$ACCOUNT',
      body: { communication: { email: 'b@example.com', email_confirmed: false } },
    },
    createBenefitingPerson: {
      line: `benefiting-persons create --account $COMPANY --data '${JSON.stringify(benefitingPerson)}'`,
      path: '/accounts/$COMPANY/benefiting-persons',
      body: benefitingPerson,
    },
    listBenefitingPersons: {
      line: 'benefiting-persons list --account $COMPANY',
      path: '/accounts/$COMPANY/benefiting-persons',
    },
    getAccountEligibility: {
      line: 'eligibility get --account $ACCOUNT --offering $RULED',
      path: '/accounts/$ACCOUNT/eligibility/$RULED',
    },
    acceptDocument: {
      line: 'eligibility accept-document $DOCUMENT --account $ACCOUNT --offering $RULED --sha256 $SHA256',
      path: '/accounts/$ACCOUNT/eligibility/$RULED/documents/$DOCUMENT/accept',
      body: '{"sha256":"$SHA256"}',
    },
    answerQuestionnaire: {
      line: `eligibility answer --account $ACCOUNT --offering $RULED --data '${answers}'`,
      path: '/accounts/$ACCOUNT/eligibility/$RULED/questionnaire',
      body: answers,
    },
    createRegisterExtract: {
      line: 'register-extracts create --account $ACCOUNT --offering $OFFERING --format csv',
      path: '/accounts/$ACCOUNT/register-extracts',
      body: '{"offering_id":"$OFFERING","format":"csv"}',
    },
    listRegisterExtracts: {
      line: 'register-extracts list --account $ACCOUNT',
      path: '/accounts/$ACCOUNT/register-extracts',
    },
    getRegisterExtract: {
      line: 'register-extracts get $EXTRACT --account $ACCOUNT',
      path: '/accounts/$ACCOUNT/register-extracts/$EXTRACT',
    },
    listAccountOrders: { line: 'orders list --account $ACCOUNT', path: '/accounts/$ACCOUNT/orders' },
    listTransactions: { line: 'transactions list --account $ACCOUNT', path: '/accounts/$ACCOUNT/transactions' },
    listEntitlements: { line: 'entitlements list --account $ACCOUNT', path: '/accounts/$ACCOUNT/entitlements' },
    listWallets: { line: 'wallets list --account $ACCOUNT', path: '/accounts/$ACCOUNT/wallets' },
    listWalletBalances: {
      line: 'balances list --account $ACCOUNT --language de',
      path: '/accounts/$ACCOUNT/wallets/balances?language=de',
    },
    getWallet: { line: 'wallets get $WALLET --account $ACCOUNT', path: '/accounts/$ACCOUNT/wallets/$WALLET' },
    registerWallet: {
      line: `wallets register --account $ACCOUNT --data '${JSON.stringify(newWallet)}'`,
      path: '/accounts/$ACCOUNT/wallets',
      body: newWallet,
    },
    challengeWallet: {
      line: 'wallets challenge $PENDING_WALLET --account $ACCOUNT',
      path: '/accounts/$ACCOUNT/wallets/$PENDING_WALLET/challenge',
    },
    proveWallet: {
      line: 'wallets prove $SIGNED_WALLET --account $ACCOUNT --data @proof.json',
      path: '/accounts/$ACCOUNT/wallets/$SIGNED_WALLET/prove',
      body: '$PROOF',
    },
    listOfferings: { line: 'offerings list', path: '/offerings' },
    getOffering: { line: 'offerings get $OFFERING', path: '/offerings/$OFFERING' },
    createOrder: {
      line: 'orders create --offering $OFFERING --account $ACCOUNT --tokens 10.5',
      path: '/offerings/$OFFERING/orders',
      body: order,
    },
    listOfferingOrders: { line: 'orders list --offering $OFFERING', path: '/offerings/$OFFERING/orders' },
    getOrder: { line: 'orders get $ORDER --offering $OFFERING', path: '/offerings/$OFFERING/orders/$ORDER' },
    cancelOrder: {
      line: 'orders cancel $ORDER --offering $OFFERING',
      path: '/offerings/$OFFERING/orders/$ORDER/cancel',
    },
    createTransfer: {
      line:
        'transfers create --offering $OFFERING --sender-wallet $WALLET --receiver-wallet $OTHER_WALLET ' +
        '--units 1 --reason gift',
      path: '/transfers',
      body: transfer,
    },
    listTransfers: { line: 'transfers list --status REQUESTED', path: '/transfers?status=REQUESTED' },
    getTransfer: { line: 'transfers get $TRANSFER', path: '/transfers/$TRANSFER' },
    cancelTransfer: { line: 'transfers cancel $TRANSFER', path: '/transfers/$TRANSFER/cancel' },
    listEvents: { line: 'events list --type account.created', path: '/events?type=account.created' },
    // Only failed requests, because reading the list adds requests to it.
    listRequests: { line: 'requests list --failed true', path: '/requests?failed=true' },
    simulatePayment: {
      line: 'simulate payment $ORDER --kind over',
      path: '/simulations/orders/$ORDER/payments',
      body: { kind: 'over' },
    },
    simulatePaymentDeadline: {
      line: 'simulate payment-deadline $ORDER',
      path: '/simulations/orders/$ORDER/payment-deadline',
    },
    simulateDecision: {
      line: 'simulate decision $COMPANY --kyb PENDING',
      path: '/simulations/accounts/$COMPANY/decision',
      body: { kyb: 'PENDING' },
    },
    simulateKycResult: {
      line: 'simulate kyc $COMPANY --outcome rejected --is-accepted false',
      path: '/simulations/accounts/$COMPANY/kyc-result',
      body: { outcome: 'rejected', is_accepted: false },
    },
    simulateWallet: {
      line: 'simulate wallet $COMPANY --offering $OFFERING',
      path: '/simulations/accounts/$COMPANY/wallets',
      body: '{"offering_id":"$OFFERING"}',
    },
    simulateMintFailure: {
      line: 'simulate mint-failure $OFFERING --failing false',
      path: '/simulations/offerings/$OFFERING/mint-failure',
      body: { failing: false },
    },
    simulateReorg: {
      line: 'simulate reorg --offering $OFFERING --depth 1',
      path: '/simulations/reorg',
      body: '{"offering_id":"$OFFERING","depth":1}',
    },
    simulateTransfer: {
      line: 'simulate transfer --offering $OFFERING --from-wallet $WALLET --to-wallet $OTHER_WALLET --units 5',
      path: '/simulations/transfers',
      body: '{"offering_id":"$OFFERING","from_wallet_id":"$WALLET","to_wallet_id":"$OTHER_WALLET","units":"5"}',
    },
    simulateTransferRequest: {
      line: 'simulate transfer-request $TRANSFER',
      path: '/simulations/transfers/$TRANSFER/completion',
    },
    simulateDistribution: {
      line: 'simulate distribution $OFFERING --result announced --rate-per-token 2/3',
      path: '/simulations/offerings/$OFFERING/distributions',
      body: { result: 'announced', rate_per_token: '2/3' },
    },
    expireDeadlines: {
      line: 'simulate expire-deadlines --advance-seconds 1',
      path: '/simulations/expire-deadlines',
      body: { advance_seconds: 1 },
    },
  }

  for (const { operation, method } of documented) {
    const name = operation.operationId as keyof typeof apiCommands
    const call = calls[name]
    if (!call) continue
    test(`${name}: --json prints the response of the API`, async () => {
      const variables = { ...world.variables, ORDER: await world.newOrder(), TRANSFER: await world.newTransfer() }
      const filled = (text: string) =>
        text.replaceAll(/\$(\w+)/g, (_, one: string) => String(variables[one as 'ORDER']))
      const key = crypto.randomUUID()
      const takesKey = (operation.parameters ?? []).some((parameter) => parameter.in === 'header')
      const body = typeof call.body === 'string' ? JSON.parse(filled(call.body)) : call.body
      const ask = () => world.call(method, filled(call.path), body, key)
      const print = () => world.cli.json(call.line + (takesKey ? ` --idempotency-key ${key}` : ''), variables)
      let earlier = method === 'GET' ? await ask() : undefined
      let printed = await print()
      let response = await ask()
      // A worker and an indexer change data meanwhile: a read counts if the responses before and after it are equal.
      for (let tries = 0; earlier && earlier.text !== response.text && tries < changesMax; tries += 1) {
        earlier = response
        printed = await print()
        response = await ask()
      }
      assert.ok(response.status < 300, response.text)
      if (takesKey) assert.equal(response.headers.get('idempotency-replayed'), 'true', 'the same request was replayed')
      assert.equal(response.headers.get('idempotency-payload-mismatch'), null, 'the bodies were equal')
      assert.deepEqual(printed, response.body)
    })
  }

  test('--all returns the items of all pages, each once and oldest first', async () => {
    for (let batch = 0; batch < 11; batch += 1)
      await Promise.all(Array.from({ length: 5 }, () => world.create('/accounts', individual)))
    const all = await world.cli.json<{ id: string }[]>('accounts list --all')
    const { count } = (await world.call('GET', '/accounts')).body.pagination
    assert.equal(new Set(all.map(({ id }) => id)).size, count)
    const events = await world.cli.json<{ sequence: number }[]>('events list --all --type account.created')
    assert.ok(events.length > 55)
    assert.deepEqual(
      events,
      events.toSorted((one, other) => one.sequence - other.sequence),
    )
    const { stdout } = await world.cli.runProcess('requests list --all --json')
    const requests = JSON.parse(stdout) as { id: string }[]
    assert.ok(new Set(requests.map(({ id }) => id)).size > 50)
  })

  test('a table shows token amounts, or units with --raw', async () => {
    let text = ''
    const isFinal = async () => {
      ;({ text } = await world.call('GET', `/accounts/${world.variables['ACCOUNT']}/wallets/balances`))
      return JSON.parse(text).results[0].balance.endsWith('94')
    }
    await until(() => `the transfers above are finalized: ${text}`, isFinal)
    const { stdout } = await world.cli.run('balances list --account $ACCOUNT', world.variables)
    assert.match(stdout, /^BALANCE .*\n\d+\.99999994 HARB /)
    const raw = await world.cli.run('balances list --account $ACCOUNT --raw', world.variables)
    assert.match(raw.stdout, /\n\d+99999994 HARB /)
    const orders = await world.cli.run('orders list --offering $OFFERING --all', world.variables)
    assert.match(orders.stdout, /ORDERED +10\.5 +131\.25 EUR/)
  })
})
