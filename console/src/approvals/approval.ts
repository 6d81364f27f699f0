import { useQuery } from '@tanstack/react-query'
import i18next, { type TFunction } from 'i18next'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { moneyText } from '../parts/money-text.ts'

export type Approval = Schemas['NamedChangeApproval'] & { readonly database: Database }
export type Database = 'cell' | 'directory'

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
    queryFn: () => {
      const options = { params: { path: { approvalId } } }
      return database === 'cell'
        ? bodyOf(api.GET('/approvals/{approvalId}', options))
        : bodyOf(api.GET('/directory-approvals/{approvalId}', options))
    },
  })
}

/** Loads the current state of the object, if the API can read it. */
export function useSubject({ subject_type: type, subject_id: id }: Schemas['ChangeApproval']) {
  return useQuery({
    queryKey: ['approval-subject', type, id],
    queryFn: async (): Promise<Members | null> => {
      switch (type) {
        case 'offering':
          return bodyOf(api.GET('/offerings/{offeringId}', { params: { path: { offeringId: id } } }))
        case 'account':
          return bodyOf(api.GET('/accounts/{accountId}', { params: { path: { accountId: id } } }))
        case 'order':
          return bodyOf(api.GET('/orders/{orderId}', { params: { path: { orderId: id } } }))
        case 'payout':
          return bodyOf(api.GET('/payouts/{payoutId}', { params: { path: { payoutId: id } } }))
        case 'distribution':
          return bodyOf(api.GET('/distributions/{distributionId}', { params: { path: { distributionId: id } } }))
        case 'kyc_provider':
          return bodyOf(api.GET('/kyc-providers/{kycProviderId}', { params: { path: { kycProviderId: id } } }))
        case 'kyc_check':
          return bodyOf(api.GET('/kyc-checks/{checkId}', { params: { path: { checkId: id } } }))
        case 'refund':
          return bodyOf(api.GET('/refunds/{refundId}', { params: { path: { refundId: id } } }))
        case 'statement':
          return bodyOf(api.GET('/statements/{statementId}', { params: { path: { statementId: id } } }))
        case 'credential':
          return bodyOf(api.GET('/credentials/{clientId}', { params: { path: { clientId: id } } }))
        default:
          return null
      }
    },
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
