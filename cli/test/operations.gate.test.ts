import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
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

describe('API operations', async () => {
  const world = await CliWorld.create()
  after(() => world.end())
  await world.createAccounts()

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
  type Called = readonly [line: string, path: string, body?: unknown]
  const newWallet = new WalletOwner().body({ blockchain: 'anvil' })
  const answers = '{"version":1,"answers":{"experience":"often","can_lose":true}}'
  const transfer =
    '{"offering_id":"$OFFERING","sender_wallet_id":"$WALLET","receiver_wallet_id":"$OTHER_WALLET","units":"1",' +
    '"reason":"gift"}'
  const order = '{"account_id":"$ACCOUNT","units":"1050000000"}'
  const calls: Record<keyof typeof apiCommands, Called> = {
    createAccount: ['accounts create --data @account.json', '/accounts', individual],
    listAccounts: ['accounts list --limit 11 --offset 1 --direction asc', '/accounts?limit=11&offset=1&direction=asc'],
    getAccount: ['accounts get $ACCOUNT', '/accounts/$ACCOUNT'],
    updateAccount: [
      'accounts update $ACCOUNT --communication-email b@example.com --communication-email-confirmed false',
      '/accounts/$ACCOUNT',
      { communication: { email: 'b@example.com', email_confirmed: false } },
    ],
    createBenefitingPerson: [
      `benefiting-persons create --account $COMPANY --data '${JSON.stringify(benefitingPerson)}'`,
      '/accounts/$COMPANY/benefiting-persons',
      benefitingPerson,
    ],
    listBenefitingPersons: ['benefiting-persons list --account $COMPANY', '/accounts/$COMPANY/benefiting-persons'],
    getAccountEligibility: [
      'eligibility get --account $ACCOUNT --offering $RULED',
      '/accounts/$ACCOUNT/eligibility/$RULED',
    ],
    acceptDocument: [
      'eligibility accept-document $DOCUMENT --account $ACCOUNT --offering $RULED --sha256 $SHA256',
      '/accounts/$ACCOUNT/eligibility/$RULED/documents/$DOCUMENT/accept',
      '{"sha256":"$SHA256"}',
    ],
    answerQuestionnaire: [
      `eligibility answer --account $ACCOUNT --offering $RULED --data '${answers}'`,
      '/accounts/$ACCOUNT/eligibility/$RULED/questionnaire',
      answers,
    ],
    createRegisterExtract: [
      'register-extracts create --account $ACCOUNT --offering $OFFERING --format csv',
      '/accounts/$ACCOUNT/register-extracts',
      '{"offering_id":"$OFFERING","format":"csv"}',
    ],
    listRegisterExtracts: ['register-extracts list --account $ACCOUNT', '/accounts/$ACCOUNT/register-extracts'],
    getRegisterExtract: [
      'register-extracts get $EXTRACT --account $ACCOUNT',
      '/accounts/$ACCOUNT/register-extracts/$EXTRACT',
    ],
    listAccountOrders: ['orders list --account $ACCOUNT', '/accounts/$ACCOUNT/orders'],
    listTransactions: ['transactions list --account $ACCOUNT', '/accounts/$ACCOUNT/transactions'],
    listEntitlements: ['entitlements list --account $ACCOUNT', '/accounts/$ACCOUNT/entitlements'],
    listWallets: ['wallets list --account $ACCOUNT', '/accounts/$ACCOUNT/wallets'],
    listWalletBalances: [
      'balances list --account $ACCOUNT --language de',
      '/accounts/$ACCOUNT/wallets/balances?language=de',
    ],
    getWallet: ['wallets get $WALLET --account $ACCOUNT', '/accounts/$ACCOUNT/wallets/$WALLET'],
    registerWallet: [
      `wallets register --account $ACCOUNT --data '${JSON.stringify(newWallet)}'`,
      '/accounts/$ACCOUNT/wallets',
      newWallet,
    ],
    challengeWallet: [
      'wallets challenge $PENDING_WALLET --account $ACCOUNT',
      '/accounts/$ACCOUNT/wallets/$PENDING_WALLET/challenge',
    ],
    proveWallet: [
      'wallets prove $SIGNED_WALLET --account $ACCOUNT --data @proof.json',
      '/accounts/$ACCOUNT/wallets/$SIGNED_WALLET/prove',
      '$PROOF',
    ],
    listOfferings: ['offerings list', '/offerings'],
    getOffering: ['offerings get $OFFERING', '/offerings/$OFFERING'],
    createOrder: [
      'orders create --offering $OFFERING --account $ACCOUNT --tokens 10.5',
      '/offerings/$OFFERING/orders',
      order,
    ],
    listOfferingOrders: ['orders list --offering $OFFERING', '/offerings/$OFFERING/orders'],
    getOrder: ['orders get $ORDER --offering $OFFERING', '/offerings/$OFFERING/orders/$ORDER'],
    cancelOrder: ['orders cancel $ORDER --offering $OFFERING', '/offerings/$OFFERING/orders/$ORDER/cancel'],
    createTransfer: [
      'transfers create --offering $OFFERING --sender-wallet $WALLET --receiver-wallet $OTHER_WALLET ' +
        '--units 1 --reason gift',
      '/transfers',
      transfer,
    ],
    listTransfers: ['transfers list --status REQUESTED', '/transfers?status=REQUESTED'],
    getTransfer: ['transfers get $TRANSFER', '/transfers/$TRANSFER'],
    cancelTransfer: ['transfers cancel $TRANSFER', '/transfers/$TRANSFER/cancel'],
    listEvents: ['events list --type account.created', '/events?type=account.created'],
    // Lists only failed requests, because reading the list adds requests to it.
    listRequests: ['requests list --failed true', '/requests?failed=true'],
    simulatePayment: ['simulate payment $ORDER --kind over', '/simulations/orders/$ORDER/payments', { kind: 'over' }],
    simulatePaymentDeadline: ['simulate payment-deadline $ORDER', '/simulations/orders/$ORDER/payment-deadline'],
    simulateDecision: [
      'simulate decision $COMPANY --kyb PENDING',
      '/simulations/accounts/$COMPANY/decision',
      { kyb: 'PENDING' },
    ],
    simulateKycResult: [
      'simulate kyc $COMPANY --outcome rejected --is-accepted false',
      '/simulations/accounts/$COMPANY/kyc-result',
      { outcome: 'rejected', is_accepted: false },
    ],
    simulateWallet: [
      'simulate wallet $COMPANY --offering $OFFERING',
      '/simulations/accounts/$COMPANY/wallets',
      '{"offering_id":"$OFFERING"}',
    ],
    simulateMintFailure: [
      'simulate mint-failure $OFFERING --failing false',
      '/simulations/offerings/$OFFERING/mint-failure',
      { failing: false },
    ],
    simulateReorg: [
      'simulate reorg --offering $OFFERING --depth 1',
      '/simulations/reorg',
      '{"offering_id":"$OFFERING","depth":1}',
    ],
    simulateTransfer: [
      'simulate transfer --offering $OFFERING --from-wallet $WALLET --to-wallet $OTHER_WALLET --units 5',
      '/simulations/transfers',
      '{"offering_id":"$OFFERING","from_wallet_id":"$WALLET","to_wallet_id":"$OTHER_WALLET","units":"5"}',
    ],
    simulateTransferRequest: ['simulate transfer-request $TRANSFER', '/simulations/transfers/$TRANSFER/completion'],
    simulateDistribution: [
      'simulate distribution $OFFERING --result announced --rate-per-token 2/3',
      '/simulations/offerings/$OFFERING/distributions',
      { result: 'announced', rate_per_token: '2/3' },
    ],
    expireDeadlines: [
      'simulate expire-deadlines --advance-seconds 1',
      '/simulations/expire-deadlines',
      { advance_seconds: 1 },
    ],
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
      const [line, path, given] = call
      const body = typeof given === 'string' ? JSON.parse(filled(given)) : given
      const ask = () => world.call(method, filled(path), body, key)
      const print = () => world.cli.json(line + (takesKey ? ` --idempotency-key ${key}` : ''), variables)
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
    let events: { sequence: number }[] = []
    // The worker numbers events after the requests that recorded them.
    await until('the events of all accounts are numbered', async () => {
      events = await world.cli.json('events list --all --type account.created')
      return events.length > 55
    })
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
