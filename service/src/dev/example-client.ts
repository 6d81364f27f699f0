import { createHash } from 'node:crypto'

interface ExampleAccess {
  readonly baseUrl: string
  readonly operatorUrl: string
  readonly personalToken: string
  readonly credential: { client_id: string; client_secret: string; scopes: readonly string[] }
  /** Aborts all requests. */
  readonly signal: AbortSignal
}

// oxlint-disable-next-line typescript/no-explicit-any -- responses of both APIs, read by examples only
export type ExampleBody = any

/** Calls both APIs as an integrator and as an operator. A repeated call has the same idempotency key. */
export class ExampleClient {
  readonly #access: ExampleAccess
  readonly #accessToken: string

  private constructor(access: ExampleAccess, accessToken: string) {
    this.#access = access
    this.#accessToken = accessToken
  }

  static async open(access: ExampleAccess): Promise<ExampleClient> {
    const { client_id, client_secret, scopes } = access.credential
    const signedOut = new ExampleClient(access, '')
    const { access_token: token } = await signedOut.integrator('POST', '/auth', { client_id, client_secret, scopes })
    return new ExampleClient(access, token)
  }

  integrator(method: string, path: string, body?: object): Promise<ExampleBody> {
    return this.#call(`${this.#access.baseUrl}/api${path}`, this.#accessToken, method, body)
  }

  operator(method: string, path: string, body?: object | string): Promise<ExampleBody> {
    return this.#call(`${this.#access.operatorUrl}/operator${path}`, this.#access.personalToken, method, body)
  }

  /** Sends a message that a provider has signed. Returns the status of the response. */
  async provider(path: string, text: string, headers: Readonly<Record<string, string>>): Promise<number> {
    const response = await fetch(`${this.#access.baseUrl}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: text,
      signal: this.#access.signal,
    })
    await response.arrayBuffer()
    return response.status
  }

  async #call(url: string, token: string, method: string, body?: object | string): Promise<ExampleBody> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const key = createHash('sha256').update(`${method} ${url} ${text}`).digest('hex')
    const response = await fetch(url, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}`, 'x-idempotency-key': key }),
        ...(text !== undefined && {
          'content-type': typeof body === 'object' ? 'application/json' : 'application/xml',
        }),
      },
      ...(text !== undefined && { body: text }),
      signal: this.#access.signal,
    })
    const responded = await response.text()
    if (!response.ok) throw new Error(`${method} ${new URL(url).pathname} responded ${response.status}: ${responded}`)
    return responded ? JSON.parse(responded) : undefined
  }
}
