import { setTimeout as sleep } from 'node:timers/promises'
import type { IssuedCredential } from '../../src/access/credentials/issue-credential.ts'
import { type Answer, callApi } from './api-client.ts'
import { individual } from './bodies.ts'
import { Fixtures } from './fixtures.ts'
import type { TestInstallation } from './service.ts'
import { signedToken } from './signed-token.ts'

/** One request with a key, and what has become of it. */
export interface KeyedWrite {
  readonly kind: 'account' | 'order'
  readonly credential: IssuedCredential
  readonly path: string
  readonly key: string
  readonly body: unknown
  /** Stands in the row that it makes and in no other: the e-mail address of an account, the units of an order. */
  readonly marker: string
  readonly startedAt: number
  /** What came of each attempt: the status and code of the answer, or that there was none. */
  readonly attempts: string[]
  /** Refused in a way that asking again does not help. */
  isRefused?: boolean
  answer?: { status: number; text: string; id: string; afterMs: number }
}

const clientCount = 8
const buyerCount = 4
/** A key is free again a minute after its first request, whatever became of that. */
const keyFreeMs = 60_000
/** Where processes die faster than they start, a write may wait long for one; but not for ever. */
const patienceMs = 300_000

/**
 * Clients that make accounts and orders with idempotency keys, as integrators are told to: whatever happens, they send
 * the same request with the same key again until it is answered with 2xx. Impatient ones send it twice at a time.
 */
export class KeyedWriters {
  readonly writes: KeyedWrite[] = []
  /** How often each answer was seen: its status, and its code where it was refused. */
  readonly seen = new Map<string, number>()
  /** What must not happen, in sentences. */
  readonly problems: string[] = []
  /** Requests whose connection broke before the answer was there. */
  cut = 0
  /** First answers that came out of the store: the effect was there, its answer had been lost. */
  recovered = 0
  readonly tenantId: string
  readonly offeringId: string
  readonly #installation: TestInstallation
  readonly #credentials: IssuedCredential[]
  readonly #random: () => number
  readonly #inFlight = new Map<string, number>()
  readonly #answeredBy = new Map<string, number>()
  #targets: readonly string[] = []
  #isWriting = true
  #isPatient = true
  #running: Promise<unknown> = Promise.resolve()

  private constructor(
    installation: TestInstallation,
    random: () => number,
    place: { tenantId: string; offeringId: string; credentials: IssuedCredential[] },
  ) {
    this.#installation = installation
    this.#random = random
    this.tenantId = place.tenantId
    this.offeringId = place.offeringId
    this.#credentials = place.credentials
  }

  static async create(installation: TestInstallation, random: () => number): Promise<KeyedWriters> {
    const tenantId = await installation.createTenant('keyed writers')
    const offeringId = await new Fixtures(installation).offering(tenantId)
    const issue = () => installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const credentials = await Promise.all(Array.from({ length: clientCount }, issue))
    return new KeyedWriters(installation, random, { tenantId, offeringId, credentials })
  }

  /** Where the API answers now. Clients choose among these for each attempt, as a load balancer does. */
  aim(baseUrls: readonly string[]): void {
    this.#targets = baseUrls
  }

  /** Requests that were sent there and are not answered yet. */
  inFlightAt(baseUrl: string): number {
    return this.#inFlight.get(baseUrl) ?? 0
  }

  /** Requests that were answered from there, and not with 503: those have done nothing. */
  answeredBy(baseUrl: string): number {
    return this.#answeredBy.get(baseUrl) ?? 0
  }

