import type { Call } from './call.ts'
import { UsageError } from './errors.ts'
import type { Answers } from './generated/schemas.ts'
import type { ClientOptions } from './options.ts'
import { Accounts } from './resources/accounts.ts'
import { Events } from './resources/events.ts'
import { Offerings } from './resources/offerings.ts'
import { Requests } from './resources/requests.ts'
import { Simulations } from './resources/simulations.ts'
import { type OperationName, type Sending, Transport } from './transport.ts'
import { Webhooks } from './webhooks.ts'

/**
 * The client. Make one for each credential and keep it: it fetches and renews the token, holds requests back where the
 * limit would refuse them, and sends them again where that is safe.
 */
export class InvestorToken {
  readonly accounts: Accounts
  readonly offerings: Offerings
  readonly events: Events
  readonly requests: Requests
  readonly simulations: Simulations
  readonly webhooks: Webhooks
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    const { clientId, clientSecret } = options
    if (!isText(clientId) || !isText(clientSecret))
      throw new UsageError('clientId and clientSecret must be those of your credential; one of them is empty.')
    const transport = new Transport(options)
    this.#transport = transport
    this.accounts = new Accounts(transport)
    this.offerings = new Offerings(transport)
    this.events = new Events(transport)
    this.requests = new Requests(transport)
    this.simulations = new Simulations(transport)
    this.webhooks = new Webhooks(options.webhookSecret)
  }

  /** Any operation by its name in the API's document: for tools that learn only while they run which one it is. */
  call<Name extends OperationName>(name: Name, sending: Sending = {}): Call<Answers[Name]> {
    return this.#transport.call(name, sending)
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
