import { approvalErrors } from './access/approvals/approval.errors.ts'
import { credentialErrors } from './access/credentials/credential.errors.ts'
import { deviceAuthorizationErrors } from './access/device-authorizations/device-authorization.errors.ts'
import { passkeyErrors } from './access/passkeys/passkey.errors.ts'
import { savedViewErrors } from './access/saved-views/saved-view.errors.ts'
import { signInErrors } from './access/sign-in/sign-in.errors.ts'
import { tenantErrors } from './access/tenants/tenant.errors.ts'
import { userErrors } from './access/users/user.errors.ts'
import { exportErrors } from './disclosure/exports/export.errors.ts'
import { personalDataErrors } from './disclosure/personal-data/personal-data.errors.ts'
import { distributionErrors } from './distributions/distribution.errors.ts'
import { paymentProviderErrors } from './money/payment-providers/payment-provider.errors.ts'
import { paymentErrors } from './money/payments/payment.errors.ts'
import { payoutErrors } from './money/payouts/payout.errors.ts'
import { statementErrors } from './money/statements/statement.errors.ts'
import type { DeclaredError } from './platform/api/errors/declare-errors.ts'
import { requestErrors } from './platform/api/errors/request.errors.ts'
import { accountErrors } from './sales/accounts/account.errors.ts'
import { documentErrors } from './sales/documents/document.errors.ts'
import { eligibilityErrors } from './sales/eligibility/eligibility.errors.ts'
import { kycProviderErrors } from './sales/kyc-providers/kyc-provider.errors.ts'
import { offeringErrors } from './sales/offerings/offering.errors.ts'
import { orderErrors } from './sales/orders/order.errors.ts'
import { refundErrors } from './sales/refunds/refund.errors.ts'
import { walletErrors } from './sales/wallets/wallet.errors.ts'
import { simulationErrors } from './simulations/simulation.errors.ts'
import { chainOpErrors } from './tokens/chain-ops/chain-op.errors.ts'
import { holderErrors } from './tokens/register/holder.errors.ts'
import { tokenActionErrors } from './tokens/token-actions/token-action.errors.ts'
import { transferErrors } from './tokens/transfers/transfer.errors.ts'
import { webhookErrors } from './webhooks/webhook.errors.ts'

/** Every error that the API can return. Each is declared in the `.errors.ts` of its resource. */
export const errorTable: readonly DeclaredError[] = [
  ...Object.values(requestErrors),
  ...Object.values(credentialErrors),
  ...Object.values(tenantErrors),
  ...Object.values(userErrors),
  ...Object.values(approvalErrors),
  ...Object.values(passkeyErrors),
  ...Object.values(signInErrors),
  ...Object.values(deviceAuthorizationErrors),
  ...Object.values(savedViewErrors),
  ...Object.values(offeringErrors),
  ...Object.values(accountErrors),
  ...Object.values(kycProviderErrors),
  ...Object.values(eligibilityErrors),
  ...Object.values(documentErrors),
  ...Object.values(personalDataErrors),
  ...Object.values(orderErrors),
  ...Object.values(refundErrors),
  ...Object.values(walletErrors),
  ...Object.values(paymentErrors),
  ...Object.values(payoutErrors),
  ...Object.values(distributionErrors),
  ...Object.values(paymentProviderErrors),
  ...Object.values(statementErrors),
  ...Object.values(webhookErrors),
  ...Object.values(chainOpErrors),
  ...Object.values(tokenActionErrors),
  ...Object.values(holderErrors),
  ...Object.values(transferErrors),
  ...Object.values(exportErrors),
  ...Object.values(simulationErrors),
]
