import type pg from 'pg'
import { matchStatements } from '../../../src/money/statements/match-statements.job.ts'
import { DirectOperations } from '../callers/operations.ts'
import { individual } from '../data/bodies.ts'
import { TestTenant } from '../data/tenant.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import type { RunningApi } from '../installation/running-api.ts'
import type { RunningInstallation } from '../installation/running-installation.ts'
import type { TestOperator } from '../installation/test-users.ts'
import { type CamtEntry, camt053 } from '../money/camt053.ts'
import { checkLoneClerks } from './lone-clerks-check.ts'
import { RealBank } from './real-bank.ts'

/** Someone with a token: a person, or someone who was shown the token of a service user. */
export interface Actor {
  readonly userId: string
  readonly token: string
  readonly cookie?: string
}

interface Buyer {
  readonly accountId: string
  readonly name: string
  readonly iban: string
}

const ibans = [
  'DE02120300000000202051',
  'DE02500105170137075030',
  'DE02100500000054540402',
  'FR1420041010050500013M02606',
  'FR7630006000011234567890189',
  'AT611904300234573201',
]

/** A tenant with two honest people who act together, two dishonest clerks who act alone, and a bank. */
export class LoneClerksWorld {
  readonly bank: RealBank
  readonly random: () => number
  readonly client: pg.Client
  readonly tenant: TestTenant
  readonly offeringId: string
  readonly clerks: readonly Actor[]
  readonly direct: DirectOperations
  readonly buyers: Buyer[] = []
  readonly #api: RunningApi
  readonly #honest: readonly [TestOperator, TestOperator]
  #statements = 0
  #balance = '100000.00'

  private constructor(
    { installation, operatorApi }: RunningInstallation,
    tenant: TestTenant,
    more: Pick<LoneClerksWorld, 'random' | 'client' | 'offeringId' | 'clerks'> & {
      honest: readonly [TestOperator, TestOperator]
    },
  ) {
    this.#api = operatorApi
    this.tenant = tenant
    this.random = more.random
    this.client = more.client
    this.offeringId = more.offeringId
    this.clerks = more.clerks
    this.#honest = more.honest
    this.bank = new RealBank(more.random)
    this.direct = new DirectOperations(installation, tenant.id)
  }

  /** Creates the world. `bookingFromMinor` is the threshold of `statement_booking`, if the tenant has one. */
  static async create(
    running: RunningInstallation,
    client: pg.Client,
    { random, bookingFromMinor }: { random: () => number; bookingFromMinor: number | undefined },
  ): Promise<LoneClerksWorld> {
    const { installation, api } = running
    const tenant = await TestTenant.create(installation, api)
    const person = (role: 'admin' | 'operator') => installation.createOperator(tenant.id, { role })
    const [one, two] = [await person('operator'), await person('admin')]
    const [first, second] = [await person('operator'), await person('operator')]
    const service = { duties: ['money', 'read'], createdBy: one.userId } as const
    const fetcher = await installation.createServiceUser(tenant.id, service)
    const shownTo = 'update directory.personal_token set shown_to = $1 where user_id = $2'
    await client.query(shownTo, [first.userId, fetcher.userId])
    const world = new LoneClerksWorld(running, tenant, {
      random,
      client,
      offeringId: await tenant.fixtures.offering(tenant.id, { total_units: '9000000000000' }),
      clerks: [first, second, { ...first, token: fetcher.token }],
      honest: [one, two],
    })
    for (const [index, iban] of ibans.entries()) await world.open(`Bob ${'ABC'[index % 3]}uyer`, iban)
    await installation.useDefaultPolicies(tenant.id)
    if (bookingFromMinor !== undefined)
      await client.query(
        `insert into directory.approval_policy (tenant_id, policy, from_minor) values ($1, 'statement_booking', $2)`,
        [tenant.id, bookingFromMinor],
      )
    return world
  }

