import { withTimeout } from '../../src/platform/base/with-timeout.ts'
import type { Attack, AttackResult } from './attack.ts'
import { AttackStack } from './attack-stack.ts'
import { concurrentVerifications } from './attacks/concurrent-verifications.ts'
import { connectionPooler } from './attacks/connection-pooler.ts'
import { credentialThatListsNames } from './attacks/credential-that-lists-names.ts'
import { developmentOnAllAddresses } from './attacks/development-on-all-addresses.ts'
import { exportsOfViewer } from './attacks/exports-of-viewer.ts'
import { feeSpike } from './attacks/fee-spike.ts'
import { filledDisk } from './attacks/filled-disk.ts'
import { cappedNode, floodedApprovals, floodedTransfers } from './attacks/flooded-token.ts'
import { foreignChain } from './attacks/foreign-chain.ts'
import { foreignStripeMode } from './attacks/foreign-stripe-mode.ts'
import { forgedKycNotification } from './attacks/forged-kyc-notification.ts'
import { forgedStatement } from './attacks/forged-statement.ts'
import { forgedDebit, shownToken } from './attacks/forged-statements.ts'
import { freeOrder } from './attacks/free-order.ts'
import { halfClosedConnections } from './attacks/half-closed-connections.ts'
import { hostileRequests } from './attacks/hostile-requests.ts'
import { largeBankFile } from './attacks/large-bank-file.ts'
import { loginWithBothRoles } from './attacks/login-with-both-roles.ts'
import { loosenedRules } from './attacks/loosened-rules.ts'
import { madeUpPayment } from './attacks/made-up-payment.ts'
import { madeUpProvider } from './attacks/made-up-provider.ts'
import { mailWithForeignText } from './attacks/mail-with-foreign-text.ts'
import { metricsOnPublicAddress } from './attacks/metrics-on-public-address.ts'
import { networkOfAddresses } from './attacks/network-of-addresses.ts'
import { ownCeilings } from './attacks/own-ceilings.ts'
import { aloneOnAChain, cancelledFreeze, ownSecondPerson } from './attacks/own-second-person.ts'
import { personalDataInTraces } from './attacks/personal-data-in-traces.ts'
import { pipelinedRequests } from './attacks/pipelined-requests.ts'
import { plainTextConnections } from './attacks/plain-text-connections.ts'
import { proposalFlood } from './attacks/proposal-flood.ts'
import { publishedSigningKey } from './attacks/published-signing-key.ts'
import { readProviderSecret } from './attacks/read-provider-secret.ts'
import { readinessDetails } from './attacks/readiness-details.ts'
import { changedRecordTime, redirectedEntitlement } from './attacks/redirected-distribution.ts'
import { redirectedRefunds } from './attacks/redirected-refunds.ts'
import { refundAndDeadline, refundAndLatePayment, secondPayout } from './attacks/refund-and-tokens.ts'
import { registerAndDocumentsAlone } from './attacks/register-and-documents-alone.ts'
import { rememberedSecondFactor } from './attacks/remembered-second-factor.ts'
import { reviewOfAnyLevel } from './attacks/review-of-any-level.ts'
import { sameMoneyTwice } from './attacks/same-money-twice.ts'
import { semicolonFormulas } from './attacks/semicolon-formulas.ts'
import { skippedQuestionnaire } from './attacks/skipped-questionnaire.ts'
import { slowBodies } from './attacks/slow-bodies.ts'
import { strayPayment } from './attacks/stray-payment.ts'
import { streamsOfTenant } from './attacks/streams-of-tenant.ts'
import { suspendedHolder } from './attacks/suspended-holder.ts'
import { swappedWallet } from './attacks/swapped-wallet.ts'
import { tokenFromToken } from './attacks/token-from-token.ts'
import { transferAroundFreeze } from './attacks/transfer-around-freeze.ts'
import { tricklingUploads } from './attacks/trickling-uploads.ts'
import { twoHostHeaders } from './attacks/two-host-headers.ts'
import { unfinishedBodiesOfCredential, unfinishedBodiesOfViewer } from './attacks/unfinished-bodies.ts'
import { unseenGuesses } from './attacks/unseen-guesses.ts'
import { unverifiedWebhookEndpoint } from './attacks/unverified-webhook-endpoint.ts'
import { walletProofDomain } from './attacks/wallet-proof-domain.ts'
import { weakKeys } from './attacks/weak-keys.ts'
import { wronglyDistributed } from './attacks/wrongly-distributed.ts'

