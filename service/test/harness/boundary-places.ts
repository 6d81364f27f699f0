import { decodeJwt } from 'jose'
import type { IssuedCredential } from '../../src/access/credentials/issue-credential.ts'
import type { Answer } from './api-client.ts'
import { benefitingPerson, company, individual, taxInformation } from './bodies.ts'
import type { RunningApi } from './service.ts'

/** A member of an otherwise legal request: how a value is sent in it, and what must become of it. */
export interface Place {
  name: string
  /** Leaves the member out where the value is undefined. */
  send: (value: unknown) => Promise<Answer>
  status: 200 | 201
  shown: (answer: Answer) => unknown
  /** What an accepted value is shown as, where that is not the value itself. */
  echo?: (value: unknown) => unknown
  /** What a refusal names. */
  failure: Record<string, string>
  mayBeAbsent: boolean
  /** What a refusal must not change. */
  state: () => Promise<unknown>
}

export interface Surroundings {
  api: RunningApi
  credential: IssuedCredential
  token: string
  /** A company. */
  accountId: string
  offeringId: string
}

const { kyc, ...withoutApproval } = individual
/** Legal accounts by the member that is tried in them. */
const accounts: Record<string, Record<string, unknown>> = {
  communication: individual,
  bank_account: individual,
  tax_information: { ...individual, tax_information: taxInformation },
  individual,
  company,
  kyc: { ...withoutApproval, kyc },
  kyb: { ...withoutApproval, kyb: {} },
}

/** Everywhere that the value of a target's field can stand. */
export function placesOf(
  { api, credential, token, accountId, offeringId }: Surroundings,
  target: string,
  field: string,
) {
  const write = (method: string, path: string, body: unknown): Promise<Answer> =>
    api.call(method, path, { token, body, headers: { 'x-idempotency-key': crypto.randomUUID() } })
  const read = async (path: string) => (await api.call('GET', path, { token })).body
  const countIn = (path: string) => async () => (await read(path)).pagination.count
  const inBody = { shown: ({ body }: Answer) => body[field], failure: { pointer: `/${field}` }, mayBeAbsent: false }

  const account = accounts[target]
  if (account) {
    const legal = account[target] as Record<string, unknown>
    const inAccount = {
      shown: ({ body }: Answer) => body[target][field],
      failure: { pointer: `/${target}/${field}` },
    }
    const created: Place = {
      ...inAccount,
      name: 'POST /accounts',
      send: (value) => write('POST', '/accounts', { ...account, [target]: { ...legal, [field]: value } }),
      status: 201,
      mayBeAbsent: !(field in legal),
      state: countIn('/accounts'),
    }
    const changed: Place = {
      ...inAccount,
      name: 'PATCH /accounts/{accountId}',
      send: (value) => write('PATCH', `/accounts/${accountId}`, { [target]: { ...legal, [field]: value } }),
      status: 200,
      mayBeAbsent: false,
      state: () => read(`/accounts/${accountId}`),
    }
    return target === 'individual' || target === 'company' ? [created] : [created, changed]
  }

  const others: Record<string, () => Place[]> = {
    benefiting_person: () => {
      const path = `/accounts/${accountId}/benefiting-persons`
      const send = (value: unknown) => write('POST', path, { ...benefitingPerson, [field]: value })
      return [{ ...inBody, name: `POST ${path}`, send, status: 201, state: () => read(path) }]
    },
    order: () => {
      const path = `/offerings/${offeringId}/orders`
      const send = (value: unknown) => write('POST', path, { account_id: accountId, [field]: value })
      return [{ ...inBody, name: `POST ${path}`, send, status: 201, state: countIn(path) }]
    },
    auth: () => {
      const { clientId, clientSecret } = credential
      const legal = { client_id: clientId, client_secret: clientSecret, scopes: ['offering.read'] }
      return [
        {
          ...inBody,
          name: 'POST /auth',
          send: (value) => api.call('POST', '/auth', { body: { ...legal, [field]: value } }),
          status: 200,
          shown: ({ body }) => decodeJwt(body.access_token)[field],
          // A scope asked for twice is granted once.
          echo: (value) => (Array.isArray(value) ? [...new Set(value)] : value),
          mayBeAbsent: field === 'api_version',
          state: async () => undefined,
        },
      ]
    },
    header: () => [
      {
        name: 'POST /accounts',
        send: (value) =>
          api.call('POST', '/accounts', {
            token,
            body: individual,
            headers: value === undefined ? {} : { [field]: value as string },
          }),
        status: 201,
        // A key is not shown anywhere.
        shown: () => undefined,
        echo: () => undefined,
        failure: { header: field },
        mayBeAbsent: false,
        state: countIn('/accounts'),
      },
    ],
    query: () =>
      [
        '/accounts',
        `/accounts/${accountId}/orders`,
        `/accounts/${accountId}/transactions`,
        `/accounts/${accountId}/wallets`,
        `/accounts/${accountId}/wallets/balances`,
        '/offerings',
        `/offerings/${offeringId}/orders`,
      ].map((path) => ({
        name: `GET ${path}`,
        // The value as it stands in the query, escapes included.
        send: (value) => api.call('GET', value === undefined ? path : `${path}?${field}=${value as string}`, { token }),
        status: 200,
        shown: ({ body }) => String(body.pagination[field]),
        failure: { parameter: field },
        mayBeAbsent: true,
        state: async () => undefined,
      })),
  }
  const places = others[target]
  if (!places) throw new Error(`There is no place for ${target}.`)
  return places()
}
