import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorClient } from '../../../service/test/harness/callers/operator-client.ts'
import { startAllProcesses } from '../../../service/test/harness/chain/all-processes.ts'
import { PacedChain } from '../../../service/test/harness/chain/paced-chain.ts'
import { WalletOwner } from '../../../service/test/harness/chain/wallet-owner.ts'
import { company, individual, newOffering } from '../../../service/test/harness/data/bodies.ts'
import { requireDocumentAndAnswers } from '../../../service/test/harness/data/eligibility.ts'
import { Fixtures } from '../../../service/test/harness/data/fixtures.ts'
import type { ApiResponse } from '../../../service/test/harness/installation/api-client.ts'
import type { RunningApi } from '../../../service/test/harness/installation/running-api.ts'
import { TestInstallation } from '../../../service/test/harness/installation/test-installation.ts'
import { until } from '../../../service/test/harness/wait.ts'
import { TestCli } from './cli.ts'

/** All processes, a real chain, a tenant with one resource of each kind, and a CLI that is signed in. */
export class CliWorld {
  readonly installation: TestInstallation
  readonly chain: PacedChain
  readonly api: RunningApi
  readonly token: string
  readonly cli: TestCli
  /** Shell variables of the examples. */
  readonly variables: Record<string, string>

  private constructor(world: Pick<CliWorld, 'installation' | 'chain' | 'api' | 'token' | 'cli' | 'variables'>) {
    this.installation = world.installation
    this.chain = world.chain
    this.api = world.api
    this.token = world.token
    this.cli = world.cli
    this.variables = world.variables
  }

  static async create(): Promise<CliWorld> {
    const [installation, chain] = await Promise.all([
      TestInstallation.create(),
      PacedChain.start({ blockSeconds: 0.4 }),
    ])
    const { api, operatorApi } = await startAllProcesses(installation, chain)
    const tenantId = await installation.createTenant('Demo')
    await new Fixtures(installation).signer(tenantId, chain)
    const operator = await OperatorClient.create(installation, operatorApi, tenantId, 'admin')
    const { id: offeringId } = (await operator.post('/offerings', { ...newOffering, blockchain: 'anvil' })).body
    await operator.post(`/offerings/${offeringId}/open`)

    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const { clientId, clientSecret } = credential
    const urls = { BASE_URL: api.baseUrl, OPERATOR_URL: operatorApi.baseUrl }
    const variables: Record<string, string> = { OFFERING: offeringId, ...urls, CLIENT_ID: clientId }
    const cli = await TestCli.create(variables, [clientSecret, operator.who.token])
    await writeFile(join(cli.folder, 'account.json'), JSON.stringify(individual))
    await writeFile(join(cli.folder, 'secret.txt'), clientSecret)
    await mkdir(join(cli.folder, '.dev'))
    const scopes =
      'offering.read account.create account.read account.update wallet.read ' +
      'order.create order.read order.update order.delete'
    const one = { client_id: clientId, client_secret: clientSecret, scopes: scopes.split(' ') }
    const user = { personal_token: operator.who.token }
    const tenants = [{ name: 'Demo', user, credentials: [one] }]
    const known = { base_url: api.baseUrl, operator_url: operatorApi.baseUrl, tenants }
    await writeFile(join(cli.folder, 'operator-token.txt'), operator.who.token)
    await writeFile(join(cli.folder, '.dev/credentials.json'), JSON.stringify(known))
    // Another offering, whose rules require a document and answers.
    const ruled = (await operator.post('/offerings', { ...newOffering, blockchain: 'anvil' })).body.id
    const { documentId, sha256 } = await requireDocumentAndAnswers(installation, { tenantId, offeringId: ruled })
    await operator.post(`/offerings/${ruled}/open`)
    Object.assign(variables, { RULED: ruled, DOCUMENT: documentId, SHA256: sha256 })
    const world = new CliWorld({ installation, chain, api, token: await api.token(credential), cli, variables })
    const login = await cli.run('login --from .dev/credentials.json')
    if (login.code !== 0) throw new Error(login.stderr)
    return world
  }

