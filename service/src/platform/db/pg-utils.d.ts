// What pg has and its published types leave out.
declare module 'pg/lib/utils.js' {
  /** A value of JavaScript as PostgreSQL reads it. */
  export function prepareValue(value: unknown): unknown
}
