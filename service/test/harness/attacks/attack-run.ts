import { withTimeout } from '../../../src/platform/base/with-timeout.ts'
import type { Attack, AttackResult } from './attack.ts'
import { AttackStack } from './attack-stack.ts'
import { concurrentVerifications } from './concurrent-verifications.ts'
import { connectionPooler } from './connection-pooler.ts'
import { credentialThatListsNames } from './credential-that-lists-names.ts'
import { developmentOnAllAddresses } from './development-on-all-addresses.ts'
import { exportsOfViewer } from './exports-of-viewer.ts'
import { feeSpike } from './fee-spike.ts'
import { filledDisk } from './filled-disk.ts'
import { cappedNode, floodedApprovals, floodedTransfers } from './flooded-token.ts'
import { foreignChain } from './foreign-chain.ts'
import { foreignStripeMode } from './foreign-stripe-mode.ts'
import { forgedKycNotification } from './forged-kyc-notification.ts'
import { forgedStatement } from './forged-statement.ts'
import { forgedDebit, shownToken } from './forged-statements.ts'
import { freeOrder } from './free-order.ts'
import { halfClosedConnections } from './half-closed-connections.ts'
import { hostileRequests } from './hostile-requests.ts'
import { largeBankFile } from './large-bank-file.ts'
import { loginWithBothRoles } from './login-with-both-roles.ts'
import { loosenedRules } from './loosened-rules.ts'
import { madeUpPayment } from './made-up-payment.ts'
import { madeUpProvider } from './made-up-provider.ts'
import { mailWithForeignText } from './mail-with-foreign-text.ts'
import { metricsOnPublicAddress } from './metrics-on-public-address.ts'
import { networkOfAddresses } from './network-of-addresses.ts'
import { ownCeilings } from './own-ceilings.ts'
import { aloneOnAChain, cancelledFreeze, ownSecondPerson } from './own-second-person.ts'
import { personalDataInTraces } from './personal-data-in-traces.ts'
import { pipelinedRequests } from './pipelined-requests.ts'
import { plainTextConnections } from './plain-text-connections.ts'
import { proposalFlood } from './proposal-flood.ts'
import { publishedSigningKey } from './published-signing-key.ts'
import { readProviderSecret } from './read-provider-secret.ts'
import { readinessDetails } from './readiness-details.ts'
import { changedRecordTime, redirectedEntitlement } from './redirected-distribution.ts'
import { redirectedRefunds } from './redirected-refunds.ts'
import { refundAndDeadline, refundAndLatePayment, secondPayout } from './refund-and-tokens.ts'
import { registerAndDocumentsAlone } from './register-and-documents-alone.ts'
import { rememberedSecondFactor } from './remembered-second-factor.ts'
import { reviewOfAnyLevel } from './review-of-any-level.ts'
import { sameMoneyTwice } from './same-money-twice.ts'
import { semicolonFormulas } from './semicolon-formulas.ts'
import { skippedQuestionnaire } from './skipped-questionnaire.ts'
import { slowBodies } from './slow-bodies.ts'
import { strayPayment } from './stray-payment.ts'
import { streamsOfTenant } from './streams-of-tenant.ts'
import { suspendedHolder } from './suspended-holder.ts'
import { swappedWallet } from './swapped-wallet.ts'
import { tokenFromToken } from './token-from-token.ts'
import { transferAroundFreeze } from './transfer-around-freeze.ts'
import { tricklingUploads } from './trickling-uploads.ts'
import { twoHostHeaders } from './two-host-headers.ts'
import { unfinishedBodiesOfCredential, unfinishedBodiesOfViewer } from './unfinished-bodies.ts'
import { unseenGuesses } from './unseen-guesses.ts'
import { unverifiedWebhookEndpoint } from './unverified-webhook-endpoint.ts'
import { walletProofDomain } from './wallet-proof-domain.ts'
import { weakKeys } from './weak-keys.ts'
import { wronglyDistributed } from './wrongly-distributed.ts'

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
  // Runs after the attacks that mint: its register says that the chain is far ahead.
  changedRecordTime,
  redirectedEntitlement,
  forgedDebit,
  wronglyDistributed,
  // Runs last, because the worker is busy with it afterwards.
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

/** Formats one line per attack, as `npm run drill -- attack` prints it. */
export function attackLine({ name, isDefended, observed, ms }: ReplayedAttack): string {
  return `${isDefended ? 'held' : 'OPEN'}  ${name}: ${observed} (${(ms / 1000).toFixed(1)} s)`
}
