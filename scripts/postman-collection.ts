import { apiDescription } from '../service/src/api-description.ts'
import { describedOperations } from '../service/src/operations.ts'
import { exampleOf } from '../service/src/platform/api/declare/example.ts'
import type { Operation } from '../service/src/platform/api/declare/operation.ts'
import { scopes } from '../service/src/platform/api/declare/scopes.ts'

// Built by hand: converters generate new ids on each run, know nothing of POST /auth, and bring a hundred packages.

/**
 * Writes docs/postman_collection.json: every operation with a working example, in folders by tag. A script requests a
 * token if there is none or it is about to expire, so that two variables are enough to press Send anywhere.
 */
export function postmanCollection(): object {
  return {
    info: {
      name: apiDescription.title,
      description: `${apiDescription.summary} Fill in client_id and client_secret, then send.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{access_token}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: 'http://127.0.0.1:8080/api' },
      { key: 'client_id', value: '' },
      { key: 'client_secret', value: '' },
      { key: 'scopes', value: JSON.stringify(scopes) },
      { key: 'access_token', value: '' },
      { key: 'access_token_ends', value: '0' },
    ],
    event: [scriptFor('prerequest', fetchToken)],
    item: apiDescription.tags.map(({ name, description }) => ({
      name,
      description,
      item: describedOperations.filter(({ header }) => header.tag === name).map(requestOf),
    })),
  }
}

const fetchToken = `
const known = pm.collectionVariables
if (pm.request.url.getPath().endsWith('/auth') || Number(known.get('access_token_ends')) > Date.now()) return
const body = {
  client_id: known.get('client_id'),
  client_secret: known.get('client_secret'),
  scopes: JSON.parse(known.get('scopes')),
}
pm.sendRequest({
  url: known.get('base_url') + '/auth',
  method: 'POST',
  header: { 'Content-Type': 'application/json' },
  body: { mode: 'raw', raw: JSON.stringify(body) },
}, (error, response) => {
  if (error || response.code !== 200) throw new Error('No token: ' + (error || response.text()))
  const { access_token, expires_at } = response.json()
  known.set('access_token', access_token)
  known.set('access_token_ends', String(Date.parse(expires_at) - 60000))
})
`

/** Keeps a token that was requested by hand for the other requests. */
const keepToken = `
if (pm.response.code !== 200) return
const { access_token, expires_at } = pm.response.json()
pm.collectionVariables.set('access_token', access_token)
pm.collectionVariables.set('access_token_ends', String(Date.parse(expires_at) - 60000))
`

const authBody = `{
  "client_id": "{{client_id}}",
  "client_secret": "{{client_secret}}",
  "scopes": {{scopes}}
}`

function scriptFor(listen: 'prerequest' | 'test', code: string): object {
  return { listen, script: { type: 'text/javascript', exec: code.trim().split('\n') } }
}

function requestOf(operation: Operation): object {
  const { kind, header } = operation
  const isAuth = header.id === 'authenticate'
  const params = (header.params ? exampleOf(header.params) : {}) as Record<string, string>
  const query = Object.entries<{ description?: string }>(header.query?.properties ?? {}).map(
    ([key, { description }]) => ({
      key,
      value: '',
      description: description ?? '',
      disabled: true,
    }),
  )
  const body = header.bodyExamples ? Object.values(header.bodyExamples)[0] : header.body && exampleOf(header.body)
  const text = isAuth ? authBody : JSON.stringify(body, undefined, 2)
  return {
    name: header.summary,
    ...(isAuth ? { event: [scriptFor('test', keepToken)] } : {}),
    request: {
      method: header.method,
      description: header.description ?? header.summary,
      ...(kind === 'public' ? { auth: { type: 'noauth' } } : {}),
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...(header.idempotency === 'none' ? [] : [{ key: 'X-Idempotency-Key', value: '{{$guid}}' }]),
      ],
      url: {
        raw: `{{base_url}}${header.path}`,
        host: ['{{base_url}}'],
        path: header.path.slice(1).split('/'),
        ...(query.length > 0 ? { query } : {}),
        variable: Object.entries(params).map(([key, value]) => ({ key, value })),
      },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: text } }),
    },
  }
}
