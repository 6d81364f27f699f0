/** The API's JSON as it was: units, which the SDK holds as bigint, are text again. */
export function toJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member), indent)
}