  async end(): Promise<void> {
    await this.installation.end()
    await this.chain.stop()
    await this.cli.end()
  }

  /** Calls the API directly. */
  call(method: string, path: string, body?: unknown, key: string = crypto.randomUUID()): Promise<ApiResponse> {
    const headers: Record<string, string> = method === 'GET' ? {} : { 'x-idempotency-key': key }
    return this.api.call(method, path, { token: this.token, headers, ...(body === undefined ? {} : { body }) })
  }

  /** Waits until the chain has `count` more blocks. */
  async waitForBlocks(count: number): Promise<void> {
    const wanted = (await this.chain.client.getBlockNumber()) + BigInt(count)
    await until(`block ${wanted}`, async () => (await this.chain.client.getBlockNumber()) >= wanted)
  }

  /** Creates a resource and returns its id. */
  async create(path: string, body: unknown): Promise<string> {
    const response = await this.call('POST', path, body)
    if (response.status >= 300) throw new Error(response.text)
    return response.body.id
  }

  async newOrder(account = this.variables['ACCOUNT']): Promise<string> {
    return this.create(`/offerings/${this.variables['OFFERING']}/orders`, { account_id: account, units: '1000000000' })
  }

  async newTransfer(): Promise<string> {
    const { OFFERING: offering_id, WALLET: sender_wallet_id, OTHER_WALLET: receiver_wallet_id } = this.variables
    const wallets = { sender_wallet_id, receiver_wallet_id }
    return this.create('/transfers', { offering_id, ...wallets, units: '1', reason: 'gift' })
  }

  /** Creates a wallet that waits for a proof, one whose proof is in proof.json, and an unregistered address. */
  async createPendingWallets(account = this.variables['ACCOUNT']): Promise<void> {
    const [pending, signed] = [new WalletOwner(), new WalletOwner()]
    const path = `/accounts/${account}/wallets`
    this.variables['ADDRESS'] = new WalletOwner().address
    this.variables['PENDING_WALLET'] = await this.create(path, pending.body({ blockchain: 'anvil' }))
    const { body } = await this.call('POST', path, signed.body({ blockchain: 'anvil' }))
    this.variables['SIGNED_WALLET'] = body.id
    const proof = JSON.stringify({ message: body.challenge, signature: await signed.sign(body.challenge) })
    this.variables['PROOF'] = proof
    await writeFile(join(this.cli.folder, 'proof.json'), proof)
  }

  /** Creates an investor who holds tokens, one who does not, and a company. */
  async createAccounts(): Promise<void> {
    const { OFFERING: offering } = this.variables
    const [account, other, firm] = await Promise.all([
      this.create('/accounts', individual),
      this.create('/accounts', individual),
      this.create('/accounts', company),
    ])
    Object.assign(this.variables, { ACCOUNT: account, COMPANY: firm })
    await this.call('POST', `/simulations/accounts/${account}/decision`, { kyc: 'APPROVED' })
    const body = { offering_id: offering }
    this.variables['WALLET'] = await this.create(`/simulations/accounts/${account}/wallets`, body)
    this.variables['OTHER_WALLET'] = await this.create(`/simulations/accounts/${other}/wallets`, body)
    await this.call('POST', `/simulations/accounts/${other}/decision`, { kyc: 'APPROVED' })
    this.variables['TRANSFER'] = await this.newTransfer()
    const extract = { offering_id: offering, format: 'csv' }
    this.variables['EXTRACT'] = await this.create(`/accounts/${account}/register-extracts`, extract)
    await this.createPendingWallets()
    const order = await this.newOrder()
    await this.call('POST', `/simulations/orders/${order}/payments`, { kind: 'exact' })
    const isMinted = async () =>
      (await this.call('GET', `/offerings/${offering}/orders/${order}`)).body.status === 'MINTED'
    await until('the order is MINTED', isMinted)
    this.variables['ORDER'] = await this.newOrder()
  }
}
