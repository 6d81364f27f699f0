import type { Call } from '../call.ts'
import type {
  Account,
  DeadlineSimulation,
  DecisionSimulation,
  DistributionSimulation,
  KycResultSimulation,
  MintFailure,
  MintFailureSimulation,
  PaymentSimulation,
  Reorg,
  ReorgSimulation,
  SimulatedDeadlines,
  SimulatedDistribution,
  SimulatedKycResult,
  SimulatedOrder,
  Transfer,
  TransferRequest,
  TransferSimulation,
  Wallet,
  WalletSimulation,
} from '../generated/schemas.ts'
import type { RequestOptions, WriteOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

/**
 * Simulates actions of banks, operators and investors, and failures of the chain. Development only: other environments
 * respond with `route_not_found`. Scope: any.
 */
export class Simulations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** A payment for an order arrives: `exact`, `short`, `over`, `late` (after the deadline) or `twice` (duplicate). */
  payment(orderId: string, body: PaymentSimulation, options?: WriteOptions): Call<SimulatedOrder> {
    return this.#transport.call('simulatePayment', { params: { orderId }, body, options })
  }

  /** The payment deadline of an order passes now. */
  paymentDeadline(orderId: string, options?: WriteOptions): Call<SimulatedOrder> {
    return this.#transport.call('simulatePaymentDeadline', { params: { orderId }, options })
  }

  /** An operator approves or rejects an account: `kyc` or `kyb`. */
  decision(accountId: string, body: DecisionSimulation, options?: WriteOptions): Call<Account> {
    return this.#transport.call('simulateDecision', { params: { accountId }, body, options })
  }

  /** A KYC provider reports `approved`, `rejected` or `expired`; an operator accepts what waits for one. */
  kyc(accountId: string, body: KycResultSimulation, options?: WriteOptions): Call<SimulatedKycResult> {
    return this.#transport.call('simulateKycResult', { params: { accountId }, body, options })
  }

  /** The investor registers a wallet and proves its ownership. `offering_id` selects the chain. */
  wallet(accountId: string, body: WalletSimulation = {}, options?: WriteOptions): Call<Wallet> {
    return this.#transport.call('simulateWallet', { params: { accountId }, body, options })
  }

  /** Makes mints of a token fail, or ends that. Ending it also releases the orders on mint hold. */
  mintFailure(offeringId: string, body: MintFailureSimulation, options?: RequestOptions): Call<MintFailure> {
    return this.#transport.call('simulateMintFailure', { params: { offeringId }, body, options })
  }

  /** A reorg replaces the last blocks of an offering's chain with empty ones. */
  reorg(body: ReorgSimulation, options?: RequestOptions): Call<Reorg> {
    return this.#transport.call('simulateReorg', { body, options })
  }

  /** An investor sends tokens from a simulated wallet to another wallet. */
  transfer(body: TransferSimulation, options?: WriteOptions): Call<Transfer> {
    return this.#transport.call('simulateTransfer', { body, options })
  }

  /** A requested transfer is approved and sent on the chain: `DONE` some blocks later. */
  transferRequest(transferId: string, options?: WriteOptions): Call<TransferRequest> {
    return this.#transport.call('simulateTransferRequest', { params: { transferId }, options })
  }

  /** All holders of an offering get a coupon, dividend or redemption: `paid`, `failed` or only `announced`. */
  distribution(offeringId: string, body: DistributionSimulation, options?: WriteOptions): Call<SimulatedDistribution> {
    return this.#transport.call('simulateDistribution', { params: { offeringId }, body, options })
  }

  /** Moves every open deadline of your tenant `advance_seconds` earlier. */
  expireDeadlines(body: DeadlineSimulation, options?: WriteOptions): Call<SimulatedDeadlines> {
    return this.#transport.call('expireDeadlines', { body, options })
  }
}
