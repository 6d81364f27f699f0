import { decodeJwt } from 'jose'
import type { IssuedCredential } from '../../../src/access/credentials/issue-credential.ts'
import { benefitingPerson, company, individual, taxInformation } from '../data/bodies.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import type { RunningApi } from '../installation/running-api.ts'

/** A field of an otherwise valid request: how to send a value in it, and the expected result. */
export interface RequestField {
  name: string
  /** Omits the field if the value is undefined. */
  send: (value: unknown) => Promise<ApiResponse>
  status: 200 | 201
  returned: (response: ApiResponse) => unknown
  /** Returns the expected value in the response, if it differs from the sent value. */
  expected?: (value: unknown) => unknown
  /** The location that an error of the response names. */
  failure: Record<string, string>
  mayBeAbsent: boolean
  /** Reads the state that a rejected request must not change. */
  state: () => Promise<unknown>
}

export interface BoundaryContext {
  api: RunningApi
  credential: IssuedCredential
  token: string
  /** Id of a company. */
  accountId: string
  offeringId: string
}

const { kyc, ...withoutApproval } = individual
/** Valid accounts, by the member that is tested. */
const accounts: Record<string, Record<string, unknown>> = {
  communication: individual,
  bank_account: individual,
  tax_information: { ...individual, tax_information: taxInformation },
  individual,
  company,
  kyc: { ...withoutApproval, kyc },
  kyb: { ...withoutApproval, kyb: {} },
}

/** Returns all requests that contain this field of the target. */
export function requestFields(context: BoundaryContext, target: string, field: string): RequestField[] {
  if (target in accounts) return accountFields(context, target, field)
  const byTarget: Record<string, () => RequestField[]> = {
    benefiting_person: () => [benefitingPersonField(context, field)],
    order: () => [orderField(context, field)],
    auth: () => [authField(context, field)],
    header: () => [headerField(context, field)],
    query: () => queryFields(context, field),
  }
  const fields = byTarget[target]
  if (!fields) throw new Error(`unknown target ${target}`)
  return fields()
}

function accountFields(context: BoundaryContext, target: string, field: string): RequestField[] {
  const account = accounts[target] ?? {}
  const valid = account[target] as Record<string, unknown>
  const path = `/accounts/${context.accountId}`
  const inAccount = {
    returned: ({ body }: ApiResponse) => body[target][field],
    failure: { pointer: `/${target}/${field}` },
  }
  const created: RequestField = {
    ...inAccount,
    name: 'POST /accounts',
    send: (value) => write(context, 'POST', '/accounts', { ...account, [target]: { ...valid, [field]: value } }),
    status: 201,
    mayBeAbsent: !(field in valid),
    state: () => countOf(context, '/accounts'),
  }
  const changed: RequestField = {
    ...inAccount,
    name: 'PATCH /accounts/{accountId}',
    send: (value) => write(context, 'PATCH', path, { [target]: { ...valid, [field]: value } }),
    status: 200,
    mayBeAbsent: false,
    state: () => read(context, path),
  }
  return target === 'individual' || target === 'company' ? [created] : [created, changed]
}

function benefitingPersonField(context: BoundaryContext, field: string): RequestField {
  const path = `/accounts/${context.accountId}/benefiting-persons`
  return {
    ...inBody(field),
    name: `POST ${path}`,
    send: (value) => write(context, 'POST', path, { ...benefitingPerson, [field]: value }),
    status: 201,
    state: () => read(context, path),
  }
}

function orderField(context: BoundaryContext, field: string): RequestField {
  const path = `/offerings/${context.offeringId}/orders`
  return {
    ...inBody(field),
    name: `POST ${path}`,
    send: (value) => write(context, 'POST', path, { account_id: context.accountId, [field]: value }),
    status: 201,
    state: () => countOf(context, path),
  }
}

function authField({ api, credential: { clientId, clientSecret } }: BoundaryContext, field: string): RequestField {
  const valid = { client_id: clientId, client_secret: clientSecret, scopes: ['offering.read'] }
  return {
    ...inBody(field),
    name: 'POST /auth',
    send: (value) => api.call('POST', '/auth', { body: { ...valid, [field]: value } }),
    status: 200,
    returned: ({ body }) => decodeJwt(body.access_token)[field],
    // A duplicate scope is granted once.
    expected: (value) => (Array.isArray(value) ? [...new Set(value)] : value),
    mayBeAbsent: field === 'api_version',
    state: async () => undefined,
  }
}

function headerField(context: BoundaryContext, field: string): RequestField {
  const { api, token } = context
  return {
    name: 'POST /accounts',
    send: (value) => {
      const headers = value === undefined ? {} : { [field]: value as string }
      return api.call('POST', '/accounts', { token, body: individual, headers })
    },
    status: 201,
    // No response contains the key.
    returned: () => undefined,
    expected: () => undefined,
    failure: { header: field },
    mayBeAbsent: false,
    state: () => countOf(context, '/accounts'),
  }
}

function queryFields({ api, token, accountId, offeringId }: BoundaryContext, field: string): RequestField[] {
  return [
    '/accounts',
    `/accounts/${accountId}/orders`,
    `/accounts/${accountId}/transactions`,
    `/accounts/${accountId}/wallets`,
    `/accounts/${accountId}/wallets/balances`,
    '/offerings',
    `/offerings/${offeringId}/orders`,
  ].map((path) => ({
    name: `GET ${path}`,
    // The values are already percent-encoded.
    send: (value) => api.call('GET', value === undefined ? path : `${path}?${field}=${value as string}`, { token }),
    status: 200,
    returned: ({ body }) => String(body.pagination[field]),
    failure: { parameter: field },
    mayBeAbsent: true,
    state: async () => undefined,
  }))
}

const inBody = (field: string) => ({
  returned: ({ body }: ApiResponse) => body[field],
  failure: { pointer: `/${field}` },
  mayBeAbsent: false,
})

function write({ api, token }: BoundaryContext, method: string, path: string, body: unknown): Promise<ApiResponse> {
  return api.call(method, path, { token, body, headers: { 'x-idempotency-key': crypto.randomUUID() } })
}

async function read({ api, token }: BoundaryContext, path: string): Promise<ApiResponse['body']> {
  return (await api.call('GET', path, { token })).body
}

async function countOf(context: BoundaryContext, path: string): Promise<number> {
  return (await read(context, path)).pagination.count
}
