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
import { Resource } from './resource.ts'

/**
 * Simulates actions of banks, operators and investors, and failures of the chain. Development only: other environments
 * respond with `route_not_found`. Scope: any.
 */
export class Simulations extends Resource {
  /** Simulates a payment for an order: `exact`, `short`, `over`, `late` (after the deadline) or `twice` (duplicate). */
  payment(orderId: string, body: PaymentSimulation, options?: WriteOptions): Call<SimulatedOrder> {
    return this.call('simulatePayment', { params: { orderId }, body, options })
  }

  /** Lets the payment deadline of an order pass now. */
  paymentDeadline(orderId: string, options?: WriteOptions): Call<SimulatedOrder> {
    return this.call('simulatePaymentDeadline', { params: { orderId }, options })
  }

  /** Approves or rejects an account as an operator: `kyc` or `kyb`. */
  decision(accountId: string, body: DecisionSimulation, options?: WriteOptions): Call<Account> {
    return this.call('simulateDecision', { params: { accountId }, body, options })
  }

  /** Reports `approved`, `rejected` or `expired` as a KYC provider. Accepts a result that waits for an operator. */
  kyc(accountId: string, body: KycResultSimulation, options?: WriteOptions): Call<SimulatedKycResult> {
    return this.call('simulateKycResult', { params: { accountId }, body, options })
  }

  /** Registers a wallet as the investor and proves its ownership. `offering_id` selects the chain. */
  wallet(accountId: string, body: WalletSimulation = {}, options?: WriteOptions): Call<Wallet> {
    return this.call('simulateWallet', { params: { accountId }, body, options })
  }

  /** Starts or stops the failure of a token's mints. Stopping it also releases the orders on mint hold. */
  mintFailure(offeringId: string, body: MintFailureSimulation, options?: RequestOptions): Call<MintFailure> {
    return this.call('simulateMintFailure', { params: { offeringId }, body, options })
  }

  /** Replaces the last blocks of an offering's chain with empty ones, as a reorg does. */
  reorg(body: ReorgSimulation, options?: RequestOptions): Call<Reorg> {
    return this.call('simulateReorg', { body, options })
  }

  /** Sends tokens from a simulated wallet to another wallet, as an investor. */
  transfer(body: TransferSimulation, options?: WriteOptions): Call<Transfer> {
    return this.call('simulateTransfer', { body, options })
  }

  /** Approves a requested transfer and sends it on the chain. It is `DONE` some blocks later. */
  transferRequest(transferId: string, options?: WriteOptions): Call<TransferRequest> {
    return this.call('simulateTransferRequest', { params: { transferId }, options })
  }

  /** Gives all holders of an offering a coupon, dividend or redemption: `paid`, `failed` or only `announced`. */
  distribution(offeringId: string, body: DistributionSimulation, options?: WriteOptions): Call<SimulatedDistribution> {
    return this.call('simulateDistribution', { params: { offeringId }, body, options })
  }

  /** Moves every open deadline of your tenant `advance_seconds` earlier. */
  expireDeadlines(body: DeadlineSimulation, options?: WriteOptions): Call<SimulatedDeadlines> {
    return this.call('expireDeadlines', { body, options })
  }
}
