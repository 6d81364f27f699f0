import { TransferRows } from '../data/transfer-rows.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { OfTenant, OperatorRequest } from './operator-request.ts'

const transferIn =
  (status: string, reason = 'gift') =>
  (installation: TestInstallation, { tenantId }: OfTenant) =>
    new TransferRows(installation, tenantId).create({ status, reason })

/** Valid requests of operations, by id. */
export const transferRequests: Readonly<Record<string, OperatorRequest>> = {
  approveTransfer: { prepare: transferIn('REQUESTED') },
  rejectTransfer: { body: () => ({ reason: 'the contract of sale is missing' }), prepare: transferIn('REQUESTED') },
  forceTransfer: { prepare: transferIn('READY', 'inheritance') },
  judgeUnrequestedTransfer: {
    body: () => ({ verdict: 'accepted', note: 'the contract was handed in later' }),
    prepare: transferIn('REQUESTED'),
  },
}
