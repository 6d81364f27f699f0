/** A person who can sign in at the local provider. */
export interface LocalPerson {
  /** The subject of the person's ID tokens. */
  id: string
  name: string
  email: string
}

export const demoPeople: readonly LocalPerson[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' },
]