const attacks: readonly Attack[] = [
  pipelinedRequests,
  slowBodies,
  halfClosedConnections,
  hostileRequests,
  twoHostHeaders,
  readinessDetails,
  networkOfAddresses,
  unseenGuesses,
  publishedSigningKey,
  weakKeys,
  plainTextConnections,
  developmentOnAllAddresses,
  metricsOnPublicAddress,
  personalDataInTraces,
  loginWithBothRoles,
  connectionPooler,
  ownCeilings,
  concurrentVerifications,
  proposalFlood,
  filledDisk,
  semicolonFormulas,
  tokenFromToken,
  tricklingUploads,
  unfinishedBodiesOfViewer,
  unfinishedBodiesOfCredential,
  streamsOfTenant,
  exportsOfViewer,
  mailWithForeignText,
  unverifiedWebhookEndpoint,
  walletProofDomain,
  freeOrder,
  madeUpPayment,
  forgedStatement,
  madeUpProvider,
  swappedWallet,
  sameMoneyTwice,
  redirectedRefunds,
  refundAndLatePayment,
  refundAndDeadline,
  secondPayout,
  shownToken,
  strayPayment,
  foreignStripeMode,
  forgedKycNotification,
  readProviderSecret,
  reviewOfAnyLevel,
  credentialThatListsNames,
  skippedQuestionnaire,
  loosenedRules,
  registerAndDocumentsAlone,
  transferAroundFreeze,
  feeSpike,
  foreignChain,
  floodedApprovals,
  floodedTransfers,
  cappedNode,
  ownSecondPerson,
  rememberedSecondFactor,
  cancelledFreeze,
  suspendedHolder,
  aloneOnAChain,
  // After the attacks that mint: its register says that the chain is far ahead.
  changedRecordTime,
  redirectedEntitlement,
  forgedDebit,
  wronglyDistributed,
  // Last, because the worker is busy with it afterwards.
  largeBankFile,
]

const attackMsMax = 180_000

export interface ReplayedAttack extends AttackResult {
  readonly name: string
  readonly ms: number
}

/** Replays the attacks one after the other against a new installation, and reports each when it is over. */
export async function replayAttacks(
  { isShort, only }: { isShort: boolean; only?: string | undefined },
  report: (replayed: ReplayedAttack) => void = () => {},
): Promise<ReplayedAttack[]> {
  const stack = await AttackStack.create()
  const replayed: ReplayedAttack[] = []
  try {
    for (const attack of attacks.filter((one) => (!isShort || one.isShort) && one.name.includes(only ?? ''))) {
      const startedAt = performance.now()
      const result = await withTimeout(attack.run(stack), attackMsMax).catch((error: Error) => ({
        isDefended: false,
        observed: `the attack could not be carried out: ${error.message}`,
      }))
      replayed.push({ name: attack.name, ...result, ms: performance.now() - startedAt })
      report(replayed.at(-1) as ReplayedAttack)
    }
  } finally {
    await stack.end()
  }
  return replayed
}

/** One line per attack, as `npm run attack` prints it. */
export function attackLine({ name, isDefended, observed, ms }: ReplayedAttack): string {
  return `${isDefended ? 'held' : 'OPEN'}  ${name}: ${observed} (${(ms / 1000).toFixed(1)} s)`
}
