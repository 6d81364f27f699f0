/** One code: its status, its type, what causes it and what to do about it. */
export interface ErrorEntry {
  readonly status: number
  readonly type: string
  readonly cause: string
  readonly remedy: string
}
