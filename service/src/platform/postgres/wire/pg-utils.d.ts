// Part of pg, but missing from its published types.
declare module 'pg/lib/utils.js' {
  /** Converts a JavaScript value to the form in which the driver sends it to PostgreSQL. */
  export function prepareValue(value: unknown): unknown
}
