import type { Adapter, AdapterPayload } from 'oidc-provider'

interface Stored {
  payload: AdapterPayload
  expiresAt: number
}

/**
 * The state of a local provider: sessions, codes and tokens, in memory. The adapter that comes with oidc-provider does
 * the same, but prints a warning at each start.
 */
export class LocalProviderStorage {
  readonly #models = new Map<string, Map<string, Stored>>()

  /** Returns the adapter for one model, such as `Session`. */
  adapter(model: string): Adapter {
    const rows = this.#rows(model)
    return {
      upsert: async (id, payload, expiresInSeconds) => {
        removeExpired(rows)
        const expiresAt =
          expiresInSeconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresInSeconds * 1000
        rows.set(id, { payload, expiresAt })
      },
      find: async (id) => current(rows.get(id)),
      findByUid: async (uid) => this.#all(model).find((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => this.#all(model).find((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const payload = current(rows.get(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => {
        rows.delete(id)
      },
      revokeByGrantId: async (grantId) => {
        for (const [id, { payload }] of rows) if (payload.grantId === grantId) rows.delete(id)
      },
    }
  }

  /** Returns the uids of a person's sessions, in every browser. */
  sessionUids(accountId: string): string[] {
    return this.#all('Session').flatMap(({ uid, accountId: owner }) => (uid && owner === accountId ? [uid] : []))
  }

  #all(model: string): AdapterPayload[] {
    return [...this.#rows(model).values()].map(current).filter((payload) => payload !== undefined)
  }

  #rows(model: string): Map<string, Stored> {
    const rows = this.#models.get(model) ?? new Map<string, Stored>()
    this.#models.set(model, rows)
    return rows
  }
}

function current(row: Stored | undefined): AdapterPayload | undefined {
  return row && row.expiresAt > Date.now() ? row.payload : undefined
}

/** Runs on every write, so that a provider that runs for weeks does not grow. */
function removeExpired(rows: Map<string, Stored>): void {
  for (const [id, { expiresAt }] of rows) if (expiresAt <= Date.now()) rows.delete(id)
}
