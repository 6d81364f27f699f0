import { setTimeout as sleep } from 'node:timers/promises'
import type { IssuedCredential } from '../../../src/access/credentials/issue-credential.ts'
import { signedToken } from '../callers/signed-token.ts'
import { individual } from '../data/bodies.ts'
import { Fixtures } from '../data/fixtures.ts'
import { type ApiResponse, callApi } from '../installation/api-client.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** One request with a key and its result. */
export interface KeyedWrite {
  readonly kind: 'account' | 'order'
  readonly credential: IssuedCredential
  readonly path: string
  readonly key: string
  readonly body: unknown
  /** Identifies the row of the write: the e-mail address of an account, the units of an order. */
  readonly marker: string
  readonly startedAt: number
  /** The result of each attempt: status and error code, or `interrupted`. */
  readonly attempts: string[]
  /** True if it was rejected with an error that a retry cannot fix. */
  isRejected?: boolean
  response?: { status: number; text: string; id: string; afterMs: number }
}

export interface WriterOptions {
  /** The tenant's cell; the first cell is in the database of the directory. */
  cell?: string
  clients?: number
  /** A client waits up to this long after each write, to leave CPU time for others. */
  pauseMsMax?: number
  /** Writes that all clients together begin per second, instead of waiting after each; fewer if no client is free. */
  perSecond?: number
  /** The number of accounts that buy. */
  buyers?: number
}
/** A key must be free a minute after its first request, whatever the result. */
const keyFreeMs = 60_000
/** A write may wait long while processes die faster than they start. */
const writeTimeoutMs = 300_000

/**
 * Clients that create accounts and orders with idempotency keys as the documentation demands: they retry the same
 * request with the same key until they get a 2xx. Some attempts send the request twice at the same time.
 */
export class KeyedWriters {
  readonly writes: KeyedWrite[] = []
  /** Number of responses by status, and by code for errors. */
  readonly seen = new Map<string, number>()
  /** Descriptions of everything that must not happen. */
  readonly problems: string[] = []
  /** Requests whose connection broke before the response. */
  interrupted = 0
  /** Writes whose first received response was a stored one: the original response was lost. */
  recovered = 0
  /** Messages of all 503 responses, with the write that got each. */
  readonly unavailable: string[] = []
  /** Writes that got a response. */
  acknowledged = 0
  readonly tenantId: string
  readonly offeringId: string
  readonly #installation: TestInstallation
  readonly #credentials: IssuedCredential[]
  readonly #random: () => number
  readonly #pauseMsMax: number
  readonly #perSecond: number | undefined
  readonly #buyerCount: number
  #nextAt = 0
  readonly #buyers: string[] = []
  readonly #inFlight = new Map<string, number>()
  readonly #responsesFrom = new Map<string, number>()
  #targets: readonly string[] = []
  #isWriting = true
  #isRetrying = true
  #running: Promise<unknown> = Promise.resolve()

  private constructor(
    installation: TestInstallation,
    random: () => number,
    setup: Pick<KeyedWriters, 'tenantId' | 'offeringId'> & { credentials: IssuedCredential[]; options: WriterOptions },
  ) {
    this.#installation = installation
    this.#random = random
    this.tenantId = setup.tenantId
    this.offeringId = setup.offeringId
    this.#credentials = setup.credentials
    this.#pauseMsMax = setup.options.pauseMsMax ?? 20
    this.#perSecond = setup.options.perSecond
    this.#buyerCount = setup.options.buyers ?? 4
  }

  static async create(
    installation: TestInstallation,
    random: () => number,
    { cell = 'main', clients = 8, ...options }: WriterOptions = {},
  ): Promise<KeyedWriters> {
    const tenantId = await installation.createTenant('keyed writers', { cell })
    const offeringId = await new Fixtures(installation).offering(tenantId)
    const issue = () => installation.issueCredential(tenantId, { requestsPerMinute: 15_000 })
    const credentials = await Promise.all(Array.from({ length: clients }, issue))
    return new KeyedWriters(installation, random, { tenantId, offeringId, credentials, options })
  }

  /** Sets the processes that serve now. Clients choose one for each attempt, like a load balancer. */
  setTargets(baseUrls: readonly string[]): void {
    this.#targets = baseUrls
  }

  /** Counts the requests to this process that have no response yet. */
  inFlightAt(baseUrl: string): number {
    return this.#inFlight.get(baseUrl) ?? 0
  }

  /** Counts the responses of this process except 503, which has no effect. */
  responsesFrom(baseUrl: string): number {
    return this.#responsesFrom.get(baseUrl) ?? 0
  }

