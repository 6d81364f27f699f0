/** Serializes to the API's JSON: units, which are bigint in the SDK, become strings again. */
export function toJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member), indent)
}