  /** Makes the accounts that buy, then lets all clients write at once until they are told to finish. */
  async start(): Promise<void> {
    const first = this.#credentials[0] as IssuedCredential
    const made = await Promise.all(Array.from({ length: buyerCount }, () => this.#insist(this.#newAccount(first))))
    const buyers = made.filter((id) => id !== undefined)
    if (buyers.length === 0) throw new Error('there is no account that could buy')
    const write = async (credential: IssuedCredential) => {
      while (this.#isWriting) {
        const buyer = this.#choose(buyers)
        const isAccount = this.#random() < 0.5
        await this.#insist(isAccount ? this.#newAccount(credential) : this.#newOrder(credential, buyer))
        // Time to think, and time for the processes that start meanwhile.
        await sleep(this.#random() * 20)
      }
    }
    this.#running = Promise.all(this.#credentials.map(write))
  }

  /** Every client ends the write that it is at. */
  async finish(): Promise<void> {
    this.#isWriting = false
    await this.#running
  }

  /** Ends what is left of a run that has failed. */
  giveUp(): void {
    this.#isWriting = false
    this.#isPatient = false
  }

  /** Sends every answered write once more: each must be answered with the same bytes, out of the store. */
  async replayAll(): Promise<number> {
    const open = this.writes.filter(({ answer }) => answer)
    let replays = 0
    const replay = async () => {
      for (let write = open.pop(); write; write = open.pop()) {
        const answer = await this.#send(write)
        if (answer?.headers.get('idempotency-replayed') !== 'true')
          this.problems.push(`${write.key} was not replayed: ${answer?.status} ${answer?.text}`)
        else replays += 1
      }
    }
    await Promise.all(Array.from({ length: clientCount }, replay))
    return replays
  }

  #newAccount(credential: IssuedCredential): KeyedWrite {
    const marker = `writer-${this.writes.length}@example.com`
    const body = { ...individual, communication: { email: marker, email_confirmed: true } }
    return this.#begin({ kind: 'account', credential, path: '/accounts', body, marker })
  }

  #newOrder(credential: IssuedCredential, buyer: string): KeyedWrite {
    const marker = String(this.writes.length + 1)
    const path = `/offerings/${this.offeringId}/orders`
    return this.#begin({ kind: 'order', credential, path, body: { account_id: buyer, units: marker }, marker })
  }

  #begin(write: Omit<KeyedWrite, 'key' | 'startedAt' | 'attempts'>): KeyedWrite {
    const begun = { ...write, key: crypto.randomUUID(), startedAt: performance.now(), attempts: [] }
    this.writes.push(begun)
    return begun
  }

  /** Asks until there is an answer; resolves with the id of what was made, undefined where patience ended first. */
  async #insist(write: KeyedWrite): Promise<string | undefined> {
    const endsAt = write.startedAt + patienceMs
    while (!write.answer && !write.isRefused && this.#isPatient && performance.now() < endsAt) {
      const isImpatient = this.#random() < 0.2
      await Promise.all([this.#send(write), ...(isImpatient ? [this.#send(write)] : [])])
      if (!write.answer) await sleep(10 + this.#random() * 40)
    }
    return write.answer?.id
  }

  /** One attempt. Undefined where the connection broke, or nobody was there. */
  async #send(write: KeyedWrite): Promise<Answer | undefined> {
    const baseUrl = this.#targets.length > 0 ? this.#choose(this.#targets) : undefined
    if (!baseUrl) return undefined
    const { clientId } = write.credential
    const sentAt = performance.now()
    const token = await signedToken(this.#installation, { tenantId: this.tenantId, clientId })
    this.#inFlight.set(baseUrl, this.inFlightAt(baseUrl) + 1)
    try {
      const headers = { 'x-idempotency-key': write.key }
      const answer = await callApi(baseUrl, 'POST', write.path, { token, headers, body: write.body })
      if (answer.status !== 503) this.#answeredBy.set(baseUrl, this.answeredBy(baseUrl) + 1)
      this.#take(write, answer, sentAt)
      return answer
    } catch (error) {
      // This is how fetch says that the connection was refused or broke; all else is a failure of what is tested.
      if (!(error instanceof TypeError)) this.problems.push(String(error))
      this.cut += 1
      write.attempts.push('cut')
      return undefined
    } finally {
      this.#inFlight.set(baseUrl, this.inFlightAt(baseUrl) - 1)
    }
  }

  #take(write: KeyedWrite, { status, text, body, headers }: Answer, sentAt: number): void {
    const name = status < 300 ? String(status) : `${status} ${body.error.code}`
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1)
    write.attempts.push(name)
    if (!['201', '409 idempotency_in_progress', '503 unavailable'].includes(name)) {
      this.problems.push(`${write.path} answered ${status}: ${text}`)
      write.isRefused = status < 500
    }
    if (status === 409 && sentAt - write.startedAt > keyFreeMs)
      this.problems.push(`the key of ${write.marker} is still in progress after a minute: ${write.attempts.join(', ')}`)
    if (status >= 300) return
    if (!write.answer) {
      if (headers.get('idempotency-replayed') === 'true') this.recovered += 1
      write.answer = { status, text, id: body.id, afterMs: performance.now() - write.startedAt }
    } else if (write.answer.status !== status || write.answer.text !== text)
      this.problems.push(`${write.key} was answered with ${write.answer.text} and then with ${text}`)
  }

  #choose<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item
  }
}