  /** Opens an account, under any name and with any IBAN. */
  async open(name: string, iban: string): Promise<void> {
    const [firstName, lastName] = name.split(' ')
    const accountId = await this.tenant.account({
      ...individual,
      individual: { ...individual.individual, firstName, lastName },
      communication: { email: `${crypto.randomUUID()}@example.com`, email_confirmed: true },
      bank_account: { ...individual.bank_account, account_holder: name, iban },
    })
    this.buyers.push({ accountId, name, iban })
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)]
  }

  /** Picks a row of the tenant by a query for ids. */
  async pickId(query: string): Promise<string> {
    const { rows } = await this.client.query<{ id: string }>(query, [this.tenant.id])
    return this.pick(rows)?.id ?? crypto.randomUUID()
  }

  async call(actor: Actor, path: string, body?: unknown): Promise<ApiResponse> {
    const response = await this.#api.call('POST', path, { token: actor.token, body })
    if (response.status >= 500) throw new Error(`POST ${path}: ${response.text}`)
    return response
  }

  /** Confirms with the clerk's own session. */
  confirmOwn({ cookie }: Actor, approvalId: string): Promise<ApiResponse> {
    return this.#api.call('POST', `/approvals/${approvalId}/confirm`, cookie === undefined ? {} : { cookie })
  }

  /** Lets two honest people propose and confirm. Returns undefined if the service refuses. */
  async together(path: string, body?: unknown): Promise<ApiResponse | undefined> {
    const [one, two] = this.#honest
    const proposal = await this.call(one, path, body)
    if (proposal.status !== 202) return proposal.status < 300 ? proposal : undefined
    const confirm = `/approvals/${proposal.body.approval_id}/confirm`
    const confirmed = await this.#api.call('POST', confirm, { cookie: two.cookie })
    return confirmed.status === 200 ? confirmed : undefined
  }

  honestly(path: string, body?: unknown): Promise<ApiResponse> {
    return this.call(this.#honest[0], path, body)
  }

  /** Downloads the file of a payout and takes it to the bank. */
  async download({ token }: Actor, payoutId: string): Promise<void> {
    const call = { token, fileType: 'application/xml' }
    const response = await this.#api.call('POST', `/payouts/${payoutId}/download`, call)
    if (response.status === 200) this.bank.execute(payoutId, response.text)
  }

  downloadHonestly(payoutId: string): Promise<void> {
    return this.download(this.#honest[0], payoutId)
  }

  /** Imports a file. Returns the id of its statement. */
  async upload({ token }: Actor, entries: CamtEntry[], isForged: boolean): Promise<string> {
    this.#statements += 1
    const options = { id: `S${this.#statements}`, sequence: String(this.#statements), opening: this.#balance }
    const body = camt053({ ...options, entries })
    const headers = { 'content-type': 'application/xml' }
    const response = await this.#api.call('POST', '/statements', { token, body, headers })
    if (response.status !== 201) throw new Error(response.text)
    const [{ id, closing_balance: closing }] = response.body.statements
    if (!isForged) this.#balance = closing
    return id
  }

  /** Lets two honest people book the bank's report. */
  async bookBankDay(): Promise<void> {
    const entries = this.bank.takeUnreported()
    if (entries.length === 0) return
    const id = await this.upload(this.#honest[0], entries, false)
    if (!(await this.together(`/statements/${id}/book`))) throw new Error('honest people cannot book a statement')
    await this.match()
  }

  async match(): Promise<void> {
    await matchStatements.run({ tenant_id: this.tenant.id }, this.direct.jobContext)
  }

  /** Counts how often interesting states occurred: without them, the checks would prove nothing. */
  async countStates(): Promise<Record<string, number>> {
    const { rows } = await this.client.query<{ state: string; count: number }>(
      `select 'refunds ' || status as state, count(*)::int from cell.refund where tenant_id = $1 group by 1
       union all select 'refunds returned', count(*)::int from cell.refund
       where tenant_id = $1 and returned_at is not null
       union all select 'orders ' || status, count(*)::int from cell.token_order where tenant_id = $1 group by 1
       union all select 'unassigned ' || status, count(*)::int from cell.unassigned_payment where tenant_id = $1 group by 1
       union all select 'payouts ' || status, count(*)::int from cell.payout where tenant_id = $1 group by 1
       union all select 'forged entries', count(*)::int from cell.bank_entry
       where tenant_id = $1 and bank_reference like 'F%'`,
      [this.tenant.id],
    )
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  }

  check(): Promise<void> {
    const ibanOf = new Map(this.buyers.map(({ accountId, iban }) => [accountId, iban]))
    return checkLoneClerks(this.client, this.tenant.id, { bank: this.bank, ibanOf })
  }
}
