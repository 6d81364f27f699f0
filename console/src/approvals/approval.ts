import { useQuery } from '@tanstack/react-query'
import i18next, { type TFunction } from 'i18next'
import { api, type Schemas } from '../api/client.ts'
import { moneyText } from '../parts/money-text.ts'

export type Approval = Schemas['NamedChangeApproval'] & { readonly database: Database }
export type Database = 'cell' | 'directory'

/** Where the approvals of each database are in the API. */
const approvalsOf = { cell: 'approvals', directory: 'directory-approvals' } as const

type Members = Readonly<Record<string, unknown>>

/** Describes the change in one line: the operation as a sentence, and its amount. */
export function approvalText(
  { operation, decimal_amount: amount, currency }: Schemas['ChangeApproval'],
  t: TFunction,
): string {
  const known = t(`approvals.operations.${operation}` as 'approvals.operations.openOffering', {
    defaultValue: operation.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`),
  })
  if (amount === null || currency === null) return known
  return `${known}: ${moneyText(amount, currency, i18next.language)}`
}

/** Loads one approval with its request. */
export function useApproval(database: Database, approvalId: string) {
  return useQuery({
    queryKey: ['approval', database, approvalId],
    queryFn: () => api.get(`/${approvalsOf[database]}/{approvalId}`, { path: { approvalId } }),
  })
}

/** Reads the current state of an object, by its type. */
const readerOf: Readonly<Record<string, (id: string) => Promise<Members>>> = {
  offering: (id) => api.get('/offerings/{offeringId}', { path: { offeringId: id } }),
  account: (id) => api.get('/accounts/{accountId}', { path: { accountId: id } }),
  order: (id) => api.get('/orders/{orderId}', { path: { orderId: id } }),
  payout: (id) => api.get('/payouts/{payoutId}', { path: { payoutId: id } }),
  distribution: (id) => api.get('/distributions/{distributionId}', { path: { distributionId: id } }),
  kyc_provider: (id) => api.get('/kyc-providers/{kycProviderId}', { path: { kycProviderId: id } }),
  kyc_check: (id) => api.get('/kyc-checks/{checkId}', { path: { checkId: id } }),
  refund: (id) => api.get('/refunds/{refundId}', { path: { refundId: id } }),
  statement: (id) => api.get('/statements/{statementId}', { path: { statementId: id } }),
  credential: (id) => api.get('/credentials/{clientId}', { path: { clientId: id } }),
}

/** Loads the current state of the object, if the API can read it. */
export function useSubject({ subject_type: type, subject_id: id }: Schemas['ChangeApproval']) {
  return useQuery({
    queryKey: ['approval-subject', type, id],
    queryFn: async () => (await readerOf[type]?.(id)) ?? null,
  })
}

/** Members that an operation changes although its request does not contain them. */
const effects: Readonly<Record<string, Members>> = {
  openOffering: { status: 'OPEN' },
  releasePayout: { status: 'released' },
  approveDistribution: { status: 'APPROVED' },
  acceptKycCheck: { status: 'applied' },
  bookStatement: { waits_for_booking: false },
}

/** Returns the members of the request, and the current values of those that the object also has. */
export function changeOf(
  { operation, request }: Schemas['ChangeApprovalWithRequest'],
  subject: Members | null | undefined,
): { before: Members; after: Members } {
  const requested = { ...effects[operation], ...(request.body as Members | undefined) }
  const before = Object.fromEntries(
    Object.keys(requested).flatMap((name) => (subject && name in subject ? [[name, plain(subject[name])]] : [])),
  )
  return { before, after: requested }
}

/** Unwraps a status: an account's check is `{ status: 'PENDING' }`, but a decision sends the text alone. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('status' in value)) return value
  return Object.keys(value).length === 1 ? value.status : value
}
