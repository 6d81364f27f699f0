import type { Column } from '../output/table.ts'

/** The command that calls an API operation. Its parameters and body members are generated. */
export interface ApiCommand {
  /** Noun and verb, such as `orders create`. */
  readonly name: string
  /** Path parameter with the id of the resource itself, which is an argument. Other ids are options. */
  readonly subject?: string
  /** Member that contains the rows of a list; `body` if the response body is the array. */
  readonly rows?: 'results' | 'events' | 'requests' | 'transfers' | 'extracts' | 'body'
  /** The columns of the table. */
  readonly columns?: readonly Column[]
  /** A test runs each example against a real installation, with the variables set. */
  readonly examples: readonly string[]
}
