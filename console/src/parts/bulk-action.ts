import type { ActionField } from './field-input.tsx'

/** The result of one item, as the API returns it. */
export interface BulkResult {
  readonly status: number
  readonly approval_id: string | null
  readonly error: { readonly message: string } | null
}

/** An action on many rows together. */
export interface BulkAction<Item> {
  readonly id: string
  readonly label: string
  readonly consequence: string
  readonly fields?: readonly ActionField[]
  readonly isDangerous?: boolean
  /** Selected rows that permit the action. */
  readonly items: readonly Item[]
  /** Sends a part of the items. The key makes repeating it safe. */
  readonly run: (
    idempotencyKey: string,
    items: readonly Item[],
    values: Readonly<Record<string, string>>,
  ) => Promise<{ results: readonly BulkResult[] }>
}

/** An action with named rows, because the dialog does not know the resource. */
export interface NamedBulkAction extends Omit<BulkAction<unknown>, 'items' | 'run'> {
  readonly rows: readonly { readonly id: string; readonly name: string }[]
  /** True if the dialog lists the rows first, because the person has not selected them. */
  readonly isListed?: boolean
  /** Sends the rows from one index to another. */
  readonly send: (
    idempotencyKey: string,
    range: readonly [from: number, to: number],
    values: Readonly<Record<string, string>>,
  ) => Promise<{ results: readonly BulkResult[] }>
}
