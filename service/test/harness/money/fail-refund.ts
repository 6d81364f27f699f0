import { failRefund } from '../../../src/sales/refunds/operator/fail-refund.ts'
import { retryRefund } from '../../../src/sales/refunds/operator/retry-refund.ts'
import { DirectOperations } from '../callers/operations.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

interface SentRefund {
  readonly tenantId: string
  readonly refundId: string
}

/** Fails a refund that was sent, as two people do. */
export async function failByHand(
  installation: TestInstallation,
  { tenantId, refundId }: SentRefund,
  failure = 'AC04',
): Promise<void> {
  await new DirectOperations(installation, tenantId).run(failRefund, { params: { refundId }, body: { failure } })
}

/** Makes the refund due again, as two people do. */
export async function retryByHand(installation: TestInstallation, { tenantId, refundId }: SentRefund): Promise<void> {
  await new DirectOperations(installation, tenantId).run(retryRefund, { params: { refundId } })
}
