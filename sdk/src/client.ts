import type { Call } from './call.ts'
import { UsageError } from './errors.ts'
import type { Responses } from './generated/schemas.ts'
import type { ClientOptions } from './options.ts'
import { Accounts } from './resources/accounts.ts'
import { Events } from './resources/events.ts'
import { Offerings } from './resources/offerings.ts'
import { Requests } from './resources/requests.ts'
import { Simulations } from './resources/simulations.ts'
import { Transfers } from './resources/transfers.ts'
import { type OperationInput, type OperationName, Transport } from './transport.ts'
import { Webhooks } from './webhooks.ts'

/**
 * The client of the API. Create one per credential and keep it: it fetches and renews the access token, delays requests
 * that would exceed the rate limit, and retries requests where that is safe.
 */
export class InvestorToken {
  readonly accounts: Accounts
  readonly offerings: Offerings
  readonly transfers: Transfers
  readonly events: Events
  readonly requests: Requests
  readonly simulations: Simulations
  readonly webhooks: Webhooks
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    const { clientId, clientSecret } = options
    if (!isText(clientId) || !isText(clientSecret))
      throw new UsageError('clientId and clientSecret must not be empty; use those of your credential.')
    const transport = new Transport(options)
    this.#transport = transport
    this.accounts = new Accounts(transport)
    this.offerings = new Offerings(transport)
    this.transfers = new Transfers(transport)
    this.events = new Events(transport)
    this.requests = new Requests(transport)
    this.simulations = new Simulations(transport)
    this.webhooks = new Webhooks(options.webhookSecret)
  }

  /** Calls any operation by its `operationId`, for tools that choose the operation at run time. */
  call<Name extends OperationName>(name: Name, input: OperationInput = {}): Call<Responses[Name]> {
    return this.#transport.call(name, input)
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