  /** Creates the accounts that buy, one per client at a time. Returns their ids. */
  async createBuyers(): Promise<readonly string[]> {
    let left = this.#buyerCount
    const create = async (credential: IssuedCredential) => {
      while (left > 0) {
        left -= 1
        const id = await this.#sendUntilDone(this.#newAccount(credential))
        if (id !== undefined) this.#buyers.push(id)
      }
    }
    await Promise.all(this.#credentials.map(create))
    if (this.#buyers.length === 0) throw new Error('no account was created that could buy')
    return this.#buyers
  }

  /** Creates the accounts that buy if there are none, then lets all clients write until finish() is called. */
  async start(): Promise<void> {
    const buyers = this.#buyers.length > 0 ? this.#buyers : await this.createBuyers()
    const write = async (credential: IssuedCredential) => {
      while (this.#isWriting) {
        const buyer = this.#choose(buyers)
        const isAccount = this.#random() < 0.5
        await this.#sendUntilDone(isAccount ? this.#newAccount(credential) : this.#newOrder(credential, buyer))
        await this.#pause()
      }
    }
    this.#running = Promise.all(this.#credentials.map(write))
  }

  async #pause(): Promise<void> {
    if (this.#perSecond === undefined) return sleep(this.#random() * this.#pauseMsMax)
    const now = performance.now()
    this.#nextAt = Math.max(now, this.#nextAt + 1_000 / this.#perSecond)
    await sleep(this.#nextAt - now)
  }

  /** Returns the time of each successful write's response, in order. */
  get acknowledgedAt(): number[] {
    return this.writes
      .flatMap(({ startedAt, response }) => (response ? [startedAt + response.afterMs] : []))
      .toSorted((one, other) => one - other)
  }

  /** Waits until every client has finished its current write. */
  async finish(): Promise<void> {
    this.#isWriting = false
    await this.#running
  }

  /** Stops all clients after a failed run. */
  abort(): void {
    this.#isWriting = false
    this.#isRetrying = false
  }

  /** Sends every successful write again: each must get the stored response, byte for byte. */
  async replayAll(): Promise<number> {
    const pending = this.writes.filter(({ response }) => response)
    let replays = 0
    const replay = async () => {
      for (let write = pending.pop(); write; write = pending.pop()) {
        const response = await this.#send(write)
        if (response?.headers.get('idempotency-replayed') !== 'true')
          this.problems.push(`${write.key} was not replayed: ${response?.status} ${response?.text}`)
        else replays += 1
      }
    }
    await Promise.all(Array.from({ length: this.#credentials.length }, replay))
    return replays
  }

  #newAccount(credential: IssuedCredential): KeyedWrite {
    const marker = `writer-${this.writes.length}@example.com`
    const body = { ...individual, communication: { email: marker, email_confirmed: true } }
    return this.#startWrite({ kind: 'account', credential, path: '/accounts', body, marker })
  }

  #newOrder(credential: IssuedCredential, buyer: string): KeyedWrite {
    const marker = String(this.writes.length + 1)
    const path = `/offerings/${this.offeringId}/orders`
    return this.#startWrite({ kind: 'order', credential, path, body: { account_id: buyer, units: marker }, marker })
  }

  #startWrite(write: Omit<KeyedWrite, 'key' | 'startedAt' | 'attempts'>): KeyedWrite {
    const started = { ...write, key: crypto.randomUUID(), startedAt: performance.now(), attempts: [] }
    this.writes.push(started)
    return started
  }

  /** Retries until the write succeeds. Resolves with the created id, or with undefined after the timeout. */
  async #sendUntilDone(write: KeyedWrite): Promise<string | undefined> {
    const endsAt = write.startedAt + writeTimeoutMs
    while (!write.response && !write.isRejected && this.#isRetrying && performance.now() < endsAt) {
      const isDuplicated = this.#random() < 0.2
      await Promise.all([this.#send(write), ...(isDuplicated ? [this.#send(write)] : [])])
      if (!write.response) await sleep(10 + this.#random() * 40)
    }
    return write.response?.id
  }

  /** Makes one attempt. Returns undefined if the connection broke or no process is serving. */
  async #send(write: KeyedWrite): Promise<ApiResponse | undefined> {
    const baseUrl = this.#targets.length > 0 ? this.#choose(this.#targets) : undefined
    if (!baseUrl) return undefined
    const { clientId } = write.credential
    const sentAt = performance.now()
    const token = await signedToken(this.#installation, { tenantId: this.tenantId, clientId })
    this.#inFlight.set(baseUrl, this.inFlightAt(baseUrl) + 1)
    try {
      const headers = { 'x-idempotency-key': write.key }
      const response = await callApi(baseUrl, 'POST', write.path, { token, headers, body: write.body })
      if (response.status !== 503) this.#responsesFrom.set(baseUrl, this.responsesFrom(baseUrl) + 1)
      this.#record(write, response, sentAt)
      return response
    } catch (error) {
      // fetch throws a TypeError if the connection was refused or broke; any other error is a failure of the test.
      if (!(error instanceof TypeError)) this.problems.push(String(error))
      this.interrupted += 1
      write.attempts.push('interrupted')
      return undefined
    } finally {
      this.#inFlight.set(baseUrl, this.inFlightAt(baseUrl) - 1)
    }
  }

  #record(write: KeyedWrite, { status, text, body, headers }: ApiResponse, sentAt: number): void {
    const name = status < 300 ? String(status) : `${status} ${body.error.code}`
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1)
    write.attempts.push(name)
    if (!['201', '409 idempotency_in_progress', '503 unavailable'].includes(name)) {
      this.problems.push(`${write.path} responded with ${status}: ${text}`)
      write.isRejected = status < 500
    }
    if (status === 503) this.unavailable.push(`${write.marker}: ${body.error.message}`)
    if (status === 409 && sentAt - write.startedAt > keyFreeMs)
      this.problems.push(`the key of ${write.marker} is still in progress after a minute: ${write.attempts.join(', ')}`)
    if (status >= 300) return
    if (!write.response) {
      if (headers.get('idempotency-replayed') === 'true') this.recovered += 1
      this.acknowledged += 1
      write.response = { status, text, id: body.id, afterMs: performance.now() - write.startedAt }
    } else if (write.response.status !== status || write.response.text !== text)
      this.problems.push(`${write.key} got the response ${write.response.text} and then ${text}`)
  }

  #choose<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item
  }
}
