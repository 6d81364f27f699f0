import type { Call } from '../call.ts'
import type {
  Account,
  AdvancedClock,
  ClockSimulation,
  DecisionSimulation,
  MintFailure,
  MintFailureSimulation,
  PaymentSimulation,
  Reorganisation,
  ReorganisationSimulation,
  SimulatedOrder,
  Transfer,
  TransferSimulation,
  Wallet,
  WalletSimulation,
} from '../generated/schemas.ts'
import type { RequestOptions, WriteOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

/**
 * What others do to your orders and what goes wrong, at the push of a button. In development only: elsewhere each of
 * them is refused with `route_not_found`. Scope: any.
 */
export class Simulations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Money arrives for an order: `exact`, `short`, `over`, `late` or told `twice`. */
  payment(orderId: string, body: PaymentSimulation, options?: WriteOptions): Call<SimulatedOrder> {
    return this.#transport.call('simulatePayment', { params: { orderId }, body, options })
  }

  /** The payment deadline of an order passes now. */
  paymentDeadline(orderId: string, options?: WriteOptions): Call<SimulatedOrder> {
    return this.#transport.call('simulatePaymentDeadline', { params: { orderId }, options })
  }

  /** An operator decides about an account: `kyc` or `kyb`. */
  decision(accountId: string, body: DecisionSimulation, options?: WriteOptions): Call<Account> {
    return this.#transport.call('simulateDecision', { params: { accountId }, body, options })
  }

  /** The investor registers a wallet and proves it; name the offering whose chain it shall be on. */
  wallet(accountId: string, body: WalletSimulation = {}, options?: WriteOptions): Call<Wallet> {
    return this.#transport.call('simulateWallet', { params: { accountId }, body, options })
  }

  /** The token refuses mints from now on, or no longer; then the orders that are held are released. */
  mintFailure(offeringId: string, body: MintFailureSimulation, options?: RequestOptions): Call<MintFailure> {
    return this.#transport.call('simulateMintFailure', { params: { offeringId }, body, options })
  }

  /** The last blocks of an offering's chain are replaced by empty ones. */
  reorganisation(body: ReorganisationSimulation, options?: RequestOptions): Call<Reorganisation> {
    return this.#transport.call('simulateReorganisation', { body, options })
  }

  /** An investor sends tokens from a simulated wallet to another wallet. */
  transfer(body: TransferSimulation, options?: WriteOptions): Call<Transfer> {
    return this.#transport.call('simulateTransfer', { body, options })
  }

  /** Every deadline that your tenant waits for comes nearer. */
  advanceClock(body: ClockSimulation, options?: WriteOptions): Call<AdvancedClock> {
    return this.#transport.call('advanceClock', { body, options })
  }
}
